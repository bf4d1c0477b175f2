// Hoisting of reductions over lanes out of loops.
//
//   for y { f[c] = f[c] + vector_reduce<add>(v, 1) }
//   -->   acc[8] = 0;  for y { acc[0..8) = acc[0..8) + v };  f[c] = f[c] + vector_reduce<add>(acc, 1)
// The reduction over lanes, which takes several shuffles and adds, is then executed once instead of once per iteration,
// and the back end keeps acc in registers. Groups of neighbouring products of short integers, or of unsigned bytes, are
// added up first, as processors do this in one instruction.
//
// Method: vectorization makes such stores only where iterations may be grouped in any way (vectorization_legality.h). A
// store moves out of a serial loop if its index is invariant and does not read memory, and if all other accesses to the
// buffer in the loop are stores of the same form (an unrolled loop has several). The outermost such loop is taken. A
// store under a condition stays. If the loop has no iterations, nothing is stored, as before.
//
// Relies on: plain IR after partitioning, so that the interior has no masks. Does not move masked stores: each tail
// keeps its own reduction. Cost: linear, and linear in the body for each serial loop around such
// a store.

#include "analysis/reduction.h"
#include "lowering/access/access_shape.h"
#include "lowering/access/body_accesses.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/late_passes.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// f[c] = f[c] op vector_reduce<op>(value, 1)
struct LaneStore {
    ReduceOp op;
    Expr value;
};

std::optional<LaneStore> lane_store(const Store &store) {
    if (!store.value.type().is_scalar() || (store.predicate.defined() && !is_true(store.predicate))) {
        return std::nullopt;
    }
    const auto is_old = [&](const Expr &e) {
        return e->kind() == ExprKind::Load && e->symbol() == store.buffer && equal(e->arg(0), store.index);
    };
    const auto reads = [&](const Expr &e) { return reads_buffer(e, store.buffer); };
    const std::optional<analysis::Contribution> found = analysis::find_contribution(store.value, is_old, reads);
    if (!found || !is_kind(found->value, ExprKind::VectorReduce) || found->value->reduce_op() != found->op ||
        found->value.type().lanes() != 1) {
        return std::nullopt;
    }
    return LaneStore{found->op, found->value->arg(0)};
}

/// How many neighbouring lanes processors add up in one instruction: products of 16 bits in pairs, products of unsigned
/// and signed bytes in fours, unsigned bytes in eights.
int added_at_once(const LaneStore &store, const machine::MachineModel &machine) {
    const Type type = store.value.type();
    if (store.op != ReduceOp::Add || type.bits() != 32 || !type.is_int_or_uint()) {
        return 1;
    }
    if (is_kind(store.value, ExprKind::Cast)) {
        const Type from = store.value->arg(0).type();
        return from.is_uint() && from.bits() == 8 && type.lanes() % 16 == 0 ? 8 : 1;
    }
    if (!is_kind(store.value, ExprKind::Mul)) {
        return 1;
    }
    const auto source = [&](size_t i) {
        const Expr &factor = store.value->arg(i);
        return is_kind(factor, ExprKind::Cast) ? factor->arg(0).type() : factor.type();
    };
    const Type a = source(0), b = source(1);
    const auto fits = [](Type t) { return (t.is_int() && t.bits() <= 16) || (t.is_uint() && t.bits() == 8); };
    const bool are_bytes =
        a.bits() == 8 && b.bits() == 8 && a.is_int() != b.is_int() && machine.multiplies_bytes_by_fours;
    const int count = !fits(a) || !fits(b) ? 1 : are_bytes ? 4 : 2;
    return type.lanes() % count == 0 && type.lanes() / count >= 4 ? count : 1;
}

/// The stores of a loop's body by buffer, and the buffers with other accesses.
class ReductionFinder : public AccessVisitor {
  public:
    struct Place {
        Expr index;
        ReduceOp op;
        Type type; // of the vector that is reduced
    };
    explicit ReductionFinder(const machine::MachineModel &machine) : machine_(machine) {}

    SymbolMap<Place> places;
    SymbolMap<bool> touched, bound;
    std::vector<Symbol> order;

