#pragma once
#include "loopnest/loop_nest.h"

namespace fluorite::lowering {

/// Writes the values of a Func with debug_to_file to its files; undefined for other Funcs. To stand at the end of its
/// storage. See debug_files.cpp.
ir::Stmt write_debug_files(const loopnest::BoundedLoopNest &nest, FuncId func);

} // namespace fluorite::lowering
