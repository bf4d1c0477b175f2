#pragma once
// Proof support: the operators of the language over Z3's terms.
//
// Integers are bit-vectors with machine wrap-around, whose division, shifts and comparisons follow ir/expr_kinds.def;
// or, for indices, unbounded integers. Bools are truth values; floats are Z3's IEEE floats. A ramp is represented by an
// arbitrary lane.

#include "fluorite/type.h"
#include "ir/expr_node.h"
#include "support/check.h"

#include <vector>
#include <z3++.h>

namespace fluorite::rewrite {

class Z3Arithmetic {
  protected:
    using ExprKind = ir::ExprKind;

    explicit Z3Arithmetic(bool over_integers) : integers_(over_integers) {}

    bool integers_; // integers are unbounded
    z3::context context_;
    std::vector<z3::expr> premises_; // assumptions about the terms built here

    // ---- Numbers.

    z3::sort sort_of(Type type) {
        if (type.is_bool()) {
            return context_.bool_sort();
        }
        if (type.is_float()) {
            const unsigned exponent = type.is_bfloat() ? 8 : type.bits() == 16 ? 5 : type.bits() == 32 ? 8 : 11;
            return context_.fpa_sort(exponent, static_cast<unsigned>(type.bits()) - exponent);
        }
        if (integers_) {
            return context_.int_sort();
        }
        return context_.bv_sort(static_cast<unsigned>(type.bits()));
    }

    z3::expr number(int64_t number, Type type) {
        if (type.is_bool()) {
            return context_.bool_val(number != 0);
        }
        if (type.is_float()) {
            return z3::expr(context_, Z3_mk_fpa_numeral_double(context_, static_cast<double>(number), sort_of(type)));
        }
        if (integers_) {
            return context_.int_val(number);
        }
        return context_.bv_val(number, static_cast<unsigned>(type.bits()));
    }

    z3::expr limit(bool upper, Type type) {
        if (type.is_bool()) {
            return context_.bool_val(upper);
        }
        const unsigned bits = static_cast<unsigned>(type.bits());
        const z3::expr top = z3::shl(context_.bv_val(1, bits), context_.bv_val(bits - 1, bits));
        if (type.is_int()) {
            return upper ? ~top : top;
        }
        return upper ? context_.bv_val(-1, bits) : context_.bv_val(0, bits);
    }

    // ---- Operators.

    z3::expr operation(ExprKind kind, const std::vector<z3::expr> &args, Type operand) {
        if (operand.is_bool()) {
            return bool_node(kind, args);
        }
        return operand.is_float() ? float_node(kind, args) : int_node(kind, args, operand.is_int());
    }

    z3::expr fp(Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), const std::vector<z3::expr> &args) {
        return z3::expr(context_, make(context_, args[0], args[1]));
    }

    z3::expr bool_node(ExprKind kind, const std::vector<z3::expr> &args) {
        switch (kind) {
        case ExprKind::Min:
        case ExprKind::Mul:
        case ExprKind::BitAnd:
            return args[0] && args[1];
        case ExprKind::Max:
        case ExprKind::BitOr:
            return args[0] || args[1];
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::BitXor:
            return args[0] != args[1];
        case ExprKind::LT:
            return !args[0] && args[1];
        case ExprKind::LE:
            return !args[0] || args[1];
        case ExprKind::GT:
            return args[0] && !args[1];
        case ExprKind::GE:
            return args[0] || !args[1];
        default:
            unreachable("an operator of bools that the prover does not know");
        }
    }

