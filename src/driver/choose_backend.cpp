// Only this file knows which back ends exist. The LLVM back end serves every target and every kind of file but source
// code, which the C back end writes; each refuses targets for which it has no code generator. Code of another
// architecture than this machine's is run by an emulator.

#include "driver/choose_backend.h"

#include "backends/c/c_backend.h"
#include "backends/emulated/emulated_backend.h"
#include "backends/executor/executor.h"
#include "backends/llvm/llvm_backend.h"
#include "ir/host_target.h"
#include "support/check.h"

#include <cstdlib>
#include <string_view>

namespace fluorite::driver {

using backends::Backend;

namespace {

/// What compiles C source for this process.
const Backend &c_backend_in_process() {
    const char *command = std::getenv("FLUORITE_C_COMPILER");
    return backends::c_backend(command && *command != 0 ? command : "cc -std=gnu99 -O1 -ffp-contract=off");
}

} // namespace

const Backend &backend_for(const Target &, backends::OutputKind kind) {
    return kind == backends::OutputKind::Source ? c_backend_in_process() : backends::llvm_backend();
}

const Backend &backend_in_process(const Target &target) {
    const char *name = std::getenv("FLUORITE_BACK_END");
    const std::string_view wanted = name ? name : "";
    if (wanted.empty() || wanted == "llvm") {
        return target.arch == ir::real_host_target().arch ? backends::llvm_backend() : backends::emulated_backend();
    }
    if (wanted == "executor") {
        return backends::executor_backend();
    }
    if (wanted == "c") {
        return c_backend_in_process();
    }
    throw CompileError("bad-back-end",
                       concat("the environment variable FLUORITE_BACK_END is '", wanted,
                              "'; it names the back end that makes code for this process; set it to llvm, "
                              "executor or c, or leave it unset"));
}

} // namespace fluorite::driver
