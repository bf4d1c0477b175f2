// Every operator on every type, and random trees of them, as machine code for several targets, against the scalar
// functions of the interpreter.

#include "backends/llvm/test_support.h"
#include "backends/test_operator_cases.h"
#include "ir/test_targets.h"

#include <gtest/gtest.h>

namespace fluorite::backends::arith_test {
namespace {

using namespace operator_cases;

std::vector<Target> targets() {
    const Target plain(Target::Linux, Target::X86, 64);
    std::vector<Target> list =
        that_run_here({plain, plain.with_feature(Target::SSE41),
                       plain.with_feature(Target::AVX2).with_feature(Target::FMA).with_feature(Target::F16C),
                       plain.with_feature(Target::AVX512_Skylake), get_host_target()});
    for (Target &target : list) {
        target.set_feature(Target::Checked);
    }
    return list;
}

/// Stores each expression of the batch to a buffer of its own, and compares all.
void check(const Batch &batch, const Target &target, int lanes) {
    std::vector<LoweredArg> args;
    std::vector<std::unique_ptr<TestBuffer>> buffers;
    std::vector<void *> pointers;
    const auto add = [&](const LoweredArg &arg) {
        args.push_back(arg);
        buffers.push_back(std::make_unique<TestBuffer>(arg.type, std::vector<int32_t>{Batch::count}));
        pointers.push_back(buffers.back()->header());
    };
    for (const char name : {'a', 'b', 'c'}) {
        add(input_arg(std::string(1, name), batch.type(), 1));
        const std::vector<uint8_t> bytes = batch.bytes_of(name);
        std::memcpy(buffers.back()->data<uint8_t>(), bytes.data(), bytes.size());
    }
    std::vector<Stmt> stores;
    for (const Case &one : batch.cases()) {
        const std::string out = "out" + std::to_string(stores.size());
        add(output_arg(out, one.type, 1));
        stores.push_back(store(out, one.expr(lanes), index_of(lanes)));
    }
    const int steps = static_cast<int>(Batch::count) / lanes;
    const LoweredFunc func{"batch", args, serial("i", Expr(0), Expr(steps), Block::make(stores))};
    const auto code = compile_jit(func, target);
    ASSERT_EQ(code->entry()(pointers.data()), 0);
    for (size_t k = 0; k < batch.cases().size(); k++) {
        const uint8_t *out = buffers[3 + k]->data<uint8_t>();
        EXPECT_EQ(batch.difference(batch.cases()[k], out, lanes, target.to_string()), "");
    }
}

class EveryType : public testing::TestWithParam<Type> {};

TEST_P(EveryType, OperatorsAreThoseOfTheInterpreter) {
    Batch batch(GetParam(), 1);
    add_all(batch, GetParam());
    const auto list = targets();
    for (const Target &target : list) {
        check(batch, target, 16);
    }
    check(batch, list.back(), 1);
    check(batch, list.front(), 5);
}

INSTANTIATE_TEST_SUITE_P(Arith, EveryType, testing::ValuesIn(all_types),
                         [](const auto &info) { return to_string(info.param); });

TEST(Arith, RandomTreesAreThoseOfTheInterpreter) {
    std::mt19937_64 random(7);
    for (Type type : {Int(32), UInt(8), Int(16), Float(32), UInt(64)}) {
        const Forest forest(random, type, 24);
        check(forest.batch, targets().back(), 16);
        check(forest.batch, targets()[1], 1);
    }
}

} // namespace
} // namespace fluorite::backends::arith_test
