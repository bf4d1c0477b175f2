// Writing machine code, assembly, bitcode and LLVM's text.
//
// What: each file is whole or not there (support/write_file).

#include "backends/llvm/machine.h"

#include "support/check.h"
#include "support/large_stack.h"
#include "support/write_file.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace fluorite::backends {

namespace {

std::string compile_here(const std::vector<ir::LoweredFunc> &funcs, const Target &target, OutputKind kind) {
    llvm::LLVMContext context;
    Machine machine(target, /*for_jit=*/false);
    std::unique_ptr<llvm::Module> module = make_module(context, funcs, target, nullptr);
    machine.prepare(*module);
    machine.optimize(*module);
    std::string text;
    llvm::raw_string_ostream stream(text);
    switch (kind) {
    case OutputKind::LlvmText:
        stream << *module;
        break;
    case OutputKind::Bitcode:
        llvm::WriteBitcodeToFile(*module, stream);
        break;
    case OutputKind::Object:
    case OutputKind::Assembly: {
        const auto type =
            kind == OutputKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
        const auto bytes = machine.emit(*module, type);
        stream.write(bytes.data(), bytes.size());
        break;
    }
    }
    return text;
}

std::string compile(const std::vector<ir::LoweredFunc> &funcs, const Target &target, OutputKind kind) {
    std::string text;
    on_large_stack([&] { text = compile_here(funcs, target, kind); });
    return text;
}

} // namespace

void compile_to_file(const std::vector<ir::LoweredFunc> &funcs, const Target &target, OutputKind kind,
                     const std::string &path) {
    if (!write_file(path, compile(funcs, target, kind))) {
        throw CompileError("cannot-write", concat("in ", funcs[0].name, ": cannot write the file '", path,
                                                  "'; its folder must exist and be writable; give another path"));
    }
}

std::string compile_to_text(const ir::LoweredFunc &func, const Target &target, OutputKind kind) {
    return compile({func}, target, kind);
}

} // namespace fluorite::backends
