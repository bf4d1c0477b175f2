#pragma once
// What the rows of directives are written with. The file of a directive defines its row_of_<name>(), which table.cpp
// collects; a row that is missing does not link. The name and the summary come from directives.def.

#include "schedule/directives/table.h"
#include "support/check.h"

#include <string>
#include <vector>

namespace fluorite::schedule {

#define FLUORITE_DIRECTIVE(name, summary, arguments) DirectiveRow row_of_##name();
#include "schedule/directives/directives.def"
#undef FLUORITE_DIRECTIVE

using Again = DirectiveRow::Again;

// ---- Arguments of a line.

inline const std::string &text(const Directive &d, size_t i) { return d.args.at(i).at(0); }
inline bool has(const Directive &d, size_t i) { return i < d.args.size(); }
inline const std::vector<std::string> &list(const Directive &d, size_t i) { return d.args.at(i); }
TailStrategy tail(const Directive &d, size_t i);
std::vector<Expr> exprs(DirectiveContext &context, const Directive &d, size_t i);
template <typename T> T word_of(const std::string &word, const char *(*name)(T), T last) {
    for (int i = 0; i <= static_cast<int>(last); i++) {
        if (word == name(static_cast<T>(i))) {
            return static_cast<T>(i);
        }
    }
    internal_error("a word that was checked when it was read: " + word, {});
}

inline const ArgSpec a_loop{ArgKind::Loop}, new_loop{ArgKind::NewLoop}, a_dimension{ArgKind::Dimension},
    an_expression{ArgKind::Expression}, a_promise{ArgKind::Promise};
inline const ArgSpec all_loops{ArgKind::Loop, Arity::Rest}, tail_strategy{ArgKind::Tail, Arity::Optional},
    maybe_expression{ArgKind::Expression, Arity::Optional}, maybe_integer{ArgKind::Integer, Arity::Optional};
/// A consumer, a loop of it, and the number of its stage.
std::vector<ArgSpec> level_args();

// ---- Applying.

/// The line is a Mark on a Func or a stage, with its argument as value.
Verdict apply_mark(DirectiveContext &context, const Directive &d);

// ---- Meanings.

constexpr const char *not_in_term = "its Func, or its loop, is not in the term";
constexpr const char *no_devices_in_terms = "terms have no blocks and threads of a device";
constexpr const char *no_ranks_in_terms = "terms have no ranks, which exchange what they compute";
constexpr const char *begins_later = "the certificate begins with the definitions that it makes";
constexpr Meaning rewrites{Meaning::Kind::Rewrite, not_in_term}, implied{Meaning::Kind::Implied, not_in_term};
constexpr Meaning nothing(const char *reason) { return {Meaning::Kind::Nothing, reason}; }
constexpr Meaning uncovered(const char *reason) { return {Meaning::Kind::Uncovered, reason}; }

} // namespace fluorite::schedule
