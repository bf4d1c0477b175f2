// The math functions of fluorite/runtime/math_kernels.h as LLVM instructions, for scalars and vectors of any
// width.
//
// VectorMath provides the operations that the kernels are written in; each is one LLVM instruction or a few. Where some
// lane has no usual argument, emit/calls/math_calls.cpp computes all lanes in a cold block, by the kernel for all
// arguments, which computes the same bits for the other lanes.
//
// Every processor gives the same bits.

#include "backends/llvm/math_kernels.h"

#include "fluorite/runtime/math_kernels.h"
#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"
#include "fluorite/runtime/math_kernels/float64_rare.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;
namespace kernels = math_kernels;
namespace float64 = math_kernels::float64;

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

/// The float32 that is the constant in all lanes.
std::optional<float> known_number(const Value *lanes) {
    const auto *constant = llvm::dyn_cast<llvm::Constant>(lanes);
    if (constant && lanes->getType()->isVectorTy()) {
        constant = constant->getSplatValue();
    }
    const auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
    return number ? std::optional(number->getValueAPF().convertToFloat()) : std::nullopt;
}

class VectorMath {
  public:
    using Single = LaneValues<float>;
    using Double = LaneValues<double>;
    using Int = LaneValues<int32_t>;
    using Long = LaneValues<int64_t>;
    using Bool = LaneValues<bool>;

    VectorMath(llvm::IRBuilder<> &builder, bool has_fma, Value *shape)
        : b_(builder), has_fma_(has_fma), single_(shape->getType()->getWithNewType(b_.getFloatTy())),
          double_(single_->getWithNewType(b_.getDoubleTy())), int_(single_->getWithNewType(b_.getInt32Ty())),
          long_(single_->getWithNewType(b_.getInt64Ty())) {}

    Single single(float value) const { return {&b_, llvm::ConstantFP::get(single_, static_cast<double>(value))}; }
    std::optional<float> known(Single x) const { return known_number(x.value); }
    Double number(double value) const { return {&b_, llvm::ConstantFP::get(double_, value)}; }
    template <typename T> LaneValues<T> add_exact_product(LaneValues<T> x, LaneValues<T> y, LaneValues<T> z) const {
        const bool folds = llvm::isa<llvm::Constant>(x.value) && llvm::isa<llvm::Constant>(y.value);
        if (!has_fma_ || folds) {
            return x * y + z;
        }
        return fma(x, y, z);
    }
    std::optional<Double> fused(Double x, Double y, Double z) const {
        return has_fma_ ? std::optional(fma(x, y, z)) : std::nullopt;
    }
    Double widen(Single x) const { return {&b_, b_.CreateFPExt(x.value, double_)}; }
    Single narrow(Double x) const { return {&b_, b_.CreateFPTrunc(x.value, single_)}; }
    Double to_double(Int x) const { return {&b_, b_.CreateSIToFP(x.value, double_)}; }
    Single to_single(Int x) const { return {&b_, b_.CreateSIToFP(x.value, single_)}; }
    Int bits(Single x) const { return {&b_, b_.CreateBitCast(x.value, int_)}; }
    Long bits(Double x) const { return {&b_, b_.CreateBitCast(x.value, long_)}; }
    Single from_bits(Int x) const { return {&b_, b_.CreateBitCast(x.value, single_)}; }
    Double from_bits(Long x) const { return {&b_, b_.CreateBitCast(x.value, double_)}; }
    Int constant(int32_t value) const { return {&b_, llvm::ConstantInt::getSigned(int_, value)}; }
    Long constant(int64_t value) const { return {&b_, llvm::ConstantInt::getSigned(long_, value)}; }
    Long product(Long x, Long y) const { return {&b_, b_.CreateMul(x.value, y.value)}; }
    template <typename T> T plus(T x, T y) const { return {&b_, b_.CreateAdd(x.value, y.value)}; }
    template <typename T> T minus(T x, T y) const { return {&b_, b_.CreateSub(x.value, y.value)}; }
    template <typename T> T both_bits(T x, T y) const { return {&b_, b_.CreateAnd(x.value, y.value)}; }
    template <typename T> T other_bits(T x, T y) const { return {&b_, b_.CreateXor(x.value, y.value)}; }
    template <typename T> T either_bits(T x, T y) const { return {&b_, b_.CreateOr(x.value, y.value)}; }
    template <typename T> T left(T x, int by) const { return {&b_, b_.CreateShl(x.value, static_cast<uint64_t>(by))}; }
    Int right(Int x, int by) const { return {&b_, b_.CreateAShr(x.value, static_cast<uint64_t>(by))}; }
    Long right(Long x, int by) const { return {&b_, b_.CreateLShr(x.value, static_cast<uint64_t>(by))}; }
    template <typename T> Bool is_zero(T x) const {
        return {&b_, b_.CreateICmpEQ(x.value, llvm::Constant::getNullValue(x.value->getType()))};
    }
    template <typename T> Bool is_less(T x, T y) const { return {&b_, b_.CreateICmpSLT(x.value, y.value)}; }
    template <typename T> T abs(T x) const { return {&b_, b_.CreateUnaryIntrinsic(Intrinsic::fabs, x.value)}; }
    Double sqrt(Double x) const { return {&b_, b_.CreateUnaryIntrinsic(Intrinsic::sqrt, x.value)}; }
    Bool both(Bool x, Bool y) const { return {&b_, b_.CreateAnd(x.value, y.value)}; }
    Bool either(Bool x, Bool y) const { return {&b_, b_.CreateOr(x.value, y.value)}; }
    Bool negate(Bool x) const { return {&b_, b_.CreateNot(x.value)}; }
    template <typename T> T select(Bool condition, T yes, T no) const {
        return {&b_, b_.CreateSelect(condition.value, yes.value, no.value)};
    }

