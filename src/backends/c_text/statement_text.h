#pragma once
// The statements that all dialects of C have in one form: lets and the statements inside of them, branches, and stores
// of lanes. A back end gives what differs: how it defines a variable, evaluates a condition, and writes an element.

#include "backends/c_text/function_text.h"

#include <functional>

namespace fluorite::backends::c_text {

using WriteStmt = std::function<void(const ir::Stmt &)>;

/// Writes a statement: `let` defines the variable of each LetStmt around it, `leaf` writes what is inside of them.
/// Marks for readers (ProducerConsumer) have no text. Bodies nest deeply where lets do, so they are written
/// iteratively. What a let or a leaf computes is not known after it (FunctionText::open_statement).
void write_in_lets(FunctionText &text, const ir::Stmt &stmt, const std::function<void(const ir::LetStmt &)> &let,
                   const WriteStmt &leaf);

/// `if (condition) { ... } else { ... }`.
void write_branch(FunctionText &text, const std::string &condition, const ir::IfThenElse &node, const WriteStmt &write);

/// What is computed for one lane: a name or an expression of the language.
using OfLane = std::function<std::string(int)>;
/// One line `place = value;` for each lane of the store, in their order, as lanes may be of one element; where the
/// store has a predicate, only if it holds in the lane. `predicate` is not called where it always does.
void write_lanes(FunctionText &text, const ir::Store &node, const OfLane &place, const OfLane &value,
                 const OfLane &predicate);
/// Whether all lanes are stored.
bool stores_all_lanes(const ir::Store &node);

} // namespace fluorite::backends::c_text
