#include "verify/terms/paths.h"

namespace fluorite::verify {

using Kind = Term::Kind;

Path operator+(Path a, const Path &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

static Facts without(const std::string &name, const Facts &facts) {
    Facts result;
    for (const Condition &fact : facts) {
        if (!occurs(name, fact)) {
            result.push_back(fact);
        }
    }
    return result;
}
Facts inside(const std::string &loop, const Index &extent, const Facts &facts) {
    Facts result;
    if (!occurs(loop, extent)) {
        result = {le(0, loop), lt(loop, extent)};
    }
    Facts rest = without(loop, facts);
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}
Facts with(const Condition &fact, const Facts &facts) {
    Facts result = {fact};
    result.insert(result.end(), facts.begin(), facts.end());
    return result;
}
Facts facts_below(const Term &term, size_t k, const Facts &facts) {
    switch (term.kind()) {
    case Kind::Gen:
    case Kind::Fold:
        return inside(term.name(), term.index(), facts);
    case Kind::Bind:
        return k == 1 ? without(term.name(), facts) : facts;
    case Kind::Iter:
        return k == 1 ? inside(term.name(), term.index(), facts) : facts;
    case Kind::If:
        return with(k == 0 ? term.condition() : negation(term.condition()), facts);
    default:
        return facts;
    }
}

std::optional<Term> at_path(const Term &term, const Path &path) {
    Term here = term;
    for (size_t k : path) {
        if (k >= here.operands().size()) {
            return std::nullopt;
        }
        here = Term(here.operand(k));
    }
    return here;
}

} // namespace fluorite::verify
