// Rules of loops: nests, updates and marks.

#include "verify/rewrite/rewriter.h"

namespace fluorite::verify {

using Kind = Term::Kind;

std::string list_text(const std::vector<Index> &indices) {
    std::string text = "(";
    for (size_t i = 0; i < indices.size(); i++) {
        text += (i ? " " : "") + to_text(indices[i]);
    }
    return text + ")";
}
static std::string nest_text(const std::vector<Loop> &loops) {
    std::string text = "(";
    for (size_t i = 0; i < loops.size(); i++) {
        text += (i ? " (" : "(") + loops[i].first + " " + to_text(loops[i].second) + ")";
    }
    return text + ")";
}

Condition covered(const std::vector<Loop> &old, const NewLoops &to) {
    auto at_from = [&](Condition condition) {
        for (size_t i = to.loops.size(); i > 0; i--) {
            condition = substitute(condition, to.loops[i - 1].first, to.from[i - 1]);
        }
        return condition;
    };
    std::vector<Condition> conditions;
    for (size_t i = 0; i < to.loops.size(); i++) {
        conditions.push_back(in_range(to.from[i], to.loops[i].second));
    }
    for (size_t j = 0; j < old.size(); j++) {
        conditions.push_back(at_from(eq(to.at[j], Index(old[j].first))));
    }
    conditions.push_back(at_from(to.guard));
    Condition all;
    for (auto condition = conditions.rbegin(); condition != conditions.rend(); ++condition) {
        all = both(*condition, all);
    }
    return all;
}

Rule reindex(const NewLoops &to) {
    return [to](const Facts &facts, const Term &term) -> std::optional<Applied> {
        std::vector<Loop> old;
        Facts within = facts;
        Term body = term;
        for (size_t i = 0; i < to.at.size(); i++) {
            if (body.kind() != Kind::Gen) {
                return std::nullopt;
            }
            old.emplace_back(body.name(), body.index());
            within = inside(body.name(), body.index(), within);
            body = Term(body.operand(0));
        }
        std::optional<Term> moved = body;
        for (size_t i = old.size(); moved && i > 0; i--) {
            moved = substitute(*moved, old[i - 1].first, to.at[i - 1]);
        }
        if (!moved) {
            return std::nullopt;
        }
        std::vector<Condition> left;
        std::optional<std::string> witness = find_witness_in_turn(within, covered(old, to), left);
        if (!witness) {
            return std::nullopt;
        }
        Term inner = to.guard.is_true() ? *moved : Term::guard(to.guard, *moved);
        return Applied{Term::reindex(old, to.from, Term::gens(to.loops, inner)),
                       "(reindex " + nest_text(to.loops) + " " + list_text(to.at) + " " + list_text(to.from) + " " +
                           to_text(to.guard) + " " + *witness + ")",
                       {{to.loops.empty() ? "" : to.loops[0].first, to.at}}};
    };
}

static Rule tile_iter(const Pieces &pieces, bool guarded) {
    return [pieces, guarded](const Facts &facts, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Iter) {
            return std::nullopt;
        }
        const Index &n = term.index(), covered = pieces.count * pieces.size;
        Condition positive = both(le(0, pieces.count), le(0, pieces.size));
        std::optional<std::string> witness =
            find_witness(facts, both(positive, guarded ? le(n, covered) : eq(n, covered)));
        Index at = Index(pieces.outer) * pieces.size + Index(pieces.inner);
        std::optional<Term> step = substitute(term.operand(1), term.name(), at);
        if (!witness || !step) {
            return std::nullopt;
        }
        const std::string &tensor = term.other_name();
        Term piece = guarded ? Term::select(lt(at, n), *step, Term::var(tensor)) : *step;
        Term inner = Term::iter(tensor, pieces.inner, pieces.size, Term::var(tensor), piece);
        return Applied{Term::iter(tensor, pieces.outer, pieces.count, term.operand(0), inner),
                       std::string(guarded ? "(iter_tile_guarded " : "(iter_tile ") + to_text(pieces.count) + " " +
                           to_text(pieces.size) + " " + pieces.outer + " " + pieces.inner + " " + *witness + ")"};
    };
}
Rule iter_tile(const Pieces &pieces) { return tile_iter(pieces, false); }
Rule iter_tile_guarded(const Pieces &pieces) { return tile_iter(pieces, true); }

