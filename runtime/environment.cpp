// Mentions misspelled variables of the environment.
//
// What: a variable that begins with FLUORITE_ and that nothing reads is most likely a misspelled one, whose setting the
// program would otherwise lack in silence. The first time that a pipeline is compiled in the process, or that compiled
// code starts the thread pool or takes memory, each such variable is printed through the print function, with the name
// that resembles it most. It is no error, because a program may have variables of its own.
//
// The table is the only list of these names; `./dev lint` compares it with docs/environment.md, which says what each of
// them means. Names that begin with HL_ are the peer's, most of which have no meaning here; they are not looked at.
//
// Cost: one look at the environment in the life of a process, later one load of a variable.

#include "runtime/environment.h"

#include "fluorite/runtime/checks.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace fluorite_runtime {

namespace {

constexpr std::string_view prefix = "FLUORITE_";

/// What the library, its runtime, and the tests and tools of the repository read.
constexpr std::string_view known[] = {
    "FLUORITE_BACK_END",
    "FLUORITE_C_COMPILER",
    "FLUORITE_CHECK",
    "FLUORITE_COMPARE_OUTPUTS",
    "FLUORITE_DEVICE_MODEL",
    "FLUORITE_FUZZ_FACTOR",
    "FLUORITE_GPU_DEVICE",
    "FLUORITE_HOST",
    "FLUORITE_JIT_TARGET",
    "FLUORITE_MACHINE_FILE",
    "FLUORITE_MUTANT",
    "FLUORITE_MUTANT_LOG",
    "FLUORITE_NUM_THREADS",
    "FLUORITE_OPENCL_BUILD_OPTIONS",
    "FLUORITE_OPENCL_DEVICE_TYPE",
    "FLUORITE_OPENCL_PLATFORM",
    "FLUORITE_POISON",
    "FLUORITE_PROFILE",
    "FLUORITE_SOURCE_DIR",
    "FLUORITE_TARGET",
    "FLUORITE_TASK_DELAY",
    "FLUORITE_TASK_ORDER",
    "FLUORITE_UPDATE_GOLDENS",
    "FLUORITE_UPDATE_PROOFS",
    "FLUORITE_VERIFY",
    "FLUORITE_WRITE_PIPELINES",
};

/// A name is taken for a misspelled one if at most so many letters are changed, missing or too many.
constexpr size_t most_misspelled_letters = 3;

/// The number of letters to change, add or remove (Levenshtein's distance).
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t k = 0; k <= b.size(); k++) {
        row[k] = k;
    }
    for (size_t i = 1; i <= a.size(); i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= b.size(); k++) {
            const size_t replaced = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
            diagonal = row[k];
            row[k] = std::min({replaced, row[k] + 1, row[k - 1] + 1});
        }
    }
    return row[b.size()];
}

std::string advice_for(std::string_view name) {
    size_t least = most_misspelled_letters + 1;
    std::string_view nearest;
    for (const std::string_view other : known) {
        if (const size_t letters = distance(name, other); letters < least) {
            least = letters;
            nearest = other;
        }
    }
    return nearest.empty() ? "docs/environment.md lists the variables that are read"
                           : "did you mean " + std::string(nearest) + "?";
}

} // namespace

std::string unknown_variables(const char *const *environment) {
    std::string text;
    for (; environment != nullptr && *environment != nullptr; environment++) {
        const std::string_view line(*environment), name = line.substr(0, line.find('='));
        if (name.starts_with(prefix) && std::find(std::begin(known), std::end(known), name) == std::end(known)) {
            text +=
                "note: the environment sets " + std::string(name) + ", which nothing reads; " + advice_for(name) + "\n";
        }
    }
    return text;
}

} // namespace fluorite_runtime

extern "C" void fluorite_mention_unknown_variables(void *context) {
    static std::atomic<bool> is_done{false};
    if (is_done.load(std::memory_order_relaxed) || is_done.exchange(true)) {
        return;
    }
    const std::string text = fluorite_runtime::unknown_variables(environ);
    if (!text.empty()) {
        fluorite_print(context, text.c_str());
    }
}
