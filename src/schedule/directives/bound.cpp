// bound, align_bounds, set_estimate: the region of a dimension. reorder_storage, store_in: its storage.
//   bound(x, min, extent)                    promises that exactly this region is computed; checked at run time
//   align_bounds(x, modulus, remainder)      widens the region to min % modulus == remainder and extent % modulus == 0
//   set_estimate(x, min, extent)             an estimate for automatic scheduling, which does not affect code
//   reorder_storage(x, y)                    the order of dimensions in memory, innermost first
//   store_in(memory)                         the kind of memory in which the Func is stored

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

#include "rewrite/simplify.h"
#include "schedule/limits.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

Verdict check_region(const FuncRef &func, const std::string &var, const Expr &min, const Expr &extent,
                     const char *directive, Location location) {
    for (const Expr &side : {min, extent}) {
        if (side.defined() && !(side.type() == Int(32))) {
            return refused(func, "bound-not-integer",
                           std::string(directive) + " of " + var + " with a value of type " + to_string(side.type()) +
                               "; coordinates are int32; pass int32 values",
                           location);
        }
    }
    std::optional<int64_t> size = extent.defined() ? rewrite::constant_value(extent) : std::nullopt;
    if (size && *size < 0) {
        return refused(func, "bound-negative-extent",
                       std::string(directive) + " of " + var + " with extent " + std::to_string(*size) +
                           "; an extent is 0 or more; pass min and extent, not min and max",
                       location);
    }
    return {};
}

/// Refuses a promise or an estimate that says nothing.
Verdict require_something(const FuncRef &func, const std::string &var, bool is_something, const char *directive,
                          const char *parts, Location location) {
    if (!is_something) {
        return refused(func, "undefined-operand",
                       concat(directive, " of ", var, " without ", parts,
                              "; a directive without effect is an error; initialize the Expr, or remove the call"),
                       location);
    }
    return {};
}

/// What is promised of a dimension so far.
Bound promised(const FuncRef &func, const std::string &var) {
    for (const Bound &bound : func.schedule->bounds) {
        if (bound.var == var) {
            return bound;
        }
    }
    return {};
}

/// The part of a promise that is given, or else that which is there.
void set_given(Expr &part, const Expr &given) { part = given.defined() ? given : part; }

Bound &find_or_add(std::vector<Bound> &bounds, const std::string &var) {
    for (Bound &bound : bounds) {
        if (bound.var == var) {
            return bound;
        }
    }
    bounds.push_back({var, {}, {}, {}, {}, {}});
    return bounds.back();
}

} // namespace

Verdict bound(const FuncRef &func, const std::string &var, const Expr &min, const Expr &extent, Location location) {
    if (Verdict legal = require_dimension(func, var, "bound", location).verdict(); !legal) {
        return legal;
    }
    if (Verdict legal = check_region(func, var, min, extent, "bound", location); !legal) {
        return legal;
    }
    if (Verdict legal =
            require_something(func, var, min.defined() || extent.defined(), "bound", "min and extent", location);
        !legal) {
        return legal;
    }
    const Bound before = promised(func, var);
    if (Verdict legal = require_one_value(func, "the min of bound of " + var, before.min, min, location); !legal) {
        return legal;
    }
    if (Verdict legal = require_one_value(func, "the extent of bound of " + var, before.extent, extent, location);
        !legal) {
        return legal;
    }
    Bound &entry = find_or_add(func.schedule->bounds, var);
    set_given(entry.min, min), set_given(entry.extent, extent), entry.location = location;
    note_applied(func.schedule->on_region, "bound", location);
    return {};
}

Verdict align_bounds(const FuncRef &func, const std::string &var, const Expr &modulus, const Expr &remainder,
                     Location location) {
    if (Verdict legal = require_dimension(func, var, "align_bounds", location).verdict(); !legal) {
        return legal;
    }
    if (Verdict legal = require_something(func, var, modulus.defined(), "align_bounds", "a modulus", location);
        !legal) {
        return legal;
    }
    std::optional<int64_t> value = rewrite::constant_value(modulus);
    if (value && *value <= 0) {
        return refused(func, "align-not-positive",
                       "align_bounds of " + var + " to " + std::to_string(*value) +
                           "; a modulus is 1 or more; pass a positive one",
                       location);
    }
    if (value && *value > most_factor) {
        return refused(func, "factor-too-large",
                       "align_bounds of " + var + " to " + std::to_string(*value) + too_large(), location);
    }
    const Bound before = promised(func, var);
    if (Verdict legal =
            require_one_value(func, "the modulus of align_bounds of " + var, before.modulus, modulus, location);
        !legal) {
        return legal;
    }
    if (Verdict legal =
            require_one_value(func, "the remainder of align_bounds of " + var, before.remainder, remainder, location);
        !legal) {
        return legal;
    }
    Bound &entry = find_or_add(func.schedule->bounds, var);
    set_given(entry.modulus, modulus), set_given(entry.remainder, remainder), entry.location = location;
    note_applied(func.schedule->on_region, "align_bounds", location);
    return {};
}

Verdict set_estimate(const FuncRef &func, const std::string &var, const Expr &min, const Expr &extent,
                     Location location) {
    if (Verdict legal = require_dimension(func, var, "set_estimate", location).verdict(); !legal) {
        return legal;
    }
    if (Verdict legal = check_region(func, var, min, extent, "set_estimate", location); !legal) {
        return legal;
    }
    if (Verdict legal =
            require_something(func, var, min.defined() || extent.defined(), "set_estimate", "min and extent", location);
        !legal) {
        return legal;
    }
    Bound &entry = find_or_add(func.schedule->estimates, var);
    entry.min = min, entry.extent = extent, entry.location = location;
    return {};
}

