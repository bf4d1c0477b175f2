#pragma once
// Statements: the interface through which all parts of the emitter recurse into statements. Knows loops, branches and
// lets, and which part emits which other statement.
//
// What a function asks of the machine that runs it (memory, tasks, an early end, waiting) is another thing on the host
// and on a device; each has a MachineStatements for it.

#include "backends/llvm/emit/module_context.h"
#include "backends/llvm/emit/value_cache.h"

namespace fluorite::backends {

class Addresses;
class Atomics;
class Buffers;
class Expressions;
class FunctionFrame;
class Stores;

/// Emits what differs from machine to machine: Allocate, Free, Assert, Barrier, Launch, and loops that are not serial.
class MachineStatements {
  public:
    virtual void emit(const ir::Stmt &stmt) = 0;

  protected:
    ~MachineStatements() = default;
};

class Statements {
  public:
    /// The parts that emit statements other than lets, branches and serial loops.
    struct Parts {
        Atomics &atomics;
        Stores &stores;
        MachineStatements &machine;
    };
    Statements(const ModuleContext &m, FunctionFrame &frame, ValueCache &values, Buffers &buffers, Addresses &addresses,
               Expressions &expressions, const Parts &parts)
        : m_(m), b_(m.b), frame_(frame), values_(values), buffers_(buffers), addresses_(addresses),
          expressions_(expressions), parts_(parts) {}

    /// Appends the instructions of a statement at the insertion point, which moves behind them.
    void emit(const ir::Stmt &stmt);

  private:
    std::optional<ValueCache::Binding> bind_let(const ir::LetStmt &let);
    void emit_leaf(const ir::Stmt &at);
    void serial_for(const ir::For &loop);
    void preload(const ir::Stmt &body);
    void if_then_else(const ir::IfThenElse &node);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    FunctionFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Addresses &addresses_;
    Expressions &expressions_;
    const Parts parts_;
};

} // namespace fluorite::backends
