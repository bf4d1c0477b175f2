#pragma once
// What the files of the profiler share: blocks of threads, instances, and the pipelines into which they are merged.

#include "fluorite/compat/HalideRuntime.h"
#include "fluorite/runtime/profile.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fluorite_runtime::profile {

constexpr int32_t idle = -1; // of a thread: it waits, or works for others

/// When a thread computed a Func, in nanoseconds of the steady clock.
struct Span {
    int32_t thread = 0, func = 0;
    uint64_t begin = 0, end = 0;
};
constexpr size_t most_spans = 200'000; // that a pipeline keeps: some 5 MB

struct Counters {
    int64_t productions = 0, points = 0;
    uint64_t nanoseconds = 0; // in code with time stamps
    int64_t needed = 0;
};
static_assert(sizeof(Counters) == fluorite_profile_counter_bytes);

struct Instance;

/// What one thread does for one instance. Generated code writes `func` and the first counters of a Func.
struct Block {
    std::atomic<int32_t> func{idle};
    int32_t thread = 0;
    Instance *instance = nullptr;
    uint64_t since = 0;      // of the current Func, in code with time stamps
    Block *next = nullptr;   // of the instance
    std::vector<Span> spans; // the last one is open in sampled code
    alignas(fluorite_profile_counters) Counters counters[1];
};

/// The accumulated results of a pipeline, and beside the fields that programs know those that they do not.
struct Pipeline : halide_profiler_pipeline_stats {
    struct Func {
        uint64_t productions = 0, points = 0, needed = 0; // points and needed: 0 where they are not known
    };
    std::string own_name;
    std::vector<std::string> names;
    std::vector<halide_profiler_func_stats> stats;
    std::vector<Func> more;
    std::vector<Span> spans;
    bool is_timed = false;
};

/// What a description says (runtime/profile.h).
struct Description {
    struct Func {
        uint64_t stack = 0;
        int64_t points = 0; // of a production; 0: counted; -1: not known
        std::string name;
    };
    std::string name, kinds;
    bool is_timed = false;
    std::vector<Func> funcs; // those of every pipeline included
};

/// A run in progress. The lock of the profiler's state guards the list of instances, and what samples write.
struct Instance : halide_profiler_instance_state {
    std::vector<halide_profiler_func_stats> stats;
    std::vector<int64_t> points; // of a production of each Func, as in its description
    bool is_timed = false, records = false;
    uint64_t last_sample = 0;
    std::mutex mutex; // guards the list of blocks
    Block *blocks = nullptr;
    uint64_t serial = 0; // distinct in the process
};

/// The block of the thread for the instance for which it works; null if it works for none.
extern constinit thread_local Block *current;

uint64_t now();
/// Signalled when an instance ends or the profiler is to stop.
halide_cond &instances_changed();
halide_profiler_state &state();
/// The lock of the state.
class StateLock {
  public:
    StateLock() { halide_mutex_lock(&state().lock); }
    ~StateLock() { halide_mutex_unlock(&state().lock); }
    StateLock(const StateLock &) = delete;
    StateLock &operator=(const StateLock &) = delete;
};

/// The block of the calling thread for an instance, which it keeps.
Block *block_of(Instance &instance);
/// The thread goes on with another Func, or is idle.
void switch_to(Block &block, int32_t func);

/// The calling thread works for the instance of a block, on a Func, during the scope; afterwards it goes on as before.
/// Does nothing for a null block.
class WorkScope {
  public:
    WorkScope(Block *of, int32_t func);
    ~WorkScope();
    WorkScope(const WorkScope &) = delete;
    WorkScope &operator=(const WorkScope &) = delete;

  private:
    Block *outer_ = nullptr, *block_ = nullptr;
    int32_t before_ = idle;
};

/// The calling thread does something else than its Func, or waits (idle), during the scope.
class OtherScope {
  public:
    explicit OtherScope(int32_t func) : block_(current) {
        if (block_ != nullptr) {
            before_ = block_->func.load(std::memory_order_relaxed);
            switch_to(*block_, func);
        }
    }
    ~OtherScope() {
        if (block_ != nullptr) {
            switch_to(*block_, before_);
        }
    }
    OtherScope(const OtherScope &) = delete;
    OtherScope &operator=(const OtherScope &) = delete;

  private:
    Block *block_;
    int32_t before_ = idle;
};

/// Calls what runs the tasks of a loop or a fork so that they work for the caller's instance, on its Func, and the
/// calling thread is idle but where it runs one of them.
using RunTasks = int (*)(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name);
int run_profiled_tasks(RunTasks run, void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                       const char *name);
inline int run_tasks(RunTasks run, void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                     const char *name) {
    return current == nullptr ? run(context, task, min, size, closure, name)
                              : run_profiled_tasks(run, context, task, min, size, closure, name);
}

/// Whether spans are recorded.
bool records_timeline();
/// The following take the state as it is: the caller holds its lock.
void start_sampling();
void stop_sampling();
void sample(Instance &instance, uint64_t time);
std::vector<std::string> report_lines();
std::string json();
std::string page();

} // namespace fluorite_runtime::profile
