// Rules of bindings.

#include "verify/rewrite/rewriter.h"

namespace fluorite::verify {

using Kind = Term::Kind;

Rule let_inline() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Let) {
            return std::nullopt;
        }
        std::optional<Term> body = substitute_tensor(term.operand(1), term.name(), term.operand(0));
        return body ? std::optional(Applied{*body, "let_inline"}) : std::nullopt;
    };
}
Rule let_dead() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Let || occurs_tensor(term.name(), term.operand(1))) {
            return std::nullopt;
        }
        return Applied{term.operand(1), "let_dead"};
    };
}
Rule let_flatten() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Let || term.operand(0).kind() != Kind::Let ||
            occurs_tensor(term.operand(0).name(), term.operand(1))) {
            return std::nullopt;
        }
        const Term &inner = term.operand(0);
        return Applied{
            Term::let(inner.name(), inner.operand(0), Term::let(term.name(), inner.operand(1), term.operand(1))),
            "let_flatten"};
    };
}
Rule let_swap() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Let || term.operand(1).kind() != Kind::Let) {
            return std::nullopt;
        }
        const Term &inner = term.operand(1);
        if (inner.name() == term.name() || occurs_tensor(term.name(), inner.operand(0)) ||
            occurs_tensor(inner.name(), term.operand(0))) {
            return std::nullopt;
        }
        return Applied{
            Term::let(inner.name(), inner.operand(0), Term::let(term.name(), term.operand(0), inner.operand(1))),
            "let_swap"};
    };
}
// Whether an operand stands below no binder, and where the rules let a binding or a select leave its parent.
static bool is_plain_operand(const Term &term, size_t k) {
    switch (term.kind()) {
    case Kind::Op:
    case Kind::If:
    case Kind::View:
    case Kind::Mark:
    case Kind::Get:
        return k < term.operands().size();
    default:
        return false;
    }
}
Rule let_lift(size_t k) {
    return [k](const Facts &, const Term &term) -> std::optional<Applied> {
        if (!is_plain_operand(term, k) || term.operand(k).kind() != Kind::Let) {
            return std::nullopt;
        }
        const Term &let = term.operand(k);
        if (occurs_tensor(let.name(), term.with_operand(k, Term::number(0)))) {
            return std::nullopt;
        }
        return Applied{Term::let(let.name(), let.operand(0), term.with_operand(k, let.operand(1))),
                       "(let_lift " + std::to_string(k) + ")"};
    };
}
static Rule let_lift_loop(Kind loop, const char *text) {
    return [loop, text](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != loop || term.operand(0).kind() != Kind::Let) {
            return std::nullopt;
        }
        const Term &let = term.operand(0);
        std::optional<Term> body =
            substitute_tensor(let.operand(1), let.name(), Term::get(Term::var(let.name()), Index(term.name())));
        if (!body) {
            return std::nullopt;
        }
        return Applied{
            Term::let(let.name(), Term::gen(term.name(), term.index(), let.operand(0)), term.with_operand(0, *body)),
            text};
    };
}
Rule let_lift_gen() { return let_lift_loop(Kind::Gen, "let_lift_gen"); }
Rule let_lift_fold() { return let_lift_loop(Kind::Fold, "let_lift_fold"); }
Rule let_lift_invariant() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if ((term.kind() != Kind::Gen && term.kind() != Kind::Fold) || term.operand(0).kind() != Kind::Let ||
            occurs(term.name(), term.operand(0).operand(0))) {
            return std::nullopt;
        }
        const Term &let = term.operand(0);
        return Applied{Term::let(let.name(), let.operand(0), term.with_operand(0, let.operand(1))),
                       "let_lift_invariant"};
    };
}

} // namespace fluorite::verify
