#pragma once
// The fork in which a thread's code runs, so that waiters learn that it has stopped.

#include <atomic>

namespace fluorite_runtime {

struct ForkGroup {
    std::atomic<bool> stopped{false};
    ForkGroup *parent = nullptr;

    bool is_stopped() const {
        for (const ForkGroup *group = this; group != nullptr; group = group->parent) {
            if (group->stopped.load()) {
                return true;
            }
        }
        return false;
    }
};

/// Null outside all forks. Parallel loops pass it to the threads that help.
extern thread_local ForkGroup *current_fork;

} // namespace fluorite_runtime
