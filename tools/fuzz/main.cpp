// fluorite_fuzz: random pipelines with random schedules, machine code against the interpreter.
//
//   fluorite_fuzz --count 10000 --seed 1 [--first 0] [--jobs 2] [--time-limit 20] [--plant mod|loop|max] [--stop-after 3]
//   fluorite_fuzz --seed 1 --case 4711 --print        one case, as C++, with its outcome
//
// Cases run in child processes, so that a crash or a hang is a finding and not the end. Every failure is made smaller and
// printed as C++. Exit code: 0 all agree, 1 failures, 2 unusable arguments.

#include "print_cpp.h"
#include "run.h"
#include "shrink.h"

#include "support/check.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace fluorite::fuzz {

namespace {

struct Options {
    uint64_t count = 1000, seed = 1, first = 0;
    int jobs = 2, time_limit = 20, stop_after = 3;
    std::string plant;
    bool single = false, print = false;
};

// What a child reports of one case.
struct Report {
    uint64_t number = 0;
    int32_t kind = 0;
    uint32_t directives = 0;
    int32_t refused = 0;
    int32_t retries = 0;
    char text[480] = {};
};

// A schedule that is refused as a whole is tried with all placements at root, then without any directive.
Genome relaxed(const Genome &genome, int retry) {
    Genome result = genome;
    if (retry == 2) {
        result.schedule.clear();
        return result;
    }
    std::erase_if(result.schedule, [](const Directive &d) { return d.op <= Directive::Op::StoreAt; });
    for (size_t f = 0; f + 1 < result.funcs.size(); f++) {
        Directive root;
        root.func = static_cast<int>(f);
        result.schedule.push_back(root);
    }
    return result;
}

struct Tried {
    Outcome outcome;
    Genome genome;
    int retries = 0;
};

Tried try_case(const Genome &genome, const std::string &plant) {
    Tried tried{run_case(genome, plant), genome, 0};
    while ((tried.outcome.kind == Outcome::Kind::Rejected || tried.outcome.kind == Outcome::Kind::Refused) &&
           tried.retries < 2) {
        tried.retries++;
        tried.genome = relaxed(genome, tried.retries);
        tried.outcome = run_case(tried.genome, plant);
    }
    return tried;
}

void write_report(int pipe, uint64_t number, const Tried &tried) {
    Report report;
    report.number = number;
    report.kind = static_cast<int32_t>(tried.outcome.kind);
    report.directives = tried.outcome.directives;
    report.refused = tried.outcome.refused_directives;
    report.retries = tried.retries;
    std::snprintf(report.text, sizeof report.text, "%s", tried.outcome.text.c_str());
    if (write(pipe, &report, sizeof report) != static_cast<ssize_t>(sizeof report)) {
        _exit(3);
    }
}

// A child process that runs the cases first, first + step, ... below end.
struct Worker {
    pid_t pid = -1;
    int pipe = -1;
    uint64_t next = 0, step = 1, end = 0;
    std::chrono::steady_clock::time_point since;

    bool done() const { return pid < 0 && next >= end; }

