// Values as seen from other sites of the loop nest.
//
// An interval that is exact at one site becomes one that is sound at a site further out: walking outward, the loops
// that are left behind range over all of their iterations, and so do the region symbols that are bound in between,
// unless they were expanded to their values. A stage whose outer loops are shared (compute_with) leaves its own loops
// first and goes on in those of the stage that owns the shared ones.
// Cost: each kept symbol is lifted once to each site, then remembered.

#include "loopnest/bounds_inference.h"

#include "analysis/bounds_where.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

Expr BoundsInference::expand(const Expr &expr) const {
    return expr.defined() ? simplify(substitute(expr, exact_)) : expr;
}

Interval BoundsInference::lift(Interval interval, Site from, const Site &to) const {
    while (from != to) {
        check(!from.is_root(), "a lift goes outward");
        FuncId owner(from.func);
        const StageNest &loops = nest(owner, from.stage);
        bool same_nest = to.func == from.func && to.stage == from.stage;
        // From a stage's own loops into those that it shares: what is shared is the parent's.
        const Fusion *fusion = placement_.fusion(from.func, from.stage);
        const bool leaves_own = fusion && from.loop < fusion->loop && !(same_nest && to.loop < fusion->loop);
        Scope scope = loops.loops_at(leaves_own  ? fusion->loop
                                     : same_nest ? to.loop
                                                 : static_cast<int>(loops.loops().size()) + 1);
        Site next = leaves_own ? fusion->parent : same_nest ? to : placement_.compute[owner.index()];
        interval.min = expand(interval.min);
        interval.max = expand(interval.max);
        add_inner_symbols(interval.min, next, scope);
        add_inner_symbols(interval.max, next, scope);
        interval.min = interval.min.defined() ? analysis::bounds_of(interval.min, scope).min : Expr();
        interval.max = interval.max.defined() ? analysis::bounds_of(interval.max, scope).max : Expr();
        if (leaves_own) {
            interval = {loops.in_shared(interval.min), loops.in_shared(interval.max)};
        }
        from = next;
    }
    return interval;
}

void BoundsInference::add_inner_symbols(const Expr &expr, const Site &to, Scope &scope) const {
    if (!expr.defined()) {
        return;
    }
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() != ExprKind::Variable || scope.count(node->symbol())) {
            return;
        }
        auto found = unexpanded_.find(node->symbol());
        if (found != unexpanded_.end() && is_inside(found->second.site, to)) {
            scope[node->symbol()] = lifted(found->second, to);
        }
    });
}

const Interval &BoundsInference::lifted(const UnexpandedBound &kept, const Site &to) const {
    for (const auto &[site, interval] : kept.lifted) {
        if (site == to) {
            return interval;
        }
    }
    Interval result = lift(Interval::point(kept.value), kept.site, to);
    kept.lifted.emplace_back(to, result);
    return kept.lifted.back().second;
}

bool BoundsInference::is_inside(Site site, const Site &outer) const {
    if (site == outer) {
        return false;
    }
    while (!site.is_root()) {
        if (outer.func == site.func && outer.stage == site.stage) {
            return site.loop < outer.loop;
        }
        site = placement_.around(site);
        if (site == outer) {
            return true;
        }
    }
    return false;
}

BoundsFinder BoundsInference::consumer_bounds(FuncId c, int s, const Site &site, Touch touch) const {
    const StageNest &loops = nest(c, s);
    const Fusion *fusion = placement_.fusion(c.value, s);
    if (fusion && site.func == fusion->parent.func && site.stage == fusion->parent.stage &&
        site.loop >= fusion->parent.loop) {
        Scope scope = loops.vars_at(fusion->loop, touch);
        for (auto &[symbol, interval] : scope) {
            interval = lift(interval, fusion->parent, site);
        }
        return with_lets(c, s, scope);
    }
    if (site.func == c.value && site.stage == s) {
        return with_lets(c, s, loops.vars_at(site.loop, touch));
    }
    Scope scope = loops.vars_at(static_cast<int>(loops.loops().size()) + 1, touch);
    for (auto &[symbol, interval] : scope) {
        interval = lift(interval, placement_.compute[c.index()], site);
    }
    return with_lets(c, s, scope);
}

BoundsFinder BoundsInference::with_lets(FuncId c, int s, Scope scope) const {
    BoundsFinder bounds(std::move(scope));
    for (const auto &[symbol, value] : accesses_[c.index()][static_cast<size_t>(s)].lets) {
        if (value.type().is_int_or_uint() || value.type().is_float()) {
            bounds.learn(symbol, bounds.bounds_of(value));
        }
    }
    return bounds;
}

Box BoundsInference::box_of(const Access &access, BoundsFinder &bounds) const {
    Box box;
    for (const Expr &coordinate : access.args) {
        box.push_back(analysis::bounds_where(coordinate, access.condition, bounds));
    }
    return box;
}

Expr BoundsInference::in_loops(const StageNest &owner, const Expr &value, int end) const {
    Expr result = expand(value);
    SymbolMap<Expr> defs;
    for (const NestDef &def : owner.defs()) {
        if (def.depth >= end) {
            continue;
        }
        defs[def.symbol] = defs.empty() ? def.value : substitute(def.value, defs);
    }
    return defs.empty() ? result : simplify(substitute(result, defs));
}

bool BoundsInference::stands_still(const Expr &value, const StageNest &owner, const Site &site) const {
    bool is_still = true;
    for_each_node(in_loops(owner, value), [&](const Expr &node) {
        if (node->kind() == ExprKind::Variable) {
            const auto found = unexpanded_.find(node->symbol());
            is_still = is_still && (node->symbol().kind() == SymbolKind::Param ||
                                    (found != unexpanded_.end() && !is_inside(found->second.site, site)));
        }
    });
    return is_still;
}

bool BoundsInference::hides_loops(const Expr &expr, const Site &site) const {
    bool hides = false;
    for_each_node(expr, [&](const Expr &node) {
        auto found = node->kind() == ExprKind::Variable ? unexpanded_.find(node->symbol()) : unexpanded_.end();
        hides = hides || (found != unexpanded_.end() && is_inside(found->second.site, site));
    });
    return hides;
}

} // namespace fluorite::loopnest
