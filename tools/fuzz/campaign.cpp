// Workers are child processes that run many cases and report each through a pipe, so that a crash or a hang costs one worker
// and names its case.
//
// Slow or endless. A case that does not compile in its time hangs, and so does one that waits for itself (time passes, but it uses
// none). One whose code runs too long may do honest work: a schedule may compute a value again for each of many uses, at
// every level again. Such work falls as a power of the sizes, an endless loop does not. So at the end of a run each such case is
// repeated with all sizes (of outputs, of domains, of inline reductions) divided by 4, 16, 64, ... until it ends. If it does not where
// every size is one, it hangs; if it fails where it is smaller, it fails; else it was slow. An endless loop that needs
// large sizes stays unseen, so the divisor is printed: honest work ends at small ones.

#include "campaign.h"

#include "genome_text.h"
#include "print_cpp.h"
#include "shrink.h"

#include "fluorite/runtime_abi.h"
#include "support/check.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

namespace fluorite::fuzz {

namespace {

// What a child reports of one case.
struct Report {
    uint64_t number = 0;
    Features features;
    int32_t kind = 0, retries = 0;
    int32_t drawn = 0, idle = 0; // directives
    bool wild = false, grown = false, walks = false;
    char slug[48] = {};      // of the first refusal
    char refusals[256] = {}; // of directives
    char text[480] = {};
};

// The genome with placements at root (1), then without any directive (2).
Genome relaxed(const Genome &genome, int retry) {
    Genome result = genome;
    result.walk.clear();
    if (retry == 2) {
        result.schedule.clear();
        return result;
    }
    std::erase_if(result.schedule, [](const Directive &d) { return d.op <= Directive::Op::CloneIn; });
    for (size_t f = 0; f < result.funcs.size(); f++) {
        Directive root;
        root.func = static_cast<int>(f);
        if (!result.is_output(root.func)) {
            result.schedule.push_back(root);
        }
    }
    return result;
}

// All sizes divided, but at least one; the second part says whether any is larger than one.
std::pair<Genome, bool> divided(const Genome &genome, int divisor) {
    Genome result = genome;
    bool is_larger = false;
    const auto divide = [&](auto &size) {
        size = std::max<std::decay_t<decltype(size)>>(size / divisor, 1);
        is_larger = is_larger || size > 1;
    };
    for (OutputGene &output : result.outputs) {
        std::for_each(output.extent.begin(), output.extent.end(), divide);
    }
    for (FuncGene &func : result.funcs) {
        for (Update &update : func.updates) {
            for (Axis &axis : update.domain) {
                axis.extent = axis.param < 0 ? axis.extent : result.params[static_cast<size_t>(axis.param)].value;
                axis.param = -1;
                divide(axis.extent);
            }
        }
    }
    for (Term *term : all_terms(result)) {
        if (term->is_reduction()) {
            divide(term->number);
            if (term->second > 0) {
                divide(term->second);
            }
        }
    }
    return {result, is_larger};
}

template <size_t N> void copy_text(char (&to)[N], const std::string &text) { std::snprintf(to, N, "%s", text.c_str()); }

void write_report(int pipe, uint64_t number, const Tried &tried, const Genome &genome) {
    Report report;
    report.number = number;
    report.features = tried.outcome.features;
    report.drawn = static_cast<int32_t>(tried.genome.schedule.size());
    report.idle = tried.outcome.idle;
    report.kind = static_cast<int32_t>(tried.outcome.kind);
    report.retries = tried.retries;
    report.wild = genome.is_wild();
    report.walks = !genome.walk.empty();
    report.grown = tried.outcome.grown;
    std::string refusals;
    for (const std::string &slug : tried.outcome.refusals) {
        refusals += slug + " ";
    }
    copy_text(report.slug, tried.slug);
    copy_text(report.refusals, refusals);
    copy_text(report.text, tried.outcome.text);
    if (write(pipe, &report, sizeof report) != static_cast<ssize_t>(sizeof report)) {
        _exit(3);
    }
}

// Seconds of a clock.
double seconds_of(clockid_t clock) {
    timespec time{};
    return clock_gettime(clock, &time) == 0
               ? static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)
               : 0;
}

// Seconds of processor time of a process, which a busy machine does not stretch.
double cpu_seconds_of(pid_t pid) {
    clockid_t clock;
    return clock_getcpuclockid(pid, &clock) == 0 ? seconds_of(clock) : 0;
}

// Sees that a process waits for itself: it uses no processor time. One that waits for its turn on a busy machine gets some; and
// time in which both processes stood still does not count.
class IdleWatch {
  public:
    void start(pid_t pid) {
        pid_ = pid;
        idle_ = 0;
        used_ = cpu_seconds_of(pid);
        looked_ = std::chrono::steady_clock::now();
    }
    bool is_stuck() {
        const auto now = std::chrono::steady_clock::now();
        const double used = cpu_seconds_of(pid_);
        idle_ += std::min(std::chrono::duration<double>(now - looked_).count(), 2.0);
        looked_ = now;
        if (used > used_ + 1e-4) {
            used_ = used;
            idle_ = 0;
        }
        return idle_ > 20;
    }

