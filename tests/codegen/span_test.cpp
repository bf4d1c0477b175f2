// Vectors whose lanes are close to each other in memory: clamped, scaled, mirrored and wrapped coordinates, also at the
// ends of readable memory; and vectors whose lanes turn out to be far apart.

#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "ir/test_targets.h"
#include "support/test_pages.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace fluorite::span_test {
namespace {

class Spans : public testing::TestWithParam<Type> {
  protected:
    /// Coordinates that are clamped, decrease, or are equal in two lanes; with steps of two, three and five, for which
    /// one or two registers are too short; mirrored and wrapped ones, with distant lanes on both sides of a seam; and
    /// one choice for all lanes.
    static std::vector<Expr> places(const Expr &last, const Var &x) {
        const Expr mirrored = (x + 3) % max(2 * last, 1);
        std::vector<Expr> list = {x,
                                  last - x,
                                  (x + 1) / 2,
                                  2 * x - 1,
                                  last + 3 - 3 * x,
                                  5 * x,
                                  x * 5 / 2,
                                  select(last > 7, x, 2 * x),
                                  select(mirrored > last, 2 * last - mirrored, mirrored),
                                  2 * (x % 17),
                                  (last + 1 + x) % (last + 1),
                                  max(x, 11 - 2 * x)};
        for (Expr &place : list) {
            place = clamp(place, 0, last);
        }
        return list;
    }
    static Func reads(ImageParam &in, const Var &x) {
        std::vector<Expr> values;
        for (const Expr &place : places(in.width() - 1, x)) {
            values.push_back(in(place));
        }
        Func f;
        f(x) = Tuple(values);
        return f;
    }
};

// Vector code compared with scalar code; the input ends, then begins, at a page that must not be accessed.
TEST_P(Spans, LoadTheSameLanes) {
    const Type type = GetParam();
    const GuardedPage memory;
    Var x("x");
    const std::vector<Target> targets =
        that_run_here({Target("host"), Target("x86-64-linux-sse41"), Target("x86-64-linux-avx2-fma-f16c"),
                       Target("x86-64-linux-avx512_skylake"), Target("x86-64-linux-avx512_cannonlake")});
    for (const int lanes : {8, 24, 64}) {
        ImageParam in(type, 1);
        Func scalar = reads(in, x);
        const size_t values = places(0, x).size();
        for (const Target &target : targets) {
            Func vector = reads(in, x);
            vector.vectorize(x, lanes);
            for (const int size : {1, 5, 2 * lanes + 1, 7 * lanes}) {
                for (const bool at_end : {true, false}) {
                    in.set(Buffer<>(type, at_end ? memory.end() - size * type.bytes() : memory.begin(), {size}));
                    std::vector<Buffer<>> is, expected;
                    for (size_t i = 0; i < values; i++) {
                        is.emplace_back(type, std::vector<int>{3 * lanes + 5});
                        expected.emplace_back(type, std::vector<int>{3 * lanes + 5});
                        is.back().set_min({-lanes});
                        expected.back().set_min({-lanes});
                    }
                    vector.realize(Realization(is), target);
                    scalar.realize(Realization(expected));
                    for (size_t i = 0; i < is.size(); i++) {
                        EXPECT_EQ(std::memcmp(is[i].data(), expected[i].data(), is[i].size_in_bytes()), 0)
                            << "value " << i << ", " << lanes << " lanes of " << type << " for " << target.to_string()
                            << ", " << size << " elements";
                    }
                }
            }
        }
    }
}

// Images that are mirrored or repeated: all lanes inside, some beyond an edge, beyond both, more than a period beyond,
// and coordinates that decrease. Vector code compared with scalar code, at the ends of readable memory.
TEST_P(Spans, ReadBeyondMirroredAndRepeatedEdges) {
    const Type type = GetParam();
    const GuardedPage memory;
    Var x("x"), xo("xo"), xi("xi");
    using namespace BoundaryConditions;
    const auto continued = [](const ImageParam &in, int rule) {
        return rule == 0 ? mirror_image(in) : rule == 1 ? mirror_interior(in) : repeat_image(in);
    };
    const auto reads = [&](const ImageParam &in, int rule, int beside) {
        const Func image = continued(in, rule);
        Func f("f");
        f(x) = Tuple(image(x - beside), image(x), image(x + beside), image(in.width() - x), image(2 * x - beside));
        return f;
    };
    constexpr size_t values = 5;
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::Predicate}) {
        for (const int lanes : {8, 16}) {
            for (int rule = 0; rule < 3; rule++) {
                const int beside = lanes == 8 ? 1 : 7;
                ImageParam in(type, 1);
                Func scalar = reads(in, rule, beside), vector = reads(in, rule, beside);
                vector.split(x, xo, xi, lanes, tail).vectorize(xi);
                for (const int size : {1, 2, 7, lanes, lanes + 1, 3 * lanes, 5 * lanes + 3}) {
                    for (const bool at_end : {true, false}) {
                        const int min = at_end ? -3 : 5;
                        Buffer<> source(type, at_end ? memory.end() - size * type.bytes() : memory.begin(), {size});
                        source.set_min({min});
                        in.set(source);
                        std::vector<Buffer<>> is, expected;
                        for (size_t i = 0; i < values; i++) {
                            is.emplace_back(type, std::vector<int>{size + 2 * lanes});
                            expected.emplace_back(type, std::vector<int>{size + 2 * lanes});
                            is.back().set_min({min - lanes});
                            expected.back().set_min({min - lanes});
                        }
                        vector.realize(Realization(is));
                        scalar.realize(Realization(expected));
                        for (size_t i = 0; i < values; i++) {
                            EXPECT_EQ(std::memcmp(is[i].data(), expected[i].data(), is[i].size_in_bytes()), 0)
                                << "rule " << rule << ", value " << i << ", " << lanes << " lanes of " << type << ", "
                                << size << " elements, tail " << static_cast<int>(tail);
                        }
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

// A loop in which edges recur: it has no gather, and one function of the module loads lanes that are far apart.
TEST(SpansAssembly, ScaledAndMirroredLanesArePermuted) {
    ImageParam in(UInt(8), 2, "in");
    Var x("x"), y("y");
    Func f("scaled"), mirrored = BoundaryConditions::mirror_interior(in);
    f(x, y) = BoundaryConditions::repeat_edge(in)(2 * x + 1, y) + mirrored(x, y);
    f.vectorize(x, 32).never_partition(x);
    for (const char *features : {"avx512_skylake", "avx512_skylake-avx512_cannonlake-avx512_zen4"}) {
        const std::string text = assembly(f, std::string("x86-64-linux-avx2-fma-f16c-") + features);
        EXPECT_NE(text.find(features == std::string("avx512_skylake") ? "vpermw" : "vpermb"), std::string::npos)
            << text;
        EXPECT_NE(text.find("fluorite.lanes."), std::string::npos) << text;
        EXPECT_EQ(text.find("vpgather"), std::string::npos) << text;
    }
}

// At edges, lanes inside are one masked load, and those beyond another one, turned around; no lane is divided there.
TEST(SpansAssembly, EdgesOfMirroredImagesAreMaskedLoads) {
    ImageParam in(Float(32), 1, "in");
    Var x("x");
    Func f("mirrored"), image = BoundaryConditions::mirror_image(in);
    f(x) = image(x - 1) + image(x + 1);
    f.vectorize(x, 16);
    const std::string text = assembly(f, "x86-64-linux-avx2-fma-f16c-avx512_skylake");
    EXPECT_NE(text.find("{%k1} {z}"), std::string::npos) << text;
    EXPECT_EQ(text.find("vdivpd"), std::string::npos) << text; // the general case multiplies by the reciprocal
    EXPECT_NE(text.find("vdivsd"), std::string::npos) << text;
}

TEST(SpansAssembly, ClampedLanesArePermuted) {
    ImageParam in(Float(32), 1, "in");
    Var x("x");
    Func f("edges");
    f(x) = BoundaryConditions::repeat_edge(in)(x);
    f.vectorize(x, 16).never_partition(x);
    const std::string text = assembly(f, "x86-64-linux-avx2-fma-f16c-avx512_skylake");
    EXPECT_NE(text.find("vpermd"), std::string::npos) << text;
    EXPECT_EQ(text.find("vgather"), std::string::npos) << text;
}

// Without masked loads of bytes and words, blocks of 128 bits hold the lanes of an edge.
TEST(SpansAssembly, BytesAndWordsOfEdgesAreNotInserted) {
    for (const Type type : {UInt(8), Int(16)}) {
        for (const char *target : {"x86-64-linux-sse41", "x86-64-linux-avx2-fma-f16c"}) {
            ImageParam in(type, 1, "in");
            Var x("x");
            Func f("f");
            f(x) = in(clamp(x - 2, 0, in.width() - 1));
            f.vectorize(x, 32, TailStrategy::RoundUp).never_partition(x);
            const std::string text = assembly(f, target);
            EXPECT_EQ(count(text, "pinsrb") + count(text, "pinsrw"), 0U) << text;
            EXPECT_GE(count(text, "pshufb"), type.bytes() == 1 ? 2U : 4U) << text;
        }
    }
}

} // namespace
} // namespace fluorite::span_test
