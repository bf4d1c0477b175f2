// Parallel loops: each iteration runs once; nesting, failures, many small loops, many callers.

#include "fluorite/runtime/fork.h"
#include "fluorite/runtime_abi.h"

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace thread_pool_test {

namespace {

using Body = std::function<int(int)>;

int par_for(int min, int size, const Body &body) {
    const auto task = [](void *, int index, uint8_t *closure) {
        return (*reinterpret_cast<const Body *>(closure))(index);
    };
    return fluorite_do_par_for(nullptr, task, min, size, reinterpret_cast<uint8_t *>(const_cast<Body *>(&body)),
                               "test");
}

/// Waits until all other threads of the process sleep.
void await_sleep_of_others() {
    const std::string own = std::to_string(gettid());
    for (bool all = false; !all;) {
        all = true;
        for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream file(entry.path() / "stat");
            std::string text;
            std::getline(file, text);
            const size_t name_end = text.rfind(')');
            const bool sleeps = name_end == std::string::npos || text.compare(name_end, 3, ") S") == 0;
            all = all && (sleeps || entry.path().filename() == own);
        }
    }
}

/// Runs two iterations that wait for each other, for a minute at most; 0 if they have met.
int run_two_that_meet() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    std::atomic<int> begun{0};
    return par_for(0, 2, [&](int) {
        begun++;
        while (begun < 2 && std::chrono::steady_clock::now() < end) {
            std::this_thread::yield();
        }
        return begun < 2 ? 1 : 0;
    });
}

class ThreadPool : public testing::TestWithParam<int> {
  protected:
    void SetUp() override { previous_ = fluorite_set_num_threads(GetParam()); }
    void TearDown() override { fluorite_set_num_threads(previous_); }

  private:
    int previous_ = 0;
};

class SeveralThreads : public ThreadPool {};

TEST_P(ThreadPool, RunsEachIterationOnce) {
    for (const int size : {0, 1, 2, 3, 7, 64, 1000, 100003}) {
        std::vector<std::atomic<int>> count(static_cast<size_t>(size));
        EXPECT_EQ(par_for(-5, size, [&](int i) { return count[static_cast<size_t>(i + 5)]++, 0; }), 0);
        for (const auto &c : count) {
            ASSERT_EQ(c, 1);
        }
    }
    EXPECT_EQ(par_for(0, -3, [](int) { return 1; }), 0);
}

TEST_P(ThreadPool, ReachesTheEndsOfTheIntegers) {
    std::atomic<int64_t> sum{0};
    EXPECT_EQ(par_for(INT_MAX - 9, 10, [&](int i) { return sum += i, 0; }), 0);
    EXPECT_EQ(sum, 10 * int64_t{INT_MAX} - 45);
    sum = 0;
    EXPECT_EQ(par_for(INT_MIN, 4, [&](int i) { return sum += i, 0; }), 0);
    EXPECT_EQ(sum, 4 * int64_t{INT_MIN} + 6);
}

TEST_P(ThreadPool, Nests) {
    std::atomic<int> leaves{0};
    const std::function<int(int)> descend = [&](int depth) {
        return depth == 0 ? (leaves++, 0) : par_for(0, 3, [&, depth](int) { return descend(depth - 1); });
    };
    EXPECT_EQ(descend(8), 0);
    EXPECT_EQ(leaves, 6561);
}

TEST_P(ThreadPool, ReturnsTheLowestFailureAndItsText) {
    for (int round = 0; round < 200; round++) {
        fluorite_clear_error();
        std::vector<std::atomic<int>> ran(500);
        const int code = par_for(0, 500, [&](int i) {
            ran[static_cast<size_t>(i)]++;
            return i % 7 == 3 && i >= 100 ? fluorite_error(nullptr, -i, ("failed at " + std::to_string(i)).c_str()) : 0;
        });
        EXPECT_EQ(code, -101);
        EXPECT_EQ(fluorite_last_error_code(), -101);
        EXPECT_STREQ(fluorite_last_error_message(), "failed at 101");
        for (size_t i = 0; i <= 101; i++) {
            ASSERT_EQ(ran[i], 1);
        }
    }
    fluorite_clear_error();
    EXPECT_EQ(par_for(0, 10, [](int) { return 0; }), 0);
    EXPECT_EQ(fluorite_last_error_code(), 0);
}

TEST_P(ThreadPool, FailuresPassThroughNestedLoops) {
    const int code = par_for(0, 20, [](int i) {
        return par_for(0, 20, [i](int j) { return i == 5 && j >= 3 ? fluorite_error(nullptr, -j, "inner") : 0; });
    });
    EXPECT_EQ(code, -3);
    EXPECT_STREQ(fluorite_last_error_message(), "inner");
    fluorite_clear_error();
}

