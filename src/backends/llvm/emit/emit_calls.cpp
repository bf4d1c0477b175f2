// Calls: math functions, runtime functions, C functions of the program, and the operations of ir/operations.def that
// are emitted as instructions.
//
// Math functions whose result IEEE 754 determines (sqrt, roundings, tests) become instructions. If the target has fused
// multiply-add, the other functions on float32 are expanded to the kernels that the runtime is built from too
// (math_kernels.h). Everything else calls the runtime's C function for each lane, as the interpreter does, so the bits
// agree. Rows of operations.def say which runtime functions receive the user context, as first argument. C functions of
// the program follow the C ABI; a vector calls them once for each lane.
//
// text.concat writes to a buffer on the stack, of which a function has one; trace fills an event on the stack. Variadic
// functions are not supported.

#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/math_kernels.h"
#include "fluorite/runtime_math_kernels.h"

#include "fluorite/runtime_math.h"
#include "ir/operations.h"
#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

#include <cstddef>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using ir::MathOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr uint64_t text_bytes = 1024;

/// The runtime's functions, whether operations.def lists them or not, begin with its prefix; others are the program's.
bool is_runtime_function(const std::string &name) { return name.starts_with("fluorite_"); }

} // namespace

// ---- Declarations.

Value *Emitter::runtime_call(const char *name, llvm::Type *result, llvm::ArrayRef<Value *> args) {
    std::vector<llvm::Type *> params;
    for (Value *arg : args) {
        params.push_back(arg->getType());
    }
    return b_.CreateCall(globals_.declare(name, result, params), args);
}

/// Calls a scalar function once for each lane.
Value *Emitter::call_lanes(llvm::FunctionCallee callee, llvm::ArrayRef<Value *> args, int lanes) {
    if (lanes == 1) {
        return b_.CreateCall(callee, args);
    }
    llvm::Type *element = callee.getFunctionType()->getReturnType();
    Value *result = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes)));
    for (int i = 0; i < lanes; i++) {
        std::vector<Value *> scalars;
        for (Value *arg : args) {
            scalars.push_back(arg->getType()->isVectorTy() ? b_.CreateExtractElement(arg, static_cast<uint64_t>(i))
                                                           : arg);
        }
        result = b_.CreateInsertElement(result, b_.CreateCall(callee, scalars), static_cast<uint64_t>(i));
    }
    return result;
}

// ---- Math.

/// The function as instructions; null if it has none. Operands are float32 or float64.
Value *Emitter::fast_math(MathOp op, Type type, llvm::ArrayRef<Value *> args) {
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
        // The C function nearbyint rounds ties to even in the default mode, and every C library has it.
        return b_.CreateUnaryIntrinsic(machine_.has_rounding ? Intrinsic::roundeven : Intrinsic::nearbyint, x);
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
    default:
        return nullptr;
    }
}

/// Calls the runtime's function for each lane.
Value *Emitter::library_math(MathOp op, llvm::ArrayRef<Value *> args) {
    llvm::Type *element = args[0]->getType()->getScalarType();
    const std::vector<llvm::Type *> params(args.size(), element);
    const std::string name = concat("fluorite_", ir::math_name(op), element->isFloatTy() ? "_f32" : "_f64");
    llvm::FunctionCallee callee = globals_.declare(name, element, params);
    auto *function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(args[0]->getType());
    return call_lanes(callee, args, vector ? static_cast<int>(vector->getNumElements()) : 1);
}

