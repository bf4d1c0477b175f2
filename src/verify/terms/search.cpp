#include "verify/terms/search.h"

namespace fluorite::verify {

using Kind = Term::Kind;

bool is_nest(const Term &term) {
    switch (term.kind()) {
    case Kind::Gen:
    case Kind::View:
        return true;
    case Kind::Let:
    case Kind::Iter:
        return is_nest(term.operand(term.operands().size() - 1));
    case Kind::Mark:
    case Kind::If:
        return is_nest(term.operand(0));
    default:
        return false;
    }
}

std::vector<Path> find_loop_bodies(const Term &term, const std::string &name) {
    if ((term.kind() == Kind::Gen || term.kind() == Kind::Iter) && term.name() == name) {
        return {Path{term.operands().size() - 1}};
    }
    const bool has_alternatives = term.kind() == Kind::If && is_nest(term.operand(0)) && is_nest(term.operand(1));
    std::vector<Path> found;
    for (size_t k = term.operands().size(); k > 0 && (found.empty() || has_alternatives); k--) {
        for (const Path &path : find_loop_bodies(term.operand(k - 1), name)) {
            found.push_back(Path{k - 1} + path);
        }
    }
    return found;
}

std::optional<Path> find_binding(const Term &term, const std::string &name) {
    if (term.kind() == Kind::Let && term.name() == name) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_binding(term.operand(k), name)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

std::optional<Path> find_access(const Term &term) {
    if (term.kind() == Kind::Get && term.operand(0).kind() != Kind::Get && term.operand(0).kind() != Kind::Var) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_access(term.operand(k))) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

size_t count_nodes(const Term &term) {
    size_t count = 1;
    for (const Term &operand : term.operands()) {
        count += count_nodes(operand);
    }
    return count;
}

static void collect_reads(const Term &term, const std::string &tensor, const Path &path, const Intervals &env,
                          const Facts &facts, std::vector<Read> &reads) {
    if (term.kind() == Kind::Get) {
        std::vector<Index> indices;
        const Term *base = &term;
        for (; base->kind() == Kind::Get; base = &base->operand(0)) {
            indices.insert(indices.begin(), base->index());
        }
        if (base->kind() == Kind::Var && base->name() == tensor) {
            reads.push_back({path, indices, env});
            return;
        }
    }
    if (term.kind() == Kind::Var && term.name() == tensor) {
        reads.push_back({path, {}, env});
        return;
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        Intervals below = env;
        if (term.kind() == Kind::Bind && k == 1) {
            below.insert_or_assign(term.name(), Interval::unbounded());
        } else if (term.kind() == Kind::Gen || term.kind() == Kind::Fold || (term.kind() == Kind::Iter && k == 1)) {
            std::optional<Interval> extent = interval_of(term.index(), env, facts);
            below.erase(term.name());
            if (extent) {
                below.emplace(term.name(), Interval{0, simplified(extent->high - 1)});
            }
        }
        collect_reads(term.operand(k), tensor, path + Path{k}, below, facts, reads);
    }
}

std::vector<Read> reads_of(const Term &term, const std::string &tensor, const Facts &facts) {
    std::vector<Read> reads;
    collect_reads(term, tensor, {}, {}, facts, reads);
    return reads;
}

bool varies(const Derivation &derivation, const Path &path, const Index &index) {
    Term here = derivation.program();
    for (size_t k : path) {
        const bool is_loop = here.kind() == Kind::Gen || here.kind() == Kind::Iter || here.kind() == Kind::Bind;
        if (is_loop && occurs(here.name(), index)) {
            return true;
        }
        here = Term(here.operand(k));
    }
    return false;
}
Term replaced(const Term &term, const Path &path, const Term &by, size_t from) {
    return from == path.size() ? by
                               : term.with_operand(path[from], replaced(term.operand(path[from]), path, by, from + 1));
}
Facts facts_at(const Derivation &derivation, const Path &path) {
    Facts facts = derivation.facts();
    Term here = derivation.program();
    for (size_t k : path) {
        facts = facts_below(here, k, facts);
        here = Term(here.operand(k));
    }
    return facts;
}

} // namespace fluorite::verify