    z3::expr float_node(ExprKind kind, const std::vector<z3::expr> &args) {
        const z3::expr rne(context_, Z3_mk_fpa_rne(context_));
        auto rounded = [&](Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast, Z3_ast)) {
            return z3::expr(context_, make(context_, rne, args[0], args[1]));
        };
        switch (kind) {
        case ExprKind::Add:
            return rounded(Z3_mk_fpa_add);
        case ExprKind::Sub:
            return rounded(Z3_mk_fpa_sub);
        case ExprKind::Mul:
            return rounded(Z3_mk_fpa_mul);
        case ExprKind::Div:
            return rounded(Z3_mk_fpa_div);
        case ExprKind::Min:
            return z3::ite(fp(Z3_mk_fpa_lt, args), args[0], args[1]);
        case ExprKind::Max:
            return z3::ite(fp(Z3_mk_fpa_gt, args), args[0], args[1]);
        case ExprKind::LT:
            return fp(Z3_mk_fpa_lt, args);
        case ExprKind::LE:
            return fp(Z3_mk_fpa_leq, args);
        case ExprKind::GT:
            return fp(Z3_mk_fpa_gt, args);
        case ExprKind::GE:
            return fp(Z3_mk_fpa_geq, args);
        case ExprKind::Abs:
            return z3::expr(context_, Z3_mk_fpa_abs(context_, args[0]));
        default:
            unreachable("an operator of floats that the prover does not know");
        }
    }

    z3::expr less(const z3::expr &a, const z3::expr &b, bool is_signed) {
        return integers_ || is_signed ? a < b : z3::ult(a, b);
    }

    z3::expr int_node(ExprKind kind, const std::vector<z3::expr> &args, bool is_signed) {
        const z3::expr &a = args[0], &b = args.size() > 1 ? args[1] : args[0];
        switch (kind) {
        case ExprKind::Add:
            return a + b;
        case ExprKind::Sub:
            return a - b;
        case ExprKind::Mul:
            return a * b;
        case ExprKind::Div:
            return divide(a, b, is_signed);
        case ExprKind::Mod:
            return modulo(a, b, is_signed);
        case ExprKind::Min:
            return z3::ite(less(a, b, is_signed), a, b);
        case ExprKind::Max:
            return z3::ite(less(b, a, is_signed), a, b);
        case ExprKind::LT:
            return less(a, b, is_signed);
        case ExprKind::LE:
            return !less(b, a, is_signed);
        case ExprKind::GT:
            return less(b, a, is_signed);
        case ExprKind::GE:
            return !less(a, b, is_signed);
        case ExprKind::Ramp:
            return a + lane(a) * b;
        case ExprKind::Abs:
            return is_signed ? z3::ite(a < zero(a), -a, a) : a;
        case ExprKind::AbsDiff:
            return z3::ite(less(a, b, is_signed), b - a, a - b);
        case ExprKind::BitAnd:
            return a & b;
        case ExprKind::BitOr:
            return a | b;
        case ExprKind::BitXor:
            return a ^ b;
        case ExprKind::BitNot:
            return ~a;
        case ExprKind::ShiftLeft:
            return shift(true, a, b, is_signed);
        case ExprKind::ShiftRight:
            return shift(false, a, b, is_signed);
        case ExprKind::Quotient:
            return z3::ite(b == zero(b), zero(b), is_signed ? a / b : z3::udiv(a, b));
        case ExprKind::Remainder:
            return z3::ite(b == zero(b), zero(b), is_signed ? z3::srem(a, b) : z3::urem(a, b));
        default:
            unreachable("an operator of integers that the prover does not know");
        }
    }

    z3::expr zero(const z3::expr &like) { return like - like; }
    z3::expr constant(int64_t number, const z3::expr &like) {
        return integers_ ? context_.int_val(number) : context_.bv_val(number, like.get_sort().bv_size());
    }

    z3::expr lane(const z3::expr &like) {
        if (integers_) {
            const z3::expr variable = context_.int_const("lane");
            premises_.push_back(variable >= 0);
            return variable;
        }
        const z3::expr variable = context_.bv_const("lane", like.get_sort().bv_size());
        return variable;
    }

    /// Euclidean division, as Z3's integer division is; Z3's bit-vector division rounds toward zero.
    z3::expr divide(const z3::expr &a, const z3::expr &b, bool is_signed) {
        if (integers_) {
            return z3::ite(b == 0, context_.int_val(0), a / b);
        }
        if (!is_signed) {
            return z3::ite(b == zero(b), zero(b), z3::udiv(a, b));
        }
        const z3::expr quotient = a / b, rest = z3::srem(a, b), one = constant(1, a);
        const z3::expr adjusted = z3::ite(b > zero(b), quotient - one, quotient + one);
        return z3::ite(b == zero(b), zero(b), z3::ite(rest < zero(b), adjusted, quotient));
    }

    z3::expr modulo(const z3::expr &a, const z3::expr &b, bool is_signed) {
        if (integers_) {
            return z3::ite(b == 0, context_.int_val(0), z3::mod(a, b));
        }
        if (!is_signed) {
            return z3::ite(b == zero(b), zero(b), z3::urem(a, b));
        }
        const z3::expr rest = z3::srem(a, b);
        const z3::expr magnitude = z3::ite(b < zero(b), -b, b);
        return z3::ite(b == zero(b), zero(b), z3::ite(rest < zero(b), rest + magnitude, rest));
    }

    z3::expr shift(bool left, const z3::expr &a, const z3::expr &amount, bool is_signed) {
        const z3::expr right = is_signed ? z3::ashr(a, amount) : z3::lshr(a, amount);
        const z3::expr forward = left ? z3::shl(a, amount) : right;
        if (!is_signed) {
            return forward;
        }
        const z3::expr back = left ? z3::ashr(a, -amount) : z3::shl(a, -amount);
        return z3::ite(amount < zero(amount), back, forward);
    }

    // ---- Conversions of integers and bools.

    z3::expr as_bits(const z3::expr &value, Type type) {
        return type.is_bool() ? z3::ite(value, context_.bv_val(1, 1), context_.bv_val(0, 1)) : value;
    }

    z3::expr extend(const z3::expr &value, Type type, unsigned bits) {
        const z3::expr plain = as_bits(value, type);
        const unsigned more = bits - plain.get_sort().bv_size();
        return more == 0 ? plain : type.is_int() ? z3::sext(plain, more) : z3::zext(plain, more);
    }

    z3::expr cast(const z3::expr &value, Type from, Type to) {
        if (from.is_float() && to.is_float()) {
            const z3::expr rne(context_, Z3_mk_fpa_rne(context_));
            return from == to ? value : z3::expr(context_, Z3_mk_fpa_to_fp_float(context_, rne, value, sort_of(to)));
        }
        if (to.is_float()) {
            const z3::expr rne(context_, Z3_mk_fpa_rne(context_));
            const z3::expr bits = extend(value, from, 65);
            return z3::expr(context_, Z3_mk_fpa_to_fp_signed(context_, rne, bits, sort_of(to)));
        }
        check(!from.is_float(), "the prover does not convert floats to integers");
        if (to.is_bool()) {
            return from.is_bool() ? value : value != zero(value);
        }
        const unsigned bits = static_cast<unsigned>(to.bits());
        const z3::expr plain = as_bits(value, from);
        return plain.get_sort().bv_size() > bits ? plain.extract(bits - 1, 0) : extend(value, from, bits);
    }

    z3::expr saturating_cast(const z3::expr &value, Type from, Type to) {
        if (from == to) {
            return value;
        }
        check(!from.is_float() && !to.is_float(), "the prover does not saturate floats");
        const z3::expr wide = extend(value, from, 66);
        const z3::expr lo = extend(limit(false, to), to, 66), hi = extend(limit(true, to), to, 66);
        const z3::expr clamped = z3::ite(wide < lo, lo, z3::ite(wide > hi, hi, wide));
        const z3::expr bits = clamped.extract(static_cast<unsigned>(to.bits()) - 1, 0);
        return to.is_bool() ? bits == context_.bv_val(1, 1) : bits;
    }
};

} // namespace fluorite::rewrite