  private:
    pid_t pid_ = -1;
    double used_ = 0, idle_ = 0; // seconds
    std::chrono::steady_clock::time_point looked_;
};

// A child process that runs the cases next, next + step, ... below end.
struct Worker {
    pid_t pid = -1;
    int pipe = -1;
    uint64_t next = 0, step = 1, end = 0;
    IdleWatch idle;
    double cpu_since = 0;
    volatile double *runs_since = nullptr; // processor time, shared with the process; negative: it compiles

    void start(const Options &options) {
        int ends[2];
        check(::pipe(ends) == 0, "a pipe can be made");
        if (!runs_since) {
            void *shared = mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            check(shared != MAP_FAILED, "memory can be shared");
            runs_since = static_cast<double *>(shared);
        }
        *runs_since = -1;
        std::fflush(nullptr);
        pid = fork();
        check(pid >= 0, "a process can be made");
        if (pid == 0) {
            close(ends[0]);
            const auto note = [&](bool runs) { *runs_since = runs ? seconds_of(CLOCK_PROCESS_CPUTIME_ID) : -1; };
            for (uint64_t number = next; number < end; number += step) {
                Genome genome = make_genome(options, number);
                write_report(ends[1], number, try_case(genome, options.plant, note), genome);
            }
            _exit(0);
        }
        close(ends[1]);
        pipe = ends[0];
        case_starts();
    }

    void case_starts() {
        idle.start(pid);
        cpu_since = cpu_seconds_of(pid);
    }

    bool compiles_too_long(const Options &options) const {
        return *runs_since < 0 && cpu_seconds_of(pid) - cpu_since > options.time_limit;
    }
    bool runs_too_long(const Options &options) const {
        const double began = *runs_since;
        return began >= 0 && cpu_seconds_of(pid) - began > options.run_limit;
    }

    void stop() {
        if (pid > 0) {
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
            close(pipe);
            pid = -1;
        }
    }
};

struct Failure {
    uint64_t number = 0;
    Outcome::Kind kind = Outcome::Kind::Same;
    int divisor = 1; // of its sizes
};

void print_histogram(const char *title, const std::map<std::string, uint64_t> &counts, uint64_t of) {
    std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::printf("%s\n", title);
    for (const auto &[slug, count] : sorted) {
        std::printf("  %-32s %6llu  %6.2f %%\n", slug.c_str(), static_cast<unsigned long long>(count),
                    100.0 * static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(of, 1)));
    }
}

class Campaign {
  public:
    explicit Campaign(const Options &options) : options_(options) {}

    void run() {
        std::vector<Worker> workers(static_cast<size_t>(options_.jobs));
        for (size_t w = 0; w < workers.size(); w++) {
            workers[w].next = options_.first + w;
            workers[w].step = workers.size();
            workers[w].end = options_.first + options_.count;
        }
        while (step(workers)) {
        }
        for (Worker &worker : workers) {
            worker.stop();
        }
    }

