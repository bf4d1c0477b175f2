// Campaigns of iterated pipelines.
//
// Each case is drawn, compiled, run and interpreted in a process of its own, which writes the program's text and its
// outcome into memory that it shares with the campaign. So a crash or a hang is a failure of its case, whose text is
// complete up to the line that failed, and the campaign goes on.

#include "iterations/campaign.h"

#include "driver/compiled.h"
#include "driver/user_context.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "iterations/case.h"
#include "ranks.h"
#include "run.h"
#include "support/check.h"
#include "worker.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <map>

namespace fluorite::fuzz::iterations {

namespace {

using Kind = Outcome::Kind;

/// What a case leaves, in shared memory.
struct Shared {
    Kind kind;
    char slug[64], text[2000], features[4000], program[1 << 18];
};

template <size_t N> void append(char (&to)[N], const std::string &text) {
    const size_t length = strnlen(to, N);
    std::snprintf(to + length, N - length, "%s", text.c_str());
}

void finish(Shared &shared, Kind kind, const std::string &slug, const std::string &text) {
    append(shared.slug, slug);
    append(shared.text, text);
    shared.kind = kind;
}

/// The buffers of all outputs, in order.
std::vector<GuardedBuffer> make_results(const IterationCase &made, bool is_dense) {
    std::vector<GuardedBuffer> results;
    for (const IterationOutput &output : made.outputs) {
        for (const Type type : output.func.types()) {
            results.emplace_back(type, output.box, is_dense ? Layout::Dense : output.layout, is_dense ? 0xaa : 0x55);
        }
    }
    return results;
}

std::vector<fluorite_buffer_t *> raw(std::vector<GuardedBuffer> &buffers) {
    std::vector<fluorite_buffer_t *> pointers;
    for (GuardedBuffer &buffer : buffers) {
        pointers.push_back(buffer.raw());
    }
    return pointers;
}

void interpret_case(const IterationCase &made, const Pipeline &pipeline, const Target &target,
                    std::vector<GuardedBuffer> &expected) {
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), target);
    interpret::Interpreter interpreter(frozen.graph);
    std::vector<fluorite_buffer_t *> pointers = raw(expected);
    auto next = pointers.begin();
    for (size_t o = 0; o < made.outputs.size(); o++) {
        const IterationOutput &output = made.outputs[o];
        const auto end = next + output.func.outputs();
        interpreter.evaluate(o, {output.box.min, output.box.extent}, {next, end});
        next = end;
    }
}

/// What ranks may refuse: iterations in bodies, directives on memory, and bodies whose schedules round a part up, or
/// make loops over a part of a size that is no constant.
constexpr const char *allowed_on_ranks[] = {
    "distributed-func",    "distributed-read",           "input-too-small",  "bounds-do-not-converge",
    "constraint-violated", "unroll-non-constant-extent", "output-too-small", "vectorize-non-constant-extent"};

