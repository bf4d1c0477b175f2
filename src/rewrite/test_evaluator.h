#pragma once
// Test support: evaluates expressions lane by lane on top of fold.h, and generates random expressions.

#include "rewrite/fold.h"

#include <random>
#include <string>
#include <unordered_map>

namespace fluorite::rewrite::testing {

using Lanes = std::vector<Scalar>;

/// Evaluates pure expressions of constants, variables, operators, lets and vectors.
class Evaluator {
  public:
    ir::SymbolMap<Scalar> variables;
    bool overflowed = false; // whether an Int of 32 or more bits overflowed since this was last cleared

    Lanes evaluate(const Expr &expr) {
        using ir::ExprKind;
        const Type type = expr.type();
        if (const std::optional<Scalar> constant = scalar_of(expr)) {
            return Lanes(static_cast<size_t>(type.lanes()), *constant);
        }
        switch (expr->kind()) {
        case ExprKind::Variable:
            return {variables.at(expr->symbol())};
        case ExprKind::Let: {
            const Lanes value = evaluate(expr->arg(0));
            const ir::SymbolMap<Scalar> outer = variables;
            variables.insert_or_assign(expr->symbol(), value[0]);
            const Lanes body = evaluate(expr->arg(1));
            variables = outer;
            return body;
        }
        case ExprKind::Broadcast:
            return broadcast(evaluate(expr->arg(0)), type.lanes());
        case ExprKind::Ramp:
            return ramp(evaluate(expr->arg(0)), evaluate(expr->arg(1)), type.lanes());
        default:
            return elementwise(expr);
        }
    }

  private:
    static Lanes broadcast(const Lanes &value, int lanes) {
        Lanes result;
        for (int i = 0; i < lanes; i++) {
            result.push_back(value[static_cast<size_t>(i) % value.size()]);
        }
        return result;
    }

    static Lanes ramp(const Lanes &base, const Lanes &stride, int lanes) {
        Lanes result;
        for (int i = 0; i < lanes; i++) {
            const size_t lane = static_cast<size_t>(i) % base.size();
            const Scalar step = int_scalar(base[lane].type, i / static_cast<int>(base.size()));
            result.push_back(
                *fold_binary(ir::ExprKind::Add, base[lane], *fold_binary(ir::ExprKind::Mul, stride[lane], step)));
        }
        return result;
    }

    Lanes elementwise(const Expr &expr) {
        std::vector<Lanes> args;
        for (const Expr &arg : expr->args()) {
            args.push_back(evaluate(arg));
        }
        Lanes result;
        for (size_t lane = 0; lane < static_cast<size_t>(expr.type().lanes()); lane++) {
            std::vector<Expr> constants;
            for (const Lanes &arg : args) {
                constants.push_back(expr_of(arg[lane]));
            }
            if (args.size() == 2) {
                note_overflow(expr->kind(), args[0][lane], args[1][lane]);
            }
            const Expr folded = fold(expr->kind(), expr.type().element_of(), constants, expr->payload());
            if (!folded.defined()) {
                internal_error(concat("cannot evaluate ", expr), Location::current());
            }
            result.push_back(*scalar_of(folded));
        }
        return result;
    }

    void note_overflow(ir::ExprKind kind, const Scalar &a, const Scalar &b) {
        if (!a.type.is_int() || a.type.bits() < 32) {
            return;
        }
        int64_t value = 0;
        bool over = false;
        switch (kind) {
        case ir::ExprKind::Add:
            over = __builtin_add_overflow(a.as_int(), b.as_int(), &value);
            break;
        case ir::ExprKind::Sub:
            over = __builtin_sub_overflow(a.as_int(), b.as_int(), &value);
            break;
        case ir::ExprKind::Mul:
            over = __builtin_mul_overflow(a.as_int(), b.as_int(), &value);
            break;
        default:
            return;
        }
        overflowed = overflowed || over || !a.type.can_represent(value);
    }
};

/// Generates random expressions of one type over four variables of that type and four Bool variables.
class RandomExpr {
  public:
    RandomExpr(uint32_t seed, Type type, int64_t magnitude)
        : random_(seed), type_(type.element_of()), magnitude_(magnitude) {}

    Expr value(int depth, int lanes) {
        if (lanes > 1 && (depth <= 0 || pick(4) == 0)) {
            return vector_leaf(depth, lanes);
        }
        return depth <= 0 || pick(8) == 0 ? leaf() : operation(depth, lanes);
    }

