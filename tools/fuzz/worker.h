#pragma once
// Child processes that run cases, and their reports.

#include "variants.h"

#include <chrono>
#include <sys/types.h>
#include <vector>

namespace fluorite::fuzz {

// A child's report on one case.
struct Report {
    uint64_t number = 0;
    Features features;
    int32_t kind = 0, retries = 0;
    int32_t drawn = 0, idle = 0; // directives
    bool wild = false, grown = false, walks = false;
    RegionCounts regions;
    char slug[48] = {};       // of the first refusal
    char last_slug[48] = {};  // of the last one, if every variant was refused
    char refusals[1200] = {}; // of directives
    char text[480] = {};
};

// Detects that a process waits for itself: it uses no processor time. A process that waits for a core on a busy machine
// gets some; time in which both processes stood still does not count.
class IdleWatch {
  public:
    void start(pid_t pid);
    bool is_stuck(int most_idle); // seconds

  private:
    pid_t pid_ = -1;
    double used_ = 0, idle_ = 0; // seconds
    std::chrono::steady_clock::time_point looked_;
};

/// A child process that runs the cases next, next + step, ... below end.
struct Worker {
    pid_t pid = -1;
    int pipe = -1;
    uint64_t next = 0, step = 1, end = 0;
    IdleWatch idle;
    double cpu_since = 0;
    volatile double *runs_since = nullptr; // processor time, shared with the process; negative while it compiles

    void start(const Options &options);
    void stop();
    void case_starts();
    bool compiles_too_long(const Options &options) const;
    bool runs_too_long(const Options &options) const;
};

/// Processes that keep the machine busy, so that threads lose their cores at unusual moments.
class Load {
  public:
    explicit Load(const Options &options);
    ~Load();
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;

  private:
    std::vector<pid_t> pids_;
};

/// Runs one genome in a child process within the time limit; Hang if it does not end.
Outcome::Kind run_isolated(const Genome &genome, const Options &options);

} // namespace fluorite::fuzz
