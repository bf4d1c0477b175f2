#pragma once
// Reads the text form of print.h. Errors are CompileError [bad-ir-text] and name file, line and column.

#include "ir/graph.h"
#include "ir/lowered.h"

#include <string>
#include <string_view>
#include <vector>

namespace fluorite::ir {

struct ParseOptions {
    /// Symbols that names may refer to, where the user's objects behind them matter; a name not listed makes a new
    /// symbol.
    std::vector<Symbol> symbols;
    /// Refuse nodes that break the type rules. Tests of the verifier turn it off, because they need broken nodes.
    bool check_types = true;
    /// In a graph, Funcs, inputs and variables without `@` get the names and owners that freezing gives them: `x` in
    /// `func f(x)` is the variable f.x, dimension 0 of its Func. For texts by hand; what is printed has all owners.
    bool numbers_graph = false;
    /// Precedes line and column in messages.
    std::string file = "text";
};

Expr parse_expr(std::string_view text, const ParseOptions &options = {});
Stmt parse_stmt(std::string_view text, const ParseOptions &options = {});
LoweredFunc parse_lowered(std::string_view text, const ParseOptions &options = {});
LoweredModule parse_module(std::string_view text, const ParseOptions &options = {});
/// Inputs and scalar parameters get new Parameter objects, unless their symbols are among the given ones.
Graph parse_graph(std::string_view text, const ParseOptions &options = {});

} // namespace fluorite::ir
