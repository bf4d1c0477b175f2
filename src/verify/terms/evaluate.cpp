// The loops of a term, run for the places of their stores.

#include "verify/terms/evaluate.h"

#include "fluorite/runtime/division.h"
#include "support/check.h"
#include "verify/accesses/reads.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

static int64_t positive(int64_t divisor) {
    if (divisor <= 0) {
        throw Unsupported{"a divisor is not positive at these sizes"};
    }
    return divisor;
}

int64_t evaluate(const Index &index, const Values &values) {
    if (index.is_number()) {
        return index.value();
    }
    if (index.kind() == Index::Kind::Name) {
        auto found = values.find(index.name());
        if (found == values.end()) {
            throw Unsupported{"nothing says what the index " + index.name() + " is"};
        }
        return found->second;
    }
    int64_t a = evaluate(index.a(), values), b = evaluate(index.b(), values);
    switch (index.kind()) {
    case Index::Kind::Add:
        return a + b;
    case Index::Kind::Sub:
        return a - b;
    case Index::Kind::Mul:
        return a * b;
    case Index::Kind::Div:
        return floor_div(a, positive(b));
    case Index::Kind::Mod:
        return a - b * floor_div(a, positive(b));
    case Index::Kind::Min:
        return std::min(a, b);
    case Index::Kind::Max:
        return std::max(a, b);
    default:
        unreachable("an index of no kind");
    }
}

bool evaluate(const Condition &condition, const Values &values) {
    auto side = [&](size_t k) { return evaluate(condition.indices[k], values); };
    auto part = [&](size_t k) { return evaluate(condition.operands[k], values); };
    switch (condition.kind) {
    case Condition::Kind::True:
        return true;
    case Condition::Kind::Le:
        return side(0) <= side(1);
    case Condition::Kind::Lt:
        return side(0) < side(1);
    case Condition::Kind::Eq:
        return side(0) == side(1);
    case Condition::Kind::And:
        return part(0) && part(1);
    case Condition::Kind::Or:
        return part(0) || part(1);
    case Condition::Kind::Not:
        return !part(0);
    }
    unreachable("a condition of no kind");
}

namespace {

class Walk {
  public:
    using Store = std::function<void(size_t, const std::vector<int64_t> &)>;
    Walk(const ScheduledTerm &term, const Values &values, const Store &store)
        : term_(term), store_(store), values_(values) {}

    void tensor(const Term &term, const std::string &name, size_t first) {
        if (term.kind() == Kind::Let) {
            bind(term.name(), term.operand(0), first);
            return tensor(term.operand(1), name, first + count_views(term.operand(0)));
        }
        if (term.kind() == Kind::If) { // alternatives that are chosen before the loops
            const bool yes = evaluate(term.condition(), values_);
            return tensor(term.operand(yes ? 0 : 1), name, yes ? first : first + count_views(term.operand(0)));
        }
        if (term.kind() == Kind::Iter && is_scan(term)) {
            return tensor(term.operand(0), name, first); // what it writes are elements of those that this has stored
        }
        if (term.kind() == Kind::View) {
            const StorePlan &plan = term_.stores.at(first);
            return loops(*nest_of(term.operand(0), term.indices().size()), plan.at, plan.guard, name, {}, first + 1);
        }
        Nest nest = *nest_of(term, shape_of(term).size());
        std::vector<Index> at;
        for (const MarkedLoop &loop : nest.loops) {
            at.push_back(Index(loop.name));
        }
        loops(nest, at, {}, name, {}, first);
    }
    void bind(const std::string &name, const Term &value, size_t first) {
        if (!shape_of(value).empty()) {
            tensor(value, name, first);
        } else {
            element(value, first);
        }
    }

