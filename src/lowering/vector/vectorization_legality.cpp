// Vectorization legality: which loops marked Vectorized may become vectors.
//
// Vector code runs each statement for all lanes before the next statement. It is equivalent to the loop if no lane
// reads what another lane writes, and no two lanes write to one address in different statements.
//
// Some accesses are independent by construction: iterations of a loop over a pure Var of a stage, as a stage reads its
// own Func only at the Var itself; and other Funcs computed inside the loop, as all lanes compute the same value for
// the same point. So only these are examined:
//   - the Func's own buffer, in a loop that stems from an RVar (or whose owner is not known), unless the program calls
//     allow_race_conditions() or the loops around this one carry its dependences (schedule/carried_dependences.h);
//   - another Func's buffer that is allocated outside the loop and updated inside it from its own values.
// For such a buffer:
//   all accesses at one index, which varies with the lane and with nothing inside the body    -->  independent
//   one store that nothing in the body reads, outside of inner loops                          -->  the last lane's
//   value
//   one store at an index that is the same in all lanes, and loads of it by this store only   -->  accumulator
//   any other accesses that might coincide                                                    -->  serial
// An accumulator may be inside inner loops if its operation is exact in any order (analysis/reduction.h), or may be
// reordered by atomic() or allow_reassociation(). Otherwise the order of the loop must be kept, and an inner loop in
// between makes it serial.
//
// Method: indices with the lets of the body substituted are widened; a Ramp with a nonzero stride varies with the lane.
// Relies on: flat IR; nonzero strides of buffers. Cost: linear in the body.

#include "lowering/vector/vectorization_legality.h"

#include "lowering/access/access_shape.h"
#include "lowering/access/body_accesses.h"
#include "lowering/access/buffer_stride.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/vector/expr_vectorizer.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// An access of a buffer that is allocated outside the body.
struct OuterAccess {
    Expr index;                   // without the body's lets
    const Store *store = nullptr; // the store itself, or the one whose value loads; null for other loads
    bool uses_inner_loop = false; // the index varies with a loop inside the body
    bool in_inner_loop = false;
};

struct BufferAccesses {
    std::vector<OuterAccess> stores, loads;
};

/// Collects accesses of buffers that are allocated outside the body.
class AccessCollector : public AccessVisitor {
  public:
    SymbolMap<BufferAccesses> buffers;
    std::vector<Symbol> order; // by first access
    std::vector<Symbol> inner; // allocated inside the body: each lane has its own copy

    using AccessVisitor::visit;
    void visit(const Stmt &stmt) override {
        if (const Allocate *allocate = stmt.as<Allocate>()) {
            inner.push_back(allocate->buffer);
        }
        AccessVisitor::visit(stmt);
    }

  private:
    void visit_access(const Access &access) override {
        if (is_allocated_inside(access.buffer)) {
            return;
        }
        auto [at, is_new] = buffers.try_emplace(access.buffer);
        if (is_new) {
            order.push_back(access.buffer);
        }
        const Expr index = expand(access.index);
        const bool uses_inner_loop =
            std::any_of(loops().begin(), loops().end(), [&](const Symbol &loop) { return uses_symbol(index, loop); });
        (access.is_store ? at->second.stores : at->second.loads)
            .push_back({index, access.store, uses_inner_loop, !loops().empty()});
    }
};

enum class LaneMotion : uint8_t { Same, Distinct, Unknown };

class LegalityFinder {
  public:
    LegalityFinder(const For &loop, int lanes, const PassContext &context)
        : loop_(loop), context_(context), widener_(loop.var, loop.min, lanes) {}

    VectorizationLegality find(const Stmt &body) {
        AccessCollector accesses;
        accesses.visit(body);
        for (const Symbol &buffer : accesses.inner) {
            widener_.widen_buffer(buffer); // an index that is loaded from it varies with the lane
        }
        for (const Symbol &buffer : accesses.order) {
            const BufferAccesses &found = accesses.buffers[buffer];
            if (!found.stores.empty() && needs_examination(buffer, found)) {
                examine(buffer, found);
            }
        }
        return std::move(order_);
    }

  private:
    const For &loop_;
    const PassContext &context_;
    ExprVectorizer widener_;
    VectorizationLegality order_;

    static bool updates_itself(const BufferAccesses &accesses) {
        return std::any_of(accesses.loads.begin(), accesses.loads.end(), [&](const OuterAccess &load) {
            return std::any_of(accesses.stores.begin(), accesses.stores.end(),
                               [&](const OuterAccess &store) { return load.store == store.store; });
        });
    }

