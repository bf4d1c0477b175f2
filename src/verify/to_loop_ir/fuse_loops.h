#pragma once
// The loops of bindings that share them, fused in the loop IR of a lowered term.

#include "ir/stmt.h"
#include "verify/loops/fused_bindings.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// `names` are the bindings of buffers.
ir::Stmt with_fused_loops(const ir::Stmt &stmt, const std::vector<FusedBindings> &groups,
                          const ir::SymbolMap<std::string> &names);

} // namespace fluorite::verify
