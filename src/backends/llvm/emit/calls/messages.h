#pragma once
// What the program tells the user at run time: texts, prints, requirements and trace events.

#include "backends/llvm/emit/host_frame.h"
#include "ir/message.h"

#include <span>

namespace fluorite::backends {

class Expressions;

class Messages {
  public:
    Messages(const ModuleContext &m, HostFrame &frame, ValueCache &values, Expressions &expressions)
        : m_(m), b_(m.b), arith_(m.arith), frame_(frame), values_(values), expressions_(expressions) {}

    /// text.concat: the texts of the parts, one after the other, in memory that the next text overwrites.
    llvm::Value *text(std::span<const Expr> parts);
    /// print(condition, value, parts...), whose result is the value.
    llvm::Value *print(const ir::ExprNode &node);
    /// require(condition, value, text of the condition, parts...): the result is the value; if the condition does not
    /// hold, the function fails.
    llvm::Value *require(const ir::ExprNode &node);
    /// trace(func, event, parent_id, value_index, tag, type, value, coordinates...), whose result is the id of the
    /// event.
    llvm::Value *trace(const ir::ExprNode &node);

  private:
    llvm::Value *in_form(llvm::Value *scalar, Type type, ir::TextForm form);
    llvm::Value *append(llvm::Value *at, llvm::Value *end, llvm::Value *what, ir::TextForm form);
    llvm::Value *trace_values(const Expr &value);
    llvm::Value *trace_coordinates(const ir::TraceEvent &event);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    HostFrame &frame_;
    ValueCache &values_;
    Expressions &expressions_;
    llvm::Value *text_ = nullptr; // the buffer of text.concat
};

} // namespace fluorite::backends