/// x^y. Uses the short kernel if all exponents permit it, which is decided at compile time for a constant; otherwise
/// selects the kernel for each lane.
Value *Emitter::power(Value *bases, Value *exponents) {
    const auto *constant = llvm::dyn_cast<llvm::Constant>(exponents);
    const bool is_vector = exponents->getType()->isVectorTy();
    if (constant && is_vector) {
        constant = constant->getSplatValue();
    }
    if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant)) {
        const float exponent = number->getValueAPF().convertToFloat();
        return pow_kernel(b_, bases, exponents, math_kernels::pow_is_short(math_kernels::ScalarMath(), exponent));
    }
    Value *are_short = pow_is_short(b_, exponents);
    Value *all = is_vector ? b_.CreateAndReduce(are_short) : are_short;
    llvm::BasicBlock *of_short = new_block("short"), *of_long = new_block("long"), *after = new_block("raised");
    b_.CreateCondBr(all, of_short, of_long);
    b_.SetInsertPoint(of_short);
    Value *short_power = pow_kernel(b_, bases, exponents, true);
    b_.CreateBr(after);
    b_.SetInsertPoint(of_long);
    Value *long_power = pow_kernel(b_, bases, exponents, false);
    if (is_vector) {
        long_power = b_.CreateSelect(are_short, pow_kernel(b_, bases, exponents, true), long_power);
    }
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *result = b_.CreatePHI(short_power->getType(), 2);
    result->addIncoming(short_power, of_short);
    result->addIncoming(long_power, of_long);
    return result;
}

/// Expands the kernel of the function, with a call of the library for rare arguments; null if there is no kernel.
Value *Emitter::kernel_math(MathOp op, llvm::ArrayRef<Value *> args) {
    Value *rare = kernel_is_rare(b_, op, args);
    if (!rare) {
        return math_kernel(b_, op, args);
    }
    if (rare->getType()->isVectorTy()) {
        rare = b_.CreateOrReduce(rare);
    }
    llvm::BasicBlock *usual = new_block("usual"), *after = new_block("computed");
    llvm::BasicBlock *library = llvm::BasicBlock::Create(context_, "rare", frame_.function);
    branch_cold(b_.CreateNot(rare), usual, library);
    b_.SetInsertPoint(library);
    Value *of_library = library_math(op, args);
    b_.CreateBr(after);
    b_.SetInsertPoint(usual);
    Value *of_kernel = op == MathOp::Pow ? power(args[0], args[1]) : math_kernel(b_, op, args);
    usual = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *result = b_.CreatePHI(of_kernel->getType(), 2);
    result->addIncoming(of_kernel, usual);
    result->addIncoming(of_library, library);
    return result;
}

Value *Emitter::math(const ExprNode &node) {
    const Type type = node.arg(0).type(), wide = Arith::compute_type(type);
    std::vector<Value *> args;
    for (size_t i = 0; i < node.arg_count(); i++) {
        args.push_back(arith_.widen_float(operand(node, i), type));
    }
    Value *result = fast_math(node.math_op(), wide, args);
    if (!result) {
        const bool has_kernel = wide.bits() == 32 && machine_.has_fma;
        result = has_kernel ? kernel_math(node.math_op(), args) : nullptr;
    }
    if (!result) {
        result = library_math(node.math_op(), args);
    }
    return node.type().is_bool() ? result : arith_.narrow_float(result, type);
}

Value *Emitter::random(const ExprNode &node) {
    const Type bits = UInt(32, node.type().lanes());
    const auto constant = [&](uint64_t value) { return arith_.constant(bits, static_cast<int64_t>(value)); };
    Value *hash = constant(fluorite_random_seed);
    const auto fold = [&](uint64_t shift) { hash = b_.CreateXor(hash, b_.CreateLShr(hash, shift)); };
    for (size_t i = 0; i < node.arg_count(); i++) {
        hash = b_.CreateAdd(b_.CreateMul(hash, constant(0x9E3779B1U)), operand(node, i));
        fold(16);
        hash = b_.CreateMul(hash, constant(0x85EBCA6BU));
        fold(13);
        hash = b_.CreateMul(hash, constant(0xC2B2AE35U));
        fold(16);
    }
    if (!node.type().is_float()) {
        return hash;
    }
    Value *number = b_.CreateUIToFP(b_.CreateLShr(hash, 8), value_type(context_, node.type()));
    return b_.CreateFMul(number, llvm::ConstantFP::get(number->getType(), 0x1p-24));
}

// ---- Functions by name.

