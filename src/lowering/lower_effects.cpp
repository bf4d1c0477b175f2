// The last nodes that no back end should need to know.
//
// What:
//   random(a, b)                      -->   the integer arithmetic of its hash; a float is (hash >> 8) * 2^-24
//   likely(c), likely_if_innermost(c) -->   c
// The hash is that of fluorite_random_u32 in runtime/math.cpp, operation by operation, so machine code and interpreter agree
// bit for bit:
//   h = hash * 0x9E3779B1 + operand;  h ^= h >> 16;  h *= 0x85EBCA6B;  h ^= h >> 13;  h *= 0xC2B2AE35;  h ^= h >> 16
//
// Works on scalars and vectors alike. Relies on: the operands of random being Int32 of the lanes of its result.
// Cost: linear; a random node becomes ten nodes for each operand.

#include "lowering/late_passes.h"

#include "fluorite/runtime_math.h"

#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// h ^ (h >> bits)
Expr fold_high_bits(const Expr &hash, int bits) {
    return make_binary(ExprKind::BitXor, hash, make_binary(ExprKind::ShiftRight, hash, make_int(hash.type(), bits)));
}

Expr combine(const Expr &hash, const Expr &operand) {
    const Type type = hash.type();
    Expr h = add(mul(hash, make_uint(type, 0x9E3779B1U)), make_reinterpret(type, operand));
    h = mul(fold_high_bits(h, 16), make_uint(type, 0x85EBCA6BU));
    h = mul(fold_high_bits(h, 13), make_uint(type, 0xC2B2AE35U));
    return fold_high_bits(h, 16);
}

Expr hash_arithmetic(const Expr &random) {
    const Type bits = UInt(32, random.type().lanes());
    Expr hash = make_uint(bits, fluorite_random_seed);
    for (const Expr &operand : random->args()) {
        hash = combine(hash, operand);
    }
    if (random.type().is_float()) {
        const Expr high = make_binary(ExprKind::ShiftRight, hash, make_uint(bits, 8));
        return mul(make_cast(random.type(), high), make_float(random.type(), 0x1p-24));
    }
    return make_reinterpret(random.type(), hash);
}

class EffectLowerer : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        switch (result->kind()) {
        case ExprKind::Random:
            result = hash_arithmetic(result);
            break;
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            result = result->arg(0);
            break;
        default:
            break;
        }
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }

  private:
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_;
};

} // namespace

Stmt lower_effects(const Stmt &stmt, const PassContext &) {
    return stmt.defined() ? EffectLowerer().mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
