#pragma once
// The words of operators and constants in terms: the kind and the type of the node (`add.float32`), and of constants
// the value (`c.int32.5`).

#include "ir/expr_node.h"

#include <map>
#include <string>

namespace fluorite::verify {

/// The type as a part of words.
std::string type_word(Type type);
/// The word of an operator or constant, which is noted with the node that it stands for. Terms with equal words are
/// taken for equal, hence what a word stands for has to be one thing; throws Unsupported if it is noted for another.
std::string note_operator(std::map<std::string, Expr> &operators, const Expr &expr);

} // namespace fluorite::verify
