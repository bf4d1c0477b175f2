// Interleaved elements: channels of pixels, neighbouring pairs. Vector code is compared with scalar code, at both ends
// of memory.

#include "driver/test_assembly.h"
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "ir/test_targets.h"
#include "support/test_pages.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace fluorite::interleave_test {
namespace {

std::vector<Target> targets() {
    return that_run_here({Target("host"), Target("x86-64-linux-avx2-fma-f16c"), Target("x86-64-linux-sse41"),
                          Target("x86-64-linux-avx512_skylake")});
}

using Pixel = std::function<Expr(int channel)>;
using Program = std::function<Expr(const Pixel &in, int channel)>;

class Interleaved : public testing::Test {
  protected:
    GuardedPage memory;
    Var x{"x"}, c{"c"};

    Interleaved() {
        uint32_t state = 12345;
        for (auto *byte = memory.begin(); byte != memory.end(); byte++) {
            state = state * 1664525 + 1013904223;
            *byte = static_cast<uint8_t>(state >> 24);
        }
    }

    /// Runs a program that maps pixels of `channels` elements of type `from` to pixels of `results` elements, on every
    /// target.
    void check(Type from, int channels, int results, const Program &program, const std::vector<int> &vectors,
               const std::string &what) {
        ImageParam in(from, 2, "in");
        in.dim(0).set_bounds(0, channels).dim(1).set_stride(channels);
        const Pixel pixel = [&](int channel) { return in(channel, x); };
        const auto make = [&] {
            Func f;
            std::vector<Expr> values;
            for (int i = 0; i < results; i++) {
                values.push_back(program(pixel, i));
            }
            f(c, x) = mux(c, values);
            f.bound(c, 0, results).unroll(c);
            f.output_buffer().dim(0).set_bounds(0, results).dim(1).set_stride(results);
            return f;
        };
        const Type to = program(pixel, 0).type();
        for (const int lanes : vectors) {
            for (const Target &target : targets()) {
                Func scalar = make(), vector = make();
                vector.vectorize(x, lanes, TailStrategy::GuardWithIf);
                for (const bool at_end : {true, false}) {
                    const int size = at_end ? 3 * lanes + 1 : lanes;
                    uint8_t *begin = at_end ? memory.end() - size * channels * from.bytes() : memory.begin();
                    in.set(Buffer<>(from, begin, {channels, size}));
                    Buffer<> is(to, {results, size}), expected(to, {results, size});
                    vector.realize(is, target);
                    scalar.realize(expected, target);
                    ASSERT_EQ(std::memcmp(is.data(), expected.data(), is.size_in_bytes()), 0)
                        << what << ", " << lanes << " lanes of " << from << " to " << to << " for "
                        << target.to_string() << ", " << size << " pixels of " << channels << " to " << results;
                }
            }
        }
    }
};

TEST_F(Interleaved, ChannelsAreTakenApartAndPutTogether) {
    for (const Type type : {UInt(8), Int(16), Float(32)}) {
        for (const int channels : {2, 3, 4}) {
            const std::vector<int> vectors = type.bits() == 8 ? std::vector<int>{12, 32} : std::vector<int>{8};
            check(
                type, channels, channels, [&](const Pixel &in, int i) { return in(channels - 1 - i); }, vectors,
                "swizzle");
            check(type, channels, 1, [&](const Pixel &in, int) { return in(1); }, vectors, "one");
            check(type, channels, 2, [&](const Pixel &in, int i) { return in(channels - 1) + in(i); }, vectors, "two");
        }
        check(type, 4, 3, [](const Pixel &in, int i) { return in(i + 1); }, {8}, "some of four");
    }
}

TEST_F(Interleaved, LanesOfGroupsAreExtended) {
    for (const Type from : {UInt(8), Int(8), UInt(16), Int(16)}) {
        for (const Type to : {UInt(16), Int(32), Float(32)}) {
            if (to.bits() <= from.bits()) {
                continue;
            }
            const auto at = [&](const Pixel &in, int i) { return cast(to, in(i)); };
            const std::vector<int> vectors{16};
            check(from, 2, 1, [&](const Pixel &in, int) { return at(in, 0) + at(in, 1); }, vectors, "sum");
            check(
                from, 2, 1, [&](const Pixel &in, int) { return at(in, 1) + (cast(to, 7) + at(in, 0)); }, vectors,
                "sum of more");
            check(
                from, 2, 1, [&](const Pixel &in, int) { return at(in, 1) * at(in, 0) + at(in, 1); }, vectors,
                "product");
            check(
                from, 4, 1, [&](const Pixel &in, int) { return at(in, 3) - at(in, 0) + at(in, 1) - at(in, 2); },
                vectors, "differences of four");
        }
    }
}

TEST_F(Interleaved, ChannelsThatAreComputedAlikeAreComputedTogether) {
    const auto wide = [](const Expr &e) { return cast<uint16_t>(e); };
    const std::vector<int> vectors{16};
    for (const int channels : {2, 3, 4}) {
        const int last = channels - 1;
        check(
            UInt(8), channels, channels,
            [&](const Pixel &in, int i) { return saturating_cast<uint8_t>(wide(in(i)) * (40 + 20 * i) / 64 + 3); },
            vectors, "gains");
        check(
            UInt(8), channels, channels,
            [&](const Pixel &in, int i) {
                const Expr t = i == 1 ? (255 - wide(in(last))) * wide(in(i)) : wide(in(i)) * (255 - wide(in(last)));
                return cast<uint8_t>((t + 128 + ((t + 128) >> 8)) >> 8);
            },
            vectors, "weights, operands exchanged");
        check(
            UInt(8), channels, channels,
            [&](const Pixel &in, int i) {
                return cast<uint8_t>((wide(in(i)) >> cast<uint16_t>(i)) + wide(in(i)) / cast<uint16_t>(3 + i));
            },
            vectors, "shifts and quotients that differ");
        check(
            UInt(8), channels, channels,
            [&](const Pixel &in, int i) { return select(in(last) > 100, in(i), in(last - i)); }, vectors, "selection");
        check(
            UInt(8), channels, channels,
            [&](const Pixel &in, int i) {
                const Expr sum = 0.4f * cast<float>(in(0)) + (0.1f * static_cast<float>(i + 1)) * cast<float>(in(last));
                return i == 1 ? in(1) : cast<uint8_t>(min(sum, 255.0f));
            },
            vectors, "one channel as it was");
        check(
            Int(16), channels, channels,
            [&](const Pixel &in, int i) { return cast<int8_t>(in(i)*cast<int16_t>(3) - in(last)); }, vectors,
            "narrowed");
        check(
            Int(32), channels, channels, [&](const Pixel &in, int i) { return cast<uint8_t>((in(i) ^ in(last)) + i); },
            vectors, "narrowed to a quarter");
        check(
            Float(32), channels, channels,
            [&](const Pixel &in, int i) { return select(in(i) < in(last), 1.5f, 0.25f * static_cast<float>(i)); },
            vectors, "floats");
    }
}

// Compared with the interpreter, as scalar code might drop the limits too.
TEST_F(Interleaved, LimitsThatAProgramSetsAreKept) {
    const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                             INFINITY,
                             -INFINITY,
                             255.0f,
                             255.5f,
                             256.0f,
                             -0.5f,
                             -128.0f,
                             -128.9f,
                             -129.0f,
                             65535.9f,
                             1e30f,
                             -1e30f,
                             9.5f,
                             -3.5f,
                             0.0f};
    Buffer<float> in(32);
    in.for_each_element([&](int i) { in(i) = special[i % 16] + (i < 16 ? 0.0f : 0.25f); });
    Var i("i");
    const Expr value = in(i);
    const auto same = [&](const Expr &limited, const char *what) {
        Func f;
        f(i) = Tuple(cast<uint8_t>(limited), cast<int8_t>(limited), cast<uint16_t>(limited), cast<int16_t>(limited));
        f.vectorize(i, 16);
        const Realization is = f.realize({32});
        std::vector<Buffer<>> expected;
        std::vector<fluorite_buffer_t *> raw;
        for (const Type type : {UInt(8), Int(8), UInt(16), Int(16)}) {
            expected.emplace_back(type, std::vector<int>{32});
        }
        for (Buffer<> &buffer : expected) {
            raw.push_back(buffer.raw_buffer());
        }
        interpret_into(f, raw);
        for (size_t k = 0; k < expected.size(); k++) {
            EXPECT_EQ(std::memcmp(is[k].data(), expected[k].data(), expected[k].size_in_bytes()), 0)
                << what << ", type " << k;
        }
    };
    same(value, "none");
    same(min(value, 255.0f), "upper");
    same(min(value, 256.0f), "too high for bytes");
    same(max(value, -128.0f), "lower");
    same(max(value, 0.0f), "at zero");
    same(clamp(value, -3.0f, 9.0f), "both");
    same(max(min(value, 9.0f), -3.0f), "the other way round");
    same(min(max(value, -32768.0f), 32767.0f), "of 16 bits");
}

