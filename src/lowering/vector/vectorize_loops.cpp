// Vectorization: loops marked Vectorized become code on vectors.
//
//   vectorized for x in [m, m + 8) { f[x - a] = g[x] + h[y] }
//   -->   f[ramp(m - a, 1, 8)] = g[ramp(m, 1, 8)] + broadcast(h[y], 8)
// Any constant number of lanes is allowed (3, 17, ...); the back end splits vectors into registers.
//
// Method: inner loops first. Each statement of the body is rebuilt once for all lanes, its expressions widened by
// expr_vectorizer.h:
//   let          bound to a vector under a new symbol if its value varies over the lanes
//   store        varying index: one store, lanes in order; uniform index: the last lane's value; accumulators: see
//                vectorization_legality.cpp
//   if           uniform: stays; varying: both branches run under a mask, which becomes the predicate of loads and
//                stores; branches that store at the same index become one store of all lanes
//   for          uniform extent: stays a loop, and its variable is a vector if its min varies; varying extent: runs to
//                the largest extent, with a mask of the lanes that have iterations left
//   allocate     gets a copy for each lane, lanes innermost, so that equal indices are dense
//   anything else that varies (asserts, calls with effects under a mask)    scalarized lane by lane, in order
// A loop whose lanes depend on each other (vectorization_legality.cpp) becomes serial, so the meaning never changes.
// Operations are reordered only where that is exact, or where atomic() or allow_reassociation() permits it. The compile
// report tells which loops became serial and what was scalarized.
//
// Two nested Vectorized loops give vectors of lanes(outer) * lanes(inner) lanes, those of the inner loop adjacent. If
// these are more than 64, which fill the widest register with bytes, the outer loop stays serial: wider vectors only
// cost registers and compile time (a stage vectorized inside another stage's vectorized loop would have thousands).
//
// Relies on: flat IR; constant extents (constant_extent.h). Does not choose what to vectorize, nor simplify. Cost:
// linear in the body, times the lanes for scalarized statements.

#include "lowering/constant_extent.h"
#include "lowering/late_passes.h"
#include "lowering/vector/expr_vectorizer.h"
#include "lowering/vector/scalarize_lanes.h"
#include "lowering/vector/vectorization_legality.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// Removes the hint around a condition, and returns whether there was one.
bool strip_likely(Expr &condition) {
    const bool hinted = is_kind(condition, ExprKind::Likely) || is_kind(condition, ExprKind::LikelyIfInnermost);
    if (hinted) {
        condition = Expr(condition->arg(0));
    }
    return hinted;
}

/// !condition, without the condition's hint.
Expr negation(Expr condition) {
    strip_likely(condition);
    return make_unary(ExprKind::Not, condition);
}

/// Whether a statement can run under a mask: it contains no assertion, and no call that must be executed in order.
bool can_be_masked(const Stmt &stmt) {
    class Finder : public Visitor {
      public:
        bool ok = true;
        void visit(const Expr &expr) override {
            for_each_node(expr, [&](const Expr &node) {
                ok = ok && !(node->kind() == ExprKind::Extern && must_run_in_order(node));
            });
        }
        void visit(const Stmt &inner) override {
            ok = ok && inner.kind() != StmtKind::Assert;
            if (ok) {
                recurse(inner);
            }
        }
    };
    Finder finder;
    finder.visit(stmt);
    return finder.ok;
}

class BodyVectorizer {
  public:
    BodyVectorizer(const For &loop, int lanes, const VectorizationLegality &order, const PassContext &context)
        : context_(context), loop_(loop.var), order_(order), widener_(loop.var, loop.min, lanes) {}