// A loop in one task of a fork, whose iterations wait for what the other task, which fails, never releases.
int wait_beside_failure(void *context, int index, uint8_t *semaphores) {
    const auto wait = [](void *, int, uint8_t *waited) { return fluorite_semaphore_acquire(waited, 0); };
    return index == 0 ? fluorite_error(context, -17, "broken")
                      : fluorite_do_par_for(context, wait, 0, 4, semaphores, "test");
}

TEST_P(ThreadPool, LoopsStopWithTheForkAroundThem) {
    int64_t semaphores[1] = {0};
    EXPECT_EQ(fluorite_do_fork(nullptr, wait_beside_failure, 0, 2, reinterpret_cast<uint8_t *>(semaphores), "f"), -17);
    EXPECT_STREQ(fluorite_last_error_message(), "broken");
    fluorite_clear_error();
}

TEST_P(ThreadPool, ManySmallLoopsFromManyThreads) {
    std::atomic<int64_t> sum{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; t++) {
        callers.emplace_back([&] {
            for (int i = 0; i < 2000; i++) {
                par_for(0, 1 + i % 9, [&](int k) { return sum += k, 0; });
            }
        });
    }
    for (auto &caller : callers) {
        caller.join();
    }
    int64_t expected = 0;
    for (int i = 0; i < 2000; i++) {
        expected += int64_t{i % 9} * (1 + i % 9) / 2;
    }
    EXPECT_EQ(sum, 4 * expected);
}

TEST_P(ThreadPool, ChangesItsSizeBetweenLoops) {
    std::atomic<int> count{0};
    for (int i = 0; i < 50; i++) {
        fluorite_set_num_threads(1 + i % 6);
        EXPECT_EQ(fluorite_get_num_threads(), 1 + i % 6);
        par_for(0, 100, [&](int) { return count++, 0; });
        if (i % 10 == 0) {
            fluorite_shutdown_thread_pool();
        }
    }
    EXPECT_EQ(count, 5000);
}

TEST_P(ThreadPool, EndsAndWorksAgainWhileItsThreadsSleep) {
    std::atomic<int> count{0};
    for (int round = 0; round < 3; round++) {
        par_for(0, 100, [&](int) { return count++, 0; });
        await_sleep_of_others();
        par_for(0, 100, [&](int) { return count++, 0; });
        await_sleep_of_others();
        fluorite_shutdown_thread_pool();
    }
    EXPECT_EQ(count, 600);
}

// Each of two iterations ends after the other one has begun, so that one thread cannot run both.
TEST_P(SeveralThreads, WakeIfTheySleep) {
    par_for(0, 100, [](int) { return 0; });
    for (int round = 0; round < 3; round++) {
        await_sleep_of_others();
        EXPECT_EQ(run_two_that_meet(), 0);
    }
}

// Threads that are too many from now on must not be woken in place of those that are left.
TEST_P(SeveralThreads, WakeIfOthersAreTooMany) {
    for (int round = 0; round < 3; round++) {
        fluorite_set_num_threads(16);
        par_for(0, 100, [](int) { return 0; });
        await_sleep_of_others();
        fluorite_set_num_threads(GetParam());
        await_sleep_of_others();
        EXPECT_EQ(run_two_that_meet(), 0);
    }
}

TEST_P(ThreadPool, WorksInAForkedChild) {
    par_for(0, 100, [](int) { return 0; });
    const pid_t child = fork();
    if (child == 0) {
        std::atomic<int> count{0};
        par_for(0, 1000, [&](int) { return count++, 0; });
        _exit(count == 1000 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

// The pool's threads cannot be joined then: one of them, or the loop itself, ends the process.
TEST_P(ThreadPool, MayEndTheProcess) {
    const pid_t child = fork();
    if (child == 0) {
        par_for(0, 1000, [](int i) -> int {
            if (i == 500) {
                std::exit(17);
            }
            return 0;
        });
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 17);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPool, testing::Values(1, 2, 3, 8));
INSTANTIATE_TEST_SUITE_P(Threads, SeveralThreads, testing::Values(2, 3, 8));

TEST(ThreadPoolHook, CustomLoop) {
    fluorite_set_custom_do_par_for([](void *, fluorite_task_t, int min, int size, uint8_t *, const char *name) {
        return min + size + (std::string(name) == "test" ? 100 : 0);
    });
    EXPECT_EQ(par_for(1, 2, [](int) { return 0; }), 103);
    fluorite_set_custom_do_par_for(nullptr);
}

} // namespace

} // namespace thread_pool_test
