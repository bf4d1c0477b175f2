#include "verify/loops/update_loops.h"

namespace fluorite::verify {

using Kind = Term::Kind;

namespace {

Path zeros(size_t count) { return Path(count, 0); }

bool is_guard(const Term &term) {
    return term.kind() == Kind::If && term.operand(1).kind() == Kind::Number && term.operand(1).value() == 0;
}
size_t count_guards(const Term &term) { return is_guard(term) ? 1 + count_guards(term.operand(0)) : 0; }

// `if p` around a loop of an update goes into its steps, as far as there are loops.
bool push_guard(Derivation &derivation, const Path &guard) {
    if (!derivation.apply(guard, if_iter())) {
        return false;
    }
    derivation.apply(guard + Path{0}, if_same()); // an inner loop starts from the accumulator, guarded or not
    const Term step = derivation.subterm(guard + Path{1});
    return step.operand(0).kind() != Kind::Iter || push_guard(derivation, guard + Path{1});
}

std::optional<Path> find_reduction(const Term &chain, const std::string &loop) {
    Path path;
    for (Term here = chain; here.kind() == Kind::Iter; here = Term(here.operand(1))) {
        if (here.name() == loop) {
            return path;
        }
        path.push_back(1);
    }
    return std::nullopt;
}

bool split_reduction(Derivation &derivation, const Path &chain, const ReductionSplit &split) {
    const std::optional<Path> loop = find_reduction(derivation.subterm(chain), split.word);
    if (!loop) {
        return false;
    }
    const Path here = chain + *loop;
    if (split.is_exact) {
        return derivation.apply(here, iter_tile(split.pieces));
    }
    if (!derivation.apply(here, iter_tile_guarded(split.pieces))) {
        return false;
    }
    const Path step = here + Path{1, 1};
    return derivation.subterm(step).operand(0).kind() != Kind::Iter || push_guard(derivation, step);
}

// The loops of the reduction in the order of the plan, each in turn moved outwards to its place.
bool order_reduction(Derivation &derivation, const Path &chain, const std::vector<PlannedLoop> &order,
                     std::set<std::string> &operators) {
    Path place = chain;
    for (const PlannedLoop &loop : order) {
        if (!loop.is_reduction) {
            continue;
        }
        const std::optional<Path> found = find_reduction(derivation.subterm(place), loop.word);
        if (!found) {
            return false;
        }
        for (size_t above = found->size(); above > 0; above--) {
            const Path outer = place + Path(above - 1, 1);
            const Term here = derivation.subterm(outer);
            const std::optional<std::string> op = gathers(here.other_name(), here.operand(1));
            if (!op || !derivation.apply(outer, iter_swap())) {
                return false;
            }
            operators.insert(*op);
        }
        place.push_back(1);
    }
    return true;
}

// Whether a loop over elements runs inside of one of the reduction.
bool changes_places(const std::vector<PlannedLoop> &order) {
    bool inside = false;
    for (const PlannedLoop &loop : order) {
        if (inside && !loop.is_reduction) {
            return true;
        }
        inside = inside || loop.is_reduction;
    }
    return false;
}

} // namespace

bool separate_update(Derivation &derivation, const Path &nest, size_t rank, const std::string &before) {
    Term core = derivation.subterm(nest);
    std::vector<Loop> loops;
    std::vector<Index> element;
    while (loops.size() < rank && core.kind() == Kind::Gen) {
        loops.emplace_back(core.name(), core.index());
        element.emplace_back(core.name());
        core = Term(core.operand(0));
    }
    std::vector<Condition> guards;
    while (is_guard(core)) {
        guards.push_back(core.condition());
        core = Term(core.operand(0));
    }
    if (loops.size() < rank || (core.kind() != Kind::Iter && core.kind() != Kind::Let)) {
        return false;
    }
    auto around = [&](Term term) {
        for (auto guard = guards.rbegin(); guard != guards.rend(); ++guard) {
            term = Term::guard(*guard, term);
        }
        return Term::gens(loops, term);
    };
    const Term starting = core.with_operand(0, Term::get(Term::var(before), element));
    const Term result = Term::let(before, around(core.operand(0)), around(starting));
    // Inlined again, each access is an element of the nest, and the guards around it hold already.
    const Path start = zeros(rank + guards.size() + 1);
    std::vector<Rule> rules = {let_inline()};
    for (size_t d = 0; d < rank; d++) {
        rules.push_back(at(start + zeros(rank - 1 - d), get_gen()));
    }
    for (size_t g = 0; g < guards.size(); g++) {
        rules.push_back(at(start, if_true()));
    }
    if (!derivation.apply(nest, reversed(sequence(rules), result))) {
        return false;
    }
    if (core.kind() == Kind::Let) { // an update without a reduction reads the element before once or more
        return derivation.apply(nest + Path{1} + zeros(rank + guards.size()), let_inline());
    }
    return true;
}

std::vector<Dimension> reduction_loops(const Derivation &derivation, const Path &nest, size_t rank) {
    Term here = derivation.subterm(nest + zeros(rank));
    here = *at_path(here, zeros(count_guards(here)));
    std::vector<Dimension> loops;
    for (; here.kind() == Kind::Iter; here = Term(here.operand(1))) {
        loops.push_back({here.name(), 0, here.index()});
    }
    return loops;
}

bool cut_and_order_reduction(Derivation &derivation, const Path &chain, const std::vector<ReductionSplit> &splits,
                             const std::vector<PlannedLoop> &order, std::set<std::string> &operators,
                             std::string &reason) {
    for (const ReductionSplit &split : splits) {
        if (!split_reduction(derivation, chain, split)) {
            reason = "no witness is found that the pieces of the reduction are its loop";
            return false;
        }
    }
    if (!order_reduction(derivation, chain, order, operators)) {
        reason = "the loops of the reduction run in another order, and its step does more than to add to one element";
        return false;
    }
    return true;
}

std::optional<std::vector<Path>> order_loops(Derivation &derivation, const Path &nest, const LoopPlan &plan,
                                             std::set<std::string> &operators, std::string &reason) {
    reason = "no witness is found that the new loops compute every element";
    if (!derivation.apply(nest, reindex(plan.loops))) {
        return std::nullopt;
    }
    Path here = nest + Path{0};
    size_t elements = plan.loops.loops.size(); // loops over elements that are not passed yet
    const Path body = here + zeros(elements);
    const size_t guards = count_guards(derivation.subterm(body));
    if (!cut_and_order_reduction(derivation, body + zeros(guards), plan.splits, plan.order, operators, reason)) {
        return std::nullopt;
    }
    for (size_t g = changes_places(plan.order) ? guards : 0; g > 0; g--) {
        if (!push_guard(derivation, body + zeros(g - 1))) {
            return std::nullopt;
        }
    }
    std::vector<Path> paths;
    for (const PlannedLoop &loop : plan.order) {
        for (size_t e = loop.is_reduction ? elements : 0; e > 0; e--) {
            if (!derivation.apply(here + zeros(e - 1), iter_gen())) {
                return std::nullopt;
            }
        }
        elements -= loop.is_reduction ? 0 : 1;
        paths.push_back(here);
        here.push_back(loop.is_reduction ? 1 : 0);
    }
    return paths;
}

} // namespace fluorite::verify
