#include "verify/lower_term.h"

#include "support/check.h"
#include "verify/join_loops.h"
#include "verify/reads.h"
#include "verify/reductions.h"
#include "verify/scans.h"

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

bool is_null(const Term &term) { return term.kind() == Kind::Number && term.value() == 0; }

class Lowering {
  public:
    Lowering(const ScheduledTerm &term, const Symbol &output) : term_(term), conversion_(term.conversion) {
        for (const auto &[name, value] : conversion_.names) {
            indices_.emplace(name, value);
        }
        for (size_t d = 0; d < conversion_.output_extents.size(); d++) {
            if (!conversion_.output_extents[d].is_number()) {
                indices_.emplace(conversion_.output_extents[d].name(), make_field(output, Field::Extent, int(d)));
            }
        }
        for (const Tensor &input : conversion_.inputs) {
            tensors_.emplace(input.name, Place{input.symbol, input.type, {}, {}});
            for (const Dimension &dim : input.dims) {
                tensors_.at(input.name).mins.push_back(dim.min);
            }
        }
        used_names_.insert(output.name());
        output_ = Place{output, type_of(term.program), {}, {}};
    }

    Stmt run() {
        Stmt stmt = with_joined_loops(tensor(term_.program, output_), term_.joined, names_);
        check(next_store_ == term_.stores.size(), "every store of the plan is used");
        return stmt;
    }

  private:
    // The element of an accumulator that an iteration reads: it is where the iteration stores.
    struct Element {
        std::vector<Index> indices, at;
        std::vector<bool> is_only = {}; // dimensions along which an iteration of the update writes one element
    };
    // A tensor in memory.
    struct Place {
        Symbol symbol;
        Type type;
        std::vector<Index> mins;        // of inputs, outermost dimension first; empty: zeros
        std::optional<Element> element; // of accumulators that are tensors: the only one that may be read
    };
    using Sink = std::function<Stmt(const Expr &)>;

    const ScheduledTerm &term_;
    const Conversion &conversion_;
    Place output_;
    std::map<std::string, Expr> indices_;  // index names in scope
    std::map<std::string, Place> tensors_; // tensors in scope
    std::map<std::string, Expr> values_;   // names of elements that are known as expressions
    std::vector<Condition> known_;         // conditions that hold here because a store's guard asks for them
    std::set<std::string> used_names_;
    SymbolMap<std::string> names_; // of the buffers of bindings
    size_t next_store_ = 0, next_value_ = 0;

    // ---- Names: within a statement every symbol has its own.
    Symbol fresh(SymbolKind kind, const std::string &name) {
        std::string unique = name;
        for (int i = 1; !used_names_.insert(unique).second; i++) {
            unique = name + "." + std::to_string(i);
        }
        return Symbol(kind, unique);
    }
    // Adds a name to a map for the duration of a call.
    template <typename Value, typename Body>
    auto in_scope(std::map<std::string, Value> &map, const std::string &name, const Value &value, const Body &body) {
        std::optional<Value> before;
        if (auto found = map.find(name); found != map.end()) {
            before = found->second;
        }
        map.insert_or_assign(name, value);
        auto result = body();
        if (before) {
            map.insert_or_assign(name, *before);
        } else {
            map.erase(name);
        }
        return result;
    }