    Stmt vectorize(const Stmt &stmt) {
        switch (stmt.kind()) {
        case StmtKind::LetStmt:
            return vectorize_let(*stmt.as<LetStmt>());
        case StmtKind::For:
            return vectorize_for(*stmt.as<For>());
        case StmtKind::Allocate:
            return vectorize_allocate(*stmt.as<Allocate>());
        case StmtKind::Store:
            return vectorize_store(*stmt.as<Store>());
        case StmtKind::Block:
            return vectorize_block(*stmt.as<Block>());
        case StmtKind::IfThenElse:
            return vectorize_if(*stmt.as<IfThenElse>());
        case StmtKind::Evaluate:
            return vectorize_evaluate(*stmt.as<Evaluate>());
        case StmtKind::Assert:
            return vectorize_assert(*stmt.as<Assert>());
        case StmtKind::ProducerConsumer: {
            const auto &node = *stmt.as<ProducerConsumer>();
            const Stmt body = vectorize(node.body);
            return body.defined() ? ProducerConsumer::make(node.func, node.is_producer, body) : body;
        }
        case StmtKind::Atomic: {
            const auto &node = *stmt.as<Atomic>();
            const Stmt body = vectorize(node.body);
            return body.defined() ? Atomic::make(node.func, body) : body;
        }
        case StmtKind::Provide:
        case StmtKind::Realize:
        case StmtKind::Free:
        case StmtKind::Prefetch:
        case StmtKind::Launch:
        case StmtKind::Barrier:
            break;
        }
        unreachable("vectorizing comes after flattening, and before frees and launches");
    }

    const std::set<std::string> &laid_out() const { return widener_.laid_out(); }

  private:
    const PassContext &context_;
    const Symbol &loop_;
    const VectorizationLegality &order_;
    ExprVectorizer widener_;

    Stmt scalarize(const Stmt &stmt, const char *what) {
        context_.otherwise(loop_, concat(what, " one lane after the other"));
        return scalarize_lanes(stmt, widener_);
    }

    /// Vectorizes a part of the body under `mask` and the enclosing mask.
    Stmt under_mask(const Expr &mask, const Stmt &stmt) {
        const Expr outer = widener_.mask();
        widener_.set_mask(outer.defined() ? logical_and(outer, mask) : mask);
        Stmt result = vectorize(stmt);
        widener_.set_mask(outer);
        return result;
    }

    /// Binds a vector to a symbol, so that it is computed once; a variable or constant is used directly.
    Stmt with_let(const std::string &hint, const Expr &value, const std::function<Stmt(const Expr &)> &make_body) {
        const bool plain = is_kind(value, ExprKind::Variable) || is_const(value);
        if (plain) {
            return make_body(value);
        }
        const Symbol symbol = context_.symbols.fresh_let(hint, value);
        const Stmt body = make_body(make_var(value.type(), symbol));
        return body.defined() ? LetStmt::make(symbol, value, body) : body;
    }

    Stmt vectorize_let(const LetStmt &let) {
        const Expr value = widener_.widen(let.value, Use::Value);
        if (!ExprVectorizer::is_varying(let.value, value)) {
            const Stmt body = vectorize(let.body);
            return body.defined() ? LetStmt::make(let.symbol, value, body) : body;
        }
        // A ramp is substituted for the symbol, as accesses are recognized by its form.
        if (is_kind(value, ExprKind::Ramp)) {
            widener_.bind(let.symbol, value);
            Stmt body = vectorize(let.body);
            widener_.unbind(let.symbol);
            return body;
        }
        return with_let(let.symbol.name(), value, [&](const Expr &vector) {
            widener_.bind(let.symbol, vector);
            Stmt body = vectorize(let.body);
            widener_.unbind(let.symbol);
            return body;
        });
    }

