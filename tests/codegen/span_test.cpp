// Vectors whose lanes move by one element or none: clamped coordinates, also at the ends of memory that may be read.

#include "fluorite/fluorite.h"
#include "support/test_pages.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace fluorite {
namespace {

class Spans : public testing::TestWithParam<Type> {
  protected:
    /// Clamped coordinates, falling ones, and such as stay for two lanes.
    static Func reads(ImageParam &in, const Var &x) {
        const Expr last = in.width() - 1;
        Func f;
        f(x) = Tuple(in(clamp(x, 0, last)), in(clamp(last - x, 0, last)), in(clamp((x + 1) / 2, 0, last)));
        return f;
    }
};

// By vectors against one by one; the input ends, then begins at a page that must not be touched.
TEST_P(Spans, LoadTheSameLanes) {
    const Type type = GetParam();
    const GuardedPage memory;
    Var x("x");
    for (const int lanes : {8, 64}) {
        ImageParam in(type, 1);
        Func scalar = reads(in, x);
        for (const char *target : {"host", "x86-64-linux-avx2-fma-f16c", "x86-64-linux-sse41"}) {
            Func vector = reads(in, x);
            vector.vectorize(x, lanes);
            for (const int size : {1, 5, 2 * lanes + 1}) {
                for (const bool at_end : {true, false}) {
                    in.set(Buffer<>(type, at_end ? memory.end() - size * type.bytes() : memory.begin(), {size}));
                    std::vector<Buffer<>> is, expected;
                    for (int i = 0; i < 3; i++) {
                        is.emplace_back(type, std::vector<int>{3 * lanes + 5});
                        expected.emplace_back(type, std::vector<int>{3 * lanes + 5});
                        is.back().set_min({-lanes});
                        expected.back().set_min({-lanes});
                    }
                    vector.realize(Realization(is), Target(target));
                    scalar.realize(Realization(expected));
                    for (size_t i = 0; i < 3; i++) {
                        EXPECT_EQ(std::memcmp(is[i].data(), expected[i].data(), is[i].size_in_bytes()), 0)
                            << "value " << i << ", " << lanes << " lanes of " << type << " for " << target << ", "
                            << size << " elements";
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Spans, testing::Values(Bool(), UInt(8), Float(16), Float(32), UInt(64)),
                         [](const auto &info) {
                             std::ostringstream name;
                             name << info.param;
                             return name.str();
                         });

TEST(SpansAssembly, ClampedLanesArePermuted) {
    ImageParam in(Float(32), 1, "in");
    Var x("x");
    Func f("edges");
    f(x) = BoundaryConditions::repeat_edge(in)(x);
    f.vectorize(x, 16).never_partition(x);
    const std::string path = testing::TempDir() + "edges" + std::to_string(getpid()) + ".s";
    f.compile_to_assembly(path, {in}, "edges",
                          Target("x86-64-linux-avx2-fma-f16c-avx512_skylake-no_asserts-no_bounds_query"));
    std::ifstream file(path);
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    std::remove(path.c_str());
    EXPECT_NE(text.find("vpermd"), std::string::npos) << text;
    EXPECT_EQ(text.find("vgather"), std::string::npos) << text;
}

} // namespace
} // namespace fluorite
