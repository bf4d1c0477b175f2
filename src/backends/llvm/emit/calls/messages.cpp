// Texts, prints, requirements and trace events.
//
// text.concat writes to a buffer on the stack, of which a function has one; a text that does not fit is cut off. A
// trace fills an event on the stack.

#include "backends/llvm/emit/calls/messages.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "fluorite/runtime_abi.h"

#include <algorithm>
#include <cstddef>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using llvm::Value;

namespace {

constexpr uint64_t text_bytes = 1024;

} // namespace

Value *Messages::text(std::span<const Expr> parts) {
    if (!text_) {
        text_ = frame_.entry_alloca(m_.i8, text_bytes, 16, "text");
    }
    Value *end = b_.CreateConstInBoundsGEP1_64(m_.i8, text_, text_bytes - 1);
    b_.CreateStore(b_.getInt8(0), text_);
    Value *at = text_;
    for (const Expr &part : parts) {
        const Type type = part.type();
        Value *whole = expressions_.value(part);
        for (int i = 0; i < type.lanes(); i++) {
            Value *lane = m_.lanes.slice(whole, i, 1);
            if (i > 0) {
                at = call_runtime(m_, "fluorite_append_text", m_.ptr, {at, end, m_.globals.text(", ")});
            }
            at = append(at, end, lane, type.element_of(), ir::is_kind(part, ExprKind::StringImm));
        }
    }
    return text_;
}

/// Appends a scalar at `at`; the result is the end of the text.
Value *Messages::append(Value *at, Value *end, Value *scalar, Type type, bool is_text) {
    const char *name = nullptr;
    if (is_text || type.is_handle()) {
        name = is_text ? "fluorite_append_text" : "fluorite_append_pointer";
    } else if (type.is_float()) {
        scalar = arith_.widen_float(scalar, type);
        name = type.bits() == 64 ? "fluorite_append_double" : "fluorite_append_float";
    } else {
        scalar = arith_.cast(scalar, type, type.is_int() ? Int(64) : UInt(64));
        name = type.is_int() ? "fluorite_append_int64" : "fluorite_append_uint64";
    }
    return call_runtime(m_, name, m_.ptr, {at, end, scalar});
}

Value *Messages::print(const ExprNode &node) {
    for (size_t i = 1; i < node.arg_count(); i++) {
        expressions_.operand(node, i); // before the branch, so that the values are available after it
    }
    Value *condition = expressions_.operand(node, 0);
    if (condition->getType()->isVectorTy()) {
        condition = b_.CreateOrReduce(condition);
    }
    llvm::BasicBlock *then = frame_.new_block("print"), *after = frame_.new_block("printed");
    b_.CreateCondBr(condition, then, after);
    b_.SetInsertPoint(then);
    values_.open_scope();
    Value *message = text(node.args().subspan(2));
    call_runtime(m_, "fluorite_print", m_.none, {frame_.context(), message});
    values_.close_scope();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return expressions_.operand(node, 1);
}

Value *Messages::require(const ExprNode &node) {
    for (size_t i = 1; i < node.arg_count(); i++) {
        expressions_.operand(node, i);
    }
    Value *condition = expressions_.operand(node, 0);
    if (condition->getType()->isVectorTy()) {
        condition = b_.CreateAndReduce(condition);
    }
    frame_.require(condition, [&] {
        Value *message = text(node.args().subspan(3));
        Value *shown = expressions_.operand(node, 2);
        return call_runtime(m_, "fluorite_error_requirement_failed", m_.i32, {frame_.context(), shown, message});
    });
    return expressions_.operand(node, 1);
}

// ---- Trace events.

Value *Messages::trace(const ExprNode &node) {
    constexpr size_t first_coordinate = 7;
    Value *event = frame_.entry_alloca(m_.i8, sizeof(fluorite_trace_event_t), 16, "event");
    const auto set = [&](Value *value, size_t offset) {
        b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(m_.i8, event, offset));
    };
    const Type type = node.arg(6).type();
    const uint64_t lanes = type.is_handle() ? 1 : static_cast<uint64_t>(type.lanes());
    const uint64_t dims = node.arg_count() - first_coordinate;
    Value *values = type.is_handle() ? llvm::ConstantPointerNull::get(llvm::PointerType::get(m_.context, 0))
                                     : trace_values(node, 6);
    Value *coordinates = trace_coordinates(node, first_coordinate, lanes);
    set(expressions_.operand(node, 0), offsetof(fluorite_trace_event_t, func));
    set(values, offsetof(fluorite_trace_event_t, value));
    set(coordinates, offsetof(fluorite_trace_event_t, coordinates));
    set(expressions_.operand(node, 4), offsetof(fluorite_trace_event_t, trace_tag));
    Value *type_bits = b_.CreateAnd(expressions_.operand(node, 5), b_.getInt32(0xFFFF));
    set(b_.CreateOr(type_bits, b_.getInt32(static_cast<uint32_t>(lanes) << 16)),
        offsetof(fluorite_trace_event_t, type));
    set(expressions_.operand(node, 1), offsetof(fluorite_trace_event_t, event));
    set(expressions_.operand(node, 2), offsetof(fluorite_trace_event_t, parent_id));
    set(expressions_.operand(node, 3), offsetof(fluorite_trace_event_t, value_index));
    set(b_.getInt32(static_cast<uint32_t>(dims * lanes)), offsetof(fluorite_trace_event_t, dimensions));
    return call_runtime(m_, "fluorite_trace", m_.i32, {frame_.context(), event});
}

/// The lanes of the operand number `i` in memory.
Value *Messages::trace_values(const ExprNode &node, size_t i) {
    const Type type = node.arg(i).type();
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *values = frame_.entry_alloca(element, static_cast<uint64_t>(type.lanes()), 64, "values");
    b_.CreateAlignedStore(arith_.to_memory(type, expressions_.operand(node, i)), values,
                          llvm::Align(type.is_vector() ? 8 : 1));
    return values;
}

/// The coordinates in memory: for each dimension, those of all lanes.
Value *Messages::trace_coordinates(const ExprNode &node, size_t first, uint64_t lanes) {
    const uint64_t dims = node.arg_count() - first;
    Value *coordinates = frame_.entry_alloca(m_.i32, std::max<uint64_t>(dims * lanes, 1), 16, "coordinates");
    for (uint64_t d = 0; d < dims; d++) {
        Value *all = expressions_.operand(node, first + d);
        for (uint64_t lane = 0; lane < lanes; lane++) {
            Value *one = all->getType()->isVectorTy() ? b_.CreateExtractElement(all, lane) : all;
            b_.CreateStore(one, b_.CreateConstInBoundsGEP1_64(m_.i32, coordinates, d * lanes + lane));
        }
    }
    return coordinates;
}

} // namespace fluorite::backends