Value *Emitter::extern_call(const ExprNode &node) {
    const std::string &name = node.text();
    const ir::Operation *operation = ir::find_operation(name);
    if (operation && operation->kind == ir::Operation::Kind::InPlace) {
        return name == "text.concat" ? text_concat(node.args())
               : name == "trace"     ? trace_event(node)
                                     : buffer_operation(node);
    }
    if (name == "fluorite_check_ranges") {
        return check_ranges(node);
    }
    std::vector<Value *> args;
    std::vector<llvm::Type *> params;
    llvm::SmallVector<std::pair<unsigned, llvm::Attribute::AttrKind>, 4> extensions;
    if (operation && operation->takes_context) {
        args.push_back(frame_.context);
        params.push_back(ptr_);
    }
    for (size_t i = 0; i < node.arg_count(); i++) {
        Type type = node.arg(i).type();
        Value *arg = operand(node, i);
        const char letter = operation ? operation->operand(i) : ' ';
        const Type wanted = letter == 'L' ? (type.is_uint() ? UInt(64) : Int(64)) : letter == 'D' ? Float(64) : type;
        if (wanted != type) {
            arg = arith_.cast(arg, type, wanted);
            type = wanted;
        }
        if (type.is_int_or_uint() && type.bits() < 32) { // the C ABI extends small integers to 32 bits
            extensions.push_back(
                {static_cast<unsigned>(args.size()), type.is_int() ? llvm::Attribute::SExt : llvm::Attribute::ZExt});
        }
        args.push_back(arg);
        params.push_back(value_type(context_, type.element_of()));
    }
    llvm::Type *result = node.type().is_void() ? void_ : value_type(context_, node.type().element_of());
    llvm::FunctionCallee callee = globals_.declare(name, result, params);
    frame_.calls_extern = frame_.calls_extern || !is_runtime_function(name);
    if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
        for (const auto &[position, attribute] : extensions) {
            function->addParamAttr(position, attribute);
        }
        if (node.type().is_bool()) {
            function->addRetAttr(llvm::Attribute::ZExt);
        }
    }
    return call_lanes(callee, args, node.type().is_void() ? 1 : node.type().lanes());
}

/// fluorite_check_ranges(program, arguments...), whose arguments are passed as an array.
Value *Emitter::check_ranges(const ExprNode &node) {
    llvm::Type *number = llvm::Type::getDoubleTy(context_);
    const uint64_t count = node.arg_count() - 1;
    Value *arguments = entry_alloca(number, std::max<uint64_t>(count, 1), 16, "ranges");
    for (uint64_t i = 0; i < count; i++) {
        b_.CreateStore(operand(node, i + 1), b_.CreateConstInBoundsGEP1_64(number, arguments, i));
    }
    return runtime_call("fluorite_check_ranges", i32_,
                        {frame_.context, operand(node, 0), arguments, b_.getInt32(static_cast<uint32_t>(count))});
}

