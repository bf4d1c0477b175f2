// Automatically scheduled pipelines compute the interpreter's bits, at the sizes that they are scheduled for and at
// others.

#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::same_bits_test {
namespace {

using Sizes = std::vector<int>;

class AutoSchedule : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"}, w{"w"};

    static Buffer<float> picture(const Sizes &sizes) {
        Buffer<float> buffer(sizes);
        uint32_t state = 1;
        buffer.for_each_value([&](float &value) {
            state = state * 1664525u + 1013904223u;
            value = static_cast<float>(state >> 12) / 1024.0f;
        });
        return buffer;
    }

    template <typename T> static void expect_bits(const Func &func, const Sizes &sizes, const std::string &what) {
        const Buffer<T> seen = Func(func).realize(sizes);
        Buffer<T> expected(sizes);
        interpret_into(func, {expected.raw_buffer()}, get_jit_target_from_environment().has_feature(Target::FMA));
        EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "") << what;
    }

    /// Scheduled for each of the sizes, a pipeline has the same bits at all that are not too large to interpret.
    template <typename T> static void check(const std::function<Func()> &make, const std::vector<Sizes> &all_sizes) {
        for (const Sizes &planned : all_sizes) {
            for (const char *model : {"roofline", "polymage", "mullapudi"}) {
                Func func = make();
                AutoScheduleOptions options;
                options.sizes.assign(planned.begin(), planned.end());
                options.parallelism = 2;
                options.model = model;
                const fluorite::AutoSchedule found = Pipeline(func).auto_schedule(options);
                for (const Sizes &sizes : all_sizes) {
                    int points = 1;
                    for (const int size : sizes) {
                        points *= size;
                    }
                    if (points <= 50'000) {
                        expect_bits<T>(func, sizes, found.explanation + found.schedule.text());
                    }
                }
            }
        }
    }
};

TEST_F(AutoSchedule, StencilChain) {
    const Buffer<float> input = picture({2100, 1100});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            std::vector<Func> stages;
            for (int i = 0; i < 5; i++) {
                Func stage("stage" + std::to_string(i));
                const auto read = [&](const Expr &u, const Expr &v) {
                    return i == 0 ? source(u, v) : stages.back()(u, v);
                };
                stage(x, y) = read(x - 1, y) + read(x + 1, y) * 0.5f + read(x, y - 1) * 0.25f + read(x, y + 1);
                stages.push_back(stage);
            }
            return stages.back();
        },
        {{2000, 1000}, {237, 119}, {1, 1}});
}

TEST_F(AutoSchedule, PyramidsAndSiblings) {
    const Buffer<float> input = picture({1030, 770});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            Func down1("down1"), down2("down2"), up1("up1"), out("out");
            down1(x, y) = (source(2 * x, 2 * y) + source(2 * x + 1, 2 * y) + source(2 * x, 2 * y + 1)) / 3.0f;
            down2(x, y) = (down1(2 * x, 2 * y) + down1(2 * x + 1, 2 * y + 1)) * 0.5f;
            up1(x, y) = down2(x / 2, y / 2) * 0.75f + down2((x + 1) / 2, (y + 1) / 2) * 0.25f + down1(x, y);
            out(x, y) = up1(x / 2, y / 2) - source(x, y);
            return out;
        },
        {{1024, 768}, {165, 133}, {2, 3}});
}