Verdict reorder_storage(const FuncRef &func, const std::vector<std::string> &vars, Location location) {
    for (const std::string &var : vars) {
        if (Verdict legal = require_dimension(func, var, "reorder_storage", location).verdict(); !legal) {
            return legal;
        }
        if (std::count(vars.begin(), vars.end(), var) > 1) {
            return refused(func, "reorder-repeats-loop",
                           "reorder_storage names " + var + " twice; each dimension has one place; name it once",
                           location);
        }
    }
    std::vector<std::string> &order = func.schedule->storage_order;
    if (order.empty()) {
        order = func.pure_args;
    }
    std::vector<size_t> held;
    for (const std::string &var : vars) {
        held.push_back(position_in(order, std::find(order.begin(), order.end(), var)));
    }
    std::sort(held.begin(), held.end());
    for (size_t i = 0; i < vars.size(); i++) {
        order[held[i]] = vars[i];
    }
    note_applied(func.schedule->on_storage, "reorder_storage", location);
    return {};
}

Verdict store_in(const FuncRef &func, MemoryType memory, Location location) {
    if (Verdict legal = require_value(func, memory, MemoryType::GPUShared, "store_in", "MemoryType", location);
        !legal) {
        return legal;
    }
    func.schedule->memory = memory;
    note_applied(func.schedule->on_storage, "store_in", location);
    return {};
}

// ---- Rows.

namespace {

using SetRegion = Verdict (*)(const FuncRef &, const std::string &, const Expr &, const Expr &, Location);
template <SetRegion set> Verdict apply_region(DirectiveContext &context, const Directive &d) {
    return set(context.func(d), text(d, 0), context.expr(d, text(d, 1)), context.expr(d, text(d, 2)),
               context.location());
}

Verdict apply_set_estimates(DirectiveContext &context, const Directive &d) {
    const FuncRef func = context.func(d);
    if (d.args.size() != func.pure_args.size()) {
        return refused(func, "wrong-arity",
                       "set_estimates gives " + std::to_string(d.args.size()) + " ranges; it has " +
                           std::to_string(func.pure_args.size()) + " dimensions; give one range for each dimension",
                       context.location());
    }
    for (size_t i = 0; i < d.args.size(); i++) {
        if (list(d, i).size() != 2) {
            return refused(func, "wrong-arity",
                           "set_estimates gives a range of " + std::to_string(list(d, i).size()) +
                               " numbers; a range is {min, extent}; give two",
                           context.location());
        }
        const std::vector<Expr> range = exprs(context, d, i);
        if (Verdict legal = set_estimate(func, func.pure_args[i], range[0], range[1], context.location()); !legal) {
            return legal;
        }
    }
    return {};
}

} // namespace

DirectiveRow row_of_bound() {
    return {.args = {a_dimension, a_promise, a_promise},
            .apply = apply_region<bound>,
            .subject = Subject::Region,
            .meaning = rewrites,
            .example = "total.bound(x, none, p + 3)"};
}

DirectiveRow row_of_bound_extent() {
    return {.args = {a_dimension, an_expression},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return bound(c.func(d), text(d, 0), Expr(), c.expr(d, text(d, 1)), c.location());
                },
            .subject = Subject::Region,
            .meaning = rewrites,
            .example = "total.bound_extent(x, input->extent[0] - 6)"};
}

DirectiveRow row_of_align_bounds() {
    return {.args = {a_dimension, an_expression, maybe_expression},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return align_bounds(c.func(d), text(d, 0), c.expr(d, text(d, 1)),
                                        has(d, 2) ? c.expr(d, text(d, 2)) : ir::make_int(Int(32), 0), c.location());
                },
            .subject = Subject::Region,
            .meaning = rewrites,
            .example = "blur_y.align_bounds(y, 4, 1)"};
}

DirectiveRow row_of_align_extent() {
    return {.args = {a_dimension, an_expression},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return align_bounds(c.func(d), text(d, 0), c.expr(d, text(d, 1)), Expr(), c.location());
                },
            .subject = Subject::Region,
            .meaning = rewrites,
            .example = "blur_y.align_extent(y, 4)"};
}

DirectiveRow row_of_set_estimate() {
    return {.args = {a_dimension, a_promise, a_promise},
            .apply = apply_region<set_estimate>,
            .subject = Subject::Region,
            .meaning = nothing("an estimate promises nothing"),
            .example = "total.set_estimate(x, 0, 1000)"};
}

DirectiveRow row_of_set_estimates() {
    return {.args = {{ArgKind::Expression, Arity::Lists}},
            .apply = apply_set_estimates,
            .subject = Subject::Region,
            .meaning = nothing("an estimate promises nothing"),
            .example = "total.set_estimates({0, 1000}, {0, 500})"};
}

DirectiveRow row_of_reorder_storage() {
    return {.again = Again::Replace,
            .slot = "order in memory",
            .args = {{ArgKind::Dimension, Arity::Rest}},
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return reorder_storage(c.func(d), list(d, 0), c.location()); },
            .subject = Subject::Storage,
            .meaning = rewrites,
            .example = "blur_y.reorder_storage(y, x)"};
}

DirectiveRow row_of_store_in() {
    return {.again = Again::Replace,
            .slot = "memory",
            .args = {{ArgKind::Memory}},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return store_in(c.func(d), word_of(text(d, 0), memory_word, MemoryType::GPUShared), c.location());
                },
            .subject = Subject::Storage,
            .meaning = nothing("which memory holds a tensor is a part of lowering"),
            .example = "blur_y.store_in(Heap)"};
}

} // namespace fluorite::schedule
