// Work of a stage.
//
// The numbers are reciprocal throughputs relative to a vector addition, rounded, as the manuals of x86 processors since
// Haswell have them: divisions and roots take four to five times an addition. Functions, which are polynomials in more
// than the precision of their results, take two cycles for each value: measured for exp on Sapphire Rapids. C functions
// run lane by lane.
//
// Points that are computed together share operands: f(x, y) and f(x, y + 1) share what does not depend on y, and reads
// at y + 1. The points' values are simplified, so that equal coordinates are equal expressions and a select by an
// unrolled Var is one of its values.
//
// Cost: linear in the distinct nodes, and for several points a simplification of each.
#include "autoschedule/from_graph/work.h"

#include "autoschedule/costs.h"
#include "ir/expr_traits.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

double operations(const Expr &expr) {
    switch (ir::cost_of(*expr.get())) {
    case ir::CostTrait::Free:
        return 0;
    case ir::CostTrait::Operation:
        return 1;
    case ir::CostTrait::Division:
        return expr.type().is_float()   ? costs::division
               : is_const(expr->arg(1)) ? costs::constant_division
                                        : costs::integer_division;
    case ir::CostTrait::Root:
        return costs::root;
    case ir::CostTrait::ByFunction: // cost_of gives that of the function
    case ir::CostTrait::Function:
        return costs::function;
    case ir::CostTrait::Call:
        return costs::call;
    }
    unreachable("a node of no cost");
}

/// What a select takes where loops are cut at boundaries: its only likely operand (lowering/loops/likely.h).
Expr steady_operand(const Expr &expr) {
    if (expr->kind() != ExprKind::Select) {
        return {};
    }
    const auto is_likely = [](const Expr &operand) { return operand->kind() == ExprKind::Likely; };
    const bool is_first = is_likely(expr->arg(0)) || is_likely(expr->arg(1)), is_second = is_likely(expr->arg(2));
    return is_first == is_second ? Expr() : expr->arg(is_first ? 1 : 2);
}

/// In additions of 32 bits.
double weighed_operations(const Expr &expr) {
    int bits = expr.type().bits();
    for (const Expr &arg : expr->args()) {
        bits = std::max(bits, arg.type().bits());
    }
    return operations(expr) * (bits <= 1 ? costs::predicate_part : bits / 32.0);
}

class WorkCounter {
  public:
    /// Loops over pure Vars are cut at boundaries; those over RVars, with sums in registers around them, are not.
    explicit WorkCounter(const Stage &stage, Boundaries boundaries = Boundaries::AreCut)
        : is_cut_(stage.rvars.empty() && boundaries == Boundaries::AreCut) {}

    void visit(const Expr &expr) {
        const auto [seen, is_new] = seen_.emplace(expr, point_);
        if (!is_new) {
            if (seen->second != point_ && is_value(expr)) {
                work_.shared += width(expr);
                seen->second = point_;
            }
            return;
        }
        if (const Expr steady = is_cut_ ? steady_operand(expr) : Expr(); steady.defined()) {
            visit(steady);
            return;
        }
        work_.widest = std::max(work_.widest, width(expr));
        if (expr->kind() == ExprKind::Call || expr->kind() == ExprKind::Image) {
            work_.loads.push_back(expr);
            visit_coordinates(expr->args());
            return;
        }
        for (const Expr &arg : expr->args()) {
            visit(arg);
        }
        work_.operations += weighed_operations(expr);
    }
    void visit_coordinates(std::span<const Expr> coordinates) {
        for (const Expr &coordinate : coordinates) {
            if (is_computed(coordinate)) {
                visit(coordinate);
            }
        }
    }
    /// Where an update stores: computed anew in each step if it is more than a Var.
    void visit_places(std::span<const Expr> coordinates) {
        for (const Expr &coordinate : coordinates) {
            visit(coordinate);
        }
    }
    void next_point() { point_++; }
    Work run() { return std::move(work_); }

  private:
    const bool is_cut_;
    ExprMap<int> seen_; // by which point last
    Work work_;
    int point_ = 0;