    bool needs_examination(const Symbol &buffer, const BufferAccesses &accesses) {
        const bool owners_known = context_.loop_dim_of(loop_.var) && context_.func_of(buffer);
        if (!owners_known) {
            return true;
        }
        if (buffer.owner().func != loop_.var.owner().func) {
            const bool moves =
                std::any_of(accesses.stores.begin(), accesses.stores.end(),
                            [&](const OuterAccess &store) { return motion(store.index) != LaneMotion::Same; });
            return moves && updates_itself(accesses);
        }
        return context_.loop_dim_of(loop_.var)->is_rvar && !context_.stage_of(loop_.var)->allow_race_conditions &&
               !context_.is_independent(loop_.var);
    }

    LaneMotion motion(const Expr &index) {
        const Expr wide = widener_.widen(index, Use::Index);
        if (!ExprVectorizer::is_varying(index, wide)) {
            return LaneMotion::Same;
        }
        const AccessShape shape = access_shape(wide);
        const bool is_ramp = index.type().is_scalar() && shape.is_strided();
        return is_ramp && is_nonzero_stride(shape.stride) ? LaneMotion::Distinct : LaneMotion::Unknown;
    }

    void examine(const Symbol &buffer, const BufferAccesses &accesses) {
        const OuterAccess &first = accesses.stores.front();
        auto agrees = [&](const OuterAccess &access) { return equal(access.index, first.index); };
        const bool one_index = std::all_of(accesses.stores.begin(), accesses.stores.end(), agrees) &&
                               std::all_of(accesses.loads.begin(), accesses.loads.end(), agrees);
        const LaneMotion moves = motion(first.index);
        if (one_index && moves == LaneMotion::Distinct && !first.uses_inner_loop) {
            return;
        }
        // One store without loads: its lanes are stored in order, so the last one remains, as in the loop.
        if (accesses.loads.empty() && accesses.stores.size() == 1 && !first.in_inner_loop) {
            return;
        }
        const bool accumulates = one_index && moves == LaneMotion::Same && accesses.stores.size() == 1 &&
                                 std::all_of(accesses.loads.begin(), accesses.loads.end(),
                                             [&](const OuterAccess &load) { return load.store == first.store; });
        if (accumulates) {
            examine_accumulator(buffer, first);
        } else {
            order_.serial_because = "its iterations store to places of " + name_of(buffer) +
                                    " that others load or store, so that their order counts";
        }
    }

    std::string name_of(const Symbol &buffer) const {
        const FuncDef *func = context_.func_of(buffer);
        return func ? func->name() : buffer.name();
    }

    void examine_accumulator(const Symbol &buffer, const OuterAccess &access) {
        const schedule::StageSchedule *stage = context_.stage_of(loop_.var);
        const Type type = access.store->value.type();
        const std::optional<analysis::Contribution> contribution = find_contribution(*access.store);
        const FuncDef *func = context_.func_of(loop_.var);
        const bool may_round =
            func && func->reassociates && contribution && contribution->commute == analysis::Law::Rounded;
        const bool free =
            contribution && (contribution->commute == analysis::Law::Exact || may_round || (stage && stage->atomic));
        if (!type.is_scalar()) {
            order_.serial_because = "its iterations accumulate whole vectors in one place of " + name_of(buffer) +
                                    "; vectorize one loop of the stage";
            return;
        }
        if (access.in_inner_loop && !free) {
            order_.serial_because = "its iterations accumulate in one place of " + name_of(buffer) +
                                    ", around another loop, by an operation whose order counts; make it the innermost "
                                    "loop";
            return;
        }
        order_.accumulators[buffer] = free ? Accumulation::Free : Accumulation::Ordered;
    }
};

} // namespace

std::optional<analysis::Contribution> find_contribution(const Store &store) {
    const auto is_old = [&](const Expr &expr) {
        return expr->kind() == ExprKind::Load && expr->symbol() == store.buffer &&
               !reads_buffer(expr->arg(0), store.buffer) && is_true(expr->arg(1));
    };
    return analysis::find_contribution(store.value, is_old,
                                       [&](const Expr &expr) { return reads_buffer(expr, store.buffer); });
}

VectorizationLegality find_vectorization_legality(const For &loop, const Stmt &body, int lanes,
                                                  const PassContext &context) {
    return LegalityFinder(loop, lanes, context).find(body);
}

} // namespace fluorite::lowering