    using AccessVisitor::visit;
    void visit(const Stmt &stmt) override {
        bool sometimes = stmt.kind() == StmtKind::IfThenElse || stmt.kind() == StmtKind::Atomic;
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            bound[let->symbol] = true;
        } else if (const For *loop = stmt.as<For>()) {
            bound[loop->var] = true;
            sometimes = loop->for_kind != ForKind::Serial;
        } else if (const Allocate *allocate = stmt.as<Allocate>()) {
            bound[allocate->buffer] = true;
        } else if (const Store *store = stmt.as<Store>()) {
            lane_store_ = sometimes_ ? std::nullopt : lane_store(*store);
        }
        const bool outer = std::exchange(sometimes_, sometimes_ || sometimes);
        AccessVisitor::visit(stmt);
        sometimes_ = outer;
    }

    bool is_movable(const Symbol &buffer) const {
        if (touched.contains(buffer) || bound.contains(buffer)) {
            return false;
        }
        const Expr &index = places.at(buffer).index;
        bool still = !index->reads_memory();
        for_each_free_symbol(index, [&](const Symbol &symbol) { still = still && !bound.contains(symbol); });
        return still;
    }

  private:
    const machine::MachineModel &machine_;
    bool sometimes_ = false;              // the visited statement may be skipped, or its iterations reordered
    std::optional<LaneStore> lane_store_; // the visited store, if it is one

    void visit_node(const Expr &node) override {
        if (buffer_use(node) == BufferUse::Address) {
            touched[node->symbol()] = true;
        }
    }
    void visit_access(const Access &access) override {
        // The contribution does not read the buffer, so a load of it is that of the old value.
        const bool is_old = lane_store_ && access.store && access.buffer == access.store->buffer;
        if (access.is_store && lane_store_) {
            visit_lane_store(*access.store, *lane_store_);
        } else if (!is_old) {
            touched[access.buffer] = true;
        }
    }

    void visit_lane_store(const Store &store, const LaneStore &found) {
        const int lanes = found.value.type().lanes() / added_at_once(found, machine_);
        const Type type = found.value.type().with_lanes(lanes);
        auto [at, is_new] = places.try_emplace(store.buffer, Place{store.index, found.op, type});
        if (is_new) {
            order.push_back(store.buffer);
        } else if (!equal(at->second.index, store.index) || at->second.op != found.op || at->second.type != type) {
            touched[store.buffer] = true;
        }
    }
};

/// Redirects the stores to the accumulator.
class Redirect : public Mutator {
  public:
    Redirect(const Symbol &buffer, const Symbol &accumulator, int lanes)
        : buffer_(buffer), accumulator_(accumulator), lanes_(lanes) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        if (!store || !(store->buffer == buffer_)) {
            return recurse(stmt);
        }
        const LaneStore lanes = *lane_store(*store);
        const Type type = lanes.value.type().with_lanes(lanes_);
        const Expr index = dense_index(make_zero(Int(32)), type.lanes());
        const Expr part =
            lanes.value.type() == type ? lanes.value : make_vector_reduce(lanes.op, lanes.value, type.lanes());
        const Expr sum = analysis::apply_reduction(lanes.op, make_load(type, accumulator_, index), part);
        return Store::make(accumulator_, sum, index, make_bool(true, type.lanes()));
    }

  private:
    const Symbol &buffer_, &accumulator_;
    int lanes_;
};

/// Whether statements contain stores that may move. Each distinct one is visited once.
class Candidates {
  public:
    bool in(const Stmt &stmt) {
        if (const Store *store = stmt.as<Store>()) {
            return lane_store(*store).has_value();
        }
        const auto known = known_.find(stmt.get());
        if (known != known_.end()) {
            return known->second.second;
        }
        bool found = false;
        for_each_child_stmt(stmt, [&](const Stmt &child) { found = in(child) || found; });
        known_.emplace(stmt.get(), std::pair(stmt, found));
        return found;
    }

  private:
    std::unordered_map<const StmtNode *, std::pair<Stmt, bool>> known_; // keeps alive the nodes that are keys
};

class Accumulators : public Mutator {
  public:
    explicit Accumulators(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        if (!loop || loop->for_kind != ForKind::Serial) {
            return recurse(stmt);
        }
        if (!candidates_.in(loop->body)) {
            return stmt;
        }
        ReductionFinder finder(context_.machine);
        finder.bound[loop->var] = true;
        finder.visit(loop->body);
        Stmt result = stmt;
        for (const Symbol &buffer : finder.order) {
            if (finder.is_movable(buffer)) {
                result = accumulate(*loop, result, buffer, finder.places.at(buffer));
            }
        }
        return recurse(result);
    }

  private:
    const PassContext &context_;
    Candidates candidates_;

    Stmt accumulate(const For &loop, const Stmt &stmt, const Symbol &buffer, const ReductionFinder::Place &place) {
        const FuncDef *func = context_.func_of(buffer);
        context_.beyond(loop.var, concat("its lanes are summed up into ", func ? func->name() : buffer.name(),
                                         " once, after the loop"));
        const Symbol accumulator = context_.symbols.fresh(SymbolKind::Buffer, buffer.name() + ".lanes");
        const Type type = place.type;
        const Expr index = dense_index(make_zero(Int(32)), type.lanes());
        const Expr everywhere = make_bool(true, type.lanes());
        const Stmt start = Store::make(accumulator, analysis::reduction_identity(place.op, type), index, everywhere);
        const Stmt lanes = Redirect(buffer, accumulator, type.lanes()).mutate(stmt);
        const Expr total = make_vector_reduce(place.op, make_load(type, accumulator, index), 1);
        const Expr old = make_load(type.element_of(), buffer, place.index);
        const Stmt end =
            Store::make(buffer, analysis::apply_reduction(place.op, old, total), place.index, make_bool(true));
        const Stmt once = IfThenElse::make(less(make_int(Int(32), 0), loop.extent), end);
        return Allocate::make(accumulator, type.element_of(), MemoryType::Stack, {make_int(Int(32), type.lanes())},
                              Block::make({start, lanes, once}));
    }
};

} // namespace

Stmt hoist_vector_reductions(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Accumulators(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
