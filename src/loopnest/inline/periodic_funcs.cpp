// Reads of Funcs that are periodic themselves need no wrapping.
//
// Before: g(y) = f(wrap(y - 1)) + f(wrap(y + 1)), f(y) = in(wrap(y - 1)) + in(wrap(y + 1)), where
//         wrap(t) = (t - m) mod (M - m + 1) + m, as BoundaryConditions::repeat_image writes it.
// After:  g(y) = f(y - 1) + f(y + 1).
//
// Why: a strip of g at the edge of the image reads f on both sides of it. The interval that contains both is the whole
// image, and a region is one interval per dimension, so such a strip would compute all of f. After the replacement it
// computes a few points of f beyond the edge, and no coordinate of f wraps.
//
// Method: a pure Func f is periodic in its dimension v if its value depends on v only through coordinates
// wrap(v + c), all with the same edges m and M, and through coordinates v + c in a dimension of another Func that is
// periodic with these edges. Then f(v) = f(v + k (M - m + 1)) for every k, and since wrap(t) differs from t by a
// multiple of that, f(wrap(t)) = f(t). If M < m, wrap(t) is m for every t, so f does not depend on v at all.
//
// Applied where f is computed inside of loops of its consumers, and t is a loop's variable plus at most
// `most_wrapped_offset`: the region of f grows by what is read beyond the edges, which costs less than the wrapping
// only if it is little. Not applied to outputs, to Funcs computed at root (whose region is the image, whatever is
// read), and to dimensions whose region or memory the program bounds, because the region no longer stays inside the
// image.
//
// Relies on analysis::find_periodic. Comes after specialization, because it needs the final stages.
// Cost: linear in the distinct nodes of definitions, and an analysis for each select in a coordinate.

#include "loopnest/inline/periodic_funcs.h"

#include "analysis/periodic_coordinate.h"
#include "loopnest/inline/clone.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::loopnest {

using namespace ir;
using analysis::PeriodicCoordinate;
using rewrite::simplify;

namespace {

/// The edges of the image that a Func repeats in one dimension.
struct Period {
    Expr min, max;
};

bool same(const Period &a, const Period &b) { return equal(a.min, b.min) && equal(a.max, b.max); }

class PeriodicFuncs {
  public:
    explicit PeriodicFuncs(LoweringGraph &graph) : graph_(graph) {}

    void run() {
        for (const FuncId id : graph_.order) { // producers first
            change_reads(id);
            find_periods(id);
        }
    }

  private:
    LoweringGraph &graph_;
    std::map<std::pair<FuncId, size_t>, Period> periods_;
    ExprMap<std::optional<PeriodicCoordinate>> wraps_; // by coordinate

    std::optional<PeriodicCoordinate> wrap_of(const Expr &coordinate) {
        if (!is_kind(coordinate, ExprKind::Select) || coordinate.type() != Int(32)) {
            return std::nullopt;
        }
        const auto known = wraps_.find(coordinate);
        if (known != wraps_.end()) {
            return known->second;
        }
        std::optional<PeriodicCoordinate> found = analysis::find_periodic(coordinate);
        if (found && found->is_mirrored()) {
            found.reset();
        }
        return wraps_.emplace(coordinate, found).first->second;
    }

    const Period *period_of(FuncId func, size_t dimension) const {
        const auto found = periods_.find({func, dimension});
        return found == periods_.end() ? nullptr : &found->second;
    }

    /// The period of the called Func in dimension i; null if the expression is no call, or the Func has none.
    const Period *period_at(const Expr &expr, size_t i) const {
        return expr->kind() == ExprKind::Call && expr->symbol().owner().func.valid()
                   ? period_of(expr->symbol().owner().func, i)
                   : nullptr;
    }

    // ---- Which Funcs are periodic.

