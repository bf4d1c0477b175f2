// Reads the thread count from the environment.
//
// What: FLUORITE_NUM_THREADS takes precedence over the peer's HL_NUM_THREADS, and this over its older spelling
// HL_NUMTHREADS; the first of them that is set and not empty gives the number of threads of a parallel loop, an integer
// from 1 to 256. Without any, it is the number of cores in the process's affinity mask. Any other value is an error in
// every loop that would use it: a run that continued with another number would hide that a program is measured, or
// limited, in another way than requested. Cost: three look-ups in the environment when the first loop runs.

#include "runtime/thread_count.h"

#include <cstdlib>
#include <sched.h>
#include <unistd.h>

namespace fluorite_runtime {

namespace {

int usable_cores() {
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
                                                                   : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return count < 1 ? 1 : count < most_threads ? count : most_threads;
}

} // namespace

int parse_thread_count(const char *text) {
    int count = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9' && count <= most_threads; text++, digits++) {
        count = count * 10 + (*text - '0');
    }
    return *text == 0 && digits > 0 && count <= most_threads ? count : 0;
}

namespace {
/// The variable that gives the number, or null.
const char *thread_count_variable() {
    for (const char *variable : {"FLUORITE_NUM_THREADS", "HL_NUM_THREADS", "HL_NUMTHREADS"}) {
        const char *value = std::getenv(variable);
        if (value != nullptr && *value != 0) {
            return variable;
        }
    }
    return nullptr;
}
} // namespace

int default_thread_count() {
    const char *variable = thread_count_variable();
    return variable != nullptr ? parse_thread_count(std::getenv(variable)) : usable_cores();
}

std::string bad_thread_count() {
    const char *variable = thread_count_variable();
    if (variable == nullptr || default_thread_count() > 0) {
        return "";
    }
    return std::string("in ") + variable + ": its value is '" + std::getenv(variable) +
           "'; a number of threads is a whole number from 1 to " + std::to_string(most_threads) +
           "; set it to one, or unset it for the number of cores [bad-thread-count]";
}

} // namespace fluorite_runtime
