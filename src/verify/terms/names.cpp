// Free names and substitution, as in proofs/Syntax.v and proofs/Subst.v.

#include "verify/terms/term.h"

#include <algorithm>

namespace fluorite::verify {

bool occurs(const std::string &name, const Index &index) {
    if (index.is_leaf()) {
        return index.kind() == Index::Kind::Name && index.name() == name;
    }
    return occurs(name, index.a()) || occurs(name, index.b());
}
bool occurs(const std::string &name, const Condition &condition) {
    auto in = [&](const auto &part) { return occurs(name, part); };
    return std::ranges::any_of(condition.indices, in) || std::ranges::any_of(condition.operands, in);
}

// Whether operand k is in the scope of the index name that the term binds.
static bool binds_index(const Term &term, size_t k) {
    return term.kind() == Term::Kind::Gen || term.kind() == Term::Kind::Fold ||
           ((term.kind() == Term::Kind::Iter || term.kind() == Term::Kind::Bind) && k == 1);
}
static const std::string *bound_tensor(const Term &term, size_t k) {
    if (term.kind() == Term::Kind::Let && k == 1) {
        return &term.name();
    }
    return term.kind() == Term::Kind::Iter && k == 1 ? &term.other_name() : nullptr;
}
static bool occurs_in_view(const std::string &name, const Term &view) {
    for (const Loop &loop : view.loops()) {
        if (occurs(name, loop.second)) {
            return true;
        }
        if (loop.first == name) {
            return false;
        }
    }
    return std::ranges::any_of(view.indices(), [&](const Index &t) { return occurs(name, t); });
}
bool occurs(const std::string &name, const Term &term) {
    if (term.kind() == Term::Kind::View ? occurs_in_view(name, term)
                                        : !term.indices().empty() && occurs(name, term.index())) {
        return true;
    }
    if (term.kind() == Term::Kind::If && occurs(name, term.condition())) {
        return true;
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (!(binds_index(term, k) && term.name() == name) && occurs(name, term.operand(k))) {
            return true;
        }
    }
    return false;
}
bool occurs_tensor(const std::string &name, const Term &term) {
    if (term.kind() == Term::Kind::Var) {
        return term.name() == name;
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        const std::string *bound = bound_tensor(term, k);
        if (!(bound && *bound == name) && occurs_tensor(name, term.operand(k))) {
            return true;
        }
    }
    return false;
}

Index substitute(const Index &index, const std::string &name, const Index &value) {
    if (index.is_leaf()) {
        return index.kind() == Index::Kind::Name && index.name() == name ? value : index;
    }
    return occurs(name, index)
               ? Index::binary(index.kind(), substitute(index.a(), name, value), substitute(index.b(), name, value))
               : index;
}
Condition substitute(const Condition &condition, const std::string &name, const Index &value) {
    Condition result = condition;
    for (Index &index : result.indices) {
        index = substitute(index, name, value);
    }
    for (Condition &operand : result.operands) {
        operand = substitute(operand, name, value);
    }
    return result;
}

// The node with new index expressions; operands as before.
static std::optional<Term> with_own_indices(const Term &term, const std::string &name, const Index &value) {
    using Kind = Term::Kind;
    switch (term.kind()) {
    case Kind::Gen:
        return Term::gen(term.name(), substitute(term.index(), name, value), term.operand(0));
    case Kind::Fold:
        return Term::fold(term.other_name(), term.name(), substitute(term.index(), name, value), term.operand(0));
    case Kind::Iter:
        return Term::iter(term.other_name(), term.name(), substitute(term.index(), name, value), term.operand(0),
                          term.operand(1));
    case Kind::Get:
        return Term::get(term.operand(0), substitute(term.index(), name, value));
    case Kind::If:
        return Term::select(substitute(term.condition(), name, value), term.operand(0), term.operand(1));
    case Kind::View: {
        std::vector<Loop> loops = term.loops();
        for (Loop &loop : loops) {
            loop.second = substitute(loop.second, name, value);
            if (loop.first == name) {
                return Term::reindex(std::move(loops), term.indices(), term.operand(0));
            }
            if (occurs(loop.first, value)) {
                return std::nullopt;
            }
        }
        std::vector<Index> indices = term.indices();
        for (Index &index : indices) {
            index = substitute(index, name, value);
        }
        return Term::reindex(std::move(loops), std::move(indices), term.operand(0));
    }
    default:
        return term;
    }
}
std::optional<Term> substitute(const Term &term, const std::string &name, const Index &value) {
    std::optional<Term> result = with_own_indices(term, name, value);
    for (size_t k = 0; result && k < term.operands().size(); k++) {
        if (binds_index(term, k)) {
            if (term.name() == name) {
                continue;
            }
            if (occurs(term.name(), value)) {
                return std::nullopt;
            }
        }
        std::optional<Term> operand = substitute(term.operand(k), name, value);
        if (!operand) {
            return std::nullopt;
        }
        result = result->with_operand(k, *operand);
    }
    return result;
}

std::optional<Term> substitute_tensor(const Term &term, const std::string &name, const Term &value) {
    if (term.kind() == Term::Kind::Var) {
        return term.name() == name ? value : term;
    }
    Term result = term;
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (binds_index(term, k) && occurs(term.name(), value)) {
            return std::nullopt;
        }
        if (const std::string *bound = bound_tensor(term, k)) {
            if (*bound == name) {
                continue;
            }
            if (occurs_tensor(*bound, value)) {
                return std::nullopt;
            }
        }
        std::optional<Term> operand = substitute_tensor(term.operand(k), name, value);
        if (!operand) {
            return std::nullopt;
        }
        result = result.with_operand(k, *operand);
    }
    return result;
}

} // namespace fluorite::verify
