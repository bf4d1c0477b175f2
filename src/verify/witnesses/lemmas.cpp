// What no linear combination says: of quotients, products, minima and maxima.

#include "verify/witnesses/proof_search.h"

namespace fluorite::verify {

std::optional<std::string> Prover::prove_by_division(const Condition &goal, int cases) {
    Opaque opaque;
    add_opaque(goal, opaque);
    for (const Index &q : opaque) {
        if (q.kind() != Index::Kind::Div || q.a().kind() != Index::Kind::Add || q.a().a().kind() != Index::Kind::Mul ||
            !(q.a().a().b() == q.b())) {
            continue;
        }
        const Index &i = q.a().a().a(), &m = q.b(), &j = q.a().b();
        const Condition conclusion = eq(q, i);
        if (is_known(conclusion)) {
            continue;
        }
        std::optional<std::string> premise = prove(in_range(j, m), cases);
        std::optional<std::string> rest = premise ? prove_with({conclusion}, goal, cases) : std::nullopt;
        if (rest) {
            return "(lemma (div_of_sum " + to_text(i) + " " + to_text(m) + " " + to_text(j) + ") " + *premise + " " +
                   *rest + ")";
        }
    }
    return std::nullopt;
}

std::optional<std::string> Prover::prove_by_products(const Condition &goal, const Model &model, int cases) {
    for (const auto &[lemma, conclusion, premise] : lemmas_of_products()) {
        if (is_known(conclusion) || holds_in(model, conclusion)) {
            continue;
        }
        const std::optional<std::string> witness = prove(premise, 0);
        const std::optional<std::string> rest = witness ? prove_with({conclusion}, goal, cases - 1) : std::nullopt;
        if (rest) {
            return "(lemma " + lemma + " " + *witness + " " + *rest + ")";
        }
    }
    return std::nullopt;
}

std::vector<Prover::ProductLemma> Prover::lemmas_of_products() const {
    std::vector<std::pair<Index, Index>> products; // each with either factor first
    for (const auto &[monomial, column] : columns_) {
        if (monomial.size() == 2) {
            const Index a = factor(monomial[0]), b = factor(monomial[1]);
            products.emplace_back(a, b);
            products.emplace_back(b, a);
        }
    }
    std::vector<ProductLemma> lemmas;
    const auto add_monotone = [&](const Index &a, const Index &b, const Index &c) {
        lemmas.push_back({"(mul_mono " + to_text(a) + " " + to_text(b) + " " + to_text(c) + ")", le(a * c, b * c),
                          both(le(0, c), le(a, b))});
    };
    for (const auto &[a, c] : products) {
        add_monotone(0, a, c);
        for (const auto &[b, other] : products) {
            if (other == c && !(a == b)) {
                add_monotone(a + 1, b, c);
                add_monotone(a, b, c);
            }
        }
        for (const Index &q : opaque_) {
            if (q.kind() == Index::Kind::Div && q.b() == c && is_positive(c)) {
                lemmas.push_back({"(div_bound " + to_text(q.a()) + " " + to_text(a) + " " + to_text(c) + ")",
                                  in_range(q, a), both(lt(0, c), in_range(q.a(), a * c))});
            }
        }
    }
    return lemmas;
}

Index Prover::factor(const std::string &variable) const {
    return variable[0] == '#' ? opaque_[std::stoul(variable.substr(1))] : Index(variable);
}

bool Prover::holds_in(const Model &model, const Condition &p) {
    if (p.kind == Condition::Kind::And) {
        return holds_in(model, p.operands[0]) && holds_in(model, p.operands[1]);
    }
    const std::optional<Rational> a = value_of(p.indices[0], model), b = value_of(p.indices[1], model);
    return p.kind == Condition::Kind::Le ? a && b && !is_below(b, a) : is_below(a, b);
}

std::optional<Rational> Prover::value_of(const Index &index, const Model &model) {
    const std::optional<Polynomial> p = to_polynomial(index, opaque_);
    std::optional<Rational> sum = Rational{};
    for (const auto &[column, value] : row_of(*p)) {
        const Rational at = column == 0 ? Rational{1, 1} : column < model.size() ? model[column] : Rational{};
        sum = sum_of_product(*sum, at, value);
        if (!sum) {
            return std::nullopt;
        }
    }
    return sum;
}

bool Prover::is_violated(const Index &m, const Model &model) {
    const std::optional<Rational> whole = value_of(m, model), a = value_of(m.a(), model), b = value_of(m.b(), model);
    return !whole || !a || !b || (!(*whole == *a) && !(*whole == *b));
}

std::optional<std::string> Prover::prove_by_cases(const Condition &goal, const Model &model, int cases) {
    if (cases == 0 || model.empty()) {
        return std::nullopt;
    }
    for (const Index &m : opaque_) {
        const bool is_min = m.kind() == Index::Kind::Min;
        if ((!is_min && m.kind() != Index::Kind::Max) || !is_violated(m, model)) {
            continue;
        }
        const Condition left = eq(m, m.a()), right = eq(m, m.b()), smaller = le(m.a(), m.b());
        const auto branch = [&](const Condition &known, bool first) -> std::optional<std::string> {
            const bool takes_left = first == is_min;
            std::optional<std::string> rest = prove_with({known, takes_left ? left : right}, goal, cases - 1);
            if (!rest) {
                return std::nullopt;
            }
            const std::optional<std::string> premise = first ? "fact" : premise_of(m, known);
            if (!premise) {
                return std::nullopt;
            }
            const std::string name = std::string(is_min ? "(min_" : "(max_") + (takes_left ? "left" : "right");
            return "(lemma " + name + " " + to_text(m.a()) + " " + to_text(m.b()) + ") " + *premise + " " + *rest + ")";
        };
        std::optional<std::string> a = branch(smaller, true);
        std::optional<std::string> b = a ? branch(negation(smaller), false) : std::nullopt;
        return a && b ? std::optional("(case " + to_text(smaller) + " " + *a + " " + *b + ")") : std::nullopt;
    }
    const std::optional<std::string> witness = prove_by_monotony(goal, model, cases);
    return witness || rounding_ == Rounding::No ? witness : prove_by_rounding(goal, model, cases);
}

std::optional<std::string> Prover::prove_by_rounding(const Condition &goal, const Model &model, int cases) {
    for (const Index &p : opaque_) {
        for (const Index &q : opaque_) {
            if (p.kind() != Index::Kind::Div || q.kind() != Index::Kind::Div || !(p.b() == q.b()) || p == q) {
                continue;
            }
            const std::optional<Rational> a = value_of(p, model), b = value_of(q, model);
            const std::optional<Rational> difference = a && b ? sum_of_product(*b, *a, -1) : std::nullopt;
            if (!difference || difference->top % difference->bottom == 0 || difference->top < 0) {
                continue; // of a negative one, the pair in the other order
            }
            const Index below = int64_t(difference->top / difference->bottom);
            for (const Condition &side : {le(simplified(p + below + 1), q), le(q, simplified(p + below))}) {
                const std::optional<std::string> premise = is_known(side) ? std::nullopt : prove(side, 0);
                const std::optional<std::string> rest = premise ? prove_with({side}, goal, cases - 1) : std::nullopt;
                if (rest) {
                    return "(have " + to_text(side) + " " + *premise + " " + *rest + ")";
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> Prover::prove_by_monotony(const Condition &goal, const Model &model, int cases) {
    for (const Index &p : opaque_) {
        for (const Index &q : opaque_) {
            if (p.kind() != Index::Kind::Div || q.kind() != Index::Kind::Div || !(p.b() == q.b()) ||
                !is_positive(p.b()) || is_known(le(p, q)) || !is_below(value_of(q, model), value_of(p, model)) ||
                is_below(value_of(q.a(), model), value_of(p.a(), model))) {
                continue;
            }
            std::optional<std::string> premise = prove(both(lt(0, p.b()), le(p.a(), q.a())), cases - 1);
            std::optional<std::string> rest = premise ? prove_with({le(p, q)}, goal, cases - 1) : std::nullopt;
            if (rest) {
                return "(lemma (div_mono " + to_text(p.a()) + " " + to_text(q.a()) + " " + to_text(p.b()) + ") " +
                       *premise + " " + *rest + ")";
            }
        }
    }
    return std::nullopt;
}

bool Prover::is_below(const std::optional<Rational> &a, const std::optional<Rational> &b) {
    const std::optional<Rational> difference = a && b ? sum_of_product(*b, *a, -1) : std::nullopt;
    return difference && difference->top > 0;
}

std::optional<std::string> Prover::premise_of(const Index &m, const Condition &known) {
    return prove_with({known}, le(m.b(), m.a()), 0);
}

} // namespace fluorite::verify