    /// Which slow cases hang or fail where they are smaller; as many at once as there are jobs.
    void judge_slow() {
        std::map<pid_t, int> judges; // and the pipes that their verdicts come through
        for (size_t next = 0; next < slow_.size() || !judges.empty();) {
            if (next < slow_.size() && judges.size() < static_cast<size_t>(options_.jobs)) {
                const uint64_t number = slow_[next++];
                int ends[2];
                check(::pipe(ends) == 0, "a pipe can be made");
                std::fflush(nullptr);
                const pid_t pid = fork();
                check(pid >= 0, "a process can be made");
                if (pid == 0) {
                    const Failure found = judge_slow(number);
                    _exit(write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found) ? 0 : 3);
                }
                close(ends[1]);
                judges[pid] = ends[0];
                continue;
            }
            const auto judge = judges.find(waitpid(-1, nullptr, 0));
            check(judge != judges.end(), "a judge ends");
            Failure found;
            check(read(judge->second, &found, sizeof found) == static_cast<ssize_t>(sizeof found),
                  "a judge gives its verdict");
            close(judge->second);
            judges.erase(judge);
            take_verdict(found);
        }
    }

    const std::vector<Failure> &failures() const { return failures_; }
    uint64_t done() const { return done_; }

    static double percent(uint64_t part, uint64_t of) {
        return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(of, 1));
    }

    void summary() const {
        std::printf("seed %llu: %llu cases:", static_cast<unsigned long long>(options_.seed),
                    static_cast<unsigned long long>(done_));
        for (const auto &[kind, count] : kinds_) {
            std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(count));
        }
        static const char *sources[] = {"tame", "wild", "walked"};
        std::printf("\nschedules refused as a whole:");
        for (int i = 0; i < 3; i++) {
            std::printf(" %.2f %% of %llu %s ones%s", percent(refused_[i], tried_[i]),
                        static_cast<unsigned long long>(tried_[i]), sources[i], i < 2 ? "," : "\n");
        }
        std::printf(
            "single directives: %.2f %% of %llu refused, %.1f %% had no legal meaning; outputs larger than drawn "
            "in %.1f %% of the cases\n",
            percent(directives_refused_, directives_), static_cast<unsigned long long>(directives_),
            percent(directives_idle_, directives_), percent(grown_, done_));
        for (int i = 0; i < 3; i++) {
            print_histogram(("refusals of " + std::string(sources[i]) + " schedules as a whole:").c_str(), reasons_[i],
                            tried_[i]);
        }
        print_histogram("refusals of single directives (of the cases):", directive_reasons_, done_);
        print_coverage();
        std::fflush(stdout);
    }

    // Shrinks a failure and prints it.
    Genome explain(const Failure &failure) const {
        const Genome drawn = make_genome(options_, failure.number);
        const Genome genome = failure.divisor > 1 ? divided(drawn, failure.divisor).first : drawn;
        Genome failing = genome;
        for (int retry = 0; retry < 3 && run_isolated(failing, options_) != failure.kind; retry++) {
            failing = relaxed(genome, retry + 1);
        }
        int before = size_of(failing);
        Genome small = failing;
        if (failure.kind == Outcome::Kind::NoProgram) {
            return small;
        }
        if (options_.shrink) {
            small = shrink(failing,
                           [&](const Genome &candidate) { return run_isolated(candidate, options_) == failure.kind; });
        }
        std::printf("\n---- case %llu (%s), from %d to %d nodes:\n%s", static_cast<unsigned long long>(failure.number),
                    kind_name(failure.kind), before, size_of(small), print_cpp(small).c_str());
        if (failure.kind < Outcome::Kind::NoProgram) {
            std::printf("// %s\n", run_case(small, options_.plant).text.c_str());
        }
        std::fflush(stdout);
        return small;
    }

  private:
    Options options_;
    uint64_t done_ = 0, accepted_ = 0, grown_ = 0;
    uint64_t tried_[3] = {}, refused_[3] = {}; // tame, wild, walked
    uint64_t directives_ = 0, directives_refused_ = 0, directives_idle_ = 0;
    std::map<std::string, uint64_t> kinds_, reasons_[3], directive_reasons_;
    std::vector<uint64_t> uses_ = std::vector<uint64_t>(Features().size());
    std::vector<Failure> failures_;
    std::vector<uint64_t> slow_;

    // In the part of accepted cases that each row has, those that are rarer than they should be are marked.
    void print_coverage() const {
        size_t row = 0, rare = 0;
        for (const FeatureGroup &group : feature_groups()) {
            std::printf("%s (of the %llu accepted cases):\n", group.title, static_cast<unsigned long long>(accepted_));
            for (const std::string &name : group.names) {
                const double share = percent(uses_[row++], accepted_);
                rare += share < enough;
                std::printf("  %-32s %6.2f %%%s\n", name.c_str(), share, share < enough ? "  <-- RARE" : "");
            }
        }
        std::printf("%zu of %zu rows are rarer than %.1f %%\n", rare, row, enough);
    }
    static constexpr double enough = 0.5; // percent

    void take_verdict(const Failure &found) {
        if (found.kind >= Outcome::Kind::Mismatch) {
            failures_.push_back(found);
            kinds_[kind_name(Outcome::Kind::Slow)]--;
            kinds_[kind_name(found.kind)]++;
        }
        std::printf("case %llu, which is slow: %s where sizes are divided by %d\n",
                    static_cast<unsigned long long>(found.number), kind_name(found.kind), found.divisor);
        std::fflush(stdout);
    }

    Failure judge_slow(uint64_t number) const {
        const Genome drawn = make_genome(options_, number);
        Genome slow = drawn; // a schedule that was refused became another one
        for (int retry = 1; retry < 3 && is_refused(run_isolated(slow, options_)); retry++) {
            slow = relaxed(drawn, retry);
        }
        for (int divisor = 4;; divisor *= 4) {
            const auto [smaller, is_larger] = divided(slow, divisor);
            const Outcome::Kind kind = run_isolated(smaller, options_);
            if (kind != Outcome::Kind::Hang || !is_larger) {
                return {number, kind, divisor};
            }
        }
    }
    static bool is_refused(Outcome::Kind kind) {
        return kind == Outcome::Kind::Rejected || kind == Outcome::Kind::Refused;
    }

    bool step(std::vector<Worker> &workers) {
        std::vector<pollfd> polls;
        std::vector<Worker *> owners;
        for (Worker &worker : workers) {
            if (worker.pid < 0 && worker.next < worker.end) {
                worker.start(options_);
            }
            if (worker.pid > 0) {
                polls.push_back({worker.pipe, POLLIN, 0});
                owners.push_back(&worker);
            }
        }
        if (polls.empty() || static_cast<int>(failures_.size()) >= options_.stop_after) {
            return false;
        }
        poll(polls.data(), polls.size(), 1000);
        for (size_t i = 0; i < polls.size(); i++) {
            advance(*owners[i], polls[i].revents != 0);
        }
        return true;
    }

    void advance(Worker &worker, bool readable) {
        if (!readable) {
            const bool may_be_slow = worker.runs_too_long(options_);
            if (may_be_slow || worker.compiles_too_long(options_) || worker.idle.is_stuck()) {
                worker.stop();
                fail(worker, may_be_slow ? Outcome::Kind::Slow : Outcome::Kind::Hang);
            }
            return;
        }
        Report report;
        ssize_t got = read(worker.pipe, &report, sizeof report);
        if (got == static_cast<ssize_t>(sizeof report)) {
            worker.case_starts();
            worker.next = report.number + worker.step;
            count(report);
            return;
        }
        int status = 0;
        waitpid(worker.pid, &status, 0);
        close(worker.pipe);
        worker.pid = -1;
        if (worker.next < worker.end) {
            fail(worker, Outcome::Kind::Crash);
        }
    }

    void fail(Worker &worker, Outcome::Kind kind) {
        Report report;
        report.number = worker.next;
        report.kind = static_cast<int32_t>(kind);
        const Genome genome = make_genome(options_, report.number);
        report.wild = genome.is_wild();
        report.walks = !genome.walk.empty();
        worker.next += worker.step;
        count(report);
    }

    void count(const Report &report) {
        Outcome::Kind kind = static_cast<Outcome::Kind>(report.kind);
        const int source = report.wild ? 1 : report.walks ? 2 : 0;
        done_++;
        kinds_[kind_name(kind)]++;
        tried_[source]++;
        grown_ += report.grown;
        if (report.slug[0]) {
            refused_[source]++;
            reasons_[source][report.slug]++;
        }
        directives_ += static_cast<uint64_t>(report.drawn);
        directives_idle_ += static_cast<uint64_t>(report.idle);
        std::istringstream refusals(report.refusals);
        for (std::string slug; refusals >> slug;) {
            directive_reasons_[slug]++;
            directives_refused_++;
        }
        if (kind == Outcome::Kind::Same && !report.slug[0]) {
            accepted_++;
            for (size_t row = 0; row < uses_.size(); row++) {
                uses_[row] += report.features[row];
            }
        }
        if (kind >= Outcome::Kind::Slow) {
            std::printf("case %llu: %s: %s\n", static_cast<unsigned long long>(report.number), kind_name(kind),
                        report.text);
        }
        if (kind == Outcome::Kind::Slow) {
            slow_.push_back(report.number);
        }
        if (kind >= Outcome::Kind::Mismatch) {
            failures_.push_back({report.number, kind, 1});
        }
        bool quiet = !options_.plant.empty();
        if (!quiet && (done_ % 500 == 0 || done_ == options_.count)) {
            std::printf("%llu of %llu cases, %zu failures\n", static_cast<unsigned long long>(done_),
                        static_cast<unsigned long long>(options_.count), failures_.size());
            std::fflush(stdout);
        }
    }
};

