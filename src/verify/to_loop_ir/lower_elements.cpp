#include "verify/to_loop_ir/lower_elements.h"

#include "ir/let_symbol.h"
#include "support/check.h"
#include "verify/rewrite/reductions.h"

#include <algorithm>

namespace fluorite::verify {

using namespace ir;
using Kind = Term::Kind;

namespace {

bool is_null(const Term &term) { return term.kind() == Kind::Number && term.value() == 0; }

// x op identity is x, bit for bit.
Expr identity_of(const Expr &op) {
    const std::optional<analysis::Contribution> found = reduction_by(op);
    if (!found) {
        throw Unsupported{"nobody knows what a reduction with this operator starts from"};
    }
    return analysis::reduction_identity(found->op, op.type());
}

bool is_the_int(const Expr &expr, int64_t wanted) {
    int64_t value;
    return is_const_int(expr, &value) && value == wanted;
}

bool reads(const Term &term) {
    return term.kind() == Kind::Get || term.kind() == Kind::Var || std::ranges::any_of(term.operands(), reads);
}

bool is_part(const std::string &word) { return word.starts_with("part."); }
bool is_tuple_select(const std::string &word) { return word.starts_with("select.tuple."); }
// Of `part.1.tuple.int32.float32` the number and the tuple.
std::pair<size_t, std::string> part_and_tuple(const std::string &word) {
    const size_t first = word.find('.') + 1, second = word.find('.', first);
    return {size_t(std::stoul(word.substr(first, second - first))), word.substr(second + 1)};
}

} // namespace

ElementLowering::ElementLowering(const ScheduledTerm &term, const std::vector<OutputBuffers> &outputs)
    : term_(term), conversion_(term.conversion) {
    for (const auto &[name, value] : conversion_.names) {
        indices_.emplace(name, value);
    }
    for (size_t o = 0; o < outputs.size(); o++) {
        for (size_t d = 0; d < conversion_.output_extents[o].size(); d++) {
            if (const Index &extent = conversion_.output_extents[o][d]; !extent.is_number()) {
                indices_.emplace(extent.name(), make_field(outputs[o].symbols[0], Field::Extent, int(d)));
            }
        }
        for (const Symbol &symbol : outputs[o].symbols) {
            take_name(symbol.name());
        }
    }
    for (const Tensor &input : conversion_.inputs) {
        TensorStorage storage{{input.symbol}, {input.type}, {}, {}};
        for (const Dimension &dim : input.dims) {
            storage.mins.push_back(dim.min);
        }
        tensors_.emplace(input.name, storage);
    }
}

// ---- Names.

Symbol ElementLowering::fresh(SymbolKind kind, const std::string &name) {
    std::string unique = name;
    for (int i = 1; !used_names_.insert(unique).second; i++) {
        unique = name + "." + std::to_string(i);
    }
    return Symbol(kind, unique);
}

ElementLowering::TensorStorage ElementLowering::new_storage(const std::string &name, const Types &types) {
    TensorStorage storage{{}, types, {}, {}};
    for (size_t i = 0; i < types.size(); i++) {
        storage.symbols.push_back(
            fresh(SymbolKind::Buffer, types.size() == 1 ? name : name + ".part" + std::to_string(i)));
    }
    return storage;
}

// ---- Index expressions and conditions.

Expr ElementLowering::index(const Index &i) {
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

Expr ElementLowering::condition(const Condition &p) {
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

bool ElementLowering::is_known(const Condition &p) const { return std::ranges::find(known_, p) != known_.end(); }

// ---- Elements: their types, and those that are expressions.

const Expr &ElementLowering::operator_of(const std::string &word) const {
    auto found = conversion_.operators.find(word);
    if (found == conversion_.operators.end()) {
        throw Unsupported{"nothing says what the operator " + word + " is"};
    }
    return found->second;
}

const ElementLowering::Types *ElementLowering::types_of_tuple(const std::string &word) const {
    auto found = conversion_.tuples.find(word);
    return found == conversion_.tuples.end() ? nullptr : &found->second;
}

ElementLowering::Types ElementLowering::types_of_operation(const std::string &word) const {
    if (is_part(word)) {
        const auto [part, tuple] = part_and_tuple(word);
        return {types_of_tuple(tuple)->at(part)};
    }
    const Types *tuple = types_of_tuple(is_tuple_select(word) ? word.substr(word.find('.') + 1) : word);
    return tuple ? *tuple : Types{operator_of(word).type()};
}

ElementLowering::Types ElementLowering::types_of(const Term &term) {
    switch (term.kind()) {
    case Kind::Number:
        return {};
    case Kind::Unit:
        return {operator_of(term.name()).type()};
    case Kind::Var: {
        auto storage = tensors_.find(term.name());
        return storage == tensors_.end() ? Types() : storage->second.types;
    }
    case Kind::Op:
        return types_of_operation(term.name());
    case Kind::Fold:
        return {operator_of(term.other_name()).type()};
    case Kind::If: {
        const Types types = types_of(term.operand(0));
        return types.empty() ? types_of(term.operand(1)) : types;
    }
    case Kind::Bind:
        return types_of(term.operand(1));
    case Kind::Let:
        return types_below(term.name(), term.operand(0), term.operand(1));
    default:
        return types_of(term.operand(0));
    }
}

ElementLowering::Types ElementLowering::types_below(const std::string &name, const Term &value, const Term &body) {
    return in_scope(tensors_, name, TensorStorage{{}, types_of(value), {}, {}}, [&] { return types_of(body); });
}

// The integer that a fold of ones is.
std::optional<Index> ElementLowering::count_of_ones(const Term &term) const {
    if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Unit) {
        return std::nullopt;
    }
    const Expr &op = operator_of(term.other_name()), &one = operator_of(term.operand(0).name());
    const bool is_sum = op->kind() == ExprKind::Add && op.type() == Int(32) && is_the_int(one, 1);
    return is_sum ? std::optional(term.index()) : std::nullopt;
}

// Whether an element is an expression: no loop, no memory of its own, and no read that only a branch makes safe.
bool ElementLowering::is_expression(const Term &term) const {
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

ElementLowering::Parts ElementLowering::values_of(const Term &term, const Types &types) {
    switch (term.kind()) {
    case Kind::Number: {
        check(is_null(term), "null is the only number among elements");
        Parts zeros;
        std::ranges::transform(types, std::back_inserter(zeros), [](Type type) { return make_zero(type); });
        return zeros;
    }
    case Kind::Unit: {
        const Expr &known = operator_of(term.name()); // a constant, or what the operator starts from
        return {known->arg_count() == 2 ? identity_of(known) : known};
    }
    case Kind::Var:
        return read(storage_of(term.name()), {});
    case Kind::Get: {
        std::vector<Index> indices;
        const Term *base = &term;
        for (; base->kind() == Kind::Get; base = &base->operand(0)) {
            indices.insert(indices.begin(), base->index());
        }
        if (base->kind() != Kind::Var) {
            throw Unsupported{"an access of something that has no name"};
        }
        return read(storage_of(base->name()), indices);
    }
    case Kind::Fold:
        return {max_of(index(*count_of_ones(term)), int32(0))};
    case Kind::If: {
        const Expr p = condition(term.condition());
        const Parts yes = values_of(term.operand(0), types), no = values_of(term.operand(1), types);
        Parts parts;
        for (size_t i = 0; i < yes.size(); i++) {
            parts.push_back(make_select(p, yes[i], no[i]));
        }
        return parts;
    }
    case Kind::Op:
        return operation(term);
    case Kind::Bind:
        return in_scope(indices_, term.name(), integer(term.operand(0)),
                        [&] { return values_of(term.operand(1), types); });
    default:
        unreachable("a term that is no expression");
    }
}

ElementLowering::Parts ElementLowering::operation(const Term &term) {
    if (is_part(term.name())) {
        const auto [part, tuple] = part_and_tuple(term.name());
        return {values_of(term.operand(0), *types_of_tuple(tuple)).at(part)};
    }
    if (is_tuple_select(term.name()) || types_of_tuple(term.name())) {
        return tuple_operation(term);
    }
    const Expr &op = operator_of(term.name());
    const std::vector<Term> operands = flat_operands(term, op->arg_count());
    // A coordinate that may be negative: as many ones as it says, less as many as its negation says.
    if (op->kind() == ExprKind::Sub && operands.size() == 2) {
        const std::optional<Index> up = count_of_ones(operands[0]), down = count_of_ones(operands[1]);
        if (up && down && equal_up_to_ring(*up, 0 - *down)) {
            return {index(*up)};
        }
    }
    std::vector<Expr> args;
    for (size_t i = 0; i < operands.size(); i++) {
        args.push_back(values_of(operands[i], {op->arg(i).type()})[0]);
    }
    return {with_args(op, args)};
}

// A tuple of its parts, or one of two.
ElementLowering::Parts ElementLowering::tuple_operation(const Term &term) {
    const Types types = types_of_operation(term.name());
    Parts parts;
    if (is_tuple_select(term.name())) {
        const Expr p = values_of(term.operand(0), {Bool()})[0];
        const Parts yes = values_of(term.operand(1), types), no = values_of(term.operand(2), types);
        for (size_t i = 0; i < types.size(); i++) {
            parts.push_back(make_select(p, yes.at(i), no.at(i)));
        }
        return parts;
    }
    const std::vector<Term> operands = flat_operands(term, types.size());
    for (size_t i = 0; i < types.size(); i++) {
        parts.push_back(values_of(operands[i], {types[i]})[0]);
    }
    return parts;
}

// An operator has three operands at most; those that have more pair the last ones.
std::vector<Term> ElementLowering::flat_operands(const Term &term, size_t count) const {
    std::vector<Term> operands = term.operands();
    while (operands.back().kind() == Kind::Op && operands.back().name() == "and_then") {
        Term pair = operands.back();
        operands.pop_back();
        operands.insert(operands.end(), pair.operands().begin(), pair.operands().end());
    }
    check(operands.size() == count, "an operator has its operands");
    return operands;
}

const ElementLowering::TensorStorage &ElementLowering::storage_of(const std::string &name) const {
    auto found = tensors_.find(name);
    if (found == tensors_.end()) {
        throw Unsupported{"nothing says what the tensor " + name + " is"};
    }
    return found->second;
}

ElementLowering::Parts ElementLowering::read(const TensorStorage &storage, const std::vector<Index> &indices) {
    if (storage.symbols[0].kind() == SymbolKind::Param) {
        return {make_var(storage.types[0], storage.symbols[0])};
    }
    if (storage.element && !(indices == storage.element->indices)) {
        return read_other(storage, indices);
    }
    const std::vector<Expr> at = coordinates(storage, storage.element ? storage.element->at : indices);
    Parts parts;
    for (size_t i = 0; i < storage.symbols.size(); i++) {
        parts.push_back(make_image(storage.types[i], storage.symbols[i], at));
    }
    return parts;
}

// Another element than the one that the iteration of an update writes. It is as it was before the iteration: along
// the dimensions in which it differs, the iteration writes one element; iterations that differ in others, and may
// have run before, write elsewhere.
ElementLowering::Parts ElementLowering::read_other(const TensorStorage &storage, const std::vector<Index> &indices) {
    const Element &element = *storage.element;
    bool is_before = element.at == element.indices && indices.size() == element.indices.size();
    for (size_t d = 0; is_before && d < indices.size(); d++) {
        is_before = element.is_only[d] || indices[d] == element.indices[d];
    }
    if (!is_before) {
        throw Unsupported{"an update reads an element that another iteration of its loops over elements may write"};
    }
    TensorStorage whole = storage;
    whole.element.reset();
    return read(whole, indices);
}

std::vector<Expr> ElementLowering::coordinates(const TensorStorage &storage, const std::vector<Index> &indices) {
    std::vector<Expr> result;
    for (size_t d = indices.size(); d > 0; d--) {
        Expr at = index(indices[d - 1]);
        result.push_back(storage.mins.empty() ? at : add(at, index(storage.mins[d - 1])));
    }
    return result;
}

// ---- Elements that need statements.

Stmt ElementLowering::element(const Term &term, const Types &types, const Sink &sink) {
    if (is_expression(term)) {
        return sink(values_of(term, types));
    }
    switch (term.kind()) {
    case Kind::Let:
        return bound(term.name(), term.operand(0), [&] { return element(term.operand(1), types, sink); });
    case Kind::Iter:
    case Kind::Mark:
        return accumulated(term, types, sink);
    case Kind::If:
        return chosen(term, types, sink);
    case Kind::Bind:
        return element(term.operand(0), {Int(32)}, [&](const Parts &integer) {
            return in_scope(indices_, term.name(), integer[0], [&] { return element(term.operand(1), types, sink); });
        });
    case Kind::Op:
        return operands_first(term, types, sink);
    default:
        throw Unsupported{"a fold over " + term.other_name() + " has no loop in lowering"};
    }
}

Stmt ElementLowering::chosen(const Term &term, const Types &types, const Sink &sink) {
    if (is_known(term.condition())) {
        return element(term.operand(0), types, sink);
    }
    Stmt yes = element(term.operand(0), types, sink), no = element(term.operand(1), types, sink);
    if (!yes.defined()) {
        return no.defined() ? IfThenElse::make(condition(negation(term.condition())), no) : Stmt();
    }
    return IfThenElse::make(likely(condition(term.condition())), yes, no);
}

// The first operand that needs statements gets memory of its own; the rest of the term reads it there.
Stmt ElementLowering::operands_first(const Term &term, const Types &types, const Sink &sink) {
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (is_expression(term.operand(k))) {
            continue;
        }
        const std::string name = "$" + std::to_string(next_value_++);
        const TensorStorage storage = new_storage("value", types_of(term.operand(k)));
        Stmt first =
            element(term.operand(k), storage.types, [&](const Parts &parts) { return provide(storage, {}, parts); });
        Stmt rest = in_scope(tensors_, name, storage,
                             [&] { return element(term.with_operand(k, Term::var(name)), types, sink); });
        return realized(storage, {}, first, rest);
    }
    unreachable("an operand is no expression");
}

// In place: an iteration reads the accumulator before it writes it.
Stmt ElementLowering::accumulated(const Term &term, const Types &types, const Sink &sink) {
    const Term &loop = term.kind() == Kind::Mark ? term.operand(0) : term;
    if (loop.kind() != Kind::Iter) {
        throw Unsupported{"a mark is on something that is no loop"};
    }
    const TensorStorage storage = new_storage(loop.other_name(), types);
    Stmt loops = iterations(term, storage);
    return realized(storage, {}, loops, sink(read(storage, {})));
}

Stmt ElementLowering::iterations(const Term &marked, const TensorStorage &storage) {
    const bool is_marked = marked.kind() == Kind::Mark;
    const Term &term = is_marked ? marked.operand(0) : marked;
    const Sink store = [&](const Parts &parts) { return provide(storage, {}, parts); };
    const Term &start = term.operand(0);
    Stmt first;
    // An iteration that starts from its own accumulator continues.
    auto same = tensors_.find(term.other_name());
    bool continues = start.kind() == Kind::Var && start.name() == term.other_name() && same != tensors_.end() &&
                     same->second.symbols == storage.symbols;
    if (!continues) {
        first = element(start, storage.types, store);
    }
    Symbol loop = fresh(SymbolKind::Loop, term.name());
    Expr extent = index(term.index());
    Stmt body = in_scope(indices_, term.name(), make_var(Int(32), loop), [&] {
        return in_scope(tensors_, term.other_name(), storage, [&] {
            const Term &step = term.operand(1), &loop_below = step.kind() == Kind::Mark ? step.operand(0) : step;
            bool is_nested = loop_below.kind() == Kind::Iter && loop_below.other_name() == term.other_name() &&
                             loop_below.operand(0).kind() == Kind::Var &&
                             loop_below.operand(0).name() == term.other_name();
            return is_nested ? iterations(step, storage) : element(step, storage.types, store);
        });
    });
    // Iterations that may run at once add to one element; here they run in order, which is one of the orders.
    const bool is_unrolled = is_marked && marked.mark() == Term::Mark::Unroll;
    Stmt loops = body.defined()
                     ? For::make(loop, int32(0), extent, is_unrolled ? ForKind::Unrolled : ForKind::Serial, body)
                     : Stmt();
    return Block::make({first, loops});
}

// ---- Memory.

Stmt ElementLowering::provide(const TensorStorage &storage, const std::vector<Expr> &at, const Parts &parts) {
    struct Stored {
        Symbol symbol;
        Expr value;
    };
    std::vector<Stored> stored;
    for (size_t i = 0; i < parts.size(); i++) {
        const bool is_there = equal(parts[i], make_image(storage.types[i], storage.symbols[i], at));
        if (parts[i]->kind() != ExprKind::Undef && !is_there) {
            stored.push_back({storage.symbols[i], parts[i]});
        }
    }
    std::vector<std::pair<Symbol, Expr>> lets;
    std::vector<Stmt> stores;
    for (const Stored &one : stored) {
        Expr value = one.value;
        if (stored.size() > 1) { // the first is not stored before the last is computed
            lets.emplace_back(let_symbol_like(fresh(SymbolKind::Let, "part"), value), value);
            value = make_var(value.type(), lets.back().first);
        }
        stores.push_back(Provide::make(one.symbol, 0, {value}, at, make_bool(true)));
    }
    if (stores.empty()) {
        return {};
    }
    Stmt result = stores.size() == 1 ? stores[0] : Block::make(stores);
    for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
        result = LetStmt::make(let->first, let->second, result);
    }
    return result;
}

Stmt ElementLowering::realized(const TensorStorage &storage, const std::vector<Index> &shape, const Stmt &produce,
                               const Stmt &consume) {
    std::vector<Range> bounds;
    for (size_t d = shape.size(); d > 0; d--) {
        bounds.push_back({int32(0), index(shape[d - 1])});
    }
    Stmt result = Block::make({produce.defined() ? ProducerConsumer::make(storage.symbols[0], true, produce) : Stmt(),
                               ProducerConsumer::make(storage.symbols[0], false, consume)});
    for (size_t i = storage.symbols.size(); i > 0; i--) {
        result = Realize::make(storage.symbols[i - 1], {storage.types[i - 1]}, MemoryType::Auto, bounds, result);
    }
    return result;
}

} // namespace fluorite::verify
