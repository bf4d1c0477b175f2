// Shapes of accesses.
//
// Loads and stores of vectors differ by orders of magnitude in cost: one instruction for neighbours, one for each lane
// elsewhere. Vectorization and simplification leave indices as Ramps and Broadcasts wherever lanes are equally spaced,
// so the form of the index decides. access_shape.h has the table of forms.
//
// Does not look into sums and products (vector_algebra.h), nor through lets (let_scope.h). Cost: constant.

#include "lowering/access/access_shape.h"

namespace fluorite::lowering {

using namespace ir;

std::optional<int64_t> AccessShape::constant_stride() const {
    int64_t constant = 0;
    return is_strided() && is_const_int(stride, &constant) ? std::optional(constant) : std::nullopt;
}

AccessShape access_shape(const Expr &index) {
    using Kind = AccessShape::Kind;
    const int lanes = index.type().lanes();
    if (lanes == 1) {
        return {Kind::Scalar, index, {}, 1};
    }
    const bool is_scalar_based = index->arg_count() > 0 && index->arg(0).type().is_scalar();
    switch (index->kind()) {
    case ExprKind::Broadcast:
        return {is_scalar_based ? Kind::Uniform : Kind::Blocks, index->arg(0), {}, lanes};
    case ExprKind::Ramp:
        return {is_scalar_based ? Kind::Strided : Kind::Blocks, index->arg(0), index->arg(1), lanes};
    default: // any vector can be an index; only these two tell where its lanes lie
        return {Kind::Other, {}, {}, lanes};
    }
}

Expr first_of_dense(const Expr &index) {
    const AccessShape shape = access_shape(index);
    return shape.is_dense() ? shape.first : Expr();
}

Expr dense_index(const Expr &first, int lanes) { return make_ramp(first, make_one(first.type()), lanes); }

Expr uniform_value(const Expr &value) {
    const AccessShape shape = access_shape(value);
    return shape.kind == AccessShape::Kind::Scalar || shape.is_uniform() ? shape.first : Expr();
}

} // namespace fluorite::lowering
