// Rules of access and of selects.

#include "verify/rewrite/rewriter.h"

namespace fluorite::verify {

using Kind = Term::Kind;

// ---- Rules of access.

static bool is_get_of_gen(const Term &term) { return term.kind() == Kind::Get && term.operand(0).kind() == Kind::Gen; }
Rule get_gen() {
    return [](const Facts &facts, const Term &term) -> std::optional<Applied> {
        if (!is_get_of_gen(term)) {
            return std::nullopt;
        }
        const Term &gen = term.operand(0);
        std::optional<std::string> witness = find_witness(facts, in_range(term.index(), gen.index()));
        std::optional<Term> body = substitute(gen.operand(0), gen.name(), term.index());
        if (!witness || !body) {
            return std::nullopt;
        }
        return Applied{*body, "(get_gen " + *witness + ")"};
    };
}
Rule get_gen_guard() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (!is_get_of_gen(term)) {
            return std::nullopt;
        }
        const Term &gen = term.operand(0);
        std::optional<Term> body = substitute(gen.operand(0), gen.name(), term.index());
        if (!body) {
            return std::nullopt;
        }
        return Applied{Term::guard(in_range(term.index(), gen.index()), *body), "get_gen_guard"};
    };
}

Rule get_if() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Get || term.operand(0).kind() != Kind::If) {
            return std::nullopt;
        }
        const Term &choice = term.operand(0);
        return Applied{Term::select(choice.condition(), Term::get(choice.operand(0), term.index()),
                                    Term::get(choice.operand(1), term.index())),
                       "get_if"};
    };
}
Rule get_op() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Get) {
            return std::nullopt;
        }
        Term result = term.operand(0);
        if (result.kind() != Kind::Number && result.kind() != Kind::Unit && result.kind() != Kind::Op) {
            return std::nullopt;
        }
        for (size_t k = 0; k < result.operands().size(); k++) {
            result = result.with_operand(k, Term::get(result.operand(k), term.index()));
        }
        return Applied{result, "get_op"};
    };
}

// ---- Rules of selects.

static Rule decide(bool holds) {
    return [holds](const Facts &facts, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::If) {
            return std::nullopt;
        }
        std::optional<std::string> witness = find_witness(facts, holds ? term.condition() : negation(term.condition()));
        if (!witness) {
            return std::nullopt;
        }
        return Applied{term.operand(holds ? 0 : 1), (holds ? "(if_true " : "(if_false ") + *witness + ")"};
    };
}
Rule if_true() { return decide(true); }
Rule if_false() { return decide(false); }

Rule if_equiv(Condition q) {
    return [q](const Facts &facts, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::If) {
            return std::nullopt;
        }
        std::optional<std::string> forth = find_witness(with(term.condition(), facts), q);
        std::optional<std::string> back = forth ? find_witness(with(q, facts), term.condition()) : std::nullopt;
        if (!back) {
            return std::nullopt;
        }
        return Applied{Term::select(q, term.operand(0), term.operand(1)),
                       "(if_equiv " + to_text(q) + " " + *forth + " " + *back + ")"};
    };
}
Rule if_same() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        bool applies = term.kind() == Kind::If && term.operand(0) == term.operand(1);
        return applies ? std::optional(Applied{term.operand(0), "if_same"}) : std::nullopt;
    };
}
Rule if_introduce(Condition p) {
    return [p](const Facts &, const Term &term) -> std::optional<Applied> {
        return Applied{Term::select(p, term, term), "(if_introduce " + to_text(p) + ")"};
    };
}
Rule if_iter() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::If || term.operand(0).kind() != Kind::Iter ||
            occurs(term.operand(0).name(), term.condition())) {
            return std::nullopt;
        }
        const Term &iter = term.operand(0);
        Term start = Term::select(term.condition(), iter.operand(0), term.operand(1));
        Term step = Term::select(term.condition(), iter.operand(1), Term::var(iter.other_name()));
        return Applied{iter.with_operand(0, start).with_operand(1, step), "if_iter"};
    };
}
static bool is_zero_number(const Term &term) { return term.kind() == Kind::Number && term.value() == 0; }
Rule guard_annihilates_right() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Op || term.operands().size() != 2 || term.operand(1).kind() != Kind::If ||
            !is_zero_number(term.operand(1).operand(1))) {
            return std::nullopt;
        }
        const Term &guarded = term.operand(1);
        return Applied{Term::guard(guarded.condition(), term.with_operand(1, guarded.operand(0))),
                       "guard_annihilates_right"};
    };
}

} // namespace fluorite::verify
