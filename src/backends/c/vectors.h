#pragma once
// Operators on vectors as calls of functions of the C file, one for each operator and type.

#include "backends/c/vector_types.h"
#include "backends/c_text/operators.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::backends::c {

class Vectors {
  public:
    Vectors(c_text::Operators &operators, const machine::MachineModel &machine)
        : operators_(operators), types_(operators.helpers(), machine) {}

    /// The C type of lanes that are held so.
    std::string type_name(Type held) { return types_.name(held); }
    /// Lane i as a scalar of the element's type.
    std::string lane(const Vector &vector, int i) {
        return types_.lane(vector.held, vector.text, i) + (vector.type.is_bool() ? " != 0" : "");
    }

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

    /// All lanes of a scalar, those of a ramp of integers, and the vector of some lanes.
    Vector broadcast(Type type, const std::string &scalar);
    Vector integer_ramp(Type type, const std::string &base, const std::string &stride);
    Vector of_lanes(Type type, const std::vector<std::string> &lanes);
    /// The lanes, by index, of the concatenation of one or two vectors that are held alike.
    Vector shuffle(const std::vector<Vector> &sources, const std::vector<int32_t> &indices);
    /// The vector as a mask of this width, or as the numbers that it is.
    Vector in_lanes(Type held, const Vector &a);

    /// Neighbours in memory, from the address on.
    Vector load(Type type, const std::string &address);
    std::string store(const std::string &address, const Vector &value);

  private:
    /// What a function of vectors a, b and c gives.
    struct Result {
        Type type, held;
        std::string lane;         // from the lanes x, y and z
        std::string native = "";  // an expression, or statements that return, for compilers with vectors; or nothing
        std::string builtin = ""; // the same by a function that some compilers have, and its name before a colon
    };
    /// The function of these operands on each half of them.
    using OfHalves = std::function<Vector(const std::vector<Vector> &halves)>;
    /// A function of one to three vectors. Where one of them, or the result, is a pair, it joins what it gives on
    /// halves.
    Vector call(const std::string &name, const std::vector<Vector> &args, const Result &result,
                const OfHalves &of_halves);
    std::string body_of_pairs(const std::vector<Vector> &args, Type held, const OfHalves &of_halves);
    std::string body_of_lanes(const std::vector<Vector> &args, const Result &result);

    Vector bool_binary(ir::ExprKind kind, const Vector &a, const Vector &b);
    std::string native_binary(ir::ExprKind kind, const Vector &a);
    std::string native_shift(ir::ExprKind kind, const Vector &a, const Vector &amount);
    std::string native_division(ir::ExprKind kind, const Vector &a, int64_t by);
    std::string native_float_to_int(Type from, Type to);
    std::string native_float_to_narrow(Type from, Type to);
    std::string native_clamp(Type from, Type to);
    std::string selected(Type held, const std::string &mask, const std::string &a, const std::string &b);

    c_text::Helpers &helpers() { return operators_.helpers(); }

    c_text::Operators &operators_;
    VectorTypes types_;
};

} // namespace fluorite::backends::c