    // ---- Index expressions and conditions.
    Expr index(const Index &i) {
        if (i.is_number()) {
            if (i.value() != int32_t(i.value())) {
                throw Unsupported{"an index does not fit 32 bits"};
            }
            return int32(i.value());
        }
        if (i.kind() == Index::Kind::Name) {
            auto found = indices_.find(i.name());
            if (found == indices_.end()) {
                throw Unsupported{"nothing says what the index " + i.name() + " is"};
            }
            return found->second;
        }
        Expr a = index(i.a()), b = index(i.b());
        switch (i.kind()) {
        case Index::Kind::Add:
            return add(a, b);
        case Index::Kind::Sub:
            return sub(a, b);
        case Index::Kind::Mul:
            return mul(a, b);
        case Index::Kind::Min:
            return min_of(a, b);
        case Index::Kind::Max:
            return max_of(a, b);
        default:
            // Rounding down is Euclidean for positive divisors only.
            if (i.b().is_number() ? i.b().value() <= 0 : !find_witness(term_.facts, lt(0, i.b()))) {
                throw Unsupported{"the divisor " + to_text(i.b()) + " is no positive number"};
            }
            return i.kind() == Index::Kind::Div ? div(a, b) : mod(a, b);
        }
    }
    Expr condition(const Condition &p) {
        switch (p.kind) {
        case Condition::Kind::True:
            return make_bool(true);
        case Condition::Kind::Le:
            return less_equal(index(p.indices[0]), index(p.indices[1]));
        case Condition::Kind::Lt:
            return less(index(p.indices[0]), index(p.indices[1]));
        case Condition::Kind::Eq:
            return equals(index(p.indices[0]), index(p.indices[1]));
        case Condition::Kind::And:
            return logical_and(condition(p.operands[0]), condition(p.operands[1]));
        case Condition::Kind::Or:
            return make_binary(ExprKind::Or, condition(p.operands[0]), condition(p.operands[1]));
        case Condition::Kind::Not:
            return make_unary(ExprKind::Not, condition(p.operands[0]));
        }
        unreachable("a condition of no kind");
    }
    bool is_known(const Condition &p) const { return std::ranges::find(known_, p) != known_.end(); }

    // ---- Elements: their types, and those that are expressions.
    const Expr &operator_of(const std::string &word) const {
        auto found = conversion_.operators.find(word);
        if (word.starts_with("tuple.") || word.starts_with("part.") || word.starts_with("select.tuple.")) {
            throw Unsupported{"tuples have no place in the memory of terms"};
        }
        if (found == conversion_.operators.end()) {
            throw Unsupported{"nothing says what the operator " + word + " is"};
        }
        return found->second;
    }
    // Void for null alone, which is of every type.
    Type type_of(const Term &term) const {
        switch (term.kind()) {
        case Kind::Number:
            return Type();
        case Kind::Unit:
            return operator_of(term.name()).type();
        case Kind::Var: {
            auto value = values_.find(term.name());
            if (value != values_.end()) {
                return value->second.type();
            }
            auto place = tensors_.find(term.name());
            return place == tensors_.end() ? Type() : place->second.type;
        }
        case Kind::Op:
            return operator_of(term.name()).type();
        case Kind::Fold:
            return operator_of(term.other_name()).type();
        case Kind::If: {
            Type type = type_of(term.operand(0));
            return type == Type() ? type_of(term.operand(1)) : type;
        }
        case Kind::Bind:
            return type_of(term.operand(1));
        case Kind::Let:
            return type_below(term.name(), term.operand(0), term.operand(1));
        case Kind::Iter:
        default:
            return type_of(term.operand(0));
        }
    }
    // The type of a body in which the name is bound.
    Type type_below(const std::string &name, const Term &value, const Term &body) const {
        Lowering scope = *this;
        scope.tensors_.insert_or_assign(name, Place{Symbol(), type_of(value), {}, {}});
        return scope.type_of(body);
    }

    // x op identity is x, bit for bit.
    static Expr identity_of(const Expr &op) {
        const std::optional<analysis::Contribution> found = reduction_by(op);
        if (!found) {
            throw Unsupported{"nobody knows what a reduction with this operator starts from"};
        }
        return analysis::reduction_identity(found->op, op.type());
    }

