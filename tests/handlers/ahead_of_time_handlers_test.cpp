// Handlers of ahead-of-time code under Halide's names: each is called by the entry and by tasks, and every failure of
// an allocator is reported and leaves no memory behind. The object is linked into a shared one, which runs in this
// process.
#include "fluorite/compat/HalideRuntime.h"
#include "fluorite/fluorite.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::ahead_of_time_handlers_test {
namespace {

using Entry = int (*)(int32_t offset, fluorite_buffer_t *out);

std::atomic<int> blocks{0}, calls{0}, fails_at{-1}, loops{0}, tasks{0}, stores{0}, errors{0};
std::string printed, failure;

/// out(x, y) = 2 (x + y) + offset, with heap memory in the entry and in tasks, a print and a trace.
class Code {
  public:
    Code() {
        Func entry("entry"), row("row"), out("out");
        Var x("x"), y("y");
        Param<int> offset("offset");
        entry(x, y) = print_when(x == 3 && y == 1, x + y, "seen");
        row(x, y) = entry(x, y) * 2;
        out(x, y) = row(x, y) + offset;
        entry.compute_root().store_in(MemoryType::Heap);
        row.compute_at(out, y).store_in(MemoryType::Heap).trace_stores();
        out.parallel(y);
        const Target target = get_host_target().with_feature(Target::NoRuntime);
        out.compile_to_object("handlers.o", {offset}, "handlers", target);
        linked_ = std::system("cc -shared -o handlers.so handlers.o") == 0;
        library_ = linked_ ? dlopen("./handlers.so", RTLD_NOW | RTLD_LOCAL) : nullptr;
        entry_ = library_ ? reinterpret_cast<Entry>(dlsym(library_, "handlers")) : nullptr;
    }
    ~Code() {
        if (library_) {
            dlclose(library_);
        }
    }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;

    bool is_loaded() const { return entry_ != nullptr; }
    int run(Buffer<int> &out) const { return entry_(5, out.raw_buffer()); }

  private:
    bool linked_ = false;
    void *library_ = nullptr;
    Entry entry_ = nullptr;
};

void *allocate(void *, size_t bytes) {
    if (calls++ == fails_at) {
        return nullptr;
    }
    blocks++;
    return std::aligned_alloc(128, (bytes + 383) / 128 * 128);
}
void release(void *, void *pointer) {
    blocks--;
    std::free(pointer);
}

TEST(AheadOfTimeHandlers, AreCalled) {
    const Code code;
    ASSERT_TRUE(code.is_loaded());
    halide_set_custom_malloc(allocate);
    halide_set_custom_free(release);
    halide_set_custom_print([](void *, const char *text) { printed += text; });
    halide_set_custom_trace([](void *, const halide_trace_event_t *event) -> int32_t {
        stores += event->event == halide_trace_store ? 1 : 0;
        return 1;
    });
    halide_set_custom_do_task([](void *context, halide_task_t task, int index, uint8_t *closure) {
        tasks++;
        return task(context, index, closure);
    });
    Buffer<int> out(8, 6);
    EXPECT_EQ(code.run(out), 0);
    EXPECT_EQ(out(7, 5), 29);
    EXPECT_EQ(tasks, 6);
    EXPECT_NE(printed.find("seen"), std::string::npos) << printed;
    EXPECT_EQ(stores, 48);
    EXPECT_GT(calls, 0);
    EXPECT_EQ(blocks, 0);
    halide_set_custom_do_par_for([](void *context, halide_task_t task, int min, int size, uint8_t *closure) {
        loops++;
        for (int i = min; i < min + size; i++) {
            if (const int code = task(context, i, closure)) {
                return code;
            }
        }
        return 0;
    });
    EXPECT_EQ(code.run(out), 0);
    EXPECT_EQ(loops, 1);
    EXPECT_EQ(tasks, 6) << "the loop runs its tasks itself";
    halide_set_custom_parallel_runtime(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    halide_set_custom_trace(nullptr);
    halide_set_custom_print(nullptr);
    halide_set_custom_malloc(nullptr);
    halide_set_custom_free(nullptr);
}

TEST(AheadOfTimeHandlers, ReportEveryFailureOfAnAllocator) {
    const Code code;
    ASSERT_TRUE(code.is_loaded());
    halide_set_custom_malloc(allocate);
    halide_set_custom_free(release);
    halide_set_custom_trace([](void *, const halide_trace_event_t *) -> int32_t { return 1; });
    halide_set_custom_print([](void *, const char *) {});
    halide_set_error_handler([](void *, const char *text) {
        errors++;
        failure = text;
    });
    Buffer<int> out(8, 6);
    int failures = 0;
    for (int n = 0; n < 1000 && failures == n; n++) {
        calls = 0;
        errors = 0;
        fails_at = n;
        const int result = code.run(out);
        EXPECT_EQ(blocks, 0) << n;
        EXPECT_EQ(result != 0, errors > 0) << n;
        if (result != 0) {
            failures++;
            EXPECT_EQ(result, fluorite_error_code_out_of_memory);
            EXPECT_NE(failure.find("out-of-memory"), std::string::npos) << failure;
        }
    }
    EXPECT_GT(failures, 3);
    fails_at = -1;
    out.fill(0);
    EXPECT_EQ(code.run(out), 0);
    EXPECT_EQ(out(7, 5), 29);
    halide_set_error_handler(nullptr);
    halide_set_custom_print(nullptr);
    halide_set_custom_trace(nullptr);
    halide_set_custom_malloc(nullptr);
    halide_set_custom_free(nullptr);
}

} // namespace
} // namespace fluorite::ahead_of_time_handlers_test
