// Lanes of kernels without masks.
//
//   let x = block * 64 + thread * 2                        let x = block * 64 + thread * 2
//   out[ramp(x, 1, 2)] = in[ramp(x, 1, 2) where m]         if vector_reduce(and, m) {
//       where m                                              out[ramp(x, 1, 2)] = in[ramp(x, 1, 2)] }
//   m: ramp(x, 1, 2) < broadcast(n, 2)             -->     else { ... as before }
//
// A thread of a device has no masks: each masked lane of each access is a branch, after which nothing that was loaded
// is known to be loaded. Only at the edge of an image does a mask exclude a lane, so the loops over blocks and threads
// have a fast way. The branch is around the largest statement in which what the mask is computed from is known, so that
// accesses of all of its statements share what they load.
//
// Barriers stay where all threads of a block pass them: a statement with one is not copied, but the statements in it
// are. Relies on: symbols of lets and loops mean the same wherever they are bound. Cost: linear for each mask; at most
// `most_masks` are removed around a statement, each of which adds a copy of it.

#include "lowering/device/unmask_lanes.h"

#include "ir/expr_traits.h"
#include "lowering/map_children.h"

#include <algorithm>
#include <set>
#include <vector>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t most_masks = 2; // of one statement: those of two dimensions of lanes

/// Not of data, which may be stored or allocated between the branch and the access.
bool is_mask(const Expr &predicate) {
    return predicate.defined() && predicate.type().is_vector() && !is_true(predicate) && !predicate->reads_memory();
}

/// The masks of stores and loads, each once.
class MaskCollector : public Visitor {
  public:
    std::vector<Expr> found;
    bool has_barrier = false;

    void visit(const Expr &expr) override {
        if (expr->kind() == ExprKind::Load && expr->args().size() > 1) {
            add(expr->arg(1));
        }
        recurse(expr);
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            add(store->predicate);
        }
        const auto *allocate = stmt.as<Allocate>();
        has_barrier = has_barrier || stmt.as<Barrier>() || (allocate && allocate->memory == MemoryType::GPUShared);
        recurse(stmt);
    }

  private:
    void add(const Expr &predicate) {
        const bool is_known =
            std::any_of(found.begin(), found.end(), [&](const Expr &other) { return equal(other, predicate); });
        if (is_mask(predicate) && !is_known) {
            found.push_back(predicate);
        }
    }
};

/// The statement where the mask is known to hold.
class WithoutMask : public Mutator {
  public:
    explicit WithoutMask(const Expr &mask) : mask_(mask) {}
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        return transform(expr, [this](const Expr &node) {
            return node.type() == mask_.type() && equal(node, mask_) ? make_bool(true, mask_.type().lanes()) : node;
        });
    }

  private:
    const Expr mask_;
};

class LaneUnmasker : public Mutator {
  public:
    explicit LaneUnmasker(const Stmt &kernel) { collect_binders(kernel); }

    Stmt at_root(const Stmt &kernel) { return mutate(without_masks_known(kernel)); }

    using Mutator::mutate;
    Stmt mutate(const Stmt &stmt) override {
        const auto *let = stmt.as<LetStmt>();
        const auto *loop = stmt.as<For>();
        if (!let && !loop) {
            return recurse(stmt);
        }
        const Symbol &symbol = let ? let->symbol : loop->var;
        unbound_.erase(symbol);
        const Stmt body = mutate(without_masks_of(let ? let->body : loop->body, symbol));
        unbound_.insert(symbol);
        return let ? LetStmt::make(let->symbol, let->value, body)
                   : For::make(loop->var, loop->min, loop->extent, loop->for_kind, body, loop->partition);
    }

  private:
    std::set<Symbol> unbound_; // symbols that the kernel binds, but not around the statement

    void collect_binders(const Stmt &stmt) {
        if (const auto *let = stmt.as<LetStmt>()) {
            unbound_.insert(let->symbol);
        } else if (const auto *loop = stmt.as<For>()) {
            unbound_.insert(loop->var);
        }
        for_each_child_stmt(stmt, [this](const Stmt &child) { collect_binders(child); });
    }
    bool is_known(const Expr &mask) const {
        return std::none_of(unbound_.begin(), unbound_.end(),
                            [&](const Symbol &symbol) { return uses_symbol(mask, symbol); });
    }

    Stmt without_masks_known(const Stmt &stmt) {
        return without(stmt, [this](const Expr &mask) { return is_known(mask); });
    }
    /// Masks that are known from here on.
    Stmt without_masks_of(const Stmt &stmt, const Symbol &symbol) {
        return without(stmt, [&](const Expr &mask) { return uses_symbol(mask, symbol) && is_known(mask); });
    }

    template <typename Chosen> Stmt without(const Stmt &stmt, const Chosen &is_chosen) {
        MaskCollector masks;
        masks.visit(stmt);
        std::erase_if(masks.found, [&](const Expr &mask) { return !is_chosen(mask); });
        masks.found.resize(std::min(masks.found.size(), most_masks));
        Stmt result = stmt;
        for (const Expr &mask : masks.found) {
            result = branched(result, mask);
        }
        return result;
    }

    /// The statement, or those in it between barriers, with a branch around them.
    static Stmt branched(const Stmt &stmt, const Expr &mask) {
        MaskCollector inside;
        inside.visit(stmt);
        if (std::none_of(inside.found.begin(), inside.found.end(),
                         [&](const Expr &other) { return equal(other, mask); })) {
            return stmt;
        }
        if (!inside.has_barrier) {
            return IfThenElse::make(make_vector_reduce(ReduceOp::And, mask, 1), WithoutMask(mask).mutate(stmt), stmt);
        }
        return map_child_stmts(stmt, [&](const Stmt &child) { return branched(child, mask); });
    }
};

} // namespace

Stmt unmask_lanes(const Stmt &kernel) { return LaneUnmasker(kernel).at_root(kernel); }

} // namespace fluorite::lowering
