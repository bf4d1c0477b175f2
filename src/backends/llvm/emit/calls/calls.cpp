// Calls by name.
//
// Rows of operations.def say which runtime functions receive the user context, as first argument, and which operations
// are instructions: reads and writes of the headers of buffers, addresses, prefetches. C functions of the program
// follow the C ABI; a vector calls them once for each lane. Variadic functions are not supported.

#include "backends/llvm/emit/calls/calls.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/calls/messages.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/kernel_calls.h"
#include "backends/llvm/emit/memory/buffer_header.h"
#include "fluorite/runtime_abi.h"
#include "ir/c_abi.h"
#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

#include <cstddef>

namespace fluorite::backends {

using ir::ExprNode;
using llvm::Value;

Value *Calls::call(const ExprNode &node) {
    const std::string &name = node.text();
    const ir::Operation *operation = ir::find_operation(name);
    if (operation && operation->kind == ir::Operation::Kind::InPlace) {
        return name == "text.concat"          ? messages_.text(node.args())
               : name == "trace"              ? messages_.trace(node)
               : name.starts_with("device.")  ? kernels_.operation(node)
               : name.starts_with("extern.")  ? extern_operation(node)
               : name.starts_with("profile.") ? profile_operation(node)
                                              : buffer_operation(node);
    }
    switch (ir::passing_of(name)) {
    case ir::Passing::Each:
        return call_function(name, node, 0);
    case ir::Passing::Doubles:
        return call_with_doubles(node);
    case ir::Passing::Pointers:
        return call_with_pointers(node);
    }
    unreachable("operands are passed in one of the ways");
}

/// Calls a function for the operands from `first` on.
Value *Calls::call_function(const std::string &name, const ExprNode &node, size_t first) {
    const ir::Operation *operation = ir::find_operation(name);
    std::vector<Value *> args;
    std::vector<llvm::Type *> params;
    llvm::SmallVector<std::pair<unsigned, llvm::Attribute::AttrKind>, 4> extensions;
    if (operation && operation->takes_context) {
        args.push_back(frame_.context());
        params.push_back(m_.ptr);
    }
    for (size_t i = first; i < node.arg_count(); i++) {
        Type type = node.arg(i).type();
        Value *arg = expressions_.operand(node, i);
        const Type wanted = ir::passed_type(operation, i, type);
        if (wanted != type) {
            arg = m_.arith.cast(arg, type, wanted);
            type = wanted;
        }
        if (type.is_int_or_uint() && type.bits() < 32) { // the C ABI extends small integers to 32 bits
            extensions.push_back(
                {static_cast<unsigned>(args.size()), type.is_int() ? llvm::Attribute::SExt : llvm::Attribute::ZExt});
        }
        args.push_back(arg);
        params.push_back(value_type(m_.context, type.element_of()));
    }
    llvm::Type *result = node.type().is_void() ? m_.none : value_type(m_.context, node.type().element_of());
    llvm::FunctionCallee callee = m_.globals.declare(name, result, params);
    has_called_program_ = has_called_program_ || (first == 0 && ir::is_of_program(name));
    if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
        for (const auto &[position, attribute] : extensions) {
            function->addParamAttr(position, attribute);
        }
        if (node.type().is_bool()) {
            function->addRetAttr(llvm::Attribute::ZExt);
        }
    }
    return call_lanes(m_, callee, args, node.type().is_void() ? 1 : node.type().lanes());
}

/// function(first, arguments...), whose arguments are passed as an array of doubles.
Value *Calls::call_with_doubles(const ExprNode &node) {
    llvm::Type *number = llvm::Type::getDoubleTy(m_.context);
    const uint64_t count = node.arg_count() - 1;
    Value *arguments = frame_.entry_alloca(number, std::max<uint64_t>(count, 1), 16, "ranges");
    for (uint64_t i = 0; i < count; i++) {
        b_.CreateStore(expressions_.operand(node, i + 1), b_.CreateConstInBoundsGEP1_64(number, arguments, i));
    }
    return call_runtime(
        m_, std::string(node.text()).c_str(), m_.i32,
        {frame_.context(), expressions_.operand(node, 0), arguments, b_.getInt32(static_cast<uint32_t>(count))});
}

