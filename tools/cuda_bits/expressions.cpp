// Each kind of expression in each type, alone and in random terms. What is defined on a type is asked of the scalar
// operators of the interpreter.

#include "builder.h"
#include "interpret/scalar.h"
#include "ir/expr_traits.h"
#include "ir/text_names.h"
#include "support/check.h"

#include <functional>

namespace fluorite::cuda_bits {

using namespace ir;

namespace {

constexpr ExprKind unary_kinds[] = {ExprKind::Not,
                                    ExprKind::BitNot,
                                    ExprKind::Abs,
                                    ExprKind::CountOnes,
                                    ExprKind::CountLeadingZeros,
                                    ExprKind::CountTrailingZeros};
constexpr ExprKind binary_kinds[] = {
    ExprKind::Add,       ExprKind::Sub,   ExprKind::Mul,   ExprKind::Div,     ExprKind::Mod, ExprKind::Quotient,
    ExprKind::Remainder, ExprKind::Min,   ExprKind::Max,   ExprKind::AbsDiff, ExprKind::EQ,  ExprKind::NE,
    ExprKind::LT,        ExprKind::LE,    ExprKind::GT,    ExprKind::GE,      ExprKind::And, ExprKind::Or,
    ExprKind::BitAnd,    ExprKind::BitOr, ExprKind::BitXor};
constexpr ExprKind shifts[] = {ExprKind::ShiftLeft, ExprKind::ShiftRight};

struct MathRow {
    MathOp op;
    size_t operands;
};
constexpr MathRow math_rows[] = {
#define FLUORITE_MATH(Op, name, operands, ...) {MathOp::Op, operands},
#include "ir/math_ops.def"
#undef FLUORITE_MATH
};

std::vector<Type> types_where(const std::function<bool(Type)> &holds) {
    std::vector<Type> result;
    for (const Type &type : all_types()) {
        if (holds(type)) {
            result.push_back(type);
        }
    }
    return result;
}

bool has_unary(ExprKind kind, Type type) { return interpret::find_unary(kind, type.element_of()) != nullptr; }
bool has_binary(ExprKind kind, Type type) { return interpret::find_binary(kind, type.element_of()) != nullptr; }

class Cases {
  public:
    explicit Cases(int lanes) : lanes_(lanes) {}
    std::vector<Case> made;

    void operators() {
        for (const Type &type : all_types()) {
            for (const ExprKind kind : unary_kinds) {
                if (has_unary(kind, type)) {
                    add(concat(kind_name(kind), " ", type),
                        [&](const Builder &b) { return make_unary(kind, b.operand(type, 0)); });
                }
            }
            for (const ExprKind kind : binary_kinds) {
                if (has_binary(kind, type)) {
                    binary(kind, type);
                }
            }
            add(concat("select ", type), [&](const Builder &b) {
                return make_select(b.operand(Bool(), 0), b.operand(type, 1), b.operand(type, 2));
            });
            for (const ExprKind kind : shifts) {
                for (const Type &amount : {type.with_code(TypeCode::Int), type.with_code(TypeCode::UInt)}) {
                    if (interpret::find_shift(kind, type, amount) && !amount.is_bool() && !type.is_bool()) {
                        add(concat(kind_name(kind), " ", type, " by ", amount), [&](const Builder &b) {
                            const Expr small =
                                make_binary(ExprKind::Mod, b.operand(amount, 1),
                                            b.constant(amount, 2 * type.bits() < 128 ? 2 * type.bits() : 70));
                            return make_binary(kind, b.operand(type, 0), small);
                        });
                    }
                }
            }
            if (type.is_float()) {
                floats(type);
            }
        }
    }
    void conversions() {
        for (const Type &from : all_types()) {
            for (const Type &to : all_types()) {
                if (from == to) {
                    continue;
                }
                add(concat("cast ", from, " to ", to),
                    [&](const Builder &b) { return make_cast(to.with_lanes(b.lanes()), b.operand(from, 0)); });
                if (interpret::find_saturating_cast(from, to)) {
                    add(concat("saturating_cast ", from, " to ", to), [&](const Builder &b) {
                        return make_saturating_cast(to.with_lanes(b.lanes()), b.operand(from, 0));
                    });
                }
                if (from.bits() == to.bits() && interpret::find_reinterpret(from, to)) {
                    add(concat("reinterpret ", from, " to ", to), [&](const Builder &b) {
                        return make_reinterpret(to.with_lanes(b.lanes()), b.operand(from, 0));
                    });
                }
            }
        }
    }
    void math() {
        for (const MathRow &row : math_rows) {
            for (const Type &type : types_where([](Type t) { return t.is_float(); })) {
                add(concat(math_name(row.op), " ", type), [&](const Builder &b) {
                    const Expr args[] = {b.operand(type, 0), b.operand(type, 1)};
                    return make_math(row.op, std::span(args, row.operands));
                });
            }
        }
    }

