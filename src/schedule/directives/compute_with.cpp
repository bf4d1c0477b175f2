// f.compute_with(g, y): for y { for x { g } }  for y { for x { f } }
//   -->  for y { for x { g }  for x { f } }
// Legal if both stages have the same loops, run in the same way, from the outermost down to y; neither Func depends on
// the other; and both are computed at the same site. Lowering checks what needs the whole pipeline
// (loopnest/placement/fused_loops.h). Here: the loop exists in this stage, the other stage belongs to another Func, and
// this stage is not specialized.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

namespace fluorite::schedule {

Verdict compute_with(const StageRef &stage, const LoopLevel &level, const std::vector<LoopAlignStrategy> &align) {
    if (!level.is_at()) {
        return refused(stage, "compute-with-no-loop",
                       "compute_with of no loop of another Func; it shares loops; give a Func and one of its loops",
                       level.location);
    }
    if (stage.func->symbol == level.func) {
        return refused(
            stage, "compute-with-itself",
            "compute_with of a stage of the same Func; its stages run one after the other; give a stage of another "
            "Func",
            level.location);
    }
    if (!stage.variant.empty() || !stage.schedule->specializations.empty()) {
        return refused(stage, "compute-with-specialization",
                       "compute_with of a stage that is specialized; fused loops are one nest; use one of the two",
                       level.location);
    }
    if (Verdict legal = require_loop(stage, level.var, "compute_with", level.location).verdict(); !legal) {
        return legal;
    }
    for (const LoopAlignStrategy each : align) {
        if (Verdict legal = require_value(stage, each, LoopAlignStrategy::Auto, "compute_with", "LoopAlignStrategy",
                                          level.location);
            !legal) {
            return legal;
        }
    }
    if (Verdict legal = require_scheduled(stage, "compute_with", level.location); !legal) {
        return legal;
    }
    note_edit(stage, "compute_with", level.location);
    stage.schedule->with = ComputeWith{level, align};
    stage.schedule->with->level.stage = std::max(level.stage, 0);
    return {};
}

// ---- Rows.

DirectiveRow row_of_compute_with() {
    return {.on_stage = true,
            .args = {{ArgKind::Func}, a_loop, {ArgKind::Integer}, {ArgKind::Align, Arity::Rest}},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    std::vector<LoopAlignStrategy> align;
                    for (const std::string &seen : has(d, 3) ? list(d, 3) : std::vector<std::string>()) {
                        align.push_back(word_of(seen, align_word, LoopAlignStrategy::Auto));
                    }
                    return compute_with(c.stage(d), c.level(d), align);
                },
            .meaning = rewrites,
            .example = "total.compute_with(blur_y, x, 0, AlignStart, NoAlign)"};
}

} // namespace fluorite::schedule
