// Child processes that run cases. A worker runs many cases and reports each through a pipe, so that a crash or a hang
// costs only that worker and identifies its case.

#include "worker.h"

#include "support/check.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>

namespace fluorite::fuzz {

namespace {

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
    report.regions = tried.outcome.regions;
    check(refusals.size() < sizeof report.refusals, "the refusals of a case fit into its report");
    copy_text(report.slug, tried.slug);
    copy_text(report.last_slug, is_refused(tried.outcome.kind) ? tried.outcome.slug : "");
    copy_text(report.refusals, refusals);
    copy_text(report.text, tried.outcome.text);
    if (write(pipe, &report, sizeof report) != static_cast<ssize_t>(sizeof report)) {
        _exit(3);
    }
}

// The time of a clock in seconds.
double seconds_of(clockid_t clock) {
    timespec time{};
    return clock_gettime(clock, &time) == 0
               ? static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)
               : 0;
}

// A process's processor time in seconds, which does not depend on how busy the machine is.
double cpu_seconds_of(pid_t pid) {
    clockid_t clock;
    return clock_getcpuclockid(pid, &clock) == 0 ? seconds_of(clock) : 0;
}

/// The same with the processes that it has started, such as an emulator.
double cpu_seconds_of_family(pid_t pid) {
    double seconds = cpu_seconds_of(pid);
    const std::string number = std::to_string(pid);
    std::ifstream children("/proc/" + number + "/task/" + number + "/children");
    for (pid_t child = 0; children >> child;) {
        seconds += cpu_seconds_of(child);
    }
    return seconds;
}

} // namespace

void IdleWatch::start(pid_t pid) {
    pid_ = pid;
    idle_ = 0;
    used_ = cpu_seconds_of_family(pid);
    looked_ = std::chrono::steady_clock::now();
}

bool IdleWatch::is_stuck(int most_idle) {
    const auto now = std::chrono::steady_clock::now();
    const double used = cpu_seconds_of_family(pid_);
    idle_ += std::min(std::chrono::duration<double>(now - looked_).count(), 2.0);
    looked_ = now;
    if (std::abs(used - used_) > 1e-4) { // less where a process has ended
        used_ = used;
        idle_ = 0;
    }
    return idle_ > most_idle;
}

void Worker::start(const Options &options) {
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
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        const auto note = [&](bool runs) { *runs_since = runs ? seconds_of(CLOCK_PROCESS_CPUTIME_ID) : -1; };
        for (uint64_t number = next; number < end; number += step) {
            Genome genome = make_genome(options, number);
            write_report(ends[1], number, try_case(genome, options, note), genome);
        }
        _exit(0);
    }
    close(ends[1]);
    pipe = ends[0];
    case_starts();
}

void Worker::case_starts() {
    idle.start(pid);
    cpu_since = cpu_seconds_of(pid);
}

bool Worker::compiles_too_long(const Options &options) const {
    return *runs_since < 0 && cpu_seconds_of(pid) - cpu_since > options.time_limit;
}

bool Worker::runs_too_long(const Options &options) const {
    const double began = *runs_since;
    return began >= 0 && cpu_seconds_of(pid) - began > options.run_limit;
}

void Worker::stop() {
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        close(pipe);
        pid = -1;
    }
}

Load::Load(const Options &options) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int count = !options.stress ? 0 : options.busy < 0 ? cores + 1 : options.busy;
    for (int i = 0; i < count; i++) {
        const pid_t pid = fork();
        check(pid >= 0, "a process can be made");
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            while (true) {
                (void)seconds_of(CLOCK_MONOTONIC);
            }
        }
        pids_.push_back(pid);
    }
}

Load::~Load() {
    for (const pid_t pid : pids_) {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
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
        _exit(static_cast<int>(run_case(genome, options, limit_phase).kind));
    }
    int status = 0;
    IdleWatch idle;
    idle.start(pid);
    bool is_stuck = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        usleep(2000);
        if (!is_stuck && idle.is_stuck(options.idle_limit)) {
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

} // namespace fluorite::fuzz
