#include "verify/witnesses/proof_search.h"

#include "fluorite/runtime/division.h"
#include "support/check.h"

#include <utility>

namespace fluorite::verify {

static std::string number_text(Wide value) {
    std::string digits;
    for (; value > 0; value /= 10) {
        digits.insert(digits.begin(), char('0' + int(value % 10)));
    }
    return digits.empty() ? "0" : digits;
}

std::optional<std::string> Prover::prove(const Condition &goal, int cases) {
    using Kind = Condition::Kind;
    const auto two = [&](const Condition &p, const Condition &q) -> std::optional<std::string> {
        std::optional<std::string> a = prove(p, cases);
        std::optional<std::string> b = a ? prove(q, cases) : std::nullopt;
        return a && b ? std::optional("(and " + *a + " " + *b + ")") : std::nullopt;
    };
    if (goal.is_true()) {
        return "true";
    }
    if (is_known(goal)) {
        return "fact";
    }
    switch (goal.kind) {
    case Kind::And:
        return two(goal.operands[0], goal.operands[1]);
    case Kind::Eq:
        return two(le(goal.indices[0], goal.indices[1]), le(goal.indices[1], goal.indices[0]));
    case Kind::Or: {
        std::optional<std::string> right = prove_with({negation(goal.operands[0])}, goal.operands[1], cases);
        return right ? std::optional("(or " + *right + ")") : std::nullopt;
    }
    case Kind::Not: {
        std::optional<std::string> absurd = prove_with({goal.operands[0]}, lt(0, 0), cases);
        return absurd ? std::optional("(not " + *absurd + ")") : std::nullopt;
    }
    default:
        break;
    }
    Model model;
    std::optional<std::string> witness = linear_witness(goal, model);
    if (!witness) {
        witness = prove_by_division(goal, cases);
    }
    if (!witness && cases > 0 && !model.empty()) {
        witness = prove_by_products(goal, model, cases);
    }
    return witness ? witness : prove_by_cases(goal, model, cases);
}

std::optional<std::string> Prover::linear_witness(const Condition &goal, Model &model) {
    if (searches_left_ == 0) {
        return std::nullopt;
    }
    searches_left_--;
    const std::optional<Polynomial> a = to_polynomial(goal.indices[0], opaque_),
                                    b = to_polynomial(goal.indices[1], opaque_);
    check(a && b, "every opaque term is listed");
    const bool is_le = goal.kind == Condition::Kind::Le;
    std::vector<SparseRow> rows = {row_of(is_le ? *a - *b - Polynomial::constant(1) : *a - *b)};
    const bool is_cut = cut(rows[0]);
    for (const Hypothesis &h : hypotheses_) {
        rows.push_back(h.p);
    }
    const std::optional<std::vector<Wide>> multipliers = find_contradiction(rows, columns_.size() + 1, &model);
    return multipliers ? std::optional(leaf_text(goal, *multipliers, is_cut)) : std::nullopt;
}

bool Prover::cut(SparseRow &row) {
    Wide divisor = 0, constant = 0;
    for (const auto &[column, value] : row) {
        if (column == 0) {
            constant = value;
        } else {
            Wide a = divisor, b = value < 0 ? -value : value;
            while (b != 0) {
                a = std::exchange(b, a % b);
            }
            divisor = a;
        }
    }
    if (divisor <= 1 || constant % divisor == 0) {
        return false;
    }
    for (auto &[column, value] : row) {
        value = floor_div(value, divisor); // the constant alone has a remainder
    }
    std::erase_if(row, [](const auto &entry) { return entry.second == 0; });
    return true;
}

std::string Prover::leaf_text(const Condition &goal, const std::vector<Wide> &multipliers, bool is_cut) const {
    Opaque wanted;
    add_opaque(goal, wanted);
    for (size_t i = 0; i < hypotheses_.size(); i++) {
        if (multipliers[i + 1] != 0) {
            const Hypothesis &h = hypotheses_[i];
            h.about ? add_opaque(opaque_[h.from], wanted) : add_opaque(known_[h.from], wanted);
        }
    }
    std::vector<bool> used(opaque_.size());
    std::string text = "(linear (";
    for (size_t k = 0; k < opaque_.size(); k++) {
        used[k] = std::ranges::find(wanted, opaque_[k]) != wanted.end();
        text += used[k] ? (text.back() == '(' ? "" : " ") + to_text(opaque_[k]) : "";
    }
    // The list of the checker: what is known of opaque terms, then the facts, those in front first.
    std::vector<std::pair<size_t, Wide>> list;
    if (multipliers[0] != 0) {
        list.emplace_back(0, multipliers[0]);
    }
    size_t number = 0;
    const auto count = [&](size_t i) {
        const Hypothesis &h = hypotheses_[i];
        const bool is_there =
            (!h.about || used[h.from]) && std::ranges::all_of(h.opaque, [&](size_t k) { return bool(used[k]); });
        number += is_there ? 1 : 0;
        if (multipliers[i + 1] != 0) {
            list.emplace_back(number + (is_cut ? 1 : 0), multipliers[i + 1]);
        }
    };
    for (size_t i = 0; i < abouts_; i++) {
        count(i);
    }
    for (size_t end = hypotheses_.size(); end > abouts_;) {
        size_t begin = end;
        while (begin > abouts_ && hypotheses_[begin - 1].from == hypotheses_[end - 1].from) {
            begin--;
        }
        for (size_t i = begin; i < end; i++) {
            count(i);
        }
        end = begin;
    }
    std::string sum;
    for (auto m = list.rbegin(); m != list.rend(); ++m) {
        std::string term = std::to_string(m->first);
        if (m->second != 1) {
            term = "(* (constant " + number_text(m->second) + ") " + term + ")";
        }
        sum = sum.empty() ? term : "(+ " + term + " " + sum + ")";
    }
    const std::string combination = "(rat " + sum + " done)";
    return text + ") " + (is_cut ? "(cut 0 " + combination + ")" : combination) + ")";
}

} // namespace fluorite::verify
