#pragma once
#include "ir/graph.h"

#include <string>

namespace fluorite::loopnest {

/// An expression of a frozen graph as text for messages: variables, Funcs and inputs have the names that the user gave
/// them, without types and owners; fields of buffers are written as in programs, `in.dim(0).extent()`.
std::string text_for_user(const Expr &expr, const ir::Graph &graph);

} // namespace fluorite::loopnest
