// The fast_ functions on float32, as instructions.
//
// What: runtime/math.cpp defines them as fixed sequences of IEEE operations without branches; here are the same sequences for
// vectors, so that a vector costs little more than a scalar. Every operation, constant and order is that of the C function;
// the tests compare all bits. Does not do: float64, where the fast functions are the accurate ones.

#include "backends/llvm/fast_math.h"

#include <llvm/IR/Intrinsics.h>

#include <limits>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr float ln2_high = 0x1.628p-1F;
constexpr float ln2_low = 0x1.90bfbep-11F;
constexpr float half_pi_high = 0x1.92p+0F;
constexpr float half_pi_middle = 0x1.fb4p-12F;
constexpr float half_pi_low = 0x1.4442dp-24F;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float smallest = std::numeric_limits<float>::min();

class FastFloat {
  public:
    FastFloat(llvm::IRBuilder<> &builder, Value *shape)
        : b_(builder), float_(shape->getType()), int_(float_->getWithNewType(b_.getInt32Ty())) {}

    Value *exp(Value *x) {
        Value *upper = b_.CreateSelect(b_.CreateFCmpOGT(x, number(89.0F)), number(89.0F), x);
        Value *clamped = b_.CreateSelect(b_.CreateFCmpOLT(x, number(-104.0F)), number(-104.0F), upper);
        Value *finite = b_.CreateSelect(b_.CreateFCmpORD(x, x), clamped, number(0.0F));
        Value *k = nearest(mul(finite, number(0x1.715476p+0F)));
        Value *r = sub(sub(clamped, mul(k, number(ln2_high))), mul(k, number(ln2_low)));
        Value *p = polynomial(r, {0.0013926926614F, 0.00836377387441F, 0.0416665501103F, 0.166665733819F, 0.5F});
        Value *value = add(add(mul(mul(p, r), r), r), number(1.0F));
        Value *whole = b_.CreateFPToSI(k, int_);
        Value *half = b_.CreateAShr(whole, 1);
        return mul(mul(value, power_of_two(half)), power_of_two(b_.CreateSub(whole, half)));
    }

    Value *log(Value *x) {
        Value *bits = b_.CreateBitCast(x, int_);
        Value *k = b_.CreateAShr(b_.CreateSub(bits, integer(0x3F3504F3)), 23);
        Value *f = sub(b_.CreateBitCast(b_.CreateSub(bits, b_.CreateShl(k, 23)), float_), number(1.0F));
        Value *e = b_.CreateSIToFP(k, float_);
        Value *p = polynomial(f, {-0.0790364370452F, 0.1262373853F, -0.129984906239F, 0.142143565228F, -0.166412474641F,
                                  0.200010483989F, -0.250003070334F, 0.333333307167F});
        Value *square = mul(f, f);
        Value *small = add(sub(mul(mul(p, f), square), mul(number(0.5F), square)), mul(e, number(ln2_low)));
        Value *value = add(add(small, f), mul(e, number(ln2_high)));
        Value *negative =
            b_.CreateSelect(b_.CreateFCmpOGT(x, number(-smallest)), number(-infinity), number(not_a_number));
        Value *large = b_.CreateSelect(b_.CreateFCmpOEQ(x, number(infinity)), number(infinity), value);
        Value *positive = b_.CreateSelect(b_.CreateFCmpOLT(x, number(smallest)), number(-infinity), large);
        return b_.CreateSelect(b_.CreateFCmpOGE(x, number(0.0F)), positive, negative);
    }

    /// The sine of x + quadrant * pi/2.
    Value *sine(Value *x, uint32_t quadrant) {
        Value *scaled = mul(x, number(0x1.45f306p-1F));
        Value *in_range =
            b_.CreateAnd(b_.CreateFCmpOGT(scaled, number(-0x1p+30F)), b_.CreateFCmpOLT(scaled, number(0x1p+30F)));
        Value *k = b_.CreateSelect(in_range, nearest(scaled), number(0.0F));
        Value *r =
            sub(sub(sub(x, mul(k, number(half_pi_high))), mul(k, number(half_pi_middle))), mul(k, number(half_pi_low)));
        Value *z = mul(r, r);
        Value *s = polynomial(z, {-0.000195828306788F, 0.00833272461378F, -0.166666645394F});
        Value *sine = add(mul(mul(s, z), r), r);
        Value *c = polynomial(z, {2.45428711105e-5F, -0.00138882793306F, 0.0416666645363F});
        Value *cosine = add(sub(mul(mul(c, z), z), mul(number(0.5F), z)), number(1.0F));
        Value *q = b_.CreateAdd(b_.CreateFPToSI(k, int_), integer(quadrant));
        const auto has = [&](uint32_t bit) { return b_.CreateICmpNE(b_.CreateAnd(q, integer(bit)), integer(0)); };
        Value *value = b_.CreateSelect(has(1), cosine, sine);
        Value *result = b_.CreateSelect(has(2), b_.CreateFNeg(value), value);
        return b_.CreateSelect(in_range, result, number(not_a_number));
    }

    Value *pow(Value *x, Value *y) {
        Value *value = exp(mul(log(x), y));
        Value *zero_base = b_.CreateSelect(b_.CreateFCmpOGT(y, number(0.0F)), number(0.0F), value);
        Value *other = b_.CreateSelect(b_.CreateFCmpOEQ(x, number(0.0F)), zero_base, value);
        return b_.CreateSelect(b_.CreateFCmpOEQ(y, number(0.0F)), number(1.0F), other);
    }

  private:
    Value *number(float value) { return llvm::ConstantFP::get(float_, static_cast<double>(value)); }
    Value *integer(uint32_t value) { return llvm::ConstantInt::get(int_, value); }
    Value *add(Value *a, Value *b) { return b_.CreateFAdd(a, b); }
    Value *sub(Value *a, Value *b) { return b_.CreateFSub(a, b); }
    Value *mul(Value *a, Value *b) { return b_.CreateFMul(a, b); }
    Value *nearest(Value *x) { return b_.CreateUnaryIntrinsic(Intrinsic::nearbyint, x); }
    Value *power_of_two(Value *k) { return b_.CreateBitCast(b_.CreateShl(b_.CreateAdd(k, integer(127)), 23), float_); }
    /// Horner's scheme, highest power first.
    Value *polynomial(Value *x, std::initializer_list<float> coefficients) {
        Value *p = nullptr;
        for (float c : coefficients) {
            p = p ? add(mul(p, x), number(c)) : number(c);
        }
        return p;
    }

    llvm::IRBuilder<> &b_;
    llvm::Type *float_, *int_;
};

} // namespace

Value *fast_float(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<Value *> args) {
    FastFloat fast(builder, args[0]);
    switch (op) {
    case ir::MathOp::FastExp:
        return fast.exp(args[0]);
    case ir::MathOp::FastLog:
        return fast.log(args[0]);
    case ir::MathOp::FastSin:
        return fast.sine(args[0], 0);
    case ir::MathOp::FastCos:
        return fast.sine(args[0], 1);
    case ir::MathOp::FastPow:
        return fast.pow(args[0], args[1]);
    default:
        return nullptr;
    }
}

} // namespace fluorite::backends
