#include "verify/loops/windows.h"

#include "verify/terms/search.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

namespace {

const size_t most_added_nodes = 4000; // that inlining one binding may add; beyond it, each step takes a millisecond

const size_t most_steps = 1200; // of inlining, in all; unsharp without directives takes 1067, and six seconds

// How often the tensor stands in the term, if nothing binds its name again.
size_t count_uses(const Term &term, const std::string &name) {
    size_t count = term.kind() == Kind::Var && term.name() == name ? 1 : 0;
    for (const Term &operand : term.operands()) {
        count += count_uses(operand, name);
    }
    return count;
}

// Inner loops' names must not be left in bounds.
bool mentions_any(const Index &index, const Intervals &env) {
    return std::ranges::any_of(env, [&](const auto &entry) { return occurs(entry.first, index); });
}

void require(Derivation &derivation, const Path &path, const Rule &rule, const std::string &what) {
    if (!derivation.apply(path, rule)) {
        throw Unsupported{what};
    }
}

} // namespace

std::optional<std::vector<Interval>>
bind_window(Derivation &derivation, Path site, const Tensor &tensor, const std::string &window,
            const std::function<void(const Path &, std::vector<Interval> &)> &widen, std::string &reason) {
    // As deep among the bindings there as all reads are: the step states the program below, and in a chain of
    // stages that is one definition.
    std::vector<Path> values;
    for (Term here = derivation.subterm(site); here.kind() == Kind::Let;) {
        bool in_value = occurs_tensor(tensor.name, here.operand(0));
        if (in_value && occurs_tensor(tensor.name, here.operand(1))) {
            break;
        }
        if (in_value) {
            values.push_back(site);
        }
        site.push_back(in_value ? 0 : 1);
        here = Term(here.operand(in_value ? 0 : 1));
    }
    Term body = derivation.subterm(site);
    const Facts facts = facts_at(derivation, site);
    const std::vector<Read> reads = reads_of(body, tensor.name, facts);
    if (reads.empty()) {
        reason = "nothing inside of the loop reads it";
        return std::nullopt;
    }
    std::vector<Interval> region;
    for (const Read &read : reads) {
        for (size_t d = 0; d < read.indices.size(); d++) {
            std::optional<Interval> interval = interval_of(read.indices[d], read.env, facts);
            if (!interval || mentions_any(interval->low, read.env) || mentions_any(interval->high, read.env)) {
                reason = "no bounds are found for its index " + to_text(read.indices[d]);
                return std::nullopt;
            }
            if (region.size() <= d) {
                region.push_back(*interval);
            } else {
                region[d].low = smaller_of(region[d].low, interval->low, facts);
                region[d].high = greater_of(region[d].high, interval->high, facts);
            }
        }
    }
    widen(site, region);
    std::vector<Loop> loops;
    std::vector<Index> at;
    for (size_t d = 0; d < region.size(); d++) {
        std::string loop = tensor.dims[d].loop + ".w";
        Index extent = simplified(region[d].high - region[d].low + 1);
        loops.emplace_back(loop, extent);
        at.push_back(simplified(region[d].low + Index(loop)));
    }
    Term copy = Term::gens(loops, Term::get(Term::var(tensor.name), at));
    Term moved = body;
    std::vector<Rule> rules = {let_inline()};
    for (const Read &read : reads) {
        std::vector<Index> indices;
        for (size_t d = 0; d < read.indices.size(); d++) {
            indices.push_back(simplified(read.indices[d] - region[d].low));
        }
        moved = replaced(moved, read.path, Term::get(Term::var(window), indices));
        for (size_t d = 0; d < read.indices.size(); d++) {
            rules.push_back(fluorite::verify::at(read.path + Path(read.indices.size() - 1 - d, 0), get_gen()));
        }
    }
    if (!derivation.apply(site, reversed(sequence(rules), Term::let(window, copy, moved)))) {
        reason = "no witness is found that reads stay in the window";
        return std::nullopt;
    }
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
        require(derivation, *value, let_flatten(), "a window leaves the definition that reads it");
    }
    return region;
}
std::string why_not_inlined(const Derivation &derivation, const Path &binding, const std::string &name) {
    const Term let = derivation.subterm(binding);
    if (derivation.steps().size() > most_steps) {
        return "the derivation has more than " + std::to_string(most_steps) + " steps without it; it stays a binding";
    }
    const size_t reads = count_uses(let.operand(1), name);
    const size_t added = reads * (count_nodes(let.operand(0)) - 1);
    return added <= most_added_nodes
               ? ""
               : "its definition would stand in the program " + std::to_string(reads) +
                     " times, which adds more than " + std::to_string(most_added_nodes) + " nodes; it stays a binding";
}
void inline_binding(Derivation &derivation, const Path &binding, const std::string &name) {
    size_t before = count_nodes(derivation.program());
    require(derivation, binding, let_inline(), "inlining " + name + " would capture a name");
    if (count_nodes(derivation.program()) > before + most_added_nodes) {
        throw Unsupported{"inlining " + name + " adds more than " + std::to_string(most_added_nodes) +
                          " nodes to the program"};
    }
    for (;;) {
        Term below = derivation.subterm(binding);
        std::optional<Path> access = find_access(below);
        if (!access) {
            return;
        }
        if (derivation.steps().size() > most_steps) {
            throw Unsupported{"inlining " + name + " is step " + std::to_string(most_steps) +
                              "; longer derivations are "
                              "given up"};
        }
        Path path = binding + *access;
        bool done = derivation.apply(path, get_gen()) || derivation.apply(path, get_gen_guard()) ||
                    derivation.apply(path, get_if()) || derivation.apply(path, get_op());
        if (!done) {
            throw Unsupported{"an access of " + name + " would capture a name"};
        }
    }
}

} // namespace fluorite::verify
