// Programs of the language in the interpreter, compared with plain loops.

#include "driver/test_interpreter.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace fluorite::language_test {
namespace {

const Var x("x"), y("y"), c("c");

TEST(InterpretLanguage, BoundaryConditions) {
    const Buffer<int16_t> in = random_buffer<int16_t>({7, 5}, 1, {-2, 3});
    const Func edge = BoundaryConditions::repeat_edge(in);
    const Func outside = BoundaryConditions::constant_exterior(in, Expr(int16_t{-9}));
    const Func tiled = BoundaryConditions::repeat_image(in);
    const Func mirrored = BoundaryConditions::mirror_image(in);
    const Func inner = BoundaryConditions::mirror_interior(in);
    const std::vector<int> sizes = {40, 31}, mins = {-20, -11};
    const auto a = interpreted<int16_t>(edge, sizes, mins), b = interpreted<int16_t>(outside, sizes, mins),
               t = interpreted<int16_t>(tiled, sizes, mins), m = interpreted<int16_t>(mirrored, sizes, mins),
               n = interpreted<int16_t>(inner, sizes, mins);
    // Walks from the box to the coordinate step by step, like a reflected ball (or restarts, for a wrap).
    const auto walk = [](int at, int min, int extent, int kind) {
        const int size = kind == 2 ? 2 * extent - 2 : (kind == 1 ? 2 * extent : extent);
        int step = (at - min) % size;
        step = step < 0 ? step + size : step;
        const int mirror = kind == 2 ? size - step : size - 1 - step;
        return min + (step < extent ? step : mirror);
    };
    for (int py = -11; py < 20; py++) {
        for (int px = -20; px < 20; px++) {
            const bool inside = px >= -2 && px < 5 && py >= 3 && py < 8;
            ASSERT_EQ(a(px, py), in(std::clamp(px, -2, 4), std::clamp(py, 3, 7)));
            ASSERT_EQ(b(px, py), inside ? in(px, py) : -9);
            ASSERT_EQ(t(px, py), in(walk(px, -2, 7, 0), walk(py, 3, 5, 0)));
            ASSERT_EQ(m(px, py), in(walk(px, -2, 7, 1), walk(py, 3, 5, 1)));
            ASSERT_EQ(n(px, py), in(walk(px, -2, 7, 2), walk(py, 3, 5, 2)));
        }
    }
}

TEST(InterpretLanguage, InlineReductions) {
    const Buffer<int32_t> in = random_buffer<int32_t>({9, 6}, 2);
    const RDom r(0, 9);
    Func f("f");
    f(y) = Tuple(sum(in(r, y)), product(in(r, y)), minimum(in(r, y)), maximum(in(r, y)), argmax(in(r, y))[0],
                 argmin(in(r, y))[1]);
    std::vector<Buffer<int32_t>> out;
    std::vector<fluorite_buffer_t *> raw;
    for (int i = 0; i < 6; i++) {
        out.emplace_back(6);
    }
    for (Buffer<int32_t> &buffer : out) {
        raw.push_back(buffer.raw_buffer());
    }
    interpret_into(f, raw);
    for (int py = 0; py < 6; py++) {
        uint32_t total = 0, all = 1;
        int32_t low = INT32_MAX, high = INT32_MIN, at = -1;
        for (int px = 0; px < 9; px++) {
            const int32_t value = in(px, py);
            total += static_cast<uint32_t>(value);
            all *= static_cast<uint32_t>(value);
            low = std::min(low, value);
            at = value > high ? px : at;
            high = std::max(high, value);
        }
        EXPECT_EQ(static_cast<uint32_t>(out[0](py)), total);
        EXPECT_EQ(static_cast<uint32_t>(out[1](py)), all);
        EXPECT_EQ(out[2](py), low);
        EXPECT_EQ(out[3](py), high);
        EXPECT_EQ(out[4](py), at);
        EXPECT_EQ(out[5](py), low);
    }
}

TEST(InterpretLanguage, ReductionOverACircle) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({30, 25}, 3, {-15, -12});
    const RDom r(-10, 21, -10, 21);
    RDom circle = r;
    circle.where(r.x * r.x + r.y * r.y <= 100);
    Func f("f");
    f() = cast<uint64_t>(0);
    f() += cast<uint64_t>(in(circle.x, circle.y));
    uint64_t expected = 0;
    for (int py = -10; py <= 10; py++) {
        for (int px = -10; px <= 10; px++) {
            expected += px * px + py * py <= 100 ? in(px, py) : 0;
        }
    }
    EXPECT_EQ(interpreted<uint64_t>(f, {})(), expected);
}

