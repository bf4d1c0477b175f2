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
// are. Relies on: symbols of lets and loops mean the same wherever they are bound. Cost: linear for each let and loop
// that masks use. Only the fast way is searched for more masks, and a kernel gets at most `most_branches`, so that it
// is at most as many times as large.

#include "lowering/device/unmask_lanes.h"

#include "ir/expr_traits.h"
#include "lowering/map_children.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int most_branches = 8; // of a kernel: two dimensions of lanes in each of four statements

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
    explicit LaneUnmasker(const Stmt &kernel) {
        collect_binders(kernel);
        MaskCollector masks;
        masks.visit(kernel);
        masks_ = std::move(masks.found);
    }

    Stmt at_root(const Stmt &kernel) {
        return masks_.empty() ? kernel : mutate(without(kernel, [this](const Expr &mask) { return is_known(mask); }));
    }

    using Mutator::mutate;
    Stmt mutate(const Stmt &stmt) override {
        const auto *let = stmt.as<LetStmt>();
        const auto *loop = stmt.as<For>();
        const auto *branch = stmt.as<IfThenElse>();
        if (branch && is_masked(branch->else_case)) {
            return IfThenElse::make(branch->condition, mutate(branch->then_case), branch->else_case);
        }
        if (!let && !loop) {
            return recurse(stmt);
        }
        const Symbol &symbol = let ? let->symbol : loop->var;
        unbound_.erase(symbol);
        const auto is_new = [&](const Expr &mask) { return uses_symbol(mask, symbol) && is_known(mask); };
        const Stmt &inside = let ? let->body : loop->body;
        const Stmt body = mutate(std::any_of(masks_.begin(), masks_.end(), is_new) ? without(inside, is_new) : inside);
        unbound_.insert(symbol);
        return let ? LetStmt::make(let->symbol, let->value, body)
                   : For::make(loop->var, loop->min, loop->extent, loop->for_kind, body, loop->partition);
    }

  private:
    std::vector<Expr> masks_;
    std::set<Symbol> unbound_; // symbols that the kernel binds, but not around the statement
    int left_ = most_branches;
    std::vector<Stmt> masked_; // statements with their masks, beside a fast way

    bool is_masked(const Stmt &stmt) const {
        return std::any_of(masked_.begin(), masked_.end(), [&](const Stmt &other) { return other.same_as(stmt); });
    }
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

    template <typename Chosen> Stmt without(const Stmt &stmt, const Chosen &is_chosen) {
        MaskCollector masks;
        masks.visit(stmt);
        std::erase_if(masks.found, [&](const Expr &mask) { return !is_chosen(mask); });
        return branched(stmt, masks.found);
    }

    /// The statement, or those in it between barriers, with a branch around them for each mask, in the fast way of the
    /// branch before.
    Stmt branched(const Stmt &stmt, std::span<const Expr> masks) {
        if (masks.empty() || left_ == 0) {
            return stmt;
        }
        MaskCollector inside;
        inside.visit(stmt);
        const Expr &mask = masks.front();
        if (std::none_of(inside.found.begin(), inside.found.end(),
                         [&](const Expr &other) { return equal(other, mask); })) {
            return branched(stmt, masks.subspan(1));
        }
        if (inside.has_barrier) {
            return map_child_stmts(stmt, [&](const Stmt &child) { return branched(child, masks); });
        }
        left_--;
        masked_.push_back(stmt);
        return IfThenElse::make(make_vector_reduce(ReduceOp::And, mask, 1),
                                branched(WithoutMask(mask).mutate(stmt), masks.subspan(1)), stmt);
    }
};

} // namespace

Stmt unmask_lanes(const Stmt &kernel) { return LaneUnmasker(kernel).at_root(kernel); }

} // namespace fluorite::lowering