  private:
    template <typename T> LaneValues<T> fma(LaneValues<T> x, LaneValues<T> y, LaneValues<T> z) const {
        return {&b_, b_.CreateIntrinsic(Intrinsic::fma, {x.value->getType()}, {x.value, y.value, z.value})};
    }

    llvm::IRBuilder<> &b_;
    bool has_fma_;
    llvm::Type *single_, *double_, *int_, *long_;
};

/// What is known of an exponent that is a constant in all lanes.
kernels::KnownExponent know_exponent(Value *exponents) {
    const std::optional<float> number = known_number(exponents);
    return number ? kernels::know_exponent(*number) : kernels::KnownExponent{};
}

} // namespace

/// The same on float64.
Value *MathKernels::usual_lanes_of_doubles(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<double> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return float64::exp_is_usual(m, x).value;
    case ir::MathOp::Log:
        return float64::log_is_usual(m, x).value;
    case ir::MathOp::Sin:
        return float64::sin_is_usual(m, x).value;
    case ir::MathOp::Cos:
        return float64::cos_is_usual(m, x).value;
    case ir::MathOp::Tan:
        return float64::sin_is_usual(m, x).value;
    case ir::MathOp::Atan2:
        return float64::atan2_is_usual(m, x, y).value;
    case ir::MathOp::Hypot:
        return float64::hypot_is_usual(m, x, y).value;
    case ir::MathOp::Pow:
        return float64::pow_is_usual(m, x, y).value;
    default: // functions without such a kernel
        return nullptr;
    }
}

Value *MathKernels::usual_lanes(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    if (args[0]->getType()->getScalarType()->isDoubleTy()) {
        return usual_lanes_of_doubles(op, args);
    }
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<float> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return kernels::exp_is_usual(m, x).value;
    case ir::MathOp::Log:
        return kernels::log_is_usual(m, x).value;
    case ir::MathOp::Sin:
    case ir::MathOp::Cos:
    case ir::MathOp::Tan:
        return kernels::angle_is_usual(m, x).value;
    case ir::MathOp::Pow:
        return kernels::pow_is_usual(m, x, y, know_exponent(args[1])).value;
    case ir::MathOp::FastExp:
        return kernels::fast_exp_is_usual(m, x).value;
    case ir::MathOp::FastLog:
        return kernels::fast_log_is_usual(m, x).value;
    case ir::MathOp::FastPow:
        return kernels::fast_pow_is_usual(m, x, y).value;
    default: // functions without such a kernel
        return nullptr;
    }
}

/// The same on float64.
Value *MathKernels::usual_of_doubles(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<double> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return float64::exp_usual(m, x).value;
    case ir::MathOp::Log:
        return float64::log_usual(m, x).value;
    case ir::MathOp::Sin:
        return float64::sin_usual(m, x).value;
    case ir::MathOp::Cos:
        return float64::cos_usual(m, x).value;
    case ir::MathOp::Tan:
        return float64::tan_usual(m, x).value;
    case ir::MathOp::Atan2:
        return float64::atan2_usual(m, x, y).value;
    case ir::MathOp::Hypot:
        return float64::hypot_usual(m, x, y).value;
    case ir::MathOp::Pow:
        return float64::pow_usual(m, x, y).value;
    default: // functions without such a kernel
        return nullptr;
    }
}