Value *Emitter::buffer_operation(const ExprNode &node) {
    const std::string &name = node.text();
    if (name == "memory.address") {
        return host(node.arg(0)->symbol());
    }
    Value *base = operand(node, 0);
    const auto read = [&](llvm::Type *type, size_t offset) {
        return header_load(type, base, static_cast<int64_t>(offset), "field");
    };
    const auto flag = [&](uint64_t bit) {
        return b_.CreateICmpNE(b_.CreateAnd(read(i64_, offsetof(fluorite_buffer_t, flags)), bit), b_.getInt64(0));
    };
    if (name == "buffer.is_null") {
        return b_.CreateIsNull(base);
    }
    if (name == "buffer.has_dims") {
        return b_.CreateIsNotNull(read(ptr_, offsetof(fluorite_buffer_t, dim)));
    }
    if (name == "buffer.is_query") {
        return b_.CreateAnd(b_.CreateIsNull(read(ptr_, offsetof(fluorite_buffer_t, host))),
                            b_.CreateICmpEQ(read(i64_, offsetof(fluorite_buffer_t, device)), b_.getInt64(0)));
    }
    if (name == "buffer.host") {
        return read(ptr_, offsetof(fluorite_buffer_t, host));
    }
    if (name == "buffer.type") {
        return read(i32_, offsetof(fluorite_buffer_t, type));
    }
    if (name == "buffer.dimensions") {
        return read(i32_, offsetof(fluorite_buffer_t, dimensions));
    }
    if (name == "buffer.host_dirty") {
        return flag(fluorite_buffer_flag_host_dirty);
    }
    if (name == "buffer.device_dirty") {
        return flag(fluorite_buffer_flag_device_dirty);
    }
    if (name == "buffer.set_dim") {
        Value *dims = read(ptr_, offsetof(fluorite_buffer_t, dim));
        const int64_t at = node.arg(1)->int_value() * static_cast<int64_t>(sizeof(fluorite_dimension_t));
        for (size_t i = 0; i < 3; i++) {
            header_store(operand(node, 2 + i), dims, at + 4 * static_cast<int64_t>(i));
        }
        return b_.getInt32(0);
    }
    if (name == "buffer.set_type") {
        header_store(operand(node, 1), base, offsetof(fluorite_buffer_t, type));
        header_store(operand(node, 2), base, offsetof(fluorite_buffer_t, dimensions));
        return b_.getInt32(0);
    }
    if (name == "buffer.set_host_dirty") {
        Value *flags = read(i64_, offsetof(fluorite_buffer_t, flags));
        flags = b_.CreateAnd(flags, ~static_cast<uint64_t>(fluorite_buffer_flag_host_dirty));
        flags = b_.CreateOr(flags, b_.CreateZExt(operand(node, 1), i64_)); // the flag is bit 0
        header_store(flags, base, offsetof(fluorite_buffer_t, flags));
        return b_.getInt32(0);
    }
    check(name == "memory.prefetch", concat("'", name, "' is an operation of operations.def"));
    const ir::Symbol &symbol = node.arg(0)->symbol();
    Value *at = b_.CreateGEP(i8_, host(symbol), b_.CreateSExt(operand(node, 1), i64_));
    b_.CreateIntrinsic(Intrinsic::prefetch, {ptr_}, {at, b_.getInt32(0), b_.getInt32(3), b_.getInt32(1)});
    return b_.getInt32(0);
}

// ---- Text, print, trace.

Value *Emitter::text_concat(std::span<const Expr> parts) {
    if (!frame_.text) {
        frame_.text = entry_alloca(i8_, text_bytes, 16, "text");
    }
    Value *begin = frame_.text;
    Value *end = b_.CreateConstInBoundsGEP1_64(i8_, begin, text_bytes - 1);
    b_.CreateStore(b_.getInt8(0), begin);
    Value *at = begin;
    for (const Expr &part : parts) {
        const Type type = part.type();
        Value *whole = value(part);
        for (int i = 0; i < type.lanes(); i++) {
            Value *lane = arith_.slice(whole, i, 1);
            if (i > 0) {
                at = runtime_call("fluorite_append_text", ptr_, {at, end, globals_.text(", ")});
            }
            const Type scalar = type.element_of();
            const char *name = nullptr;
            if (ir::is_kind(part, ExprKind::StringImm) || type.is_handle()) {
                const bool is_text = ir::is_kind(part, ExprKind::StringImm);
                name = is_text ? "fluorite_append_text" : "fluorite_append_pointer";
            } else if (type.is_float()) {
                const bool is_double = type.bits() == 64;
                lane = arith_.widen_float(lane, scalar);
                name = is_double ? "fluorite_append_double" : "fluorite_append_float";
            } else {
                lane = arith_.cast(lane, scalar, type.is_int() ? Int(64) : UInt(64));
                name = type.is_int() ? "fluorite_append_int64" : "fluorite_append_uint64";
            }
            at = runtime_call(name, ptr_, {at, end, lane});
        }
    }
    return begin;
}