// Outputs of the same loops are one stage, and each is as large as its buffer, whatever the other's is.
TEST_F(AutoSchedule, OutputsInTheSameLoops) {
    const Buffer<float> input = picture({400, 300});
    const auto make = [&] {
        const Func source = BoundaryConditions::repeat_edge(input);
        Func dx("dx"), dy("dy"), square("square"), u("u"), v("v"), sum("sum");
        dx(x, y) = source(x + 1, y) - source(x - 1, y);
        dy(x, y) = source(x, y + 1) - source(x, y - 1);
        square(x, y) = sqrt(dx(x, y) * dx(x, y) + dy(x, y) * dy(x, y));
        sum(x, y) = square(x, y - 2) + square(x, y - 1) + square(x, y) + square(x, y + 1) + square(x, y + 2);
        u(x, y) = sum(x - 1, y) / (dx(x, y) + 3000.0f);
        v(x, y) = {sum(x + 1, y) * dy(x, y), cast<uint8_t>(min(sum(x, y) * 0.05f, 255.0f))};
        return std::vector<Func>{u, v};
    };
    for (const int threads : {1, 4}) {
        const std::vector<Func> funcs = make();
        Pipeline pipeline(funcs);
        AutoScheduleOptions options;
        options.sizes = {400, 300};
        options.parallelism = threads;
        const fluorite::AutoSchedule found = pipeline.auto_schedule(options);
        EXPECT_NE(found.schedule.text().find("v.compute_with(u"), std::string::npos) << found.explanation;
        const std::vector<Func> plain = make();
        for (const auto &[first, second] :
             {std::pair(Sizes{400, 300}, Sizes{400, 300}), std::pair(Sizes{101, 7}, Sizes{33, 60}),
              std::pair(Sizes{1, 1}, Sizes{9, 2}), std::pair(Sizes{40, 33}, Sizes{1, 1})}) {
            Buffer<float> u(first), v(second), expected_u(first), expected_v(second);
            Buffer<uint8_t> bytes(second), expected_bytes(second);
            pipeline.realize({u, v, bytes});
            Pipeline(plain).realize({expected_u, expected_v, expected_bytes});
            const std::string what = found.explanation + found.schedule.text();
            EXPECT_EQ(interpret::compare_bits(*u.raw_buffer(), *expected_u.raw_buffer()).text, "") << what;
            EXPECT_EQ(interpret::compare_bits(*v.raw_buffer(), *expected_v.raw_buffer()).text, "") << what;
            EXPECT_EQ(interpret::compare_bits(*bytes.raw_buffer(), *expected_bytes.raw_buffer()).text, "") << what;
        }
    }
}

// Lanes run along rows of eight, although other loops are longer; places that floats say are shared by channels.
TEST_F(AutoSchedule, ShortRowsAndComputedPlaces) {
    const Buffer<float> input = picture({8 * 130, 8 * 33}), basis = picture({8, 8});
    check<int16_t>(
        [&] {
            Func rows("rows"), both("both"), out("out");
            RDom r(0, 8, "r"), s(0, 8, "s");
            rows(x, y, z, w) += basis(x, r) * input(z * 8 + r, w * 8 + y);
            both(x, y, z, w) += basis(y, s) * rows(x, s, z, w);
            out(x, y, z, w) = cast<int16_t>(clamp(both(x, y, z, w) * 0.001f, -30000.0f, 30000.0f));
            out.bound(x, 0, 8).bound(y, 0, 8);
            return out;
        },
        {{8, 8, 129, 31}, {8, 8, 1, 1}});
    const Buffer<float> pixels = picture({131, 67, 3});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(pixels, {{0, 131}, {0, 67}, {Expr(), Expr()}});
            Func out("out");
            const Expr u = cast<float>(x) * 0.97f + cast<float>(y * y) * 0.002f,
                       v = cast<float>(y) + cast<float>(x) / 9.0f;
            const Expr column = cast<int>(floor(u)), row = cast<int>(floor(v));
            out(x, y, c) = lerp(source(column, row, c), source(column + 1, row + 1, c), u - cast<float>(column));
            out.bound(c, 0, 3);
            return out;
        },
        {{131, 67, 3}, {5, 2, 3}});
}