    // The integer that a fold of ones is.
    std::optional<Index> count_of_ones(const Term &term) const {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Unit) {
            return std::nullopt;
        }
        const Expr &op = operator_of(term.other_name()), &one = operator_of(term.operand(0).name());
        bool is_sum = op->kind() == ExprKind::Add && op.type() == Int(32) && is_const_int(one, 1);
        return is_sum ? std::optional(term.index()) : std::nullopt;
    }
    static bool is_const_int(const Expr &expr, int64_t wanted) {
        int64_t value;
        return ir::is_const_int(expr, &value) && value == wanted;
    }

    // Whether an element is an expression: no loop, no memory of its own, and no read that only a branch makes safe.
    bool is_expression(const Term &term) const {
        if (term.kind() == Kind::Let || term.kind() == Kind::Iter) {
            return false;
        }
        if (term.kind() == Kind::Fold) {
            return count_of_ones(term).has_value();
        }
        if (term.kind() == Kind::If) {
            return !reads(term.operand(0)) && !reads(term.operand(1));
        }
        return std::ranges::all_of(term.operands(), [&](const Term &operand) { return is_expression(operand); });
    }
    static bool reads(const Term &term) {
        return term.kind() == Kind::Get || term.kind() == Kind::Var || std::ranges::any_of(term.operands(), reads);
    }

    Expr value(const Term &term, Type type) {
        switch (term.kind()) {
        case Kind::Number:
            check(is_null(term), "null is the only number among elements");
            return make_zero(type);
        case Kind::Unit: {
            const Expr &known = operator_of(term.name()); // a constant, or what the operator starts from
            return known->arg_count() == 2 ? identity_of(known) : known;
        }
        case Kind::Var: {
            auto known = values_.find(term.name());
            return known != values_.end() ? known->second : read(place_of(term.name()), {});
        }
        case Kind::Get: {
            std::vector<Index> indices;
            const Term *base = &term;
            for (; base->kind() == Kind::Get; base = &base->operand(0)) {
                indices.insert(indices.begin(), base->index());
            }
            if (base->kind() != Kind::Var) {
                throw Unsupported{"an access of something that has no name"};
            }
            return read(place_of(base->name()), indices);
        }
        case Kind::Fold:
            return max_of(index(*count_of_ones(term)), int32(0));
        case Kind::If:
            return make_select(condition(term.condition()), value(term.operand(0), type), value(term.operand(1), type));
        case Kind::Op:
            return operation(term);
        case Kind::Bind:
            return in_scope(indices_, term.name(), value(term.operand(0), Int(32)),
                            [&] { return value(term.operand(1), type); });
        default:
            unreachable("a term that is no expression");
        }
    }
    Expr operation(const Term &term) {
        const Expr &op = operator_of(term.name());
        std::vector<Term> operands = flat_operands(term);
        // A coordinate that may be negative: as many ones as it says, less as many as its negation says.
        if (op->kind() == ExprKind::Sub && operands.size() == 2) {
            std::optional<Index> up = count_of_ones(operands[0]), down = count_of_ones(operands[1]);
            if (up && down && equal_up_to_ring(*up, 0 - *down)) {
                return index(*up);
            }
        }
        std::vector<Expr> args;
        for (size_t i = 0; i < operands.size(); i++) {
            args.push_back(value(operands[i], op->arg(i).type()));
        }
        return with_args(op, args);
    }
    // An operator has three operands at most; those that have more pair the last ones.
    std::vector<Term> flat_operands(const Term &term) const {
        std::vector<Term> operands = term.operands();
        while (operands.back().kind() == Kind::Op && operands.back().name() == "and_then") {
            Term pair = operands.back();
            operands.pop_back();
            operands.insert(operands.end(), pair.operands().begin(), pair.operands().end());
        }
        check(operands.size() == operator_of(term.name())->arg_count(), "an operator has its operands");
        return operands;
    }
    const Place &place_of(const std::string &name) const {
        auto found = tensors_.find(name);
        if (found == tensors_.end()) {
            throw Unsupported{"nothing says what the tensor " + name + " is"};
        }
        return found->second;
    }
    Expr read(const Place &place, const std::vector<Index> &indices) {
        if (place.symbol.kind() == SymbolKind::Param) {
            return make_var(place.type, place.symbol);
        }
        if (place.element && !(indices == place.element->indices)) {
            return read_other(place, indices);
        }
        return make_image(place.type, place.symbol, coordinates(place, place.element ? place.element->at : indices));
    }
    // Another element than the one that the iteration of an update writes. It is as it was before the iteration: along
    // the dimensions in which it differs, the iteration writes one element; iterations that differ in others, and may
    // have run before, write elsewhere.
    Expr read_other(const Place &place, const std::vector<Index> &indices) {
        const Element &element = *place.element;
        bool is_before = element.at == element.indices && indices.size() == element.indices.size();
        for (size_t d = 0; is_before && d < indices.size(); d++) {
            is_before = element.is_only[d] || indices[d] == element.indices[d];
        }
        if (!is_before) {
            throw Unsupported{"an update reads an element that another iteration of its loops over elements may write"};
        }
        return make_image(place.type, place.symbol, coordinates(place, indices));
    }
    // Buffers have the innermost dimension first.
    std::vector<Expr> coordinates(const Place &place, const std::vector<Index> &indices) {
        std::vector<Expr> result;
        for (size_t d = indices.size(); d > 0; d--) {
            Expr at = index(indices[d - 1]);
            result.push_back(place.mins.empty() ? at : add(at, index(place.mins[d - 1])));
        }
        return result;
    }

    // ---- Elements that need statements.

    // The statement that makes the element and hands it on.
    Stmt element(const Term &term, Type type, const Sink &sink) {
        if (is_expression(term)) {
            return sink(value(term, type));
        }
        switch (term.kind()) {
        case Kind::Let:
            return bound(term.name(), term.operand(0), [&] { return element(term.operand(1), type, sink); });
        case Kind::Iter:
        case Kind::Mark:
            return accumulated(term, type, sink);
        case Kind::If:
            return chosen(term, type, sink);
        case Kind::Bind:
            return element(term.operand(0), Int(32), [&](const Expr &integer) {
                return in_scope(indices_, term.name(), integer, [&] { return element(term.operand(1), type, sink); });
            });
        case Kind::Op:
            return operands_first(term, type, sink);
        default:
            throw Unsupported{"a fold over " + term.other_name() + " has no loop in lowering"};
        }
    }
    Stmt chosen(const Term &term, Type type, const Sink &sink) {
        if (is_known(term.condition())) {
            return element(term.operand(0), type, sink);
        }
        Stmt yes = element(term.operand(0), type, sink), no = element(term.operand(1), type, sink);
        if (!yes.defined()) {
            return no.defined() ? IfThenElse::make(condition(negation(term.condition())), no) : Stmt();
        }
        return IfThenElse::make(likely(condition(term.condition())), yes, no);
    }
    static Expr likely(const Expr &condition) { return make_unary(ExprKind::Likely, condition); }
    // The first operand that needs statements gets a place of its own; the rest of the term reads it there.
    Stmt operands_first(const Term &term, Type type, const Sink &sink) {
        std::vector<Term> operands = flat_operands(term);
        for (size_t k = 0; k < term.operands().size(); k++) {
            if (is_expression(term.operand(k))) {
                continue;
            }
            Type of_operand = type_of(term.operand(k));
            std::string name = "$" + std::to_string(next_value_++);
            Place place{fresh(SymbolKind::Buffer, "value"), of_operand, {}, {}};
            Stmt first = element(term.operand(k), of_operand, [&](const Expr &v) { return provide(place, {}, v); });
            Stmt rest = in_scope(tensors_, name, place,
                                 [&] { return element(term.with_operand(k, Term::var(name)), type, sink); });
            return realized(place, {}, first, rest);
        }
        unreachable("an operand is no expression");
    }
    // In place: an iteration reads the accumulator before it writes it.
    Stmt accumulated(const Term &term, Type type, const Sink &sink) {
        const Term &loop = term.kind() == Kind::Mark ? term.operand(0) : term;
        if (loop.kind() != Kind::Iter) {
            throw Unsupported{"a mark is on something that is no loop"};
        }
        Place place{fresh(SymbolKind::Buffer, loop.other_name()), type, {}, {}};
        Stmt loops = iterations(term, place);
        return realized(place, {}, loops, sink(read(place, {})));
    }
    Stmt iterations(const Term &marked, const Place &place) {
        const bool is_marked = marked.kind() == Kind::Mark;
        const Term &term = is_marked ? marked.operand(0) : marked;
        const Sink store = [&](const Expr &v) { return provide(place, {}, v); };
        const Term &start = term.operand(0);
        Stmt first;
        // An iteration that starts from its own accumulator continues.
        auto same = tensors_.find(term.other_name());
        bool continues = start.kind() == Kind::Var && start.name() == term.other_name() && same != tensors_.end() &&
                         same->second.symbol == place.symbol;
        if (!continues) {
            first = element(start, place.type, store);
        }
        Symbol loop = fresh(SymbolKind::Loop, term.name());
        Expr extent = index(term.index());
        Stmt body = in_scope(indices_, term.name(), make_var(Int(32), loop), [&] {
            return in_scope(tensors_, term.other_name(), place, [&] {
                const Term &step = term.operand(1), &loop_below = step.kind() == Kind::Mark ? step.operand(0) : step;
                bool is_nested = loop_below.kind() == Kind::Iter && loop_below.other_name() == term.other_name() &&
                                 loop_below.operand(0).kind() == Kind::Var &&
                                 loop_below.operand(0).name() == term.other_name();
                return is_nested ? iterations(step, place) : element(step, place.type, store);
            });
        });
        // Iterations that may run at once add to one element; here they run in order, which is one of the orders.
        const bool is_unrolled = is_marked && marked.mark() == Term::Mark::Unroll;
        return Block::make(
            {first, For::make(loop, int32(0), extent, is_unrolled ? ForKind::Unrolled : ForKind::Serial, body)});
    }

    // ---- Tensors.

    static Stmt provide(const Place &place, std::vector<Expr> at, const Expr &v) {
        return Provide::make(place.symbol, 0, {v}, std::move(at), make_bool(true));
    }
    Stmt realized(const Place &place, const std::vector<Index> &shape, const Stmt &produce, const Stmt &consume) {
        std::vector<Range> bounds;
        for (size_t d = shape.size(); d > 0; d--) {
            bounds.push_back({int32(0), index(shape[d - 1])});
        }
        return Realize::make(place.symbol, {place.type}, MemoryType::Auto, bounds,
                             Block::make({ProducerConsumer::make(place.symbol, true, produce),
                                          ProducerConsumer::make(place.symbol, false, consume)}));
    }
    // Whether the memory of the tensor `name`, which is read in the body alone, may be where the body is stored: each
    // iteration reads only the element that it computes. `store` is the number of the body's first store.
    bool continues_in_place(const std::string &name, const Term &value, const Term &body, size_t store) const {
        if (body.kind() == Kind::If) { // alternatives
            return continues_in_place(name, value, body.operand(0), store) &&
                   continues_in_place(name, value, body.operand(1), store + count_views(body.operand(0)));
        }
        const bool shares_loops = std::ranges::any_of(term_.joined, [&](const JoinedBindings &group) {
            return std::ranges::find(group.tensors, name) != group.tensors.end();
        });
        if (shares_loops || body.kind() != Kind::View || !same_shape(shape_of(value), shape_of(body)) ||
            type_of(value) != type_below(name, value, body)) {
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
    Stmt in_place(const Term &term, const Place &place) {
        Stmt before = tensor(term.operand(0), place);
        return Block::make(
            {before, in_scope(tensors_, term.name(), place, [&] { return tensor(term.operand(1), place); })});
    }
    // A binding: its tensor in memory around the statement of the body.
    Stmt bound(const std::string &name, const Term &value, const std::function<Stmt()> &body) {
        Place place{fresh(SymbolKind::Buffer, name), type_of(value), {}, {}};
        names_.emplace(place.symbol, name);
        Stmt produce = tensor(value, place);
        Stmt consume = in_scope(tensors_, name, place, body);
        return realized(place, in_memory(name, shape_of(value)), produce, consume);
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
    Stmt tensor(const Term &term, const Place &place) {
        switch (term.kind()) {
        case Kind::Let:
            if (continues_in_place(term.name(), term.operand(0), term.operand(1),
                                   next_store_ + count_views(term.operand(0)))) {
                return in_place(term, place);
            }
            return bound(term.name(), term.operand(0), [&] { return tensor(term.operand(1), place); });
        case Kind::If: { // alternatives that are chosen before the loops
            Stmt yes = tensor(term.operand(0), place), no = tensor(term.operand(1), place);
            return IfThenElse::make(condition(term.condition()), yes, no);
        }
        case Kind::Iter: {
            const auto plan = std::ranges::find_if(
                term_.scans, [&](const ScanPlan &one) { return one.loops.accumulator == term.other_name(); });
            if (plan != term_.scans.end()) {
                return scanned(term, plan->loops, place);
            }
            break;
        }
        case Kind::View: {
            check(next_store_ < term_.stores.size(), "every view has a store");
            const StorePlan &plan = term_.stores[next_store_++];
            return loops(*nest_of(term.operand(0), term.indices().size()), plan.at, plan.guard, place);
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
        return loops(*nest, at, {}, place);
    }
    // From a loop on; `first` is the first of the bindings and updates that are further in.
    Stmt loops(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const Place &place,
               size_t from = 0, size_t first = 0) {
        if (first < nest.inner.size() && nest.inner[first].depth == from) {
            const InnerNode &node = nest.inner[first];
            auto rest = [&] { return loops(nest, at, guard, place, from, first + 1); };
            return node.update ? updated(nest, at, guard, place, from, first) : bound(node.tensor, node.value, rest);
        }
        if (from == nest.loops.size()) {
            return guarded(nest.body, at, guard, place);
        }
        const std::optional<OnlyIteration> only =
            first == nest.inner.size() ? only_iteration(nest, from) : std::nullopt;
        if (only) {
            return only_at(nest.loops[from], *only, [&] { return loops(nest, at, guard, place, from + 1, first); });
        }
        return loop_of(nest.loops[from], [&] { return loops(nest, at, guard, place, from + 1, first); });
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
                indices_.insert_or_assign(term.name(), value(term.operand(0), Int(32)));
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
    Stmt updated(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const Place &place,
                 size_t from, size_t first) {
        const InnerNode &node = nest.inner[first];
        std::optional<Nest> start = nest_of(node.value, nest.loops.size() - from);
        if (!start) {
            throw Unsupported{"an update starts from something that is no nest of its loops"};
        }
        Stmt before = loops(*start, at, guard, place);
        Place accumulator = place;
        accumulator.element = Element{{}, at};
        for (size_t l = from; l < nest.loops.size(); l++) {
            accumulator.element->indices.emplace_back(nest.loops[l].name);
            accumulator.element->is_only.push_back(is_written_at(nest, l));
        }
        Stmt steps = loop_of(*node.update, [&] {
            return in_scope(tensors_, node.tensor, accumulator,
                            [&] { return loops(nest, at, guard, place, from, first + 1); });
        });
        return Block::make({before, steps});
    }
    // A scan in place: first what it starts from, then the loops of its plan, in whose names its step is written.
    Stmt scanned(const Term &term, const ScanLoops &plan, const Place &place) {
        const Stmt before = tensor(term.operand(0), place);
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
        return Block::make({before, in_scope(tensors_, plan.accumulator, place, [&] {
                                return loops(nest, at, plan.guard, place, 0, nest.inner.size());
                            })});
    }
    Stmt guarded(const Term &body, const std::vector<Index> &at, const Condition &guard, const Place &place) {
        size_t before = known_.size();
        parts_of(guard, known_);
        Stmt store = element(body, place.type, [&](const Expr &v) {
            const std::vector<Expr> to = coordinates(place, at);
            const bool is_there = v->kind() == ExprKind::Undef || equal(v, make_image(place.type, place.symbol, to));
            return is_there ? Stmt() : provide(place, to, v);
        });
        known_.erase(known_.begin() + std::ptrdiff_t(before), known_.end());
        return guard.is_true() || !store.defined() ? store : IfThenElse::make(likely(condition(guard)), store);
    }
};

} // namespace

ir::Stmt lower_term(const ScheduledTerm &term, const ir::Symbol &output) { return Lowering(term, output).run(); }

} // namespace fluorite::verify