// ---- Instructions.

const std::string sse41 = "x86-64-linux-sse41", avx2 = "x86-64-linux-avx2-fma-f16c";
const std::string vbmi = avx2 + "-avx512_skylake-avx512_cannonlake";

Func pixels(const char *name, const ImageParam &, int channels, const std::vector<Expr> &values, int lanes) {
    Var x("x"), c("c");
    Func f(name);
    f(c, x) = mux(c, values);
    f.bound(c, 0, channels).unroll(c).vectorize(x, lanes, TailStrategy::RoundUp);
    f.output_buffer().dim(0).set_bounds(0, channels).dim(1).set_stride(channels);
    return f;
}

TEST(InterleavedAssembly, PixelsOfThreeArePermutedByWholeRegisters) {
    ImageParam in(UInt(8), 2, "in");
    in.dim(0).set_bounds(0, 3).dim(1).set_stride(3);
    Var x("x");
    const Expr r = in(0, x), g = in(1, x), b = in(2, x);
    const std::string text = assembly(pixels("mixed", in, 3, {r / 2 + g / 2, g / 2 + b / 2, max(r, b)}, 32), vbmi);
    // Three registers from two loads each; two registers of results from three.
    EXPECT_EQ(count(text, "vpermi2b") + count(text, "vpermt2b"), 6U) << text;
    EXPECT_EQ(count(text, "vpalignr") + count(text, "vpshufb"), 0U) << text;
}