    Stmt vectorize_for(const For &loop) {
        const Expr min = widener_.widen(loop.min, Use::Index);
        const Expr extent = widener_.widen(loop.extent, Use::Index);
        const bool has_tasks = loop.for_kind == ForKind::Parallel || loop.for_kind == ForKind::GPUBlock;
        const ForKind kind = has_tasks ? ForKind::Serial : loop.for_kind;
        if (kind != loop.for_kind) {
            context_.otherwise(loop.var, "runs without tasks; it stands in a vectorized loop, and lanes start none");
        }
        const bool min_varies = ExprVectorizer::is_varying(loop.min, min);
        const bool extent_varies = ExprVectorizer::is_varying(loop.extent, extent);
        if (!min_varies && !extent_varies) {
            return remake_for(loop, loop.var, min, extent, kind, vectorize(loop.body));
        }
        if (extent_varies && !can_be_masked(loop.body)) {
            return scalarize(Stmt(&loop), "a loop inside, which checks or calls out, runs");
        }
        // Every lane counts its iterations from zero.
        const Symbol counter = context_.symbols.fresh(SymbolKind::Loop, loop.var.name(), loop.var.owner());
        const Expr count = make_broadcast(make_var(Int(32), counter), widener_.lanes());
        const Expr full_min = widener_.widen_fully(loop.min, Use::Index);
        widener_.bind(loop.var, vector_binary(ExprKind::Add, full_min, count, Use::Index));
        const Expr zero = make_zero(Int(32));
        Stmt result;
        if (!extent_varies) {
            result = remake_for(loop, counter, zero, extent, kind, vectorize(loop.body));
        } else {
            result = with_let(loop.var.name() + ".extent", extent, [&](const Expr &extents) {
                const Stmt body = under_mask(less(count, extents), loop.body);
                return remake_for(loop, counter, zero, longest(extents), kind, body);
            });
        }
        widener_.unbind(loop.var);
        return result;
    }

    static Stmt remake_for(const For &loop, const Symbol &var, const Expr &min, const Expr &extent, ForKind kind,
                           const Stmt &body) {
        return body.defined() ? For::make(var, min, extent, kind, body, loop.partition) : body;
    }

    /// The largest extent of the active lanes, as a scalar; at least 0.
    Expr longest(const Expr &extents) const {
        const Expr zero = make_zero(extents.type());
        const Expr counted = widener_.mask().defined() ? make_select(widener_.mask(), extents, zero) : extents;
        return max_of(make_vector_reduce(ReduceOp::Max, counted, 1), make_zero(Int(32)));
    }

    Stmt vectorize_allocate(const Allocate &allocate) {
        std::vector<Expr> extents = {make_int(Int(32), widener_.lanes())};
        for (const Expr &extent : allocate.extents) {
            const Expr wide = widener_.widen(extent, Use::Index);
            extents.push_back(ExprVectorizer::is_varying(extent, wide) ? longest(wide) : wide);
        }
        widener_.widen_buffer(allocate.buffer);
        const Stmt body = vectorize(allocate.body);
        return body.defined() ? Allocate::make(allocate.buffer, allocate.type, allocate.memory, extents, body) : body;
    }

    Stmt vectorize_store(const Store &store) {
        if (auto found = order_.accumulators.find(store.buffer); found != order_.accumulators.end()) {
            return accumulate(store, found->second);
        }
        const int element_lanes = store.value.type().lanes();
        const bool is_copied = widener_.is_widened(store.buffer);
        const Expr index = widener_.widen(store.index, Use::Index);
        const Expr value = widener_.widen(store.value, Use::Value);
        const Expr predicate = widener_.widen(store.predicate, Use::Value);
        const bool one_place = !is_copied && !ExprVectorizer::is_varying(store.index, index);
        const bool one_value = !ExprVectorizer::is_varying(store.value, value);
        if (one_place && one_value && !ExprVectorizer::is_varying(store.predicate, predicate)) {
            const Expr any = make_broadcast(widener_.any_active(), element_lanes);
            const Expr where = is_true(any) ? predicate : is_true(predicate) ? any : logical_and(any, predicate);
            return Store::make(store.buffer, value, index, where);
        }
        if (one_place && element_lanes == 1 && is_true(predicate) && !widener_.mask().defined()) {
            return Store::make(store.buffer, extract_lane(value, widener_.lanes() - 1), index, predicate);
        }
        Expr full_index = widener_.widen_fully(store.index, Use::Index);
        if (is_copied) {
            full_index = widener_.index_in_widened(full_index, element_lanes);
        }
        const Expr full_predicate = widener_.widen_fully(store.predicate, Use::Value);
        return Store::make(store.buffer, widener_.widen_fully(store.value, Use::Value), full_index,
                           widener_.masked(full_predicate, element_lanes));
    }

