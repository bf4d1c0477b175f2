// Loads at computed places and their neighbours: machine code for several processors beside scalar code, and
// instructions.

#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace fluorite::lookups_test {
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

/// Four neighbours of a computed place.
Func corners(ImageParam &in) {
    Func f("corners");
    const Var x("x"), y("y");
    const Expr u = clamp(cast<int>(cast<float>(x) * 0.7f + cast<float>(y) * 0.2f), 0, in.width() - 2);
    const Expr v = clamp(cast<int>(cast<float>(x) * 0.1f + cast<float>(y) * 0.8f), 0, in.height() - 2);
    f(x, y) = (in(u, v) + in(u + 1, v) * 2) + (in(u, v + 1) * 3 + in(u + 1, v + 1) * 5);
    f.vectorize(x, 8);
    return f;
}

TEST(LookupsAssembly, NeighboursOfComputedPlacesShareTheirOffsets) {
    ImageParam in(Int(32), 2, "in");
    Func f = corners(in);
    // One product for both halves of the offsets, not one for each corner.
    const std::string text = assembly(f, "x86-64-linux-avx2");
    EXPECT_LE(count(text, "vpmuldq") + count(text, "vpmuludq"), 4U) << text;
}

TEST(Lookups, OfNeighboursAreTheInterpretersValues) {
    ImageParam in(Int(32), 2, "in"), table(UInt(16), 3, "table");
    Buffer<int32_t> image(37, 29);
    std::mt19937 random(7);
    image.for_each_element([&](int x, int y) { image(x, y) = static_cast<int32_t>(random() >> 8); });
    image.set_min(-3, 11);
    Buffer<uint16_t> cube(9, 8, 7);
    cube.for_each_element([&](int x, int y, int z) { cube(x, y, z) = static_cast<uint16_t>(random()); });
    in.set(image);
    table.set(cube);
    const Var x("x"), y("y");
    const auto make = [&](bool is_vector, const Target &target) {
        Func f("lookups");
        const auto place = [&](const Expr &at, int d) {
            return clamp(at, image.dim(d).min(), image.dim(d).min() + image.dim(d).extent() - 2);
        };
        const Expr u = place(cast<int>(cast<float>(x) * 0.7f), 0), v = place(cast<int>(cast<float>(y) * 0.9f + 11), 1);
        const Expr i = clamp(in(u, v) % 7, 0, 6), j = clamp(in(u + 1, v) & 7, 1, 6);
        f(x, y) = table(i, j, 3) + table(i + 1, j - 1, 3) * 3 + table(i + 2, 7 - j, 2) * 5 +
                  cast<uint16_t>(in(u + 1, v + 1) - in(u, v + 1));
        if (is_vector) {
            f.vectorize(x, 16);
        }
        return f.realize({45, 31}, target);
    };
    Buffer<uint16_t> expected = make(false, Target("x86-64-linux"));
    for (const Target &target : targets()) {
        Buffer<uint16_t> is = make(true, target);
        EXPECT_EQ(std::memcmp(is.data(), expected.data(), is.size_in_bytes()), 0) << target.to_string();
    }
}

// A sum of floats rounds, so it is no sum of indices, although what it adds is.
TEST(Lookups, AtSumsOfFloatsAreTheirLanes) {
    const Var x("x"), y("y");
    const int beyond = 1 << 24; // where float32 has no odd integers
    const auto make = [&](bool is_vector, const Target &target) {
        Func table("table"), f("lookups");
        table(x) = x * x;
        const Expr rounded = cast<int>(cast<float>(x + beyond) + cast<float>(y)) - beyond,
                   moved = cast<int>(cast<float>(x) + cast<float>(y) * 0.5f);
        f(x, y) = table(clamp(rounded, 0, 99)) * 3 + table(moved) * 5 + table(cast<int>(cast<float>(x) + 0.75f));
        table.compute_root();
        if (is_vector) {
            f.vectorize(x, 8);
        }
        return f.realize({24, 5}, target);
    };
    const Buffer<int32_t> expected = make(false, Target("x86-64-linux"));
    for (const Target &target : targets()) {
        const Buffer<int32_t> is = make(true, target);
        EXPECT_EQ(std::memcmp(is.data(), expected.data(), is.size_in_bytes()), 0) << target.to_string();
    }
}

} // namespace
} // namespace fluorite::lookups_test
