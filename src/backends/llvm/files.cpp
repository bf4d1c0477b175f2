// The contents of output files: object code, static libraries, assembly, bitcode and LLVM IR as text.

#include "backends/llvm/archives.h"
#include "backends/llvm/machine.h"

#include "support/check.h"
#include "support/large_stack.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>

namespace fluorite::backends {

namespace {

std::string compile_here(const ir::LoweredModule &lowered, const Target &target, OutputKind kind) {
    llvm::LLVMContext context;
    Machine machine(target, /*for_jit=*/false);
    std::unique_ptr<llvm::Module> module = make_module(context, lowered, target);
    machine.prepare(*module);
    machine.optimize(*module);
    const auto emitted = [&](llvm::CodeGenFileType type) {
        const auto bytes = machine.emit(*module, type);
        return std::string(bytes.data(), bytes.size());
    };
    std::string text;
    llvm::raw_string_ostream stream(text);
    switch (kind) {
    case OutputKind::LlvmText:
        stream << *module;
        return text;
    case OutputKind::Bitcode:
        llvm::WriteBitcodeToFile(*module, stream);
        return text;
    case OutputKind::Object:
        return emitted(llvm::CodeGenFileType::ObjectFile);
    case OutputKind::StaticLibrary:
        return archive_of({{lowered.entry().name + ".o", emitted(llvm::CodeGenFileType::ObjectFile)}}, target);
    case OutputKind::Assembly:
        return emitted(llvm::CodeGenFileType::AssemblyFile);
    case OutputKind::Source:
        break;
    }
    unreachable("LLVM makes no source code");
}

} // namespace

std::string compile_to_text(const ir::LoweredModule &module, const Target &target, OutputKind kind) {
    std::string text;
    on_large_stack([&] { text = compile_here(module, target, kind); });
    return text;
}

} // namespace fluorite::backends