// Sums in registers of a Func that is no output, and of the output, whose last blocks move back inside. Smaller runs
// than a block take other loops, and none reads beyond its inputs.
TEST_F(AutoSchedule, LayersOfInputsWithMargins) {
    const int channels = 20;
    const Buffer<float> input = picture({channels, 194, 162}), filter = picture({channels, 3, 3}),
                        second = picture({40, channels});
    for (const bool has_margin : {true, false}) {
        check<float>(
            [&] {
                const Func edge = has_margin ? Func(lambda(c, x, y, input(c, x, y)))
                                             : BoundaryConditions::constant_exterior(
                                                   input, 0.0f, {{Expr(), Expr()}, {0, input.width()}, {0, 162}});
                Func depth("depth"), limited("limited"), point("point"), out("out");
                RDom s(0, 3, 0, 3, "s"), k(0, channels, "k");
                depth(c, x, y) = 0.5f;
                depth(c, x, y) += filter(c, s.x, s.y) * edge(c, x + s.x, y + s.y);
                limited(c, x, y) = clamp(depth(c, x, y), 0.0f, 6.0f);
                point(c, x, y) += second(c, k) * limited(k, x, y);
                out(c, x, y) = max(point(c, x, y), 0.0f);
                return out;
            },
            {{40, 61, 37}, {40, 5, 9}, {1, 1, 1}});
    }
}

TEST_F(AutoSchedule, RowsAndChannelsInRegisters) {
    const Buffer<float> input = picture({1200, 900});
    const auto make = [&](bool is_held) {
        const Func source = is_held ? BoundaryConditions::mirror_interior(input) : Func(lambda(x, y, input(x, y)));
        Func across("across"), planes("planes"), out("out");
        const auto at = [&](const Expr &u, const Expr &v) {
            return cast<int>(is_held ? source(u, v) : source(u + 2, v + 2));
        };
        across(x, y) = (at(x - 1, y) + at(x, y) + at(x + 1, y)) / 3;
        planes(x, y, c) =
            mux(c, {across(x, y) * 2, across(x, y - 1) + at(x, y), (across(x, y) + across(x, y + 1)) / 5});
        out(x, y, c) = cast<uint16_t>((planes(x, y, c) + planes(x, y, 2 - c)) / 3);
        out.bound(c, 0, 3);
        return out;
    };
    check<uint16_t>([&] { return make(true); }, {{1024, 768, 3}, {165, 83, 3}, {1, 1, 3}});
    check<uint16_t>([&] { return make(false); }, {{1024, 768, 3}, {165, 83, 3}, {1, 1, 3}});
}

// Sums that are read at y + 2 and at 2y: blocks of them have no one size, so nothing of them can be unrolled.
TEST_F(AutoSchedule, BlocksOfUnsteadySize) {
    const Buffer<float> input = picture({700, 50});
    check<uint16_t>(
        [&] {
            Func sums("sums"), out("out");
            RDom r(0, 3, "r");
            sums(x, y, z) = input(x, y);
            sums(x, y, z) += cast<float>(z * r + y) * 0.25f;
            out(x, y) = cast<uint16_t>((sums(x, y, y + 2) + sums(x, y, y * 2 - 2)) * sums(x, y, y * 2));
            return out;
        },
        {{640, 48}, {65, 33}, {5, 5}});
}

// Sums along rows at places that are rounded: their vectors run along columns, and what they read is turned.
TEST_F(AutoSchedule, SumsAlongOtherLoops) {
    const Buffer<float> input = picture({2300, 900});
    const auto make = [&](bool is_held, bool has_copy) {
        const Func source = is_held ? BoundaryConditions::repeat_edge(input) : Func(lambda(x, y, input(x, y)));
        Func weights("weights"), rows("rows"), copy("copy"), sums("sums"), out("out");
        RDom r(0, 5, "r");
        weights(x, z) = cast<float>(x * 3 + z % 7) * 0.125f;
        rows(x, y) = source(x, y) * 0.5f + source(x + 1, y) * source(x + 2, y);
        copy(x, y) = rows(x, y);
        sums(x, y) = 0.0f;
        sums(x, y) += weights(x, r) * (has_copy ? copy : rows)(cast<int>(floor(cast<float>(x) * 1.75f)) + r, y);
        out(x, y) = cast<uint16_t>(sums(x, y)) / 3;
        return out;
    };
    check<uint16_t>([&] { return make(true, true); }, {{1024, 768}, {165, 83}, {1, 1}});
    check<uint16_t>([&] { return make(false, false); }, {{1024, 768}, {165, 83}});
}