    static double width(const Expr &expr) { return expr.type().bits() / 32.0; }
    static bool is_value(const Expr &expr) { return operations(expr) > 0 || expr->reads_memory(); }
};

/// Finds which loops the nodes of an update follow.
class FollowedCounter {
  public:
    FollowedCounter(const FuncDef &func, const Stage &update) : func_(func), update_(update) {}

    uint64_t visit(const Expr &expr) {
        const auto known = loops_.find(expr);
        if (known != loops_.end()) {
            return known->second;
        }
        const uint64_t loops = find(expr);
        loops_.emplace(expr, loops);
        return loops;
    }
    std::vector<FollowedWork> run() { return std::move(parts_); }

  private:
    const FuncDef &func_;
    const Stage &update_;
    ExprMap<uint64_t> loops_;
    ExprMap<bool> coordinates_; // that are counted
    std::vector<FollowedWork> parts_;

    uint64_t all() const { return func_.args.size() >= 64 ? ~uint64_t(0) : (uint64_t(1) << func_.args.size()) - 1; }
    FollowedWork &part(uint64_t loops) {
        for (FollowedWork &part : parts_) {
            if (part.loops == loops) {
                return part;
            }
        }
        parts_.push_back({loops, 0, {}, 0});
        return parts_.back();
    }
    uint64_t find(const Expr &expr) {
        if (expr->kind() == ExprKind::Variable) {
            for (size_t d = 0; d < func_.args.size(); ++d) {
                if (func_.args[d] == expr->symbol()) {
                    return d < 64 ? uint64_t(1) << d : all();
                }
            }
            return 0;
        }
        if (expr->kind() == ExprKind::Call && expr->symbol() == func_.symbol) {
            return all();
        }
        uint64_t loops = 0;
        const bool is_load = expr->kind() == ExprKind::Call || expr->kind() == ExprKind::Image;
        for (const Expr &arg : expr->args()) {
            loops |= is_load && !is_work(arg) ? variables_of(arg) : visit(arg);
        }
        if (is_load) {
            part(loops).loads.push_back(expr);
            count_coordinates(expr->args());
        } else {
            part(loops).operations += weighed_operations(expr);
        }
        return loops;
    }
    /// What RVars do not change is computed before they run.
    bool is_work(const Expr &coordinate) const {
        bool is_found = coordinate->reads_memory();
        for_each_node(coordinate,
                      [&](const Expr &node) { is_found = is_found || (node.type().is_float() && changes(node)); });
        return is_found;
    }
    bool changes(const Expr &expr) const {
        return std::any_of(update_.rvars.begin(), update_.rvars.end(),
                           [&](const ReductionVar &rvar) { return uses_symbol(expr, rvar.var); });
    }
    /// Coordinates are no work of vectors, but each one that changes at each step is one of scalars.
    void count_coordinates(std::span<const Expr> coordinates) {
        for (const Expr &coordinate : coordinates) {
            if (!changes(coordinate) || is_work(coordinate) || !coordinates_.emplace(coordinate, true).second) {
                continue;
            }
            double nodes = costs::address_operations;
            for_each_node(coordinate,
                          [&](const Expr &node) { nodes += changes(node) ? std::min(1.0, operations(node)) : 0; });
            part(variables_of(coordinate)).addresses += nodes;
        }
    }
    uint64_t variables_of(const Expr &coordinate) const {
        uint64_t loops = 0;
        for (size_t d = 0; d < func_.args.size(); ++d) {
            loops |= uses_symbol(coordinate, func_.args[d]) ? (d < 64 ? uint64_t(1) << d : all()) : 0;
        }
        return loops;
    }
};

/// The operations between a value and the Func's own; none: it does not use them.
double own_chain(const FuncDef &func, const Expr &expr, ExprMap<double> &known) {
    const auto seen = known.find(expr);
    if (seen != known.end()) {
        return seen->second;
    }
    double longest = expr->kind() == ExprKind::Call && expr->symbol() == func.symbol ? 0 : -1;
    for (const Expr &arg : expr->args()) {
        const double part = own_chain(func, arg, known);
        longest = part < 0 ? longest : std::max(longest, part + operations(expr));
    }
    known.emplace(expr, longest);
    return longest;
}

} // namespace

