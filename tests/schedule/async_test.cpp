// async(): producers and consumers run concurrently, and give the values of the serial program.

#include "fluorite/fluorite.h"
#include "fluorite/runtime/fork.h"
#include "support/test_errors.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {
std::atomic<int> produced{0};
} // namespace

// Records the largest row that was produced.
extern "C" int async_test_produce(int x, int y) {
    int seen = produced.load();
    while (y > seen && !produced.compare_exchange_weak(seen, y)) {
    }
    return x + y;
}
// Returns 1 once row `y` is produced; 0 if that does not happen.
extern "C" int async_test_await(int y) {
    for (int i = 0; i < 10'000'000; i++) {
        if (produced.load() >= y) {
            return 1;
        }
        std::this_thread::yield();
    }
    return 0;
}
FLUORITE_EXTERN_2(int, async_test_produce, int, int)
FLUORITE_EXTERN_1(int, async_test_await, int)

namespace fluorite::async_test {
namespace {

class Async : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"}, yo{"yo"};
    Func f{"f"}, g{"g"}, out{"out"};

    // out is a stencil of g, which is a stencil of f.
    void SetUp() override {
        f(x, y) = x * 3 + y * y;
        g(x, y) = f(x, y) + f(x + 1, y - 1) * 2;
        out(x, y) = g(x, y) + g(x - 1, y + 1) * 5 + g(x, y + 2);
    }
    // Runs tasks in their natural order, then one at a time in orders that rarely occur by themselves.
    static void in_many_orders(const std::function<void()> &run) {
        const bool before = fluorite_set_poison_memory(true);
        for (uint64_t seed = 0; seed < 12; seed++) {
            SCOPED_TRACE("order " + std::to_string(seed));
            fluorite_set_task_order(seed);
            run();
        }
        fluorite_set_task_order(0);
        fluorite_set_poison_memory(before);
    }
    static int f_of(int x, int y) { return x * 3 + y * y; }
    static int g_of(int x, int y) { return f_of(x, y) + f_of(x + 1, y - 1) * 2; }

