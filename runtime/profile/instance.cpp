// Runs of profiled pipelines: what each thread computes, and the results of finished runs.
//
// What: the entry of a profiled pipeline calls fluorite_profile_run, which makes an instance, calls the function that
// computes, whatever its result, and merges the instance into the results of the pipeline. A thread that works for an
// instance has a block for it, in which generated code stores the number of the Func that it computes:
//     enter f:  block.func = f; block.counters[f].productions += 1
//     leave f:  block.func = the Func around it
// fluorite_do_par_for and fluorite_do_fork hand the instance to the threads that run tasks (WorkScope) and mark their
// own thread as idle; malloc and free are marked, too (OtherScope). Scopes restore what was before on every exit, so
// that failing tasks leave no marks. Pipelines may nest, as those that an extern stage calls.
//
// Time. In sampled code, a thread of the runtime reads all blocks from time to time (sampling.cpp). In code with time
// stamps, every change of a block's Func bills the time since the last one. At the end, the times of Funcs are scaled
// so that their sum is the time of the run, as the peer reports them.
//
// Memory. Allocations are counted as the program states them, so memory that the runtime keeps for the next iteration
// counts each time. Peaks are those of the sum over all threads. Memory that a failed run does not free ends with it.
//
// Relies on: blocks are read under the lock of the state, which the end of an instance takes before it frees them.
// Cost: some microseconds for a run, 20 ns for a task, two stores for a Func that is entered.

#include "runtime/profile/profile.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace fluorite_runtime::profile {

static_assert(offsetof(Block, func) == 0 && offsetof(Block, counters) == fluorite_profile_counters,
              "generated code knows where the fields are");

constinit thread_local Block *current = nullptr;

