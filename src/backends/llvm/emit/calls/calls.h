#pragma once
// Calls by name: functions of the runtime and of the program, and the operations of ir/operations.def that are
// instructions. Knows the C ABI of their operands.

#include "backends/llvm/emit/host_frame.h"
#include "backends/llvm/emit/memory/buffers.h"

namespace fluorite::backends {

class Expressions;
class KernelCalls;
class Messages;

class Calls {
  public:
    Calls(const ModuleContext &m, HostFrame &frame, Buffers &buffers, Messages &messages, KernelCalls &kernels,
          Expressions &expressions)
        : m_(m), b_(m.b), frame_(frame), buffers_(buffers), messages_(messages), kernels_(kernels),
          expressions_(expressions) {}

    /// The value of an Extern node.
    llvm::Value *call(const ir::ExprNode &node);
    /// Whether the function calls functions of the program, which can fail.
    bool has_called_program() const { return has_called_program_; }

  private:
    llvm::Value *call_function(const std::string &name, const ir::ExprNode &node, size_t first);
    llvm::Value *extern_operation(const ir::ExprNode &node);
    llvm::Value *profile_operation(const ir::ExprNode &node);
    llvm::Value *make_header(const ir::ExprNode &node);
    llvm::Value *call_with_doubles(const ir::ExprNode &node);
    llvm::Value *call_with_pointers(const ir::ExprNode &node);
    llvm::Value *buffer_operation(const ir::ExprNode &node);
    llvm::Value *read_buffer(const std::string &name, llvm::Value *base);
    llvm::Value *write_buffer(const ir::ExprNode &node, llvm::Value *base);
    llvm::Value *prefetch(const ir::ExprNode &node);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    HostFrame &frame_;
    Buffers &buffers_;
    Messages &messages_;
    KernelCalls &kernels_;
    Expressions &expressions_;
    bool has_called_program_ = false;
};

} // namespace fluorite::backends
