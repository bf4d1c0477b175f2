// Frees memory after its last use.
//
//   allocate f { produce f; allocate g { produce g from f; produce h from g } }
//   -->  allocate f { produce f; allocate g { produce g from f; free f; produce h from g } }
// Scopes of allocations nest, but lifetimes of Funcs do not: a chain of stages at root then has two of them in memory
// at a time, not all.
//
// Method. A first walk numbers the statements of straight-line code, and records for each buffer the last statement
// that mentions it. A second walk inserts the free into the innermost block in which a statement follows. Both walks
// descend into lets, marks and allocations; a loop or branch is one statement. Loop bodies and branches are treated
// separately, as straight-line code of their own: all work of a pipeline is in the branch that answers no bounds query.
//
// Relies on: a buffer whose address escapes (its symbol is in a Variable) is never freed early, as calls may keep the
// address. In the body of a loop, back ends keep the allocated blocks for the next iteration, and reuse a freed block
// for the next allocation in the body. Cost: linear.

#include "lowering/late_passes.h"

#include <algorithm>
#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// Whether the walks descend into the statement.
bool is_looked_through(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Allocate:
    case StmtKind::Block:
        return true;
    default:
        return false;
    }
}

/// The buffers that code mentions, and the addresses that it takes.
class MentionsOfBuffer : public Visitor {
  public:
    std::vector<Symbol> buffers, addresses;

    using Visitor::visit;
    void visit(const Expr &expr) override {
        std::vector<const ExprNode *> hinted; // operands of a prefetch, which does not keep the address
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Extern && node->text() == "memory.prefetch") {
                hinted.push_back(node->arg(0).get());
            }
        });
        for_each_node(expr, [&](const Expr &node) {
            const bool is_hinted = std::find(hinted.begin(), hinted.end(), node.get()) != hinted.end();
            if (node->kind() == ExprKind::Load || node->kind() == ExprKind::BufferField || is_hinted) {
                buffers.push_back(node->symbol());
            } else if (node->kind() == ExprKind::Variable && node.type().is_handle()) {
                addresses.push_back(node->symbol());
            }
        });
    }
    void visit(const Stmt &stmt) override {
        if (const Store *store = stmt.as<Store>()) {
            buffers.push_back(store->buffer);
        }
        recurse(stmt);
    }
};

/// Numbers the steps of straight-line code, and records where each buffer is mentioned last.
class Uses {
  public:
    explicit Uses(const Stmt &stmt) { walk(stmt); }

    SymbolMap<int> last;
    SymbolMap<bool> escapes;

  private:
    int step_ = 0;

    void note(const MentionsOfBuffer &mentions) {
        for (const Symbol &buffer : mentions.buffers) {
            last[buffer] = step_;
        }
        for (const Symbol &address : mentions.addresses) {
            escapes[address] = true;
        }
        step_++;
    }

    void walk(const Stmt &stmt) {
        MentionsOfBuffer mentions;
        if (!is_looked_through(stmt)) {
            mentions.visit(stmt);
            return note(mentions);
        }
        for_each_child_expr(stmt, [&](const Expr &expr) { mentions.visit(expr); });
        note(mentions);
        for_each_child_stmt(stmt, [&](const Stmt &inner) { walk(inner); });
    }
};

/// Inserts the frees, counting the same steps.
class Placer {
  public:
    Placer(const Uses &uses, const PassContext &context) : uses_(uses), context_(context) {}

    Stmt place(const Stmt &stmt) {
        step_++;
        if (!is_looked_through(stmt)) {
            return stmt;
        }
        if (const auto *block = stmt.as<Block>()) {
            return place_block(*block);
        }
        if (const auto *let = stmt.as<LetStmt>()) {
            return LetStmt::make(let->symbol, let->value, place(let->body));
        }
        if (const auto *mark = stmt.as<ProducerConsumer>()) {
            return ProducerConsumer::make(mark->func, mark->is_producer, place(mark->body));
        }
        const Allocate &node = *stmt.as<Allocate>();
        if (!uses_.escapes.contains(node.buffer)) {
            open_.push_back(node.buffer);
        }
        Stmt body = place(node.body);
        std::erase(open_, node.buffer);
        return Allocate::make(node.buffer, node.type, node.memory, node.extents, body);
    }

  private:
    const Uses &uses_;
    const PassContext &context_;
    std::vector<Symbol> open_;
    int step_ = 0;

    /// Inserts, after each part but the last, frees of the buffers whose last mention is in it. What is allocated
    /// inside a part is freed inside it.
    Stmt place_block(const Block &block) {
        std::vector<Stmt> parts;
        for (size_t i = 0; i < block.stmts.size(); i++) {
            parts.push_back(place(block.stmts[i]));
            if (i + 1 == block.stmts.size()) {
                break;
            }
            for (size_t b = open_.size(); b-- > 0;) {
                const auto last = uses_.last.find(open_[b]);
                if (last == uses_.last.end() || last->second < step_) {
                    context_.beyond(open_[b], "its memory ends with its last use");
                    parts.push_back(Free::make(open_[b]));
                    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(b));
                }
            }
        }
        return Block::make(std::move(parts));
    }
};

Stmt free_in(const Stmt &stmt, const PassContext &context) {
    const Uses uses(stmt);
    return Placer(uses, context).place(stmt);
}

/// Treats the bodies of loops and branches as straight-line code of their own.
class Parts : public Mutator {
  public:
    explicit Parts(const PassContext &context) : context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const For *loop = stmt.as<For>()) {
            return For::make(loop->var, loop->min, loop->extent, loop->for_kind, free_in(mutate(loop->body), context_),
                             loop->partition);
        }
        if (const IfThenElse *branch = stmt.as<IfThenElse>()) {
            const Stmt otherwise = branch->else_case.defined() ? free_in(mutate(branch->else_case), context_) : Stmt();
            return IfThenElse::make(branch->condition, free_in(mutate(branch->then_case), context_), otherwise);
        }
        return recurse(stmt);
    }

  private:
    const PassContext &context_;
};

} // namespace

Stmt free_early(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? free_in(Parts(context).mutate(stmt), context) : stmt;
}

} // namespace fluorite::lowering