/// function(text, operands...), whose operands are passed as an array of pointers.
Value *Calls::call_with_pointers(const ExprNode &node) {
    const uint64_t count = node.arg_count() - 1;
    Value *operands = frame_.entry_alloca(m_.ptr, std::max<uint64_t>(count, 1), 16, "operands");
    for (uint64_t i = 0; i < count; i++) {
        const Type type = node.arg(i + 1).type();
        Value *given = expressions_.operand(node, i + 1);
        if (!type.is_handle()) {
            Value *memory = frame_.entry_alloca(memory_type(m_.context, type), 1, 16, "scalar");
            b_.CreateStore(m_.arith.to_memory(type, given), memory);
            given = memory;
        }
        b_.CreateStore(given, b_.CreateConstInBoundsGEP1_64(m_.ptr, operands, i));
    }
    return call_runtime(m_, std::string(node.text()).c_str(), m_.i32,
                        {frame_.context(), expressions_.operand(node, 0), operands});
}

// ---- Extern stages.

Value *Calls::extern_operation(const ExprNode &node) {
    const std::string &name = node.text();
    if (name == "extern.header") {
        return make_header(node);
    }
    if (name == "extern.call") {
        return call_function(node.arg(0)->text(), node, 1);
    }
    check(name == "extern.dim", concat("'", name, "' is an operation of operations.def"));
    const int64_t dim = node.arg(1)->int_value(), field = node.arg(2)->int_value();
    const int64_t at = dim * static_cast<int64_t>(sizeof(fluorite_dimension_t)) + 4 * field;
    Value *header = expressions_.operand(node, 0);
    Value *dims = load_header(m_, m_.ptr, header, static_cast<int64_t>(offsetof(fluorite_buffer_t, dim)), "dims");
    return load_header(m_, m_.i32, dims, at, "asked");
}

/// A fluorite_buffer_t on the stack, followed by its dimensions.
Value *Calls::make_header(const ExprNode &node) {
    constexpr size_t first_dim = 4;
    const size_t dimensions = static_cast<size_t>(node.arg(3)->int_value());
    const uint64_t bytes = sizeof(fluorite_buffer_t) + dimensions * sizeof(fluorite_dimension_t);
    Value *header = frame_.entry_alloca(m_.i8, bytes, alignof(fluorite_buffer_t), "header");
    const auto store = [&](Value *value, size_t offset) {
        store_header(m_, value, header, static_cast<int64_t>(offset));
    };
    const auto null = [&] { return llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(m_.ptr)); };
    store(b_.getInt64(0), offsetof(fluorite_buffer_t, device));
    store(null(), offsetof(fluorite_buffer_t, device_interface));
    store(expressions_.operand(node, 1), offsetof(fluorite_buffer_t, host));
    store(b_.getInt64(0), offsetof(fluorite_buffer_t, flags));
    store(expressions_.operand(node, 2), offsetof(fluorite_buffer_t, type));
    store(expressions_.operand(node, 3), offsetof(fluorite_buffer_t, dimensions));
    store(b_.CreateConstInBoundsGEP1_64(m_.i8, header, sizeof(fluorite_buffer_t)), offsetof(fluorite_buffer_t, dim));
    store(null(), offsetof(fluorite_buffer_t, padding));
    for (size_t d = 0; d < dimensions; d++) {
        const size_t at = sizeof(fluorite_buffer_t) + d * sizeof(fluorite_dimension_t);
        for (size_t field = 0; field < 3; field++) {
            store(expressions_.operand(node, first_dim + 3 * d + field), at + 4 * field);
        }
        store(b_.getInt32(0), at + offsetof(fluorite_dimension_t, flags));
    }
    return header;
}

// ---- Operations that are instructions.

/// Sets the Func of a profiler's block, which another thread reads, or adds to a counter.
Value *Calls::profile_operation(const ExprNode &node) {
    Value *block = expressions_.operand(node, 0);
    if (node.text() == "profile.set") {
        auto *store = b_.CreateAlignedStore(b_.getInt32(static_cast<uint32_t>(node.arg(1)->int_value())), block,
                                            llvm::Align(4), /*isVolatile=*/true);
        store->setAtomic(llvm::AtomicOrdering::Monotonic);
        return b_.getInt32(0);
    }
    Value *at = b_.CreateConstInBoundsGEP1_64(m_.i8, block, static_cast<uint64_t>(node.arg(1)->int_value()));
    Value *count = b_.CreateSExt(expressions_.operand(node, 2), m_.i64);
    b_.CreateAlignedStore(b_.CreateAdd(b_.CreateAlignedLoad(m_.i64, at, llvm::Align(8)), count), at, llvm::Align(8));
    return b_.getInt32(0);
}

