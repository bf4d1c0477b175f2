#include "verify/prover.h"

#include "verify/polynomial.h"
#include "verify/refute.h"

#include <algorithm>
#include <set>

namespace fluorite::verify {

namespace {

// An inequality p >= 0 and where the checker's list has it from: what is known of opaque term `from` (about), or fact
// `from`; `part` numbers the inequalities of one source.
struct Hypothesis {
    Polynomial p;
    bool about = false;
    size_t from = 0, part = 0;
    bool same_place(const Hypothesis &other) const {
        return about == other.about && from == other.from && part == other.part;
    }
};

class Hypotheses {
  public:
    // In the order of `hyps` in proofs/Solver.v.
    Hypotheses(const Facts &facts, const Opaque &opaque) : facts_(facts), opaque_(opaque) {
        for (size_t k = 0; k < opaque.size(); k++) {
            part_ = 0;
            about(opaque[k], k);
        }
        for (size_t k = 0; k < facts.size(); k++) {
            part_ = 0;
            fact(facts[k], k);
        }
    }
    std::vector<Hypothesis> list;

  private:
    void add(const Index &a, const Index &b, bool about, size_t from) {
        std::optional<Polynomial> p = to_polynomial(a, opaque_), q = to_polynomial(b, opaque_);
        if (p && q) {
            list.push_back({*q - *p, about, from, part_});
        }
        part_++;
    }
    bool is_positive(const Index &b) const {
        return b.is_number() ? b.value() > 0 : std::ranges::find(facts_, lt(0, b)) != facts_.end();
    }
    void about(const Index &a, size_t k) {
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
    void fact(const Condition &p, size_t k) {
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
    const Facts &facts_;
    const Opaque &opaque_;
    size_t part_ = 0;
};

std::optional<Polynomial> negated(const Condition &goal, const Opaque &opaque) {
    std::optional<Polynomial> a = to_polynomial(goal.indices[0], opaque), b = to_polynomial(goal.indices[1], opaque);
    if (!a || !b) {
        return std::nullopt;
    }
    return goal.kind == Condition::Kind::Le ? *a - *b - Polynomial::constant(1) : *a - *b;
}

std::string number_text(Wide value) {
    std::string digits;
    for (; value > 0; value /= 10) {
        digits.insert(digits.begin(), char('0' + int(value % 10)));
    }
    return digits.empty() ? "0" : digits;
}

// A certificate of ZChecker: hypothesis 0 is the negated goal.
std::string leaf_text(const Opaque &opaque, const std::vector<std::pair<size_t, Wide>> &multipliers) {
    std::string sum;
    for (auto m = multipliers.rbegin(); m != multipliers.rend(); ++m) {
        std::string term = std::to_string(m->first);
        if (m->second != 1) {
            term = "(* (constant " + number_text(m->second) + ") " + term + ")";
        }
        sum = sum.empty() ? term : "(+ " + term + " " + sum + ")";
    }
    std::string text = "(linear (";
    for (size_t i = 0; i < opaque.size(); i++) {
        text += (i ? " " : "") + to_text(opaque[i]);
    }
    return text + ") (rat " + sum + " done))";
}

// Facts that share no name and no opaque term with the goal, directly or through others, cannot help.
std::vector<Wide> row_of(const Polynomial &p, const std::map<Monomial, size_t> &columns) {
    std::vector<Wide> row(columns.size() + 1);
    for (const auto &[monomial, value] : p.terms) {
        row[monomial.empty() ? columns.size() : columns.at(monomial)] = value;
    }
    return row;
}

// Searches for linear combinations, which is what proving costs. A goal that distinguishes many minima may need
// exponentially many; those that were found took fewer than a tenth of this.
const int most_searches = 400;
thread_local int searches_left = 0;

std::optional<std::string> linear_witness(const Facts &facts, const Condition &goal) {
    if (searches_left == 0) {
        return std::nullopt;
    }
    searches_left--;
    Opaque opaque;
    add_opaque(goal, opaque);
    for (const Condition &fact : facts) {
        add_opaque(fact, opaque);
    }
    std::optional<Polynomial> goal_row = negated(goal, opaque);
    if (!goal_row) {
        return std::nullopt;
    }
    Hypotheses hypotheses(facts, opaque);
    std::map<Monomial, size_t> columns;
    auto number = [&](const Polynomial &p) {
        for (const auto &[monomial, value] : p.terms) {
            if (!monomial.empty()) {
                columns.emplace(monomial, columns.size());
            }
        }
    };
    number(*goal_row);
    for (const Hypothesis &h : hypotheses.list) {
        number(h.p);
    }
    std::vector<std::vector<Wide>> rows = {row_of(*goal_row, columns)};
    for (const Hypothesis &h : hypotheses.list) {
        rows.push_back(row_of(h.p, columns));
    }
    std::optional<std::vector<Wide>> multipliers = find_contradiction(rows);
    if (!multipliers) {
        return std::nullopt;
    }
    // The opaque terms that the leaf speaks of, and the places of its hypotheses in the list for those alone.
    Opaque wanted;
    add_opaque(goal, wanted);
    for (size_t i = 1; i < multipliers->size(); i++) {
        if ((*multipliers)[i] != 0) {
            const Hypothesis &h = hypotheses.list[i - 1];
            if (h.about) {
                add_opaque(opaque[h.from], wanted);
            } else {
                add_opaque(facts[h.from], wanted);
            }
        }
    }
    Opaque used;
    std::vector<size_t> old_number;
    for (size_t k = 0; k < opaque.size(); k++) {
        if (std::ranges::find(wanted, opaque[k]) != wanted.end()) {
            used.push_back(opaque[k]);
            old_number.push_back(k);
        }
    }
    Hypotheses reduced(facts, used);
    std::vector<std::pair<size_t, Wide>> result;
    if ((*multipliers)[0] != 0) {
        result.emplace_back(0, (*multipliers)[0]);
    }
    for (size_t i = 1; i < multipliers->size(); i++) {
        if ((*multipliers)[i] == 0) {
            continue;
        }
        for (size_t j = 0; j < reduced.list.size(); j++) {
            Hypothesis h = reduced.list[j];
            if (h.about) {
                h.from = old_number[h.from];
            }
            if (h.same_place(hypotheses.list[i - 1])) {
                result.emplace_back(j + 1, (*multipliers)[i]);
            }
        }
    }
    return leaf_text(used, result);
}

const int most_cases = 4; // of minima and maxima, one after the other; deeper ones were not met

std::optional<std::string> prove(const Facts &facts, const Condition &goal, int cases);

std::optional<std::string> prove_with(const Condition &fact, const Facts &facts, const Condition &goal, int cases) {
    Facts more = {fact};
    more.insert(more.end(), facts.begin(), facts.end());
    return prove(more, goal, cases);
}

// (i*m + j) / m = i where 0 <= j < m: no linear combination says so.
std::optional<std::string> prove_by_division(const Facts &facts, const Condition &goal, int cases) {
    Opaque opaque;
    add_opaque(goal, opaque);
    for (const Index &q : opaque) {
        if (q.kind() != Index::Kind::Div || q.a().kind() != Index::Kind::Add || q.a().a().kind() != Index::Kind::Mul ||
            !(q.a().a().b() == q.b())) {
            continue;
        }
        const Index &i = q.a().a().a(), &m = q.b(), &j = q.a().b();
        Condition conclusion = eq(q, i);
        if (std::ranges::find(facts, conclusion) != facts.end()) {
            continue;
        }
        std::optional<std::string> premise = prove(facts, in_range(j, m), cases);
        std::optional<std::string> rest = premise ? prove_with(conclusion, facts, goal, cases) : std::nullopt;
        if (rest) {
            return "(lemma (div_of_sum " + to_text(i) + " " + to_text(m) + " " + to_text(j) + ") " + *premise + " " +
                   *rest + ")";
        }
    }
    return std::nullopt;
}

// In the case that the first operand is the smaller one, and in the other.
std::optional<std::string> prove_by_cases(const Facts &facts, const Condition &goal, int cases) {
    if (cases == 0) {
        return std::nullopt;
    }
    Opaque opaque;
    add_opaque(goal, opaque);
    for (const Condition &fact : facts) {
        add_opaque(fact, opaque);
    }
    for (const Index &m : opaque) {
        bool is_min = m.kind() == Index::Kind::Min;
        if (!is_min && m.kind() != Index::Kind::Max) {
            continue;
        }
        Condition left = eq(m, m.a()), right = eq(m, m.b());
        if (std::ranges::find(facts, left) != facts.end() || std::ranges::find(facts, right) != facts.end()) {
            continue;
        }
        Condition smaller = le(m.a(), m.b());
        std::string operands = " " + to_text(m.a()) + " " + to_text(m.b()) + ")";
        auto branch = [&](const Condition &known, bool first) -> std::optional<std::string> {
            Facts more = {known};
            more.insert(more.end(), facts.begin(), facts.end());
            bool takes_left = first == is_min;
            Condition premise = first ? smaller : le(m.b(), m.a());
            std::optional<std::string> reason = prove(more, premise, 0);
            std::optional<std::string> rest = prove_with(takes_left ? left : right, more, goal, cases - 1);
            if (!reason || !rest) {
                return std::nullopt;
            }
            std::string name = std::string(is_min ? "(min_" : "(max_") + (takes_left ? "left" : "right");
            return "(lemma " + name + operands + " " + *reason + " " + *rest + ")";
        };
        std::optional<std::string> a = branch(smaller, true);
        std::optional<std::string> b = a ? branch(negation(smaller), false) : std::nullopt;
        if (a && b) {
            return "(case " + to_text(smaller) + " " + *a + " " + *b + ")";
        }
    }
    return std::nullopt;
}

std::optional<std::string> prove(const Facts &facts, const Condition &goal, int cases) {
    using Kind = Condition::Kind;
    auto two = [&](const Condition &p, const Condition &q) -> std::optional<std::string> {
        std::optional<std::string> a = prove(facts, p, cases);
        std::optional<std::string> b = a ? prove(facts, q, cases) : std::nullopt;
        return a && b ? std::optional("(and " + *a + " " + *b + ")") : std::nullopt;
    };
    if (goal.is_true()) {
        return "true";
    }
    if (std::ranges::find(facts, goal) != facts.end()) {
        return "fact";
    }
    switch (goal.kind) {
    case Kind::And:
        return two(goal.operands[0], goal.operands[1]);
    case Kind::Eq:
        return two(le(goal.indices[0], goal.indices[1]), le(goal.indices[1], goal.indices[0]));
    case Kind::Or: {
        std::optional<std::string> right = prove_with(negation(goal.operands[0]), facts, goal.operands[1], cases);
        return right ? std::optional("(or " + *right + ")") : std::nullopt;
    }
    case Kind::Not: {
        std::optional<std::string> absurd = prove_with(goal.operands[0], facts, lt(0, 0), cases);
        return absurd ? std::optional("(not " + *absurd + ")") : std::nullopt;
    }
    default:
        break;
    }
    std::optional<std::string> witness = linear_witness(facts, goal);
    if (!witness) {
        witness = prove_by_division(facts, goal, cases);
    }
    return witness ? witness : prove_by_cases(facts, goal, cases);
}

} // namespace

static std::optional<std::string> search(const Facts &facts, const Condition &goal, int effort) {
    try {
        if (std::ranges::find(facts, goal) == facts.end() && is_refuted(facts, goal)) {
            return std::nullopt;
        }
        searches_left = effort;
        return prove(facts, goal, most_cases);
    } catch (const PolynomialOverflow &) {
        return std::nullopt;
    }
}

std::optional<std::string> find_witness(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches);
}
bool follows_easily(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches / 10).has_value();
}

bool equal_up_to_ring(const Index &a, const Index &b) {
    if (a == b) {
        return true;
    }
    try {
        Opaque opaque;
        add_opaque(a, opaque);
        add_opaque(b, opaque);
        return to_polynomial(a, opaque) == to_polynomial(b, opaque);
    } catch (const PolynomialOverflow &) {
        return false;
    }
}

static bool has_remainder(const Index &index) {
    return !index.is_leaf() &&
           (index.kind() == Index::Kind::Mod || has_remainder(index.a()) || has_remainder(index.b()));
}

// Quotients, minima and maxima stay as they are written: ring normal forms compare them so. A remainder would become
// its definition by a quotient.
Index simplified(const Index &index) {
    if (has_remainder(index)) {
        return index;
    }
    try {
        Opaque opaque;
        add_opaque(index, opaque);
        std::optional<Polynomial> p = to_polynomial(index, opaque);
        if (!p) {
            return index;
        }
        std::optional<Index> sum;
        for (const auto &[monomial, value] : p->terms) {
            if (monomial.empty()) {
                continue;
            }
            if (value > INT64_MAX || value < -INT64_MAX) {
                return index;
            }
            std::optional<Index> product;
            for (const std::string &variable : monomial) {
                Index factor = variable[0] == '#' ? opaque[std::stoul(variable.substr(1))] : Index(variable);
                product = product ? *product * factor : factor;
            }
            int64_t magnitude = int64_t(value < 0 ? -value : value);
            if (magnitude != 1) {
                product = *product * Index(magnitude);
            }
            sum = !sum ? (value < 0 ? Index(0) - *product : *product) : value < 0 ? *sum - *product : *sum + *product;
        }
        Wide constant = p->coefficient({});
        if (constant > INT64_MAX || constant < -INT64_MAX) {
            return index;
        }
        if (!sum) {
            return Index(int64_t(constant));
        }
        return constant > 0 ? *sum + Index(int64_t(constant)) : constant < 0 ? *sum - Index(int64_t(-constant)) : *sum;
    } catch (const PolynomialOverflow &) {
        return index;
    }
}

} // namespace fluorite::verify
