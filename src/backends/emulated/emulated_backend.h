#pragma once
// Code for other processors than this machine's, in a process of its own that an emulator runs.

#include "backends/backend.h"

namespace fluorite::backends {

/// The processor in whose code Target::arch is written has an emulator (QEMU) and a linker. `load` throws CompileError
/// [no-emulator] where they are not there.
const Backend &emulated_backend();

} // namespace fluorite::backends
