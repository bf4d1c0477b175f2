#include "verify/to_loop_ir/lower_term.h"

#include "support/check.h"
#include "verify/accesses/reads.h"
#include "verify/loops/scans.h"
#include "verify/to_loop_ir/fuse_loops.h"
#include "verify/to_loop_ir/lower_elements.h"

#include <algorithm>

namespace fluorite::verify {

using namespace ir;
using Kind = Term::Kind;

namespace {

ForKind kind_of(const std::optional<Term::Mark> &mark) {
    if (!mark) {
        return ForKind::Serial;
    }
    switch (*mark) {
    case Term::Mark::Parallel:
        return ForKind::Parallel;
    case Term::Mark::Vector:
        return ForKind::Vectorized;
    case Term::Mark::Unroll:
        return ForKind::Unrolled;
    }
    unreachable("a loop of no kind");
}

// Outputs have memory already.
class WithoutRealizes : public Mutator {
  public:
    explicit WithoutRealizes(const std::set<std::string> &outputs) : outputs_(outputs) {}
    Stmt mutate(const Stmt &stmt) override {
        const Realize *realize = stmt.as<Realize>();
        return realize && outputs_.contains(realize->func.name()) ? mutate(realize->body) : recurse(stmt);
    }
    using Mutator::mutate;

  private:
    const std::set<std::string> &outputs_;
};

class Lowering : public ElementLowering {
  public:
    Lowering(const ScheduledTerm &term, const std::vector<OutputBuffers> &outputs) : ElementLowering(term, outputs) {
        for (size_t o = 0; o < outputs.size(); o++) {
            outputs_.emplace(conversion_.funcs[conversion_.outputs[o]].name,
                             TensorStorage{outputs[o].symbols, outputs[o].types, {}, {}});
        }
    }

    Stmt run() {
        const bool is_single = outputs_.size() == 1;
        Stmt stmt = is_single ? tensor(term_.program, outputs_.begin()->second) : bindings(term_.program);
        check(next_store_ == term_.stores.size(), "every store of the plan is used");
        stmt = with_fused_loops(stmt, term_.fused_bindings, names_);
        if (is_single) {
            return stmt;
        }
        std::set<std::string> written;
        for (const auto &[name, storage] : outputs_) {
            for (const Symbol &symbol : storage.symbols) {
                written.insert(symbol.name());
            }
        }
        return WithoutRealizes(written).mutate(stmt);
    }

  private:
    std::map<std::string, TensorStorage> outputs_; // by the names of their bindings
    SymbolMap<std::string> names_;                 // of the buffers of bindings
    size_t next_store_ = 0;

    // Those around the tensor of all outputs, which are among them: nothing is computed for it.
    Stmt bindings(const Term &term) {
        if (term.kind() != Kind::Let) {
            return Evaluate::make(int32(0));
        }
        return bound(term.name(), term.operand(0), [&] { return bindings(term.operand(1)); });
    }

    // ---- Tensors.

