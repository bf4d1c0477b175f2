// The state of the profiler under Halide's names, and what happens at the end of the process.
//
// What: the state that programs inspect (halide_profiler_get_state), its lock, and resets. At the end of the process,
// what has run since the last reset is printed. If FLUORITE_PROFILE names a file, it is written there instead, and code
// that is compiled in memory, which otherwise is reported after each run, is then in the file with all its runs.
//
// A reset keeps the pipelines, and so pointers to them; halide_profiler_shutdown also ends the thread that samples.
// Both wait until no pipeline runs, but where a pipeline calls them itself.
//
// Relies on: the print function. Does not do: the ranks of several processes together, which are a profile each. Cost:
// none until a pipeline runs.

#include "fluorite/runtime_profile.h"
#include "runtime/profile/profile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define FLUORITE_WEAK __attribute__((weak))

namespace fluorite_runtime::profile {

namespace {

halide_profiler_state the_state = {{{0}}, nullptr, nullptr, nullptr, nullptr, 1000, 0};
halide_cond changed = {{0}};

std::string named_file() {
    const char *path = std::getenv("FLUORITE_PROFILE");
    return path != nullptr ? path : "";
}

bool ends_in(const std::string &text, const char *end) {
    const size_t length = std::strlen(end);
    return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

std::atomic<bool> records{ends_in(named_file(), ".html")};

bool has_runs() {
    for (void *at = the_state.pipelines; at != nullptr; at = static_cast<halide_profiler_pipeline_stats *>(at)->next) {
        if (static_cast<halide_profiler_pipeline_stats *>(at)->runs > 0) {
            return true;
        }
    }
    return false;
}

/// Frees nothing, as other destructors may still run pipelines.
struct ReportAtExit {
    ~ReportAtExit() {
        {
            const StateLock lock;
            stop_sampling();
            if (!has_runs()) {
                return;
            }
        }
        if (const std::string path = named_file(); !path.empty()) {
            fluorite_profile_write(nullptr, path.c_str());
        } else {
            halide_profiler_report(nullptr);
        }
    }
} report_at_exit;

void reset(Pipeline &pipeline) {
    pipeline.time = pipeline.memory_current = pipeline.memory_peak = pipeline.memory_total = 0;
    pipeline.active_threads_numerator = pipeline.active_threads_denominator = 0;
    pipeline.runs = pipeline.samples = pipeline.num_allocs = 0;
    for (size_t f = 0; f < pipeline.stats.size(); f++) {
        pipeline.stats[f] = {};
        pipeline.stats[f].name = pipeline.names[f].c_str();
        pipeline.more[f] = {};
    }
    pipeline.spans.clear();
}

void wait_for_instances() {
    while (current == nullptr && the_state.instances != nullptr) {
        halide_cond_wait(&changed, &the_state.lock);
    }
}

void reset_all() {
    for (void *at = the_state.pipelines; at != nullptr;) {
        auto &pipeline = *static_cast<Pipeline *>(static_cast<halide_profiler_pipeline_stats *>(at));
        reset(pipeline);
        at = pipeline.next;
    }
}

bool write(const char *path, const std::string &text) {
    std::FILE *file = std::fopen(path, "wb");
    const bool is_written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return file != nullptr && std::fclose(file) == 0 && is_written;
}

std::string text_for(const std::string &path) {
    const StateLock lock;
    if (ends_in(path, ".json")) {
        return json();
    }
    if (ends_in(path, ".html")) {
        return page();
    }
    std::string text;
    for (const std::string &line : report_lines()) {
        text += line;
    }
    return text;
}

} // namespace

halide_profiler_state &state() { return the_state; }
halide_cond &instances_changed() { return changed; }
bool records_timeline() { return records.load(std::memory_order_relaxed); }

} // namespace fluorite_runtime::profile

using namespace fluorite_runtime::profile;

extern "C" {

FLUORITE_WEAK halide_profiler_state *halide_profiler_get_state(void) { return &state(); }
FLUORITE_WEAK halide_profiler_pipeline_stats *halide_profiler_get_pipeline_state(const char *name) {
    const StateLock lock;
    halide_profiler_pipeline_stats *at = state().pipelines;
    while (at != nullptr && std::strcmp(at->name, name) != 0) {
        at = static_cast<halide_profiler_pipeline_stats *>(at->next);
    }
    return at;
}
FLUORITE_WEAK void halide_profiler_lock(halide_profiler_state *locked) { halide_mutex_lock(&locked->lock); }
FLUORITE_WEAK void halide_profiler_unlock(halide_profiler_state *locked) { halide_mutex_unlock(&locked->lock); }

FLUORITE_WEAK void halide_profiler_reset(void) {
    const StateLock lock;
    wait_for_instances();
    reset_all();
}
FLUORITE_WEAK void halide_profiler_shutdown(void) {
    const StateLock lock;
    wait_for_instances();
    reset_all();
    stop_sampling();
}

void fluorite_profile_after_run(void *context) {
    if (!named_file().empty()) {
        return;
    }
    std::vector<std::string> lines;
    {
        const StateLock lock;
        lines = report_lines();
        reset_all();
    }
    for (const std::string &line : lines) {
        fluorite_print(context, line.c_str());
    }
}

// The print function may call the profiler, so the lock is not held.
FLUORITE_WEAK void halide_profiler_report(void *context) {
    std::vector<std::string> lines;
    {
        const StateLock lock;
        lines = report_lines();
    }
    for (const std::string &line : lines) {
        fluorite_print(context, line.c_str());
    }
}

size_t fluorite_profile_json(char *text, size_t size) {
    const StateLock lock;
    const std::string all = json();
    if (size > 0) {
        const size_t count = all.size() < size - 1 ? all.size() : size - 1;
        std::memcpy(text, all.data(), count);
        text[count] = 0;
    }
    return all.size();
}

int fluorite_profile_write(void *context, const char *path) {
    if (write(path, text_for(path))) {
        return 0;
    }
    const std::string text = std::string("in the profiler: '") + path +
                             "' cannot be written; a profile is a new file in a folder that exists, on a disk with "
                             "space; name another file [profile-file]";
    return fluorite_error(context, fluorite_error_code_cannot_profile_pipeline, text.c_str());
}

bool fluorite_profile_set_timeline(bool on) { return records.exchange(on); }
}
