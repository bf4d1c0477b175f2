// The storage of a Func and its extents in memory.
//
// The stored box contains everything that is written or read, lifted to the store site. The extent in memory may be
// larger: bound_storage sets it (checked at compile time if both are constants, else at run time), align_storage rounds
// it up, and hoist_storage takes the maximum over all iterations. Extents are bound to symbols at the site where memory
// is allocated.
// Refuses a storage bound that is too small, and hoisting if the extent is unbounded there.

#include "loopnest/regions/storage.h"

#include "ir/let_symbol.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <limits>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

namespace {

// The next multiple, or the extent itself if that would overflow.
Expr rounded_up(const Expr &extent, const Expr &alignment) {
    const Expr multiple = mul(div(add(extent, sub(alignment, int32(1))), alignment), alignment);
    const Expr fits = less_equal(extent, sub(int32(std::numeric_limits<int32_t>::max()), alignment));
    return simplify(make_select(fits, multiple, extent));
}

const schedule::StorageDim *storage_dim(const FuncInProgress &func, size_t d) {
    for (const schedule::StorageDim &dim : func.schedule().storage) {
        if (dim.var == func.func().arg_names[d]) {
            return &dim;
        }
    }
    return nullptr;
}

void require_bound(FuncInProgress &func, const schedule::StorageDim &dim, const Expr &exact, const Expr &required) {
    int64_t needed = 0, given = 0;
    if (is_const_int(exact, &needed) && is_const_int(dim.bound, &given) && given < needed) {
        const std::string number = std::to_string(needed);
        func.refuse("storage-bound-too-small",
                    "bound_storage() gives " + dim.var + " " + std::to_string(given) + " elements, but " + number +
                        " are needed; a storage bound covers what is needed; give it " + number + " or more",
                    dim.location);
    }
    func.require_at(func.store(), less_equal(required, dim.bound), "fluorite_error_storage_bound_too_small",
                    {make_string(func.func().name()), make_string(dim.var), dim.bound, required});
}

/// The site around a loop: the next outer loop, the shared loop around it, or the site where the Func is computed.
Site next_outward(const SiteViews &views, const Site &site) {
    const Fusion *fusion = views.fusion(site.stage);
    if (fusion && fusion->parent.func() != site.func() && outward(site.loop) >= fusion->loop) {
        return fusion->parent;
    }
    const bool is_loop = site.loop.index() < views.nest(site.stage).loops().size();
    return is_loop ? site.outward() : views.around(site);
}

/// The maximum extent that any iteration of the loops between the two sites stores.
Expr hoisted_extent(FuncInProgress &func, size_t d, const Expr &exact) {
    const Site &store = func.store(), &hoist = func.hoist();
    const Expr most = func.views.lift(Interval::point(exact), store, hoist).max;
    if (!most.defined()) {
        const std::string &var = func.func().arg_names[d];
        func.refuse("hoist-storage-unbounded",
                    "hoist_storage to " + describe(func.graph(), hoist) + ", but what is stored of " + var +
                        " has no bound there; memory is taken once for all iterations; call bound_storage(" + var +
                        ", extent) too, or hoist less far",
                    func.schedule().hoist.location);
        return {};
    }
    return bind_named(func, d, ".hoisted_extent", simplify(most), hoist);
}

} // namespace

size_t dimension_of(const FuncDef &func, const std::string &var) {
    const std::vector<std::string> &names = func.arg_names;
    const size_t d = position_in(names, std::find(names.begin(), names.end(), var));
    check(d < names.size(), "a directive names a dimension");
    return d;
}

void set_extents(FuncInProgress &func, const std::vector<Expr> &exact) {
    std::vector<Expr> &extents = func.bounds().extents;
    extents.resize(exact.size());
    const Site &store = func.store(), &hoist = func.hoist();
    for (size_t d = 0; d < exact.size(); d++) {
        const schedule::StorageDim *dim = storage_dim(func, d);
        const Expr &fold = func.bounds().folds[d];
        if (dim && dim->bound.defined()) {
            require_bound(func, *dim, fold.defined() ? fold : exact[d],
                          fold.defined() ? fold : func.bounds().storage[d].extent);
            extents[d] = dim->bound;
        } else if (!fold.defined() && hoist != store) {
            extents[d] = hoisted_extent(func, d, exact[d]);
        }
        if (dim && dim->alignment.defined()) {
            const Expr extent = extents[d].defined() ? extents[d]
                                : fold.defined()     ? fold
                                                     : func.bounds().storage[d].extent;
            extents[d] = rounded_up(extent, dim->alignment);
        }
    }
}