/// The difference between the machine code and the interpreter, or an empty text.
std::string difference_of(IterationCase &made, const Options &options, uint64_t number) {
    std::vector<Func> funcs;
    for (const IterationOutput &output : made.outputs) {
        funcs.push_back(output.func);
    }
    const Pipeline pipeline(funcs);
    const auto compiled = driver::compiled_for(*pipeline.contents(), get_jit_target_from_environment(), {});
    const driver::RunContext context{nullptr, JITHandlers(), Location::current()};
    std::vector<GuardedBuffer> expected = make_results(made, true);
    std::vector<GuardedBuffer> first = make_results(made, false), second = make_results(made, false);
    driver::run(*compiled, raw(first), context, {});
    driver::run(*compiled, raw(second), context, {});
    interpret_case(made, pipeline, compiled->target, expected);
    for (std::vector<GuardedBuffer> *seen : {&first, &second}) {
        for (size_t i = 0; i < expected.size(); i++) {
            const auto compared = interpret::compare_bits(*(*seen)[i].raw(), *expected[i].raw());
            if (!compared) {
                return "result " + std::to_string(i) + (seen == &first ? ": " : " of the second run: ") + compared.text;
            }
            if (!(*seen)[i].is_intact()) {
                return "result " + std::to_string(i) + ": bytes beside the elements have changed";
            }
        }
    }
    for (size_t i = 0; i < made.inputs.size(); i++) {
        if (!made.inputs[i].is_intact()) {
            return "input " + std::to_string(i) + ": bytes beside the elements have changed";
        }
    }
    if (!options.ranks) {
        return "";
    }
    schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), compiled->target);
    for (schedule::ScheduledIteration &iteration : frozen.iterations) {
        iteration.tile.extents.clear(); // which ranks refuse
    }
    const RanksOutcome ranks = run_on_ranks(frozen, compiled->target, raw(expected), options.seed * 1000003 + number);
    if (ranks.ran) {
        made.features.insert("on ranks");
        return ranks.difference;
    }
    made.features.insert("ranks-" + ranks.difference);
    const bool is_allowed = std::any_of(std::begin(allowed_on_ranks), std::end(allowed_on_ranks),
                                        [&](const char *slug) { return ranks.difference == slug; });
    return is_allowed ? "" : "on ranks: " + ranks.error;
}

void run_iteration_case(const Options &options, uint64_t number, Shared &shared) {
    try {
        IterationCase made = make_iteration_case(options.seed, number,
                                                 [&](const std::string &line) { append(shared.program, line + "\n"); });
        const auto note_features = [&] {
            shared.features[0] = 0;
            for (const std::string &feature : made.features) {
                append(shared.features, feature + "\n");
            }
        };
        note_features();
        const std::string difference = difference_of(made, options, number);
        note_features();
        finish(shared, difference.empty() ? Kind::Same : Kind::Mismatch, "", difference);
    } catch (const CompileError &error) {
        finish(shared, Kind::Rejected, error.slug(), error.what());
    } catch (const RuntimeError &error) {
        finish(shared, Kind::Refused, error.slug(), error.what());
    } catch (const std::exception &error) {
        finish(shared, Kind::Internal, "internal", error.what());
    }
}

/// A case that runs in a process of its own.
class RunningCase {
  public:
    RunningCase(const Options &options, uint64_t number) : number_(number), idle_limit_(options.idle_limit) {
        void *memory =
            mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        check(memory != MAP_FAILED, "memory can be shared");
        shared_ = new (memory) Shared;
        shared_->kind = Kind::Crash;
        std::fflush(nullptr);
        pid_ = fork();
        check(pid_ >= 0, "a process can be made");
        if (pid_ == 0) {
            const rlimit limit{static_cast<rlim_t>(options.time_limit), RLIM_INFINITY};
            setrlimit(RLIMIT_CPU, &limit);
            run_iteration_case(options, number, *shared_);
            _exit(0);
        }
        idle_.start(pid_);
    }
    RunningCase(const RunningCase &) = delete;
    RunningCase &operator=(const RunningCase &) = delete;
    ~RunningCase() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
        munmap(shared_, sizeof(Shared));
    }

    uint64_t number() const { return number_; }
    const Shared &left() const { return *shared_; }

    /// Whether the process has ended; a process that waits for itself is ended here.
    bool ends() {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) == 0) {
            if (idle_.is_stuck(idle_limit_)) {
                kill(pid_, SIGKILL);
                is_stuck_ = true;
            }
            return false;
        }
        pid_ = -1;
        if (is_stuck_ || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
            shared_->kind = Kind::Hang;
        } else if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
            shared_->kind = Kind::Crash;
        }
        return true;
    }

  private:
    uint64_t number_;
    pid_t pid_ = -1;
    Shared *shared_ = nullptr;
    IdleWatch idle_;
    int idle_limit_;
    bool is_stuck_ = false;
};

struct AllowedRefusal {
    const char *slug;
    double most;
    const char *feature;
};

constexpr AllowedRefusal allowed[] = {
#define FUZZ_ITERATION_REFUSAL(slug, most, feature, reason) {slug, most, feature},
#include "iterations/refusals.def"
#undef FUZZ_ITERATION_REFUSAL
};

