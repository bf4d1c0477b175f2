// Stubs: their texts, which are headers of this test, and what they apply.

#include "tests/generators/run_command_line.h"
#include "tests/generators/stubs/arrays.stub"
#include "tests/generators/stubs/box.stub"

#include "support/test_golden.h"

#include <gtest/gtest.h>

namespace {
namespace stub_test {

using namespace Halide;
using generator_tests::contents;
using generator_tests::run_command_line;

TEST(Stubs, TextsAreTheHeadersOfThisTest) {
    for (const std::string name : {"arrays", "box"}) {
        const auto outcome = run_command_line({"-g", name, "-e", "cpp_stub", "-o", "."});
        ASSERT_EQ(outcome.status, 0) << outcome.messages;
        fluorite::expect_golden(contents(name + ".stub.h"), "tests/generators/stubs/" + name + ".stub");
    }
}

TEST(Stubs, ApplyAGeneratorWithParameters) {
    Buffer<uint8_t, 2> image(7, 5);
    image.for_each_element([&](int x, int y) { image(x, y) = static_cast<uint8_t>(10 * x + y); });
    tests::stubs::Box::GeneratorParams params;
    params.radius = 0;
    params.border = "zero";
    params.parallel = false;
    params.level = LoopLevel::root();
    const auto box = tests::stubs::Box::generate(GeneratorContext(get_jit_target_from_environment()),
                                                 {image, cast<uint16_t>(4)}, params);
    EXPECT_EQ(box.target, get_jit_target_from_environment());
    Var x("x"), y("y");
    Func doubled("doubled");
    doubled(x, y) = 2 * box.output(x, y);
    Func(box.output).compute_root();
    Buffer<uint16_t> result = doubled.realize({7, 5});
    result.for_each_element([&](int px, int py) { EXPECT_EQ(result(px, py), 2 * (10 * px + py + 4)); });
}

TEST(Stubs, TakeAndGiveArrays) {
    Func a("a"), b("b");
    Var x, y;
    a(x, y) = cast<float>(x + y);
    b(x, y) = cast<float>(x - y);
    tests::stubs::Arrays::GeneratorParams params;
    params.levels = 2;
    const auto all = tests::stubs::Arrays::generate(GeneratorContext(get_jit_target_from_environment()),
                                                    {std::vector<Func>{a, b}, {Expr(2.0f), Expr(3.0f)}}, params);
    ASSERT_EQ(all.scaled.size(), 2U);
    ASSERT_EQ(all.pyramid.size(), 2U);
    Buffer<float> scaled = Func(all.scaled[1]).realize({4, 4}), level = Func(all.pyramid[1]).realize({4, 4});
    EXPECT_EQ(scaled(3, 1), 6.0f);
    EXPECT_EQ(level(3, 1), 9.0f);
}

} // namespace stub_test
} // namespace