TEST(InterleavedAssembly, ChannelsThatAreAlikeStayWhereTheyAre) {
    ImageParam in(UInt(8), 2, "in");
    in.dim(0).set_bounds(0, 4).dim(1).set_stride(4);
    Var x("x");
    std::vector<Expr> gains, swizzled;
    for (int i = 0; i < 4; i++) {
        gains.push_back(in(i, x) / 2 + cast<uint8_t>(i + 1));
        swizzled.push_back(in(3 - i, x));
    }
    for (const std::string &target : {sse41, avx2, vbmi}) {
        const std::string text = assembly(pixels("gains", in, 4, gains, 16), target);
        EXPECT_EQ(count(text, "pshufb") + count(text, "punpck") + count(text, "perm") + count(text, "pack"), 0U)
            << text;
        const std::string moved = assembly(pixels("swizzled", in, 4, swizzled, 16), target);
        EXPECT_EQ(count(moved, "pshufb"), target == sse41 ? 4U : target == avx2 ? 2U : 1U) << moved;
        EXPECT_EQ(count(moved, "punpck") + count(moved, "perm"), 0U) << moved;
    }
}

TEST(InterleavedAssembly, PairsAreAddedByProducts) {
    ImageParam bytes(UInt(8), 1, "bytes"), shorts(Int(16), 1, "shorts");
    Var x("x");
    Func f("sums_of_bytes"), g("sums_of_shorts");
    f(x) = cast<uint16_t>(bytes(2 * x)) + cast<uint16_t>(bytes(2 * x + 1));
    g(x) = cast<int32_t>(shorts(2 * x)) + cast<int32_t>(shorts(2 * x + 1));
    f.vectorize(x, 32, TailStrategy::RoundUp);
    g.vectorize(x, 16, TailStrategy::RoundUp);
    for (const std::string &target : {sse41, avx2, vbmi}) {
        const std::string of_bytes = assembly(f, target), of_shorts = assembly(g, target);
        const size_t registers = target == sse41 ? 4 : target == avx2 ? 2 : 1;
        EXPECT_EQ(count(of_bytes, "pmaddubsw"), registers) << of_bytes;
        EXPECT_EQ(count(of_shorts, "pmaddwd"), registers) << of_shorts;
        EXPECT_EQ(count(of_bytes, "pshufb") + count(of_bytes, "perm") + count(of_bytes, "pack"), 0U) << of_bytes;
    }
}