  private:
    int lanes_;

    void add(const std::string &name, const std::function<Expr(const Builder &)> &value) {
        const Builder builder(lanes_);
        made.push_back(builder.finish(name, value(builder)));
    }
    void binary(ExprKind kind, Type type) {
        add(concat(kind_name(kind), " ", type),
            [&](const Builder &b) { return make_binary(kind, b.operand(type, 0), b.operand(type, 1)); });
        const bool divides =
            kind == ExprKind::Div || kind == ExprKind::Mod || kind == ExprKind::Quotient || kind == ExprKind::Remainder;
        const bool is_extremum = kind == ExprKind::Min || kind == ExprKind::Max;
        if (!type.is_bool() && (divides || is_extremum)) {
            for (const int64_t constant : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{3}, int64_t{7}, int64_t{-4}}) {
                if (constant < 0 && type.is_uint()) {
                    continue;
                }
                if (constant == 0 && divides && type.is_float()) {
                    continue;
                }
                this->add(concat(kind_name(kind), " ", type, " by ", constant), [&](const Builder &b) {
                    return make_binary(kind, b.operand(type, 0), b.constant(type, constant));
                });
            }
        }
    }
    void floats(Type type) {
        add(concat("fma ", type),
            [&](const Builder &b) { return make_fma(b.operand(type, 0), b.operand(type, 1), b.operand(type, 2)); });
        add(concat("a * b + c ", type),
            [&](const Builder &b) { return ir::add(mul(b.operand(type, 0), b.operand(type, 1)), b.operand(type, 2)); });
        add(concat("max(-0, a) ", type),
            [&](const Builder &b) { return max_of(b.operand(type, 0), make_float(type.with_lanes(b.lanes()), -0.0)); });
        add(concat("a / 3 + b / 0.1 ", type), [&](const Builder &b) {
            return ir::add(div(b.operand(type, 0), make_float(type.with_lanes(b.lanes()), 3.0)),
                           div(b.operand(type, 1), make_float(type.with_lanes(b.lanes()), 0.1)));
        });
        add(concat("select(a < b, a, 0) ", type), [&](const Builder &b) {
            const Expr x = b.operand(type, 0), zero = b.constant(type, 0);
            return make_select(less(x, zero), x, zero);
        });
    }
};

/// Random terms over the inputs.
class Terms {
  public:
    Terms(const Builder &builder, Random &random) : b_(builder), random_(random) {}

    /// A term of the type (of one lane; terms have as many as the case).
    Expr make(Type type, int depth) {
        if (depth == 0 || random_.chance(8)) {
            return leaf(type);
        }
        if (type.is_bool()) {
            return condition(depth);
        }
        if (random_.chance(12)) {
            return make_select(make(Bool(), depth - 1), make(type, depth - 1), make(type, depth - 1));
        }
        if (random_.chance(20)) {
            return converted(type, depth);
        }
        if (type.is_float() && random_.chance(20)) {
            return function(type, depth);
        }
        if (random_.chance(10)) {
            return unary(type, depth);
        }
        return binary(type, depth);
    }

  private:
    const Builder &b_;
    Random &random_;