    Expr condition(int depth, int lanes) {
        using ir::ExprKind;
        const Expr x = depth <= 0 ? Expr() : value(depth - 1, lanes);
        switch (depth <= 0 ? 0 : pick(7)) {
        case 0:
            return lanes > 1 ? ir::make_broadcast(flag(), lanes) : flag();
        case 1:
            return ir::make_binary(ExprKind::And, condition(depth - 1, lanes), condition(depth - 1, lanes));
        case 2:
            return ir::make_binary(ExprKind::Or, condition(depth - 1, lanes), condition(depth - 1, lanes));
        case 3:
            return ir::make_unary(ExprKind::Not, condition(depth - 1, lanes));
        default: {
            const auto kind = static_cast<ExprKind>(static_cast<int>(ExprKind::EQ) + pick(6));
            return ir::make_binary(kind, x, value(depth - 1, lanes));
        }
        }
    }

    Scalar random_value() {
        if (type_.is_float()) {
            const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e30, -HUGE_VAL, HUGE_VAL, NAN};
            return float_scalar(type_, special[pick(10)]);
        }
        return magnitude_ ? int_scalar(type_, pick(static_cast<int>(2 * magnitude_ + 1)) - magnitude_) : any_integer();
    }

    void assign(Evaluator &evaluator) {
        for (int i = 0; i < 4; i++) {
            evaluator.variables.insert_or_assign(symbol(i), random_value());
            evaluator.variables.insert_or_assign(flag_symbol(i), bool_scalar(pick(2) != 0));
        }
    }
    int pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }
    static ir::Symbol symbol(int i) { return {ir::SymbolKind::Var, std::string(1, "xyzw"[i])}; }
    static ir::Symbol flag_symbol(int i) { return {ir::SymbolKind::Var, std::string("p") + std::to_string(i)}; }

  private:
    Scalar any_integer() {
        uint64_t bits = uint64_t{random_()} << 32 | random_();
        switch (pick(4)) {
        case 0:
            bits = static_cast<uint64_t>(pick(9)) - 4;
            break; // near zero
        case 1:
            bits = (uint64_t{1} << (type_.bits() - 1)) + static_cast<uint64_t>(pick(5)) - 2;
            break; // near the ends
        default:
            break;
        }
        return int_scalar(type_, static_cast<int64_t>(bits));
    }
    Expr flag() { return ir::make_var(Bool(), flag_symbol(pick(3))); }
    Expr leaf() {
        if (pick(3) == 0) {
            const int64_t small = pick(13) - 4;
            return pick(3) == 0 || type_.is_float() ? expr_of(random_value()) : ir::make_int(type_, small);
        }
        return ir::make_var(type_, symbol(pick(4)));
    }
    Expr vector_leaf(int depth, int lanes) {
        if (pick(2) == 0 || type_.is_float()) {
            return ir::make_broadcast(value(depth - 1, 1), lanes);
        }
        return ir::make_ramp(value(depth - 1, 1), value(depth - 1, 1), lanes);
    }
    Expr operation(int depth, int lanes) {
        using ir::ExprKind;
        static constexpr ExprKind kinds[] = {ExprKind::Add, ExprKind::Add, ExprKind::Sub, ExprKind::Sub,
                                             ExprKind::Mul, ExprKind::Div, ExprKind::Mod, ExprKind::Min,
                                             ExprKind::Max, ExprKind::Min, ExprKind::Max};
        static constexpr ExprKind bit_kinds[] = {ExprKind::BitAnd,    ExprKind::BitOr,      ExprKind::BitXor,
                                                 ExprKind::ShiftLeft, ExprKind::ShiftRight, ExprKind::Quotient,
                                                 ExprKind::Remainder};
        const Expr a = value(depth - 1, lanes);
        if (pick(7) == 0) {
            return ir::make_select(condition(depth - 1, lanes), a, value(depth - 1, lanes));
        }
        if (pick(12) == 0 && !type_.is_float()) {
            return through_cast(a);
        }
        const bool by_constant = pick(3) == 0 && !type_.is_float();
        const Expr b = by_constant ? ir::make_int(type_.with_lanes(lanes), pick(12) - 2) : value(depth - 1, lanes);
        if (pick(9) == 0 && !type_.is_float() && magnitude_ == 0) {
            return ir::make_binary(bit_kinds[pick(7)], a, b);
        }
        return ir::make_binary(kinds[pick(11)], a, b);
    }
    Expr through_cast(const Expr &value) {
        static constexpr Type types[] = {Int(8), Int(16), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64)};
        const Type other = types[pick(8)].with_lanes(value.type().lanes());
        return ir::make_cast(value.type(),
                             pick(3) == 0 ? ir::make_saturating_cast(other, value) : ir::make_cast(other, value));
    }

    std::mt19937 random_;
    Type type_;
    int64_t magnitude_; // bound on constants and values; 0 means the whole range of the type
};

} // namespace fluorite::rewrite::testing
