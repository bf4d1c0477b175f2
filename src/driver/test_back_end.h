#pragma once
// For tests of what only machine code does.

#include "driver/choose_backend.h"
#include "fluorite/target.h"

#include <gtest/gtest.h>

namespace fluorite {

/// Whether pipelines of this process become machine code, rather than being executed by the executor.
inline bool makes_machine_code() { return driver::backend_in_process(get_host_target()).name() == "llvm"; }

} // namespace fluorite

/// Skips a test of what the executor does not do, and says what.
#define SKIP_IN_EXECUTOR(reason)                                                                                       \
    if (!makes_machine_code()) {                                                                                       \
        GTEST_SKIP() << "in the executor, " reason;                                                                    \
    }