    Expr leaf(Type type) {
        if (random_.chance(20)) {
            static const std::vector<int64_t> numbers = {0, 1, 2, 3, 5, 7, 10, 16, 100, 127, 255, 1000, 65535};
            return b_.constant(type, type.is_bool()
                                         ? random_.in(0, 1)
                                         : random_.of(numbers) % (int64_t{1} << std::min(type.bits() - 1, 40)));
        }
        return b_.operand(type, random_.in(0, 3));
    }
    Expr in_type(Type type, const Expr &value) {
        return value.type() == type.with_lanes(b_.lanes()) ? value : make_cast(type.with_lanes(b_.lanes()), value);
    }
    Expr condition(int depth) {
        const Type of = random_.of(all_types());
        static const std::vector<ExprKind> kinds = {ExprKind::EQ, ExprKind::NE, ExprKind::LT,
                                                    ExprKind::LE, ExprKind::GT, ExprKind::GE};
        switch (random_.in(0, 4)) {
        case 0:
            return make_binary(random_.chance(50) ? ExprKind::And : ExprKind::Or, make(Bool(), depth - 1),
                               make(Bool(), depth - 1));
        case 1:
            return make_unary(ExprKind::Not, make(Bool(), depth - 1));
        default:
            return make_binary(random_.of(kinds), make(of, depth - 1), make(of, depth - 1));
        }
    }
    Expr converted(Type type, int depth) {
        const Type from = random_.of(all_types());
        const Type wide = type.with_lanes(b_.lanes());
        if (random_.chance(15) && !type.is_float()) { // of a float, which may be a NaN, the bits are not defined
            const Type same = type.with_code(type.is_int() ? TypeCode::UInt : TypeCode::Int);
            return make_reinterpret(wide, make(same, depth - 1));
        }
        const Expr value = make(from, depth - 1);
        return random_.chance(40) && interpret::find_saturating_cast(from, type) && from != type
                   ? make_saturating_cast(wide, value)
                   : in_type(type, value);
    }
    Expr function(Type type, int depth) {
        static const std::vector<MathOp> ops = {MathOp::Sqrt,  MathOp::Floor, MathOp::Ceil,
                                                MathOp::Round, MathOp::Trunc, MathOp::FastInverse};
        if (random_.chance(40)) {
            return make_fma(make(type, depth - 1), make(type, depth - 1), make(type, depth - 1));
        }
        const Expr args[] = {make(type, depth - 1)};
        return make_math(random_.of(ops), args);
    }
    Expr unary(Type type, int depth) {
        std::vector<ExprKind> kinds;
        for (const ExprKind kind : unary_kinds) {
            if (has_unary(kind, type)) {
                kinds.push_back(kind);
            }
        }
        return kinds.empty() ? leaf(type) : in_type(type, make_unary(random_.of(kinds), make(type, depth - 1)));
    }
    Expr binary(Type type, int depth) {
        if (!type.is_float() && random_.chance(12)) {
            const Type amount = random_.chance(50) ? type.with_code(TypeCode::Int) : type.with_code(TypeCode::UInt);
            if (interpret::find_shift(ExprKind::ShiftLeft, type, amount)) {
                return make_binary(random_.chance(50) ? ExprKind::ShiftLeft : ExprKind::ShiftRight,
                                   make(type, depth - 1), make(amount, depth - 1));
            }
        }
        std::vector<ExprKind> kinds;
        for (const ExprKind kind : binary_kinds) {
            if (has_binary(kind, type) && !is_comparison(kind)) {
                kinds.push_back(kind);
            }
        }
        return in_type(type, make_binary(random_.of(kinds), make(type, depth - 1), make(type, depth - 1)));
    }
};

} // namespace

std::vector<Case> expression_cases() {
    std::vector<Case> result;
    for (const int lanes : {1, 4}) {
        Cases cases(lanes);
        cases.operators();
        cases.conversions();
        cases.math();
        result.insert(result.end(), cases.made.begin(), cases.made.end());
    }
    return result;
}

std::vector<Case> random_cases(uint64_t seed, int count) {
    std::vector<Case> result;
    Random random(seed);
    static const std::vector<int> widths = {1, 1, 2, 4, 8};
    for (int i = 0; i < count; i++) {
        const Builder builder(random.of(widths));
        Terms terms(builder, random);
        const Type type = random.of(all_types());
        result.push_back(builder.finish(concat("random ", seed, ":", i, " ", type), terms.make(type, random.in(2, 5))));
    }
    return result;
}

} // namespace fluorite::cuda_bits
