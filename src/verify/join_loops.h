#pragma once
// The loops of bindings that share them, joined in the loop IR of a lowered term.

#include "ir/stmt.h"
#include "verify/joined.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// `names` are the bindings of buffers.
ir::Stmt with_joined_loops(const ir::Stmt &stmt, const std::vector<JoinedBindings> &groups,
                           const ir::SymbolMap<std::string> &names);

} // namespace fluorite::verify