Rule iter_gen() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Gen || term.operand(0).kind() != Kind::Iter) {
            return std::nullopt;
        }
        const Term &iter = term.operand(0);
        if (term.name() == iter.name() || occurs(iter.name(), term.index()) || occurs(term.name(), iter.index())) {
            return std::nullopt;
        }
        const std::string &tensor = iter.other_name();
        std::optional<Term> step =
            substitute_tensor(iter.operand(1), tensor, Term::get(Term::var(tensor), Index(term.name())));
        if (!step) {
            return std::nullopt;
        }
        return Applied{
            iter.with_operand(0, term.with_operand(0, iter.operand(0))).with_operand(1, term.with_operand(0, *step)),
            "iter_gen"};
    };
}

std::optional<std::string> gathers(const std::string &tensor, const Term &step) {
    const auto is_tensor = [&](const Term &term) { return term.kind() == Kind::Var && term.name() == tensor; };
    switch (step.kind()) {
    case Kind::Op:
        if (step.operands().size() == 2) {
            const size_t k = step.operand(0).kind() == Kind::Var ? 0 : 1;
            const bool is_sum = is_tensor(step.operand(k)) && !occurs_tensor(tensor, step.operand(1 - k));
            return is_sum ? std::optional(step.name()) : std::nullopt;
        }
        return std::nullopt;
    case Kind::If:
        return is_tensor(step.operand(1)) ? gathers(tensor, step.operand(0)) : std::nullopt;
    case Kind::Iter:
        return step.other_name() == tensor && is_tensor(step.operand(0)) ? gathers(tensor, step.operand(1))
                                                                         : std::nullopt;
    case Kind::Mark:
        return gathers(tensor, step.operand(0));
    case Kind::Bind:
        return occurs_tensor(tensor, step.operand(0)) ? std::nullopt : gathers(tensor, step.operand(1));
    default:
        return std::nullopt;
    }
}
Rule iter_swap() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Iter || term.operand(1).kind() != Kind::Iter) {
            return std::nullopt;
        }
        const Term &inner = term.operand(1);
        const std::string &tensor = term.other_name();
        if (inner.other_name() != tensor || !(inner.operand(0) == Term::var(tensor)) || inner.name() == term.name() ||
            occurs(inner.name(), term.index()) || occurs(term.name(), inner.index()) ||
            !gathers(tensor, inner.operand(1))) {
            return std::nullopt;
        }
        return Applied{Term::iter(tensor, inner.name(), inner.index(), term.operand(0),
                                  Term::iter(tensor, term.name(), term.index(), Term::var(tensor), inner.operand(1))),
                       "iter_swap"};
    };
}
Rule iter_factor() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        const std::optional<std::string> op =
            term.kind() == Kind::Iter ? gathers(term.other_name(), term.operand(1)) : std::nullopt;
        if (!op) {
            return std::nullopt;
        }
        return Applied{Term::op(*op, {term.operand(0), term.with_operand(0, Term::unit(*op))}), "iter_factor"};
    };
}
Rule mark_reduction(Term::Mark mark) {
    return [mark](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Iter || mark == Term::Mark::Unroll || !gathers(term.other_name(), term.operand(1)) ||
            (mark == Term::Mark::Vector && !(term.index().is_number() && term.index().value() > 0))) {
            return std::nullopt;
        }
        return Applied{Term::mark(mark, term),
                       std::string("(mark_reduction ") + (mark == Term::Mark::Vector ? "vector)" : "parallel)")};
    };
}
Rule mark_loop(Term::Mark mark) {
    return [mark](const Facts &, const Term &term) -> std::optional<Applied> {
        bool literal = !term.indices().empty() && term.index().is_number() && term.index().value() > 0;
        bool allowed =
            (term.kind() == Kind::Gen && (mark == Term::Mark::Parallel || literal)) ||
            ((term.kind() == Kind::Fold || term.kind() == Kind::Iter) && mark == Term::Mark::Unroll && literal);
        if (!allowed) {
            return std::nullopt;
        }
        static const char *const names[] = {"parallel", "vector", "unroll"};
        return Applied{Term::mark(mark, term), std::string("(mark_loop ") + names[int(mark)] + " true)"};
    };
}
Rule unmark() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        return term.kind() == Kind::Mark ? std::optional(Applied{term.operand(0), "unmark"}) : std::nullopt;
    };
}
Rule rename_loop(std::string name) {
    return [name](const Facts &, const Term &term) -> std::optional<Applied> {
        if ((term.kind() != Kind::Gen && term.kind() != Kind::Fold) || occurs(name, term.operand(0))) {
            return std::nullopt;
        }
        std::optional<Term> body = substitute(term.operand(0), term.name(), Index(name));
        if (!body) {
            return std::nullopt;
        }
        Term renamed = term.kind() == Kind::Gen ? Term::gen(name, term.index(), *body)
                                                : Term::fold(term.other_name(), name, term.index(), *body);
        return Applied{renamed, "(rename_loop " + name + ")"};
    };
}

} // namespace fluorite::verify
