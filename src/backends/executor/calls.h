#pragma once
// Calls by name, messages, and addresses of elements.

#include "backends/executor/function_builder.h"
#include "interpret/scalar.h"
#include "ir/message.h"

#include <memory>
#include <span>
#include <string>

namespace fluorite::backends::executor {

/// The parts of a message, joined as the runtime writes them. A part that is a vector is the list of its lanes.
class Text {
  public:
    /// Appends code that computes the parts.
    Text(std::span<const Expr> parts, FunctionBuilder &builder);
    std::string in(Frame &frame) const;

  private:
    struct Part {
        Slot slot;
        ir::TextForm form;
        interpret::Unary convert; // null if the lanes are appended as they are
    };
    std::vector<Part> parts_;
};

/// An Extern node: an operation of operations.def or a C function.
Slot compile_call(const ir::ExprNode &node, FunctionBuilder &builder);

/// The address of an element. Throws Failed where the buffer has no such element.
uint8_t *address_of(Frame &frame, const Memory &memory, const std::string &name, Type element, Cell index);

/// Notes an access of a thread of a kernel to memory that it may share; `stored` is the value of a store. Throws Failed
/// for a data race.
void note_access(Frame &frame, const Memory &memory, const std::string &name, const uint8_t *at, Type element,
                 const uint8_t *stored = nullptr);

/// Makes a C function `int32_t(void **)` that runs the function.
void *make_argv_form(Program &program, const Function &function);

} // namespace fluorite::backends::executor