    void start(const Options &options) {
        int ends[2];
        check(::pipe(ends) == 0, "a pipe can be made");
        std::fflush(nullptr);
        pid = fork();
        check(pid >= 0, "a process can be made");
        if (pid == 0) {
            close(ends[0]);
            for (uint64_t number = next; number < end; number += step) {
                write_report(ends[1], number, try_case(make_genome(options.seed, number), options.plant));
            }
            _exit(0);
        }
        close(ends[1]);
        pipe = ends[0];
        since = std::chrono::steady_clock::now();
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

// Runs one genome in a child; for shrinking.
Outcome::Kind isolated(const Genome &genome, const Options &options) {
    std::fflush(nullptr);
    pid_t pid = fork();
    check(pid >= 0, "a process can be made");
    if (pid == 0) {
        alarm(static_cast<unsigned>(options.time_limit));
        _exit(static_cast<int>(run_case(genome, options.plant).kind));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? Outcome::Kind::Hang : Outcome::Kind::Crash;
    }
    return static_cast<Outcome::Kind>(WEXITSTATUS(status));
}

class Campaign {
  public:
    explicit Campaign(const Options &options) : options_(options) {}

    int run() {
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
        summary();
        for (const auto &[number, kind] : failures_) {
            explain(number, kind);
        }
        return failures_.empty() ? 0 : 1;
    }

  private:
    Options options_;
    uint64_t done_ = 0, retried_ = 0, refused_ = 0, root_only_ = 0;
    std::map<std::string, uint64_t> kinds_;
    std::map<int, uint64_t> uses_;
    std::vector<std::pair<uint64_t, Outcome::Kind>> failures_;

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
            std::chrono::duration<double> waited = std::chrono::steady_clock::now() - worker.since;
            if (waited.count() > options_.time_limit) {
                worker.stop();
                fail(worker, Outcome::Kind::Hang);
            }
            return;
        }
        Report report;
        ssize_t got = read(worker.pipe, &report, sizeof report);
        if (got == static_cast<ssize_t>(sizeof report)) {
            worker.since = std::chrono::steady_clock::now();
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
        worker.next += worker.step;
        count(report);
    }

    void count(const Report &report) {
        Outcome::Kind kind = static_cast<Outcome::Kind>(report.kind);
        done_++;
        kinds_[kind_name(kind)]++;
        retried_ += report.retries > 0;
        root_only_ += report.retries > 1;
        refused_ += static_cast<uint64_t>(report.refused);
        for (int op = 0; op < Directive::op_count; op++) {
            uses_[op] += report.directives >> op & 1;
        }
        if (kind >= Outcome::Kind::Mismatch) {
            std::printf("case %llu: %s: %s\n", static_cast<unsigned long long>(report.number), kind_name(kind),
                        report.text);
            failures_.emplace_back(report.number, kind);
        }
        if (done_ % 500 == 0 || done_ == options_.count) {
            std::printf("%llu of %llu cases, %zu failures\n", static_cast<unsigned long long>(done_),
                        static_cast<unsigned long long>(options_.count), failures_.size());
            std::fflush(stdout);
        }
    }

    void summary() {
        std::printf("seed %llu: %llu cases:", static_cast<unsigned long long>(options_.seed),
                    static_cast<unsigned long long>(done_));
        for (const auto &[kind, count] : kinds_) {
            std::printf(" %s %llu", kind.c_str(), static_cast<unsigned long long>(count));
        }
        double cases = static_cast<double>(std::max<uint64_t>(done_, 1));
        std::printf(
            "\nschedules refused as a whole %.1f %% (even with all at root %.1f %%), directives refused a case %.2f\n",
            100.0 * static_cast<double>(retried_) / cases, 100.0 * static_cast<double>(root_only_) / cases,
            static_cast<double>(refused_) / cases);
        for (int op = 0; op < Directive::op_count; op++) {
            std::printf("  %-18s in %5.1f %% of the cases\n", op_name(static_cast<Directive::Op>(op)),
                        100.0 * static_cast<double>(uses_[op]) / cases);
        }
        std::fflush(stdout);
    }

    void explain(uint64_t number, Outcome::Kind kind) {
        Genome genome = make_genome(options_.seed, number);
        Genome failing = genome;
        for (int retry = 0; retry < 3 && isolated(failing, options_) < Outcome::Kind::Mismatch; retry++) {
            failing = relaxed(genome, retry + 1);
        }
        int before = size_of(failing);
        Genome small = shrink(failing, [&](const Genome &candidate) { return isolated(candidate, options_) == kind; });
        std::printf("\n---- case %llu (%s), from %d to %d nodes:\n%s", static_cast<unsigned long long>(number),
                    kind_name(kind), before, size_of(small), print_cpp(small).c_str());
        if (kind < Outcome::Kind::Crash) {
            std::printf("// %s\n", run_case(small, options_.plant).text.c_str());
        }
        std::fflush(stdout);
    }
};

uint64_t number_after(int argc, char **argv, int &i) {
    char *end = nullptr;
    uint64_t value = i + 1 < argc ? std::strtoull(argv[i + 1], &end, 10) : 0;
    if (!end || *end || end == argv[i + 1]) {
        std::fprintf(stderr, "fluorite_fuzz: %s takes a number\n", argv[i]);
        std::exit(2);
    }
    i++;
    return value;
}

Options parse(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg == "--count") {
            options.count = number_after(argc, argv, i);
        } else if (arg == "--seed") {
            options.seed = number_after(argc, argv, i);
        } else if (arg == "--first") {
            options.first = number_after(argc, argv, i);
        } else if (arg == "--case") {
            options.first = number_after(argc, argv, i);
            options.single = true;
        } else if (arg == "--jobs") {
            options.jobs = std::max(1, static_cast<int>(number_after(argc, argv, i)));
        } else if (arg == "--time-limit") {
            options.time_limit = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--stop-after") {
            options.stop_after = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--plant" && i + 1 < argc) {
            options.plant = argv[++i];
        } else if (arg == "--print") {
            options.print = true;
        } else {
            std::fprintf(stderr, "fluorite_fuzz: unknown argument %s; see the top of tools/fuzz/main.cpp\n",
                         arg.c_str());
            std::exit(2);
        }
    }
    return options;
}

} // namespace

int fuzz_main(int argc, char **argv) {
    Options options = parse(argc, argv);
    if (options.single) {
        Genome genome = make_genome(options.seed, options.first);
        if (options.print) {
            std::printf("%s", print_cpp(genome).c_str());
            std::fflush(stdout);
        }
        Tried tried = try_case(genome, options.plant);
        std::printf("%s after %d retries: %s\n", kind_name(tried.outcome.kind), tried.retries,
                    tried.outcome.text.c_str());
        return tried.outcome.is_failure() ? 1 : 0;
    }
    return Campaign(options).run();
}

} // namespace fluorite::fuzz

int main(int argc, char **argv) { return fluorite::fuzz::fuzz_main(argc, argv); }