    // ---- Accumulators: stores of all lanes to one address.

    static bool is_old_value(const Store &store, const Expr &expr) {
        return expr->kind() == ExprKind::Load && expr->symbol() == store.buffer;
    }

    Stmt accumulate(const Store &store, Accumulation how) {
        if (how == Accumulation::Ordered) {
            context_.otherwise(loop_, "accumulates one lane after the other; the order of its operation counts");
        }
        Expr index = widener_.widen(store.index, Use::Index);
        if (ExprVectorizer::is_varying(store.index, index)) {
            // With lets expanded, the index was found to be the same in all lanes; here the lets are vectors.
            index = extract_lane(widener_.widen_fully(store.index, Use::Index), 0);
        }
        const Expr predicate = widener_.widen_fully(store.predicate, Use::Value);
        const Expr active = widener_.masked(predicate, 1);
        if (is_true(active)) {
            const Expr old = make_load(store.value.type(), store.buffer, index);
            return how == Accumulation::Free ? accumulate_free(store, index, old, Expr())
                                             : accumulate_ordered(store, index, old, Expr());
        }
        return with_let(store.buffer.name() + ".active", active, [&](const Expr &mask) {
            const Expr any = make_vector_reduce(ReduceOp::Or, mask, 1);
            const Expr old = make_load(store.value.type(), store.buffer, index, any);
            return how == Accumulation::Free ? accumulate_free(store, index, old, mask)
                                             : accumulate_ordered(store, index, old, mask);
        });
    }

    static Expr stored_where(const Expr &mask) {
        return mask.defined() ? make_vector_reduce(ReduceOp::Or, mask, 1) : make_bool(true);
    }

    /// old op reduce(op, e)
    Stmt accumulate_free(const Store &store, const Expr &index, const Expr &old, const Expr &mask) {
        const std::optional<analysis::Contribution> contribution = find_contribution(store);
        check(contribution.has_value(), "accumulators of free order have a known operator");
        Expr lanes = widener_.widen_fully(contribution->value, Use::Value);
        if (mask.defined()) {
            lanes = make_select(mask, lanes, analysis::reduction_identity(contribution->op, lanes.type()));
        }
        const Expr sum = make_vector_reduce(contribution->op, lanes, 1);
        return Store::make(store.buffer, analysis::apply_reduction(contribution->op, old, sum), index,
                           stored_where(mask));
    }

    /// Accumulates lane after lane, as the loop does; only what does not depend on the old value is computed as
    /// vectors.
    Stmt accumulate_ordered(const Store &store, const Expr &index, const Expr &old, const Expr &mask) {
        std::vector<std::pair<Symbol, Expr>> lets;
        ExprMap<Expr> vectors;
        Expr value = old;
        for (int lane = 0; lane < widener_.lanes(); lane++) {
            const Expr next = ordered_step(store, store.value, value, lane, vectors, lets);
            const Expr kept = mask.defined() ? make_select(extract_lane(mask, lane), next, value) : next;
            const Symbol symbol = context_.symbols.fresh_let(store.buffer.name() + ".partial", kept);
            lets.emplace_back(symbol, kept);
            value = make_var(kept.type(), symbol);
        }
        Stmt result = Store::make(store.buffer, value, index, stored_where(mask));
        for (size_t i = lets.size(); i-- > 0;) {
            result = LetStmt::make(lets[i].first, lets[i].second, result);
        }
        return result;
    }

