#pragma once
// A stack for walks that go as deep as what they walk.

#include <functional>

namespace fluorite {

/// Runs `run` to its end, with 512 MB of stack; what is not used takes no memory. On a thread of its own, so variables
/// of threads are others there; inside of another call, directly. Exceptions come out. Where no such thread can be made
/// it runs where it is.
void on_large_stack(const std::function<void()> &run);

} // namespace fluorite
