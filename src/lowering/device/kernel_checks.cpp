// Checks in kernels.
//
//   gpu_block x {                                      assert n <= 8 || w <= 0 else error
//     assert n <= 8 else error                         gpu_block x {
//     gpu_thread u {                              -->    gpu_thread u {
//       out[u] = require(in[u] > 0, in[u], ...) } }        if in[u] > 0 { out[u] = in[u] }
//                                                          else { assert false else fluorite_error(-27, "in ...") } } }
//
// A check whose condition the host knows, under conditions and loops that it knows, moves to the host, which makes it
// if the block, thread or iteration would. A check that remains cannot stop the kernel: it reports, and what follows it
// is under its condition, so that nothing takes the check as a fact. Its error is a call of fluorite_error with a
// constant text, as no values leave a kernel that fails (fluorite/runtime/device.h). Checks in expressions become
// statements before the statement that they are in.
//
// Inside of loops over threads, a check outside of an inner such loop moves into it, so that the loops remain a nest.
//
// What a device cannot do is refused: calls of the host, and messages; for atomic updates see kernel_atomics.cpp.
// Cost: linear.

#include "lowering/device/kernel_checks.h"

#include "fluorite/runtime_abi.h"
#include "ir/expr_traits.h"
#include "lowering/device/device_loops.h"
#include "lowering/device/kernel_atomics.h"
#include "lowering/map_children.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

// ---- The texts.

/// A text of the program that is known when it is compiled; what is not is left open.
std::string known_text(const Expr &text) {
    if (text->kind() == ExprKind::StringImm) {
        return text->text();
    }
    if (text->kind() == ExprKind::Extern && text->text() == "text.concat") {
        std::string all;
        for (const Expr &part : text->args()) {
            all += part->kind() == ExprKind::StringImm ? part->text() : "...";
        }
        return all;
    }
    return "";
}

struct Failure {
    int code;
    std::string text;
};

/// What a kernel says of a failed check, in the words of the runtime (runtime/error_messages.cpp), but without values.
std::optional<Failure> failure_of(const Expr &error) {
    if (error->kind() != ExprKind::Extern) {
        return std::nullopt;
    }
    const std::string &name = error->text();
    const auto said = [&](size_t operand) { return known_text(error->arg(operand)); };
    if (name == "fluorite_error_requirement_failed") {
        const std::string seen = said(1);
        return Failure{fluorite_error_code_requirement_failed,
                       concat("in require(", said(0), "): ", seen.empty() ? "the condition is false" : seen,
                              "; the condition must hold for every point that is computed; pass inputs and parameters "
                              "that meet it [requirement-failed]")};
    }
    if (name == "fluorite_error_specialize_fail") {
        return Failure{fluorite_error_code_specialize_fail,
                       concat("in ", said(0), ": no specialization applies: ", said(1),
                              "; specialize_fail() refuses every case that no specialization takes; pass inputs that "
                              "meet one of the specializations, or add one [specialize-fail]")};
    }
    if (name == "fluorite_error_storage_bound_too_small") {
        return Failure{fluorite_error_code_storage_bound_too_small,
                       concat("in ", said(0), ": bound_storage() gives ", said(1),
                              " fewer elements than are needed; a storage bound covers what is needed; give it more "
                              "[storage-bound-too-small]")};
    }
    if (name == "fluorite_error_fold_factor_too_small") {
        return Failure{fluorite_error_code_fold_factor_too_small,
                       concat("in ", said(0), ": storage is folded along ", said(1),
                              " by less than is live at once; a fold factor covers all values that are live at once; "
                              "fold by more [fold-factor-too-small]")};
    }
    if (name == "fluorite_error_explicit_bounds_too_small") {
        return Failure{fluorite_error_code_explicit_bounds_too_small,
                       concat("in ", said(0), ": bound() gives ", said(1),
                              " a smaller range than its consumers need; an explicit bound must cover what is needed; "
                              "widen the bound or remove it [bound-too-small]")};
    }
    if (name == "fluorite_error_integer_overflow") {
        return Failure{fluorite_error_code_internal_error,
                       concat("in ", said(0), ": ", said(1),
                              " overflows; coordinates and bounds are computed without overflow; values are not, and "
                              "wrap; use coordinates that grow less, or compute the value in unsigned integers "
                              "[integer-overflow]")};
    }
    return std::nullopt;
}