    void find_periods(FuncId id) {
        const FuncDef &func = graph_.func(id);
        if (func.stages.size() != 1 || graph_.pipeline.graph.is_output(id) || !graph_.schedule(id).compute.is_at()) {
            return;
        }
        for (size_t d = 0; d < func.args.size(); d++) {
            const std::string &name = func.arg_names[d];
            const auto names_it = [&](const auto &entry) { return entry.var == name; };
            const schedule::FuncSchedule &schedule = graph_.schedule(id);
            const bool is_bounded =
                std::any_of(schedule.bounds.begin(), schedule.bounds.end(), names_it) ||
                std::any_of(schedule.storage.begin(), schedule.storage.end(),
                            [&](const schedule::StorageDim &dim) { return names_it(dim) && dim.bound.defined(); });
            const std::optional<Period> period = is_bounded ? std::nullopt : find_period(func, func.args[d]);
            if (period) {
                periods_.emplace(std::pair(id, d), *period);
            }
        }
    }

    std::optional<Period> find_period(const FuncDef &func, const Symbol &variable) {
        std::optional<Period> period;
        std::unordered_set<const ExprNode *> seen;
        for (const Expr &value : func.stages[0].values) {
            if (!is_periodic(value, variable, period, seen)) {
                return std::nullopt;
            }
        }
        return period;
    }

    /// Whether an expression has the period in the variable; determines the period at the first use of the variable.
    bool is_periodic(const Expr &expr, const Symbol &variable, std::optional<Period> &period,
                     std::unordered_set<const ExprNode *> &seen) {
        if (!seen.insert(expr.get()).second) {
            return true;
        }
        if (expr->kind() == ExprKind::Variable) {
            return !(expr->symbol() == variable);
        }
        const auto agrees = [&](const Period &other) {
            period = period ? period : std::optional(other);
            return same(*period, other);
        };
        if (const std::optional<PeriodicCoordinate> wrap = wrap_of(expr); wrap && moves_with(wrap->inner, variable)) {
            return !uses_symbol(wrap->min, variable) && !uses_symbol(wrap->max, variable) &&
                   agrees({wrap->min, wrap->max});
        }
        for (size_t i = 0; i < expr->arg_count(); i++) {
            const Expr operand = expr->arg(i);
            const Period *other = period_at(expr, i);
            if (other && moves_with(operand, variable) ? !agrees(*other)
                                                       : !is_periodic(operand, variable, period, seen)) {
                return false;
            }
        }
        return true;
    }

    /// Whether a coordinate is the variable plus something that does not depend on it.
    static bool moves_with(const Expr &coordinate, const Symbol &variable) {
        return coordinate.type() == Int(32) && uses_symbol(coordinate, variable) &&
               !uses_symbol(simplify(sub(coordinate, make_var(Int(32), variable))), variable);
    }

    // ---- Reads.

    void change_reads(FuncId id) {
        if (periods_.empty()) {
            return;
        }
        FuncDef &func = graph_.pipeline.graph.funcs[id.index()];
        for (Stage &stage : func.stages) {
            std::vector<Symbol> variables = func.args;
            for (const ReductionVar &rvar : stage.rvars) {
                variables.push_back(rvar.var);
            }
            change_exprs(stage, [&](const Expr &expr) {
                return transform(expr, [&](const Expr &node) { return without_wraps(node, variables); });
            });
        }
    }

    Expr without_wraps(const Expr &node, const std::vector<Symbol> &variables) {
        if (node->kind() != ExprKind::Call) {
            return node;
        }
        std::vector<Expr> args(node->args().begin(), node->args().end());
        bool any = false;
        for (size_t i = 0; i < args.size(); i++) {
            const Period *period = period_at(node, i);
            const std::optional<PeriodicCoordinate> wrap = period ? wrap_of(args[i]) : std::nullopt;
            if (wrap && same(*period, {wrap->min, wrap->max}) && is_near(wrap->inner, variables)) {
                args[i] = wrap->inner;
                any = true;
            }
        }
        return any ? with_args(node, args) : node;
    }

    static bool is_near(const Expr &coordinate, const std::vector<Symbol> &variables) {
        return std::any_of(variables.begin(), variables.end(), [&](const Symbol &variable) {
            int64_t offset = 0;
            return is_const_int(simplify(sub(coordinate, make_var(Int(32), variable))), &offset) &&
                   -analysis::most_wrapped_offset <= offset && offset <= analysis::most_wrapped_offset;
        });
    }
};

} // namespace

void read_periodic_funcs(LoweringGraph &graph) { PeriodicFuncs(graph).run(); }

} // namespace fluorite::loopnest
