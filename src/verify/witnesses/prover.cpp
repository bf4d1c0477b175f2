#include "verify/witnesses/prover.h"

#include "fluorite/runtime/division.h"
#include "support/check.h"
#include "verify/witnesses/polynomial.h"
#include "verify/witnesses/refute.h"

#include <algorithm>
#include <utility>

namespace fluorite::verify {

namespace {

// An inequality p >= 0 and where the checker's list has it from: what is known of opaque term `from` (about), or a
// fact; the checker leaves it out of its list where it is not told of the opaque terms in `opaque`.
struct Hypothesis {
    SparseRow p;
    bool about = false;
    size_t from = 0;
    std::vector<size_t> opaque = {};
};

std::string number_text(Wide value) {
    std::string digits;
    for (; value > 0; value /= 10) {
        digits.insert(digits.begin(), char('0' + int(value % 10)));
    }
    return digits.empty() ? "0" : digits;
}

// Searches for linear combinations, which is what proving costs. A goal that distinguishes many minima may need
// exponentially many; those that were found took fewer than a tenth of this.
const int most_searches = 400;
const int most_cases = 6; // of minima and maxima, one after the other; deeper ones than four were not met
// The same for parts of what stores need, of which there are few: two dimensions of pieces that move inwards, in a
// fused loop, take more than 400 searches and less than 1500. Reads of long chains of clamps would take as many, and
// their witnesses more text than the checker reads.
const int most_searches_of_part = 1500, most_cases_of_part = 8;

// Proofs under facts to which the search adds others, as the checker does, in front.
class Prover {
  public:
    enum class Rounding : bool { No, Yes };
    Prover(const Facts &facts, const Condition &goal, int searches, Rounding rounding)
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

