#pragma once
// Sanitizers for generated code: the checks that a C++ compiler adds under -fsanitize=address or -fsanitize=thread.

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace fluorite::backends {

enum class Sanitizer : uint8_t { None, Address, Thread };

/// The sanitizer whose runtime is in this process, that is, the one with which the library itself was built.
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

/// Instruments every memory access of the module. Call it after optimization, so that only the remaining accesses are
/// checked.
void sanitize(llvm::Module &module, llvm::TargetMachine &machine, Sanitizer sanitizer);

} // namespace fluorite::backends
