// Every operator on every type: machine code, scalar and vector, gives the bits of the interpreter.
//
// The operands are random bits mixed with special values: 0, 1, -1, the limits of the type, and for floats NaN,
// infinities, both zeros, subnormals and halves.

#include "driver/compiled.h"
#include "driver/test_interpreter.h"
#include "ir/expr_node.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace fluorite::agreement_test {
namespace {

using ir::ExprKind;

const std::vector<Type> all_types = {Int(8),   Int(16), Int(32),   Int(64),    UInt(8),   UInt(16), UInt(32),
                                     UInt(64), Bool(),  Float(16), BFloat(16), Float(32), Float(64)};
constexpr int count = 203; // odd, so that vectors have a tail

/// The bits of the special values.
std::vector<uint64_t> special_bits(Type type) {
    const uint64_t ones = type.bits() == 64 ? UINT64_MAX : (uint64_t{1} << type.bits()) - 1;
    const uint64_t top = uint64_t{1} << (type.bits() - 1);
    std::vector<uint64_t> bits = {0, 1, ones, top, top - 1, 2 & ones, 7 & ones, ones - 1};
    if (type.is_float()) {
        const int fraction = type.is_bfloat() ? 7 : (type.bits() == 16 ? 10 : (type.bits() == 32 ? 23 : 52));
        const uint64_t infinity = (top - 1) >> fraction << fraction;
        const uint64_t half = uint64_t{1} << (fraction - 1);
        const uint64_t one = ((infinity >> fraction) / 2) << fraction;
        bits = {0,   top,       1,          infinity,         infinity | top,          infinity | half, infinity - 1,
                one, one | top, one | half, one + (2 * half), (one | half) + 4 * half, one - 2 * half};
    }
    return bits;
}

/// Operands of the type; `seed` determines how special values are combined.
Buffer<> operands(Type type, unsigned seed) {
    Buffer<> buffer(type, count);
    const std::vector<uint64_t> special = special_bits(type);
    std::mt19937_64 random(seed * 977 + type.key());
    uint8_t *at = buffer.raw_buffer()->host;
    for (int i = 0; i < count; i++, at += type.bytes()) {
        uint64_t bits = random();
        const size_t n = special.size();
        if (static_cast<size_t>(i) < n * n) {
            bits = special[seed == 0 ? static_cast<size_t>(i) % n : static_cast<size_t>(i) / n];
        } else if (type.is_float() && i % 2 == 0) {
            // Of moderate size, so that results are finite.
            const double value = static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-58;
            const float narrow = static_cast<float>(value);
            bits = type.bits() == 64
                       ? std::bit_cast<uint64_t>(value)
                       : (type.bits() == 32
                              ? std::bit_cast<uint32_t>(narrow)
                              : (type.is_bfloat() ? bfloat16_t(narrow).to_bits() : float16_t(narrow).to_bits()));
        }
        bits = type.is_bool() ? bits & 1 : bits;
        std::memcpy(at, &bits, static_cast<size_t>(type.bytes()));
    }
    return buffer;
}

/// One value per row: its description and its expression.
using Cases = std::vector<std::pair<std::string, Expr>>;

/// Compares scalar and vector machine code with the interpreter.
void check_agreement(const Cases &cases, const std::string &what) {
    const Var x("x");
    std::vector<Expr> values;
    for (const auto &[name, value] : cases) {
        values.push_back(value);
    }
    for (const int lanes : {1, 16}) {
        Func f("f");
        f(x) = Tuple(values);
        if (lanes > 1) {
            f.vectorize(x, lanes, TailStrategy::GuardWithIf);
        }
        const Target target = get_jit_target_from_environment();
        const Realization machine = f.realize({count}, target);
        const auto frozen = driver::freeze_for(*Pipeline({f}).contents(), target);
        const Realization expected = f.realize({count}, target); // allocates buffers of the right types
        std::vector<fluorite_buffer_t *> raw;
        for (const Buffer<> &buffer : expected) {
            raw.push_back(buffer.raw_buffer());
            std::memset(buffer.raw_buffer()->host, 0x55, buffer.raw_buffer()->size_in_bytes());
        }
        interpret::evaluate(frozen.graph, 0, region_of(*raw[0]), raw);
        for (size_t i = 0; i < cases.size(); i++) {
            const interpret::Comparison result = interpret::compare_bits(*raw[i], *machine[i].raw_buffer());
            EXPECT_TRUE(result) << what << ", " << cases[i].first << ", lanes " << lanes
                                << ": interpreter and machine: " << result.text;
        }
    }
}

Expr at(const Buffer<> &buffer) { return buffer(Var("x")); }

class Agreement : public testing::TestWithParam<size_t> {
  protected:
    Type type() const { return all_types[GetParam()]; }
};

TEST_P(Agreement, Operators) {
    const Buffer<> a_buffer = operands(type(), 0), b_buffer = operands(type(), 1), c_buffer = operands(type(), 2);
    const Expr a = at(a_buffer), b = at(b_buffer), c = at(c_buffer);
    Cases cases;
    const auto binary = [&](std::initializer_list<ExprKind> kinds) {
        for (ExprKind kind : kinds) {
            cases.emplace_back(ir::kind_name(kind), ir::make_binary(kind, a, b));
        }
    };
    binary({ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div, ExprKind::Mod, ExprKind::Min, ExprKind::Max,
            ExprKind::AbsDiff, ExprKind::EQ, ExprKind::NE, ExprKind::LT, ExprKind::LE, ExprKind::GT, ExprKind::GE});
    cases.emplace_back("abs", ir::make_unary(ExprKind::Abs, a));
    cases.emplace_back("select", ir::make_select(ir::less(a, b), c, a));
    if (type().is_int_or_uint()) {
        binary({ExprKind::Quotient, ExprKind::Remainder, ExprKind::BitAnd, ExprKind::BitOr, ExprKind::BitXor});
        for (ExprKind kind :
             {ExprKind::BitNot, ExprKind::CountOnes, ExprKind::CountLeadingZeros, ExprKind::CountTrailingZeros}) {
            cases.emplace_back(ir::kind_name(kind), ir::make_unary(kind, a));
        }
    } else {
        cases.emplace_back("fma", ir::make_fma(a, b, c));
        cases.emplace_back("a*b+c", ir::add(ir::mul(a, b), c));
    }
    if (type().is_bool()) {
        binary({ExprKind::And, ExprKind::Or});
        cases.emplace_back("!", ir::make_unary(ExprKind::Not, a));
    }
    check_agreement(cases, to_string(type()));
}

TEST_P(Agreement, DivisionByConstants) {
    const Buffer<> buffer = operands(type(), 3);
    const Expr a = at(buffer);
    Cases cases;
    for (int64_t divisor : {1, 2, 3, 5, 7, 8, 10, 64, 100, -1, -2, -3, -7, -16, -100, 127, 0}) {
        if (type().is_bool() || (type().is_uint() && divisor < 0)) {
            continue;
        }
        const Expr b = ir::make_const(type(), divisor);
        for (ExprKind kind : {ExprKind::Div, ExprKind::Mod, ExprKind::Quotient, ExprKind::Remainder}) {
            if (!type().is_float() || kind == ExprKind::Div || kind == ExprKind::Mod) {
                cases.emplace_back(std::string(ir::kind_name(kind)) + " " + std::to_string(divisor),
                                   ir::make_binary(kind, a, b));
            }
        }
    }
    if (!cases.empty()) {
        check_agreement(cases, to_string(type()));
    }
}

TEST_P(Agreement, Shifts) {
    if (!type().is_int_or_uint() || type().is_bool()) {
        return;
    }
    const Buffer<> value_buffer = operands(type(), 0);
    Cases cases;
    std::vector<Buffer<>> kept;
    for (Type amount_type : {type().with_code(TypeCode::Int), type().with_code(TypeCode::UInt)}) {
        kept.push_back(operands(amount_type, 1));
        const Expr wild = at(kept.back());
        // Most amounts are close to the width of the type.
        const Expr near = ir::sub(ir::mod(wild, ir::make_const(amount_type, 41)),
                                  ir::make_const(amount_type, amount_type.is_int() ? 20 : 0));
        for (const Expr &amount : {wild, near}) {
            for (ExprKind kind : {ExprKind::ShiftLeft, ExprKind::ShiftRight}) {
                cases.emplace_back(std::string(ir::kind_name(kind)) + " by " + to_string(amount_type),
                                   ir::make_binary(kind, at(value_buffer), amount));
            }
        }
    }
    check_agreement(cases, to_string(type()));
}

TEST_P(Agreement, Conversions) {
    const Buffer<> buffer = operands(type(), 4);
    Cases cases;
    for (Type to : all_types) {
        cases.emplace_back("cast to " + to_string(to), ir::make_cast(to, at(buffer)));
        cases.emplace_back("saturating cast to " + to_string(to), ir::make_saturating_cast(to, at(buffer)));
        if (to.bits() == type().bits()) {
            cases.emplace_back("reinterpret as " + to_string(to), ir::make_reinterpret(to, at(buffer)));
        }
    }
    check_agreement(cases, to_string(type()));
}

TEST_P(Agreement, MathFunctions) {
    if (!type().is_float()) {
        return;
    }
    const Buffer<> a_buffer = operands(type(), 0), b_buffer = operands(type(), 1);
    const std::vector<Expr> args = {at(a_buffer), at(b_buffer)};
    Cases cases;
#define FLUORITE_MATH(op, text, arity, ...)                                                                            \
    cases.emplace_back(text, ir::make_math(ir::MathOp::op, std::span<const Expr>(args).first(arity)));
#include "ir/math_ops.def"
#undef FLUORITE_MATH
    check_agreement(cases, to_string(type()));
}

INSTANTIATE_TEST_SUITE_P(EveryType, Agreement, testing::Range(size_t{0}, all_types.size()),
                         [](const auto &info) { return to_string(all_types[info.param]); });

TEST(AgreementOf, Random) {
    const Var x("x");
    Cases cases;
    for (Type type : {UInt(32), Int(32), Float(32)}) {
        cases.emplace_back(to_string(type),
                           ir::ExprNode::create(ExprKind::Random, type, {Expr(x) * 77 - 5000, Expr(3)}));
    }
    check_agreement(cases, "random");
}

} // namespace
} // namespace fluorite::agreement_test