    std::optional<std::string> prove(const Condition &goal, int cases) {
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

  private:
    using Model = std::vector<Rational>; // by columns; empty: unknown

    // ---- What is known.

    bool is_known(const Condition &p) const { return std::ranges::find(known_, p) != known_.end(); }
    SparseRow row_of(const Polynomial &p) {
        SparseRow row;
        for (const auto &[monomial, value] : p.terms) {
            row.emplace_back(monomial.empty() ? 0 : columns_.emplace(monomial, columns_.size() + 1).first->second,
                             value);
        }
        std::ranges::sort(row);
        return row;
    }
    // Those that a polynomial is made of, not those inside of them.
    void add_direct(const Index &index, std::vector<size_t> &found) const {
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
    void add(const Index &a, const Index &b, bool about, size_t from) {
        std::optional<Polynomial> p = to_polynomial(a, opaque_), q = to_polynomial(b, opaque_);
        check(p && q, "every opaque term is listed");
        Hypothesis h{row_of(*q - *p), about, from, {}};
        add_direct(a, h.opaque);
        add_direct(b, h.opaque);
        hypotheses_.push_back(std::move(h));
    }
    bool is_positive(const Index &b) const {
        return b.is_number() ? b.value() > 0 : std::ranges::find(facts_, lt(0, b)) != facts_.end();
    }
    // In the order of `hyps` in proofs/Solver.v.
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
    // Whether the checker knows more of a quotient, too, once this is a fact.
    bool makes_divisor_positive(const Condition &p) const {
        return p.kind == Condition::Kind::Lt && p.indices[0].is_number(0) && !is_positive(p.indices[1]) &&
               std::ranges::any_of(
                   opaque_, [&](const Index &q) { return q.kind() == Index::Kind::Div && q.b() == p.indices[1]; });
    }
    std::optional<std::string> prove_with(const Facts &more, const Condition &goal, int cases) {
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

    // ---- Linear combinations.

    std::optional<std::string> linear_witness(const Condition &goal, Model &model) {
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
    // 6x - 6y - 1 >= 0 of integers is x - y - 1 >= 0: whether the row is another one then.
    static bool cut(SparseRow &row) {
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
    // A certificate of ZChecker: hypothesis 0 is the negated goal; where that is cut, what it is cut to, before the
    // others. The leaf speaks of no other opaque terms than it needs.
    std::string leaf_text(const Condition &goal, const std::vector<Wide> &multipliers, bool is_cut) const {
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

    // ---- Lemmas.

    // (i*m + j) / m = i where 0 <= j < m: over rational numbers, no linear combination says so.
    std::optional<std::string> prove_by_division(const Condition &goal, int cases) {
        Opaque opaque;
        add_opaque(goal, opaque);
        for (const Index &q : opaque) {
            if (q.kind() != Index::Kind::Div || q.a().kind() != Index::Kind::Add ||
                q.a().a().kind() != Index::Kind::Mul || !(q.a().a().b() == q.b())) {
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
                return "(lemma (div_of_sum " + to_text(i) + " " + to_text(m) + " " + to_text(j) + ") " + *premise +
                       " " + *rest + ")";
            }
        }
        return std::nullopt;
    }

    // Products of two sizes: a*c <= b*c where a <= b and c >= 0, and bounds of quotients by a size, for products and
    // quotients that the model has in the wrong order.
    std::optional<std::string> prove_by_products(const Condition &goal, const Model &model, int cases) {
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
    struct ProductLemma {
        std::string text;
        Condition conclusion, premise;
    };
    std::vector<ProductLemma> lemmas_of_products() const {
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
    Index factor(const std::string &variable) const {
        return variable[0] == '#' ? opaque_[std::stoul(variable.substr(1))] : Index(variable);
    }
    // Of inequalities; a model in which they hold says that they do not matter.
    bool holds_in(const Model &model, const Condition &p) {
        if (p.kind == Condition::Kind::And) {
            return holds_in(model, p.operands[0]) && holds_in(model, p.operands[1]);
        }
        const std::optional<Rational> a = value_of(p.indices[0], model), b = value_of(p.indices[1], model);
        return p.kind == Condition::Kind::Le ? a && b && !is_below(b, a) : is_below(a, b);
    }

    std::optional<Rational> value_of(const Index &index, const Model &model) {
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
    // Whether a minimum or maximum is neither of its operands in the model, which shows that its cases matter.
    bool is_violated(const Index &m, const Model &model) {
        const std::optional<Rational> whole = value_of(m, model), a = value_of(m.a(), model),
                                      b = value_of(m.b(), model);
        return !whole || !a || !b || (!(*whole == *a) && !(*whole == *b));
    }
    // In the case that the first operand is the smaller one, and in the other. Where a model of the facts and the
    // negated goal gives every minimum and maximum its value, no distinction of cases helps.
    std::optional<std::string> prove_by_cases(const Condition &goal, const Model &model, int cases) {
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
                return "(lemma " + name + " " + to_text(m.a()) + " " + to_text(m.b()) + ") " + *premise + " " + *rest +
                       ")";
            };
            std::optional<std::string> a = branch(smaller, true);
            std::optional<std::string> b = a ? branch(negation(smaller), false) : std::nullopt;
            return a && b ? std::optional("(case " + to_text(smaller) + " " + *a + " " + *b + ")") : std::nullopt;
        }
        const std::optional<std::string> witness = prove_by_monotony(goal, model, cases);
        return witness || rounding_ == Rounding::No ? witness : prove_by_rounding(goal, model, cases);
    }
    // Quotients whose difference is no integer in the model: of the integers on either side of it, the difference is
    // on one side, which a linear combination may say.
    std::optional<std::string> prove_by_rounding(const Condition &goal, const Model &model, int cases) {
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
                    const std::optional<std::string> rest =
                        premise ? prove_with({side}, goal, cases - 1) : std::nullopt;
                    if (rest) {
                        return "(have " + to_text(side) + " " + *premise + " " + *rest + ")";
                    }
                }
            }
        }
        return std::nullopt;
    }
    // a / c <= b / c where a <= b, for quotients that the model has in the wrong order: rational numbers do not round.
    std::optional<std::string> prove_by_monotony(const Condition &goal, const Model &model, int cases) {
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
    static bool is_below(const std::optional<Rational> &a, const std::optional<Rational> &b) {
        const std::optional<Rational> difference = a && b ? sum_of_product(*b, *a, -1) : std::nullopt;
        return difference && difference->top > 0;
    }
    // b <= a, where the negation of a <= b is a fact; nothing if no search is left for it.
    std::optional<std::string> premise_of(const Index &m, const Condition &known) {
        return prove_with({known}, le(m.b(), m.a()), 0);
    }

    const Facts facts_;
    Opaque opaque_;
    std::map<Monomial, size_t> columns_; // from 1 on; column 0 is the constant
    std::vector<Hypothesis> hypotheses_;
    size_t abouts_ = 0; // how many of them are about opaque terms
    Facts known_;       // the facts, those in front last; Hypothesis::from counts so
    const Rounding rounding_;
    int searches_left_;
};

} // namespace

static std::optional<std::string> search(const Facts &facts, const Condition &goal, int effort,
                                         Prover::Rounding rounding = Prover::Rounding::No, int cases = most_cases) {
    try {
        if (std::ranges::find(facts, goal) == facts.end() && is_refuted(facts, goal)) {
            return std::nullopt;
        }
        return Prover(facts, goal, effort, rounding).prove(goal, cases);
    } catch (const PolynomialOverflow &) {
        return std::nullopt;
    }
}

std::optional<std::string> find_witness(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches);
}
std::optional<std::string> find_witness_rounding(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches, Prover::Rounding::Yes);
}
// The parts of a right-nested conjunction, which ends in `true`.
static std::vector<Condition> conjuncts_of(Condition all) {
    std::vector<Condition> parts;
    for (; all.kind == Condition::Kind::And; all = Condition(all.operands[1])) {
        parts.push_back(all.operands[0]);
    }
    return parts;
}
std::optional<std::string> find_witness_in_turn(const Facts &facts, const Condition &all,
                                                std::vector<Condition> &left) {
    if (std::optional<std::string> witness = find_witness(facts, all)) {
        return witness;
    }
    Facts known = facts;
    left = conjuncts_of(all);
    std::string proved, conclusion = "true";
    size_t count = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < left.size() && !found; i++) {
            if (std::optional<std::string> witness =
                    search(known, left[i], most_searches_of_part, Prover::Rounding::No, most_cases_of_part)) {
                proved += "(have " + to_text(left[i]) + " " + *witness + " ";
                conclusion = "(and fact " + conclusion + ")";
                known.insert(known.begin(), left[i]);
                left.erase(left.begin() + std::ptrdiff_t(i));
                count++;
                found = true;
            }
        }
    }
    return left.empty() ? std::optional(proved + conclusion + std::string(count, ')')) : std::nullopt;
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

// With a name for each remainder, which as a polynomial would be its definition by a quotient.
static Index without_remainders(const Index &index, std::vector<Index> &remainders) {
    if (index.is_leaf()) {
        return index;
    }
    if (index.kind() != Index::Kind::Mod) {
        return Index::binary(index.kind(), without_remainders(index.a(), remainders),
                             without_remainders(index.b(), remainders));
    }
    const auto found = std::ranges::find(remainders, index);
    const std::string name = "%" + std::to_string(found - remainders.begin()); // no word of certificates
    if (found == remainders.end()) {
        remainders.push_back(index);
    }
    return Index(name);
}

// Quotients, remainders, minima and maxima stay as they are written: ring normal forms compare them so.
Index simplified(const Index &index) {
    if (has_remainder(index)) {
        std::vector<Index> remainders;
        Index result = simplified(without_remainders(index, remainders));
        for (size_t r = 0; r < remainders.size(); r++) {
            result = substitute(result, "%" + std::to_string(r), remainders[r]);
        }
        return result;
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