bool survives_text(const Genome &genome) {
    std::string text = genome_text(genome);
    return genome_text(parse_genome(text)) == text;
}

} // namespace

Tried try_case(const Genome &genome, const std::string &plant, const OnPhase &on_phase) {
    Tried tried{run_case(genome, plant, on_phase), genome, 0, ""};
    tried.slug = tried.outcome.slug;
    if (tried.outcome.kind != Outcome::Kind::Rejected && tried.outcome.kind != Outcome::Kind::Refused) {
        tried.slug.clear();
    }
    while ((tried.outcome.kind == Outcome::Kind::Rejected || tried.outcome.kind == Outcome::Kind::Refused) &&
           tried.retries < 2) {
        tried.retries++;
        tried.genome = relaxed(genome, tried.retries);
        tried.outcome = run_case(tried.genome, plant, on_phase);
    }
    return tried;
}

Outcome::Kind run_isolated(const Genome &genome, const Options &options) {
    std::fflush(nullptr);
    pid_t pid = fork();
    check(pid >= 0, "a process can be made");
    if (pid == 0) {
        const auto limit_phase = [&](bool runs) {
            const double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
            const rlim_t most =
                static_cast<rlim_t>(used) + static_cast<rlim_t>(runs ? options.run_limit : options.time_limit);
            const rlimit limit{most, RLIM_INFINITY};
            setrlimit(RLIMIT_CPU, &limit);
        };
        _exit(static_cast<int>(run_case(genome, options.plant, limit_phase).kind));
    }
    int status = 0;
    IdleWatch idle;
    idle.start(pid);
    bool is_stuck = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        usleep(2000);
        if (!is_stuck && idle.is_stuck()) {
            is_stuck = true;
            kill(pid, SIGKILL);
        }
    }
    if (WIFSIGNALED(status)) {
        return is_stuck || WTERMSIG(status) == SIGXCPU ? Outcome::Kind::Hang : Outcome::Kind::Crash;
    }
    int code = WEXITSTATUS(status);
    return code <= static_cast<int>(Outcome::Kind::Hang) ? static_cast<Outcome::Kind>(code) : Outcome::Kind::Crash;
}

