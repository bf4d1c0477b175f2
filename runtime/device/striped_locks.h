#pragma once
// Locks of what generated code changes the flags of: buffers and mirrors, which have no room for a lock of their own.

#include <array>
#include <cstdint>
#include <mutex>

namespace fluorite_runtime {

/// The lock of an object, which other objects may share. Hold one at a time.
inline std::mutex &lock_of(const void *object) {
    static std::array<std::mutex, 64> locks;
    constexpr uintptr_t distance = 32; // between objects, about
    return locks[reinterpret_cast<uintptr_t>(object) / distance % locks.size()];
}

} // namespace fluorite_runtime
