// Math functions.
//
// Functions whose result IEEE 754 determines (sqrt, roundings, tests) become instructions, where the processor has
// them. The others are expanded to the kernels that the runtime is built from too (math_kernels.h), so that the bits
// are those of the interpreter. A few kernels for rare arguments are called in the runtime.

#include "backends/llvm/emit/calls/math_calls.h"

#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/math_kernels.h"
#include "fluorite/runtime/math.h"
#include "support/check.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace fluorite::backends {

using ir::ExprNode;
using ir::MathOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

bool rounds_to_whole(MathOp op) {
    return op == MathOp::Floor || op == MathOp::Ceil || op == MathOp::Round || op == MathOp::Trunc;
}

/// What a fast_ function is in float64.
MathOp accurate(MathOp op) {
    switch (op) {
    case MathOp::FastExp:
        return MathOp::Exp;
    case MathOp::FastLog:
        return MathOp::Log;
    case MathOp::FastPow:
        return MathOp::Pow;
    case MathOp::FastSin:
        return MathOp::Sin;
    case MathOp::FastCos:
        return MathOp::Cos;
    default: // the others
        return op;
    }
}

/// Whether the kernel for all arguments is not compiled into the module, because that would take as long as the rest of
/// a small pipeline: large angles, and legs near the ends of the range of float64. LLVM takes 7 ms for a sine of
/// float32 and 13 ms for one of float64 (AVX2 and AVX-512, 8 lanes), and the runtime has them.
bool is_longest_when_rare(MathOp op, const llvm::Type *element) {
    const bool is_circular = op == MathOp::Sin || op == MathOp::Cos || op == MathOp::Tan;
    return is_circular || (element->isDoubleTy() && (op == MathOp::Atan2 || op == MathOp::Hypot));
}

} // namespace

/// The function as instructions; null if it has none. Operands are float32 or float64.
Value *MathCalls::fast_math(MathOp op, Type type, llvm::ArrayRef<Value *> args) {
    if (rounds_to_whole(op) && !m_.machine.has_rounding) {
        return nullptr;
    }
    Value *x = args[0];
    Value *one = arith_.constant(type, 1);
    Value *infinity = llvm::ConstantFP::getInfinity(x->getType());
    switch (op) {
    case MathOp::Sqrt:
        return b_.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
    case MathOp::Floor:
        return b_.CreateUnaryIntrinsic(Intrinsic::floor, x);
    case MathOp::Ceil:
        return b_.CreateUnaryIntrinsic(Intrinsic::ceil, x);
    case MathOp::Trunc:
        return b_.CreateUnaryIntrinsic(Intrinsic::trunc, x);
    case MathOp::Round:
        return b_.CreateUnaryIntrinsic(Intrinsic::roundeven, x);
    case MathOp::FastInverse:
        return b_.CreateFDiv(one, x);
    case MathOp::FastInverseSqrt:
        return b_.CreateFDiv(one, b_.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
    case MathOp::IsNan:
        return b_.CreateFCmpUNO(x, x);
    case MathOp::IsInf:
        return b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, x), infinity);
    case MathOp::IsFinite:
        return b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, x), infinity);
    default: // functions without an instruction, which are kernels
        return nullptr;
    }
}

