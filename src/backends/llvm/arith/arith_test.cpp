// Every operator on every type, and random trees of them, as machine code for several targets, against the scalar
// functions of the interpreter.

#include "backends/llvm/test_operator_run.h"
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

class EveryType : public testing::TestWithParam<Type> {};

TEST_P(EveryType, OperatorsAreThoseOfTheInterpreter) {
    Batch batch(GetParam(), 1);
    add_all(batch, GetParam());
    const auto list = targets();
    for (const Target &target : list) {
        check_batch(llvm_backend(), batch, target, 16);
    }
    check_batch(llvm_backend(), batch, list.back(), 1);
    check_batch(llvm_backend(), batch, list.front(), 5);
}

INSTANTIATE_TEST_SUITE_P(Arith, EveryType, testing::ValuesIn(all_types),
                         [](const auto &info) { return to_string(info.param); });

TEST(Arith, RandomTreesAreThoseOfTheInterpreter) {
    std::mt19937_64 random(7);
    for (Type type : {Int(32), UInt(8), Int(16), Float(32), UInt(64)}) {
        const Forest forest(random, type, 24);
        check_batch(llvm_backend(), forest.batch, targets().back(), 16);
        check_batch(llvm_backend(), forest.batch, targets()[1], 1);
    }
}

} // namespace
} // namespace fluorite::backends::arith_test
