// Pipelines of so many buffers that one call checks what shares memory, and that the entry has hundreds of checks.
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "language/pipeline_contents.h"
#include "lowering/lower.h"
#include "lowering/statement_budget.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::many_buffers_test {
namespace {

const Var x("x"), y("y");
constexpr int width = 11, height = 3, output_count = 12, input_count = 4;

/// Outputs f0 to f10 read the inputs in0 to in3 in turns; f11 alone reads `own`, each point for the same point.
class ManyBuffers : public ::testing::Test {
  protected:
    std::vector<ImageParam> in;
    ImageParam own{Int(32), 2, "own"};
    std::vector<Func> f;
    std::vector<Buffer<int>> out;
    Buffer<int> own_image{width, height};
    std::optional<Pipeline> pipeline;

    ManyBuffers() {
        for (int i = 0; i < input_count; i++) {
            in.emplace_back(Int(32), 2, "in" + std::to_string(i));
            in.back().set(filled(i));
        }
        own_image = filled(50);
        own.set(own_image);
        for (int i = 0; i < output_count; i++) {
            f.emplace_back("f" + std::to_string(i));
            const ImageParam &source = i + 1 < output_count ? in[static_cast<size_t>(i % input_count)] : own;
            f.back()(x, y) = source(x, y) + i;
            out.push_back(Buffer<int>(width, height));
        }
        pipeline.emplace(f);
    }

    static Buffer<int> filled(int seed) {
        Buffer<int> image(width, height);
        image.for_each_element([&](int i, int k) { image(i, k) = 1000 * seed + 10 * i + k; });
        return image;
    }
    void realize() { pipeline->realize(std::vector<Buffer<>>(out.begin(), out.end())); }
    void expect_values() const {
        for (int i = 0; i + 1 < output_count; i++) {
            EXPECT_EQ(out[static_cast<size_t>(i)](10, 2), 1000 * (i % input_count) + 102 + i) << i;
        }
        EXPECT_EQ(out.back()(10, 2), 50'000 + 102 + output_count - 1);
    }
    void expect_refused(const std::string &message) {
        expect_error<RuntimeError>([&] { realize(); }, "buffers-overlap",
                                   message + "; give it memory of its own, as in buffer.copy()", {"many_buffers_test"});
    }
};

TEST_F(ManyBuffers, OfInputsMayBeOneOfOutputsNot) {
    realize();
    expect_values();
    const Buffer<int> both = filled(7);
    in[0].set(both);
    in[1].set(both);
    realize(); // inputs may be one
    EXPECT_EQ(out[0](1, 1), 7011);
    EXPECT_EQ(out[1](1, 1), 7012);
    in[1].set(filled(1));
    out[7] = out[3];
    expect_refused("in f7: it shares memory with f3; each output is written to memory of its own");
}

TEST_F(ManyBuffers, OutputsAreApartFromWhatOthersRead) {
    const Buffer<int> image = filled(0);
    in[0].set(image);
    out[5] = image;
    expect_refused("in f5: it shares memory with in0; f0 reads in0 too, before or after it is overwritten");
    out[5] = Buffer<int>(width, height);
    out[0] = image; // f0 is the first that reads it, and not the only one
    expect_refused("in f0: it shares memory with in0; f4 reads in0 too, before or after it is overwritten");
    out[0] = Buffer<int>(width, height);
    out[2] = own_image;
    expect_refused("in f2: it shares memory with own; f11 reads own too, before or after it is overwritten");
}

TEST_F(ManyBuffers, EqualPointsMayBeComputedInPlace) {
    out.back() = own_image;
    realize();
    expect_values();
    out.back() = own_image.cropped(0, 2, 5);
    out.back().set_min(0, 0);
    for (size_t i = 0; i + 1 < out.size(); i++) {
        out[i] = Buffer<int>(5, height);
    }
    expect_refused("in f11: it shares memory with own; f11 may only be computed in place where both buffers are the "
                   "same one, as other points are read after they are written");
}

// The entry checks its arguments in more than a thousand blocks.
TEST(ManyInputs, AreCheckedAndRead) {
    constexpr int count = 72;
    std::vector<ImageParam> in;
    Param<int> factor("factor");
    Expr sum = 0;
    for (int i = 0; i < count; i++) {
        in.emplace_back(Int(32), 1, "in" + std::to_string(i));
        Buffer<int> image(5);
        image.fill(i);
        in.back().set(image);
        sum = sum + in.back()(x) * factor;
    }
    Func f("f");
    f(x) = sum + x;
    factor.set(3);
    Pipeline pipeline(f);
    const Buffer<int> values = pipeline.realize({5});
    EXPECT_EQ(values(4), 3 * count * (count - 1) / 2 + 4);
    in[70].set(Buffer<int>(nullptr, 5));
    expect_error<RuntimeError>([&] { pipeline.realize({5}); }, "host-is-null",
                               "in in70: the buffer has no host memory; code that runs on the host reads and writes "
                               "host memory; allocate the buffer before the call",
                               {"many_buffers_test"});
}

/// The nodes of what is compiled.
size_t nodes_of(int outputs) {
    const ImageParam input(Int(32), 2, "input");
    std::vector<Func> all;
    for (int i = 0; i < outputs; i++) {
        Func f("f" + std::to_string(i));
        f(x, y) = input(x, y) * (i + 1);
        all.push_back(f);
    }
    const Pipeline pipeline(all);
    const ir::LoweredModule module =
        lowering::lower(driver::freeze_for(*pipeline.contents(), Target("x86-64-linux-avx2")), {});
    size_t nodes = 0;
    for (const ir::LoweredFunc &func : module.funcs) {
        nodes += lowering::count_nodes(func.body, SIZE_MAX);
    }
    return nodes;
}

TEST(ManyOutputs, MakeCodeThatGrowsNoFasterThanTheirNumber) { EXPECT_LT(nodes_of(40), 2.1 * nodes_of(20)); }

} // namespace
} // namespace fluorite::many_buffers_test
