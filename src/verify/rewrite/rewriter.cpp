#include "verify/rewrite/rewriter.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

static std::string text_of(const Path &path) {
    std::string text = "(";
    for (size_t i = 0; i < path.size(); i++) {
        text += (i ? " " : "") + std::to_string(path[i]);
    }
    return text + ")";
}

// ---- Rules of bindings.

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

// ---- Rules of folds.

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

// ---- Rules of loops.

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

// ---- Combinators.

static std::optional<Applied> apply_at(const Path &path, size_t from, const Rule &rule, const Facts &facts,
                                       const Term &term) {
    if (from == path.size()) {
        return rule(facts, term);
    }
    size_t k = path[from];
    if (k >= term.operands().size()) {
        return std::nullopt;
    }
    std::optional<Applied> below = apply_at(path, from + 1, rule, facts_below(term, k, facts), term.operand(k));
    return below ? std::optional(Applied{term.with_operand(k, below->term), below->text, below->positions})
                 : std::nullopt;
}
Rule at(Path path, Rule rule) {
    return [path, rule](const Facts &facts, const Term &term) -> std::optional<Applied> {
        std::optional<Applied> applied = apply_at(path, 0, rule, facts, term);
        return applied ? std::optional(Applied{applied->term, "(at " + text_of(path) + " " + applied->text + ")",
                                               applied->positions})
                       : std::nullopt;
    };
}
// Pairs of rules, joined as a balanced tree: a list would nest as deep as it is long.
Rule sequence(std::vector<Rule> rules) {
    return [rules](const Facts &facts, const Term &term) -> std::optional<Applied> {
        Term here = term;
        std::vector<std::string> texts;
        Positions positions;
        for (const Rule &rule : rules) {
            std::optional<Applied> applied = rule(facts, here);
            if (!applied) {
                return std::nullopt;
            }
            here = applied->term;
            texts.push_back(std::move(applied->text));
            positions.merge(applied->positions);
        }
        while (texts.size() > 1) {
            std::vector<std::string> pairs;
            for (size_t i = 0; i < texts.size(); i += 2) {
                pairs.push_back(i + 1 < texts.size() ? "(seq " + texts[i] + " " + texts[i + 1] + ")" : texts[i]);
            }
            texts = std::move(pairs);
        }
        return texts.empty() ? std::nullopt : std::optional(Applied{here, texts[0], positions});
    };
}
Rule reversed(Rule rule, Term result) {
    return [rule, result](const Facts &facts, const Term &) -> std::optional<Applied> {
        std::optional<Applied> applied = rule(facts, result);
        return applied ? std::optional(Applied{result, "(reversed " + applied->text + " " + to_text(result) + ")"})
                       : std::nullopt;
    };
}

Derivation::Derivation(Term program, Facts facts, bool keeps_programs)
    : program_(std::move(program)), facts_(std::move(facts)), keeps_programs_(keeps_programs) {
    if (keeps_programs_) {
        programs_.push_back(pretty(to_text(program_)));
    }
}

bool Derivation::apply(const Path &path, const Rule &rule) {
    std::optional<Applied> applied = apply_at(path, 0, rule, facts_, program_);
    if (!applied) {
        return false;
    }
    program_ = applied->term;
    steps_.push_back("(" + text_of(path) + " " + applied->text + ")");
    positions_.merge(applied->positions);
    if (keeps_programs_) {
        programs_.push_back(pretty(to_text(program_)));
    }
    return true;
}

Term Derivation::subterm(const Path &path) const { return *at_path(program_, path); }

} // namespace fluorite::verify
