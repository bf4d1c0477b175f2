#pragma once
// Rewriting: rules applied at paths of a program, each application logged as a step of a certificate.
//
// The rules are those of proofs/; this applies them to terms as the checker will, and finds the witnesses of their side
// conditions. It may be wrong without harm: a step that the checker does not follow is a certificate that it rejects.

#include "verify/terms/paths.h"
#include "verify/terms/term.h"
#include "verify/witnesses/prover.h"
#include "verify/witnesses/refute.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

/// Where the iterations of nests store, for lowering: by the name of the nest's outermost loop, the indices over its
/// loops, outermost dimension first.
using Positions = std::map<std::string, std::vector<Index>>;

/// What a rule made of a program, and the rule's text with its operands and witnesses.
struct Applied {
    Term term;
    std::string text;
    Positions positions = {}; // of nests that the rule introduced
};
/// Nothing where the rule does not apply or no witness was found.
using Rule = std::function<std::optional<Applied>(const Facts &, const Term &)>;

// ---- Rules, named as in proofs/Rules*.v, where each equation stands.
Rule let_inline();
Rule let_dead();
Rule let_flatten();
Rule let_swap();
Rule let_lift(size_t operand);
Rule let_lift_gen();
Rule let_lift_fold();
Rule let_lift_invariant();
Rule get_gen();
Rule get_gen_guard();
Rule get_if();
Rule get_op();
Rule if_true();
Rule if_false();
Rule if_equiv(Condition q);
Rule if_same();
Rule if_introduce(Condition p);
Rule if_iter();
Rule guard_annihilates_right();
/// New loops that replace a nest: `at` says at which old indices an iteration computes, `from` which iteration computes
/// the element at the old indices.
struct NewLoops {
    std::vector<Loop> loops;
    std::vector<Index> at, from;
    Condition guard;
};
Rule reindex(const NewLoops &loops);
/// The side condition of `reindex`, and of stores: each iteration `from` is one, it computes at the old indices, and
/// the guard lets it pass (`covered` in proofs/RulesNest.v).
Condition covered(const std::vector<Loop> &old, const NewLoops &to);
std::string list_text(const std::vector<Index> &indices);
/// A loop of an update in pieces; with a guard where they are not known to be exact.
struct Pieces {
    Index count = 0, size = 0;
    std::string outer, inner;
};
Rule iter_tile(const Pieces &pieces);
Rule iter_tile_guarded(const Pieces &pieces);
Rule fold_tile(const Pieces &pieces);
Rule fold_tile_guarded(const Pieces &pieces);
Rule iter_gen();
Rule iter_swap();
Rule iter_factor();
Rule mark_loop(Term::Mark mark);
Rule mark_reduction(Term::Mark mark);
/// The operator with which a step adds to the tensor, whatever else it depends on; nothing if it does something else
/// (`gathers` in proofs/RulesUpdate.v).
std::optional<std::string> gathers(const std::string &tensor, const Term &step);
Rule unmark();
Rule rename_loop(std::string name);
Rule fold_gen();
Rule fold_swap();
Rule fold_indicator();
Rule fold_factor();
Rule fold_op();
Rule op_comm();
Rule op_assoc();
Rule unit_left();
Rule unit_null();
/// The rule applied at a path below.
Rule at(Path path, Rule rule);
/// One rule after the other.
Rule sequence(std::vector<Rule> rules);
/// The program that the rule turns into the one at hand.
Rule reversed(Rule rule, Term result);

class Derivation {
  public:
    Derivation(Term program, Facts facts, bool keeps_programs = false);
    const Term &program() const { return program_; }
    const Facts &facts() const { return facts_; }
    const std::vector<std::string> &steps() const { return steps_; }
    const Positions &positions() const { return positions_; }
    /// The program before and after each step, if they are kept.
    const std::vector<std::string> &programs() const { return programs_; }
    /// Adds a fact behind the others, whose numbers in witnesses stay; false where it would contradict them.
    bool assume(const Condition &fact) { return add_if_possible(fact, facts_); }
    /// False, and nothing is changed, where the rule does not apply.
    bool apply(const Path &path, const Rule &rule);
    Term subterm(const Path &path) const;

  private:
    Term program_;
    Facts facts_;
    std::vector<std::string> steps_;
    Positions positions_;
    bool keeps_programs_ = false;
    std::vector<std::string> programs_;
};

} // namespace fluorite::verify
