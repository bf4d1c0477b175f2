// Handlers that throw: the exception reaches the caller of realize from any thread, memory is freed, and threads
// survive; and arguments that handlers never get.
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"
#include "support/test_errors.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::handlers_test {
namespace {

/// The exception that the handlers below throw.
struct Thrown {
    std::string by;
};

enum class Mode { Serial, Parallel, Async };
enum class Thrower { None, Error, Print, Malloc, Free, Trace, Task, ParFor };

std::atomic<Thrower> thrower;
std::atomic<int> live, nulls, allocations, tasks;

void throw_if(Thrower mine, const char *by) {
    if (thrower == mine) {
        throw Thrown{by};
    }
}

void *counted_malloc(size_t bytes) {
    if (++allocations > 1) {
        throw_if(Thrower::Malloc, "malloc");
    }
    live++;
    return aligned_alloc(128, (bytes + 2 * 128) / 128 * 128 + 128);
}
void counted_free(void *block) {
    if (!block) {
        nulls++;
        return;
    }
    live--;
    free(block);
    throw_if(Thrower::Free, "free");
}
int par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    for (int i = min; i < min + size; i++) {
        if (i == min + size / 2) {
            throw_if(Thrower::ParFor, "par_for");
        }
        if (const int code = task(context, i, closure)) {
            return code;
        }
    }
    return 0;
}

JITHandlers all_handlers() {
    JITHandlers handlers;
    handlers.custom_print = [](JITUserContext *, const char *) { throw_if(Thrower::Print, "print"); };
    handlers.custom_malloc = [](JITUserContext *, size_t bytes) { return counted_malloc(bytes); };
    handlers.custom_free = [](JITUserContext *, void *block) { counted_free(block); };
    handlers.custom_trace = [](JITUserContext *, const fluorite_trace_event_t *) {
        throw_if(Thrower::Trace, "trace");
        return 1;
    };
    if (thrower == Thrower::Error) {
        handlers.custom_error = [](JITUserContext *, const char *) { throw_if(Thrower::Error, "error"); };
    }
    if (thrower == Thrower::Task) {
        handlers.custom_do_task = [](JITUserContext *context, JITHandlers::Task task, int index, uint8_t *closure) {
            if (++tasks > 3) {
                throw_if(Thrower::Task, "task");
            }
            return task(context, index, closure);
        };
    }
    if (thrower == Thrower::ParFor) {
        handlers.custom_do_par_for = [](JITUserContext *context, JITHandlers::Task task, int min, int size,
                                        uint8_t *closure) {
            return par_for(context, reinterpret_cast<fluorite_task_t>(task), min, size, closure);
        };
    }
    return handlers;
}

/// The same through the handlers of the process.
void set_process_handlers(bool on) {
    set_custom_allocator(on ? [](void *, size_t bytes) { return counted_malloc(bytes); } : fluorite_malloc_t(),
                         on ? [](void *, void *block) { counted_free(block); } : fluorite_free_t());
    set_custom_print(on ? [](void *, const char *) { throw_if(Thrower::Print, "print"); } : fluorite_print_t());
    set_custom_trace(on ? [](void *, const fluorite_trace_event_t *) {
        throw_if(Thrower::Trace, "trace");
        return 1;
    } : fluorite_trace_t());
    set_error_handler(on && thrower == Thrower::Error
                          ? [](void *, int, const char *) { throw_if(Thrower::Error, "error"); }
                          : fluorite_error_handler_t());
    set_custom_do_par_for(on && thrower == Thrower::ParFor
                              ? [](void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                                   const char *) { return par_for(context, task, min, size, closure); }
                              : fluorite_do_par_for_t());
}

class ThrowingHandlers : public testing::Test {
  protected:
    static constexpr int width = 37, height = 29;
    Var x{"x"}, y{"y"};

    void SetUp() override {
        fluorite_set_num_threads(4);
        live = nulls = allocations = tasks = 0;
    }
    void TearDown() override {
        thrower = Thrower::None;
        set_process_handlers(false);
        fluorite_set_num_threads(0);
    }

    /// f(x, y) = (x + y) + (x + 1 + y), through memory. Failures occur in the middle.
    Func make(Mode mode, Param<int> &limit) const {
        Func h("h"), g("g"), f("f");
        h(x, y) = x + y;
        h.compute_root();
        g(x, y) = require(x + y < limit, h(x, y), "too much") + print_when(x == 3 && y == 11, 0);
        f(x, y) = g(x, y) + g(x + 1, y);
        switch (mode) {
        case Mode::Serial:
            g.compute_at(f, y);
            break;
        case Mode::Parallel:
            f.parallel(y);
            g.compute_at(f, y);
            break;
        case Mode::Async:
            g.compute_at(f, y).store_root().async();
            break;
        }
        g.trace_stores();
        return f;
    }

    static void expect_right(const Buffer<int> &out) {
        out.for_each_element([&](int i, int j) { ASSERT_EQ(out(i, j), 2 * (i + j) + 1); });
    }

