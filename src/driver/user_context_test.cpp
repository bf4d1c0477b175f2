// Whose handler is called: that of the run, of its pipeline, or the process's, whichever was installed when.
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace fluorite::driver::user_context_test {
namespace {

std::map<std::string, int> calls; // by handler; runs of these tests have one thread

/// A kind of handler: how a run gets one, and how the process gets its first and its second one.
struct Kind {
    const char *name;
    void (*give)(JITHandlers &handlers);
    void (*install)(bool second);
    void (*restore)();
};

/// The iterations of a loop of two.
int run_both(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    return task(context, min, closure) + task(context, min + size - 1, closure);
}
void *block_of(size_t bytes) { return std::aligned_alloc(128, (bytes + 3 * 128) / 128 * 128); }

const Kind kinds[] = {
    {"print",
     [](JITHandlers &handlers) { handlers.custom_print = [](JITUserContext *, const char *) { calls["run"]++; }; },
     [](bool second) {
         fluorite_set_custom_print(second ? [](void *, const char *) { calls["second"]++; }
                                          : [](void *, const char *) { calls["first"]++; });
     },
     [] { fluorite_set_custom_print(nullptr); }},
    {"memory",
     [](JITHandlers &handlers) {
         handlers.custom_malloc = [](JITUserContext *, size_t bytes) { return calls["run"]++, block_of(bytes); };
         handlers.custom_free = [](JITUserContext *, void *block) { calls["run freed"]++, std::free(block); };
     },
     [](bool second) {
         fluorite_set_custom_malloc(second ? [](void *, size_t bytes) { return calls["second"]++, block_of(bytes); }
                                           : [](void *, size_t bytes) { return calls["first"]++, block_of(bytes); });
         fluorite_set_custom_free([](void *, void *block) { calls["freed"]++, std::free(block); });
     },
     [] {
         fluorite_set_custom_malloc(nullptr);
         fluorite_set_custom_free(nullptr);
     }},
    {"loops",
     [](JITHandlers &handlers) {
         handlers.custom_do_par_for = [](JITUserContext *context, JITHandlers::Task task, int min, int size,
                                         uint8_t *closure) {
             return calls["run"]++, task(context, min, closure) + task(context, min + size - 1, closure);
         };
     },
     [](bool second) {
         fluorite_set_custom_do_par_for(
             second ? [](void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                         const char *) { return calls["second"]++, run_both(context, task, min, size, closure); }
                    : [](void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *) {
                          return calls["first"]++, run_both(context, task, min, size, closure);
                      });
     },
     [] { fluorite_set_custom_do_par_for(nullptr); }},
    {"trace",
     [](JITHandlers &handlers) {
         handlers.custom_trace = [](JITUserContext *, const fluorite_trace_event_t *) { return ++calls["run"]; };
     },
     [](bool second) {
         fluorite_set_custom_trace(
             second ? [](void *, const fluorite_trace_event_t *) -> int32_t { return ++calls["second"]; }
                    : [](void *, const fluorite_trace_event_t *) -> int32_t { return ++calls["first"]; });
     },
     [] { fluorite_set_custom_trace(nullptr); }},
    {"errors",
     [](JITHandlers &handlers) { handlers.custom_error = [](JITUserContext *, const char *) { calls["run"]++; }; },
     [](bool second) {
         set_error_handler(second ? [](void *, int, const char *) { calls["second"]++; }
                                  : [](void *, int, const char *) { calls["first"]++; });
     },
     [] { set_error_handler(nullptr); }},
};

class Handlers : public ::testing::TestWithParam<Kind> {
  protected:
    Var x{"x"};
    Param<int> limit{"limit"};
    Func g{"g"}, f{"f"};

    const int threads = fluorite_set_num_threads(1);

    ~Handlers() override { fluorite_set_num_threads(threads); }
    void SetUp() override {
        g(x) = x * 2;
        f(x) = require(limit > 0, g(x), "too small") + print_when(x == 1, x, "seen");
        g.compute_root().store_in(MemoryType::Heap);
        f.parallel(x).trace_stores();
        limit.set(std::string(GetParam().name) == "errors" ? 0 : 1);
    }
    /// Who was called in a run with this context.
    std::string called(JITUserContext *context) {
        calls.clear();
        Buffer<int> out(2);
        context ? f.realize(context, out) : f.realize(out);
        std::string names;
        for (const auto &[name, count] : calls) {
            names += (names.empty() ? "" : ", ") + name;
        }
        return names;
    }
};

TEST_P(Handlers, AreTheRunsOrElseTheLastOfTheProcess) {
    const Kind &kind = GetParam();
    const bool frees = std::string(kind.name) == "memory";
    const auto with_frees = [&](const std::string &name) { return frees ? name + ", freed" : name; };
    const std::string of_first = with_frees("first"), of_second = frees ? "freed, second" : "second",
                      of_run = frees ? "run, run freed" : "run";
    JITUserContext context, plain;
    kind.give(context.handlers);
    kind.install(false);
    EXPECT_EQ(called(nullptr), of_first);
    EXPECT_EQ(called(&context), of_run);
    EXPECT_EQ(called(nullptr), of_first) << "the run's handler is for the run";
    EXPECT_EQ(called(&plain), of_first);
    EXPECT_EQ(called(&context), of_run);
    kind.install(true);
    EXPECT_EQ(called(nullptr), of_second);
    EXPECT_EQ(called(&context), of_run);
    EXPECT_EQ(called(nullptr), of_second) << "what was installed since is called";
    kind.give(f.jit_handlers());
    EXPECT_EQ(called(nullptr), of_run) << "the pipeline's own";
    kind.restore();
}

INSTANTIATE_TEST_SUITE_P(Each, Handlers, ::testing::ValuesIn(kinds),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(HandlerOfTasks, IsCalledForEachTask) {
    Var x("x");
    Func f("f");
    f(x) = x * 3;
    f.parallel(x);
    calls.clear();
    const int threads = fluorite_set_num_threads(1);
    JITUserContext context;
    context.handlers.custom_do_task = [](JITUserContext *own, JITHandlers::Task task, int index, uint8_t *closure) {
        return calls["run"]++, task(own, index, closure);
    };
    Buffer<int> out(5);
    f.realize(&context, out);
    EXPECT_EQ(calls["run"], 5);
    f.realize(out);
    EXPECT_EQ(calls["run"], 5);
    EXPECT_EQ(out(4), 12);
    fluorite_set_num_threads(threads);
}

// A handler may realize with the context that it is given: the run around it keeps its handlers.
TEST(HandlersOfOneContext, StayAfterARunInsideOfARun) {
    static Func inner("inner");
    Var x("x");
    Func outer("outer");
    inner(x) = x * 3;
    outer(x) = print(x);
    calls.clear();
    JITUserContext context;
    context.handlers.custom_print = [](JITUserContext *own, const char *) {
        Buffer<int> out(2);
        inner.realize(own, out);
        calls["run"] += out(1);
    };
    Buffer<int> out(4);
    outer.realize(&context, out);
    EXPECT_EQ(calls["run"], 4 * 3);
    inner = Func();
}

} // namespace
} // namespace fluorite::driver::user_context_test
