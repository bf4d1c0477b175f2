#pragma once
// A stack for recursive walks over deep structures.

#include <functional>

namespace fluorite {

/// Runs `run` to its end with 512 MB of stack; unused stack takes no memory. It runs on its own thread, so thread_local
/// variables differ there; a nested call runs directly. Exceptions propagate. If no such thread can be created, it runs
/// on the calling thread.
void on_large_stack(const std::function<void()> &run);

} // namespace fluorite