uint64_t now() {
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

namespace {

// ---- Blocks.

int32_t thread_number() {
    static std::atomic<int32_t> count{0};
    thread_local const int32_t number = count.fetch_add(1, std::memory_order_relaxed);
    return number;
}

uint64_t next_serial() {
    static std::atomic<uint64_t> count{0};
    return count.fetch_add(1, std::memory_order_relaxed) + 1;
}

constexpr std::align_val_t block_alignment{alignof(Block)};

Block *new_block(Instance &instance) {
    const size_t bytes = sizeof(Block) + instance.stats.size() * sizeof(Counters);
    auto *block = new (::operator new(bytes, block_alignment)) Block;
    std::memset(static_cast<void *>(block->counters), 0, bytes - offsetof(Block, counters));
    block->thread = thread_number();
    block->instance = &instance;
    return block;
}

void delete_blocks(Instance &instance) {
    while (instance.blocks != nullptr) {
        Block *block = instance.blocks;
        instance.blocks = block->next;
        block->~Block();
        ::operator delete(block, block_alignment);
    }
}

// What the calling thread used last, so that most tasks take no lock.
struct Recent {
    uint64_t serial = 0;
    Block *block = nullptr;
};
thread_local Recent recent;

// ---- Descriptions.

std::string_view next_line(std::string_view &rest) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

Description::Func func_of(std::string_view line) {
    Description::Func func;
    char *end = nullptr;
    func.stack = std::strtoull(line.data(), &end, 10);
    func.points = std::strtoll(end, &end, 10);
    const char *last = line.data() + line.size();
    func.name.assign(end < last ? end + 1 : last, last);
    return func;
}

Description parse(const char *text) {
    Description description;
    std::string_view rest = text;
    description.name = next_line(rest);
    description.is_timed = next_line(rest) == "timed";
    description.kinds = next_line(rest);
    for (const char *name : {"overhead", "waiting for parallel tasks to finish", "halide_malloc", "halide_free"}) {
        description.funcs.push_back({0, -1, name});
    }
    while (!rest.empty()) {
        description.funcs.push_back(func_of(next_line(rest)));
    }
    return description;
}

// ---- Pipelines.

bool is_of(const Pipeline &pipeline, const Description &description) {
    if (pipeline.own_name != description.name || pipeline.names.size() != description.funcs.size()) {
        return false;
    }
    for (size_t f = 0; f < pipeline.names.size(); f++) {
        if (pipeline.names[f] != description.funcs[f].name) {
            return false;
        }
    }
    return true;
}

/// The pipeline of the description, which is made if there is none. Pipelines live as long as the process.
Pipeline &pipeline_of(const Description &description) {
    void **end = reinterpret_cast<void **>(&state().pipelines);
    for (void *at = *end; at != nullptr; at = static_cast<Pipeline *>(at)->next) {
        auto *pipeline = static_cast<Pipeline *>(static_cast<halide_profiler_pipeline_stats *>(at));
        if (is_of(*pipeline, description)) {
            return *pipeline;
        }
        end = &pipeline->next;
    }
    auto *made = new Pipeline();
    made->own_name = description.name;
    made->name = made->own_name.c_str();
    made->num_funcs = static_cast<int>(description.funcs.size());
    made->names.reserve(description.funcs.size());
    for (const Description::Func &func : description.funcs) {
        made->names.push_back(func.name);
        made->stats.push_back({});
        made->stats.back().name = made->names.back().c_str();
        made->more.push_back({});
    }
    made->funcs = made->stats.data();
    made->is_timed = description.is_timed;
    *end = static_cast<halide_profiler_pipeline_stats *>(made);
    return *made;
}

// ---- Memory.

void add(uint64_t &to, uint64_t amount) { std::atomic_ref<uint64_t>(to).fetch_add(amount, std::memory_order_relaxed); }

void add_with_peak(uint64_t &to, uint64_t &peak, uint64_t amount) {
    const uint64_t sum = std::atomic_ref<uint64_t>(to).fetch_add(amount, std::memory_order_relaxed) + amount;
    const std::atomic_ref<uint64_t> most(peak);
    uint64_t seen = most.load(std::memory_order_relaxed);
    while (seen < sum && !most.compare_exchange_weak(seen, sum, std::memory_order_relaxed)) {
    }
}

// ---- Ends of instances.

void close_spans(Instance &instance, uint64_t time) {
    for (Block *block = instance.blocks; block != nullptr; block = block->next) {
        if (!block->spans.empty() && block->spans.back().end == 0) {
            block->spans.back().end = time;
        }
    }
}

/// The nanoseconds that all threads worked, by Func: in code with time stamps.
void take_time_stamps(Instance &instance) {
    for (Block *block = instance.blocks; block != nullptr; block = block->next) {
        for (size_t f = 0; f < instance.stats.size(); f++) {
            instance.stats[f].time += block->counters[f].nanoseconds;
            instance.billed_time += block->counters[f].nanoseconds;
        }
    }
    instance.active_threads_numerator = instance.billed_time;
}

uint64_t scaled(uint64_t part, uint64_t whole, uint64_t to) {
    return whole == 0 ? 0
                      : static_cast<uint64_t>(static_cast<double>(part) / static_cast<double>(whole) *
                                              static_cast<double>(to));
}

void merge_funcs(Instance &instance, Pipeline &into, uint64_t total) {
    for (size_t f = 0; f < instance.stats.size(); f++) {
        halide_profiler_func_stats &func = instance.stats[f], &sum = into.stats[f];
        sum.time += scaled(func.time, instance.billed_time, total);
        sum.memory_peak = std::max(sum.memory_peak, func.memory_peak);
        sum.memory_total += func.memory_total;
        sum.num_allocs += func.num_allocs;
        sum.stack_peak = std::max(sum.stack_peak, func.stack_peak);
        if (instance.is_timed) { // of the run: one Func's own threads are not known at once
            sum.active_threads_numerator += func.time > 0 ? instance.billed_time : 0;
            sum.active_threads_denominator += func.time > 0 ? total : 0;
        } else {
            sum.active_threads_numerator += func.active_threads_numerator;
            sum.active_threads_denominator += func.active_threads_denominator;
        }
        Pipeline::Func &more = into.more[f];
        const int64_t points = instance.points[f];
        for (Block *block = instance.blocks; block != nullptr; block = block->next) {
            const Counters &counters = block->counters[f];
            more.productions += static_cast<uint64_t>(counters.productions);
            more.needed += static_cast<uint64_t>(counters.needed);
            more.points += static_cast<uint64_t>(points > 0    ? counters.productions * points
                                                 : points == 0 ? counters.points
                                                               : 0);
        }
    }
}

/// The caller holds the lock of the state.
void merge(Instance &instance, Pipeline &into) {
    const uint64_t end = now(), total = end - instance.start_time;
    if (instance.is_timed) {
        take_time_stamps(instance);
    }
    close_spans(instance, end);
    merge_funcs(instance, into, total);
    into.time += total;
    into.runs++;
    into.samples += instance.samples;
    into.num_allocs += instance.num_allocs;
    into.memory_peak = std::max(into.memory_peak, instance.memory_peak);
    into.memory_total += instance.memory_total;
    into.active_threads_numerator += instance.active_threads_numerator;
    into.active_threads_denominator += instance.is_timed ? total : instance.active_threads_denominator;
    for (Block *block = instance.blocks; block != nullptr; block = block->next) {
        const size_t room = most_spans - std::min(most_spans, into.spans.size());
        const size_t count = std::min(room, block->spans.size());
        into.spans.insert(into.spans.end(), block->spans.begin(),
                          block->spans.begin() + static_cast<std::ptrdiff_t>(count));
    }
}

/// An instance in the list of the state, from its begin to its end.
class RunningInstance {
  public:
    RunningInstance(const Description &description, bool collects) {
        instance_.stats.resize(description.funcs.size());
        for (size_t f = 0; f < description.funcs.size(); f++) {
            instance_.stats[f].stack_peak = description.funcs[f].stack;
            instance_.points.push_back(description.funcs[f].points);
        }
        instance_.funcs = instance_.stats.data();
        instance_.is_timed = description.is_timed;
        instance_.serial = next_serial();
        instance_.should_collect_statistics = collects ? 1 : 0;
        if (collects) {
            begin(description);
        }
    }
    ~RunningInstance() {
        if (instance_.should_collect_statistics != 0) {
            const StateLock lock;
            end();
        }
        delete_blocks(instance_);
    }
    RunningInstance(const RunningInstance &) = delete;
    RunningInstance &operator=(const RunningInstance &) = delete;

    Instance &get() { return instance_; }

  private:
    Instance instance_{};

    void begin(const Description &description) {
        const StateLock lock;
        instance_.records = records_timeline();
        instance_.pipeline_stats = &pipeline_of(description);
        instance_.next = state().instances;
        instance_.prev_next = &state().instances;
        if (instance_.next != nullptr) {
            instance_.next->prev_next = &instance_.next;
        }
        state().instances = &instance_;
        instance_.start_time = instance_.last_sample = now();
        if (!instance_.is_timed) {
            start_sampling();
        }
    }

    void end() {
        *instance_.prev_next = instance_.next;
        if (instance_.next != nullptr) {
            instance_.next->prev_next = instance_.prev_next;
        }
        merge(instance_, *static_cast<Pipeline *>(instance_.pipeline_stats));
        halide_cond_broadcast(&instances_changed());
    }
};

} // namespace

Block *block_of(Instance &instance) {
    if (recent.serial == instance.serial) {
        return recent.block;
    }
    const std::lock_guard lock(instance.mutex);
    Block *found = instance.blocks;
    while (found != nullptr && found->thread != thread_number()) {
        found = found->next;
    }
    if (found == nullptr) {
        found = new_block(instance);
        found->next = instance.blocks;
        instance.blocks = found;
    }
    recent = {instance.serial, found};
    return found;
}

void switch_to(Block &block, int32_t func) {
    if (block.instance->is_timed) {
        const uint64_t time = now();
        const int32_t before = block.func.load(std::memory_order_relaxed);
        if (before >= 0) {
            block.counters[before].nanoseconds += time - block.since;
            if (block.instance->records && block.spans.size() < most_spans && time > block.since) {
                block.spans.push_back({block.thread, before, block.since, time});
            }
        }
        block.since = time;
    }
    block.func.store(func, std::memory_order_relaxed);
}

WorkScope::WorkScope(Block *of, int32_t func) {
    if (of == nullptr) {
        return;
    }
    block_ = block_of(*of->instance);
    outer_ = current;
    before_ = block_->func.load(std::memory_order_relaxed);
    current = block_;
    switch_to(*block_, func);
}
WorkScope::~WorkScope() {
    if (block_ != nullptr) {
        switch_to(*block_, before_);
        current = outer_;
    }
}

namespace {

struct ProfiledTask {
    fluorite_task_t task;
    uint8_t *closure;
    Block *launcher;
    int32_t func; // around the launch
};

int run_profiled_task(void *context, int index, uint8_t *closure) {
    const auto *profiled = reinterpret_cast<const ProfiledTask *>(closure);
    const WorkScope scope(profiled->launcher, profiled->func);
    return profiled->task(context, index, profiled->closure);
}

} // namespace

int run_profiled_tasks(RunTasks run, void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                       const char *name) {
    ProfiledTask profiled{task, closure, current, current->func.load(std::memory_order_relaxed)};
    const OtherScope waiting(idle);
    return run(context, run_profiled_task, min, size, reinterpret_cast<uint8_t *>(&profiled), name);
}

} // namespace fluorite_runtime::profile

