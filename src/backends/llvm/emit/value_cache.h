#pragma once
// The values that hold where the builder stands: of expressions, and of the symbols in them. Nothing here makes an
// instruction. One cache serves one function that is being filled.

#include "backends/llvm/emit/linear_index.h"
#include "ir/stmt.h"

#include <unordered_map>
#include <vector>

namespace fluorite::backends {

class ValueCache {
  public:
    /// What a symbol is bound to.
    struct Binding {
        llvm::Value *value = nullptr;
        llvm::Value *wide = nullptr;            // as i64 where it is the variable of a loop
        int depth = 0;                          // the control scope in which it becomes known
        std::optional<LinearIndex> linear = {}; // of a coordinate: what it was bound to
    };

    // ---- Control scopes: bodies of loops, and branches, one in the other.

    int depth() const { return static_cast<int>(scopes_.size()) - 1; }
    void open_scope() { scopes_.emplace_back(); }
    /// Drops the values whose instructions stand in the scope.
    void close_scope();

    // ---- Symbols.

    /// Null where the symbol is bound to nothing.
    const Binding *binding(const ir::Symbol &symbol) const;
    /// Binds the symbol, for the run of a scope, and drops the values that were made from another binding of it.
    /// Returns that one, for `restore`.
    std::optional<Binding> bind(const ir::Symbol &symbol, Binding binding);
    /// The way back, at the end of the symbol's scope: a symbol that was bound to nothing is bound to nothing again.
    void restore(const ir::Symbol &symbol, const std::optional<Binding> &outer);

    // ---- Expressions.

    /// Null where the node has no value here.
    llvm::Value *find(const ir::ExprNode *node) const;
    /// The outermost control scope in which the value could be computed; this one where there is none.
    int depth_of(const Expr &expr) const;
    /// The values of the node's operands are those that it was made from.
    void remember(const ir::ExprNode &node, llvm::Value *value);
    /// The value of the Let may be made from what its symbol is bound to around it.
    void remember_outer_use(const ir::ExprNode &let) { bound_[let.symbol()].nodes.push_back(&let); }
    /// Drops what was made from memory: it may have changed.
    void forget_memory();

  private:
    /// A node's value: `scope` is the control scope that holds its instruction, `depth` the outermost one in which it
    /// could be computed, `users` the cached nodes made from it.
    struct Cached {
        llvm::Value *value = nullptr;
        int scope = 0;
        int depth = 0;
        bool reads_memory = false;
        llvm::SmallVector<const ir::ExprNode *, 2> users;
    };
    struct Bound {
        Binding binding;
        std::vector<const ir::ExprNode *> nodes; // cached, made from it directly
    };
    void forget(const ir::ExprNode *node);

    std::unordered_map<const ir::ExprNode *, Cached> cache_;
    std::vector<std::vector<const ir::ExprNode *>> scopes_{{}}; // cached nodes by scope
    std::vector<const ir::ExprNode *> memory_nodes_;            // cached nodes that read memory
    ir::SymbolMap<Bound> bound_;
};

} // namespace fluorite::backends
