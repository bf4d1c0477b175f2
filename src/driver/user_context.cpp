// Runs with handlers of their own.
//
// What: the runtime has one hook of each kind per process and passes each call's context to it. For a run with
// handlers, our hook replaces it and looks the context up among the runs in flight: if the run has a handler of that
// kind, it is called, otherwise the previous hook. Contexts of ahead-of-time code, which have another meaning, are not
// in the table and pass through unchanged.
//
// Threads may run pipelines with different contexts concurrently. Hooks stay installed. Cost: a lookup under a shared
// lock for each call of a hook, only in programs that have used such handlers.

#include "driver/user_context.h"

#include "driver/handlers.h"

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace fluorite::driver {

namespace {

struct Run {
    JITHandlers handlers;
    int count = 0; // runs that currently use the context
};

std::shared_mutex table_mutex;
std::map<const void *, Run> &table() {
    static std::map<const void *, Run> runs;
    return runs;
}

/// The run's handlers; none for contexts that are not ours.
JITHandlers handlers_of(const void *context) {
    std::shared_lock lock(table_mutex);
    const auto found = context ? table().find(context) : table().end();
    return found == table().end() ? JITHandlers() : found->second.handlers;
}

JITUserContext *as_user(void *context) { return static_cast<JITUserContext *>(context); }
JITHandlers::Task as_task(fluorite_task_t task) { return reinterpret_cast<JITHandlers::Task>(task); }

// The hooks that ours replaced.
std::atomic<fluorite_print_t> next_print{nullptr};
std::atomic<fluorite_malloc_t> next_malloc{nullptr};
std::atomic<fluorite_free_t> next_free{nullptr};
std::atomic<fluorite_do_par_for_t> next_do_par_for{nullptr};
std::atomic<fluorite_error_handler_t> next_error{nullptr};
std::atomic<fluorite_trace_t> next_trace{nullptr};

void print(void *context, const char *text) {
    const JITHandlers run = handlers_of(context);
    run.custom_print ? run.custom_print(as_user(context), text) : next_print.load()(context, text);
}

void *allocate(void *context, size_t bytes) {
    const JITHandlers run = handlers_of(context);
    return run.custom_malloc ? run.custom_malloc(as_user(context), bytes) : next_malloc.load()(context, bytes);
}

void release(void *context, void *pointer) {
    const JITHandlers run = handlers_of(context);
    run.custom_free ? run.custom_free(as_user(context), pointer) : next_free.load()(context, pointer);
}

/// A task that runs through custom_do_task.
struct WrappedTask {
    JITHandlers::Task task;
    uint8_t *closure;
    decltype(JITHandlers::custom_do_task) run;
};
int run_wrapped(void *context, int index, uint8_t *closure) {
    const auto *wrapped = reinterpret_cast<const WrappedTask *>(closure);
    return wrapped->run(as_user(context), wrapped->task, index, wrapped->closure);
}

int do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    const JITHandlers run = handlers_of(context);
    if (run.custom_do_par_for) {
        return run.custom_do_par_for(as_user(context), as_task(task), min, size, closure);
    }
    if (run.custom_do_task) {
        WrappedTask wrapped{as_task(task), closure, run.custom_do_task};
        return next_do_par_for.load()(context, run_wrapped, min, size, reinterpret_cast<uint8_t *>(&wrapped), name);
    }
    return next_do_par_for.load()(context, task, min, size, closure, name);
}

void report(void *context, int code, const char *text) {
    const JITHandlers run = handlers_of(context);
    if (run.custom_error) {
        run.custom_error(as_user(context), text);
    } else if (const fluorite_error_handler_t next = next_error.load()) {
        next(context, code, text);
    } else {
        fluorite_store_error(code, text);
    }
}

int32_t trace(void *context, const fluorite_trace_event_t *event) {
    const JITHandlers run = handlers_of(context);
    return run.custom_trace ? run.custom_trace(as_user(context), event) : next_trace.load()(context, event);
}

template <typename Hook> void put(Hook (*install)(Hook), Hook ours, std::atomic<Hook> &next) {
    if (!next.load()) {
        next = install(nullptr); // stored before a call can arrive
        install(ours);
        return;
    }
    if (const Hook before = install(ours); before != ours) {
        next = before; // the program has installed it since
    }
}

/// Installs the hooks that the handlers need.
void install_for(const JITHandlers &handlers) {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (handlers.custom_print) {
        put(fluorite_set_custom_print, &print, next_print);
    }
    if (handlers.custom_malloc) {
        put(fluorite_set_custom_malloc, &allocate, next_malloc);
        put(fluorite_set_custom_free, &release, next_free);
    }
    if (handlers.custom_do_task || handlers.custom_do_par_for) {
        put(fluorite_set_custom_do_par_for, &do_par_for, next_do_par_for);
    }
    if (handlers.custom_error) {
        put(fluorite_set_error_handler, &report, next_error);
    }
    if (handlers.custom_trace) {
        put(fluorite_set_custom_trace, &trace, next_trace);
    }
}

bool any(const JITHandlers &handlers) {
    return handlers.custom_print || handlers.custom_malloc || handlers.custom_free || handlers.custom_do_task ||
           handlers.custom_do_par_for || handlers.custom_error || handlers.custom_trace;
}

template <typename Slot> void fill(Slot &slot, const Slot &from) {
    if (!slot) {
        slot = from;
    }
}

} // namespace

RunContext::RunContext(JITUserContext *user, const JITHandlers &pipeline, const Location &location) : context_(user) {
    JITHandlers handlers = user ? user->handlers : JITHandlers();
    fill(handlers.custom_print, pipeline.custom_print);
    if (!handlers.custom_malloc && !handlers.custom_free) {
        handlers.custom_malloc = pipeline.custom_malloc;
        handlers.custom_free = pipeline.custom_free;
    }
    check_allocator(handlers.custom_malloc != nullptr, handlers.custom_free != nullptr, "custom_malloc", "custom_free",
                    location);
    fill(handlers.custom_do_task, pipeline.custom_do_task);
    fill(handlers.custom_do_par_for, pipeline.custom_do_par_for);
    fill(handlers.custom_error, pipeline.custom_error);
    fill(handlers.custom_trace, pipeline.custom_trace);
    if (!any(handlers)) {
        return;
    }
    if (!context_) {
        context_ = &own_;
    }
    reports_errors_ = handlers.custom_error != nullptr;
    {
        std::unique_lock lock(table_mutex);
        Run &run = table()[context_];
        run.handlers = handlers;
        run.count++;
    }
    install_for(handlers);
}

RunContext::~RunContext() {
    std::unique_lock lock(table_mutex);
    const auto found = table().find(context_);
    if (found != table().end() && --found->second.count == 0) {
        table().erase(found);
    }
}

} // namespace fluorite::driver
