// Measures a compilation in a child process.
//
// Times are of the processor and not of the clock, so that they mean the same on a busy machine; where the code
// generator uses several threads, they are added. The child writes each step as a line into a pipe when it ends, so
// that of one that is killed at its limit the last step is known.

#include "measure.h"

#include "autoschedule/time_tiling/plan_time_tiles.h"
#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "driver/device_code.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"
#include "lowering/lower.h"
#include "lowering/statement_budget.h"
#include "support/check.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <sstream>
#include <utility>

namespace fluorite::compile_time {

namespace {

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Writes a line for each step.
class Steps {
  public:
    explicit Steps(int pipe) : pipe_(pipe) {}

    void end(const std::string &name) {
        const double now = processor_seconds();
        write_line(concat("step ", now - start_, " ", name));
        start_ = processor_seconds();
    }
    void write_line(const std::string &line) const {
        const std::string text = line + "\n";
        if (write(pipe_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            _exit(3);
        }
    }

  private:
    int pipe_;
    double start_ = processor_seconds();
};

Target target_of(const Kind &kind) {
    const Target host = get_jit_target_from_environment();
    return kind.device == Target::FeatureEnd ? host : host.with_feature(kind.device);
}

lowering::LowerOptions options_of(const Kind &kind) {
    lowering::LowerOptions options;
    options.has_device = kind.device != Target::FeatureEnd;
    return options;
}

void compile(const Kind &kind, int size, const Limits &limits, Steps &steps) {
    const Pipeline pipeline = kind.make(size);
    steps.end("build graph");
    const Target target = target_of(kind);
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), target);
    steps.end("freeze");
    lowering::LowerOptions options = options_of(kind);
    options.verify = limits.verifies;
    ir::Stmt last;
    options.on_pass = [&](const char *name, double, const ir::Stmt &stmt) {
        steps.end(name);
        last = stmt.defined() ? stmt : last;
    };
    ir::LoweredModule module =
        lowering::lower(autoschedule::time_tiling::with_time_tiles(frozen, options.machine), options);
    size_t nodes = 0;
    for (const ir::LoweredFunc &function : module.funcs) {
        nodes += function.body.defined() ? lowering::count_nodes(function.body, SIZE_MAX) : 0;
    }
    steps.write_line(concat("nodes ", nodes));
    steps.end("outline");
    if (!limits.only_lowers) {
        module = driver::with_device_code(std::move(module), target);
        steps.end("generate code of kernels");
        const auto code = driver::backend_in_process(target).load(
            module, target, {{"compile_time_stage", reinterpret_cast<void *>(&compile_time_stage)}});
        steps.end("generate code");
        if (kind.device == Target::FeatureEnd) {
            driver::backend_for(target, backends::OutputKind::Source)
                .file(module, target, backends::OutputKind::Source);
            steps.end("write C source");
        }
    }
}

[[noreturn]] void run_child(const Kind &kind, int size, const Limits &limits, int pipe) {
    const auto seconds = static_cast<rlim_t>(std::ceil(limits.seconds));
    const rlimit time = {seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    constexpr rlim_t most_bytes = rlim_t{12} << 30;
    const rlimit memory = {most_bytes, most_bytes};
    setrlimit(RLIMIT_AS, &memory);
    const rlimit core = {0, 0};
    setrlimit(RLIMIT_CORE, &core);
    Steps steps(pipe);
    try {
        compile(kind, size, limits, steps);
    } catch (const std::exception &error) {
        const std::string text = error.what();
        steps.write_line("failure " + text.substr(0, text.find('\n')));
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    steps.write_line(concat("megabytes ", usage.ru_maxrss / 1024));
    _exit(0);
}

void read_line(const std::string &line, Sample &sample) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    const auto rest = [&] {
        std::string text;
        std::getline(in >> std::ws, text);
        return text;
    };
    if (word == "step") {
        double seconds = 0;
        in >> seconds;
        sample.add_step(rest(), seconds);
    } else if (word == "nodes") {
        in >> sample.nodes;
    } else if (word == "megabytes") {
        in >> sample.megabytes;
    } else if (word == "failure") {
        sample.failure = rest();
    }
}

std::string why_it_ended(int status, const Sample &sample) {
    const std::string after = sample.steps.empty() ? "the start" : sample.steps.back().first;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
        return "over the limit, after " + after;
    }
    return WIFSIGNALED(status) ? concat("signal ", WTERMSIG(status), " after ", after) : "";
}

} // namespace

double Sample::total() const {
    double sum = 0;
    for (const auto &[name, seconds] : steps) {
        sum += seconds;
    }
    return sum;
}

void Sample::add_step(const std::string &name, double seconds) {
    const auto known = std::find_if(steps.begin(), steps.end(), [&](const auto &step) { return step.first == name; });
    if (known == steps.end()) {
        steps.emplace_back(name, seconds);
    } else {
        known->second += seconds;
        std::rotate(known, known + 1, steps.end());
    }
}

double Sample::step(const std::string &name) const {
    for (const auto &[other, seconds] : steps) {
        if (other == name) {
            return seconds;
        }
    }
    return 0;
}

Sample measure(const Kind &kind, int size, const Limits &limits) {
    Sample sample;
    sample.size = size;
    int ends[2];
    if (pipe(ends) != 0) {
        sample.failure = "no pipe";
        return sample;
    }
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(kind, size, limits, ends[1]);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    char *line = nullptr;
    size_t capacity = 0;
    while (in && getline(&line, &capacity, in) > 0) {
        read_line(std::string(line, std::string(line).find('\n')), sample);
    }
    std::free(line);
    if (in) {
        std::fclose(in);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (const std::string reason = why_it_ended(status, sample); !reason.empty()) {
        sample.failure = reason;
    }
    return sample;
}

std::string statement_after(const Kind &kind, int size, const std::string &pass) {
    const Pipeline pipeline = kind.make(size);
    lowering::LowerOptions options = options_of(kind);
    std::string text;
    options.on_pass = [&](const char *name, double, const ir::Stmt &stmt) {
        text = name == pass && stmt.defined() ? ir::to_text(stmt) : text;
    };
    lowering::lower(driver::freeze_for(*pipeline.contents(), target_of(kind)), options);
    return text;
}

} // namespace fluorite::compile_time
