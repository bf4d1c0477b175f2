// Lanes of bytes and 16-bit integers that lie some elements apart: machine code for several processors beside scalar
// code, and instructions.

#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "support/test_pages.h"

#include <array>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::strided_test {
namespace {

std::vector<Target> targets() {
    std::vector<Target> list = {get_host_target(), Target("x86-64-linux-sse41"), Target("x86-64-linux")};
    const Target host = get_host_target();
    if (host.has_feature(Target::AVX2)) {
        list.emplace_back("x86-64-linux-avx2-fma-f16c");
    }
    if (host.has_feature(Target::AVX512_Skylake)) {
        list.emplace_back("x86-64-linux-avx512_skylake");
    }
    return list;
}

class Strides : public testing::TestWithParam<Type> {};

constexpr std::array strides = {5, 6, 7, 8, 9, 12, 13};

// Each input ends at a page that must not be accessed: nothing behind the last lane is read.
TEST_P(Strides, LoadTheSameLanes) {
    const Type type = GetParam();
    const GuardedPage memory;
    const Var x("x");
    for (const int lanes : {8, 24, 32}) {
        const int size = 2 * lanes;
        std::vector<ImageParam> inputs;
        std::vector<Expr> values;
        for (const int stride : strides) {
            const int elements = (size - 1) * stride + 1;
            inputs.emplace_back(type, 1);
            inputs.back().set(Buffer<>(type, memory.end() - static_cast<ptrdiff_t>(elements) * type.bytes(), elements));
            values.push_back(inputs.back()(x * stride));
        }
        const auto run = [&](bool is_vector, const Target &target) {
            Func f("every");
            f(x) = Tuple(values);
            if (is_vector) {
                f.vectorize(x, lanes, TailStrategy::RoundUp);
            }
            std::string bytes;
            const Realization outputs = f.realize({size}, target);
            for (size_t i = 0; i < outputs.size(); i++) {
                bytes.append(reinterpret_cast<const char *>(outputs[i].data()), outputs[i].size_in_bytes());
            }
            return bytes;
        };
        const std::string expected = run(false, Target("x86-64-linux"));
        for (const Target &target : targets()) {
            EXPECT_TRUE(run(true, target) == expected) << lanes << " lanes, " << target.to_string();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Strides, testing::Values(UInt(8), Int(16), Float(16), Int(32)), [](const auto &info) {
    std::ostringstream name;
    name << info.param;
    return name.str();
});

TEST(StridedAssembly, BytesThatLieApartAreShuffled) {
    ImageParam in(UInt(8), 1, "in");
    Func f("sixth");
    Var x("x");
    f(x) = in(x * 6 + 1);
    f.vectorize(x, 32, TailStrategy::RoundUp);
    const std::string text = assembly(f, "x86-64-linux-avx2");
    EXPECT_EQ(count(text, "vpshufb"), 6U) << text;
    EXPECT_EQ(count(text, "vpinsrb"), 0U) << text;
    const std::string narrow = assembly(f, "x86-64-linux-sse41");
    EXPECT_EQ(count(narrow, "pshufb"), 12U) << narrow;
    EXPECT_EQ(count(narrow, "pinsrb"), 0U) << narrow;
}

TEST(StridedAssembly, ColumnsOfOneStatementAreTransposed) {
    ImageParam in(UInt(8), 1, "in");
    Func f("bits");
    Var x("x");
    Expr bits = cast<uint8_t>(0);
    for (int i = 0; i < 8; i++) {
        bits = bits | select(in(x * 8 + i) > 93, cast<uint8_t>(1 << i), cast<uint8_t>(0));
    }
    f(x) = bits;
    f.vectorize(x, 32, TailStrategy::RoundUp);
    const std::string text = assembly(f, "x86-64-linux-avx2");
    EXPECT_EQ(count(text, "vpinsrb"), 0U) << text;
    EXPECT_LE(count(text, "vpunpck") + count(text, "vpshufb") + count(text, "vperm"), 64U) << text;
}

} // namespace
} // namespace fluorite::strided_test
