// Orders of tasks on request: a seed determines the order every time, and exposes mistakes that a quiet machine hides.

#include "fluorite/runtime/fork.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace task_order_test {

namespace {

class TaskOrder : public testing::Test {
  protected:
    void TearDown() override {
        fluorite_set_task_order(0);
        fluorite_set_task_delay(0);
    }
};

/// A producer of `count` values in one slot, and a consumer that frees the slot after it has read it, or too early.
struct Pair {
    int64_t semaphores[2] = {0, 0}; // ready, free
    int count = 6, value = -1, wrong = 0;
    bool frees_early = false;
    std::string log;

    explicit Pair(int ahead) { fluorite_semaphore_init(semaphores, 1, ahead); }

    int run() {
        log.reserve(64);
        return fluorite_do_fork(nullptr, task, 0, 2, reinterpret_cast<uint8_t *>(this), "pair");
    }

    static int task(void *, int index, uint8_t *closure) {
        auto *self = reinterpret_cast<Pair *>(closure);
        for (int i = 0; i < self->count; i++) {
            index == 0 ? self->produce(i) : self->consume(i);
        }
        return 0;
    }
    void produce(int i) {
        fluorite_semaphore_acquire(semaphores, 1);
        log += 'p';
        value = i;
        fluorite_semaphore_release(semaphores, 0);
    }
    void consume(int i) {
        fluorite_semaphore_acquire(semaphores, 0);
        if (frees_early) {
            fluorite_semaphore_release(semaphores, 1);
        }
        log += 'c';
        wrong += value != i;
        if (!frees_early) {
            fluorite_semaphore_release(semaphores, 1);
        }
    }
};

TEST_F(TaskOrder, ProducersRunAsFarAheadAsTheyCan) {
    fluorite_set_task_order(1);
    Pair pair(3);
    EXPECT_EQ(pair.run(), 0);
    EXPECT_EQ(pair.log, "pppcpcpcpccc");
}

TEST_F(TaskOrder, ProducersWaitUntilTheyAreWaitedFor) {
    fluorite_set_task_order(2);
    Pair pair(3);
    EXPECT_EQ(pair.run(), 0);
    EXPECT_EQ(pair.log, "pcpcpcpcpcpc");
}

TEST_F(TaskOrder, ASeedIsOneOrder) {
    std::vector<std::string> logs;
    for (uint64_t seed = 3; seed < 23; seed++) {
        std::string first;
        for (int run = 0; run < 3; run++) {
            fluorite_set_task_order(seed);
            Pair pair(4);
            EXPECT_EQ(pair.run(), 0);
            first = run == 0 ? pair.log : first;
            EXPECT_EQ(pair.log, first) << seed;
        }
        logs.push_back(first);
    }
    std::sort(logs.begin(), logs.end());
    EXPECT_GE(std::unique(logs.begin(), logs.end()) - logs.begin(), 5);
}

TEST_F(TaskOrder, AnEarlyReleaseShows) {
    for (const bool frees_early : {false, true}) {
        int wrong = 0;
        for (uint64_t seed = 1; seed < 20; seed++) {
            fluorite_set_task_order(seed);
            Pair pair(1);
            pair.frees_early = frees_early;
            EXPECT_EQ(pair.run(), 0);
            wrong += pair.wrong;
        }
        EXPECT_EQ(wrong > 0, frees_early) << wrong;
    }
}

struct Nested {
    int depth = 3, done = 0;
    int64_t ready[1] = {0};
};
int nested_task(void *, int index, uint8_t *closure) {
    auto *outer = reinterpret_cast<Nested *>(closure);
    if (index > 0) {
        return fluorite_semaphore_acquire(outer->ready, 0);
    }
    Nested inner;
    inner.depth = outer->depth - 1;
    const int code =
        inner.depth > 0 ? fluorite_do_fork(nullptr, nested_task, 0, 3, reinterpret_cast<uint8_t *>(&inner), "n") : 0;
    outer->done = inner.done + 1;
    fluorite_semaphore_release(outer->ready, 0);
    fluorite_semaphore_release(outer->ready, 0);
    return code;
}

TEST_F(TaskOrder, ForksInsideOfForksEnd) {
    for (uint64_t seed = 1; seed < 20; seed++) {
        fluorite_set_task_order(seed);
        Nested outer;
        EXPECT_EQ(fluorite_do_fork(nullptr, nested_task, 0, 3, reinterpret_cast<uint8_t *>(&outer), "n"), 0);
        EXPECT_EQ(outer.done, 3);
    }
}

int failing_task(void *, int index, uint8_t *closure) {
    auto *semaphores = reinterpret_cast<int64_t *>(closure);
    return index == 0 ? fluorite_error(nullptr, -17, "broken") : fluorite_semaphore_acquire(semaphores, 0);
}

TEST_F(TaskOrder, FailuresStopThoseThatWait) {
    for (uint64_t seed = 1; seed < 20; seed++) {
        fluorite_set_task_order(seed);
        int64_t semaphores[1] = {0};
        EXPECT_EQ(fluorite_do_fork(nullptr, failing_task, 0, 2, reinterpret_cast<uint8_t *>(semaphores), "f"), -17);
        EXPECT_EQ(fluorite_last_error_code(), -17);
        fluorite_clear_error();
    }
}

struct Loop {
    std::vector<int> seen;
    int fails_from = 100;
};
int loop_task(void *, int index, uint8_t *closure) {
    auto *loop = reinterpret_cast<Loop *>(closure);
    loop->seen.push_back(index);
    return index >= loop->fails_from ? -100 - index : 0;
}

TEST_F(TaskOrder, IterationsOfParallelLoopsRunInADrawnOrder) {
    for (uint64_t seed = 1; seed < 20; seed++) {
        fluorite_set_task_order(seed);
        Loop loop;
        EXPECT_EQ(fluorite_do_par_for(nullptr, loop_task, 5, 12, reinterpret_cast<uint8_t *>(&loop), "loop"), 0);
        std::sort(loop.seen.begin(), loop.seen.end());
        ASSERT_EQ(loop.seen.size(), 12U);
        EXPECT_EQ(std::unique(loop.seen.begin(), loop.seen.end()), loop.seen.end());
        EXPECT_EQ(loop.seen.front() + loop.seen.back(), 21);
    }
    fluorite_set_task_order(1);
    Loop in_order;
    EXPECT_EQ(fluorite_do_par_for(nullptr, loop_task, -2, 4, reinterpret_cast<uint8_t *>(&in_order), "loop"), 0);
    EXPECT_EQ(in_order.seen, (std::vector<int>{-2, -1, 0, 1}));
    fluorite_set_task_order(2);
    Loop last_first;
    EXPECT_EQ(fluorite_do_par_for(nullptr, loop_task, 0, 3, reinterpret_cast<uint8_t *>(&last_first), "loop"), 0);
    EXPECT_EQ(last_first.seen, (std::vector<int>{2, 1, 0}));
}

TEST_F(TaskOrder, TheLowestFailureCounts) {
    for (uint64_t seed = 1; seed < 20; seed++) {
        fluorite_set_task_order(seed);
        Loop loop;
        loop.fails_from = 7;
        EXPECT_EQ(fluorite_do_par_for(nullptr, loop_task, 0, 12, reinterpret_cast<uint8_t *>(&loop), "loop"), -107);
        fluorite_clear_error();
    }
}

TEST_F(TaskOrder, DelaysChangeNoValues) {
    for (uint64_t seed = 1; seed < 6; seed++) {
        EXPECT_EQ(fluorite_set_task_delay(seed), seed - 1);
        Pair pair(1);
        EXPECT_EQ(pair.run(), 0);
        EXPECT_EQ(pair.wrong, 0);
    }
}

} // namespace

} // namespace task_order_test
