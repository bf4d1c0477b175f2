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

#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

constexpr double division = 5, integer_division = 20, constant_division = 3, root = 5, function = 60, call = 60;

class WorkCounter {
  public:
    void visit(const Expr &expr) {
        const auto [seen, is_new] = seen_.emplace(expr, point_);
        if (!is_new) {
            if (seen->second != point_ && is_value(expr)) {
                work_.shared += width(expr);
                seen->second = point_;
            }
            return;
        }
        work_.widest = std::max(work_.widest, width(expr));
        if (expr->kind() == ExprKind::Call || expr->kind() == ExprKind::Image) {
            work_.loads.push_back(expr);
            visit_coordinates(expr->args());
            return;
        }
        int bits = expr.type().bits();
        for (const Expr &arg : expr->args()) {
            visit(arg);
            bits = std::max(bits, arg.type().bits());
        }
        work_.operations += operations(expr) * (bits <= 1 ? 0.25 : bits / 32.0);
    }
    void visit_coordinates(std::span<const Expr> coordinates) {
        for (const Expr &coordinate : coordinates) {
            if (coordinate->reads_memory()) {
                visit(coordinate);
            }
        }
    }
    void next_point() { point_++; }
    Work run() { return std::move(work_); }

  private:
    ExprMap<int> seen_; // by which point last
    Work work_;
    int point_ = 0;

    static double width(const Expr &expr) { return expr.type().bits() / 32.0; }
    static bool is_value(const Expr &expr) { return operations(expr) > 0 || expr->reads_memory(); }

    static double operations(const Expr &expr) {
        switch (expr->kind()) {
        case ExprKind::IntImm:
        case ExprKind::UIntImm:
        case ExprKind::FloatImm:
        case ExprKind::StringImm:
        case ExprKind::Undef:
        case ExprKind::Variable:
        case ExprKind::BufferField:
        case ExprKind::Let:
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
        case ExprKind::MemoizeTag:
        case ExprKind::Reinterpret:
            return 0;
        case ExprKind::Div:
        case ExprKind::Mod:
        case ExprKind::Quotient:
        case ExprKind::Remainder:
            return expr.type().is_float() ? division : is_const(expr->arg(1)) ? constant_division : integer_division;
        case ExprKind::Math:
            switch (expr->math_op()) {
            case MathOp::Sqrt:
                return root;
            case MathOp::Floor:
            case MathOp::Ceil:
            case MathOp::Round:
            case MathOp::Trunc:
                return 1;
            default:
                return function;
            }
        case ExprKind::Extern:
        case ExprKind::Random:
        case ExprKind::Print:
        case ExprKind::Require:
            return call;
        default:
            return 1;
        }
    }
};

} // namespace

Work work_of(const Stage &stage) {
    WorkCounter counter;
    for (const Expr &value : stage.values) {
        counter.visit(value);
    }
    if (stage.predicate.defined()) {
        counter.visit(stage.predicate);
    }
    counter.visit_coordinates(stage.args);
    return counter.run();
}

Work work_of(const Stage &stage, const std::vector<SymbolMap<Expr>> &points) {
    WorkCounter counter;
    for (const SymbolMap<Expr> &point : points) {
        for (const Expr &value : stage.values) {
            counter.visit(rewrite::simplify(substitute(expand_lets(value), point), rewrite::Arithmetic::Wrapping));
        }
        counter.next_point();
    }
    return counter.run();
}

} // namespace fluorite::autoschedule
