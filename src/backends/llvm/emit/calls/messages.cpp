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

using ir::ExprNode;
using llvm::Value;

Value *Messages::text(std::span<const Expr> parts) {
    if (!text_) {
        text_ = frame_.entry_alloca(m_.i8, ir::text_bytes, 16, "text");
    }
    Value *end = b_.CreateConstInBoundsGEP1_64(m_.i8, text_, ir::text_bytes - 1);
    b_.CreateStore(b_.getInt8(0), text_);
    Value *at = text_;
    for (const Expr &part : parts) {
        const Type type = part.type();
        Value *whole = expressions_.value(part);
        for (int i = 0; i < type.lanes(); i++) {
            Value *lane = m_.lanes.slice(whole, i, 1);
            if (i > 0) {
                at = append(at, end, m_.globals.text(ir::lane_separator), ir::TextForm::Text);
            }
            at = append(at, end, in_form(lane, type.element_of(), ir::text_form(part)), ir::text_form(part));
        }
    }
    return text_;
}

/// A scalar as it is appended.
Value *Messages::in_form(Value *scalar, Type type, ir::TextForm form) {
    const Type wanted = ir::appended_type(form);
    return wanted.is_handle()  ? scalar
           : wanted.is_float() ? arith_.widen_float(scalar, type)
                               : arith_.cast(scalar, type, wanted);
}

/// Appends at `at`; the result is the end of the text.
Value *Messages::append(Value *at, Value *end, Value *what, ir::TextForm form) {
    return call_runtime(m_, ir::append_function(form), m_.ptr, {at, end, what});
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
    Value *message = text(ir::message_parts(node));
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
        Value *message = text(ir::message_parts(node));
        Value *shown = expressions_.operand(node, 2);
        return call_runtime(m_, "fluorite_error_requirement_failed", m_.i32, {frame_.context(), shown, message});
    });
    return expressions_.operand(node, 1);
}

// ---- Trace events.

Value *Messages::trace(const ExprNode &node) {
    const ir::TraceEvent event = ir::trace_event(node);
    Value *memory = frame_.entry_alloca(m_.i8, sizeof(fluorite_trace_event_t), 16, "event");
    const auto set = [&](Value *value, size_t offset) {
        b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(m_.i8, memory, offset));
    };
    Value *values = event.has_value ? trace_values(event.value)
                                    : llvm::ConstantPointerNull::get(llvm::PointerType::get(m_.context, 0));
    Value *coordinates = trace_coordinates(event);
    set(expressions_.value(event.func), offsetof(fluorite_trace_event_t, func));
    set(values, offsetof(fluorite_trace_event_t, value));
    set(coordinates, offsetof(fluorite_trace_event_t, coordinates));
    set(expressions_.value(event.tag), offsetof(fluorite_trace_event_t, trace_tag));
    Value *type_bits = b_.CreateAnd(expressions_.value(event.type), b_.getInt32(ir::TraceEvent::type_mask));
    set(b_.CreateOr(type_bits, b_.getInt32(event.type_lanes())), offsetof(fluorite_trace_event_t, type));
    set(expressions_.value(event.event), offsetof(fluorite_trace_event_t, event));
    set(expressions_.value(event.parent_id), offsetof(fluorite_trace_event_t, parent_id));
    set(expressions_.value(event.value_index), offsetof(fluorite_trace_event_t, value_index));
    set(b_.getInt32(static_cast<uint32_t>(event.dimensions())), offsetof(fluorite_trace_event_t, dimensions));
    return call_runtime(m_, "fluorite_trace", m_.i32, {frame_.context(), memory});
}

/// The lanes of a value in memory.
Value *Messages::trace_values(const Expr &value) {
    const Type type = value.type();
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *values = frame_.entry_alloca(element, static_cast<uint64_t>(type.lanes()), 64, "values");
    b_.CreateAlignedStore(arith_.to_memory(type, expressions_.value(value)), values,
                          llvm::Align(type.is_vector() ? 8 : 1));
    return values;
}

/// The coordinates in memory: for each dimension, those of all lanes.
Value *Messages::trace_coordinates(const ir::TraceEvent &event) {
    const auto lanes = static_cast<uint64_t>(event.lanes);
    const auto count = static_cast<uint64_t>(event.dimensions());
    Value *coordinates = frame_.entry_alloca(m_.i32, std::max<uint64_t>(count, 1), 16, "coordinates");
    for (uint64_t d = 0; d < event.coordinates.size(); d++) {
        Value *all = expressions_.value(event.coordinates[d]);
        for (uint64_t lane = 0; lane < lanes; lane++) {
            Value *one = all->getType()->isVectorTy() ? b_.CreateExtractElement(all, lane) : all;
            b_.CreateStore(one, b_.CreateConstInBoundsGEP1_64(m_.i32, coordinates, d * lanes + lane));
        }
    }
    return coordinates;
}

} // namespace fluorite::backends
