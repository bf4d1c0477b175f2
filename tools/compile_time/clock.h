#pragma once
// A clock in seconds.

#include <chrono>

namespace fluorite::compile_time {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace fluorite::compile_time
