#pragma once
// Sanitizers for generated code: the checks that a compiler adds to C++ under -fsanitize=address or -fsanitize=thread.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace fluorite::backends {

enum class Sanitizer : uint8_t { None, Address, Thread };

/// The sanitizer whose runtime is in this process: the one that the library itself was built with.
constexpr Sanitizer sanitizer_of_build() {
#if defined(__SANITIZE_ADDRESS__)
    return Sanitizer::Address;
#elif defined(__SANITIZE_THREAD__)
    return Sanitizer::Thread;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return Sanitizer::Address;
#elif __has_feature(thread_sanitizer)
    return Sanitizer::Thread;
#endif
#endif
    return Sanitizer::None;
}

/// Has every access to memory checked, in all functions of the module. To be called after optimization: the accesses
/// that are left are those that run.
void sanitize(llvm::Module &module, llvm::TargetMachine &machine, Sanitizer sanitizer);

} // namespace fluorite::backends