/// Calls the runtime's function for each lane. Its code has instructions of SSE, each of which waits for the upper half
/// of its register where code with wider registers has not cleared it: the call takes four times as long.
Value *MathCalls::runtime_math(MathOp op, llvm::ArrayRef<Value *> args) {
    llvm::Type *element = args[0]->getType()->getScalarType();
    const std::vector<llvm::Type *> params(args.size(), element);
    const std::string name = concat("fluorite_", ir::math_name(op), element->isFloatTy() ? "_f32" : "_f64");
    llvm::FunctionCallee callee = m_.globals.declare(name, element, params);
    auto *function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    const auto call = [&](llvm::ArrayRef<Value *> of_lane) {
        if (m_.machine.vector_bits > 128) {
            b_.CreateIntrinsic(Intrinsic::x86_avx_vzeroupper, {}, {});
        }
        return b_.CreateCall(callee, of_lane);
    };
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(args[0]->getType());
    if (!vector) {
        return call(args);
    }
    Value *result = llvm::PoisonValue::get(vector);
    for (uint64_t lane = 0; lane < vector->getNumElements(); lane++) {
        std::vector<Value *> of_lane;
        for (Value *arg : args) {
            of_lane.push_back(b_.CreateExtractElement(arg, lane));
        }
        result = b_.CreateInsertElement(result, call(of_lane), lane);
    }
    return result;
}

