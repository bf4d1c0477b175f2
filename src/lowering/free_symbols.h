#pragma once
// The surroundings of a statement that comes without its pipeline.

#include "ir/verify.h"

#include <string>
#include <unordered_set>

namespace fluorite::lowering {

/// Arguments and Funcs for all symbols that the statement uses and does not bind, with the types and numbers of
/// dimensions that its accesses show; those of `known` have those that they have there.
ir::Surroundings with_free_symbols(const ir::Stmt &stmt, ir::Surroundings known = {});

/// The names of all symbols in the statement.
std::unordered_set<std::string> names_in(const ir::Stmt &stmt);

} // namespace fluorite::lowering