/// print(condition, value, parts...), whose result is the value.
Value *Emitter::print(const ExprNode &node) {
    for (size_t i = 1; i < node.arg_count(); i++) {
        operand(node, i); // before the branch, so that the values are available after it
    }
    Value *condition = operand(node, 0);
    if (condition->getType()->isVectorTy()) {
        condition = b_.CreateOrReduce(condition);
    }
    llvm::BasicBlock *then = new_block("print"), *after = new_block("printed");
    b_.CreateCondBr(condition, then, after);
    b_.SetInsertPoint(then);
    push_scope();
    Value *text = text_concat(node.args().subspan(2));
    runtime_call("fluorite_print", void_, {frame_.context, text});
    pop_scope();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return operand(node, 1);
}

/// require(condition, value, text of the condition, parts...): the result is the value; if the condition does not hold,
/// the function fails.
Value *Emitter::require_value(const ExprNode &node) {
    for (size_t i = 1; i < node.arg_count(); i++) {
        operand(node, i);
    }
    Value *condition = operand(node, 0);
    if (condition->getType()->isVectorTy()) {
        condition = b_.CreateAndReduce(condition);
    }
    require(condition, [&] {
        Value *text = text_concat(node.args().subspan(3));
        Value *shown = operand(node, 2);
        return runtime_call("fluorite_error_requirement_failed", i32_, {frame_.context, shown, text});
    });
    return operand(node, 1);
}

/// trace(func, event, parent_id, value_index, tag, type, value, coordinates...), whose result is the id of the event.
Value *Emitter::trace_event(const ExprNode &node) {
    constexpr size_t first_coordinate = 7;
    Value *event = entry_alloca(i8_, sizeof(fluorite_trace_event_t), 16, "event");
    const auto set = [&](Value *value, size_t offset) {
        b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(i8_, event, offset));
    };
    const Type value_type_of = node.arg(6).type();
    const uint64_t lanes = value_type_of.is_handle() ? 1 : static_cast<uint64_t>(value_type_of.lanes());
    Value *values = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    if (!value_type_of.is_handle()) {
        llvm::Type *type = memory_type(context_, value_type_of);
        values = entry_alloca(memory_type(context_, value_type_of.element_of()), lanes, 64, "values");
        b_.CreateAlignedStore(arith_.to_memory(value_type_of, operand(node, 6)), values, llvm::Align(1))
            ->setAlignment(llvm::Align(static_cast<uint64_t>(type->isVectorTy() ? 8 : 1)));
    }
    const uint64_t dims = node.arg_count() - first_coordinate;
    Value *coordinates = entry_alloca(i32_, std::max<uint64_t>(dims * lanes, 1), 16, "coordinates");
    for (uint64_t d = 0; d < dims; d++) {
        Value *all = operand(node, first_coordinate + d);
        for (uint64_t lane = 0; lane < lanes; lane++) {
            Value *one = all->getType()->isVectorTy() ? b_.CreateExtractElement(all, lane) : all;
            b_.CreateStore(one, b_.CreateConstInBoundsGEP1_64(i32_, coordinates, d * lanes + lane));
        }
    }
    set(operand(node, 0), offsetof(fluorite_trace_event_t, func));
    set(values, offsetof(fluorite_trace_event_t, value));
    set(coordinates, offsetof(fluorite_trace_event_t, coordinates));
    set(operand(node, 4), offsetof(fluorite_trace_event_t, trace_tag));
    Value *type = b_.CreateAnd(operand(node, 5), b_.getInt32(0xFFFF));
    set(b_.CreateOr(type, b_.getInt32(static_cast<uint32_t>(lanes) << 16)), offsetof(fluorite_trace_event_t, type));
    set(operand(node, 1), offsetof(fluorite_trace_event_t, event));
    set(operand(node, 2), offsetof(fluorite_trace_event_t, parent_id));
    set(operand(node, 3), offsetof(fluorite_trace_event_t, value_index));
    set(b_.getInt32(static_cast<uint32_t>(dims * lanes)), offsetof(fluorite_trace_event_t, dimensions));
    return runtime_call("fluorite_trace", i32_, {frame_.context, event});
}

} // namespace fluorite::backends