TEST(InterpretLanguage, HistogramEqualization) {
    const Buffer<uint8_t> in = random_buffer<uint8_t>({37, 29}, 4);
    const RDom r(in);
    Func histogram("histogram"), cdf("cdf"), out("out");
    histogram(x) = 0;
    histogram(cast<int>(in(r.x, r.y))) += 1;
    const RDom b(1, 255);
    cdf(x) = histogram(0);
    cdf(b) = cdf(b - 1) + histogram(b);
    out(x, y) = cast<uint8_t>(cdf(cast<int>(in(x, y))) * 255 / (37 * 29));
    const Buffer<uint8_t> got = interpreted<uint8_t>(out, {37, 29});
    int counts[256] = {};
    in.for_each_value([&](uint8_t value) { counts[value]++; });
    for (int i = 1; i < 256; i++) {
        counts[i] += counts[i - 1];
    }
    for (int py = 0; py < 29; py++) {
        for (int px = 0; px < 37; px++) {
            ASSERT_EQ(got(px, py), static_cast<uint8_t>(counts[in(px, py)] * 255 / (37 * 29)));
        }
    }
}

TEST(InterpretLanguage, RecursiveFilterInBothDirections) {
    const Buffer<float> in = random_buffer<float>({23, 4}, 5);
    const RDom r(1, 22);
    Func f("f");
    f(x, y) = in(x, y);
    f(r, y) = f(r - 1, y) * 0.75f + in(r, y) * 0.25f;
    f(22 - r, y) = f(23 - r, y) * 0.75f + f(22 - r, y) * 0.25f;
    const Buffer<float> got = interpreted<float>(f, {23, 4});
    for (int py = 0; py < 4; py++) {
        float line[23];
        line[0] = in(0, py);
        for (int px = 1; px < 23; px++) {
            line[px] = line[px - 1] * 0.75F + in(px, py) * 0.25F;
        }
        for (int px = 21; px >= 0; px--) {
            line[px] = line[px + 1] * 0.75F + line[px] * 0.25F;
        }
        for (int px = 0; px < 23; px++) {
            ASSERT_EQ(got(px, py), line[px]) << px << ", " << py;
        }
    }
}

TEST(InterpretLanguage, ContractionIsOneRounding) {
    const Buffer<float> in = random_buffer<float>({64, 3}, 6);
    Func f("f");
    f(x) = in(x, 0) * in(x, 1) + in(x, 2);
    Buffer<float> once(64);
    interpret_into(f, {once.raw_buffer()}, true);
    const Buffer<float> twice = interpreted<float>(f, {64});
    int different = 0;
    for (int i = 0; i < 64; i++) {
        ASSERT_EQ(once(i), std::fma(in(i, 0), in(i, 1), in(i, 2)));
        ASSERT_EQ(twice(i), in(i, 0) * in(i, 1) + in(i, 2));
        different += once(i) != twice(i) ? 1 : 0;
    }
    EXPECT_GT(different, 0);
}

