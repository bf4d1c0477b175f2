#pragma once
// The function under construction: its slots, its code, and what symbols denote at the place that is compiled.

#include "backends/executor/program.h"
#include "ir/memory.h"
#include "ir/stmt.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace fluorite::backends::executor {

class FunctionBuilder {
  public:
    FunctionBuilder(Program &program, Function &function) : program_(program), function_(function) {}

    Program &program() { return program_; }
    Function &function() { return function_; }

    Slot new_slot(int lanes);
    /// A slot whose cells hold the value from the start.
    Slot constant(Cell value);
    void emit(Instruction instruction);
    size_t new_label();
    /// Code that follows is where jumps to the label go.
    void place(size_t label) { function_.labels[label] = function_.code.size(); }

    // ---- Scalars and vectors.
    void bind(const ir::Symbol &symbol, Slot slot) { values_[symbol] = slot; }
    const Slot *find_value(const ir::Symbol &symbol) const;
    // ---- Buffers. Each binding of a symbol gets its own number.
    size_t bind_buffer(const ir::Symbol &symbol);
    size_t buffer(const ir::Symbol &symbol) const;

    // ---- Blocks on the heap, which exits free while they are open.
    void open_block(const ir::Symbol &buffer);
    void close_block(const ir::Symbol &buffer);

    // ---- Values of nodes that have been computed: within the innermost statement, and within the body of a Let.
    void open_scope() { known_.emplace_back(); }
    void close_scope() { known_.pop_back(); }
    const Slot *find_known(const Expr &expr) const;
    void set_known(const Expr &expr, Slot slot) { known_.back()[expr.get()] = slot; }

  private:
    void find_exit();

    Program &program_;
    Function &function_;
    ir::SymbolMap<Slot> values_;
    ir::SymbolMap<size_t> buffers_;
    ir::ExitPaths exits_;
    int exit_ = ir::ExitPaths::end; // the path of an exit from here
    std::vector<std::unordered_map<const ir::ExprNode *, Slot>> known_;
};

/// Appends code that computes the value, which the slot then holds. A node that occurs repeatedly is computed once.
Slot compile(const Expr &expr, FunctionBuilder &builder);
/// Appends code that executes the statement.
void compile(const ir::Stmt &stmt, FunctionBuilder &builder);

} // namespace fluorite::backends::executor
