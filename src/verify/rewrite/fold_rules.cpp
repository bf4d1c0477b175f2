// Rules of folds, and of their operators.

#include "verify/rewrite/rewriter.h"

namespace fluorite::verify {

using Kind = Term::Kind;

Rule fold_gen() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Gen) {
            return std::nullopt;
        }
        const Term &gen = term.operand(0);
        if (gen.name() == term.name() || occurs(gen.name(), term.index()) || occurs(term.name(), gen.index())) {
            return std::nullopt;
        }
        return Applied{gen.with_operand(0, term.with_operand(0, gen.operand(0))), "fold_gen"};
    };
}
Rule fold_swap() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Fold) {
            return std::nullopt;
        }
        const Term &inner = term.operand(0);
        if (inner.other_name() != term.other_name() || inner.name() == term.name() ||
            occurs(inner.name(), term.index()) || occurs(term.name(), inner.index())) {
            return std::nullopt;
        }
        return Applied{inner.with_operand(0, term.with_operand(0, inner.operand(0))), "fold_swap"};
    };
}
static Rule tile_fold(const Pieces &pieces, bool guarded) {
    return [pieces, guarded](const Facts &facts, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || pieces.outer == pieces.inner) {
            return std::nullopt;
        }
        const Index &n = term.index(), at = Index(pieces.outer) * pieces.size + Index(pieces.inner);
        for (const std::string &name : {pieces.outer, pieces.inner}) {
            if (occurs(name, term.operand(0)) || occurs(name, pieces.size) || (guarded && occurs(name, n))) {
                return std::nullopt;
            }
        }
        const Index covered = pieces.count * pieces.size;
        const std::optional<std::string> witness = find_witness(
            facts, both(both(le(0, pieces.count), le(0, pieces.size)), guarded ? le(n, covered) : eq(n, covered)));
        const std::optional<Term> body = substitute(term.operand(0), term.name(), at);
        if (!witness || !body) {
            return std::nullopt;
        }
        const std::string &op = term.other_name();
        const Term piece = guarded ? Term::select(lt(at, n), *body, Term::unit(op)) : *body;
        return Applied{Term::fold(op, pieces.outer, pieces.count, Term::fold(op, pieces.inner, pieces.size, piece)),
                       std::string(guarded ? "(fold_tile_guarded " : "(fold_tile ") + to_text(pieces.count) + " " +
                           to_text(pieces.size) + " " + pieces.outer + " " + pieces.inner + " " + *witness + ")"};
    };
}
Rule fold_tile(const Pieces &pieces) { return tile_fold(pieces, false); }
Rule fold_tile_guarded(const Pieces &pieces) { return tile_fold(pieces, true); }
Rule fold_op() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Op ||
            term.operand(0).name() != term.other_name() || term.operand(0).operands().size() != 2) {
            return std::nullopt;
        }
        const Term &sum = term.operand(0);
        return Applied{
            Term::op(sum.name(), {term.with_operand(0, sum.operand(0)), term.with_operand(0, sum.operand(1))}),
            "fold_op"};
    };
}
Rule op_comm() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Op || term.operands().size() != 2) {
            return std::nullopt;
        }
        return Applied{Term::op(term.name(), {term.operand(1), term.operand(0)}), "op_comm"};
    };
}
Rule op_assoc() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Op || term.operands().size() != 2 || term.operand(1).kind() != Kind::Op ||
            term.operand(1).name() != term.name() || term.operand(1).operands().size() != 2) {
            return std::nullopt;
        }
        const Term &right = term.operand(1);
        return Applied{
            Term::op(term.name(), {Term::op(term.name(), {term.operand(0), right.operand(0)}), right.operand(1)}),
            "op_assoc"};
    };
}
Rule unit_left() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        const bool applies = term.kind() == Kind::Op && term.operands().size() == 2 &&
                             term.operand(0).kind() == Kind::Unit && term.operand(0).name() == term.name();
        return applies ? std::optional(Applied{term.operand(1), "unit_left"}) : std::nullopt;
    };
}
Rule fold_indicator() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::If) {
            return std::nullopt;
        }
        const Term &choice = term.operand(0);
        const Condition &p = choice.condition();
        bool is_unit = choice.operand(1).kind() == Kind::Unit && choice.operand(1).name() == term.other_name();
        if (!is_unit || p.kind != Condition::Kind::Eq || !(p.indices[0] == Index(term.name())) ||
            occurs(term.name(), p.indices[1])) {
            return std::nullopt;
        }
        std::optional<Term> body = substitute(choice.operand(0), term.name(), p.indices[1]);
        if (!body) {
            return std::nullopt;
        }
        return Applied{Term::select(in_range(p.indices[1], term.index()), *body, choice.operand(1)), "fold_indicator"};
    };
}
Rule fold_factor() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        if (term.kind() != Kind::Fold || term.operand(0).kind() != Kind::Op || term.operand(0).operands().size() != 2 ||
            occurs(term.name(), term.operand(0).operand(0))) {
            return std::nullopt;
        }
        const Term &product = term.operand(0);
        return Applied{product.with_operand(1, term.with_operand(0, product.operand(1))), "fold_factor"};
    };
}
Rule unit_null() {
    return [](const Facts &, const Term &term) -> std::optional<Applied> {
        return term.kind() == Kind::Unit ? std::optional(Applied{Term::number(0), "unit_null"}) : std::nullopt;
    };
}

} // namespace fluorite::verify