template <typename T> void check_every_operator() {
    // Values close to each other and to the limits of the type, so that all branches of the operators are covered.
    Buffer<T> a = random_buffer<T>({50}, 7), b = random_buffer<T>({50}, 8);
    b(3) = T(0);
    b(4) = T(1);
    Func f("f");
    const Expr p = a(x), q = b(x);
    f(x) = Tuple(p + q, p - q, p * q, p / q, p % q, min(p, q), max(p, q), select(p < q, p, q), clamp(p, q, q));
    std::vector<Buffer<T>> out;
    std::vector<fluorite_buffer_t *> raw;
    for (int i = 0; i < 9; i++) {
        out.emplace_back(50);
        raw.push_back(out.back().raw_buffer());
    }
    interpret_into(f, raw);
    for (int i = 0; i < 50; i++) {
        const T u = a(i), v = b(i);
        const auto same = [&](T got, T expected) {
            if constexpr (std::is_integral_v<T>) {
                return got == expected;
            } else {
                return got == expected || (got != got && expected != expected);
            }
        };
        using W = std::conditional_t<std::is_integral_v<T>, uint64_t, T>; // arithmetic that wraps
        EXPECT_TRUE(same(out[0](i), static_cast<T>(static_cast<W>(u) + static_cast<W>(v))));
        EXPECT_TRUE(same(out[1](i), static_cast<T>(static_cast<W>(u) - static_cast<W>(v))));
        EXPECT_TRUE(same(out[2](i), static_cast<T>(static_cast<W>(u) * static_cast<W>(v))));
        if constexpr (std::is_integral_v<T>) {
            if (v == 0) {
                EXPECT_EQ(out[3](i), 0);
                EXPECT_EQ(out[4](i), 0);
            } else {
                // By definition: p = q * (p / q) + p % q and 0 <= p % q < |q|.
                const T remainder = out[4](i);
                EXPECT_EQ(static_cast<T>(static_cast<W>(v) * static_cast<W>(out[3](i)) + static_cast<W>(remainder)), u);
                EXPECT_TRUE(remainder >= 0);
                EXPECT_TRUE(v > 0 ? remainder < v : remainder < -static_cast<__int128>(v));
            }
        } else {
            EXPECT_TRUE(same(out[3](i), u / v));
        }
        EXPECT_TRUE(same(out[5](i), u < v ? u : v));
        EXPECT_TRUE(same(out[6](i), u > v ? u : v));
        EXPECT_TRUE(same(out[7](i), u < v ? u : v));
        EXPECT_TRUE(same(out[8](i), v));
    }
}

TEST(InterpretLanguage, OperatorsOnEveryType) {
    check_every_operator<int8_t>();
    check_every_operator<int16_t>();
    check_every_operator<int32_t>();
    check_every_operator<int64_t>();
    check_every_operator<uint8_t>();
    check_every_operator<uint16_t>();
    check_every_operator<uint32_t>();
    check_every_operator<uint64_t>();
    check_every_operator<float16_t>();
    check_every_operator<bfloat16_t>();
    check_every_operator<float>();
    check_every_operator<double>();
}

TEST(InterpretLanguage, ParamsAndImageParams) {
    Param<float> gain("gain");
    ImageParam in(UInt(8), 3, "in");
    const Buffer<uint8_t> image = random_buffer<uint8_t>({5, 4, 3}, 9);
    gain.set(1.5F);
    in.set(image);
    Func f("f");
    f(x, y, c) = cast<float>(in(x, y, c)) * gain + cast<float>(in.dim(2).extent());
    const Buffer<float> got = interpreted<float>(f, {5, 4, 3});
    image.for_each_element([&](int px, int py, int pc) {
        ASSERT_EQ(got(px, py, pc), static_cast<float>(image(px, py, pc)) * 1.5F + 3.0F);
    });
    gain.set(-2.0F);
    EXPECT_EQ(interpreted<float>(f, {5, 4, 3})(1, 1, 1), static_cast<float>(image(1, 1, 1)) * -2.0F + 3.0F);
}

TEST(InterpretLanguage, PrintsAndRequires) {
    static std::string printed;
    printed.clear();
    Func f("f");
    f(x) = print_when(x == 2, x * 10, "at", x) + 1;
    const fluorite_print_t old = fluorite_set_custom_print([](void *, const char *text) { printed += text; });
    const Buffer<int> got = interpreted<int>(f, {4});
    fluorite_set_custom_print(old);
    EXPECT_EQ(printed, "20 at 2\n");
    EXPECT_EQ(got(3), 31);
    Func g("g");
    g(x) = require(x < 3, x, "x is", x);
    try {
        interpreted<int>(g, {4});
        FAIL() << "no error";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "requirement-failed");
        EXPECT_NE(error.message().find("in g, stage 0: x is 3; "), std::string::npos) << error.message();
    }
}

} // namespace
} // namespace fluorite::language_test
