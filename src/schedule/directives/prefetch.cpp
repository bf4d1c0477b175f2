// prefetch(g, at, from, offset): in each iteration of loop `at`, prefetches what iteration from + offset will read of
// g.
//   for f.y { for f.x { f = .. g .. } }  -->  for f.y { prefetch g for y + 2; for f.x { f = .. g .. } }
// A hint changes no value. Loops are named as the stage's directives leave them, so a loop must be split or fused
// before a prefetch names it. That the loop reads g, that g is stored outside of it, and that `from` encloses `at`, is
// checked when the whole pipeline is known (loopnest/regions/prefetches.cpp).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

#include "rewrite/simplify.h"

namespace fluorite::schedule {

Verdict prefetch(const StageRef &stage, const ir::Symbol &source, const std::string &at, const std::string &from,
                 const Expr &offset, PrefetchBoundStrategy strategy, Location location) {
    if (Verdict legal = require_loop(stage, at, "prefetch", location).verdict(); !legal) {
        return legal;
    }
    if (Verdict legal = require_loop(stage, from, "prefetch", location).verdict(); !legal) {
        return legal;
    }
    if (Verdict legal = require_value(stage, strategy, PrefetchBoundStrategy::NonFaulting, "prefetch",
                                      "PrefetchBoundStrategy", location);
        !legal) {
        return legal;
    }
    if (!offset.defined() || !offset.type().is_scalar() || !offset.type().is_int_or_uint()) {
        return refused(stage, "prefetch-offset",
                       "prefetch in loop " + at + " by an offset that is " +
                           (offset.defined() ? "of type " + to_string(offset.type()) : "undefined") +
                           "; an offset counts iterations of loop " + from + "; pass an int32 number",
                       location);
    }
    const std::string unknown = unknown_at_entry(offset);
    if (!unknown.empty()) {
        return refused(stage, "directive-value",
                       "prefetch in loop " + at + " has an offset that uses " + unknown + value_rule(), location);
    }
    const Expr as_int = offset.type() == Int(32) ? offset : ir::make_cast(Int(32), offset);
    const std::optional<int64_t> value = rewrite::constant_value(offset);
    if (value && (*value > max_prefetch_offset || *value < -max_prefetch_offset)) {
        return refused(stage, "prefetch-offset",
                       "prefetch in loop " + at + " by an offset of " + std::to_string(*value) +
                           "; what is asked for is to be read soon; pass a number of iterations up to " +
                           std::to_string(max_prefetch_offset),
                       location);
    }
    if (Verdict legal = require_scheduled(stage, "prefetch", location); !legal) {
        return legal;
    }
    note_edit(stage, "prefetch", location);
    const Expr distance = value ? ir::make_int(Int(32), *value) : as_int;
    stage.schedule->prefetches.push_back({source, at, from, distance, strategy, location});
    return {};
}

// ---- Rows.

DirectiveRow row_of_prefetch() {
    return {.on_stage = true,
            .args = {{ArgKind::Source}, a_loop, a_loop, maybe_expression, {ArgKind::Outside, Arity::Optional}},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    const PrefetchBoundStrategy outside =
                        has(d, 4) ? word_of(text(d, 4), outside_word, PrefetchBoundStrategy::NonFaulting)
                                  : PrefetchBoundStrategy::GuardWithIf;
                    return prefetch(c.stage(d), c.source(d, text(d, 0)), text(d, 1), text(d, 2),
                                    has(d, 3) ? c.expr(d, text(d, 3)) : ir::make_int(Int(32), 1), outside,
                                    c.location());
                },
            .meaning = nothing("terms have no caches"),
            .example = "blur_x.prefetch(input, x, y, p + 1, Clamp)"};
}

} // namespace fluorite::schedule