    Expr ordered_step(const Store &store, const Expr &expr, const Expr &old, int lane, ExprMap<Expr> &vectors,
                      std::vector<std::pair<Symbol, Expr>> &lets) {
        if (is_old_value(store, expr)) {
            return old;
        }
        bool reads_old = false;
        for_each_node(expr, [&](const Expr &node) { reads_old = reads_old || is_old_value(store, node); });
        if (reads_old) {
            if (expr->kind() == ExprKind::Let) {
                return ordered_step(store, expand_lets(expr), old, lane, vectors, lets);
            }
            return map_operands(
                expr, [&](const Expr &operand) { return ordered_step(store, operand, old, lane, vectors, lets); });
        }
        auto [known, is_new] = vectors.try_emplace(expr);
        if (is_new) {
            Expr vector = widener_.widen(expr, Use::Value);
            if (!is_const(vector) && !is_kind(vector, ExprKind::Variable)) {
                const Symbol symbol = context_.symbols.fresh_let(store.buffer.name() + ".lanes", vector);
                lets.emplace_back(symbol, vector);
                vector = make_var(vector.type(), symbol);
            }
            known->second = vector;
        }
        const Expr &vector = known->second;
        return ExprVectorizer::is_varying(expr, vector) ? extract_group(vector, lane, expr.type().lanes()) : vector;
    }

    // ---- Control.

    Stmt vectorize_block(const Block &block) {
        std::vector<Stmt> stmts;
        for (const Stmt &stmt : block.stmts) {
            stmts.push_back(vectorize(stmt));
        }
        return Block::make(std::move(stmts));
    }

    Stmt vectorize_if(const IfThenElse &branch) {
        const Expr condition = widener_.widen(branch.condition, Use::Index);
        if (!ExprVectorizer::is_varying(branch.condition, condition)) {
            const Stmt then_case = vectorize(branch.then_case);
            const Stmt else_case = branch.else_case.defined() ? vectorize(branch.else_case) : Stmt();
            if (!then_case.defined()) {
                return else_case.defined() ? IfThenElse::make(negation(condition), else_case) : Stmt();
            }
            return IfThenElse::make(condition, then_case, else_case);
        }
        const bool maskable =
            can_be_masked(branch.then_case) && (!branch.else_case.defined() || can_be_masked(branch.else_case));
        if (!maskable) {
            return scalarize(Stmt(&branch), "what stands under a condition, and checks or calls out, runs");
        }
        if (!branch.else_case.defined()) {
            return under_mask(condition, branch.then_case);
        }
        Expr plain = condition;
        const bool hinted = strip_likely(plain);
        return with_let("condition", plain, [&](const Expr &name) {
            const Expr mask = hinted ? condition : name;
            if (const Stmt joined = store_either(branch, mask); joined.defined()) {
                return joined;
            }
            const Stmt then_case = under_mask(mask, branch.then_case);
            return Block::make({then_case, under_mask(make_unary(ExprKind::Not, name), branch.else_case)});
        });
    }

    /// Two branches that store at the same index become one store, in which each lane stores the value of its branch.
    Stmt store_either(const IfThenElse &branch, const Expr &mask) {
        const Stmt *at = &branch.then_case;
        while (at->as<LetStmt>()) {
            at = &at->as<LetStmt>()->body;
        }
        const Store *one = at->as<Store>(), *other = branch.else_case.as<Store>();
        const bool together = one && other && one->buffer == other->buffer && equal(one->index, other->index) &&
                              is_true(one->predicate) && is_true(other->predicate) && one->value.type().is_scalar() &&
                              !order_.accumulators.contains(one->buffer);
        const bool index_varies =
            together && ExprVectorizer::is_varying(one->index, widener_.widen(one->index, Use::Index));
        if (!together || !index_varies) {
            return {};
        }
        const Stmt unmasked = vectorize(branch.else_case);
        Stmt masked = under_mask(mask, branch.then_case);
        std::vector<std::pair<Symbol, Expr>> lets;
        while (const LetStmt *let = masked.as<LetStmt>()) {
            lets.emplace_back(let->symbol, let->value);
            masked = Stmt(let->body);
        }
        const Store *first = masked.as<Store>(), *second = unmasked.as<Store>();
        const int lanes = mask.type().lanes();
        if (!first || !second || first->value.type().lanes() != lanes || second->value.type().lanes() != lanes ||
            second->index.type().lanes() != lanes) {
            return {};
        }
        const Expr value = make_select(mask, first->value, second->value);
        Stmt result = Store::make(second->buffer, value, second->index, second->predicate);
        for (size_t i = lets.size(); i-- > 0;) {
            result = LetStmt::make(lets[i].first, lets[i].second, result);
        }
        return result;
    }