    /// Runs once with the throwing handler, and once without it.
    void check(Mode mode, Thrower which, bool of_process) {
        SCOPED_TRACE(testing::Message() << "mode " << static_cast<int>(mode) << ", thrower " << static_cast<int>(which)
                                        << (of_process ? ", of the process" : ", of the run"));
        thrower = which;
        live = allocations = tasks = 0;
        Param<int> limit("limit");
        limit.set(which == Thrower::Error ? 20 : 1000);
        Func f = make(mode, limit);
        JITUserContext context;
        if (of_process) {
            set_process_handlers(true);
        } else {
            context.handlers = all_handlers();
        }
        std::string by;
        try {
            of_process ? f.realize({width, height}) : f.realize(&context, {width, height});
        } catch (const Thrown &thrown) {
            by = thrown.by;
        }
        static const char *const names[] = {"", "error", "print", "malloc", "free", "trace", "task", "par_for"};
        EXPECT_EQ(by, names[static_cast<int>(which)]);
        EXPECT_EQ(live, 0);
        EXPECT_EQ(nulls, 0);
        thrower = Thrower::None;
        limit.set(1000);
        Buffer<int> out = of_process ? f.realize({width, height}) : f.realize(&context, {width, height});
        expect_right(out);
        EXPECT_EQ(live, 0);
        EXPECT_EQ(nulls, 0);
    }

    void check(Mode mode, Thrower which) {
        check(mode, which, false);
        if (which != Thrower::Task) {
            check(mode, which, true);
            set_process_handlers(false);
        }
    }

    void check_all(Thrower which) {
        for (const Mode mode : {Mode::Serial, Mode::Parallel, Mode::Async}) {
            check(mode, which);
        }
    }
};

TEST_F(ThrowingHandlers, OfErrors) { check_all(Thrower::Error); }
TEST_F(ThrowingHandlers, OfPrinting) { check_all(Thrower::Print); }
TEST_F(ThrowingHandlers, ThatAllocate) { check_all(Thrower::Malloc); }
TEST_F(ThrowingHandlers, ThatFree) { check_all(Thrower::Free); }
TEST_F(ThrowingHandlers, OfTraces) { check_all(Thrower::Trace); }
TEST_F(ThrowingHandlers, ThatRunTasks) { check(Mode::Parallel, Thrower::Task); }
TEST_F(ThrowingHandlers, ThatRunLoops) { check(Mode::Parallel, Thrower::ParFor); }

TEST_F(ThrowingHandlers, MayRealizeAndCatchThemselves) {
    static Func *inner = nullptr;
    static int failures = 0;
    Param<int> limit("limit");
    limit.set(20);
    Func g("g"), f("f");
    g(x) = require(x < limit, x, "too much");
    g.jit_handlers().custom_error = [](JITUserContext *, const char *) { throw Thrown{"inner"}; };
    inner = &g;
    f(x) = print_when(x == 5, x);
    f.jit_handlers().custom_print = [](JITUserContext *, const char *) {
        try {
            inner->realize({30});
        } catch (const Thrown &) {
            failures++;
        }
    };
    Buffer<int> out = f.realize({10});
    EXPECT_EQ(failures, 1);
    EXPECT_EQ(out(9), 9);
}

TEST_F(ThrowingHandlers, OfTheRunOfACallable) {
    Param<int> limit("limit");
    Func g("g");
    g(x) = require(x < limit, x, "too much");
    g.jit_handlers().custom_error = [](JITUserContext *, const char *) { throw Thrown{"error"}; };
    const Callable run = g.compile_to_callable({limit});
    Buffer<int> out(30);
    EXPECT_THROW(run(20, out), Thrown);
    EXPECT_EQ(run(30, out), 0);
}

TEST(Handlers, ThatFreeAreNotGivenNull) {
    // The allocation of g fails, so the pointer to be freed is null.
    static int given_null;
    given_null = 0;
    Var x("x"), y("y");
    Func g("g"), h("h"), f("f");
    h(x, y) = x + y;
    g(x, y) = h(x, y) + h(x, y + 1);
    f(x, y) = g(x, y) + g(x + 1, y);
    h.compute_root();
    g.compute_root();
    static int allocated;
    allocated = 0;
    JITHandlers &handlers = f.jit_handlers();
    handlers.custom_malloc = [](JITUserContext *, size_t bytes) -> void * {
        return ++allocated == 2 ? nullptr : aligned_alloc(128, (bytes + 511) / 128 * 128);
    };
    handlers.custom_free = [](JITUserContext *, void *block) {
        given_null += block == nullptr;
        free(block);
    };
    expect_error<RuntimeError>(
        [&] { f.realize({200, 200}); }, "out-of-memory",
        "in g: an allocation of 160800 bytes failed; the storage of a Func must fit into memory; compute it in "
        "smaller tiles, or realize a smaller region");
    EXPECT_EQ(given_null, 0);
    fluorite_free(nullptr, nullptr);
    set_custom_allocator([](void *, size_t bytes) { return aligned_alloc(128, (bytes + 511) / 128 * 128); },
                         [](void *, void *block) {
                             given_null += block == nullptr;
                             free(block);
                         });
    fluorite_free(nullptr, nullptr);
    set_custom_allocator(nullptr, nullptr);
    EXPECT_EQ(given_null, 0);
}

TEST(Handlers, ThatAllocateAndFreeGoTogether) {
    Var x("x");
    Func f("f");
    f(x) = x;
    f.jit_handlers().custom_malloc = [](JITUserContext *, size_t bytes) { return malloc(bytes); };
    unsigned line = __LINE__ + 1;
    expect_error<RuntimeError>([&] { f.realize({3}); }, "allocator-incomplete",
                               "in a pipeline: custom_malloc is set and custom_free is not; memory is freed by whoever "
                               "allocates it; set both, or none",
                               {"handlers_test", line});
    line = __LINE__ + 1;
    expect_error<RuntimeError>([] { set_custom_allocator(nullptr, [](void *, void *block) { free(block); }); },
                               "allocator-incomplete",
                               "in a pipeline: the function that frees is set and the function that allocates is not; "
                               "memory is freed by whoever "
                               "allocates it; set both, or none",
                               {"handlers_test", line});
}

} // namespace
} // namespace fluorite::handlers_test