namespace {

/// Calls `visit` for the conditions that each step evaluates. Those that do not follow the innermost RVar are evaluated
/// outside of its loop; likely ones are tails, and loops end before them.
template <typename Visit> void for_each_condition(const Stage &stage, const Visit &visit) {
    std::vector<Expr> left;
    if (stage.predicate.defined()) {
        left.push_back(stage.predicate);
    }
    while (!left.empty()) {
        const Expr condition = left.back();
        left.pop_back();
        if (condition->kind() == ExprKind::And) {
            left.insert(left.end(), {condition->arg(1), condition->arg(0)});
        } else if (condition->kind() != ExprKind::Likely && !stage.rvars.empty() &&
                   uses_symbol(condition, stage.rvars[0].var)) {
            visit(condition);
        }
    }
}

} // namespace

bool is_computed(const Expr &coordinate) {
    bool has_floats = false;
    for_each_node(coordinate, [&](const Expr &node) { has_floats = has_floats || node.type().is_float(); });
    return has_floats || coordinate->reads_memory();
}

std::vector<FollowedWork> work_by_loops(const FuncDef &func, const Stage &update) {
    FollowedCounter counter(func, update);
    for (const Expr &value : update.values) {
        counter.visit(expand_lets(value));
    }
    for_each_condition(update, [&](const Expr &condition) { counter.visit(expand_lets(condition)); });
    return counter.run();
}

double code_of(const FuncDef &func, const Stage &stage) {
    double nodes = costs::dimension_nodes * static_cast<double>(func.dimensions());
    ExprMap<bool> seen;
    const auto count = [&](const Expr &value) {
        for_each_node(value, [&](const Expr &node) {
            if (seen.emplace(node, true).second) {
                const bool is_access = node->kind() == ExprKind::Call || node->kind() == ExprKind::Image;
                nodes += is_access ? costs::dimension_nodes * static_cast<double>(node->args().size()) : 1;
            }
        });
    };
    for (const Expr &value : stage.values) {
        count(value);
    }
    if (stage.predicate.defined()) {
        count(stage.predicate);
    }
    return nodes;
}

double chain_of(const FuncDef &func, const Stage &update) {
    ExprMap<double> known;
    double longest = 0;
    for (const Expr &value : update.values) {
        longest = std::max(longest, own_chain(func, expand_lets(value), known));
    }
    return longest;
}

Work work_of(const Stage &stage, Boundaries boundaries) {
    WorkCounter counter(stage, boundaries);
    for (const Expr &value : stage.values) {
        counter.visit(value);
    }
    for_each_condition(stage, [&](const Expr &condition) { counter.visit(condition); });
    counter.visit_places(stage.args);
    return counter.run();
}

namespace {

Expr at_point(const Expr &value, const SymbolMap<Expr> &point) {
    return rewrite::simplify(substitute(expand_lets(value), point), rewrite::Arithmetic::Wrapping);
}

} // namespace

Work work_of(const Stage &stage, const std::vector<SymbolMap<Expr>> &points) {
    WorkCounter counter(stage);
    for (const SymbolMap<Expr> &point : points) {
        for (const Expr &value : stage.values) {
            counter.visit(at_point(value, point));
        }
        counter.next_point();
    }
    return counter.run();
}

Work work_of_update(const Stage &stage, const std::vector<SymbolMap<Expr>> &points) {
    WorkCounter counter(stage);
    for (const SymbolMap<Expr> &point : points) {
        std::vector<Expr> places;
        for (const Expr &value : stage.values) {
            counter.visit(at_point(value, point));
        }
        for_each_condition(stage, [&](const Expr &condition) { counter.visit(at_point(condition, point)); });
        for (const Expr &place : stage.args) {
            places.push_back(at_point(place, point));
        }
        counter.visit_places(places);
        counter.next_point();
    }
    return counter.run();
}

} // namespace fluorite::autoschedule
