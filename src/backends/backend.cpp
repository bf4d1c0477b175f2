#include "backends/backend.h"

#include "support/check.h"

namespace fluorite::backends {

const char *to_word(OutputKind kind) {
    switch (kind) {
    case OutputKind::Object:
        return "object code";
    case OutputKind::StaticLibrary:
        return "a static library";
    case OutputKind::Assembly:
        return "assembly";
    case OutputKind::Bitcode:
        return "bitcode";
    case OutputKind::LlvmText:
        return "LLVM's text";
    case OutputKind::Source:
        return "source code";
    }
    unreachable("an output of no kind");
}

std::unique_ptr<Executable> Backend::load(const ir::LoweredModule &module, const Target &,
                                          const std::vector<ExternSymbol> &) const {
    refuse(module, "code in memory");
}

void Backend::refuse(const ir::LoweredModule &module, const std::string &what) const {
    throw CompileError(
        "not-built", concat("in ", module.entry().name, ": ", what, " is asked of the back end ", name(),
                            "; it does not make that; compile to what it makes, or for a target of another back end"));
}

void Backend::refuse_kernels(const ir::LoweredModule &module) const {
    for (const ir::LoweredFunc &func : module.funcs) {
        if (func.kind == ir::LoweredFunc::Kind::Kernel && !module.device_code) {
            throw CompileError("gpu-target",
                               "in " + module.entry().name +
                                   ": loops run as blocks of a GPU, and the target names none; compile for a target "
                                   "with the feature opencl or cuda, or use tile, parallel and vectorize; "
                                   "FLUORITE_BACK_END=executor runs kernels without a device");
        }
    }
}

} // namespace fluorite::backends
