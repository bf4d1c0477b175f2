#pragma once
// The translation of one function of the host: owns the parts of the emitter that serve it and connects them. Nothing
// else knows all parts.

#include "backends/llvm/emit/calls/calls.h"
#include "backends/llvm/emit/calls/math_calls.h"
#include "backends/llvm/emit/calls/messages.h"
#include "backends/llvm/emit/host_expressions.h"
#include "backends/llvm/emit/host_statements.h"
#include "backends/llvm/emit/kernel_calls.h"
#include "backends/llvm/emit/memory/accesses.h"
#include "backends/llvm/emit/memory/allocations.h"
#include "backends/llvm/emit/memory/atomics.h"
#include "backends/llvm/emit/tasks.h"

namespace fluorite::backends {

class FunctionEmitter {
  public:
    /// `function` has no body yet. `tasks` are those that it may launch.
    FunctionEmitter(const ModuleContext &m, const Tasks &tasks, llvm::Function *function);
    FunctionEmitter(const FunctionEmitter &) = delete;

    /// Fills the function with the entry, whose arguments are those of the function.
    void emit_entry(const ir::LoweredFunc &entry);
    /// Fills the function with a task.
    void emit_task(const ir::LoweredFunc &func, const Task &task);

  private:
    void finish();

    const ModuleContext &m_;
    llvm::Function *const function_;
    ValueCache values_;
    HostFrame frame_;
    Buffers buffers_;
    // memory
    AccessChecks checks_;
    Accesses accesses_;
    Allocations allocations_;
    Atomics atomics_;
    // calls
    MathCalls math_;
    Messages messages_;
    Calls calls_;
    Launches launches_;
    KernelCalls kernels_;
    // the recursion
    HostExpressions of_host_;
    HostStatements by_host_;
    Expressions expressions_;
    Statements statements_;
};

} // namespace fluorite::backends
