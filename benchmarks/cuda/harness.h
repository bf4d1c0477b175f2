#pragma once
// What every application written in CUDA by hand needs: memory of the device, launches, and times taken as
// benchmarks/gpu.cpp takes them.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

namespace by_hand {

/// Nothing goes on after a call of the driver that failed.
inline void check(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
        std::exit(1);
    }
}

/// An array on the device, which is freed with its owner.
template <typename T> class DeviceArray {
  public:
    explicit DeviceArray(size_t count) : count_(count) {
        check(cudaMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)), "cudaMalloc");
    }
    explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) {
        check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    ~DeviceArray() { cudaFree(data_); }

    T *data() const { return data_; }
    size_t count() const { return count_; }
    std::vector<T> values() const {
        std::vector<T> result(count_);
        check(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return result;
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
    kernel<<<grid, block>>>(arguments...);
    check(cudaGetLastError(), "launch");
}

inline int blocks_of(int extent, int size) { return (extent + size - 1) / size; }
inline unsigned unsigned_of(int value) { return static_cast<unsigned>(value); }
inline dim3 grid_of(int x, int y = 1, int z = 1) { return {unsigned_of(x), unsigned_of(y), unsigned_of(z)}; }

inline double seconds_of(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
    double least = 0, median = 0, single = 0; // seconds of a run; `single` includes the wait for the device
};

/// Times of runs between two waits, for about so many seconds.
inline Times time_runs(const std::function<void()> &run, double seconds) {
    const auto batch = [&](int count) {
        return seconds_of([&] {
            for (int i = 0; i < count; i++) {
                run();
            }
            check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        });
    };
    Times times;
    batch(1);
    times.single = std::min(batch(1), batch(1));
    const int count = std::clamp(static_cast<int>(2e-3 / times.single), 1, 100);
    std::vector<double> runs;
    for (double all = 0; all < seconds || runs.size() < 3;) {
        const double time = batch(count);
        all += time;
        runs.push_back(time / count);
    }
    std::sort(runs.begin(), runs.end());
    times.least = runs.front();
    times.median = runs[runs.size() / 2];
    return times;
}

} // namespace by_hand
