// Reads the thread count from the environment.
//
// FLUORITE_NUM_THREADS goes before HL_NUM_THREADS; a value must be a whole number from 1 to 256. A bad value is never
// silently dropped: a line on the print hook says what was seen and what is used, once per process. Without a value
// it is the number of cores in the process's affinity mask.

#include "runtime/thread_count.h"

#include "fluorite/runtime_abi.h"

#include <atomic>
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

void report_bad_value(const char *variable, const char *value, int used) {
    static std::atomic<bool> reported{false};
    if (!reported.exchange(true)) {
        const std::string text = std::string(variable) + " is '" + value + "'; it must be a whole number from 1 to " +
                                 std::to_string(most_threads) + "; using " + std::to_string(used) +
                                 ", the number of cores [bad-thread-count]\n";
        fluorite_print(nullptr, text.c_str());
    }
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

int default_thread_count() {
    for (const char *variable : {"FLUORITE_NUM_THREADS", "HL_NUM_THREADS"}) {
        const char *value = std::getenv(variable);
        if (value == nullptr || *value == 0) {
            continue;
        }
        const int count = parse_thread_count(value);
        if (count == 0) {
            report_bad_value(variable, value, usable_cores());
            return usable_cores();
        }
        return count;
    }
    return usable_cores();
}

} // namespace fluorite_runtime
