#pragma once
// Tasks: functions of the module beside the entry, and their launches.

#include "backends/llvm/emit/host_frame.h"
#include "backends/llvm/emit/memory/buffers.h"
#include "ir/closure.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::backends {

class Expressions;

/// The function of a task and its closure.
struct Task {
    llvm::Function *function = nullptr;
    ir::ClosureLayout closure;

    bool has_index() const { return function->arg_size() == 3; }
    llvm::Argument *context() const { return function->getArg(0); }
    llvm::Argument *index() const { return function->getArg(1); }
    llvm::Argument *memory() const { return function->getArg(has_index() ? 2 : 1); }
};

/// The tasks of a module by name.
class Tasks {
  public:
    /// Creates the function of a task, without a body.
    void declare(const ModuleContext &m, const ir::LoweredFunc &func);
    const Task &at(const std::string &name) const { return tasks_.at(name); }

  private:
    std::unordered_map<std::string, Task> tasks_;
};

/// Binds the captured values inside a task.
void open_closure(const ModuleContext &m, const Task &task, const ir::LoweredFunc &func, ValueCache &values,
                  Buffers &buffers);

/// The launches of tasks in the function under construction.
class Launches {
  public:
    Launches(const ModuleContext &m, const Tasks &tasks, HostFrame &frame, ValueCache &values, Buffers &buffers,
             Expressions &expressions)
        : m_(m), b_(m.b), tasks_(tasks), frame_(frame), values_(values), buffers_(buffers), expressions_(expressions) {}

    /// Runs a task once.
    void launch(const ir::Launch &launch);
    /// Runs a task for each iteration of a parallel or forked loop.
    void task_for(const ir::For &loop);

  private:
    llvm::Value *field(const ir::ClosureField &field, const Expr &arg);
    llvm::Value *make_closure(const ir::Launch &launch);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    const Tasks &tasks_;
    HostFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Expressions &expressions_;
};

} // namespace fluorite::backends
