#pragma once
// Circular buffers in place of full ones, where bounds inference says so.

#include "lowering/pass_context.h"
#include "lowering/regions.h"

namespace fluorite::lowering {

/// Phase Split to Split: addresses folded dimensions modulo their size.
ir::Stmt fold_storage(const ir::Stmt &stmt, const Regions &regions, const PassContext &context);

} // namespace fluorite::lowering