TEST(InterleavedAssembly, NarrowedChannelsAreJoinedAsIntegers) {
    ImageParam u(UInt(16), 1, "u"), v(UInt(16), 1, "v");
    Var x("x");
    const std::string text =
        assembly(pixels("chroma_pairs", u, 2, {cast<uint8_t>(u(x) >> 4), cast<uint8_t>(v(x) >> 4)}, 16), avx2);
    EXPECT_EQ(count(text, "pack") + count(text, "punpck") + count(text, "pshufb") + count(text, "perm"), 0U) << text;
}

// A load that overlaps a wider load is not assembled from parts of it.
TEST(InterleavedAssembly, LoadsThatOverlapAreLoads) {
    ImageParam in(UInt(8), 1, "in");
    Var x("x");
    Func f("five_taps");
    const auto at = [&](int i) { return cast<uint16_t>(in(2 * x + i)); };
    f(x) = at(-2) + 4 * at(-1) + 6 * at(0) + 4 * at(1) + at(4);
    f.vectorize(x, 32, TailStrategy::RoundUp);
    for (const std::string &target : {sse41, avx2, vbmi}) {
        const std::string text = assembly(f, target);
        EXPECT_EQ(count(text, "pinsr") + count(text, "shrq"), 0U) << text;
    }
}

TEST(InterleavedAssembly, DotProductsAddToWhatIsThere) {
    ImageParam a(UInt(8), 2, "a"), b(Int(8), 2, "b");
    Var x("x");
    RDom r(0, 4, 0, 16);
    Func f("dots");
    f(x) += cast<int32_t>(a(r.x, r.y)) * cast<int32_t>(b(r.x + 4 * x, r.y));
    f.bound(x, 0, 16).vectorize(x, 16).update().reorder(r.x, x, r.y).vectorize(x, 16).atomic().vectorize(r.x);
    b.dim(0).set_bounds(0, 64);
    const std::string text = assembly(f, avx2 + "-avx512_skylake-avx512_cannonlake-avx512_zen4");
    EXPECT_GE(count(text, "vpdpbusd"), 1U) << text;
    EXPECT_EQ(count(text, "vpaddd"), 0U) << text;
}

TEST(InterleavedAssembly, RotationsAreTransposed) {
    ImageParam in(UInt(8), 2, "in");
    in.dim(1).set_stride(1024);
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func f("rotated");
    f(x, y) = in(y, 1023 - x);
    f.tile(x, y, xi, yi, 16, 16, TailStrategy::RoundUp).vectorize(xi).unroll(yi);
    for (const std::string &target : {sse41, avx2, vbmi}) {
        EXPECT_EQ(count(assembly(f, target), "pinsrb"), 0U) << target;
    }
}

} // namespace
} // namespace fluorite::interleave_test