int run_campaign(const Options &options) {
    Campaign campaign(options);
    campaign.run();
    campaign.judge_slow();
    campaign.summary();
    for (const Failure &failure : campaign.failures()) {
        Genome small = campaign.explain(failure);
        if (!options.save.empty()) {
            std::string file =
                options.save + "/seed" + std::to_string(options.seed) + "_" + std::to_string(failure.number) + ".case";
            std::ofstream(file) << "# " << kind_name(failure.kind) << "\n" << genome_text(small);
            std::printf("// saved as %s\n", file.c_str());
        }
    }
    return campaign.failures().empty() ? 0 : 1;
}

int run_corpus(const Options &options) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(options.corpus, error)) {
        if (entry.path().extension() == ".case") {
            files.push_back(entry.path().string());
        }
    }
    if (std::filesystem::path(options.corpus).extension() == ".case") {
        files.push_back(options.corpus);
    }
    std::sort(files.begin(), files.end());
    int failures = 0;
    for (const std::string &file : files) {
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        Genome genome = parse_genome(text.str());
        if (options.print) {
            std::printf("%s", print_cpp(genome).c_str());
        }
        Outcome::Kind kind = run_isolated(genome, options);
        // A schedule that must be refused says so in its first line.
        bool refusal = text.str().starts_with("# refused");
        bool good =
            refusal ? kind == Outcome::Kind::Rejected || kind == Outcome::Kind::Refused : kind == Outcome::Kind::Same;
        if (!good) {
            failures++;
            Outcome outcome;
            if (kind < Outcome::Kind::Crash) {
                outcome = run_case(genome, options.plant);
            }
            std::printf("%s: %s: %s\n", file.c_str(), kind_name(kind), outcome.text.c_str());
            if (!options.save.empty()) {
                Genome small =
                    shrink(genome, [&](const Genome &candidate) { return run_isolated(candidate, options) == kind; });
                std::string to = options.save + "/" + std::filesystem::path(file).filename().string();
                std::ofstream(to) << genome_text(small);
                std::printf("%s// saved as %s\n", print_cpp(small).c_str(), to.c_str());
            }
        }
    }
    std::printf("%zu cases of %s, %d failures\n", files.size(), options.corpus.c_str(), failures);
    return failures == 0 && !files.empty() ? 0 : 1;
}