namespace {

using namespace fluorite_runtime::profile;

/// The arguments of the function of form _argv, in the order of its parameters.
class Arguments {
  public:
    Arguments(const Description &description, void *&context, void *const *operands) {
        size_t next = 1;
        handles_.reserve(description.kinds.size());
        for (const char kind : description.kinds) {
            if (kind == 'c') {
                args_.push_back(&context);
                continue;
            }
            void *operand = operands[next++];
            if (kind == 'h') {
                handles_.push_back(operand);
                operand = &handles_.back();
            }
            if (kind == 'b' && operand != nullptr && static_cast<fluorite_buffer_t *>(operand)->is_bounds_query()) {
                is_query_ = true;
            }
            args_.push_back(operand);
        }
    }
    void **get() { return args_.data(); }
    bool is_query() const { return is_query_; }

  private:
    std::vector<void *> args_, handles_;
    bool is_query_ = false;
};

Block *block_at(void *block) { return static_cast<Block *>(block); }

} // namespace

extern "C" {

int fluorite_profile_run(void *context, const char *text, void *const *operands) {
    const Description description = parse(text);
    Arguments arguments(description, context, operands);
    RunningInstance running(description, !arguments.is_query());
    Instance &instance = running.get();
    const WorkScope scope(block_of(instance), fluorite_profile_overhead);
    return reinterpret_cast<int (*)(void **)>(operands[0])(arguments.get());
}

void *fluorite_profile_block(void) { return current; }

int fluorite_profile_enter(void *block, int func) {
    switch_to(*block_at(block), func);
    block_at(block)->counters[func].productions++;
    return 0;
}
int fluorite_profile_leave(void *block, int func) {
    switch_to(*block_at(block), func);
    return 0;
}

int fluorite_profile_needed(void *block, int func, int64_t points) {
    block_at(block)->counters[func].needed += points;
    return 0;
}

int fluorite_profile_allocate(void *block, int func, int64_t bytes) {
    Instance &instance = *block_at(block)->instance;
    halide_profiler_func_stats &stats = instance.stats[static_cast<size_t>(func)];
    const auto amount = static_cast<uint64_t>(bytes);
    std::atomic_ref<int>(instance.num_allocs).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref<int>(stats.num_allocs).fetch_add(1, std::memory_order_relaxed);
    add(instance.memory_total, amount);
    add(stats.memory_total, amount);
    add_with_peak(instance.memory_current, instance.memory_peak, amount);
    add_with_peak(stats.memory_current, stats.memory_peak, amount);
    return 0;
}
int fluorite_profile_free_bytes(void *block, int func, int64_t bytes) {
    Instance &instance = *block_at(block)->instance;
    const auto amount = ~static_cast<uint64_t>(bytes) + 1;
    add(instance.memory_current, amount);
    add(instance.stats[static_cast<size_t>(func)].memory_current, amount);
    return 0;
}
}
