#pragma once
// The search for one witness (prover.h says how): what is known as linear inequalities, combinations of them, and the
// lemmas that say what no combination does.

#include "verify/witnesses/polynomial.h"
#include "verify/witnesses/prover.h"
#include "verify/witnesses/simplex.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

// An inequality p >= 0 and where the checker's list has it from: what is known of opaque term `from` (about), or a
// fact; the checker leaves it out of its list where it is not told of the opaque terms in `opaque`.
struct Hypothesis {
    SparseRow p;
    bool about = false;
    size_t from = 0;
    std::vector<size_t> opaque = {};
};

// Proofs under facts to which the search adds others, as the checker does, in front.
class Prover {
  public:
    enum class Rounding : bool { No, Yes };
    Prover(const Facts &facts, const Condition &goal, int searches, Rounding rounding);

    std::optional<std::string> prove(const Condition &goal, int cases);

  private:
    using Model = std::vector<Rational>; // by columns; empty: unknown

    // ---- What is known.

    bool is_known(const Condition &p) const { return std::ranges::find(known_, p) != known_.end(); }
    SparseRow row_of(const Polynomial &p);
    // Those that a polynomial is made of, not those inside of them.
    void add_direct(const Index &index, std::vector<size_t> &found) const;
    void add(const Index &a, const Index &b, bool about, size_t from);
    bool is_positive(const Index &b) const;
    // In the order of `hyps` in proofs/Solver.v.
    void about(const Index &a, size_t k);
    void fact(const Condition &p, size_t k);
    // Whether the checker knows more of a quotient, too, once this is a fact.
    bool makes_divisor_positive(const Condition &p) const;
    std::optional<std::string> prove_with(const Facts &more, const Condition &goal, int cases);

    // ---- Linear combinations.

    std::optional<std::string> linear_witness(const Condition &goal, Model &model);
    // 6x - 6y - 1 >= 0 of integers is x - y - 1 >= 0: whether the row is another one then.
    static bool cut(SparseRow &row);
    // A certificate of ZChecker: hypothesis 0 is the negated goal; where that is cut, what it is cut to, before the
    // others. The leaf speaks of no other opaque terms than it needs.
    std::string leaf_text(const Condition &goal, const std::vector<Wide> &multipliers, bool is_cut) const;

    // ---- Lemmas.

    // (i*m + j) / m = i where 0 <= j < m: over rational numbers, no linear combination says so.
    std::optional<std::string> prove_by_division(const Condition &goal, int cases);

    // Products of two sizes: a*c <= b*c where a <= b and c >= 0, and bounds of quotients by a size, for products and
    // quotients that the model has in the wrong order.
    std::optional<std::string> prove_by_products(const Condition &goal, const Model &model, int cases);
    struct ProductLemma {
        std::string text;
        Condition conclusion, premise;
    };
    std::vector<ProductLemma> lemmas_of_products() const;
    Index factor(const std::string &variable) const;
    // Of inequalities; a model in which they hold says that they do not matter.
    bool holds_in(const Model &model, const Condition &p);

    std::optional<Rational> value_of(const Index &index, const Model &model);
    // Whether a minimum or maximum is neither of its operands in the model, which shows that its cases matter.
    bool is_violated(const Index &m, const Model &model);
    // In the case that the first operand is the smaller one, and in the other. Where a model of the facts and the
    // negated goal gives every minimum and maximum its value, no distinction of cases helps.
    std::optional<std::string> prove_by_cases(const Condition &goal, const Model &model, int cases);
    // Quotients whose difference is no integer in the model: of the integers on either side of it, the difference is
    // on one side, which a linear combination may say.
    std::optional<std::string> prove_by_rounding(const Condition &goal, const Model &model, int cases);
    // a / c <= b / c where a <= b, for quotients that the model has in the wrong order: rational numbers do not round.
    std::optional<std::string> prove_by_monotony(const Condition &goal, const Model &model, int cases);
    static bool is_below(const std::optional<Rational> &a, const std::optional<Rational> &b);
    // b <= a, where the negation of a <= b is a fact; nothing if no search is left for it.
    std::optional<std::string> premise_of(const Index &m, const Condition &known);

    const Facts facts_;
    Opaque opaque_;
    std::map<Monomial, size_t> columns_; // from 1 on; column 0 is the constant
    std::vector<Hypothesis> hypotheses_;
    size_t abouts_ = 0; // how many of them are about opaque terms
    Facts known_;       // the facts, those in front last; Hypothesis::from counts so
    const Rounding rounding_;
    int searches_left_;
};

} // namespace fluorite::verify