  private:
    bool is_scan(const Term &term) const {
        return std::ranges::any_of(term_.scans,
                                   [&](const ScanPlan &one) { return one.loops.accumulator == term.other_name(); });
    }
    // How far into a nest: its loops, and what stands between them.
    struct Depth {
        size_t loop = 0, inner = 0;
    };
    void loops(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const std::string &name,
               Depth depth, size_t first) {
        if (depth.inner < nest.inner.size() && nest.inner[depth.inner].depth == depth.loop) {
            return between(nest, at, guard, name, depth, first);
        }
        if (depth.loop < nest.loops.size()) {
            const MarkedLoop &loop = nest.loops[depth.loop];
            const bool is_last = depth.inner == nest.inner.size() && count_lets(nest.body) == 0;
            if (is_last && is_written_at(nest, depth.loop)) {
                return; // one element of those that the nest which the update starts from has stored
            }
            iterate(loop.name, loop.extent,
                    [&] { loops(nest, at, guard, name, {depth.loop + 1, depth.inner}, first); });
            return;
        }
        if (!evaluate(guard, values_)) {
            return;
        }
        element(nest.body, first);
        auto origin = term_.origins.find(name);
        if (origin == term_.origins.end() || is_left(nest.body, origin->second.func)) {
            return;
        }
        std::vector<int64_t> place(at.size());
        for (size_t i = 0; i < at.size(); i++) {
            place[origin->second.dimensions[i]] = evaluate(at[i] + origin->second.mins[i], values_);
        }
        store_(origin->second.func, place);
    }
    // A binding, or the loop of an update, which begins with the nest from which it starts.
    void between(const Nest &nest, const std::vector<Index> &at, const Condition &guard, const std::string &name,
                 Depth depth, size_t first) {
        const InnerNode &node = nest.inner[depth.inner];
        const Depth next{depth.loop, depth.inner + 1};
        const size_t behind = first + count_views(node.value);
        if (!node.update) {
            bind(node.tensor, node.value, first);
            return loops(nest, at, guard, name, next, behind);
        }
        if (std::optional<Nest> start = nest_of(node.value, nest.loops.size() - depth.loop)) {
            loops(*start, at, guard, name, {}, first);
        }
        accumulators_.push_back(node.tensor);
        iterate(node.update->name, node.update->extent, [&] { loops(nest, at, guard, name, next, behind); });
        accumulators_.pop_back();
    }
    // Whether an iteration gives null, because a guard leaves the region, or what the accumulator, or the stage before,
    // holds already.
    bool is_left(const Term &element, size_t func) const {
        if (element.kind() == Kind::If) {
            return is_left(element.operand(evaluate(element.condition(), values_) ? 0 : 1), func);
        }
        if (element.kind() == Kind::Unit) { // nobody stores what is undefined
            const auto known = term_.conversion.operators.find(element.name());
            return known != term_.conversion.operators.end() && known->second->kind() == ir::ExprKind::Undef;
        }
        const std::string accessed = accessed_tensor(element);
        const auto before = term_.origins.find(accessed);
        return element.kind() == Kind::Number || std::ranges::find(accumulators_, accessed) != accumulators_.end() ||
               (before != term_.origins.end() && before->second.func == func);
    }
    template <typename Body> void iterate(const std::string &name, const Index &extent, const Body &body) {
        const int64_t n = evaluate(extent, values_);
        for (int64_t i = 0; i < n; i++) {
            values_[name] = i;
            body();
        }
        values_.erase(name);
    }
    // What an element stores elsewhere before it is computed.
    void element(const Term &term, size_t first) {
        if (count_lets(term) == 0) {
            return;
        }
        switch (term.kind()) {
        case Kind::Let:
            bind(term.name(), term.operand(0), first);
            return element(term.operand(1), first + count_views(term.operand(0)));
        case Kind::If: {
            bool yes = evaluate(term.condition(), values_);
            return element(term.operand(yes ? 0 : 1), yes ? first : first + count_views(term.operand(0)));
        }
        case Kind::Iter:
            element(term.operand(0), first);
            return iterate(term.name(), term.index(),
                           [&] { element(term.operand(1), first + count_views(term.operand(0))); });
        default:
            for (const Term &operand : term.operands()) {
                element(operand, first);
                first += count_views(operand);
            }
        }
    }
    static size_t count_lets(const Term &term) {
        size_t count = term.kind() == Kind::Let ? 1 : 0;
        for (const Term &operand : term.operands()) {
            count += count_lets(operand);
        }
        return count;
    }

    const ScheduledTerm &term_;
    const Store &store_;
    Values values_;
    std::vector<std::string> accumulators_; // of the updates around
};

} // namespace

void for_each_store(const ScheduledTerm &term, const Values &values,
                    const std::function<void(size_t func, const std::vector<int64_t> &at)> &store) {
    const Conversion &conversion = term.conversion;
    Walk walk(term, values, store);
    if (conversion.outputs.size() == 1) {
        return walk.tensor(term.program, conversion.funcs[conversion.outputs[0]].name, 0);
    }
    size_t first = 0; // several are bindings, and the tensor of all of them stores nothing
    for (const Term *here = &term.program; here->kind() == Kind::Let; here = &here->operand(1)) {
        walk.bind(here->name(), here->operand(0), first);
        first += count_views(here->operand(0));
    }
}

} // namespace fluorite::verify
