#pragma once
// Where the lanes of an access lie, as far as the form of its index tells.
//
//   f[i]                                             Scalar
//   f[broadcast(i, 8)]                               Uniform: all lanes access one element
//   f[ramp(i, 1, 8)]                                 Strided, and dense
//   f[ramp(i, s, 8)]                                 Strided
//   f[ramp(ramp(i, 1, 8), broadcast(w, 8), 4)]       Blocks: four vectors, each `w` after the one before
//   f[g[ramp(i, 1, 8)]]                              Other
//
// The answer is about the form. An index whose form differs is Other although its lanes may be neighbours:
// vector_algebra.h and the simplifier bring indices into form. Cost: constant.

#include "ir/expr_node.h"

#include <optional>

namespace fluorite::lowering {

struct AccessShape {
    enum class Kind : uint8_t {
        Scalar,  // one lane
        Uniform, // every lane at `first`
        Strided, // lane i at first + i * stride
        Blocks,  // vectors at first, first + stride, ...; or copies of `first`, if there is no stride
        Other,   // anything else
    };
    Kind kind = Kind::Other;
    Expr first;  // undefined where Other; a vector where Blocks, and otherwise a scalar
    Expr stride; // of the type of `first`; defined where Strided, and where Blocks has different ones
    int lanes = 1;

    bool is_uniform() const { return kind == Kind::Uniform; }
    bool is_strided() const { return kind == Kind::Strided; }
    /// The stride of Strided lanes, where it is a constant.
    std::optional<int64_t> constant_stride() const;
    /// Whether the lanes are neighbours in increasing order.
    bool is_dense() const { return constant_stride() == 1; }
};

AccessShape access_shape(const Expr &index);

/// The element of the first lane, if the lanes are neighbours in increasing order; else undefined.
Expr first_of_dense(const Expr &index);
/// The index of `lanes` neighbours, of which the first is at the scalar `first`.
Expr dense_index(const Expr &first, int lanes);

/// The scalar that every lane of a value is, by its form: a scalar itself, or the operand of a broadcast. Else
/// undefined.
Expr uniform_value(const Expr &value);

} // namespace fluorite::lowering