Expr error_of_kernel(const Failure &failure) {
    return make_extern(Int(32), "fluorite_error", std::vector<Expr>{int32(failure.code), make_string(failure.text)});
}

// ---- What a device cannot do.

std::string what_calls(const std::string &name) {
    return name == "trace"                              ? "traces values"
           : name.rfind("fluorite_memoization", 0) == 0 ? "contains a memoized Func"
                                                        : "contains a call of " + name;
}

class DeviceCheck : public Visitor {
  public:
    explicit DeviceCheck(const Symbol &loop) : loop_(loop) {}

    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Extern) {
                refuse_kernel(loop_, what_calls(node->text()) + ", and only the host can do that");
            }
            if (node->kind() == ExprKind::Print) {
                refuse_kernel(loop_, "prints values, and only the host can do that");
            }
        });
    }
    void visit(const Stmt &stmt) override {
        if (stmt.kind() == StmtKind::Assert) {
            visit(stmt.as<Assert>()->condition);
            return;
        }
        recurse(stmt);
    }

  private:
    const Symbol &loop_;
};

/// Refuses tasks of async Funcs, which consist of much that is refused.
class AsyncCheck : public Visitor {
  public:
    explicit AsyncCheck(const Symbol &loop) : loop_(loop) {}

    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *loop = stmt.as<For>(); loop && loop->for_kind == ForKind::Forked) {
            refuse_kernel(loop_, "contains an async Func, and only the host can do that");
        }
        recurse(stmt);
    }

  private:
    const Symbol &loop_;
};

/// Leaves out hints, which concern caches of the host, and marks: a kernel need not know a Func of which it reads
/// nothing.
class WithoutHints : public Mutator {
  public:
    bool has_found = false;
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const auto *mark = stmt.as<ProducerConsumer>()) {
            return mutate(mark->body);
        }
        const auto *evaluate = stmt.as<Evaluate>();
        const bool is_hint =
            evaluate && is_kind(evaluate->value, ExprKind::Extern) && evaluate->value->text() == "memory.prefetch";
        has_found = has_found || is_hint;
        return is_hint ? Block::make({}) : recurse(stmt);
    }
};

// ---- Checks.

