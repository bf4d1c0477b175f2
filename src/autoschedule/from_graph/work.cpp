// Work of a stage.
//
// The numbers are reciprocal throughputs relative to a vector addition, rounded, as the manuals of x86 processors since
// Haswell have them: divisions and roots take four to five times an addition, functions are polynomials of ten to
// twenty operations. C functions run lane by lane.
//
// Cost: linear in the distinct nodes.
#include "autoschedule/from_graph/work.h"

#include <unordered_set>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

constexpr double division = 5, integer_division = 20, constant_division = 3, root = 5, function = 15, call = 60;

class WorkCounter {
  public:
    double run(const Stage &stage) {
        for (const Expr &value : stage.values) {
            visit(value);
        }
        if (stage.predicate.defined()) {
            visit(stage.predicate);
        }
        return work_;
    }

  private:
    std::unordered_set<const ExprNode *> seen_;
    double work_ = 0;

    void visit(const Expr &expr) {
        if (!seen_.insert(expr.get()).second || expr->kind() == ExprKind::Call || expr->kind() == ExprKind::Image) {
            return;
        }
        int bits = expr.type().bits();
        for (const Expr &arg : expr->args()) {
            visit(arg);
            bits = std::max(bits, arg.type().bits());
        }
        work_ += operations(expr) * (bits <= 1 ? 0.25 : bits / 32.0);
    }

    static double operations(const Expr &expr) {
        switch (expr->kind()) {
        case ExprKind::IntImm:
        case ExprKind::UIntImm:
        case ExprKind::FloatImm:
        case ExprKind::StringImm:
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

double work_of(const Stage &stage) { return WorkCounter().run(stage); }

} // namespace fluorite::autoschedule
