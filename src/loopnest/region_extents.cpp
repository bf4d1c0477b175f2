// Storage of a Func, and its extents in memory.
//
// Storage is the box of everything that is written or read, lifted to the store site. In memory a dimension may be
// longer: bound_storage gives its extent (checked at compile time where both are constants, else at run time),
// align_storage rounds it up, hoist_storage takes the most that any iteration stores. Each is bound to a symbol at the
// site where memory is taken.
// Refuses: a bound that is too small; hoisting where the extent has no bound.

#include "loopnest/bounds_inference.h"

#include "ir/let_symbol.h"
#include "loopnest/fault.h"
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

// The next multiple, unless that is no int32.
Expr rounded_up(const Expr &extent, const Expr &alignment) {
    const Expr multiple = mul(div(add(extent, sub(alignment, int32(1))), alignment), alignment);
    const Expr fits = less_equal(extent, sub(int32(std::numeric_limits<int32_t>::max()), alignment));
    return simplify(make_select(fits, multiple, extent));
}

} // namespace

size_t BoundsInference::dimension_of(FuncId id, const std::string &var) const {
    const std::vector<std::string> &names = working_.func(id).arg_names;
    const size_t d = static_cast<size_t>(std::find(names.begin(), names.end(), var) - names.begin());
    check(d < names.size(), "a directive names a dimension");
    return d;
}

void BoundsInference::set_extents(FuncId id, const std::vector<Expr> &exact) {
    std::vector<Expr> &extents = out_.extents[id.index()];
    extents.resize(exact.size());
    const Site &store = placement_.store[id.index()], &hoist = placement_.hoist[id.index()];
    for (size_t d = 0; d < exact.size(); d++) {
        const schedule::StorageDim *dim = storage_dim(id, d);
        const Expr &fold = out_.folds[id.index()][d];
        if (dim && dim->bound.defined()) {
            require_bound(id, *dim, fold.defined() ? fold : exact[d],
                          fold.defined() ? fold : out_.storage[id.index()][d].extent);
            extents[d] = dim->bound;
        } else if (!fold.defined() && hoist != store) {
            extents[d] = hoisted_extent(id, d, exact[d]);
        }
        if (dim && dim->alignment.defined()) {
            const Expr extent = extents[d].defined() ? extents[d]
                                : fold.defined()     ? fold
                                                     : out_.storage[id.index()][d].extent;
            extents[d] = rounded_up(extent, dim->alignment);
        }
    }
}

const schedule::StorageDim *BoundsInference::storage_dim(FuncId id, size_t d) const {
    for (const schedule::StorageDim &dim : working_.schedule(id).storage) {
        if (dim.var == working_.func(id).arg_names[d]) {
            return &dim;
        }
    }
    return nullptr;
}

void BoundsInference::require_bound(FuncId id, const schedule::StorageDim &dim, const Expr &exact,
                                    const Expr &required) {
    int64_t needed = 0, given = 0;
    if (is_const_int(exact, &needed) && is_const_int(dim.bound, &given) && given < needed) {
        const std::string number = std::to_string(needed);
        refuse(id, "storage-bound-too-small",
               "bound_storage() gives " + dim.var + " " + std::to_string(given) + " elements, but " + number +
                   " are needed; a storage bound covers what is needed; give it " + number + " or more",
               dim.location);
    }
    require_at(placement_.store[id.index()], less_equal(required, dim.bound), "fluorite_error_storage_bound_too_small",
               {make_string(working_.func(id).name()), make_string(dim.var), dim.bound, required});
}

Site BoundsInference::next_outward(const Site &site) const {
    const Fusion *fusion = placement_.fusion(site.func, site.stage);
    if (fusion && fusion->parent.func != site.func && site.loop + 1 >= fusion->loop) {
        return fusion->parent;
    }
    const bool is_loop = site.loop < static_cast<int>(nest(FuncId(site.func), site.stage).loops().size());
    return is_loop ? Site{site.func, site.stage, site.loop + 1} : placement_.around(site);
}

