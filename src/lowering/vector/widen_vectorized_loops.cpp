// Widening of vectorized loops to the target's vectors: several iterations over narrower vectors become one.
//
// With registers of 16 floats:
//   for xo in [0, +n) { f[ramp(xo * 8, 1, 8)] = g[ramp(xo * 8, 1, 8)] }
//   -->
//   let whole = max(n, 0) / 2
//   for xo.wide in [0, +whole) { f[ramp(xo.wide * 16, 1, 16)] = g[ramp(xo.wide * 16, 1, 16)] }
//   for xo in [whole * 2, +n - whole * 2) { ... as before ... }
// Programs specify vectors for the machine that they were tuned for; the registers of this target may be two or four
// times as wide.
//
// Method: several iterations of the loop become a Vectorized loop inside a new one, which vectorize_loops then
// vectorizes: it keeps the lanes of one iteration adjacent, and refuses if iterations depend on each other. The result
// is kept if no vector access is worse than before: dense accesses stay dense.
//
// Applies to innermost serial loops that only store, without masks, to buffers of the Func that they belong to, and to
// loops that belong to no Func, as those that are made from a certificate, where vectorize_loops examines each store.
// The widest value in the body determines how many iterations are combined. Lanes compute what they computed before, so
// no bit changes. Where partitioning has made the last iterations a loop of their own (a shifted tail), that loop also
// runs the remaining iterations, so there is no third copy.
//
// Relies on: partition_loops, which makes the coordinates of the steady state linear in the loop. Does not widen loops
// with inner loops, allocations or masks, nor unroll for its own sake. Cost: linear in the body, which is copied once.

#include "lowering/access/access_shape.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/late_passes.h"
#include "lowering/vector/expr_vectorizer.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int most_widened_lanes = 64;
constexpr size_t most_body_nodes = 4'000; // of a body: copies of larger ones cost more to compile than they gain

/// Counts vector accesses by form; those that access elements one by one are expensive.
struct Shapes {
    size_t dense = 0;
    size_t elements = 0; // in accesses that are neither dense nor uniform

    void add(const Expr &index) {
        const AccessShape shape = access_shape(index);
        const bool is_repeated =
            shape.is_uniform() || (shape.kind == AccessShape::Kind::Blocks && !shape.stride.defined());
        if (shape.is_dense()) {
            dense++;
        } else if (shape.kind != AccessShape::Kind::Scalar && !is_repeated) {
            elements += static_cast<size_t>(shape.lanes);
        }
    }
};

/// The properties that decide whether iterations of a loop can become lanes.
class Body : public Visitor {
  public:
    bool ok = true;
    size_t nodes = 0;
    int lanes = 1; // of the stores
    int bits = 0;  // of the widest vector, indices aside
    Shapes loads, stores;

    explicit Body(const SymbolOwner &owner) : owner_(owner) {}

    using Visitor::visit;
    void visit(const Expr &expr) override { collect(expr, /*is_index=*/false); }
    void visit(const Stmt &stmt) override {
        switch (stmt.kind()) {
        case StmtKind::Store:
            return collect_store(*stmt.as<Store>());
        case StmtKind::LetStmt:
            collect(stmt.as<LetStmt>()->value, !stmt.as<LetStmt>()->value->reads_memory());
            return visit(stmt.as<LetStmt>()->body);
        case StmtKind::Block:
        case StmtKind::ProducerConsumer:
            return recurse(stmt);
        default: // loops with other statements are not widened
            ok = false;
        }
    }

  private:
    const SymbolOwner &owner_;
    std::unordered_set<const ExprNode *> seen_;

    void collect_store(const Store &store) {
        ok = ok && is_true(store.predicate) && (!owner_.func.valid() || store.buffer.owner().func == owner_.func);
        stores.add(store.index);
        lanes = std::max(lanes, store.value.type().lanes());
        collect(store.value, false);
        collect(store.index, true);
    }

