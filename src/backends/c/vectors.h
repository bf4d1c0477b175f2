#pragma once
// Operators on vectors as calls of functions of the C file, one for each operator and type.
//
// A vector of integers or floats is one of the compiler's, or a struct of lanes (fluorite/runtime_c.h). A vector of
// Bools is a mask: integers of 0 or -1, of the width of what has been compared, so that no operator of a comparison or
// selection converts lanes. A 16-bit float is held as its bits.

#include "backends/c_text/operators.h"

#include <string>
#include <vector>

namespace fluorite::backends::c {

/// A vector: its type in the IR, the type of the lanes that hold it, and its text.
struct Vector {
    Type type;
    Type held;
    std::string text;
};

/// The type of the lanes that hold a type: the type itself for numbers, and a mask of 8 bits for Bools.
Type held_as(Type type);
/// The mask that has the width of the lanes of a type.
Type mask_of(Type held);
/// Lane i of the text of a vector, as it is held.
std::string lane_text(const std::string &vector, int i);
/// Lane i, a mask's as bool.
std::string lane_value(const Vector &vector, int i);

class Vectors {
  public:
    explicit Vectors(c_text::Operators &operators) : operators_(operators), helpers_(operators.helpers()) {}

    /// The C type of lanes that are held so.
    std::string type_name(Type held);

    Vector unary(ir::ExprKind kind, const Vector &a);
    Vector binary(ir::ExprKind kind, const Vector &a, const Vector &b);
    /// An integer division or remainder by a positive constant.
    Vector divided(ir::ExprKind kind, const Vector &a, int64_t by);
    Vector shift(ir::ExprKind kind, const Vector &a, const Vector &amount);
    /// A shift by a constant amount in [0, bits).
    Vector shifted(ir::ExprKind kind, const Vector &a, int amount);
    Vector fma(const Vector &a, const Vector &b, const Vector &c);
    Vector select(const Vector &condition, const Vector &a, const Vector &b);
    Vector saturating_sum(const Vector &a, const Vector &b);
    Vector joined(ir::ReduceOp op, const Vector &a, const Vector &b);
    Vector cast(Type to, const Vector &a);
    Vector saturating_cast(Type to, const Vector &a);
    /// Between types of the same number of bytes.
    Vector reinterpret(Type to, const Vector &a);
    /// A math function of one or two operands.
    Vector math(ir::MathOp op, Type result, const std::vector<Vector> &args);
    Vector random_combine(const Vector &hash, const Vector &operand);
    Vector random_value(Type type, const Vector &hash);

    /// All lanes of a scalar, and those of a ramp of integers.
    Vector broadcast(Type type, const std::string &scalar);
    Vector integer_ramp(Type type, const std::string &base, const std::string &stride);
    /// The lanes, by index, of the concatenation of one or two vectors that are held alike.
    Vector shuffle(const std::vector<Vector> &sources, const std::vector<int32_t> &indices);
    /// The vector as a mask of this width, or as the numbers that it is.
    Vector in_lanes(Type held, const Vector &a);

    /// Neighbours in memory, from the address on.
    Vector load(Type type, const std::string &address);
    std::string store(const std::string &address, const Vector &value);

  private:
    /// A function of one to three vectors. `native` is an expression of a, b and c, or statements that return, for
    /// compilers with vectors; empty if there is none. `lane` is the lane of the result from x, y and z.
    Vector call(const std::string &name, Type type, Type held, const std::vector<Vector> &args,
                const std::string &native, const std::string &lane);
    Vector call_bool(const std::string &name, Type held, const std::vector<Vector> &args, const std::string &native,
                     const std::string &lane);
    Vector bool_binary(ir::ExprKind kind, const Vector &a, const Vector &b);
    std::string native_binary(ir::ExprKind kind, const Vector &a);
    std::string native_float_to_int(Type from, Type to);
    std::string native_clamp(Type from, Type to);

    c_text::Operators &operators_;
    c_text::Helpers &helpers_;
};

} // namespace fluorite::backends::c
