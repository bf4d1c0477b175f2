// An allocator that fails at its n-th call, for every n: the run reports it, frees what it has, and the next one works.
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::failing_allocations_test {
namespace {

std::atomic<int> calls{0}, blocks{0}, fails_at{-1};

void *allocate(size_t bytes) {
    if (calls++ == fails_at) {
        return nullptr;
    }
    blocks++;
    return std::aligned_alloc(128, (bytes + 383) / 128 * 128);
}
void release(void *pointer) {
    blocks--;
    std::free(pointer);
}

void *allocate_in_process(void *, size_t bytes) { return allocate(bytes); }
void release_in_process(void *, void *pointer) { release(pointer); }
void *allocate_in_run(JITUserContext *, size_t bytes) { return allocate(bytes); }
void release_in_run(JITUserContext *, void *pointer) { release(pointer); }

/// Heap memory of the entry, of tasks, of tasks in tasks, of both values of a tuple, and of loops.
struct Program {
    Func entry{"entry"}, pair{"pair"}, row{"row"}, total{"total"}, out{"out"};
    Var x{"x"}, y{"y"}, z{"z"};
    RDom r{0, 3, "r"};

    Program() {
        entry(x, y) = x + y;
        pair(x, y) = Tuple(entry(x, y) * 2, cast<float>(entry(x + 1, y)));
        row(x, y) = pair(x, y)[0] + cast<int>(pair(x + 2, y)[1]);
        total(x, y) = 0;
        total(x, y) += row(x + r, y);
        out(x, y, z) = total(x, y) + z;
        entry.compute_root().parallel(y);
        pair.compute_at(out, z).store_in(MemoryType::Heap);
        row.compute_at(total, y).store_in(MemoryType::Heap);
        total.compute_at(out, y).store_in(MemoryType::Heap).update().atomic().parallel(x);
        out.parallel(z).parallel(y);
        out.compile_jit();
    }
    int value(int at_x, int at_y, int at_z) const {
        int sum = at_z;
        for (int k = 0; k < 3; k++) {
            sum += (at_x + k + at_y) * 2 + at_x + k + 3 + at_y;
        }
        return sum;
    }
};

template <typename Run> void expect_every_failure_reported(const Program &program, const Run &run) {
    constexpr int most_calls = 10000;
    int failures = 0;
    for (int n = 0; n < most_calls && failures == n; n++) {
        calls = 0;
        fails_at = n;
        try {
            run();
        } catch (const RuntimeError &error) {
            failures++;
            EXPECT_EQ(error.slug(), "out-of-memory") << error.what();
        }
        EXPECT_EQ(blocks, 0) << "after a failure of call " << n;
    }
    fails_at = -1;
    EXPECT_GT(failures, 10);
    const Buffer<int> result = run();
    EXPECT_EQ(result(7, 2, 1), program.value(7, 2, 1));
    EXPECT_EQ(blocks, 0);
}

TEST(FailingAllocations, OfTheProcess) {
    const Program program;
    set_custom_allocator(allocate_in_process, release_in_process);
    expect_every_failure_reported(program, [&] { return Buffer<int>(program.out.realize({9, 3, 2})); });
    set_custom_allocator(nullptr, nullptr);
}

TEST(FailingAllocations, OfOneRun) {
    const Program program;
    JITUserContext context;
    context.handlers.custom_malloc = allocate_in_run;
    context.handlers.custom_free = release_in_run;
    expect_every_failure_reported(program, [&] { return Buffer<int>(program.out.realize(&context, {9, 3, 2})); });
}

std::atomic<int> errors{0};

TEST(FailingAllocations, AreToldToTheHandlerOfTheRun) {
    const Program program;
    JITUserContext context;
    context.handlers.custom_malloc = allocate_in_run;
    context.handlers.custom_free = release_in_run;
    context.handlers.custom_error = [](JITUserContext *, const char *text) {
        errors += std::string(text).find("[out-of-memory]") != std::string::npos ? 1 : 0;
    };
    for (int n = 0; n < 20; n++) {
        calls = 0;
        errors = 0;
        fails_at = n;
        program.out.realize(&context, {9, 3, 2});
        EXPECT_EQ(blocks, 0) << n;
        EXPECT_EQ(errors > 0, calls > n) << n;
    }
    fails_at = -1;
}

} // namespace
} // namespace fluorite::failing_allocations_test