int run_self_test(const Options &options) {
    int failures = 0;
    auto expect = [&](bool condition, const std::string &text) {
        if (!condition) {
            std::printf("self-test: %s\n", text.c_str());
            failures++;
        }
    };
    for (uint64_t number = 0; number < 200; number++) {
        expect(survives_text(make_genome(options.seed, number)),
               "case " + std::to_string(number) + " is another one when it is written and read");
    }
    fluorite_set_poison_memory(true); // what a fault leaves out is not there by chance
    for (const Plant &plant : plants()) {
        Options faulty = options;
        faulty.plant = plant.name;
        faulty.seed = 1;
        faulty.first = static_cast<uint64_t>(plant.first);
        faulty.count = static_cast<uint64_t>(plant.cases);
        faulty.stop_after = 1;
        Campaign campaign(faulty);
        campaign.run();
        if (campaign.failures().empty()) {
            expect(false,
                   std::string("fault ") + plant.name + " is not found in " + std::to_string(plant.cases) + " cases");
            continue;
        }
        Genome small = campaign.explain(campaign.failures()[0]);
        expect(size_of(small) <= plant.nodes, std::string("fault ") + plant.name + " shrinks to " +
                                                  std::to_string(size_of(small)) + " nodes, more than " +
                                                  std::to_string(plant.nodes));
        expect(run_case(small, "").kind == Outcome::Kind::Same,
               std::string("the case of fault ") + plant.name + " fails without it");
    }
    return failures == 0 ? 0 : 1;
}

} // namespace fluorite::fuzz
