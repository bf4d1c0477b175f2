// The memory of a Func, apart from dimension order and kind of memory (bound.cpp):
//   hoist_storage(f, y):     for f.y { for f.x { allocate g; .. } }  -->  for f.y { allocate g; for f.x { .. } }
//   fold_storage(y, 4):      g(x, y) is stored in row y % 4
//   align_storage(x, 16):    rows of g begin at multiples of 16 elements
//   bound_storage(x, 64):    rows of g have 64 elements, whatever part of them is used
//   ring_buffer(n):          for f.y { g = memory[y % n]; .. }, where hoist_storage allocates the memory outside of f.y
//   stream_stores():         vectors of g are stored past the caches
// Names and constants below 1 are checked here. Whether a fold holds all live values, whether a bound holds all stored
// values, and where memory may be allocated is known only with the whole pipeline (loopnest/windows/folds.cpp,
// loopnest/regions/storage.cpp, schedule/placement/resolver.cpp).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

#include "rewrite/simplify.h"
#include "schedule/limits.h"

namespace fluorite::schedule {

namespace {

/// The refusals begin with `what`: the directive and its dimension.
Result<Expr> checked_count(const FuncRef &func, const std::string &what, const Expr &extent, Location location) {
    if (!extent.defined() || !(extent.type() == Int(32))) {
        return refused(
            func, "bound-not-integer",
            what + (extent.defined() ? " with a value of type " + to_string(extent.type()) : " without a value") +
                "; extents are int32; pass an int32 value",
            location);
    }
    const std::optional<int64_t> value = rewrite::constant_value(extent);
    if (value && *value <= 0) {
        return refused(func, "storage-not-positive",
                       what + " to " + std::to_string(*value) +
                           "; extents in memory count elements and are 1 or more; pass a positive number",
                       location);
    }
    if (value && *value > most_factor) {
        return refused(func, "factor-too-large", what + " to " + std::to_string(*value) + too_large(), location);
    }
    return value ? ir::make_int(Int(32), *value) : extent;
}

Result<Expr> checked_extent(const FuncRef &func, const std::string &var, const Expr &extent, const char *directive,
                            Location location) {
    if (Verdict legal = require_dimension(func, var, directive, location).verdict(); !legal) {
        return legal.refusal();
    }
    return checked_count(func, std::string(directive) + " of " + var, extent, location);
}

/// The entry of a dimension, which a directive edits after its checks.
StorageDim &edit_dim(const FuncRef &func, const std::string &var, const char *directive, Location location) {
    note_applied(func.schedule->on_storage, directive, location);
    for (StorageDim &dim : func.schedule->storage) {
        if (dim.var == var) {
            dim.location = location;
            return dim;
        }
    }
    StorageDim &dim = func.schedule->storage.emplace_back();
    dim.var = var;
    dim.location = location;
    return dim;
}

} // namespace

Verdict hoist_storage(const FuncRef &func, const LoopLevel &level) {
    func.schedule->hoist = level;
    note_applied(func.schedule->on_storage, "hoist_storage", level.location);
    return {};
}

Verdict fold_storage(const FuncRef &func, const std::string &var, const Expr &factor, bool fold_forward,
                     Location location) {
    const Result<Expr> checked = checked_extent(func, var, factor, "fold_storage", location);
    if (!checked) {
        return checked.refusal();
    }
    StorageDim &dim = edit_dim(func, var, "fold_storage", location);
    dim.fold = *checked, dim.fold_forward = fold_forward;
    return {};
}

Verdict align_storage(const FuncRef &func, const std::string &var, const Expr &alignment, Location location) {
    const Result<Expr> checked = checked_extent(func, var, alignment, "align_storage", location);
    if (!checked) {
        return checked.refusal();
    }
    edit_dim(func, var, "align_storage", location).alignment = *checked;
    return {};
}

Verdict bound_storage(const FuncRef &func, const std::string &var, const Expr &extent, Location location) {
    const Result<Expr> checked = checked_extent(func, var, extent, "bound_storage", location);
    if (!checked) {
        return checked.refusal();
    }
    edit_dim(func, var, "bound_storage", location).bound = *checked;
    return {};
}

// ---- Rows.

namespace {
using Extent = Verdict (*)(const FuncRef &, const std::string &, const Expr &, Location);
template <Extent set> Verdict apply_extent(DirectiveContext &context, const Directive &d) {
    return set(context.func(d), text(d, 0), context.expr(d, text(d, 1)), context.location());
}
} // namespace

DirectiveRow row_of_hoist_storage() {
    return {.again = Again::Replace,
            .slot = "place of memory",
            .args = level_args(),
            .apply = [](DirectiveContext &c, const Directive &d) { return hoist_storage(c.func(d), c.level(d)); },
            .subject = Subject::Storage,
            .meaning = nothing("terms have no place of allocation"),
            .example = "blur_y.hoist_storage(total, __outermost, 1)"};
}

DirectiveRow row_of_hoist_storage_root() {
    return {.again = Again::Replace,
            .slot = "place of memory",
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return hoist_storage(c.func(d), LoopLevel::root(c.location())); },
            .subject = Subject::Storage,
            .meaning = nothing("terms have no place of allocation"),
            .example = "blur_y.hoist_storage_root()"};
}

DirectiveRow row_of_fold_storage() {
    return {.args = {a_dimension, an_expression, maybe_integer},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return fold_storage(c.func(d), text(d, 0), c.expr(d, text(d, 1)),
                                        !has(d, 2) || std::stoi(text(d, 2)) != 0, c.location());
                },
            .subject = Subject::Storage,
            .meaning = rewrites,
            .example = "blur_y.fold_storage(y, p * 8, 0)"};
}

DirectiveRow row_of_align_storage() {
    return {.args = {a_dimension, an_expression},
            .apply = apply_extent<align_storage>,
            .subject = Subject::Storage,
            .meaning = rewrites,
            .example = "blur_y.align_storage(x, 16)"};
}

DirectiveRow row_of_bound_storage() {
    return {.args = {a_dimension, an_expression},
            .apply = apply_extent<bound_storage>,
            .subject = Subject::Storage,
            .meaning = rewrites,
            .example = "blur_y.bound_storage(x, 640)"};
}

DirectiveRow row_of_ring_buffer() {
    return {.again = Again::Replace,
            .slot = "ring buffer",
            .args = {an_expression},
            .apply = apply_mark,
            .subject = Subject::Time,
            .meaning = uncovered("terms have no time"),
            .example = "blur_y.ring_buffer(3)",
            .check_func = [](const FuncRef &func, const Expr &extent, Location location) {
                return checked_count(func, "ring_buffer", extent, location);
            }};
}

DirectiveRow row_of_stream_stores() {
    return {.apply = apply_mark,
            .subject = Subject::Storage,
            .meaning = nothing("stores past the caches store the same"),
            .example = "total.stream_stores()"};
}

} // namespace fluorite::schedule