/// Makes statements of the checks in expressions.
class StatedChecks : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        if (const auto known = done_.find(expr.get()); known != done_.end()) {
            return known->second;
        }
        find_checks(expr);
        const Expr result = has_check_.contains(expr.get()) ? without(expr) : expr;
        done_.emplace(expr.get(), result);
        return result;
    }
    Stmt mutate(const Stmt &stmt) override {
        std::vector<Stmt> outer = std::exchange(checks_, {});
        auto outer_done = std::exchange(done_, {});
        const Stmt changed = recurse(stmt); // statements inside have checks of their own
        std::vector<Stmt> parts = std::exchange(checks_, std::move(outer));
        done_ = std::move(outer_done);
        parts.push_back(changed);
        return parts.size() == 1 ? changed : Block::make(std::move(parts));
    }

  private:
    std::vector<Stmt> checks_;                               // of the expressions of the statement
    std::vector<std::pair<Symbol, Expr>> lets_;              // around the expression
    SymbolMap<size_t> position_;                             // of each of these lets
    std::unordered_map<const ExprNode *, Expr> done_;        // of the statement
    std::unordered_set<const ExprNode *> known_, has_check_; // nodes of the kernel: visited ones, with a check inside

    /// Visits each node once, however many lets are inside each other.
    void find_checks(const Expr &expr) {
        std::vector<const Expr *> pending = {&expr};
        while (!pending.empty()) {
            const Expr &node = *pending.back();
            const size_t waiting = pending.size();
            bool has_check = node->kind() == ExprKind::Require;
            if (!known_.contains(node.get())) {
                for (const Expr &operand : node->args()) {
                    if (!known_.contains(operand.get())) {
                        pending.push_back(&operand);
                    }
                    has_check = has_check || has_check_.contains(operand.get());
                }
            }
            if (pending.size() == waiting) {
                pending.pop_back();
                if (known_.insert(node.get()).second && has_check) {
                    has_check_.insert(node.get());
                }
            }
        }
    }

    Expr without(const Expr &expr) {
        if (expr->kind() == ExprKind::Let) {
            const Expr value = mutate(expr->arg(0));
            position_.insert_or_assign(expr->symbol(), lets_.size());
            lets_.emplace_back(expr->symbol(), value);
            const Expr body = mutate(expr->arg(1));
            lets_.pop_back();
            position_.erase(expr->symbol());
            return make_let(expr->symbol(), value, body);
        }
        if (expr->kind() != ExprKind::Require) {
            return recurse(expr);
        }
        const std::vector<Expr> parts(expr->args().begin() + 3, expr->args().end());
        const Expr message = parts.empty() ? make_string("") : make_extern(Handle(), "text.concat", parts);
        state(mutate(expr->arg(0)),
              make_extern(Int(32), "fluorite_error_requirement_failed", std::vector<Expr>{expr->arg(2), message}));
        return mutate(expr->arg(1));
    }

    void state(Expr condition, const Expr &error) {
        if (condition.type().lanes() > 1) {
            condition = make_vector_reduce(ReduceOp::And, condition, 1);
        }
        std::set<size_t> used; // the lets that the condition needs and does not have yet
        const auto add = [&](const Symbol &symbol) {
            if (const auto let = position_.find(symbol); let != position_.end()) {
                used.insert(let->second);
            }
        };
        for_each_free_symbol(condition, add);
        while (!used.empty()) {
            const auto &[symbol, value] = lets_[*used.rbegin()]; // a value uses lets around it only
            used.erase(std::prev(used.end()));
            condition = make_let(symbol, value, condition);
            for_each_free_symbol(value, add);
        }
        checks_.push_back(Assert::make(condition, error));
    }
};

Expr is_not(const Expr &condition) { return make_unary(ExprKind::Not, condition); }

class CheckPlacer {
  public:
    explicit CheckPlacer(const Grid &grid) : grid_(grid) {
        for (const Expr &extent : grid.extents) {
            executed_.push_back(less(int32(0), extent));
        }
        inside_.insert(grid.blocks.begin(), grid.blocks.end());
    }

    CheckedKernel place(const Stmt &body) {
        CheckedKernel result{placed(StatedChecks().mutate(body)), {}};
        result.before = std::move(before_);
        return result;
    }

  private:
    const Grid &grid_;
    std::vector<Stmt> before_;
    std::set<Symbol> inside_;    // what the kernel binds, other than the lets that follow
    SymbolMap<Expr> lets_;       // values that the host knows
    std::vector<Expr> executed_; // conditions of the host for the statement to be executed
    int unknown_ = 0;            // conditions around the statement that the host does not know
    bool is_in_threads_ = false;
    ThreadLoops thread_loops_;

    /// The value for the host, if it knows it before the launch.
    std::optional<Expr> known(const Expr &expr) const {
        const Expr value = substitute(expr, lets_);
        bool is_known = true;
        for_each_node(value, [&](const Expr &node) {
            const bool is_inside = has_symbol(node->kind()) && inside_.contains(node->symbol());
            is_known = is_known && !is_inside && node->kind() != ExprKind::Load && node->kind() != ExprKind::Let;
        });
        return is_known ? std::optional(value) : std::nullopt;
    }

    /// The statement inside of a condition.
    template <typename Walk> Stmt under(const Expr &condition, const Walk &walk) {
        const std::optional<Expr> value = known(condition);
        if (value) {
            executed_.push_back(*value);
        } else {
            unknown_++;
        }
        const Stmt result = walk();
        if (value) {
            executed_.pop_back();
        } else {
            unknown_--;
        }
        return result;
    }

