// Code of certificates makes no checks of its own: what a run refuses before it, buffer by buffer.

#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::certified_runs_test {
namespace {

/// A dimension of a buffer.
fluorite_dimension_t dim(int32_t min, int32_t extent, int32_t stride) {
    fluorite_dimension_t result{};
    result.min = min, result.extent = extent, result.stride = stride;
    return result;
}

class CertifiedRuns : public testing::Test {
  protected:
    ImageParam input{UInt(8), 2, "input"};
    Var x{"x"}, y{"y"};
    Func f{"f"};
    alignas(64) uint8_t memory[2048] = {};
    Buffer<uint8_t> output{8, 4};

    void SetUp() override { f(x, y) = input(x + 2, y) + 1; }

    std::string message(const CertifiedPipeline &pipeline, const Buffer<> &to) {
        try {
            pipeline.realize(to);
        } catch (const RuntimeError &error) {
            return error.message() + " [" + error.slug() + "]";
        }
        return "";
    }
    /// The message of a run with this input.
    std::string of_input(const CertifiedPipeline &pipeline, const std::vector<fluorite_dimension_t> &shape,
                         int offset = 0) {
        input.set(Buffer<uint8_t>(memory + 512 + offset, shape));
        return message(pipeline, output);
    }
};

TEST_F(CertifiedRuns, FormsOfInputs) {
    const CertifiedPipeline pipeline = compile_certified(f);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}), "");
    EXPECT_EQ(of_input(pipeline, {dim(2, 8, 1), dim(0, 4, 10)}), "") << "nothing before 2 is read";
    EXPECT_EQ(
        of_input(pipeline, {dim(3, 8, 1), dim(0, 4, 10)}),
        "in input: [2, 9] is read along dimension 0; the buffer holds [3, 10]; pass a larger one, or compute less "
        "[input-too-small]");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(1, 4, 10)}),
              "in input: [0, 3] is read along dimension 1; the buffer holds [1, 4]; pass a larger one, or compute less "
              "[input-too-small]");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 3, 10)}),
              "in input: [0, 3] is read along dimension 1; the buffer holds [0, 2]; pass a larger one, or compute less "
              "[input-too-small]");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 2), dim(0, 4, 20)}),
              "in input: the stride of dimension 0 is 2; it has to be 1; pass a buffer with this layout, or promise "
              "another [constraint-violated]");
    input.set(Buffer<uint8_t>(nullptr, std::vector<fluorite_dimension_t>{dim(0, 10, 1), dim(0, 4, 10)}));
    EXPECT_EQ(message(pipeline, output),
              "in input: the buffer has no host memory; code that runs on the host reads and "
              "writes host memory; allocate the buffer before the call [host-is-null]");
}

TEST_F(CertifiedRuns, PromisesOfInputs) {
    input.dim(0).set_stride(3);
    input.dim(1).set_min(-1).set_extent(6).set_stride(40);
    input.set_host_alignment(16);
    const CertifiedPipeline pipeline = compile_certified(f);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 3), dim(-1, 6, 40)}), "");
    const std::string end = "; pass a buffer with this layout, or promise another [constraint-violated]";
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(-1, 6, 40)}),
              "in input: the stride of dimension 0 is 1; it has to be 3" + end);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 3), dim(0, 6, 40)}),
              "in input: the min of dimension 1 is 0; it has to be -1" + end);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 3), dim(-1, 7, 40)}),
              "in input: the extent of dimension 1 is 7; it has to be 6" + end);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 3), dim(-1, 6, 41)}),
              "in input: the stride of dimension 1 is 41; it has to be 40" + end);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 3), dim(-1, 6, 40)}, 8),
              "in input: its memory is not aligned to 16 bytes; the program promises that; align it, or promise less "
              "[unaligned-host]");
}

TEST_F(CertifiedRuns, PromisesOfOutputs) {
    f.output_buffer().dim(0).set_stride(4);
    f.output_buffer().dim(1).set_extent(3);
    const CertifiedPipeline pipeline = compile_certified(f);
    input.set(Buffer<uint8_t>(10, 4));
    const auto of_output = [&](const std::vector<fluorite_dimension_t> &shape) {
        return message(pipeline, Buffer<uint8_t>(memory, shape));
    };
    EXPECT_EQ(of_output({dim(0, 8, 4), dim(0, 3, 32)}), "");
    EXPECT_EQ(
        of_output({dim(0, 8, 1), dim(0, 3, 32)}),
        "in f: the stride of dimension 0 is 1; it has to be 4; pass a buffer with this layout, or promise another "
        "[constraint-violated]");
    EXPECT_EQ(
        of_output({dim(0, 8, 4), dim(0, 4, 32)}),
        "in f: the extent of dimension 1 is 4; it has to be 3; pass a buffer with this layout, or promise another "
        "[constraint-violated]");
}

// Memory that only lies between the elements is shared as well; what lies behind the last one is not.
TEST_F(CertifiedRuns, SharedMemory) {
    const CertifiedPipeline pipeline = compile_certified(f);
    const std::string shared = "in input: it shares memory with the output f; the loops of a certificate are not "
                               "computed in place; pass a copy [buffers-overlap]";
    output = Buffer<uint8_t>(memory + 512, std::vector<fluorite_dimension_t>{dim(0, 8, 1), dim(0, 4, 16)});
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}, 56), "");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}, 55), shared);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}, -40), "");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}, -39), shared);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, -10)}, -10), "") << "rows go down in memory";
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, -10)}, 86), "");
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, -10)}, 85), shared);
    output = Buffer<uint8_t>(0, 4);
    EXPECT_EQ(of_input(pipeline, {dim(0, 10, 1), dim(0, 4, 10)}), "");
}

TEST_F(CertifiedRuns, EmptyOutputsAskForNothing) {
    const CertifiedPipeline pipeline = compile_certified(f);
    output = Buffer<uint8_t>(8, 0);
    EXPECT_EQ(of_input(pipeline, {dim(0, 0, 1), dim(0, 0, 1)}), "");
}

} // namespace
} // namespace fluorite::certified_runs_test
