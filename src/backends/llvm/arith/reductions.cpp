// Reductions over lanes.
//
// A reduction combines adjacent pairs of lanes as long as the size of a group is even: this is the order that the
// language defines, and each step halves the vector.
//
// Relies on the idioms for sums of products and of bytes (../idioms/), which are integers and may be reordered.

#include "backends/llvm/arith/arith.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ReduceOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value *Arith::combine(ReduceOp op, Type type, Value *a, Value *b) {
    switch (op) {
    case ReduceOp::Add:
        return binary(ExprKind::Add, type, a, b, type);
    case ReduceOp::Mul:
        return binary(ExprKind::Mul, type, a, b, type);
    case ReduceOp::Min:
        return binary(ExprKind::Min, type, a, b, type);
    case ReduceOp::Max:
        return binary(ExprKind::Max, type, a, b, type);
    case ReduceOp::And:
        return b_.CreateAnd(a, b);
    case ReduceOp::Or:
        return b_.CreateOr(a, b);
    case ReduceOp::BitAnd:
        return b_.CreateAnd(a, b);
    case ReduceOp::BitOr:
        return b_.CreateOr(a, b);
    case ReduceOp::BitXor:
        return b_.CreateXor(a, b);
    case ReduceOp::SaturatingAdd:
        return type.is_float()
                   ? binary(ExprKind::Add, type, a, b, type)
                   : b_.CreateBinaryIntrinsic(type.is_int() ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, a, b);
    }
    unreachable("not a reduction");
}

Value *Arith::reduce(ReduceOp op, Type type, Value *value, int lanes) {
    int group = type.lanes() / lanes;
    check(group * lanes == type.lanes(), "a vector reduction has groups of equal size");
    if (op == ReduceOp::Add && type.bits() == 32 && group % 2 == 0) {
        if (Value *sums = add_products(value, group)) {
            group = lanes_of(sums) / lanes;
            value = sums;
        }
    }
    if (op == ReduceOp::Add && type.is_int_or_uint() && type.bits() >= 16 && group % 8 == 0) {
        if (Value *sums = add_bytes(value)) {
            group /= 8;
            value = sums;
        }
    }
    while (group > 1 && group % 2 == 0) {
        const int half = lanes_of(value) / 2;
        value = combine(op, type.with_lanes(half), lanes_.slice(value, 0, half, 2), lanes_.slice(value, 1, half, 2));
        group /= 2;
    }
    if (group == 1) {
        return value;
    }
    Value *result = lanes_.slice(value, 0, lanes, group);
    for (int i = 1; i < group; i++) {
        result = combine(op, type.with_lanes(lanes), result, lanes_.slice(value, i, lanes, group));
    }
    return result;
}

} // namespace fluorite::backends