class Campaign {
  public:
    explicit Campaign(const Options &options) : options_(options) {}

    int run() {
        std::vector<std::unique_ptr<RunningCase>> running;
        uint64_t next = options_.first;
        const uint64_t end = options_.first + (options_.single ? 1 : options_.count);
        while ((next < end && failures_ < options_.stop_after) || !running.empty()) {
            while (next < end && failures_ < options_.stop_after &&
                   running.size() < static_cast<size_t>(options_.jobs)) {
                running.push_back(std::make_unique<RunningCase>(options_, next++));
            }
            usleep(2000);
            std::erase_if(running, [&](const std::unique_ptr<RunningCase> &each) {
                const bool ends = each->ends();
                if (ends) {
                    count(*each);
                }
                return ends;
            });
        }
        return summary();
    }

  private:
    const Options &options_;
    uint64_t done_ = 0;
    int failures_ = 0;
    std::map<std::string, uint64_t> kinds_, slugs_, features_;

    void count(const RunningCase &ended) {
        const Shared &left = ended.left();
        done_++;
        kinds_[kind_name(left.kind)]++;
        const bool is_refused = left.kind == Kind::Rejected || left.kind == Kind::Refused;
        bool is_failure = left.kind >= Kind::Mismatch;
        if (is_refused) {
            slugs_[left.slug]++;
            const std::string features = left.features;
            is_failure = std::none_of(std::begin(allowed), std::end(allowed), [&](const AllowedRefusal &row) {
                return left.slug == std::string(row.slug) &&
                       features.find(std::string(row.feature) + "\n") != std::string::npos;
            });
        }
        if (left.kind == Kind::Same) {
            const std::string all = left.features;
            for (size_t at = 0; at < all.size();) {
                const size_t to = all.find('\n', at);
                features_[all.substr(at, to - at)]++;
                at = to + 1;
            }
        }
        if (is_failure || options_.print) {
            std::printf("---- case %llu (%s):\n%s", static_cast<unsigned long long>(ended.number()),
                        kind_name(left.kind), left.program);
        }
        if (is_failure || options_.single) {
            std::printf("case %llu: %s%s%s%s%s\n", static_cast<unsigned long long>(ended.number()),
                        kind_name(left.kind), left.slug[0] ? " [" : "", left.slug, left.slug[0] ? "]: " : ": ",
                        left.text);
        }
        failures_ += is_failure;
        if (done_ % 20 == 0) {
            std::printf("%llu cases, %d failures\n", static_cast<unsigned long long>(done_), failures_);
        }
        std::fflush(stdout);
    }

    double percent(uint64_t part) const {
        return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(done_, 1));
    }

    int summary() const {
        std::printf("seed %llu: %llu cases:", static_cast<unsigned long long>(options_.seed),
                    static_cast<unsigned long long>(done_));
        for (const auto &[kind, cases] : kinds_) {
            std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(cases));
        }
        std::printf("\n");
        bool is_excessive = false;
        for (const auto &[slug, cases] : slugs_) {
            double most = 0;
            for (const AllowedRefusal &row : allowed) {
                most = slug == row.slug ? row.most : most;
            }
            const double expected = most / 100 * static_cast<double>(done_); // and three standard deviations
            const bool is_over = done_ >= 100 && static_cast<double>(cases) > expected + 3 * std::sqrt(expected);
            is_excessive |= is_over;
            std::printf("refused [%s]: %.2f %%, at most %.2f %% (iterations/refusals.def)%s\n", slug.c_str(),
                        percent(cases), most, is_over ? "  <-- FAILED" : "");
        }
        for (const auto &[feature, cases] : features_) {
            std::printf("  %-40s %6.2f %%\n", feature.c_str(), percent(cases));
        }
        return failures_ == 0 && !is_excessive ? 0 : 1;
    }
};

} // namespace

int run(const Options &options) { return Campaign(options).run(); }

} // namespace fluorite::fuzz::iterations
