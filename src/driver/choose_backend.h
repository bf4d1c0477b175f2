#pragma once

#include "backends/backend.h"

namespace fluorite::driver {

/// The back end that makes files of the kind for the target.
const backends::Backend &backend_for(const Target &target, backends::OutputKind kind);
/// The back end that makes code which runs in this process. FLUORITE_BACK_END names another one than the default, for
/// tests. Throws CompileError [bad-back-end] for a name that none has.
const backends::Backend &backend_in_process(const Target &target);

} // namespace fluorite::driver
