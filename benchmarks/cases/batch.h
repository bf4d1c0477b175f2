#pragma once
// Several small pipelines in one case: each is compiled at once and measured by its name.
#include "serve.h"

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Small pipelines whose run times are measured one after the other, each `times` runs a repetition.
class Batch {
  public:
    template <typename Element>
    void add(const std::string &name, Halide::Func func, Halide::Buffer<Element> output, int times,
             const Tolerance &tolerance = rounding) {
        func.compile_jit();
        runs_.push_back([=]() mutable {
            report(name, seconds([&] {
                       for (int i = 0; i < times; ++i) {
                           func.realize(output);
                       }
                   }));
            report_buffer(name, output, tolerance);
        });
    }
    int serve() {
        return bench::serve([&](int) {
            for (const std::function<void()> &run : runs_) {
                run();
            }
        });
    }

  private:
    std::vector<std::function<void()>> runs_;
};

/// A buffer of pseudo-random elements from `least` to `least + range`.
template <typename Element>
Halide::Buffer<Element> random_buffer(std::vector<int> sizes, std::uint32_t range, double scale = 1, double least = 0) {
    Halide::Buffer<Element> buffer(sizes);
    std::vector<std::uint32_t> numbers(buffer.number_of_elements());
    fill(numbers.data(), numbers.size(), range);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        buffer.data()[i] = static_cast<Element>(numbers[i] * scale + least);
    }
    return buffer;
}

} // namespace bench