Value *Calls::buffer_operation(const ExprNode &node) {
    const std::string &name = node.text();
    if (name == "memory.address") {
        return buffers_.host(node.arg(0)->symbol());
    }
    if (name == "function.address") {
        return m_.module.getFunction(ir::argv_name(node.arg(0)->text()));
    }
    Value *base = expressions_.operand(node, 0);
    if (Value *result = read_buffer(name, base)) {
        return result;
    }
    return name == "memory.prefetch" ? prefetch(node) : write_buffer(node, base);
}

/// The value of an operation that reads a header; null for other operations.
Value *Calls::read_buffer(const std::string &name, Value *base) {
    const auto read = [&](llvm::Type *type, size_t offset) {
        return load_header(m_, type, base, static_cast<int64_t>(offset), "field");
    };
    const auto flag = [&](uint64_t bit) {
        return b_.CreateICmpNE(b_.CreateAnd(read(m_.i64, offsetof(fluorite_buffer_t, flags)), bit), b_.getInt64(0));
    };
    if (name == "buffer.is_null") {
        return b_.CreateIsNull(base);
    }
    if (name == "buffer.has_dims") {
        return b_.CreateIsNotNull(read(m_.ptr, offsetof(fluorite_buffer_t, dim)));
    }
    if (name == "buffer.is_query") {
        return b_.CreateAnd(b_.CreateIsNull(read(m_.ptr, offsetof(fluorite_buffer_t, host))),
                            b_.CreateICmpEQ(read(m_.i64, offsetof(fluorite_buffer_t, device)), b_.getInt64(0)));
    }
    if (name == "buffer.host") {
        return read(m_.ptr, offsetof(fluorite_buffer_t, host));
    }
    if (name == "buffer.type") {
        return read(m_.i32, offsetof(fluorite_buffer_t, type));
    }
    if (name == "buffer.dimensions") {
        return read(m_.i32, offsetof(fluorite_buffer_t, dimensions));
    }
    if (name == "buffer.host_dirty") {
        return flag(fluorite_buffer_flag_host_dirty);
    }
    return name == "buffer.device_dirty" ? flag(fluorite_buffer_flag_device_dirty) : nullptr;
}

/// Emits an operation that writes a header, whose value is 0.
Value *Calls::write_buffer(const ExprNode &node, Value *base) {
    const std::string &name = node.text();
    const auto read = [&](llvm::Type *type, size_t offset) {
        return load_header(m_, type, base, static_cast<int64_t>(offset), "field");
    };
    if (name == "buffer.set_dim") {
        Value *dims = read(m_.ptr, offsetof(fluorite_buffer_t, dim));
        const int64_t at = node.arg(1)->int_value() * static_cast<int64_t>(sizeof(fluorite_dimension_t));
        for (size_t i = 0; i < 3; i++) {
            store_header(m_, expressions_.operand(node, 2 + i), dims, at + 4 * static_cast<int64_t>(i));
        }
        return b_.getInt32(0);
    }
    if (name == "buffer.set_type") {
        store_header(m_, expressions_.operand(node, 1), base, offsetof(fluorite_buffer_t, type));
        store_header(m_, expressions_.operand(node, 2), base, offsetof(fluorite_buffer_t, dimensions));
        return b_.getInt32(0);
    }
    check(name == "buffer.set_host_dirty", concat("'", name, "' is an operation of operations.def"));
    Value *flags = read(m_.i64, offsetof(fluorite_buffer_t, flags));
    flags = b_.CreateAnd(flags, ~static_cast<uint64_t>(fluorite_buffer_flag_host_dirty));
    flags = b_.CreateOr(flags, b_.CreateZExt(expressions_.operand(node, 1), m_.i64)); // the flag is bit 0
    store_header(m_, flags, base, offsetof(fluorite_buffer_t, flags));
    return b_.getInt32(0);
}

/// memory.prefetch(buffer, offset in bytes), whose value is 0.
Value *Calls::prefetch(const ExprNode &node) {
    const ir::Symbol &symbol = node.arg(0)->symbol();
    Value *at = b_.CreateGEP(m_.i8, buffers_.host(symbol), b_.CreateSExt(expressions_.operand(node, 1), m_.i64));
    b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {m_.ptr}, {at, b_.getInt32(0), b_.getInt32(3), b_.getInt32(1)});
    return b_.getInt32(0);
}

} // namespace fluorite::backends