Value *MathKernels::usual(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    if (args[0]->getType()->getScalarType()->isDoubleTy()) {
        return usual_of_doubles(op, args);
    }
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<float> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return kernels::exp_usual(m, x).value;
    case ir::MathOp::Log:
        return kernels::log_usual(m, x).value;
    case ir::MathOp::Sin:
        return kernels::sin_usual(m, x).value;
    case ir::MathOp::Cos:
        return kernels::cos_usual(m, x).value;
    case ir::MathOp::Tan:
        return kernels::tan_usual(m, x).value;
    case ir::MathOp::Pow:
        return kernels::pow_usual(m, x, y).value;
    case ir::MathOp::FastExp:
        return kernels::fast_exp_usual(m, x).value;
    case ir::MathOp::FastLog:
        return kernels::fast_log_usual(m, x).value;
    case ir::MathOp::FastPow:
        return kernels::fast_pow_usual(m, x, y).value;
    default: // functions without such a kernel
        return nullptr;
    }
}

/// The same on float64.
Value *MathKernels::all_of_doubles(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<double> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return float64::exp(m, x).value;
    case ir::MathOp::Log:
        return float64::log(m, x).value;
    case ir::MathOp::Pow:
        return float64::pow(m, x, y).value;
    case ir::MathOp::Sin:
        return float64::sin(m, x).value;
    case ir::MathOp::Cos:
        return float64::cos(m, x).value;
    case ir::MathOp::Tan:
        return float64::tan(m, x).value;
    case ir::MathOp::Atan2:
        return float64::atan2(m, x, y).value;
    case ir::MathOp::Hypot:
        return float64::hypot(m, x, y).value;
    case ir::MathOp::Floor:
        return float64::floor(m, x).value;
    case ir::MathOp::Ceil:
        return float64::ceil(m, x).value;
    case ir::MathOp::Round:
        return float64::round(m, x).value;
    case ir::MathOp::Trunc:
        return float64::trunc(m, x).value;
    case ir::MathOp::Asin:
        return float64::asin(m, x).value;
    case ir::MathOp::Acos:
        return float64::acos(m, x).value;
    case ir::MathOp::Atan:
        return float64::atan(m, x).value;
    case ir::MathOp::Sinh:
        return float64::sinh(m, x).value;
    case ir::MathOp::Cosh:
        return float64::cosh(m, x).value;
    case ir::MathOp::Tanh:
        return float64::tanh(m, x).value;
    case ir::MathOp::Asinh:
        return float64::asinh(m, x).value;
    case ir::MathOp::Acosh:
        return float64::acosh(m, x).value;
    case ir::MathOp::Atanh:
        return float64::atanh(m, x).value;
    case ir::MathOp::Erf:
        return float64::erf(m, x).value;
    default: // functions without such a kernel
        return nullptr;
    }
}

Value *MathKernels::all(ir::MathOp op, llvm::ArrayRef<Value *> args) const {
    if (args[0]->getType()->getScalarType()->isDoubleTy()) {
        return all_of_doubles(op, args);
    }
    const VectorMath m(builder_, has_fma_, args[0]);
    const LaneValues<float> x{&builder_, args[0]}, y{&builder_, args.back()};
    switch (op) {
    case ir::MathOp::Exp:
        return kernels::exp(m, x).value;
    case ir::MathOp::Log:
        return kernels::log(m, x).value;
    case ir::MathOp::Pow:
        return kernels::pow(m, x, y).value;
    case ir::MathOp::Sin:
        return kernels::sin(m, x).value;
    case ir::MathOp::Cos:
        return kernels::cos(m, x).value;
    case ir::MathOp::Tan:
        return kernels::tan(m, x).value;
    case ir::MathOp::Floor:
        return kernels::floor(m, x).value;
    case ir::MathOp::Ceil:
        return kernels::ceil(m, x).value;
    case ir::MathOp::Round:
        return kernels::round(m, x).value;
    case ir::MathOp::Trunc:
        return kernels::trunc(m, x).value;
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
    case ir::MathOp::Asinh:
        return kernels::asinh(m, x).value;
    case ir::MathOp::Acosh:
        return kernels::acosh(m, x).value;
    case ir::MathOp::Atanh:
        return kernels::atanh(m, x).value;
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
    default: // functions without such a kernel
        return nullptr;
    }
}

} // namespace fluorite::backends