    Stmt placed(const Stmt &stmt) {
        if (const auto *block = stmt.as<Block>()) {
            return sequence(block->stmts, 0);
        }
        if (const auto *check = stmt.as<Assert>()) {
            return checked(*check, Block::make({}));
        }
        if (const auto *let = stmt.as<LetStmt>()) {
            if (const std::optional<Expr> value = known(let->value)) {
                lets_.insert_or_assign(let->symbol, *value);
            } else {
                inside_.insert(let->symbol);
            }
            return LetStmt::make(let->symbol, let->value, placed(let->body));
        }
        if (const auto *loop = stmt.as<For>()) {
            return in_loop(*loop);
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            const Stmt then_case = under(branch->condition, [&] { return placed(branch->then_case); });
            const Stmt else_case = branch->else_case.defined()
                                       ? under(is_not(branch->condition), [&] { return placed(branch->else_case); })
                                       : Stmt();
            return IfThenElse::make(branch->condition, then_case, else_case);
        }
        return map_child_stmts(stmt, [this](const Stmt &child) { return placed(child); });
    }

    Stmt in_loop(const For &loop) {
        inside_.insert(loop.var);
        const bool is_outer = is_in_threads_;
        is_in_threads_ = is_in_threads_ || is_thread_loop(Stmt(&loop));
        const Stmt body = under(less(int32(0), loop.extent), [&] { return placed(loop.body); });
        is_in_threads_ = is_outer;
        return For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition);
    }

    Stmt sequence(const std::vector<Stmt> &stmts, size_t first) {
        std::vector<Stmt> parts;
        for (size_t i = first; i < stmts.size(); i++) {
            if (const auto *check = stmts[i].as<Assert>()) {
                parts.push_back(checked(*check, sequence(stmts, i + 1)));
                break;
            }
            parts.push_back(placed(stmts[i]));
        }
        return Block::make(std::move(parts));
    }

    /// The check and what follows it.
    Stmt checked(const Assert &check, const Stmt &rest) {
        const std::optional<Expr> condition = unknown_ == 0 ? known(check.condition) : std::nullopt;
        const std::optional<Expr> error = condition ? known(check.error) : std::nullopt;
        if (error) {
            Expr holds = *condition;
            for (const Expr &executed : executed_) {
                holds = make_binary(ExprKind::Or, holds, is_not(executed));
            }
            holds = rewrite::simplify(holds);
            if (!is_true(holds)) {
                before_.push_back(Assert::make(holds, *error));
            }
            return rest;
        }
        const std::optional<Failure> failure = failure_of(check.error);
        if (!failure) {
            refuse_kernel(grid_.loop, "contains a check that can fail, and only the host can do that");
        }
        const Expr report = error_of_kernel(*failure);
        return is_in_threads_ && thread_loops_.in(rest) ? sunk(check.condition, report, rest)
                                                        : guarded(check.condition, report, rest);
    }

    /// What follows a check, where it holds. A check of a kernel goes on, so nothing may rely on it.
    static Stmt guarded(const Expr &condition, const Expr &error, const Stmt &rest) {
        const Stmt failed = Assert::make(make_bool(false), error);
        const auto *block = rest.as<Block>();
        const bool is_last = block && block->stmts.empty();
        return is_last ? IfThenElse::make(is_not(condition), failed) : IfThenElse::make(condition, rest, failed);
    }

    /// Moves a check into the loops over threads that follow it.
    Stmt sunk(const Expr &condition, const Expr &error, const Stmt &rest) {
        if (!thread_loops_.in(rest)) {
            return guarded(condition, error, rest);
        }
        return map_child_stmts(rest, [&](const Stmt &child) { return sunk(condition, error, child); });
    }
};

} // namespace

CheckedKernel place_checks(const Grid &grid, const PassContext &context) {
    AsyncCheck(grid.loop).visit(grid.body);
    WithoutHints hints;
    const Stmt body = hints.mutate(grid.body);
    if (hints.has_found) {
        context.otherwise(grid.loop, "has no prefetches; they stand in a kernel, and a device takes no hints");
    }
    if (!body.defined()) {
        return {};
    }
    CheckedKernel kernel = CheckPlacer(grid).place(body);
    if (kernel.body.defined()) {
        DeviceCheck(grid.loop).visit(kernel.body);
        kernel.body = place_atomics(kernel.body, grid.loop);
    }
    return kernel;
}

} // namespace fluorite::lowering