void set_ring(FuncInProgress &func) {
    const schedule::FuncSchedule &schedule = func.schedule();
    if (!schedule.marks.has(schedule::DirectiveName::ring_buffer)) {
        return;
    }
    const Site &store = func.store(), &hoist = func.hoist();
    const auto wide = [](const Expr &value) { return make_cast(Int(64), value); };
    Expr count = make_int(Int(64), 0), inner = make_int(Int(64), 1);
    Ring ring{schedule.marks.value(schedule::DirectiveName::ring_buffer), Expr(), true};
    for (Site at = store; at != hoist; at = next_outward(func.views, at)) {
        const StageNest &owner = func.views.nest(at.stage);
        if (at.loop.index() >= owner.loops().size()) {
            continue;
        }
        const NestLoop &loop = owner.loops()[at.loop.index()];
        count = add(count, mul(wide(sub(make_var(Int(32), loop.var), loop.min)), inner));
        if (next_outward(func.views, at) != hoist) {
            // Outer loops restart this one, so its number of iterations must not vary.
            inner = mul(inner, wide(loop.extent));
            ring.is_in_turn = ring.is_in_turn && func.views.is_invariant_in(loop.extent, owner, hoist);
        }
        // No iteration may be skipped either, neither by a tail nor together with one of another nest.
        ring.is_in_turn = ring.is_in_turn && at.shares_nest(store) && owner.guards().empty();
    }
    const Expr turn = simplify(make_cast(Int(32), mod(count, wide(max_of(ring.extent, int32(1))))));
    const Symbol symbol = let_symbol(func.func().name() + ".turn", turn);
    func.bind(store, symbol, turn);
    ring.index = make_var(Int(32), symbol);
    const std::string &name = func.func().name();
    const Expr positive = simplify(less(int32(0), ring.extent));
    if (!is_true(positive)) {
        func.require_at(hoist, positive, "fluorite_error_requirement_failed",
                        {make_string("the ring_buffer of " + name + " has 1 or more places"),
                         make_extern(Handle(), "text.concat", std::vector<Expr>{make_string("it has "), ring.extent})});
        ring.extent = max_of(ring.extent, int32(1));
    }
    func.bounds().ring = ring;
}

std::vector<Expr> set_storage(FuncInProgress &func) {
    const Box &box = func.bounds().touched;
    const Site &store = func.store();
    std::vector<Expr> extents;
    if (func.is_output()) {
        return extents; // checked against the caller's buffer
    }
    for (size_t d = 0; d < box.size(); d++) {
        Interval exact{func.views.expand(box[d].min), func.views.expand(box[d].max)};
        Interval side = box[d];
        if (store != func.compute()) {
            side = func.views.lift(exact, func.compute(), store);
            exact = {func.views.expand(side.min), func.views.expand(side.max)};
        }
        check(side.is_bounded(), "storage of " + func.func().name() + " has bounds");
        Expr extent = simplify(add(sub(exact.max, exact.min), int32(1)));
        extents.push_back(extent);
        const bool is_expanded = !exact.max.same_as(side.max) || !exact.min.same_as(side.min);
        if (is_expanded && !is_const(extent)) {
            extent = simplify(add(sub(side.max, side.min), int32(1)));
        }
        func.bounds().storage.push_back({bind_named(func, d, ".stored_min", side.min, store),
                                         bind_named(func, d, ".stored_extent", extent, store)});
    }
    return extents;
}

Expr bind_named(FuncInProgress &func, size_t d, const char *what, const Expr &value, const Site &site) {
    if (is_const(value) || value->kind() == ExprKind::Variable) {
        return value;
    }
    const Symbol symbol = let_symbol(func.func().name() + "." + func.func().arg_names[d] + what, value);
    func.bind(site, symbol, value);
    return make_var(Int(32), symbol);
}

} // namespace fluorite::loopnest
