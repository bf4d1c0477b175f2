// The derivatives of ir/math_ops.def. The value of the function is used where it is part of its own derivative, as of
// exp, so that nothing is computed twice. Steps have derivative 0 everywhere, at their jumps too. Approximations have
// the derivatives of what they approximate, computed by approximations.
//
// At the ends of the domains, derivatives are those of the limits, infinite ones included: sqrt at 0 gives infinity.
// Where a formula gives a NaN and the limit is a number, the number is chosen: pow at 0, and hypot at (0, 0), where all
// directions count alike and the derivative is 0.

#include "language/derivative/math_partials.h"

#include "fluorite/ops.h"
#include "language/operands.h"

namespace fluorite::language::derivative {

namespace {

using ir::MathOp;

Expr number(const Expr &like, double value) { return ir::make_float(like.type(), value); }

/// d/dx and d/dp of power = x^p.
Expr power_partial(const Expr &power, size_t operand, MathOp op, MathOp log) {
    const Expr &x = power->arg(0), &p = power->arg(1);
    const Expr zero = number(x, 0);
    if (operand == 0) {
        const Expr lower = math(op, std::vector<Expr>{x, p - number(p, 1)});
        if (double value = 0; ir::is_const_float(p, &value) && value != 0) {
            return p * lower;
        }
        return choose(p == zero, zero, p * lower); // where x is 0 as well, the product would be 0 * infinity
    }
    return choose(x == zero, zero, power * math(log, std::vector<Expr>{x}));
}

/// d/dx of the inverse functions and others of one operand that are quotients.
Expr inverse_partial(MathOp op, const Expr &x) {
    const Expr one = number(x, 1);
    switch (op) {
    case MathOp::Asin:
        return one / sqrt((one - x) * (one + x));
    case MathOp::Acos:
        return number(x, -1) / sqrt((one - x) * (one + x));
    case MathOp::Atan:
        return one / (one + x * x);
    case MathOp::Asinh:
        return one / hypot(x, one);
    case MathOp::Acosh:
        return one / sqrt((x - one) * (x + one));
    case MathOp::Atanh:
        return one / ((one - x) * (one + x));
    default: // called for the functions above only
        unreachable("an inverse function has a derivative");
    }
}

} // namespace

Expr math_partial(const Expr &node, size_t operand) {
    const Expr &x = node->arg(0);
    const auto call = [&](MathOp op) { return math(op, std::vector<Expr>{x}); };
    const MathOp op = node->math_op();
    switch (op) {
    case MathOp::Sqrt:
        return number(x, 0.5) / node;
    case MathOp::Sin:
        return call(MathOp::Cos);
    case MathOp::Cos:
        return -call(MathOp::Sin);
    case MathOp::Tan:
        return number(x, 1) + node * node;
    case MathOp::Asin:
    case MathOp::Acos:
    case MathOp::Atan:
    case MathOp::Asinh:
    case MathOp::Acosh:
    case MathOp::Atanh:
        return inverse_partial(op, x);
    case MathOp::Atan2: { // of y, x
        const Expr &other = node->arg(1 - operand);
        const Expr square = x * x + node->arg(1) * node->arg(1);
        return (operand == 0 ? other : -other) / square;
    }
    case MathOp::Sinh:
        return call(MathOp::Cosh);
    case MathOp::Cosh:
        return call(MathOp::Sinh);
    case MathOp::Tanh:
        return number(x, 1) - node * node;
    case MathOp::Exp:
    case MathOp::FastExp:
        return node;
    case MathOp::Log:
    case MathOp::FastLog:
        return number(x, 1) / x;
    case MathOp::Pow:
        return power_partial(node, operand, MathOp::Pow, MathOp::Log);
    case MathOp::FastPow:
        return power_partial(node, operand, MathOp::FastPow, MathOp::FastLog);
    case MathOp::Hypot:
        return choose(node == number(x, 0), number(x, 0), node->arg(operand) / node);
    case MathOp::Erf: // 2 / sqrt(pi)
        return number(x, 1.1283791670955126) * math(MathOp::Exp, std::vector<Expr>{-(x * x)});
    case MathOp::FastSin:
        return call(MathOp::FastCos);
    case MathOp::FastCos:
        return -call(MathOp::FastSin);
    case MathOp::FastInverse:
        return -(node * node);
    case MathOp::FastInverseSqrt:
        return number(x, -0.5) * (node * node * node);
    case MathOp::Floor:
    case MathOp::Ceil:
    case MathOp::Round:
    case MathOp::Trunc:
    case MathOp::IsNan:
    case MathOp::IsInf:
    case MathOp::IsFinite:
        return Expr();
    }
    unreachable("all functions are handled");
}

} // namespace fluorite::language::derivative
