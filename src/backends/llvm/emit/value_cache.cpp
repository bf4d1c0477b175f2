// The cache is a table from node to value. An entry is dropped
//   - at the end of the control scope (loop body, branch) that contains its instruction,
//   - when a variable that it depends on is bound to another value: entries know their users, so the cost is
//     proportional to what is dropped; a Let does not depend on its own symbol,
//   - if it reads memory, at the next store or other side effect.
// An entry also records the outermost control scope in which it could be computed, by which the terms of addresses are
// sorted.

#include "backends/llvm/emit/value_cache.h"

#include "ir/expr_traits.h"

#include <algorithm>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;

void ValueCache::close_scope() {
    for (const ExprNode *node : scopes_.back().nodes) {
        const auto at = cache_.find(node);
        if (at != cache_.end() && at->second.scope == depth()) {
            cache_.erase(at);
        }
    }
    scopes_.pop_back();
}

bool ValueCache::is_open(int scope) const {
    return std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope &open) { return open.number == scope; });
}

const ValueCache::Binding *ValueCache::binding(const ir::Symbol &symbol) const {
    const auto found = bound_.find(symbol);
    return found == bound_.end() ? nullptr : &found->second.binding;
}

std::optional<ValueCache::Binding> ValueCache::bind(const ir::Symbol &symbol, Binding binding) {
    const Binding *found = this->binding(symbol);
    std::optional<Binding> outer = found ? std::optional(*found) : std::nullopt;
    Bound &bound = bound_[symbol];
    const bool changes = bound.binding.value != binding.value;
    bound.binding = std::move(binding);
    if (changes) {
        std::vector<const ExprNode *> stale;
        stale.swap(bound.nodes);
        for (const ExprNode *node : stale) {
            forget(node);
        }
    }
    return outer;
}

void ValueCache::restore(const ir::Symbol &symbol, const std::optional<Binding> &outer) {
    if (outer) {
        bind(symbol, *outer);
        return;
    }
    const auto found = bound_.find(symbol);
    if (found == bound_.end()) {
        return;
    }
    const std::vector<const ExprNode *> stale = std::move(found->second.nodes);
    bound_.erase(found);
    for (const ExprNode *node : stale) {
        forget(node);
    }
}

llvm::Value *ValueCache::find(const ExprNode *node) const {
    const auto at = cache_.find(node);
    return at == cache_.end() ? nullptr : at->second.value;
}

int ValueCache::depth_of(const Expr &expr) const {
    const auto at = cache_.find(expr.get());
    return at == cache_.end() ? depth() : at->second.depth;
}

void ValueCache::remember(const ExprNode &node, llvm::Value *value) {
    alive_.try_emplace(&node, Expr(&node));
    Cached entry{value, depth(), 0, false, {}};
    if (node.kind() == ExprKind::Variable) {
        const auto bound = bound_.find(node.symbol());
        if (bound != bound_.end()) {
            entry.depth = bound->second.binding.depth;
            bound->second.nodes.push_back(&node);
        }
    } else if (!ir::is_movable(node.kind())) {
        entry.depth = depth();
        entry.reads_memory = true;
    }
    for (const Expr &arg : node.args()) {
        const auto at = cache_.find(arg.get());
        if (at != cache_.end()) {
            entry.depth = std::max(entry.depth, at->second.depth);
            entry.reads_memory |= at->second.reads_memory;
            at->second.users.push_back(&node);
        }
    }
    if (entry.reads_memory) {
        memory_nodes_.push_back(&node);
    }
    scopes_.back().nodes.push_back(&node);
    cache_[&node] = std::move(entry);
}

/// Drops a node and everything that was computed from it.
void ValueCache::forget(const ExprNode *node) {
    const bool is_named = node->kind() == ExprKind::Variable || node->kind() == ExprKind::Let;
    const ir::Symbol symbol = is_named ? node->symbol() : ir::Symbol();
    std::vector<const ExprNode *> pending{node};
    while (!pending.empty()) {
        const ExprNode *dropped = pending.back();
        pending.pop_back();
        const auto at = cache_.find(dropped);
        if (at == cache_.end()) {
            continue;
        }
        for (const ExprNode *user : at->second.users) {
            const bool hides = user->kind() == ExprKind::Let && symbol.defined() && user->symbol() == symbol &&
                               user->arg(1).get() == dropped && user->arg(0).get() != dropped;
            if (!hides) {
                pending.push_back(user);
            }
        }
        cache_.erase(dropped);
    }
}

void ValueCache::forget_memory() {
    for (const ExprNode *node : memory_nodes_) {
        cache_.erase(node);
    }
    memory_nodes_.clear();
}

} // namespace fluorite::backends
