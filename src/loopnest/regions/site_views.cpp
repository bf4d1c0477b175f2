// Values as seen from other sites of the loop nest.
//
// An interval that is exact at one site is converted to one that is sound at a site further out: walking outward, the
// variables of the loops that are left range over all their iterations, and so do region symbols that are bound in
// between, unless they are expanded. From a stage whose outer loops are shared (compute_with), the walk leaves the
// stage's own loops first and continues in those of the stage that owns the shared ones. Cost: each kept symbol, and
// each variable of a loop, is lifted once to each site and then memoized; long ends get symbols there (lifted_ends.h).
// An operation of which one operand moves, as in `variable + constant`, and minima and maxima are lifted by their
// operands, so most ends are lifted through a nest of any depth at once. If both operands of another operation move,
// the end is converted from site to site, so that what they have in common cancels.

#include "loopnest/regions/site_views.h"

#include "analysis/bounds_where.h"
#include "analysis/hints.h"
#include "analysis/monotonic.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <utility>

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

namespace {

/// A value that only counts if it is a constant in the end is given up beyond so many nodes: through a chain of
/// boundary conditions, each site adds some six nodes that no later one removes. Chosen, not measured.
constexpr size_t long_value = 64;

/// Whether it is a variable of a loop, or a symbol whose value is in terms of such variables.
bool is_moving(const Expr &expr) {
    if (expr->kind() != ExprKind::Variable || expr.type() != Int(32)) {
        return false;
    }
    const SymbolKind kind = expr->symbol().kind();
    return kind == SymbolKind::Loop || kind == SymbolKind::Let || kind == SymbolKind::Bound;
}

/// Whether it is the same at all sites.
bool is_invariant(const Expr &expr) {
    bool still = !expr->reads_memory();
    for_each_node(expr, [&](const Expr &node) {
        still = still && (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
    });
    return still;
}

const Expr &end_of(const Interval &interval, Side side) { return side == Side::Min ? interval.min : interval.max; }

Side opposite(Side side) { return side == Side::Min ? Side::Max : Side::Min; }

struct MovingOperand {
    size_t index;
    bool is_increasing;
};

/// The only operand of an operation that is not the same at all sites, if the result is monotonic in it.
std::optional<MovingOperand> moving_operand(const Expr &expr) {
    const bool is_operation = expr.type() == Int(32) && expr->arg_count() == 2;
    if (!is_operation || is_invariant(expr->arg(0)) == is_invariant(expr->arg(1))) {
        return std::nullopt;
    }
    const size_t index = is_invariant(expr->arg(0)) ? 1 : 0;
    int64_t factor = 0;
    switch (expr->kind()) {
    case ExprKind::Add:
        return MovingOperand{index, true};
    case ExprKind::Sub:
        return MovingOperand{index, index == 0};
    case ExprKind::Mul:
        return is_const_int(expr->arg(1 - index), &factor) ? std::optional(MovingOperand{index, factor >= 0})
                                                           : std::nullopt;
    case ExprKind::Div:
        return index == 0 && is_const_int(expr->arg(1), &factor) && factor > 0 ? std::optional(MovingOperand{0, true})
                                                                               : std::nullopt;
    default: // operations that need not be monotonic in an operand
        return std::nullopt;
    }
}

Expr with_operand(const Expr &operation, size_t index, const Expr &operand) {
    return make_binary(operation->kind(), index == 0 ? operand : operation->arg(0),
                       index == 1 ? operand : operation->arg(1));
}

/// The end of a minimum or maximum, given those of its operands.
Expr end_of_extreme(ExprKind kind, Side side, const Expr &a, const Expr &b) {
    if (!a.defined() || !b.defined()) {
        const bool one_suffices = (kind == ExprKind::Min) == (side == Side::Max);
        return !one_suffices ? Expr() : a.defined() ? a : b;
    }
    return simplify(kind == ExprKind::Min ? min_of(a, b) : max_of(a, b));
}

} // namespace

SiteViews::SiteViews(const LoweringGraph &graph, const Placement &placement)
    : graph_(graph), placement_(placement), loops_(graph.pipeline.graph.funcs.size()) {}

void SiteViews::set_loops(FuncId func, std::shared_ptr<const FuncLoops> loops) {
    if (loops_[func.index()]) { // intervals of its old loops do not hold any more
        least_.clear();
        greatest_.clear();
        loops_at_.clear();
        ranges_in_loops_.clear();
    }
    loops_[func.index()] = std::move(loops);
}

void SiteViews::note(FuncId func) const {
    std::vector<bool> &is_seen = seen_.contains;
    if (is_seen.size() <= func.index()) {
        is_seen.resize(std::max(loops_.size(), func.index() + 1));
    }
    if (!is_seen[func.index()]) {
        is_seen[func.index()] = true;
        seen_.order.push_back(func);
    }
}

Seen SiteViews::seen(FuncId but) const {
    Seen seen{{}, seen_ends_.order};
    for (const FuncId func : seen_.order) {
        if (func != but) {
            seen.loops.emplace_back(func, loops_[func.index()]);
        }
    }
    return seen;
}

bool SiteViews::are_current(const Seen &seen) const {
    return std::all_of(seen.loops.begin(), seen.loops.end(), [&](const auto &one) {
        return one.first.index() < loops_.size() && loops_[one.first.index()] == one.second;
    });
}

void SiteViews::use(const SharedEnd &end) const {
    ends_.adopt(end);
    if (seen_ends_.add(end)) {
        queries_.add_let(end->known.site, {end->symbol, end->known.value, {}, false, end});
    }
}

void SiteViews::use_ends_in(const Interval &interval) const {
    if (lifts_ > 0) { // what is lifted on the way need not be in the result
        return;
    }
    for (const Expr &end : {interval.min, interval.max}) {
        for (const SharedEnd &named : ends_.named_in(end)) {
            use(named);
        }
    }
}

Site SiteViews::around(const Site &site) const {
    note(site.func());
    return placement_.around(site);
}

const Fusion *SiteViews::fusion(StageId stage) const {
    note(stage.func);
    return placement_.fusion(stage);
}

Variant SiteViews::variant(StageId stage) const {
    note(stage.func);
    return graph_.variant(stage);
}

std::pair<size_t, size_t> SiteViews::alternatives(StageId stage) const {
    note(stage.func);
    return graph_.alternatives(stage);
}

const RegionValue *SiteViews::value_of(const Symbol &symbol) const {
    if (symbol.kind() != SymbolKind::Bound) {
        return nullptr;
    }
    if (is_queried(symbol)) {
        return queries_.value_of(symbol);
    }
    if (const SharedEnd end = ends_.find(symbol)) {
        if (lifts_ == 0) {
            use(end);
        }
        return &end->known;
    }
    const FuncId owner = symbol.owner().func;
    note(owner);
    const std::shared_ptr<const FuncLoops> &loops = loops_[owner.index()];
    if (!loops) {
        return nullptr;
    }
    const auto found = loops->values.find(symbol);
    return found == loops->values.end() ? nullptr : &found->second;
}

bool SiteViews::is_kept_at_root(const Symbol &symbol) const {
    const RegionValue *value = value_of(symbol);
    return value && !value->expanded.defined() && value->site.is_root();
}

const RegionValue *SiteViews::unexpanded(const Expr &node) const {
    const RegionValue *value = node->kind() == ExprKind::Variable ? value_of(node->symbol()) : nullptr;
    return value && !value->expanded.defined() ? value : nullptr;
}

const Site &SiteViews::site_of(const Symbol &symbol) const { return value_of(symbol)->site; }

Expr SiteViews::expand(const Expr &expr) const {
    return expand_with(expr, [](const Symbol &, const RegionValue &value) { return value.expanded; });
}

Expr SiteViews::expand_for_root(const Expr &end, Side side) const {
    return expand_with(end, [&](const Symbol &symbol, const RegionValue &value) {
        if (!value.unslid.defined()) {
            return value.expanded;
        }
        // Larger windows must not move the end inward, as they do where a tail rounds up what begins further in.
        const analysis::Monotonic moves = analysis::monotonic_in(end, symbol);
        const bool is_wider =
            moves == (symbol.owner().side == side ? analysis::Monotonic::Increasing : analysis::Monotonic::Decreasing);
        return is_wider ? value.unslid : value.expanded;
    });
}

bool SiteViews::follows_slides(const Expr &expr) const {
    bool follows = false;
    for_each_node(expr, [&](const Expr &node) {
        const RegionValue *value = node->kind() == ExprKind::Variable ? value_of(node->symbol()) : nullptr;
        follows = follows || (value && value->unslid.defined());
    });
    return follows;
}

template <typename ValueOf> Expr SiteViews::expand_with(const Expr &expr, const ValueOf &value_to_use) const {
    if (!expr.defined()) {
        return expr;
    }
    SymbolMap<Expr> values;
    for_each_node(expr, [&](const Expr &node) {
        const RegionValue *value = node->kind() == ExprKind::Variable ? value_of(node->symbol()) : nullptr;
        const Expr known = value && !values.count(node->symbol()) ? value_to_use(node->symbol(), *value) : Expr();
        if (known.defined()) {
            values.emplace(node->symbol(), known);
        }
    });
    return simplify(values.empty() ? expr : substitute(expr, values));
}

Expr SiteViews::expanded(const Expr &symbol) const {
    const RegionValue *value = value_of(symbol->symbol());
    return value && value->expanded.defined() ? value->expanded : symbol;
}

Interval SiteViews::lift(const Interval &interval, const Site &from, const Site &to) const {
    return {lift_end(interval.min, Side::Min, from, to), lift_end(interval.max, Side::Max, from, to)};
}

std::optional<int64_t> SiteViews::greatest_constant(const Expr &value, const Site &from, const Site &to) const {
    const size_t most_nodes = std::max(long_value, 2 * node_count(value));
    const Expr greatest = lift_end(value, Side::Max, from, to, most_nodes);
    int64_t constant = 0;
    return greatest.defined() && is_const_int(simplify(greatest), &constant) ? std::optional(constant) : std::nullopt;
}

Expr SiteViews::lift_end(Expr end, Side side, Site from, const Site &to, size_t most_nodes) const {
    while (end.defined() && from != to && !is_invariant(end)) {
        if (node_count(end) > most_nodes) {
            return {};
        }
        if (const RegionValue *queried = unexpanded(end); queried && is_queried(end->symbol())) {
            return is_inside(queried->site, to) ? end_of(lifted(end->symbol(), end, to), side) : end;
        }
        if (is_moving(end)) {
            return lifted_variable(end, side, from, to);
        }
        if (end.type() == Int(32) && (end->kind() == ExprKind::Min || end->kind() == ExprKind::Max)) {
            return end_of_extreme(end->kind(), side, lift_end(end->arg(0), side, from, to, most_nodes),
                                  lift_end(end->arg(1), side, from, to, most_nodes));
        }
        if (const std::optional<MovingOperand> moving = moving_operand(end)) {
            const size_t i = moving->index;
            const Side its_side = moving->is_increasing ? side : opposite(side);
            const Expr operand = lift_end(end->arg(i), its_side, from, to, most_nodes);
            return operand.defined() ? simplify(with_operand(end, i, operand)) : operand;
        }
        from = leave(end, side, from, to);
    }
    return end;
}

Site SiteViews::leave(Expr &end, Side side, const Site &from, const Site &to) const {
    check(!from.is_root(), "a lift goes outward");
    const FuncId owner = from.func();
    const StageNest &loops = nest(from.stage);
    const bool same_nest = to.shares_nest(from);
    // Leaving a stage's own loops for shared ones, which belong to the parent.
    const Fusion *shared = fusion(from.stage);
    const bool leaves_own = shared && from.loop < shared->loop && !(same_nest && to.loop < shared->loop);
    const Site next = leaves_own ? shared->parent : same_nest ? to : compute(owner);
    end = to.is_root() ? expand_for_root(end, side) : expand(end);
    Scope scope = loops_at(loops,
                           leaves_own  ? shared->loop.value
                           : same_nest ? to.loop.value
                                       : loops.outside(),
                           compute(owner).is_root() ? StageNest::Ranges::Fixed : StageNest::Ranges::InLoops);
    add_inner_symbols(end, next, scope);
    const Interval bounds = analysis::bounds_of(end, scope);
    end = side == Side::Min ? bounds.min : bounds.max;
    if (leaves_own) {
        end = loops.in_shared(end);
    }
    return next;
}

const Scope &SiteViews::loops_at(const StageNest &nest, int loop, StageNest::Ranges ranges) const {
    const auto [found, is_new] = loops_at_.try_emplace({&nest, loop});
    if (is_new) {
        found->second = nest.loops_at(loop, ranges);
    }
    return found->second;
}

Expr SiteViews::lifted_variable(const Expr &variable, Side side, const Site &from, const Site &to) const {
    auto &memo = side == Side::Min ? least_ : greatest_;
    return remembered(memo, variable->symbol(), from, to,
                      [&] {
                          Expr end = variable;
                          const Site next = leave(end, side, from, to);
                          return Interval::point(lift_end(end, side, next, to));
                      })
        .min;
}

void SiteViews::add_inner_symbols(const Expr &expr, const Site &to, Scope &scope) const {
    if (!expr.defined()) {
        return;
    }
    for_each_node(expr, [&](const Expr &node) {
        const RegionValue *kept = unexpanded(node);
        if (kept && !scope.count(node->symbol()) && is_inside(site_of(node->symbol()), to)) {
            scope[node->symbol()] = lifted(node->symbol(), kept->value, to);
        }
    });
}

/// What an extern stage asks for inside of a site lies in what it asks for there: its bounds queries grow with the box.
Interval SiteViews::lifted(const Symbol &symbol, const Expr &value, const Site &to) const {
    if (is_queried(symbol)) {
        const SymbolOwner &owner = symbol.owner();
        return operand_boxes(owner.func, to)[owner.input.index()][owner.dim.index()];
    }
    const Site &from = site_of(symbol);
    return remembered(lifted_, symbol, from, to, [&] { return lift(Interval::point(value), from, to); });
}

template <typename Compute>
Interval SiteViews::remembered(SymbolMap<std::vector<Lifted>> &memo, const Symbol &symbol, const Site &from,
                               const Site &to, const Compute &compute) const {
    for (const Lifted &known : memo[symbol]) {
        if (known.from == from && known.to == to) {
            std::for_each(known.seen.begin(), known.seen.end(), [&](FuncId func) { note(func); });
            use_ends_in(known.interval);
            return known.interval;
        }
    }
    SeenFuncs outside = std::exchange(seen_, {});
    lifts_++;
    const Interval result = ends_.bind(symbol, to, compute());
    lifts_--;
    std::swap(seen_, outside);
    std::for_each(outside.order.begin(), outside.order.end(), [&](FuncId func) { note(func); });
    memo[symbol].push_back({from, to, result, std::move(outside.order)});
    use_ends_in(result);
    return result;
}

bool SiteViews::is_inside(Site site, const Site &outer) const {
    if (site == outer) {
        return false;
    }
    while (!site.is_root()) {
        if (site.shares_nest(outer)) {
            return site.loop < outer.loop;
        }
        site = around(site);
        if (site == outer) {
            return true;
        }
    }
    return false;
}

BoundsFinder SiteViews::consumer_bounds(StageId stage, const Site &site, AccessKind access) const {
    const StageNest &loops = nest(stage);
    const Fusion *shared = fusion(stage);
    if (shared && site.shares_nest(shared->parent) && site.loop >= shared->parent.loop) {
        Scope scope = loops.vars_at(shared->loop.value, access);
        for (auto &[symbol, interval] : scope) {
            interval = lift(interval, shared->parent, site);
        }
        return with_lets(stage, scope);
    }
    if (site.stage == stage) {
        return with_lets(stage, loops.vars_at(site.loop.value, access));
    }
    Scope scope =
        access == AccessKind::Read ? see(stage.func).reads[stage.index()] : loops.vars_at(loops.outside(), access);
    for (auto &[symbol, interval] : scope) {
        interval = lift(interval, compute(stage.func), site);
    }
    return with_lets(stage, scope);
}

BoundsFinder SiteViews::with_lets(StageId stage, Scope scope) const {
    BoundsFinder bounds(std::move(scope));
    for (const auto &[symbol, value] : accesses(stage).lets) {
        if (value.type().is_int_or_uint() || value.type().is_float()) {
            bounds.learn(symbol, bounds.bounds_of(value));
        }
    }
    return bounds;
}

Box SiteViews::box_of(const Access &access, BoundsFinder &bounds) {
    Box box;
    for (const Expr &coordinate : access.args) {
        box.push_back(analysis::bounds_where(coordinate, access.condition, bounds));
    }
    return box;
}

Box SiteViews::read_box(const Consumer &reader, const Access &access, const Site &site, BoundsFinder &bounds) const {
    return access.operand < 0 ? box_of(access, bounds)
                              : operand_boxes(reader.func, site)[static_cast<size_t>(access.operand)];
}

const std::vector<Box> &SiteViews::operand_boxes(FuncId func, const Site &site) const {
    if (const auto *known = queries_.find(func, site)) {
        return *known;
    }
    BoundsFinder bounds = consumer_bounds({func, 0}, site, AccessKind::Write);
    const FuncDef &def = graph_.func(func);
    return queries_.ask(graph_, func, site, box_of(write_of(def, 0), bounds));
}

Expr SiteViews::in_loops(const StageNest &owner, const Expr &value, int end) const {
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

bool SiteViews::is_in_loops(const Expr &value) const {
    bool is = true;
    for_each_node(value, [&](const Expr &node) {
        if (node->kind() == ExprKind::Variable) {
            const RegionValue *known = value_of(node->symbol());
            is = is && node->symbol().kind() != SymbolKind::Let && !(known && known->expanded.defined());
        }
    });
    return is;
}

const std::pair<Expr, Expr> &SiteViews::range_in_loops(const StageNest &owner, int loop) const {
    const NestLoop &its = owner.loop(LoopId(loop));
    const auto [found, is_new] = ranges_in_loops_.try_emplace({&owner, loop});
    if (is_new) {
        found->second = {analysis::strip_hints(in_loops(owner, its.min)),
                         analysis::strip_hints(in_loops(owner, its.extent))};
    } else {
        for (const Expr &end : {its.min, its.extent}) { // the result depends on these Funcs, too
            for_each_free_symbol(end, [&](const Symbol &symbol) { value_of(symbol); });
        }
    }
    return found->second;
}

Expr SiteViews::in_all_loops(const StageNest &owner, const Expr &value, const Site &site) const {
    constexpr size_t largest = 2000;
    Expr result = in_loops(owner, value);
    while (hides_loops(result, site)) {
        SymbolMap<Expr> values;
        for_each_node(result, [&](const Expr &node) {
            const RegionValue *kept = unexpanded(node);
            if (kept && is_inside(site_of(node->symbol()), site)) {
                values[node->symbol()] = kept->value;
            }
        });
        const Expr next = in_loops(owner, substitute(result, values));
        if (node_count(next) > largest) {
            break; // imprecise, which is harmless: it is a hint
        }
        result = next;
    }
    return result;
}

bool SiteViews::is_invariant_in(const Expr &value, const StageNest &owner, const Site &site) const {
    bool is_still = true;
    for_each_node(in_loops(owner, value), [&](const Expr &node) {
        if (node->kind() == ExprKind::Variable) {
            is_still = is_still && (node->symbol().kind() == SymbolKind::Param ||
                                    (unexpanded(node) && !is_inside(site_of(node->symbol()), site)));
        }
    });
    return is_still;
}

bool SiteViews::hides_loops(const Expr &expr, const Site &site) const {
    bool hides = false;
    for_each_node(expr, [&](const Expr &node) {
        hides = hides || (unexpanded(node) && is_inside(site_of(node->symbol()), site));
    });
    return hides;
}

bool SiteViews::has_steady_extents(const Region &region) const {
    bool is_steady = true;
    for (size_t d = 0; d < region.exact_min.size(); d++) {
        for_each_node(simplify(sub(region.exact_max[d], region.exact_min[d])), [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable) {
                const SymbolKind kind = node->symbol().kind();
                const bool moves = kind == SymbolKind::Loop || kind == SymbolKind::Let ||
                                   (unexpanded(node) && !site_of(node->symbol()).is_root());
                is_steady = is_steady && !moves;
            }
        });
    }
    return is_steady;
}

} // namespace fluorite::loopnest
