#pragma once
// The values of expressions and symbols that are valid at the insertion point. Nothing here emits instructions. One
// cache serves one function under construction.

#include "backends/llvm/emit/linear_index.h"
#include "ir/stmt.h"

#include <unordered_map>
#include <vector>

namespace fluorite::backends {

class ValueCache {
  public:
    /// The value that a symbol is bound to.
    struct Binding {
        llvm::Value *value = nullptr;
        llvm::Value *wide = nullptr;            // as i64, for a loop variable
        int depth = 0;                          // the control scope in which the value becomes known
        std::optional<LinearIndex> linear = {}; // the linear form of a coordinate
        Expr definition = {};                   // of a let of a vector of 32-bit integers
    };

    // ---- Control scopes: the bodies of loops and branches, nested.

    int depth() const { return static_cast<int>(scopes_.size()) - 1; }
    void open_scope() { scopes_.push_back({++last_scope_, {}}); }
    /// The number of the innermost scope. No other scope of the function has it.
    int scope() const { return scopes_.back().number; }
    /// Whether the insertion point is inside the scope with this number.
    bool is_open(int scope) const;
    /// Drops the values whose instructions are in the innermost scope.
    void close_scope();

    // ---- Symbols.

    /// Null if the symbol is not bound.
    const Binding *binding(const ir::Symbol &symbol) const;
    /// Binds the symbol and drops the values that were computed from its previous binding. Returns that binding, for
    /// `restore`.
    std::optional<Binding> bind(const ir::Symbol &symbol, Binding binding);
    /// Restores the previous binding at the end of the symbol's scope; nothing means that the symbol was not bound.
    void restore(const ir::Symbol &symbol, const std::optional<Binding> &outer);

    // ---- Expressions.

    /// Null if the node has no valid value.
    llvm::Value *find(const ir::ExprNode *node) const;
    /// The outermost control scope in which the value could be computed; the current one if the value is not cached.
    int depth_of(const Expr &expr) const;
    /// Caches the value of a node, which was computed from the cached values of its operands.
    void remember(const ir::ExprNode &node, llvm::Value *value);
    /// Records that the value of a Let may also depend on the outer binding of its symbol.
    void remember_outer_use(const ir::ExprNode &let) { bound_[let.symbol()].nodes.push_back(&let); }
    /// Drops values that were read from memory, and those computed from them: memory may have changed.
    void forget_memory();

  private:
    /// The value of a node: `scope` is the control scope that contains its instruction, `depth` the outermost one in
    /// which it could be computed, `users` the cached nodes computed from it.
    struct Cached {
        llvm::Value *value = nullptr;
        int scope = 0;
        int depth = 0;
        bool reads_memory = false;
        llvm::SmallVector<const ir::ExprNode *, 2> users;
    };
    struct Scope {
        int number = 0;
        std::vector<const ir::ExprNode *> nodes; // that are cached
    };
    struct Bound {
        Binding binding;
        std::vector<const ir::ExprNode *> nodes; // cached nodes that use the symbol directly
    };
    void forget(const ir::ExprNode *node);

    std::unordered_map<const ir::ExprNode *, Cached> cache_;
    /// All nodes that were ever cached. The emitter caches nodes that it has made itself, too; were such a node freed,
    /// another one could have its address, and would be taken for it.
    std::unordered_map<const ir::ExprNode *, Expr> alive_;
    std::vector<Scope> scopes_{{0, {}}};
    int last_scope_ = 0;
    std::vector<const ir::ExprNode *> memory_nodes_; // cached nodes that read memory
    ir::SymbolMap<Bound> bound_;
};

} // namespace fluorite::backends
