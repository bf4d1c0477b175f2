#pragma once
// Statements: the interface through which all parts of the emitter recurse into statements. Knows loops, branches and
// lets, and which part emits which other statement.

#include "backends/llvm/emit/module_context.h"
#include "backends/llvm/emit/value_cache.h"

namespace fluorite::backends {

class Addresses;
class Allocations;
class Atomics;
class Buffers;
class Expressions;
class FunctionFrame;
class KernelCalls;
class Launches;
class Stores;

class Statements {
  public:
    /// The parts that emit statements other than lets, branches, serial loops and assertions.
    struct Parts {
        Allocations &allocations;
        Atomics &atomics;
        KernelCalls &kernels;
        Launches &launches;
        Stores &stores;
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
