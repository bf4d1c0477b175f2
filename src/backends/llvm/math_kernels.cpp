// The float32 math functions of fluorite/runtime_math_kernels.h as LLVM instructions, for scalars and vectors of any
// width.
//
// VectorMath provides the operations that the kernels are written in; each is one LLVM instruction or a few. Where some
// lane has an argument that only the C library handles, emit/calls/math_calls.cpp calls the runtime's scalar function
// for all lanes, in a cold block; it computes the same bits for the other lanes.
//
// Requires fused multiply-add in hardware; without it the runtime's functions are called lane by lane. The functions on
// float64 have no kernels: they are the C library's.

#include "backends/llvm/math_kernels.h"

#include "fluorite/runtime_math_kernels.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;
namespace kernels = math_kernels;

namespace {

/// A vector (or scalar) of elements of type T, with the operators of T.
template <typename T> struct LaneValues {
    llvm::IRBuilder<> *b;
    Value *value;
};

template <typename T> LaneValues<T> operator+(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFAdd(x.value, y.value)};
}
template <typename T> LaneValues<T> operator-(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFSub(x.value, y.value)};
}
template <typename T> LaneValues<T> operator*(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFMul(x.value, y.value)};
}
template <typename T> LaneValues<T> operator/(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFDiv(x.value, y.value)};
}
template <typename T> LaneValues<bool> operator<(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFCmpOLT(x.value, y.value)};
}
template <typename T> LaneValues<bool> operator>(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFCmpOGT(x.value, y.value)};
}
template <typename T> LaneValues<bool> operator==(LaneValues<T> x, LaneValues<T> y) {
    return {x.b, x.b->CreateFCmpOEQ(x.value, y.value)};
}

class VectorMath {
  public:
    using Single = LaneValues<float>;
    using Double = LaneValues<double>;
    using Int = LaneValues<int32_t>;
    using Long = LaneValues<int64_t>;
    using Bool = LaneValues<bool>;

    VectorMath(llvm::IRBuilder<> &builder, Value *shape)
        : b_(builder), single_(shape->getType()), double_(single_->getWithNewType(b_.getDoubleTy())),
          int_(single_->getWithNewType(b_.getInt32Ty())), long_(single_->getWithNewType(b_.getInt64Ty())) {}

    Single single(float value) const { return {&b_, llvm::ConstantFP::get(single_, static_cast<double>(value))}; }
    Double number(double value) const { return {&b_, llvm::ConstantFP::get(double_, value)}; }
    Double fma(Double x, Double y, Double z) const {
        return {&b_, b_.CreateIntrinsic(Intrinsic::fma, {double_}, {x.value, y.value, z.value})};
    }
    Double widen(Single x) const { return {&b_, b_.CreateFPExt(x.value, double_)}; }
    Single fma(Single x, Single y, Single z) const {
        return {&b_, b_.CreateIntrinsic(Intrinsic::fma, {single_}, {x.value, y.value, z.value})};
    }
    Single narrow(Double x) const { return {&b_, b_.CreateFPTrunc(x.value, single_)}; }
    Double to_double(Int x) const { return {&b_, b_.CreateSIToFP(x.value, double_)}; }
    Single to_single(Int x) const { return {&b_, b_.CreateSIToFP(x.value, single_)}; }
    Int plus(Int x, Int y) const { return {&b_, b_.CreateAdd(x.value, y.value)}; }
    Bool has_bit(Int x, int32_t bit) const {
        Value *masked = b_.CreateAnd(x.value, llvm::ConstantInt::getSigned(int_, bit));
        return {&b_, b_.CreateICmpNE(masked, llvm::ConstantInt::getSigned(int_, 0))};
    }
    Int bits(Single x) const { return {&b_, b_.CreateBitCast(x.value, int_)}; }
    Long bits(Double x) const { return {&b_, b_.CreateBitCast(x.value, long_)}; }
    Single from_bits(Int x) const { return {&b_, b_.CreateBitCast(x.value, single_)}; }
    Double from_bits(Long x) const { return {&b_, b_.CreateBitCast(x.value, double_)}; }
    Int minus(Int x, Int y) const { return {&b_, b_.CreateSub(x.value, y.value)}; }
    Int minus_constant(Int x, int32_t y) const {
        return {&b_, b_.CreateSub(x.value, llvm::ConstantInt::getSigned(int_, y))};
    }
    Long plus(Long x, Long y) const { return {&b_, b_.CreateAdd(x.value, y.value)}; }
    Long plus_constant(Long x, int64_t y) const { return plus(x, constant(y)); }
    Long both_bits(Long x, int64_t mask) const { return {&b_, b_.CreateAnd(x.value, constant(mask).value)}; }
    Long other_bits(Long x, Long y) const { return {&b_, b_.CreateXor(x.value, y.value)}; }
    Long either_bits(Long x, Long y) const { return {&b_, b_.CreateOr(x.value, y.value)}; }
    template <typename T> T left(T x, int by) const { return {&b_, b_.CreateShl(x.value, static_cast<uint64_t>(by))}; }
    Int right(Int x, int by) const { return {&b_, b_.CreateAShr(x.value, static_cast<uint64_t>(by))}; }
    Bool is_zero(Long x) const { return {&b_, b_.CreateICmpEQ(x.value, constant(0).value)}; }
    Bool is_negative(Int x) const { return {&b_, b_.CreateICmpSLT(x.value, llvm::ConstantInt::getSigned(int_, 0))}; }
    template <typename T> T abs(T x) const { return {&b_, b_.CreateUnaryIntrinsic(Intrinsic::fabs, x.value)}; }
    Double sqrt(Double x) const { return {&b_, b_.CreateUnaryIntrinsic(Intrinsic::sqrt, x.value)}; }
    Single trunc(Single x) const { return {&b_, b_.CreateUnaryIntrinsic(Intrinsic::trunc, x.value)}; }
    Bool both(Bool x, Bool y) const { return {&b_, b_.CreateAnd(x.value, y.value)}; }
    Bool either(Bool x, Bool y) const { return {&b_, b_.CreateOr(x.value, y.value)}; }
    Bool negate(Bool x) const { return {&b_, b_.CreateNot(x.value)}; }
    template <typename T> T select(Bool condition, T yes, T no) const {
        return {&b_, b_.CreateSelect(condition.value, yes.value, no.value)};
    }