    void expect_values(int width, int height) {
        const Buffer<int> result = out.realize({width, height});
        int wrong = 0;
        result.for_each_element(
            [&](int x, int y) { wrong += result(x, y) != g_of(x, y) + g_of(x - 1, y + 1) * 5 + g_of(x, y + 2); });
        EXPECT_EQ(wrong, 0) << width << " x " << height;
    }
    void expect_values() {
        in_many_orders([&] {
            for (const int size : {1, 2, 7, 40}) {
                expect_values(5, size);
            }
        });
    }
    void expect_refused(const std::string &slug, const std::string &message) {
        expect_error([&] { (void)out.realize({4, 4}); }, slug, message, {"async_test"});
    }
};

TEST_F(Async, WholeFuncs) {
    f.compute_root().async();
    g.compute_root().async().parallel(y);
    expect_values();
}

TEST_F(Async, SlidingWindowWithFoldedStorage) {
    g.store_root().compute_at(out, y).async();
    expect_values();
}

TEST_F(Async, ChainsOfTasks) {
    g.store_root().compute_at(out, y).async();
    f.store_root().compute_at(out, y).async();
    expect_values();
}

TEST_F(Async, TasksInsideOfTasks) {
    g.store_root().compute_at(out, y).async();
    f.store_at(g, y).compute_at(g, x).async();
    expect_values();
}

// A wait of one task does not cover the reads of another.
TEST_F(Async, EachTaskWaitsByItself) {
    Func late("late");
    late(x, y) = f(x, y) * 7; // reads f before the wait for g, whose task waits for f
    late(x, y) += g(x, y) * 2;
    f.compute_root().async();
    g.compute_root().async();
    in_many_orders([&] {
        const Buffer<int> result = late.realize({6, 20});
        int wrong = 0;
        result.for_each_element([&](int x, int y) { wrong += result(x, y) != f_of(x, y) * 7 + g_of(x, y) * 2; });
        EXPECT_EQ(wrong, 0);
    });
}

// Three tasks read one Func; each begins by reading it.
TEST_F(Async, ManyTasksReadOne) {
    Func h("h"), late("late");
    h(x, y) = f(x, y - 1) - f(x - 1, y);
    late(x, y) = f(x, y + 1) * 7;
    late(x, y) += g(x, y) * 2 + h(x, y);
    f.compute_root().async();
    g.compute_root().async().parallel(y);
    h.compute_root().async();
    in_many_orders([&] {
        const Buffer<int> result = late.realize({6, 20});
        int wrong = 0;
        result.for_each_element([&](int x, int y) {
            wrong += result(x, y) != f_of(x, y + 1) * 7 + g_of(x, y) * 2 + f_of(x, y - 1) - f_of(x - 1, y);
        });
        EXPECT_EQ(wrong, 0);
    });
}

// Circular buffers of windows that move down, or back and forth.
TEST_F(Async, WindowsThatMoveDown) {
    for (const int way : {0, 1, 2}) {
        Func a("a"), late("late");
        a(x, y) = x * 3 + y * y;
        const Expr at = way == 0 ? 50 - y : way == 1 ? y * 3 % 7 : 60 - y * 2;
        late(x, y) = a(x, at) + a(x, at + 1) * 2 + a(x + 1, at + 2) * 3;
        a.store_root().compute_at(late, y).async();
        in_many_orders([&] {
            const Buffer<int> result = late.realize({6, 20});
            int wrong = 0;
            result.for_each_element([&](int i, int j) {
                const int k = way == 0 ? 50 - j : way == 1 ? j * 3 % 7 : 60 - j * 2;
                wrong += result(i, j) != f_of(i, k) + f_of(i, k + 1) * 2 + f_of(i + 1, k + 2) * 3;
            });
            EXPECT_EQ(wrong, 0) << way;
        });
    }
}

// A vector beyond the end of one iteration's row does not overwrite what an earlier iteration still reads.
TEST_F(Async, VectorsPastTheEndOfAnIteration) {
    for (const TailStrategy tail :
         {TailStrategy::PredicateLoads, TailStrategy::PredicateStores, TailStrategy::Predicate,
          TailStrategy::GuardWithIf, TailStrategy::RoundUp, TailStrategy::ShiftInwards}) {
        Func a("a"), late("late");
        a(x, y) = x * 3 + y * y;
        late(x, y) = a(50 - x * 2, y) + a(53 - x * 2, y) * 2;
        a.store_root().compute_at(late, x).async().vectorize(x, 8, tail);
        in_many_orders([&] {
            const Buffer<int> result = late.realize({20, 6});
            int wrong = 0;
            result.for_each_element(
                [&](int i, int j) { wrong += result(i, j) != f_of(50 - i * 2, j) + f_of(53 - i * 2, j) * 2; });
            EXPECT_EQ(wrong, 0) << static_cast<int>(tail);
        });
    }
}

// The producer's task, instead of the consumer's, waits for a Func that is computed inside of the producer.
TEST_F(Async, ComputedInsideOfATaskAndStoredAround) {
    Func a("a"), b("b"), c("c");
    a(x, y) = x + y;
    a(x, y) += x * y; // a Func with updates does not run ahead and overwrite what is still read
    b(x, y) = a(x, y) * 2 + a(x, 3);
    c(x, y) = b(x, y) + b(x + 1, y);
    a.store_root().compute_at(b, Var::outermost()).async();
    b.compute_at(c, yi).async();
    c.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    const auto value = [](int i, int j) { return 2 * (i + j + i * j) + i + 3 + i * 3; };
    for (const int height : {1, 4, 9}) {
        const Buffer<int> result = c.realize({5, height});
        result.for_each_element(
            [&](int i, int j) { EXPECT_EQ(result(i, j), value(i, j) + value(i + 1, j)) << i << " " << j; });
    }
}

TEST_F(Async, InsideOfParallelLoops) {
    out.split(y, yo, yi, 4).parallel(yo);
    g.store_at(out, yo).compute_at(out, yi).async().vectorize(x, 4);
    f.compute_at(g, y).parallel(x);
    expect_values();
}

TEST_F(Async, WithOneThread) {
    const int before = JITSharedRuntime::set_num_threads(1);
    g.store_root().compute_at(out, y).async().parallel(x);
    f.compute_root().async().parallel(y);
    out.parallel(x);
    expect_values();
    JITSharedRuntime::set_num_threads(before);
}

TEST_F(Async, UpdatesRunInStep) {
    Func sum("sum"), late("late");
    RDom r(0, 3, "r");
    sum(x, y) = 0;
    sum(x, y) += x + r * y;
    late(x, y) = sum(x, y) + sum(x, y + 1) * 3;
    sum.store_root().compute_at(late, y).async();
    const Buffer<int> result = late.realize({5, 30});
    int wrong = 0;
    result.for_each_element([&](int x, int y) { wrong += result(x, y) != 3 * x + 3 * y + (3 * x + 3 * (y + 1)) * 3; });
    EXPECT_EQ(wrong, 0);
}

TEST_F(Async, Tuples) {
    Func pair("pair"), late("late");
    pair(x, y) = Tuple(x + y, cast<uint8_t>(x * y));
    late(x, y) = pair(x, y)[0] * 1000 + pair(x, y + 1)[1];
    pair.store_root().compute_at(late, y).async();
    const Buffer<int> result = late.realize({6, 20});
    int wrong = 0;
    result.for_each_element(
        [&](int x, int y) { wrong += result(x, y) != (x + y) * 1000 + static_cast<uint8_t>(x * (y + 1)); });
    EXPECT_EQ(wrong, 0);
}

TEST_F(Async, Memoized) {
    JITSharedRuntime::release_all();
    g.compute_root().memoize().async();
    expect_values();
    expect_values();
    JITSharedRuntime::release_all();
}

TEST_F(Async, ProducersRunAhead) {
    Func rows("rows"), late("late");
    rows(x, y) = async_test_produce(x, y);
    late(x, y) = rows(x, y) + async_test_await(min(y + 1, 7)); // a later row has to be produced before
    rows.store_root().compute_at(late, y).async();
    produced = -1;
    const Buffer<int> result = late.realize({3, 8});
    EXPECT_EQ(result(2, 3), 6);
    EXPECT_EQ(result(2, 7), 10);
}

TEST_F(Async, HoistedMemoryIsConsumedBeforeItIsUsedAgain) {
    g.compute_at(out, y).hoist_storage_root().async();
    f.compute_at(g, x).hoist_storage(g, y).async();
    expect_values();
}

TEST_F(Async, StoredInsideOfHoistedMemory) {
    out.split(y, yo, yi, 4);
    g.compute_at(out, yi).store_at(out, yo).hoist_storage_root().ring_buffer(3).async();
    expect_values();
}

TEST_F(Async, RingBuffers) {
    Param<int> places("places", 3);
    for (int n = 1; n < 6; n++) {
        Func a("a"), b("b");
        a(x, y) = x * 3 + y * y;
        b(x, y) = a(x, y) + a(x + 1, y - 1) * 2 - a(x, y + 1);
        b.split(y, yo, yi, 3, n == 3 ? TailStrategy::GuardWithIf : TailStrategy::Auto);
        n == 5 ? a.ring_buffer(places) : a.ring_buffer(n);
        a.compute_at(b, yi).hoist_storage_root().async().store_in(n == 2 ? MemoryType::Stack : MemoryType::Heap);
        const Buffer<int> result = b.realize({7, 23});
        int wrong = 0;
        result.for_each_element(
            [&](int x, int y) { wrong += result(x, y) != f_of(x, y) + f_of(x + 1, y - 1) * 2 - f_of(x, y + 1); });
        EXPECT_EQ(wrong, 0) << n;
    }
}

// Iterations that a tail skips advance no ring buffer: otherwise two successive ones could use the same element.
TEST_F(Async, RingBuffersAcrossTails) {
    Var xo("xo");
    for (const int n : {2, 4, 5}) {
        Func a("a"), b("b");
        a(x, y) = x * 3 + y * y;
        b(x, y) = a(x, y) + a(x + 1, y - 1) * 2;
        b.split(x, xo, xi, 4, TailStrategy::GuardWithIf);
        a.compute_at(b, xi).hoist_storage_root().ring_buffer(n).async();
        const Buffer<int> result = b.realize({7, 23});
        int wrong = 0;
        result.for_each_element([&](int x, int y) { wrong += result(x, y) != f_of(x, y) + f_of(x + 1, y - 1) * 2; });
        EXPECT_EQ(wrong, 0) << n;
        EXPECT_NE(Pipeline(b).explain_schedule().find("in step"), std::string::npos);
    }
}

TEST_F(Async, ProducersRunAheadThroughTheRing) {
    Func rows("rows"), late("late");
    rows(x, y) = async_test_produce(x, y);
    late(x, y) = rows(x, y) + async_test_await(min(y + 2, 7)); // two rows further on
    rows.compute_at(late, y).hoist_storage_root().ring_buffer(3).async();
    produced = -1;
    const Buffer<int> result = late.realize({3, 8});
    EXPECT_EQ(result(2, 3), 6);
    EXPECT_EQ(result(2, 7), 10);
}

TEST_F(Async, AnErrorStopsTheOtherSide) {
    Param<int> limit("limit", 5);
    for (const bool in_producer : {true, false}) {
        Func rows("rows"), late("late");
        const Expr holds = y < limit;
        rows(x, y) = in_producer ? require(holds, x + y, "no row", y) : Expr(x + y);
        late(x, y) = (in_producer ? Expr(0) : require(holds, 0, "no row", y)) + rows(x, y) + rows(x, y + 1);
        rows.store_root().compute_at(late, y).async();
        for (int i = 0; i < 20; i++) {
            try {
                (void)late.realize({4, 50});
                ADD_FAILURE() << "accepted";
            } catch (const RuntimeError &error) {
                EXPECT_NE(std::string(error.what()).find("no row 5"), std::string::npos) << error.what();
            }
        }
        limit.set(100);
        const Buffer<int> result = late.realize({4, 50});
        EXPECT_EQ(result(1, 1), 5);
        limit.set(5);
    }
}

TEST_F(Async, ManyRunsAtOnce) {
    g.store_root().compute_at(out, y).async();
    f.compute_root().async().parallel(y);
    out.compile_jit();
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; i++) {
                expect_values(4, 10 + i);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

// ---- Refusals.

TEST_F(Async, RefusesLanes) {
    out.vectorize(x, xi, 4).reorder(y, xi);
    g.compute_at(out, y).async();
    expect_refused("async-placement",
                   "in g: async of a Func that is computed inside the vectorized loop xi of out; lanes "
                   "start no tasks; compute it outside of that loop");
}

TEST_F(Async, RefusesSharedLoops) {
    Func other("other"), late("late");
    other(x, y) = x - y;
    late(x, y) = f(x, y) + other(x, y);
    f.compute_root();
    other.compute_root().compute_with(f, y).async();
    out = late;
    expect_refused(
        "async-placement",
        "in other: async of a Func that is computed with f; loops of both run together; remove compute_with");
}

TEST_F(Async, RefusesReadingWhatConsumersCompute) {
    f.store_root().compute_at(out, y);
    g.store_root().compute_at(out, y).async();
    expect_refused(
        "async-reads-sibling",
        "in g: async, but it reads f, which its consumers' side computes in the same loops; a producer runs ahead "
        "of them; compute f inside g, or before it at the level where g is stored, or make it async too");
    f.async();
    expect_values();
}

} // namespace
} // namespace fluorite::async_test
