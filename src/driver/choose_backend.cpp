// Only this file knows which back ends exist. The LLVM back end serves every target and every kind of file; it refuses
// targets for which it has no code generator, and kinds that it does not make.

#include "driver/choose_backend.h"

#include "backends/executor/executor.h"
#include "backends/llvm/llvm_backend.h"
#include "support/check.h"

#include <cstdlib>
#include <string_view>

namespace fluorite::driver {

using backends::Backend;

const Backend &backend_for(const Target &, backends::OutputKind) { return backends::llvm_backend(); }

const Backend &backend_in_process(const Target &) {
    const char *name = std::getenv("FLUORITE_BACK_END");
    const std::string_view wanted = name ? name : "";
    if (wanted.empty() || wanted == "llvm") {
        return backends::llvm_backend();
    }
    if (wanted == "executor") {
        return backends::executor_backend();
    }
    throw CompileError("bad-back-end",
                       concat("the environment variable FLUORITE_BACK_END is '", wanted,
                              "'; it names the back end that makes code for this process; set it to llvm or executor, "
                              "or leave it unset"));
}

} // namespace fluorite::driver