    // Whether the memory of the tensor `name`, which is read in the body alone, may be where the body is stored: each
    // iteration reads only the element that it computes. `store` is the number of the body's first store.
    bool continues_in_place(const std::string &name, const Term &value, const Term &body, size_t store) {
        if (body.kind() == Kind::If) { // alternatives
            return continues_in_place(name, value, body.operand(0), store) &&
                   continues_in_place(name, value, body.operand(1), store + count_views(body.operand(0)));
        }
        const bool shares_loops = std::ranges::any_of(term_.fused_bindings, [&](const FusedBindings &group) {
            return std::ranges::find(group.tensors, name) != group.tensors.end();
        });
        if (shares_loops || body.kind() != Kind::View || !same_shape(shape_of(value), shape_of(body)) ||
            types_of(value) != types_below(name, value, body)) {
            return false;
        }
        std::optional<Nest> nest = nest_of(body.operand(0), body.indices().size());
        if (!nest || store >= term_.stores.size()) {
            return false;
        }
        const std::vector<Index> &at = term_.stores[store].at;
        return reads_only(name, at, body.operand(0));
    }
    static bool same_shape(const std::vector<Index> &a, const std::vector<Index> &b) {
        return std::ranges::equal(a, b, equal_up_to_ring);
    }
    static bool reads_only(const std::string &name, const std::vector<Index> &at, const Term &term) {
        if (term.kind() == Kind::Var) {
            return term.name() != name;
        }
        if (term.kind() == Kind::Get) {
            std::vector<Index> indices;
            const Term *base = &term;
            for (; base->kind() == Kind::Get; base = &base->operand(0)) {
                indices.insert(indices.begin(), base->index());
            }
            if (base->kind() == Kind::Var) {
                return base->name() != name || std::ranges::equal(indices, at, equal_up_to_ring);
            }
        }
        return std::ranges::all_of(term.operands(), [&](const Term &operand) { return reads_only(name, at, operand); });
    }
    // A binding in the memory of what is made of it.
    Stmt in_place(const Term &term, const TensorStorage &storage) {
        Stmt before = tensor(term.operand(0), storage);
        return Block::make(
            {before, in_scope(tensors_, term.name(), storage, [&] { return tensor(term.operand(1), storage); })});
    }
    // A binding: its tensor in memory around the statement of the body.
    Stmt bound(const std::string &name, const Term &value, const std::function<Stmt()> &body) override {
        const auto output = outputs_.find(name);
        const TensorStorage storage = output == outputs_.end() ? new_storage(name, types_of(value)) : output->second;
        for (const Symbol &symbol : storage.symbols) {
            names_.emplace(symbol, name);
        }
        Stmt produce = tensor(value, storage);
        Stmt consume = in_scope(tensors_, name, storage, body);
        return realized(storage, in_memory(name, shape_of(value)), produce, consume);
    }
    // The extents in memory of a tensor of this shape.
    std::vector<Index> in_memory(const std::string &name, std::vector<Index> shape) const {
        const auto origin = term_.origins.find(name);
        if (origin != term_.origins.end() && origin->second.alignments.size() == shape.size()) {
            for (size_t d = 0; d < shape.size(); d++) {
                const int64_t multiple = origin->second.alignments[d];
                shape[d] = multiple == 1 ? shape[d] : simplified(shape[d] + (multiple - 1)) / multiple * multiple;
            }
        }
        return shape;
    }
    // The loops that store a tensor.
    Stmt tensor(const Term &term, const TensorStorage &storage) {
        switch (term.kind()) {
        case Kind::Let:
            if (continues_in_place(term.name(), term.operand(0), term.operand(1),
                                   next_store_ + count_views(term.operand(0)))) {
                return in_place(term, storage);
            }
            return bound(term.name(), term.operand(0), [&] { return tensor(term.operand(1), storage); });
        case Kind::If: { // alternatives that are chosen before the loops
            Stmt yes = tensor(term.operand(0), storage), no = tensor(term.operand(1), storage);
            return IfThenElse::make(condition(term.condition()), yes, no);
        }
        case Kind::Iter: {
            const auto plan = std::ranges::find_if(
                term_.scans, [&](const ScanPlan &one) { return one.loops.accumulator == term.other_name(); });
            if (plan != term_.scans.end()) {
                return scanned(term, plan->loops, storage);
            }
            break;
        }
        case Kind::View: {
            check(next_store_ < term_.stores.size(), "every view has a store");
            const StorePlan &plan = term_.stores[next_store_++];
            return loops(*nest_of(term.operand(0), term.indices().size()), plan.at, plan.guard, storage);
        }
        default:
            break;
        }
        std::optional<Nest> nest = nest_of(term, shape_of(term).size());
        if (!nest) {
            throw Unsupported{"a tensor is no nest of loops"};
        }
        std::vector<Index> at;
        for (const MarkedLoop &loop : nest->loops) {
            at.push_back(Index(loop.name));
        }
        return loops(*nest, at, {}, storage);
    }
    // From a loop on; `first` is the first of the bindings and updates that are further in.
    Stmt loops(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const TensorStorage &storage,
               size_t from = 0, size_t first = 0) {
        if (first < nest.inner.size() && nest.inner[first].depth == from) {
            const InnerNode &node = nest.inner[first];
            auto rest = [&] { return loops(nest, at, guard, storage, from, first + 1); };
            return node.update ? updated(nest, at, guard, storage, from, first) : bound(node.tensor, node.value, rest);
        }
        if (from == nest.loops.size()) {
            return guarded(nest.body, at, guard, storage);
        }
        const std::optional<OnlyIteration> only =
            first == nest.inner.size() ? only_iteration(nest, from) : std::nullopt;
        if (only) {
            return only_at(nest.loops[from], *only, [&] { return loops(nest, at, guard, storage, from + 1, first); });
        }
        return loop_of(nest.loops[from], [&] { return loops(nest, at, guard, storage, from + 1, first); });
    }
    // The only iteration of a loop that changes the accumulator, if the loop is there to find the element that an
    // update writes; `before` is what the step asks and binds before it knows, on which the loops from this one on have
    // no influence.
    struct OnlyIteration {
        Index at;
        std::vector<Term> before;
    };
    std::optional<OnlyIteration> only_iteration(const Nest &nest, size_t loop) const {
        const std::string &name = nest.loops[loop].name;
        std::set<std::string> inner; // names that are not known before the loops from this one on
        for (size_t l = loop; l < nest.loops.size(); l++) {
            inner.insert(nest.loops[l].name);
        }
        const auto is_inner = [&](const auto &used) {
            return std::ranges::any_of(inner, [&](const std::string &one) { return occurs(one, used); });
        };
        std::vector<Term> before;
        for (const Term &term : step_of(nest)) {
            if (term.kind() == Kind::Bind) {
                const bool is_known = is_expression(term.operand(0)) && !is_inner(term.operand(0)) &&
                                      !occurs_tensor(nest.inner.back().tensor, term.operand(0));
                if (!is_known) {
                    inner.insert(term.name());
                } else {
                    before.push_back(term);
                }
                continue;
            }
            std::vector<Condition> parts;
            parts_of(term.condition(), parts);
            const auto part = std::ranges::find_if(
                parts, [&](const Condition &p) { return is_equated(p, name) && !is_inner(p.indices[1]); });
            if (part != parts.end() && !nest.loops[loop].mark) {
                return OnlyIteration{part->indices[1], before};
            }
            if (is_inner(term.condition())) {
                return std::nullopt; // what is read behind it may be out of bounds without it
            }
            before.push_back(term);
        }
        return std::nullopt;
    }
    // The loop for this iteration only, if it is one.
    Stmt only_at(const MarkedLoop &loop, const OnlyIteration &only, const std::function<Stmt()> &inside) {
        const std::map<std::string, Expr> indices = indices_;
        const size_t known = known_.size();
        std::vector<Expr> asked;
        for (const Term &term : only.before) {
            if (term.kind() == Kind::Bind) {
                indices_.insert_or_assign(term.name(), integer(term.operand(0)));
            } else if (!is_known(term.condition())) {
                asked.push_back(condition(term.condition()));
                parts_of(term.condition(), known_);
            }
        }
        const Expr at = index(only.at), extent = index(loop.extent);
        indices_ = indices;
        Stmt body = in_scope(indices_, loop.name, at, inside);
        known_.erase(known_.begin() + std::ptrdiff_t(known), known_.end());
        asked.push_back(logical_and(less_equal(int32(0), at), less(at, extent)));
        for (auto one = asked.rbegin(); one != asked.rend() && body.defined(); ++one) {
            body = IfThenElse::make(likely(*one), body);
        }
        return body;
    }
    Stmt loop_of(const MarkedLoop &loop, const std::function<Stmt()> &inside) {
        Symbol symbol = fresh(SymbolKind::Loop, loop.name);
        Expr extent = index(loop.extent);
        Stmt body = in_scope(indices_, loop.name, make_var(Int(32), symbol), inside);
        return body.defined() ? For::make(symbol, int32(0), extent, kind_of(loop.mark), body) : Stmt();
    }
    // The loop of an update around loops over elements, in place: first what it starts from, then its steps.
    Stmt updated(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const TensorStorage &storage,
                 size_t from, size_t first) {
        const InnerNode &node = nest.inner[first];
        std::optional<Nest> start = nest_of(node.value, nest.loops.size() - from);
        if (!start) {
            throw Unsupported{"an update starts from something that is no nest of its loops"};
        }
        Stmt before = loops(*start, at, guard, storage);
        TensorStorage accumulator = storage;
        accumulator.element = Element{{}, at};
        for (size_t l = from; l < nest.loops.size(); l++) {
            accumulator.element->indices.emplace_back(nest.loops[l].name);
            accumulator.element->is_only.push_back(is_written_at(nest, l));
        }
        Stmt steps = loop_of(*node.update, [&] {
            return in_scope(tensors_, node.tensor, accumulator,
                            [&] { return loops(nest, at, guard, storage, from, first + 1); });
        });
        return Block::make({before, steps});
    }
    // A scan in place: first what it starts from, then the loops of its plan, in whose names its step is written.
    Stmt scanned(const Term &term, const ScanLoops &plan, const TensorStorage &storage) {
        const Stmt before = tensor(term.operand(0), storage);
        const std::optional<ScanTerm> scan = scan_of(term, plan.rank);
        check(scan && scan->reductions.size() + plan.rank == plan.at.size(), "the scan is the one of the plan");
        Nest nest{plan.loops, {{0, plan.accumulator, term.operand(0), MarkedLoop{}}}, scan->step};
        std::vector<Index> at;
        for (size_t l = 0; l < plan.at.size(); l++) {
            const bool is_element = l >= scan->reductions.size();
            const Loop &loop = is_element ? scan->elements[l - scan->reductions.size()] : scan->reductions[l];
            const std::optional<Term> step = substitute(nest.body, loop.first, plan.at[l]);
            if (!step) {
                throw Unsupported{"a loop in the step of a scan has the name of one around it"};
            }
            nest.body = *step;
            if (is_element) {
                at.push_back(plan.at[l]);
            }
        }
        return Block::make({before, in_scope(tensors_, plan.accumulator, storage, [&] {
                                return loops(nest, at, plan.guard, storage, 0, nest.inner.size());
                            })});
    }
    Stmt guarded(const Term &body, const std::vector<Index> &at, const Condition &guard, const TensorStorage &storage) {
        size_t before = known_.size();
        parts_of(guard, known_);
        Stmt store = element(body, storage.types,
                             [&](const Parts &parts) { return provide(storage, coordinates(storage, at), parts); });
        known_.erase(known_.begin() + std::ptrdiff_t(before), known_.end());
        return guard.is_true() || !store.defined() ? store : IfThenElse::make(likely(condition(guard)), store);
    }
};

} // namespace

ir::Stmt lower_term(const ScheduledTerm &term, const std::vector<OutputBuffers> &outputs) {
    return Lowering(term, outputs).run();
}

} // namespace fluorite::verify