    Stmt vectorize_evaluate(const Evaluate &evaluate) {
        if (widener_.mask().defined() && !can_be_masked(Stmt(&evaluate))) {
            return scalarize(Stmt(&evaluate), "what stands under a condition, and calls out, runs");
        }
        return Evaluate::make(widener_.widen(evaluate.value, Use::Value));
    }

    Stmt vectorize_assert(const Assert &assertion) {
        const Expr condition = widener_.widen(assertion.condition, Use::Index);
        const Expr error = widener_.widen(assertion.error, Use::Value);
        const bool uniform = !ExprVectorizer::is_varying(assertion.condition, condition) &&
                             !ExprVectorizer::is_varying(assertion.error, error);
        if (!uniform || widener_.mask().defined()) {
            return scalarize(Stmt(&assertion), "a check runs");
        }
        return Assert::make(condition, error);
    }
};

constexpr int most_nested_lanes = 64;

/// The number of lanes of the widest expression in a statement of the body.
int widest_lanes(const Stmt &body) {
    class Finder : public Visitor {
      public:
        int most = 1;
        using Visitor::visit;
        void visit(const Expr &expr) override { most = std::max(most, expr.type().lanes()); }
    };
    Finder finder;
    finder.visit(body);
    return finder.most;
}

class LoopVectorizer : public ScopedMutator {
  public:
    explicit LoopVectorizer(const PassContext &context) : context_(context) {}

  private:
    const PassContext &context_;

    Stmt mutate_in_scope(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        return loop && loop->for_kind == ForKind::Vectorized ? vectorize(*loop) : recurse(stmt);
    }

    Stmt vectorize(const For &loop) {
        const ConstantExtent extent =
            constant_extent_of(loop, scope(), context_, "vectorized", "vectorize-non-constant-extent");
        const Stmt body = mutate(guarded_body(loop, extent));
        if (!body.defined() || extent.extent == 0) {
            return {};
        }
        if (extent.extent == 1) {
            return substitute(body, loop.var, loop.min);
        }
        const int inner_lanes = widest_lanes(body);
        const bool too_wide = inner_lanes > 1 && inner_lanes * extent.extent > most_nested_lanes;
        const VectorizationLegality order =
            too_wide ? VectorizationLegality{concat("its body has vectors of ", inner_lanes, " lanes already, and ",
                                                    extent.extent, " times as many are more than ", most_nested_lanes,
                                                    "; vectorize one of the two loops"),
                                             {}}
                     : find_vectorization_legality(loop, body, extent.extent, context_);
        if (order.must_be_serial()) {
            context_.otherwise(loop.var, "runs one iteration after the other; " + order.serial_because);
            return For::make(loop.var, loop.min, make_int(Int(32), extent.extent), ForKind::Serial, body,
                             loop.partition);
        }
        BodyVectorizer vectorizer(loop, extent.extent, order, context_);
        const Stmt result = vectorizer.vectorize(body);
        for (const std::string &what : vectorizer.laid_out()) {
            context_.otherwise(loop.var, what + " one lane after the other");
        }
        return result;
    }
};

} // namespace

Stmt vectorize_loops(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? LoopVectorizer(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
