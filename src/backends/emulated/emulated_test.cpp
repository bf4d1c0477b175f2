// Code for ARM, run in an emulator: every operator on every type against the scalar functions of the interpreter, and
// what a call in another process passes and returns.

#include "backends/emulated/emulated_backend.h"

#include "backends/llvm/test_operator_run.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::backends::emulated_test {
namespace {

using namespace operator_cases;

const Target plain("arm-64-linux");

class OnArm : public testing::Test {
  protected:
    void SetUp() override {
        try {
            emulated_backend().load(outlined({"empty", {}, ir::Block::make({})}, plain), plain, {});
        } catch (const CompileError &error) {
            ASSERT_EQ(error.slug(), "no-emulator");
            GTEST_SKIP() << error.what();
        }
    }
};

class OperatorsOnArm : public OnArm, public testing::WithParamInterface<Type> {};

TEST_P(OperatorsOnArm, AreThoseOfTheInterpreter) {
    Batch batch(GetParam(), 1);
    add_all(batch, GetParam());
    check_batch(emulated_backend(), batch, plain, 16);
    check_batch(emulated_backend(), batch, plain, 5);
    check_batch(emulated_backend(), batch, plain.with_feature(Target::ARMFp16), 1);
}

INSTANTIATE_TEST_SUITE_P(Emulated, OperatorsOnArm, testing::ValuesIn(all_types),
                         [](const auto &info) { return to_string(info.param); });

TEST_F(OnArm, RandomTreesAreThoseOfTheInterpreter) {
    std::mt19937_64 random(11);
    for (Type type : {Int(32), UInt(8), Int(16), Float(16), Float(32), UInt(64)}) {
        const Forest forest(random, type, 24);
        check_batch(emulated_backend(), forest.batch, plain.with_feature(Target::ARMFp16), 8);
    }
}

/// out[i] = in[i] + n, for as many elements as `out` has.
ir::LoweredFunc sums() {
    const Expr i = ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Loop, "i"));
    const Expr n = ir::make_var(Int(32), buffer_symbol("n"));
    return {"sums",
            {input_arg("in", Int(32), 1),
             {LoweredArg::Kind::Scalar, buffer_symbol("n"), Int(32)},
             output_arg("out", Int(32), 1)},
            serial("i", Expr(0), Expr(4), store("out", ir::add(load(Int(32), "in", i), n), i))};
}

TEST_F(OnArm, BuffersThatShareElementsShareThemThere) {
    TestBuffer image(Int(32), {8});
    for (int i = 0; i < 8; i++) {
        image.data<int32_t>()[i] = i;
    }
    fluorite_buffer_t in = *image.header(), out = *image.header();
    fluorite_dimension_t of_in(0, 4, 1), of_out(0, 4, 1);
    in.dim = &of_in;
    out.dim = &of_out;
    out.host += sizeof(int32_t); // each sum is the next one's input
    int32_t n = 10;
    void *args[] = {&in, &n, &out};
    const auto code = emulated_backend().load(outlined(sums(), plain), plain, {});
    ASSERT_EQ(code->run(args), 0);
    const std::vector<int32_t> expected = {0, 10, 20, 30, 40, 5, 6, 7};
    EXPECT_EQ(std::vector<int32_t>(image.data<int32_t>(), image.data<int32_t>() + 8), expected);
}

// x < 0 ? x : 0 and its like, of both zeros: the second operand, and not the least zero.
TEST_F(OnArm, ZerosOfSelectionsAreThoseOfTheLanguage) {
    for (const Type type : {Float(16), Float(32), Float(64)}) {
        for (const int lanes : {1, 4}) {
            std::vector<LoweredArg> args = {input_arg("in", type, 1)};
            std::vector<Stmt> stores;
            std::vector<bool> are_negative; // of -0.0 and 0.0, for each store
            const Expr x = load(type.with_lanes(lanes), "in", index_of(lanes));
            const Expr zeros[] = {ir::make_zero(x.type()), ir::make_float(x.type(), -0.0)};
            for (const bool is_negative : {false, true}) {
                const Expr &zero = zeros[is_negative ? 1 : 0];
                for (const Expr &value :
                     {ir::min_of(x, zero), ir::max_of(x, zero), ir::make_select(ir::less(zero, x), x, zero),
                      ir::make_select(ir::less(x, zero), x, zero)}) {
                    const std::string out = "out" + std::to_string(stores.size());
                    args.push_back(output_arg(out, type, 1));
                    stores.push_back(store(out, value, index_of(lanes)));
                    are_negative.push_back(is_negative);
                }
            }
            std::vector<std::unique_ptr<TestBuffer>> buffers;
            std::vector<void *> pointers;
            for (const LoweredArg &arg : args) {
                buffers.push_back(std::make_unique<TestBuffer>(arg.type, std::vector<int32_t>{8}));
                pointers.push_back(buffers.back()->header());
            }
            const size_t bytes = static_cast<size_t>(type.bytes());
            for (size_t i = 0; i < 8; i += 2) { // -0.0, 0.0, ...
                buffers[0]->data<uint8_t>()[(i + 1) * bytes - 1] = 0x80;
            }
            const LoweredFunc func{"zeros", args, serial("i", Expr(0), Expr(8 / lanes), Block::make(stores))};
            ASSERT_EQ(emulated_backend().load(outlined(func, plain), plain, {})->run(pointers.data()), 0);
            for (size_t k = 0; k < stores.size(); k++) {
                for (size_t i = 0; i < 8; i++) {
                    const bool is_negative = buffers[k + 1]->data<uint8_t>()[(i + 1) * bytes - 1] == 0x80;
                    EXPECT_EQ(is_negative, are_negative[k])
                        << to_string(type) << " x" << lanes << ", " << k << ", " << i;
                }
            }
        }
    }
}

TEST(Emulated, RefusesFunctionsOfThisProcess) {
    expect_error([] { emulated_backend().load(outlined(sums(), plain), plain, {{"helper", nullptr}}); }, "not-built",
                 "in sums: a call of the C function 'helper' from another process is asked of the back end emulated; "
                 "it does not make that; compile to what it makes, or for a target of another back end");
}

TEST(Emulated, RefusesProcessorsWithoutAnEmulator) {
    const Target other("riscv-64-linux");
    expect_error([&] { emulated_backend().load(outlined(sums(), other), other, {}); }, "not-built",
                 "in sums: code for riscv-64-linux that runs in an emulator is asked of the back end emulated; it does "
                 "not make that; compile to what it makes, or for a target of another back end");
}

TEST(Emulated, RefusesFeaturesOfOtherArchitectures) {
    const Target mixed("arm-64-linux-avx2");
    expect_error([&] { emulated_backend().load(outlined(sums(), mixed), mixed, {}); }, "bad-target",
                 "target arm-64-linux-sse41-avx-avx2: sse41 is a feature of another architecture; a feature is "
                 "honoured or refused; leave it out");
    EXPECT_FALSE(mixed.supported());
    EXPECT_TRUE(Target("arm-64-linux-arm_fp16").supported());
}

} // namespace
} // namespace fluorite::backends::emulated_test