  private:
    Long constant(int64_t value) const { return {&b_, llvm::ConstantInt::getSigned(long_, value)}; }

    llvm::IRBuilder<> &b_;
    llvm::Type *single_, *double_, *int_, *long_;
};

} // namespace

Value *kernel_is_rare(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<Value *> args) {
    const VectorMath m(builder, args[0]);
    switch (op) {
    case ir::MathOp::Sin:
    case ir::MathOp::Cos:
    case ir::MathOp::Tan:
        return kernels::angle_is_rare(m, {&builder, args[0]}).value;
    case ir::MathOp::Pow:
        return kernels::pow_is_rare(m, {&builder, args[0]}, {&builder, args[1]}).value;
    default:
        return nullptr;
    }
}

Value *pow_is_short(llvm::IRBuilder<> &builder, Value *exponents) {
    return kernels::pow_is_short(VectorMath(builder, exponents), {&builder, exponents}).value;
}

Value *pow_kernel(llvm::IRBuilder<> &builder, Value *bases, Value *exponents, bool is_short) {
    const VectorMath m(builder, bases);
    const LaneValues<float> x{&builder, bases}, y{&builder, exponents};
    return (is_short ? kernels::pow_short(m, x, y) : kernels::pow_long(m, x, y)).value;
}

Value *math_kernel(llvm::IRBuilder<> &builder, ir::MathOp op, llvm::ArrayRef<Value *> args) {
    const VectorMath m(builder, args[0]);
    const LaneValues<float> x{&builder, args[0]}, y{&builder, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return kernels::exp(m, x).value;
    case ir::MathOp::Log:
        return kernels::log(m, x).value;
    case ir::MathOp::Sin:
        return kernels::sin(m, x).value;
    case ir::MathOp::Cos:
        return kernels::cos(m, x).value;
    case ir::MathOp::Tan:
        return kernels::tan(m, x).value;
    case ir::MathOp::Asin:
        return kernels::asin(m, x).value;
    case ir::MathOp::Acos:
        return kernels::acos(m, x).value;
    case ir::MathOp::Atan:
        return kernels::atan(m, x).value;
    case ir::MathOp::Atan2:
        return kernels::atan2(m, x, y).value;
    case ir::MathOp::Sinh:
        return kernels::sinh(m, x).value;
    case ir::MathOp::Cosh:
        return kernels::cosh(m, x).value;
    case ir::MathOp::Tanh:
        return kernels::tanh(m, x).value;
    case ir::MathOp::Erf:
        return kernels::erf(m, x).value;
    case ir::MathOp::Hypot:
        return kernels::hypot(m, x, y).value;
    case ir::MathOp::FastExp:
        return kernels::fast_exp(m, x).value;
    case ir::MathOp::FastLog:
        return kernels::fast_log(m, x).value;
    case ir::MathOp::FastSin:
        return kernels::fast_sin(m, x).value;
    case ir::MathOp::FastCos:
        return kernels::fast_cos(m, x).value;
    case ir::MathOp::FastPow:
        return kernels::fast_pow(m, x, y).value;
    default:
        return nullptr;
    }
}

} // namespace fluorite::backends
