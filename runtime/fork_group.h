#pragma once
// The fork that the code of a thread runs in, so that whoever waits learns that it is stopped.

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

/// Null outside of all forks. Parallel loops hand it on to the threads that help.
extern thread_local ForkGroup *current_fork;

} // namespace fluorite_runtime