// Partial results of bands and of lanes, at sizes of no whole band, of one row, and of fewer columns than lanes.
TEST_F(AutoSchedule, ReductionsInParts) {
    for (const Sizes &extents : {Sizes{1500, 1100}, Sizes{300, 77}, Sizes{13, 1}}) {
        Buffer<uint8_t> input(extents);
        input.for_each_element([&](const int *at) { input(at) = static_cast<uint8_t>(at[0] * 7 + at[1] * at[1] * 3); });
        const auto over_all = [&] { return RDom(0, input.width(), 0, input.height(), "r"); };
        check<int>(
            [&] {
                Func counts("counts"), below("below");
                const RDom r = over_all(), bins(1, 255, "bins");
                counts(x) = 0;
                counts(cast<int>(input(r.x, r.y))) += 1;
                below(x) = counts(0);
                below(bins) = below(bins - 1) + counts(bins);
                return below;
            },
            {{256}});
        check<uint32_t>(
            [&] {
                Func sum("sum"), least("least"), out("out");
                const RDom r = over_all(), s = over_all();
                sum() = cast<uint32_t>(0);
                sum() += cast<uint32_t>(input(r.x, r.y)) * 3;
                least(x) = 1000;
                least(x) = min(least(x), cast<int>(input(s.x, s.y)) + s.x * x);
                out(x) = sum() + cast<uint32_t>(least(x % 3));
                return out;
            },
            {{400}});
    }
}

TEST_F(AutoSchedule, PartsByHand) {
    const Buffer<float> input = picture({1100, 900});
    for (const int part : {0, 1, 2, 3}) {
        check<uint16_t>(
            [&] {
                const Func source = BoundaryConditions::repeat_edge(input);
                Func across("across"), down("down"), total("total"), out("out");
                RDom r(0, 3, "r");
                across(x, y) = sqrt(source(x - 1, y)) + sqrt(source(x + 1, y)) * 0.5f;
                down(x, y) = across(x, y - 1) + across(x, y + 2) * across(x + 1, y);
                total(x, y) = 0.0f;
                total(x, y) += down(x + r, y) * cast<float>(r + 1);
                out(x, y) = cast<uint16_t>(total(x, y) + total(x, y + 1) + down(x, y));
                Var xi("xi"), yi("yi");
                if (part == 0) {
                    across.compute_root().vectorize(x, 8, TailStrategy::RoundUp);
                } else if (part == 1) {
                    down.compute_root().tile(x, y, xi, yi, 16, 4).parallel(y);
                    across.compute_at(down, x);
                } else if (part == 2) {
                    total.compute_root().update().reorder(r.x, y, x);
                    across.compute_inline();
                } else {
                    out.split(y, y, yi, 16).parallel(y);
                    total.compute_at(out, y).vectorize(x, 4);
                }
                return out;
            },
            {{1024, 768}, {165, 83}});
    }
}

TEST_F(AutoSchedule, HistogramsAndTables) {
    const Buffer<float> input = picture({640, 480});
    check<uint8_t>(
        [&] {
            Func gray("gray"), histogram("histogram"), sums("sums"), out("out");
            RDom r(0, 640, 0, 480), k(1, 255);
            gray(x, y) = cast<uint8_t>(cast<int>(input(clamp(x, 0, 639), clamp(y, 0, 479))));
            histogram(x) = 0;
            histogram(cast<int>(gray(r.x, r.y))) += 1;
            sums(x) = histogram(x);
            sums(k) += sums(k - 1);
            out(x, y) = cast<uint8_t>(sums(cast<int>(gray(x, y))) * 255 / (640 * 480));
            return out;
        },
        {{640, 480}, {170, 30}});
}

TEST_F(AutoSchedule, ReductionsInTiles) {
    const Buffer<float> input = picture({700, 520});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::mirror_image(input);
            Func wide("wide"), tall("tall"), out("out");
            RDom r(-3, 7);
            wide(x, y) = 0.0f;
            wide(x, y) += source(x + r, y) * cast<float>(r + 4);
            tall(x, y) += wide(x, y + r) * cast<float>(4 - r);
            out(x, y) = tall(x, y) - wide(x, y) * 2.0f;
            return out;
        },
        {{700, 520}, {233, 85}, {5, 2}});
}

