#pragma once
// Kernels of devices, as the functions of the host see them: the data that the runtime builds, launches, and memory.

#include "backends/llvm/emit/memory/buffers.h"

#include <vector>

namespace fluorite::backends {

class HostFrame;

class Expressions;

/// The symbol of the pointer to a module's kernels, which the runtime sets (fluorite_device_load_module).
std::string kernels_slot(const std::string &entry);

class KernelCalls {
  public:
    KernelCalls(const ModuleContext &m, HostFrame &frame, ValueCache &values, Buffers &buffers,
                Expressions &expressions)
        : m_(m), b_(m.b), frame_(frame), values_(values), buffers_(buffers), expressions_(expressions) {}

    /// Launches a kernel on the grid that is the nest of loops around the Launch.
    void launch(const ir::For &grid);
    /// Allocates the memory of a Func on the device: a fluorite_device_mirror_t on the stack, which exits end.
    llvm::Value *begin_memory(const ir::Symbol &buffer, llvm::Value *bytes);
    /// An operation `device.*` of operations.def; its value is 0.
    llvm::Value *operation(const ir::ExprNode &node);

  private:
    llvm::Value *device_interface();
    void require_success(llvm::Value *code);
    llvm::Value *list(const std::vector<llvm::Value *> &values, llvm::Type *type, const char *name);
    std::vector<llvm::Value *> argument(const ir::LoweredArg &wanted, const Expr &given);
    llvm::Value *arguments(const ir::LoweredFunc &kernel, const ir::Launch &launch);
    llvm::Value *shared_bytes(const ir::LoweredFunc &kernel, const ir::Launch &launch);
    llvm::Value *operation_of_argument(const ir::ExprNode &node, llvm::Value *header);
    llvm::Value *operation_of_memory(const ir::ExprNode &node, llvm::Value *mirror);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    HostFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Expressions &expressions_;
};

} // namespace fluorite::backends