    void collect(const Expr &expr, bool is_index) {
        if (!ok || !seen_.insert(expr.get()).second) {
            return;
        }
        nodes++;
        const Type type = expr.type();
        if (!is_index && type.is_vector()) {
            bits = std::max(bits, type.bits() * type.lanes());
        }
        if (is_scalar_only(expr) || expr->kind() == ExprKind::VectorReduce) {
            ok = false;
            return;
        }
        if (expr->kind() == ExprKind::Load) {
            ok = ok && is_true(expr->arg(1));
            loads.add(expr->arg(0));
            return collect(expr->arg(0), true);
        }
        for (const Expr &arg : expr->args()) {
            collect(arg, is_index);
        }
    }
};

/// Brings vector indices into the form in which dense accesses are recognized.
class Normalizer : public Mutator {
  public:
    Expr mutate(const Expr &expr) override {
        return transform(expr, [](const Expr &node) {
            if (node->kind() == ExprKind::Broadcast ||
                (node->kind() == ExprKind::Ramp && node.type().is_int_or_uint())) {
                return joined(node);
            }
            return with_normal_index(node);
        });
    }
    Stmt mutate(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        return store ? Store::make(store->buffer, mutate(store->value), normalize_index(mutate(store->index)),
                                   mutate(store->predicate))
                     : recurse(stmt);
    }
};