TEST_F(AutoSchedule, ProductsOfMatrices) {
    const Buffer<float> a = picture({70, 90}), b = picture({110, 70});
    const auto make = [&](bool is_wrapped) {
        Func product("product"), out("out");
        RDom k(0, 70);
        product(x, y) = cast<float>(x - y);
        product(x, y) += a(k, y) * b(x, k);
        out(x, y) = max(product(x, y), 0.0f) * 0.5f;
        return is_wrapped ? out : product;
    };
    // As large as a block of sums and smaller: reads are not clamped.
    for (const bool is_wrapped : {true, false}) {
        check<float>([&] { return make(is_wrapped); }, {{110, 90}, {65, 37}, {33, 5}, {3, 2}, {1, 1}});
    }
}

template <typename T> Func layer(const Buffer<float> &input, Var c, Var x, Var y) {
    const Func source = BoundaryConditions::constant_exterior(input, 1.0f);
    Func weights("weights"), sum("sum"), out("out");
    RDom r(0, 3, -1, 3);
    Var k("k");
    weights(c, k) = cast<T>(c * 3 - k);
    sum(c, x, y) = cast<T>(c);
    sum(c, x, y) += weights(c, r.x) * cast<T>(cast<int>(source(x + r.x, y + r.y)) % 13);
    sum(c, x, y) = sum(c, x, y) * cast<T>(3) - cast<T>(x);
    out(c, x, y) = sum(c, x, y) / cast<T>(2);
    return out;
}

TEST_F(AutoSchedule, ConvolutionsOfAllTypes) {
    const Buffer<float> input = picture({60, 50});
    const std::vector<Sizes> sizes = {{40, 50, 40}, {19, 3, 7}};
    check<int8_t>([&] { return layer<int8_t>(input, c, x, y); }, sizes);
    check<uint16_t>([&] { return layer<uint16_t>(input, c, x, y); }, sizes);
    check<int32_t>([&] { return layer<int32_t>(input, c, x, y); }, sizes);
    check<int64_t>([&] { return layer<int64_t>(input, c, x, y); }, sizes);
    check<float>([&] { return layer<float>(input, c, x, y); }, sizes);
    check<double>([&] { return layer<double>(input, c, x, y); }, sizes);
}

TEST_F(AutoSchedule, StagesThatReductionsReadAtEachStep) {
    const Buffer<float> input = picture({330, 280});
    Var dx("dx"), dy("dy");
    const auto make = [&] {
        const Func source = BoundaryConditions::repeat_edge(input);
        Func apart("apart"), columns("columns"), weight("weight"), total("total"), out("out");
        RDom s(-2, 5, -1, 3);
        apart(x, y, dx, dy) = abs(source(x, y) - source(x + dx, y + dy)) * 0.01f + sqrt(source(x, y));
        columns(x, y, dx, dy) = apart(x, y - 1, dx, dy) + apart(x, y, dx, dy) + apart(x, y + 1, dx, dy);
        weight(x, y, dx, dy) = exp(columns(x - 1, y, dx, dy) - columns(x + 1, y, dx, dy));
        total(x, y, c) = 0.0f;
        total(x, y, c) += weight(x, y, s.x, s.y) * select(c == 2, 1.0f, source(x + s.x, y + s.y) * cast<float>(c));
        out(x, y, c) = total(x, y, c) / total(x, y, 2);
        out.bound(c, 0, 2);
        return out;
    };
    check<float>(make, {{300, 240, 2}, {65, 43, 2}, {1, 2, 2}});
}

TEST_F(AutoSchedule, SumsThatReadTheirOwnPredicateAndSeveralUpdates) {
    const Buffer<float> input = picture({250, 200});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            Func sum("sum"), out("out");
            RDom r(0, 5, 0, 4), q(-2, 5);
            r.where(r.x + r.y < 7 && x % 3 != r.x);
            sum(x, y) = source(x, y);
            sum(x, y) += source(x + r.x, y + r.y) * 0.5f;
            sum(x, y) = min(sum(x, y), source(x + q, 2 * y));
            out(x, y) = sum(x, y) + sum(x, y) * source(y, x);
            return out;
        },
        {{250, 200}, {67, 33}, {4, 4}});
}