/// The function of the module that computes rare arguments of the math function, by the kernel for all arguments or by
/// the runtime's function, which is the same kernel. A pointer to the result comes first, except in kernels of devices,
/// whose values should stay in registers. It is compiled once, however often the math function is used. It preserves
/// the registers of its callers, which otherwise would keep sums of their loops in memory.
llvm::Function *MathCalls::rare_function(MathOp op, llvm::ArrayRef<Value *> args) {
    llvm::Type *type = args[0]->getType();
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const std::string name =
        concat("fluorite.", ir::math_name(op), type->getScalarType()->isDoubleTy() ? ".f64" : ".f32", ".",
               vector ? vector->getNumElements() : 1);
    if (llvm::Function *known = m_.module.getFunction(name)) {
        return known;
    }
    std::vector<llvm::Type *> params(args.size(), type);
    if (!m_.is_of_device) {
        params.insert(params.begin(), m_.ptr);
    }
    auto *function_type = llvm::FunctionType::get(m_.is_of_device ? type : m_.none, params, false);
    llvm::Function *function = m_.globals.new_function(name, function_type, /*is_public=*/false);
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(llvm::BasicBlock::Create(m_.context, "entry", function));
    std::vector<Value *> of_params;
    for (unsigned i = m_.is_of_device ? 0 : 1; i < params.size(); i++) {
        of_params.push_back(function->getArg(i));
    }
    const bool is_longest = is_longest_when_rare(op, type->getScalarType());
    Value *value = is_longest && !m_.is_of_device ? runtime_math(op, of_params)
                                                  : MathKernels(b_, m_.machine.has_fma).all(op, of_params);
    function->addFnAttr(llvm::Attribute::Cold);
    function->setWillReturn();
    if (m_.is_of_device) {
        b_.CreateRet(value);
        // Where it is called, a device saves registers in memory, even if the call is never reached.
        function->addFnAttr(is_longest ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
        function->setDoesNotAccessMemory();
        return function;
    }
    b_.CreateStore(value, function->getArg(0));
    b_.CreateRetVoid();
    if (m_.machine.instruction_set == machine::InstructionSet::X86 ||
        (m_.machine.instruction_set == machine::InstructionSet::Arm && m_.target.os == Target::Linux)) {
        function->setCallingConv(llvm::CallingConv::PreserveAll);
    }
    function->addParamAttr(0, llvm::Attribute::NoCapture);
    function->setOnlyAccessesArgMemory();
    return function;
}

Value *MathCalls::rare_math(MathOp op, llvm::ArrayRef<Value *> args) {
    llvm::Function *function = rare_function(op, args);
    if (m_.is_of_device) {
        return b_.CreateCall(function, args.vec());
    }
    llvm::Type *type = args[0]->getType();
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const unsigned lanes = vector ? vector->getNumElements() : 1;
    llvm::AllocaInst *result = frame_.entry_alloca(type->getScalarType(), lanes, 64, "rare");
    std::vector<Value *> operands{result};
    operands.insert(operands.end(), args.begin(), args.end());
    b_.CreateCall(function, operands)->setCallingConv(function->getCallingConv());
    return b_.CreateLoad(type, result);
}

/// Expands a kernel. A scalar float64 is computed in both lanes of a pair: selections of scalars become branches, which
/// depend on the arguments and are mispredicted, those of vectors are instructions. That halves the time of atan, asin
/// and atan2. The kernels of exp, log and pow for usual arguments have no selections.
Value *MathCalls::expanded(Kernel kernel, MathOp op, llvm::ArrayRef<Value *> args) {
    const MathKernels kernels(b_, m_.machine.has_fma);
    const bool selects = op != MathOp::Exp && op != MathOp::Log && op != MathOp::Pow;
    if (!m_.machine.has_vectors || !args[0]->getType()->isDoubleTy() || !selects) {
        return (kernels.*kernel)(op, args);
    }
    std::vector<Value *> pairs;
    for (Value *arg : args) {
        pairs.push_back(b_.CreateVectorSplat(2, arg));
    }
    return b_.CreateExtractElement((kernels.*kernel)(op, pairs), uint64_t{0});
}

/// Expands the kernel of the function. Where not all lanes are usual, a cold block computes all of them by the kernel
/// for all arguments.
Value *MathCalls::kernel_math(MathOp op, llvm::ArrayRef<Value *> args) {
    const MathKernels kernels(b_, m_.machine.has_fma);
    Value *are_usual = kernels.usual_lanes(op, args);
    if (!are_usual) {
        return expanded(&MathKernels::all, op, args);
    }
    if (are_usual->getType()->isVectorTy()) {
        are_usual = b_.CreateAndReduce(are_usual);
    }
    llvm::BasicBlock *usual = frame_.new_block("usual"), *after = frame_.new_block("computed");
    llvm::BasicBlock *rare = frame_.new_cold_block("rare");
    frame_.branch_cold(are_usual, usual, rare);
    b_.SetInsertPoint(rare);
    Value *of_rare = rare_math(op, args);
    b_.CreateBr(after);
    b_.SetInsertPoint(usual);
    Value *of_usual = expanded(&MathKernels::usual, op, args);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *result = b_.CreatePHI(of_usual->getType(), 2);
    result->addIncoming(of_usual, usual);
    result->addIncoming(of_rare, rare);
    return result;
}

Value *MathCalls::math(const ExprNode &node) {
    const Type type = node.arg(0).type(), wide = Arith::compute_type(type);
    std::vector<Value *> args;
    for (size_t i = 0; i < node.arg_count(); i++) {
        args.push_back(arith_.widen_float(expressions_.operand(node, i), type));
    }
    const MathOp op = wide.bits() == 64 ? accurate(node.math_op()) : node.math_op();
    Value *result = fast_math(op, wide, args);
    if (!result) {
        result = kernel_math(op, args);
    }
    return node.type().is_bool() ? result : arith_.narrow_float(result, type);
}

Value *MathCalls::random(const ExprNode &node) {
    const Type bits = UInt(32, node.type().lanes());
    const auto constant = [&](uint64_t value) { return arith_.constant(bits, static_cast<int64_t>(value)); };
    Value *hash = constant(fluorite_random_seed);
    const auto fold = [&](uint64_t shift) { hash = b_.CreateXor(hash, b_.CreateLShr(hash, shift)); };
    for (size_t i = 0; i < node.arg_count(); i++) {
        hash = b_.CreateAdd(b_.CreateMul(hash, constant(0x9E3779B1U)), expressions_.operand(node, i));
        fold(16);
        hash = b_.CreateMul(hash, constant(0x85EBCA6BU));
        fold(13);
        hash = b_.CreateMul(hash, constant(0xC2B2AE35U));
        fold(16);
    }
    if (!node.type().is_float()) {
        return hash;
    }
    Value *number = b_.CreateUIToFP(b_.CreateLShr(hash, 8), value_type(m_.context, node.type()));
    return b_.CreateFMul(number, llvm::ConstantFP::get(number->getType(), 0x1p-24));
}

} // namespace fluorite::backends