void BoundsInference::set_ring(FuncId id) {
    const schedule::FuncSchedule &schedule = working_.schedule(id);
    if (!schedule.ring_buffer) {
        return;
    }
    const Site &store = placement_.store[id.index()], &hoist = placement_.hoist[id.index()];
    const auto wide = [](const Expr &value) { return make_cast(Int(64), value); };
    Expr count = make_int(Int(64), 0), inner = make_int(Int(64), 1);
    Ring ring{schedule.ring_extent, Expr(), true};
    for (Site at = store; at != hoist; at = next_outward(at)) {
        const StageNest &owner = nest(FuncId(at.func), at.stage);
        if (at.loop >= static_cast<int>(owner.loops().size())) {
            continue;
        }
        const NestLoop &loop = owner.loops()[static_cast<size_t>(at.loop)];
        count = add(count, mul(wide(sub(make_var(Int(32), loop.var), loop.min)), inner));
        if (next_outward(at) != hoist) { // further loops begin this one anew: their iterations have to be equally many
            inner = mul(inner, wide(loop.extent));
            ring.is_in_turn = ring.is_in_turn && stands_still(loop.extent, owner, hoist);
        }
        // Nor may any be left out: by a tail, or because the nest around is.
        ring.is_in_turn = ring.is_in_turn && at.func == store.func && at.stage == store.stage && owner.guards().empty();
    }
    const Expr turn = simplify(make_cast(Int(32), mod(count, wide(max_of(ring.extent, int32(1))))));
    const Symbol symbol = let_symbol(working_.func(id).name() + ".turn", turn);
    out_.lets[store].push_back({symbol, turn, {}});
    ring.index = make_var(Int(32), symbol);
    const std::string &name = working_.func(id).name();
    const Expr positive = simplify(less(int32(0), ring.extent));
    if (!is_true(positive)) {
        out_.lets[hoist].push_back(
            {Symbol(), positive,
             make_extern(Int(32), "fluorite_error_requirement_failed",
                         std::vector<Expr>{make_string("the ring_buffer of " + name + " has 1 or more places"),
                                           make_extern(Handle(), "text.concat",
                                                       std::vector<Expr>{make_string("it has "), ring.extent})})});
        ring.extent = max_of(ring.extent, int32(1));
    }
    out_.rings[id.index()] = ring;
}

Expr BoundsInference::hoisted_extent(FuncId id, size_t d, const Expr &exact) {
    const Site &store = placement_.store[id.index()], &hoist = placement_.hoist[id.index()];
    const Expr most = lift(Interval::point(exact), store, hoist).max;
    if (!most.defined()) {
        const std::string &var = working_.func(id).arg_names[d];
        refuse(id, "hoist-storage-unbounded",
               "hoist_storage to " + describe(working_, hoist) + ", but what is stored of " + var +
                   " has no bound there; memory is taken once for all iterations; call bound_storage(" + var +
                   ", extent) too, or hoist less far",
               working_.schedule(id).hoist.location);
    }
    return bind_storage(id, d, ".hoisted_extent", simplify(most), hoist);
}

std::vector<Expr> BoundsInference::set_storage(FuncId id, const Box &box, const Site &site) {
    const Site &store = placement_.store[id.index()];
    const FuncDef &func = working_.func(id);
    std::vector<Expr> extents;
    if (working_.pipeline.graph.is_output(id)) {
        return extents; // checked against the caller's buffer
    }
    for (size_t d = 0; d < box.size(); d++) {
        Interval exact{expand(box[d].min), expand(box[d].max)};
        Interval side = box[d];
        if (store != site) {
            side = lift(exact, site, store);
            exact = {expand(side.min), expand(side.max)};
        }
        check(side.is_bounded(), "storage of " + func.name() + " has bounds");
        Expr extent = simplify(add(sub(exact.max, exact.min), int32(1)));
        extents.push_back(extent);
        if (!is_const(extent)) {
            extent = simplify(add(sub(side.max, side.min), int32(1)));
        }
        if (is_planted(Fault::Storage) && d + 1 == box.size()) {
            extent = simplify(sub(extent, int32(1)));
        }
        out_.storage[id.index()].push_back({bind_storage(id, d, ".stored_min", side.min, store),
                                            bind_storage(id, d, ".stored_extent", extent, store)});
    }
    return extents;
}

Expr BoundsInference::bind_storage(FuncId id, size_t d, const char *what, const Expr &value, const Site &store) {
    if (is_const(value) || value->kind() == ExprKind::Variable) {
        return value;
    }
    const Symbol symbol = let_symbol(working_.func(id).name() + "." + working_.func(id).arg_names[d] + what, value);
    out_.lets[store].push_back({symbol, value, {}});
    return make_var(Int(32), symbol);
}

} // namespace fluorite::loopnest
