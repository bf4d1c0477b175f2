// What a proof knows, in the order in which the checker lists it.

#include "support/check.h"
#include "verify/witnesses/proof_search.h"

namespace fluorite::verify {

Prover::Prover(const Facts &facts, const Condition &goal, int searches, Rounding rounding)
    : facts_(facts), rounding_(rounding), searches_left_(searches) {
    add_opaque(goal, opaque_);
    for (const Condition &fact : facts) {
        add_opaque(fact, opaque_);
    }
    for (size_t k = 0; k < opaque_.size(); k++) {
        about(opaque_[k], k);
    }
    abouts_ = hypotheses_.size();
    for (size_t k = facts_.size(); k > 0; k--) { // from the back on, as later ones stand in front
        fact(facts_[k - 1], facts_.size() - k);
    }
    known_ = Facts(facts_.rbegin(), facts_.rend());
}

SparseRow Prover::row_of(const Polynomial &p) {
    SparseRow row;
    for (const auto &[monomial, value] : p.terms) {
        row.emplace_back(monomial.empty() ? 0 : columns_.emplace(monomial, columns_.size() + 1).first->second, value);
    }
    std::ranges::sort(row);
    return row;
}

void Prover::add_direct(const Index &index, std::vector<size_t> &found) const {
    if (index.is_leaf()) {
        return;
    }
    const bool is_opaque =
        index.kind() == Index::Kind::Div || index.kind() == Index::Kind::Min || index.kind() == Index::Kind::Max;
    if (is_opaque || index.kind() == Index::Kind::Mod) {
        const Index term = is_opaque ? index : index.a() / index.b();
        found.push_back(size_t(std::ranges::find(opaque_, term) - opaque_.begin()));
    }
    if (!is_opaque) {
        add_direct(index.a(), found);
        add_direct(index.b(), found);
    }
}

void Prover::add(const Index &a, const Index &b, bool about, size_t from) {
    std::optional<Polynomial> p = to_polynomial(a, opaque_), q = to_polynomial(b, opaque_);
    check(p && q, "every opaque term is listed");
    Hypothesis h{row_of(*q - *p), about, from, {}};
    add_direct(a, h.opaque);
    add_direct(b, h.opaque);
    hypotheses_.push_back(std::move(h));
}

bool Prover::is_positive(const Index &b) const {
    return b.is_number() ? b.value() > 0 : std::ranges::find(facts_, lt(0, b)) != facts_.end();
}

void Prover::about(const Index &a, size_t k) {
    const Index &p = a.a(), &q = a.b();
    if (a.kind() == Index::Kind::Div) {
        if (is_positive(q)) {
            add(q * a, p, true, k);
            add(p, q * a + q - 1, true, k);
        }
    } else if (a.kind() == Index::Kind::Min) {
        add(a, p, true, k);
        add(a, q, true, k);
    } else {
        add(p, a, true, k);
        add(q, a, true, k);
    }
}

void Prover::fact(const Condition &p, size_t k) {
    using Kind = Condition::Kind;
    switch (p.kind) {
    case Kind::Le:
        add(p.indices[0], p.indices[1], false, k);
        break;
    case Kind::Lt:
        add(p.indices[0] + 1, p.indices[1], false, k);
        break;
    case Kind::Eq:
        add(p.indices[0], p.indices[1], false, k);
        add(p.indices[1], p.indices[0], false, k);
        break;
    case Kind::And:
        fact(p.operands[0], k);
        fact(p.operands[1], k);
        break;
    case Kind::Not: {
        const Condition &q = p.operands[0];
        if (q.kind == Kind::Le) {
            add(q.indices[1] + 1, q.indices[0], false, k);
        } else if (q.kind == Kind::Lt) {
            add(q.indices[1], q.indices[0], false, k);
        }
        break;
    }
    default:
        break;
    }
}

bool Prover::makes_divisor_positive(const Condition &p) const {
    return p.kind == Condition::Kind::Lt && p.indices[0].is_number(0) && !is_positive(p.indices[1]) &&
           std::ranges::any_of(opaque_,
                               [&](const Index &q) { return q.kind() == Index::Kind::Div && q.b() == p.indices[1]; });
}

std::optional<std::string> Prover::prove_with(const Facts &more, const Condition &goal, int cases) {
    if (std::ranges::any_of(more, [&](const Condition &p) { return makes_divisor_positive(p); })) {
        Facts all(more.rbegin(), more.rend());
        all.insert(all.end(), known_.rbegin(), known_.rend());
        Prover inner(all, goal, searches_left_, rounding_);
        std::optional<std::string> witness = inner.prove(goal, cases);
        searches_left_ = inner.searches_left_;
        return witness;
    }
    const size_t before = hypotheses_.size(), known = known_.size();
    for (const Condition &p : more) {
        fact(p, known_.size());
        known_.push_back(p);
    }
    std::optional<std::string> witness = prove(goal, cases);
    hypotheses_.resize(before);
    known_.erase(known_.begin() + std::ptrdiff_t(known), known_.end());
    return witness;
}

} // namespace fluorite::verify
