// Frees memory after its last use.
//
//   allocate f { produce f; allocate g { produce g from f; produce h from g } }
//   -->  allocate f { produce f; allocate g { produce g from f; free f; produce h from g } }
// Scopes of allocations nest, but lifetimes of Funcs do not: a chain of stages at root then has two of them in memory
// at a time, not all.
//
// Method. A first walk numbers the statements of straight-line code, and records for each buffer that is allocated in
// it the last statement that mentions it. A second walk inserts the free into the innermost block in which a statement
// follows. Both walks descend into lets, marks and allocations; a loop or branch is one statement. Loop bodies and
// branches are straight-line code of their own (all work of a pipeline is in the branch that answers no bounds query),
// which the first walk treats when it comes to them: a mention there counts where the buffer is allocated, at the
// statement of that code which is being visited. So each statement is visited once, however deep the nest.
//
// Relies on: a buffer whose address escapes (its symbol is in a Variable) is never freed early, as calls may keep the
// address. In the body of a loop, keep_memory keeps the allocated blocks for the next iteration, and a freed block
// serves the next allocation in the body. Cost: linear.

#include "lowering/access/buffer_uses.h"
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
    default: // the lifetime of a buffer ends behind a loop or branch that uses it
        return false;
    }
}

/// Where straight-line code mentions the buffers that are allocated in it.
struct Uses {
    int step = 0;
    SymbolMap<int> last;
    SymbolMap<bool> escapes;
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

class Walk {
  public:
    explicit Walk(const PassContext &context) : context_(context) {}

    /// Straight-line code with its frees, and those of the loops and branches in it.
    Stmt code(const Stmt &stmt) {
        if (!stmt.defined()) {
            return stmt;
        }
        Uses uses;
        return Placer(uses, context_).place(number(stmt, uses));
    }

  private:
    const PassContext &context_;
    SymbolMap<Uses *> allocated_in_; // of the allocations in scope

    /// Records the uses in a statement of the code; returns it with what is inside of loops and branches treated.
    Stmt number(const Stmt &stmt, Uses &uses) {
        for_each_child_expr(stmt, [&](const Expr &expr) { mention(expr); });
        if (!is_looked_through(stmt)) {
            const Stmt result = apart(stmt);
            uses.step++;
            return result;
        }
        uses.step++;
        const Allocate *allocate = stmt.as<Allocate>();
        if (allocate) {
            allocated_in_[allocate->buffer] = &uses;
        }
        const Stmt result = with_children(stmt, [&](const Stmt &child) { return number(child, uses); });
        if (allocate) {
            allocated_in_.erase(allocate->buffer);
        }
        return result;
    }

    /// A statement that is one step of the code around it; what it mentions itself has been recorded.
    Stmt apart(const Stmt &stmt) {
        if (const Store *store = stmt.as<Store>()) {
            mention_buffer(store->buffer);
        }
        const bool has_code = stmt.kind() == StmtKind::For || stmt.kind() == StmtKind::IfThenElse;
        return with_children(stmt, [&](const Stmt &child) {
            if (has_code) {
                return code(child);
            }
            for_each_child_expr(child, [&](const Expr &expr) { mention(expr); });
            return apart(child);
        });
    }

    void mention_buffer(const Symbol &buffer) {
        if (const auto at = allocated_in_.find(buffer); at != allocated_in_.end()) {
            at->second->last[buffer] = at->second->step;
        }
    }

    void mention(const Expr &expr) {
        std::vector<const ExprNode *> hinted; // operands of a prefetch, which does not keep the address
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Extern && node->text() == "memory.prefetch") {
                hinted.push_back(node->arg(0).get());
            }
        });
        for_each_node(expr, [&](const Expr &node) {
            const bool is_hinted = std::find(hinted.begin(), hinted.end(), node.get()) != hinted.end();
            const BufferUse use = buffer_use(node);
            if (use == BufferUse::Load || use == BufferUse::Field || is_hinted) {
                mention_buffer(node->symbol());
            } else if (use == BufferUse::Address) {
                const auto at = allocated_in_.find(node->symbol());
                if (at != allocated_in_.end()) {
                    at->second->escapes[node->symbol()] = true;
                }
            }
        });
    }

    template <typename Child> static Stmt with_children(const Stmt &stmt, const Child &child) {
        struct Children : Mutator {
            explicit Children(const Child &child) : child(child) {}
            using Mutator::mutate;
            Expr mutate(const Expr &expr) override { return expr; }
            Stmt mutate(const Stmt &inner) override { return child(inner); }
            Stmt of(const Stmt &whole) { return recurse(whole); }
            const Child &child;
        };
        return Children(child).of(stmt);
    }
};

} // namespace

Stmt free_early(const Stmt &stmt, const PassContext &context) { return Walk(context).code(stmt); }

} // namespace fluorite::lowering
