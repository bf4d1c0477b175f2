// stencil(): against loops over buffers, for every boundary rule, rank, shape and size.
#include "fluorite/stencil.h"

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::stencil_test {
namespace {

using Offsets = std::vector<std::vector<int>>;

/// The coordinate inside [0, size) whose value stands at `at`; -1 for none. Written apart from BoundaryConditions.
int source_of(int at, int size, StencilBoundary::Rule rule) {
    using Rule = StencilBoundary::Rule;
    if (at >= 0 && at < size) {
        return at;
    }
    switch (rule) {
    case Rule::Constant:
        return -1;
    case Rule::Wrap:
        while (at < 0) {
            at += size;
        }
        return at % size;
    case Rule::Mirror: // ... 1 0 | 0 1 2 | 2 1 ...
        while (at < 0 || at >= size) {
            at = at < 0 ? -1 - at : 2 * size - 1 - at;
        }
        return at;
    case Rule::MirrorInterior: // ... 2 1 | 0 1 2 | 1 0 ...
        while (size > 1 && (at < 0 || at >= size)) {
            at = at < 0 ? -at : 2 * (size - 1) - at;
        }
        return size > 1 ? at : 0;
    default:
        return at < 0 ? 0 : size - 1;
    }
}

/// The sum of weight (2 k + 1) times neighbour k, with wrap-around in 32 bits.
Buffer<int32_t> by_hand(const Buffer<int32_t> &in, const Offsets &offsets, StencilBoundary::Rule rule,
                        int32_t outside) {
    Buffer<int32_t> out = in.copy();
    const int rank = in.dimensions();
    out.for_each_element([&](const int *at) {
        uint32_t sum = 0;
        for (size_t k = 0; k < offsets.size(); k++) {
            std::vector<int> from(static_cast<size_t>(rank));
            bool inside = true;
            for (int d = 0; d < rank; d++) {
                const auto i = static_cast<size_t>(d);
                from[i] = source_of(at[d] + offsets[k][i], in.dim(d).extent(), rule);
                inside = inside && from[i] >= 0;
            }
            const int32_t value = inside ? in(from.data()) : outside;
            sum += static_cast<uint32_t>(2 * k + 1) * static_cast<uint32_t>(value);
        }
        out(at) = static_cast<int32_t>(sum);
    });
    return out;
}

Expr weighted(const std::vector<Expr> &a) {
    Expr sum = a[0];
    for (size_t k = 1; k < a.size(); k++) {
        sum = sum + cast<int32_t>(static_cast<int>(2 * k + 1)) * a[k];
    }
    return sum;
}

int differing(const Buffer<int32_t> &a, const Buffer<int32_t> &b) {
    int count = 0;
    a.for_each_element([&](const int *at) { count += a(at) != b(at); });
    return count;
}

void expect_stencil(const std::vector<int> &sizes, const Offsets &offsets) {
    const Buffer<int32_t> in = random_buffer<int32_t>(sizes, 11);
    const std::pair<StencilBoundary, int32_t> rules[] = {
        {StencilBoundary::edge(), 0}, {StencilBoundary::zero(), 0},   {StencilBoundary::constant(Expr(-7)), -7},
        {StencilBoundary::wrap(), 0}, {StencilBoundary::mirror(), 0}, {StencilBoundary::mirror_interior(), 0}};
    ImageParam image(Int(32), static_cast<int>(sizes.size()), "image");
    image.set(in);
    for (const auto &[rule, outside] : rules) {
        Func f = stencil(offsets, weighted, image, rule);
        f.vectorize(f.args()[0], 4, TailStrategy::GuardWithIf);
        const Buffer<int32_t> expected = by_hand(in, offsets, rule.rule(), outside);
        const std::string what =
            concat("rank ", sizes.size(), ", extent ", sizes[0], ", rule ", static_cast<int>(rule.rule()));
        const Buffer<int32_t> seen = f.realize(sizes);
        EXPECT_EQ(differing(seen, expected), 0) << what;
        EXPECT_EQ(differing(interpreted<int32_t>(f, sizes), expected), 0) << what << ", interpreted";
    }
}

TEST(Stencil, EveryRank) {
    expect_stencil({41}, {{-1}, {0}, {1}});
    expect_stencil({23, 17}, {{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}});
    expect_stencil({9, 7, 5}, {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    expect_stencil({5, 4, 3, 2}, {{0, 0, 0, 0}, {1, 1, 1, 1}, {-1, 0, 1, 0}});
}

TEST(Stencil, OneSidedAsymmetricWithoutTheOrigin) {
    expect_stencil({19}, {{2}, {1}});
    expect_stencil({12, 9}, {{-3, 0}, {0, 2}, {-3, 0}});
    expect_stencil({12, 9}, {{1, 1}});
}

TEST(Stencil, WiderThanTheGrid) {
    expect_stencil({3}, {{-5}, {7}});
    expect_stencil({1}, {{-2}, {0}, {1}});
    expect_stencil({2, 1}, {{-3, 4}, {5, -1}});
    expect_stencil({1, 1, 1}, {{-1, 1, 0}});
}

TEST(Stencil, InvariantsAndTuples) {
    const Buffer<float> heat = random_buffer<float>({14, 9}, 1), power = random_buffer<float>({14, 9}, 2);
    Func f = stencil_2d(
        {{{-1, 0}}, {{1, 0}}}, [](const Expr &c, const std::vector<Expr> &a) { return c + (a[0] - a[1]); }, power,
        heat);
    const Buffer<float> seen = f.realize({14, 9});
    for (int y = 0; y < 9; y++) {
        for (int x = 0; x < 14; x++) {
            EXPECT_EQ(seen(x, y), power(x, y) + (heat(std::max(x - 1, 0), y) - heat(std::min(x + 1, 13), y)));
        }
    }
    Var x("x");
    Func pairs("pairs");
    pairs(x) = Tuple(x, cast<float>(2 * x));
    Func g = stencil_1d(
        {-1, 1}, [](const Tuple &c, const std::vector<Tuple> &a) { return Tuple(a[0][0] - a[1][0], a[1][1] + c[1]); },
        pairs, StencilSource(pairs, {{0, 10}}), StencilBoundary::constant(Tuple(Expr(100), Expr(0.5f))));
    Realization both = g.realize({10});
    const Buffer<int> first = both[0];
    const Buffer<float> second = both[1];
    EXPECT_EQ(first(0), 100 - 1);
    EXPECT_EQ(first(4), 3 - 5);
    EXPECT_EQ(first(9), 8 - 100);
    EXPECT_EQ(second(4), 10.0f + 8.0f);
    EXPECT_EQ(second(9), 0.5f + 18.0f);
}

// The functions for fixed ranks name the line of the call, not one of the header.
TEST(Stencil, ErrorsNameTheCall) {
    const Buffer<int32_t> in = random_buffer<int32_t>({8}, 4);
    const auto line_of = [](const auto &call) {
        try {
            call();
        } catch (const CompileError &error) {
            return std::pair(error.location().line, error.slug());
        }
        return std::pair(0U, std::string());
    };
    const unsigned first = __LINE__ + 1;
    EXPECT_EQ(line_of([&] { stencil_1d({}, weighted, in); }), std::pair(first, std::string("stencil-empty")));
    EXPECT_EQ(line_of([&] { stencil_1d({}, weighted, in, in); }), std::pair(first + 1, std::string("stencil-empty")));
    EXPECT_EQ(line_of([&] { stencil_2d({{1, 2}}, weighted, in); }), std::pair(first + 2, std::string("stencil-rank")));
}

TEST(Stencil, BoundaryOfTheUser) {
    Var x("x");
    const Buffer<int32_t> in = random_buffer<int32_t>({8}, 4);
    Func ramp("ramp");
    ramp(x) = select(x < 0, -x, x > 7, 1000 + x, in(clamp(x, 0, 7)));
    Func f = stencil_1d({-2, 2}, weighted, in, StencilBoundary::function(ramp));
    const Buffer<int32_t> seen = f.realize({8});
    EXPECT_EQ(seen(0), static_cast<int32_t>(2U + 3U * static_cast<uint32_t>(in(2))));
    EXPECT_EQ(seen(7), static_cast<int32_t>(static_cast<uint32_t>(in(5)) + 3U * 1009U));
    Func inner = stencil_1d({-1, 1}, weighted, in, StencilBoundary::none());
    Buffer<int32_t> part(6);
    part.set_min(1);
    inner.realize(part);
    EXPECT_EQ(part(1), static_cast<int32_t>(static_cast<uint32_t>(in(0)) + 3U * static_cast<uint32_t>(in(2))));
}

TEST(Stencil, Refusals) {
    Var x("x"), y("y");
    ImageParam image(Float(32), 2, "image");
    Func plain("plain"), line("line"), pair("pair");
    plain(x, y) = 0.0f;
    line(x) = 0.0f;
    pair(x, y) = Tuple(0.0f, 1.0f);
    const auto sum = [](const std::vector<Expr> &a) { return a[0]; };
    const auto with = [](const Expr &c, const std::vector<Expr> &a) { return c + a[0]; };
    expect_error([&] { stencil({}, sum, image); }, "stencil-empty",
                 "in a stencil: its shape has no offsets; a stencil reads one neighbour or more; list their offsets",
                 {"stencil_test.cpp"});
    expect_error([&] { stencil({{1, 0}, {1}}, sum, image); }, "stencil-rank",
                 "in a stencil: an offset has 1 components, and the source f has 2 dimensions; an offset has a "
                 "component for each; give as many");
    expect_error(
        [&] { stencil({{1, 0}}, sum, plain); }, "stencil-no-box",
        "in a stencil: the source plain is a Func without a box; a boundary rule says what lies outside of one; "
        "give StencilSource(func, box), an image, or a boundary that is a Func");
    expect_error([&] { stencil({{1, 0}}, with, line, image); }, "stencil-invariant",
                 "in a stencil: the invariant line has 1 dimensions, and the source 2; it is read at the point that is "
                 "computed; give one of the same rank");
    expect_error(
        [&] {
            stencil({{1, 0}}, with, StencilSource(plain, {{0, 4}, {0, 5}}), StencilSource(plain, {{0, 4}, {0, 6}}));
        },
        "stencil-invariant",
        "in a stencil: the invariant plain has 5 points along dimension 1, and the source 6; it has a value for each "
        "point of the source; give one of its size");
    expect_error(
        [&] { stencil({{1, 0}}, sum, StencilSource(pair, {{0, 4}, {0, 5}})); }, "stencil-tuple",
        "in a stencil: its function takes single values, and what it reads has several; it is given all of them; "
        "let it take std::vector<Tuple>, and a Tuple of the invariant");
    expect_error(
        [&] { stencil({{1, 0}}, sum, image, StencilBoundary::function(Func("later"))); }, "undefined-func",
        "in a stencil: the boundary is the Func later, which has no definition; it replaces the source; define it "
        "first");
    expect_error(
        [&] { stencil({{1, 0}}, sum, image, StencilBoundary::function(line)); }, "stencil-boundary",
        "in a stencil: the boundary is the Func line with values float32 and 1 dimensions, and the source f has "
        "float32 and 2; it replaces the source, so it has its types and dimensions; define it so");
    expect_error(
        [&] { stencil({{1, 0}}, sum, StencilSource(plain, {{0, 0}, {0, 5}})); }, "empty-boundary",
        "in plain: repeat_edge gives a range of 0 points; what lies outside is made of what lies inside; give an "
        "extent of 1 or more");
}

} // namespace
} // namespace fluorite::stencil_test
