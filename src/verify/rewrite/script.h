#pragma once
// Scheduling by hand: a program and the rewrites that lead to its schedule, as a text.
//
//     (facts (<= 1 n))
//     (inputs (input (+ n 2)))
//     (program (let pairs (gen x (+ n 1) ...) (gen y n (op2 add (get pairs y) (get pairs (+ y 1))))))
//     reschedule
//     inline pairs
//     done
//
// Commands, one a line:
//
//     inline NAME                  the binding disappears, and accesses of its loops become elements
//     rw RULE [at PATH | around NAME]   the rule at the path (numbers), at the loop or binding of that name, or at the first
//                                  place, from the root on, where it applies
//     rw back RULE to PROGRAM at PATH   the rule from right to left: it has to turn PROGRAM into what is at the path
//     simpl_guard                  every select whose condition follows from what is known there is decided
//     done                         ends the derivation
//
// RULE is a rule as in docs/certificates.md without its witnesses, which are found: `get_gen`, `(let_lift 0)`,
// `(reindex ((xo 4) (xi 8)) ((+ (* xo 8) xi)) ((/ x 8) (% x 8)) true)`, `(seq RULE RULE)`, `(at (0 1) RULE)`.

#include "verify/certificate.h"
#include "verify/terms/parse.h"

namespace fluorite::verify {

struct ScriptResult {
    std::string certificate;           // empty if the script failed
    std::string error;                 // "LINE: reason", or "LINE:COLUMN: reason" for terms
    std::vector<std::string> programs; // before and after each command
};

/// Never throws because of the text.
ScriptResult run_script(const std::string &text);

/// The rule that an expression names; throws ParseError.
Rule to_rule(const Expression &expression);

} // namespace fluorite::verify
