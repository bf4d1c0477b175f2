#pragma once
// Halide::Tools::ThreadPool: a fixed number of threads that run tasks in the order in which they are given.

#include "fluorite/require_cxx17.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace Halide {
namespace Tools {

/// Tasks give a T, or void. The destructor waits for all of them.
template <typename T> class ThreadPool {
  public:
    /// The processors that this process sees; 1 at least.
    static size_t num_processors_online() { return std::max(1U, std::thread::hardware_concurrency()); }

    /// With so many threads; 1 at least.
    ThreadPool(size_t threads = num_processors_online()) { // NOLINT(google-explicit-constructor)
        for (size_t i = 0; i < std::max<size_t>(1, threads); i++) {
            threads_.emplace_back([this] { work(); });
        }
    }
    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;
    ~ThreadPool() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }

    /// Calls the function with copies of the arguments on a thread of the pool; the future has the result or the
    /// exception. It is only taken by reference if it is wrapped in std::ref.
    template <typename Function, typename... Args> std::future<T> async(Function function, Args... args) {
        auto task = std::make_shared<std::packaged_task<T()>>(
            [function = std::move(function), values = std::make_tuple(std::move(args)...)]() mutable -> T {
                return std::apply(function, std::move(values));
            });
        std::future<T> result = task->get_future();
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            tasks_.push_back([task] { (*task)(); });
        }
        changed_.notify_one();
        return result;
    }

  private:
    void work() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                changed_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
                if (tasks_.empty()) {
                    return;
                }
                task = std::move(tasks_.front());
                tasks_.pop_front();
            }
            task();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

} // namespace Tools
} // namespace Halide
