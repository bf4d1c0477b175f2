// Workers are child processes that run many cases and report each through a pipe, so that a crash or a hang costs one worker
// and names its case.

#include "campaign.h"

#include "genome_text.h"
#include "print_cpp.h"
#include "shrink.h"

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
    uint64_t directives = 0;
    int32_t kind = 0, retries = 0;
    bool wild = false, grown = false;
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

template <size_t N> void copy_text(char (&to)[N], const std::string &text) { std::snprintf(to, N, "%s", text.c_str()); }

void write_report(int pipe, uint64_t number, const Tried &tried, bool wild) {
    Report report;
    report.number = number;
    report.directives = tried.outcome.directives;
    report.kind = static_cast<int32_t>(tried.outcome.kind);
    report.retries = tried.retries;
    report.wild = wild;
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

// A child process that runs the cases next, next + step, ... below end.
struct Worker {
    pid_t pid = -1;
    int pipe = -1;
    uint64_t next = 0, step = 1, end = 0;
    std::chrono::steady_clock::time_point since;
    double cpu_since = 0;
    volatile bool *is_running = nullptr; // shared with the process

    void start(const Options &options) {
        int ends[2];
        check(::pipe(ends) == 0, "a pipe can be made");
        if (!is_running) {
            void *shared = mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            check(shared != MAP_FAILED, "memory can be shared");
            is_running = static_cast<bool *>(shared);
        }
        *is_running = false;
        std::fflush(nullptr);
        pid = fork();
        check(pid >= 0, "a process can be made");
        if (pid == 0) {
            close(ends[0]);
            for (uint64_t number = next; number < end; number += step) {
                Genome genome = make_genome(options.seed, number);
                write_report(ends[1], number, try_case(genome, options.plant, is_running), genome.is_wild());
            }
            _exit(0);
        }
        close(ends[1]);
        pipe = ends[0];
        case_starts();
    }

    void case_starts() {
        since = std::chrono::steady_clock::now();
        cpu_since = cpu_seconds();
    }

    // Seconds of processor time, which a busy machine does not stretch.
    double cpu_seconds() const {
        clockid_t clock;
        timespec time{};
        if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
            return 0;
        }
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    // A case that waits for itself uses no processor time: it ends after ten times the limit.
    bool is_over(int limit) const {
        std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since;
        return cpu_seconds() - cpu_since > limit || waited.count() > 10 * limit;
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

    const std::vector<Failure> &failures() const { return failures_; }
    uint64_t done() const { return done_; }

    void summary() const {
        std::printf("seed %llu: %llu cases:", static_cast<unsigned long long>(options_.seed),
                    static_cast<unsigned long long>(done_));
        for (const auto &[kind, count] : kinds_) {
            std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(count));
        }
        auto percent = [](uint64_t part, uint64_t of) {
            return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(of, 1));
        };
        std::printf("\nschedules refused as a whole: %.2f %% of %llu tame ones, %.1f %% of %llu wild ones; "
                    "outputs larger than drawn in %.1f %%\n",
                    percent(refused_[0], tried_[0]), static_cast<unsigned long long>(tried_[0]),
                    percent(refused_[1], tried_[1]), static_cast<unsigned long long>(tried_[1]),
                    percent(grown_, done_));
        print_histogram("refusals of tame schedules as a whole:", reasons_[0], tried_[0]);
        print_histogram("refusals of wild schedules as a whole:", reasons_[1], tried_[1]);
        print_histogram("refusals of single directives (of the cases):", directive_reasons_, done_);
        std::printf("directives (of the %llu accepted cases):\n", static_cast<unsigned long long>(accepted_));
        for (int op = 0; op < directive_count; op++) {
            auto found = uses_.find(op);
            std::printf("  %-32s %6.2f %%\n", op_name(static_cast<Directive::Op>(op)),
                        percent(found == uses_.end() ? 0 : found->second, accepted_));
        }
        std::fflush(stdout);
    }

    // Shrinks a failure and prints it.
    Genome explain(const Failure &failure) const {
        Genome genome = make_genome(options_.seed, failure.number);
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
    uint64_t tried_[2] = {}, refused_[2] = {}; // tame, wild
    std::map<std::string, uint64_t> kinds_, reasons_[2], directive_reasons_;
    std::map<int, uint64_t> uses_;
    std::vector<Failure> failures_;

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
            if (worker.is_over(options_.time_limit)) {
                worker.stop();
                fail(worker, *worker.is_running ? Outcome::Kind::Slow : Outcome::Kind::Hang);
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
        report.wild = make_genome(options_.seed, report.number).is_wild();
        worker.next += worker.step;
        count(report);
    }

    void count(const Report &report) {
        Outcome::Kind kind = static_cast<Outcome::Kind>(report.kind);
        int wild = report.wild ? 1 : 0;
        done_++;
        kinds_[kind_name(kind)]++;
        tried_[wild]++;
        grown_ += report.grown;
        if (report.slug[0]) {
            refused_[wild]++;
            reasons_[wild][report.slug]++;
        }
        std::istringstream refusals(report.refusals);
        for (std::string slug; refusals >> slug;) {
            directive_reasons_[slug]++;
        }
        if (kind == Outcome::Kind::Same && !report.slug[0]) {
            accepted_++;
            for (int op = 0; op < directive_count; op++) {
                uses_[op] += report.directives >> op & 1;
            }
        }
        if (kind >= Outcome::Kind::Slow) {
            std::printf("case %llu: %s: %s\n", static_cast<unsigned long long>(report.number), kind_name(kind),
                        report.text);
        }
        if (kind >= Outcome::Kind::Mismatch) {
            failures_.push_back({report.number, kind});
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

Tried try_case(const Genome &genome, const std::string &plant, volatile bool *is_running) {
    Tried tried{run_case(genome, plant, is_running), genome, 0, ""};
    tried.slug = tried.outcome.slug;
    if (tried.outcome.kind != Outcome::Kind::Rejected && tried.outcome.kind != Outcome::Kind::Refused) {
        tried.slug.clear();
    }
    while ((tried.outcome.kind == Outcome::Kind::Rejected || tried.outcome.kind == Outcome::Kind::Refused) &&
           tried.retries < 2) {
        tried.retries++;
        tried.genome = relaxed(genome, tried.retries);
        tried.outcome = run_case(tried.genome, plant, is_running);
    }
    return tried;
}

Outcome::Kind run_isolated(const Genome &genome, const Options &options) {
    std::fflush(nullptr);
    pid_t pid = fork();
    check(pid >= 0, "a process can be made");
    if (pid == 0) {
        rlimit limit{static_cast<rlim_t>(options.time_limit), static_cast<rlim_t>(options.time_limit + 1)};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(static_cast<unsigned>(10 * options.time_limit));
        _exit(static_cast<int>(run_case(genome, options.plant).kind));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU ? Outcome::Kind::Hang : Outcome::Kind::Crash;
    }
    int code = WEXITSTATUS(status);
    return code <= static_cast<int>(Outcome::Kind::Hang) ? static_cast<Outcome::Kind>(code) : Outcome::Kind::Crash;
}

int run_campaign(const Options &options) {
    Campaign campaign(options);
    campaign.run();
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
    for (const Plant &plant : plants()) {
        Options faulty = options;
        faulty.plant = plant.name;
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
