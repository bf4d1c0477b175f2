// Which values of floats may be NaN.
//
// Memory may hold any value, NaN included, and some operations make one: 0 / 0, the square root of a negative number.
// Min and Max give their second operand where one is NaN. Other operators have one where an operand is one. Params are
// assumed not to be NaN, and sums and products of finite values not to overflow. Cost: one visit per distinct node.

#include "analysis/possible_nans.h"

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"

#include <algorithm>
#include <cmath>

namespace fluorite::analysis {

using namespace ir;

bool PossibleNans::may_be(const Expr &expr) {
    if (!expr.type().is_float()) {
        return false;
    }
    const auto found = known_.find(expr.get());
    if (found != known_.end()) {
        return found->second;
    }
    const auto any_operand = [&] {
        return std::any_of(expr->args().begin(), expr->args().end(), [&](const Expr &arg) { return may_be(arg); });
    };
    bool result = false;
    switch (expr->kind()) {
    case ExprKind::Min:
    case ExprKind::Max:
        result = may_be(expr->arg(1));
        break;
    case ExprKind::Div:
    case ExprKind::Mod: {
        double divisor = 0;
        result = !is_const_float(expr->arg(1), &divisor) || divisor == 0 || any_operand();
        break;
    }
    case ExprKind::Math:
        result = traits_of(expr->math_op()).result == MathResult::MaybeNan || any_operand();
        break;
    case ExprKind::FloatImm:
        result = std::isnan(expr->float_value());
        break;
    case ExprKind::Variable:
        result = expr->reads_memory();
        break;
    case FLUORITE_ACCESSES:
    case ExprKind::Extern:
    case ExprKind::Reinterpret:
        result = true;
        break;
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::StringImm:
    case ExprKind::BufferField:
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::AbsDiff:
    case ExprKind::Fma:
    case ExprKind::Abs:
    case FLUORITE_COMPARISONS:
    case FLUORITE_LOGIC:
    case FLUORITE_BITS:
    case ExprKind::Select:
    case FLUORITE_HINTS:
    case ExprKind::Random:
    case FLUORITE_VECTORS:
    case ExprKind::Let:
    case ExprKind::Undef:
    case FLUORITE_EFFECTS:
    case ExprKind::MemoizeTag:
        result = any_operand();
        break;
    }
    known_.emplace(expr.get(), result);
    return result;
}

} // namespace fluorite::analysis
