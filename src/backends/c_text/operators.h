#pragma once
// Each operator on one lane as an expression of OpenCL C. The operands are names or constants; the result has the type
// of the operator's result (value_type). The meaning is that of interpret/scalar.h, to the bit.

#include "backends/c_text/helpers.h"
#include "ir/expr_node.h"

#include <string>

namespace fluorite::backends::c_text {

/// Whether sums and products may exceed the type and then wrap, or are coordinates, which do not.
enum class Overflow : uint8_t { Wraps, Never };

/// The sign of C of an operator on two operands, or, of a minimum or maximum, that by which it compares.
const char *sign_of(ir::ExprKind kind);
/// An operator in names of functions.
const char *word_of(ir::ExprKind kind);

class Operators {
  public:
    explicit Operators(Helpers &helpers) : helpers_(helpers) {}

    /// Not, BitNot, Abs and the bit counts, on an operand of the type.
    std::string unary(ir::ExprKind kind, Type type, const std::string &a);
    /// Arithmetic, comparisons, logic and bit operators on two operands of the type.
    std::string binary(ir::ExprKind kind, Type type, const std::string &a, const std::string &b,
                       Overflow overflow = Overflow::Wraps);
    /// ShiftLeft and ShiftRight.
    std::string shift(ir::ExprKind kind, Type type, Type amount_type, const std::string &a, const std::string &amount);
    std::string fma(Type type, const std::string &a, const std::string &b, const std::string &c);
    /// a + b, where the sum of integers stops at the ends of the type.
    std::string saturating_sum(Type type, const std::string &a, const std::string &b);
    /// Two values of a reduction, or of an atomic update, as one.
    std::string joined(ir::ReduceOp op, Type type, const std::string &a, const std::string &b);

    std::string cast(Type from, Type to, const std::string &a);
    std::string saturating_cast(Type from, Type to, const std::string &a);
    /// Between types of the same number of bits.
    std::string reinterpret(Type from, Type to, const std::string &a);
    /// The bits of an element's bytes, as a ulong, and back.
    std::string bits_of(Type type, const std::string &a);
    std::string from_bits(Type type, const std::string &bits);

    /// float16 and bfloat16 to float and back.
    std::string widened(Type type, const std::string &a);
    std::string rounded(Type type, const std::string &a);

    /// The hash of a Random after one more operand, and the value in the type.
    std::string random_combine(const std::string &hash, const std::string &operand);
    std::string random_value(Type type, const std::string &hash);

    Helpers &helpers() { return helpers_; }

  private:
    std::string integer_binary(ir::ExprKind kind, Type type, const std::string &a, const std::string &b,
                               Overflow overflow);
    std::string float_binary(ir::ExprKind kind, Type type, const std::string &a, const std::string &b);
    std::string short_float_binary(ir::ExprKind kind, Type type, const std::string &a, const std::string &b);
    std::string division(const char *name, Type type, const std::string &a, const std::string &b);
    std::string count(ir::ExprKind kind, Type type, const std::string &a);
    std::string float_to_int(Type from, Type to, const std::string &a);
    std::string to_short_float(Type from, Type to, const std::string &a);
    std::string clamped(Type from, Type to, const std::string &a);

    Helpers &helpers_;
};

} // namespace fluorite::backends::c_text
