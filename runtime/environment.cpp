// Mentions misspelled variables of the environment.
//
// What: a variable that begins with FLUORITE_ and that nothing reads is most likely a misspelled one, whose setting the
// program would otherwise lack in silence. The first time that a pipeline is compiled in the process, or that compiled
// code starts the thread pool or takes memory, each such variable is printed through the print function, with the name
// that resembles it most. It is no error, because a program may have variables of its own.
//
// The table is the only list of these names; `./dev lint` compares it with docs/environment.md, which says what each of
// them means. A variable that begins with HL_ is most likely one of the peer's; those that have no meaning here are
// mentioned as well, with what there is instead.
//
// Cost: one look at the environment in the life of a process, later one load of a variable.

#include "runtime/environment.h"

#include "fluorite/runtime/checks.h"
#include "runtime/text.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace fluorite_runtime {

namespace {

constexpr std::string_view prefix = "FLUORITE_", peer_prefix = "HL_";

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
    "FLUORITE_SERIALIZE",
    "FLUORITE_SOURCE_DIR",
    "FLUORITE_TARGET",
    "FLUORITE_TASK_DELAY",
    "FLUORITE_TASK_ORDER",
    "FLUORITE_UPDATE_GOLDENS",
    "FLUORITE_UPDATE_PROOFS",
    "FLUORITE_VERIFY",
    "FLUORITE_WRITE_PIPELINES",
};

/// The variables of the peer that are read.
constexpr std::string_view known_of_peer[] = {
    "HL_GPU_DEVICE",      "HL_JIT_TARGET",        "HL_NUMTHREADS", "HL_NUM_THREADS", "HL_OCL_BUILD_OPTIONS",
    "HL_OCL_DEVICE_TYPE", "HL_OCL_PLATFORM_NAME", "HL_TARGET",     "HL_TRACE_FILE",
};

/// What there is in place of others.
struct Replacement {
    std::string_view name, advice;
};
constexpr Replacement replacements[] = {
    {"HL_COMPILER_STACK_SIZE", "the compiler takes the stack that it needs"},
    {"HL_DEBUG_CODEGEN", "FLUORITE_WRITE_PIPELINES and fluorite_opt show what passes do"},
    {"HL_DEBUG_COMPILER_LOGGER", "Pipeline::compile_report() says what the compiler does"},
    {"HL_EXTRA_OUTPUTS", "compile_to() and the option -e of generators name the files"},
    {"HL_LLVM_ARGS", "features of the target turn passes off"},
    {"HL_PERMIT_FAILED_UNROLL", "unroll of a loop without a constant extent is an error; split it first"},
    {"HL_TIME_LOWERING_PASSES", "fluorite_compile_time measures passes"},
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
    for (const Replacement &replacement : replacements) {
        if (name == replacement.name) {
            return std::string(replacement.advice);
        }
    }
    size_t least = most_misspelled_letters + 1;
    std::string_view nearest;
    for (const std::span<const std::string_view> names :
         {std::span<const std::string_view>(known), std::span<const std::string_view>(known_of_peer)}) {
        for (const std::string_view other : names) {
            if (const size_t letters = distance(name, other); letters < least) {
                least = letters;
                nearest = other;
            }
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
        const auto is_in = [&](const auto &list) {
            return std::find(std::begin(list), std::end(list), name) != std::end(list);
        };
        if ((name.starts_with(prefix) && !is_in(known)) || (name.starts_with(peer_prefix) && !is_in(known_of_peer))) {
            text +=
                "note: the environment sets " + std::string(name) + ", which nothing reads; " + advice_for(name) + "\n";
        }
    }
    return text;
}

} // namespace fluorite_runtime

extern "C" void fluorite_tell_unknown_variables(void *context, fluorite_print_t tell) {
    static std::atomic<bool> is_done{false};
    if (is_done.load(std::memory_order_relaxed) || is_done.exchange(true)) {
        return;
    }
    const std::string text = fluorite_runtime::unknown_variables(environ);
    if (!text.empty()) {
        tell(context, text.c_str());
    }
}

extern "C" void fluorite_mention_unknown_variables(void *context) {
    fluorite_tell_unknown_variables(context, fluorite_runtime::print_message);
}