class LoopWidener : public Mutator {
  public:
    explicit LoopWidener(const PassContext &context) : context_(context), silent_(context) {
        silent_.on_remark = nullptr;
    }

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const Block *block = stmt.as<Block>()) {
            return merge_within(*block);
        }
        const For *loop = stmt.as<For>();
        const Stmt merged = loop && loop->for_kind == ForKind::Serial ? merge(*loop, nullptr) : Stmt();
        return merged.defined() ? merged : recurse(stmt);
    }

  private:
    const PassContext &context_;
    PassContext silent_; // without remarks, for attempts

    /// If the last iterations are a separate loop that follows, it also runs those that remain of the first loop.
    Stmt merge_within(const Block &block) {
        std::vector<Stmt> stmts;
        for (size_t i = 0; i < block.stmts.size(); i++) {
            const For *loop = block.stmts[i].as<For>();
            const For *next = i + 1 < block.stmts.size() ? block.stmts[i + 1].as<For>() : nullptr;
            const Stmt merged = loop && next && goes_on(*loop, *next) ? merge(*loop, next) : Stmt();
            stmts.push_back(merged.defined() ? merged : mutate(block.stmts[i]));
            i += merged.defined() ? 1 : 0;
        }
        return Block::make(std::move(stmts));
    }

    /// Whether `next` runs the iterations after those of `loop`, with the body of which `loop` is the steady state: the
    /// base in `next` is the minimum of the base in `loop` and a limit, which does not take effect in `loop`.
    static bool goes_on(const For &loop, const For &next) {
        const bool alike = loop.var == next.var && loop.for_kind == ForKind::Serial &&
                           next.for_kind == ForKind::Serial && loop.partition == next.partition;
        if (!alike || !is_shifted(loop.body, next.body)) {
            return false;
        }
        const Expr gap = make_binary(ExprKind::Sub, next.min, make_binary(ExprKind::Add, loop.min, loop.extent));
        return is_zero(rewrite::simplify(gap));
    }

    static bool is_shifted(const Stmt &steady, const Stmt &shifted) {
        const LetStmt *a = steady.as<LetStmt>();
        const LetStmt *b = shifted.as<LetStmt>();
        if (!a || !b || !(a->symbol == b->symbol)) {
            return equal(steady, shifted);
        }
        const bool is_limited = is_kind(b->value, ExprKind::Min) &&
                                (equal(b->value->arg(0), a->value) || equal(b->value->arg(1), a->value));
        return (is_limited || equal(a->value, b->value)) && is_shifted(a->body, b->body);
    }

    Stmt merge(const For &loop, const For *next) {
        Body body(loop.var.owner());
        if (context_.func_of(loop.var) || !loop.var.owner().func.valid()) {
            body.visit(loop.body);
        }
        if (!body.ok || body.nodes > most_body_nodes || body.lanes < 2 || body.bits == 0 || body.stores.elements > 0) {
            return {};
        }
        int64_t times =
            largest_power(std::min(context_.machine.vector_bits / body.bits, most_widened_lanes / body.lanes));
        int64_t extent = 0;
        if (is_const_int(loop.extent, &extent)) {
            const bool halves_divide = times > 2 && extent % times != 0 && extent % (times / 2) == 0;
            times = largest_power(std::min(halves_divide ? times / 2 : times, extent));
        }
        return times < 2 ? Stmt() : merge(loop, next, body, static_cast<int32_t>(times));
    }

    static int64_t largest_power(int64_t most) {
        int64_t power = 1;
        while (power * 2 <= most) {
            power *= 2;
        }
        return power;
    }

    Stmt merge(const For &loop, const For *next, const Body &before, int32_t times) {
        const Symbol lane = context_.symbols.fresh(SymbolKind::Loop, loop.var.name(), loop.var.owner());
        const Symbol outer = context_.symbols.fresh(SymbolKind::Loop, loop.var.name() + ".wide", loop.var.owner());
        const auto times_of = [&](const Expr &count) {
            return vector_binary(ExprKind::Mul, count, make_int(Int(32), times), Use::Index);
        };
        const auto from = [&](const Expr &offset) {
            return vector_binary(ExprKind::Add, offset, loop.min, Use::Index);
        };
        const Stmt lanes = For::make(lane, from(times_of(make_var(Int(32), outer))), make_int(Int(32), times),
                                     ForKind::Vectorized, substitute(loop.body, loop.var, make_var(Int(32), lane)));
        const Stmt wide = Normalizer().mutate(vectorize_loops(lanes, silent_));
        Body after(loop.var.owner());
        after.visit(wide);
        const bool as_good = after.ok && after.loads.dense >= before.loads.dense &&
                             after.loads.elements <= before.loads.elements * static_cast<size_t>(times) &&
                             after.stores.dense == before.stores.dense && after.stores.elements == 0;
        if (!as_good) {
            return {};
        }
        context_.beyond(loop.var,
                        concat(times, " iterations of ", before.lanes, " lanes are one of ", before.lanes * times));
        int64_t extent = 0;
        if (!next && is_const_int(loop.extent, &extent)) {
            const int64_t whole = extent / times, rest = extent % times;
            const Stmt last = rest == 0 ? Stmt()
                                        : For::make(loop.var, from(make_int(Int(32), whole * times)),
                                                    make_int(Int(32), rest), loop.for_kind, loop.body, loop.partition);
            return Block::make(
                {For::make(outer, make_zero(Int(32)), make_int(Int(32), whole), loop.for_kind, wide, loop.partition),
                 last});
        }
        const Expr positive = max_of(loop.extent, make_zero(Int(32)));
        const Expr pieces = make_binary(ExprKind::Div, positive, make_int(Int(32), times));
        const Symbol whole = context_.symbols.fresh_let(loop.var.name() + ".whole", pieces);
        const Expr count = make_var(Int(32), whole);
        const Expr begin = from(times_of(count));
        const Expr left = next ? make_binary(ExprKind::Sub, make_binary(ExprKind::Add, next->min, next->extent), begin)
                               : make_binary(ExprKind::Sub, positive, times_of(count));
        const Stmt rest =
            For::make(loop.var, begin, left, loop.for_kind, next ? next->body : loop.body, loop.partition);
        const Stmt main = For::make(outer, make_zero(Int(32)), count, loop.for_kind, wide, loop.partition);
        return LetStmt::make(whole, pieces, Block::make({main, rest}));
    }
};

} // namespace

Stmt widen_vectorized_loops(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? LoopWidener(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
