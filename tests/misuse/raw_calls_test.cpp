// Compiled code called as from C, with headers of buffers that no class has checked.
#include "driver/compiled.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::raw_calls_test {
namespace {

/// A header with memory of its own.
struct RawBuffer {
    std::vector<int32_t> memory = std::vector<int32_t>(64);
    std::vector<fluorite_dimension_t> dims;
    fluorite_buffer_t header{};

    explicit RawBuffer(std::vector<fluorite_dimension_t> shape) : dims(std::move(shape)) {
        header.host = reinterpret_cast<uint8_t *>(memory.data());
        header.type = fluorite_type_t(fluorite_type_int, 32);
        header.dimensions = static_cast<int32_t>(dims.size());
        header.dim = dims.data();
    }
};

class RawCalls : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    ImageParam in{Int(32), 2, "in"};
    Func f{"f"};
    RawBuffer input{{{0, 8, 1}, {0, 8, 8}}}, output{{{0, 4, 1}, {0, 4, 4}}};
    std::shared_ptr<const driver::CompiledPipeline> code;

    void SetUp() override {
        f(x, y) = in(x, y) + 1;
        f.output_buffer().dim(0).set_stride(Expr());
        code = driver::compiled_for(*Pipeline(f).contents(), get_host_target(), {});
    }
    /// The text of the error that a call reports.
    std::string error_of_call() {
        fluorite_clear_error();
        void *context = nullptr;
        std::vector<void *> args;
        for (const ir::LoweredArg &arg : code->args) {
            args.push_back(arg.kind == ir::LoweredArg::Kind::InputBuffer    ? static_cast<void *>(&input.header)
                           : arg.kind == ir::LoweredArg::Kind::OutputBuffer ? static_cast<void *>(&output.header)
                                                                            : static_cast<void *>(&context));
        }
        const int result = code->code->run(args.data());
        EXPECT_EQ(result, fluorite_last_error_code());
        return fluorite_last_error_message();
    }
};

TEST_F(RawCalls, Compute) {
    input.memory[9] = 41;
    EXPECT_EQ(error_of_call(), "");
    EXPECT_EQ(output.memory[5], 42);
}

TEST_F(RawCalls, WithoutDimensions) {
    const std::string rest = ": the buffer argument is null; every buffer argument must point at a buffer; pass a "
                             "buffer, or one without host memory to ask for its bounds [buffer-is-null]";
    input.header.dim = nullptr;
    EXPECT_EQ(error_of_call(), "in in.dim" + rest);
    input.header.dim = input.dims.data();
    output.header.dim = nullptr;
    EXPECT_EQ(error_of_call(), "in f.dim" + rest);
    output.header.host = nullptr;
    EXPECT_EQ(error_of_call(), "in f.dim" + rest);
}

TEST_F(RawCalls, WithDataOnADevice) {
    input.header.flags = fluorite_buffer_flag_device_dirty;
    EXPECT_EQ(error_of_call(),
              "in in: the newest copy of the buffer is in device memory; a pipeline compiled without a device cannot "
              "reach it; call copy_to_host() on the buffer first [device-dirty]");
    output.header.flags = fluorite_buffer_flag_device_dirty; // legal, as the output is overwritten anyway
    input.header.flags = 0;
    EXPECT_EQ(error_of_call(), "");
}

TEST_F(RawCalls, OverAnOutputThatOverlapsItself) {
    const std::string message = "in f: it shares memory with itself; each element of an output has a place of its own; "
                                "give it memory of its own, as in buffer.copy() [buffers-overlap]";
    for (const auto &[a, b, is_refused] : {std::tuple(1, 2, true),
                                           {0, 4, true},
                                           {2, 3, true},
                                           {1, 0, true},
                                           {4, 1, false},
                                           {1, 5, false},
                                           {3, 5, false}}) {
        output.dims[0].stride = a;
        output.dims[1].stride = b;
        EXPECT_EQ(error_of_call(), is_refused ? message : "") << a << " " << b;
    }
    input.dims[1].stride = 0; // one row, read for all rows
    EXPECT_EQ(error_of_call(), "");
}

} // namespace
} // namespace fluorite::raw_calls_test