TEST_F(AutoSchedule, ScansAndScatters) {
    const Buffer<float> input = picture({420, 330});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            Func down("down"), out("out");
            RDom r(1, 299);
            down(x, y) = source(x, y) * 0.25f;
            down(x, r) = down(x, r - 1) * 0.5f + down(x, r);
            down(x, 299 - r) += down(x, 300 - r) * 0.25f;
            out(x, y) = down(y, x) + down(y + 1, x);
            return out;
        },
        {{300, 400}, {133, 41}, {2, 1}});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            Func grid("grid"), out("out");
            RDom r(0, 4, 0, 4);
            const Expr value = clamp(cast<int>(source(x * 4 + r.x, y * 4 + r.y)) / 400, 0, 8);
            grid(x, y, z, c) = 0.0f;
            grid(x, y, value, c) += mux(c, {cast<float>(value), 1.0f});
            out(x, y, z) = grid(x, y, z, 0) * 0.5f + grid(x + 1, y, clamp(z - 1, 0, 8), 1);
            out.bound(z, 0, 9);
            return out;
        },
        {{100, 80, 9}, {37, 21, 9}, {1, 2, 9}});
}

TEST_F(AutoSchedule, OneToFourDimensions) {
    check<int>(
        [&] {
            Func f("f"), g("g");
            f(x) = x * x + (x % 7);
            g(x) = f(x) * f(x + 1) + f(x - 1) / 3;
            return g;
        },
        {{1'000'000}, {30'000}, {3}});
    check<int>(
        [&] {
            Func f("f"), g("g");
            f(x, y, z) = x * y + z * z % 5 + (x ^ y) / 3;
            g(x, y, z) = f(x, y, z + 1) + f(x + 1, y, z) + f(x, y + 1, z);
            return g;
        },
        {{100, 70, 50}, {50, 31, 20}, {9, 1, 2}});
    check<int>(
        [&] {
            Func f("f"), g("g");
            f(c, x, y, w) = x * y + c * w * 3 + (x ^ w) / 3;
            g(c, x, y, w) = f(c, x + 1, y, w) + f(c, x - 1, y, w) * f(2 - c, x, y + 1, w);
            return g;
        },
        {{3, 120, 60, 4}, {3, 50, 30, 2}, {3, 5, 1, 1}});
}

TEST_F(AutoSchedule, ScalarsAndTotals) {
    check<int>(
        [&] {
            Func f("f"), total("total"), out("out");
            RDom r(0, 300);
            f(x) = x * x % 1000 / 3 + x % 11;
            total() = 0;
            total() += f(r);
            out(x) = f(x) - total() / 300;
            return out;
        },
        {{300}, {1}});
}

TEST_F(AutoSchedule, Tuples) {
    const Buffer<float> input = picture({330, 220});
    check<float>(
        [&] {
            const Func source = BoundaryConditions::repeat_edge(input);
            Func pair("pair"), best("best"), out("out");
            RDom r(-2, 5);
            pair(x, y) = Tuple(source(x, y) * 2.0f + source(x + 1, y), cast<int>(source(x, y + 1)) % 9);
            best(x, y) = Tuple(0.0f, 0);
            best(x, y) = Tuple(max(best(x, y)[0], pair(x + r, y)[0]), best(x, y)[1] + pair(x, y + r)[1]);
            out(x, y) = best(x, y)[0] + cast<float>(best(x, y)[1]);
            return out;
        },
        {{330, 220}, {100, 60}, {7, 7}});
}

TEST_F(AutoSchedule, TransposedAndMirroredReads) {
    const Buffer<float> input = picture({400, 400});
    check<float>(
        [&] {
            Func f("f"), g("g"), out("out");
            f(x, y) = input(x, y) * 2.0f + sqrt(input(y, x));
            g(x, y) = f(y, x) + f(x, y) + f(399 - x, y);
            out(x, y) = g(x, y) + g(y, x) * g(399 - y, x);
            return out;
        },
        {{400, 400}, {120, 100}, {21, 40}});
}

TEST_F(AutoSchedule, ReadsNoMoreOfAnInputAtOtherSizes) {
    const auto make = [&](const Buffer<float> &input) {
        Func f("f"), out("out");
        f(x, y) = sqrt(input(x, y)) + sqrt(input(x + 1, y)) / input(x, y + 1);
        out(x, y) = f(x, y) + f(x + 1, y) + f(x, y + 1) * f(x + 1, y + 1);
        return out;
    };
    for (const Sizes &sizes : {Sizes{1, 1}, Sizes{19, 3}, Sizes{100, 2}}) {
        // As large as the values need it, and no larger.
        const Func out = make(picture({sizes[0] + 2, sizes[1] + 2}));
        AutoScheduleOptions options;
        options.sizes = {4000, 3000};
        options.parallelism = 2;
        const fluorite::AutoSchedule found = Pipeline(out).auto_schedule(options);
        expect_bits<float>(out, sizes, found.schedule.text());
    }
}

TEST_F(AutoSchedule, SeveralOutputs) {
    Func f("f"), a("a"), b("b");
    f(x, y) = x * y % 17 + (x ^ y) / 3;
    a(x, y) = f(x, y) + f(x + 1, y) * f(x - 1, y);
    b(x, y) = a(x, y) + f(x, y + 1) * f(x, y - 1);
    Pipeline pipeline(std::vector<Func>{a, b});
    AutoScheduleOptions options;
    options.sizes = {300, 200};
    pipeline.auto_schedule(options);
    const Realization seen = pipeline.realize({300, 200});
    const Buffer<int> first = seen[0], second = seen[1];
    for (int v = 0; v < 200; v += 13) {
        for (int u = 0; u < 300; u += 7) {
            const auto value = [](int i, int k) {
                return ((i * k % 17 + 17) % 17) + ((i ^ k) - (((i ^ k) % 3 + 3) % 3)) / 3;
            };
            const int of_a = value(u, v) + value(u + 1, v) * value(u - 1, v);
            ASSERT_EQ(first(u, v), of_a) << u << ", " << v;
            ASSERT_EQ(second(u, v), of_a + value(u, v + 1) * value(u, v - 1)) << u << ", " << v;
        }
    }
}

TEST_F(AutoSchedule, RowsThatAreReadTwice) {
    const Buffer<float> input = picture({410, 300});
    check<float>(
        [&] {
            RDom k(0, 301, "k");
            Func most("most"), total("total"), out("out");
            most(y) = maximum(input(k, y));
            total(y) += input(k, y) - most(y);
            out(x, y) = (input(x, y) - most(y)) / (total(y) + 1.0f);
            return out;
        },
        {{301, 250}, {301, 19}, {40, 7}, {1, 1}});
}

TEST_F(AutoSchedule, ScansAlongRows) {
    Buffer<int16_t> input(500, 300);
    input.for_each_element([&](int i, int j) { input(i, j) = static_cast<int16_t>((i * 37 + j * 101) % 256); });
    check<int16_t>(
        [&] {
            RDom r(1, 400, "r");
            Func level("level"), out("out");
            level(x, y) = input(clamp(x, 0, 499), y);
            const Expr before = level(r - 1, y);
            level(r, y) += before - select(before > 127, cast<int16_t>(255), cast<int16_t>(0));
            out(x, y) = level(x, y);
            return out;
        },
        {{401, 260}, {401, 13}, {100, 8}, {7, 3}});
}

TEST_F(AutoSchedule, IntegralImages) {
    Buffer<int> input(310, 130);
    input.for_each_element([&](int i, int j) { input(i, j) = (i * 37 + j * 101) % 256; });
    check<int>(
        [&] {
            RDom across(1, 309, "across"), down(1, 129, "down");
            Func rows("rows"), integral("integral");
            rows(x, y) = input(clamp(x, 0, 309), clamp(y, 0, 129));
            rows(across, y) += rows(across - 1, y);
            integral(x, y) = rows(x, y);
            integral(x, down) += integral(x, down - 1);
            return integral;
        },
        {{310, 130}, {97, 13}, {1, 1}});
}

} // namespace
} // namespace fluorite::same_bits_test
