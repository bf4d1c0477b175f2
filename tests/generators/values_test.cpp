// The values of generators that are compiled to function objects, beside plain C++.

#include <Halide.h>

#include <gtest/gtest.h>

namespace {
namespace values_test {

using namespace Halide;

Callable compiled(const std::string &name, const GeneratorParamsMap &params = {}) {
    return create_callable_from_generator(get_jit_target_from_environment(), name, params);
}

Buffer<uint8_t, 2> picture(int width, int height) {
    Buffer<uint8_t, 2> image(width, height);
    image.for_each_element([&](int x, int y) { image(x, y) = static_cast<uint8_t>(x * 31 + y * 77 + (x * y) % 13); });
    return image;
}

int box_at(const Buffer<uint8_t, 2> &image, int x, int y, int radius, bool repeats) {
    int sum = 0;
    for (int v = y - radius; v <= y + radius; v++) {
        for (int u = x - radius; u <= x + radius; u++) {
            const bool is_inside = u >= 0 && v >= 0 && u < image.width() && v < image.height();
            const int cu = std::clamp(u, 0, image.width() - 1), cv = std::clamp(v, 0, image.height() - 1);
            sum += is_inside || repeats ? image(cu, cv) : 0;
        }
    }
    return sum;
}

void expect_box(const Callable &box, int radius, bool repeats, int width, int height) {
    const Buffer<uint8_t, 2> image = picture(width, height);
    Buffer<uint16_t, 2> result(width, height);
    ASSERT_EQ(box(image, uint16_t(5), result), 0);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            ASSERT_EQ(result(x, y), static_cast<uint16_t>(box_at(image, x, y, radius, repeats) + 5)) << x << ", " << y;
        }
    }
}

TEST(Generators, ParametersChooseThePipeline) {
    expect_box(compiled("box"), 1, true, 37, 11);
    expect_box(compiled("box", {{"radius", "2"}, {"border", "zero"}, {"parallel", "false"}}), 2, false, 5, 3);
    expect_box(compiled("wide_box"), 3, false, 19, 8);
    expect_box(compiled("wide_box", {{"radius", "0"}}), 0, false, 1, 1);
}

TEST(Generators, AnAutoschedulerSchedulesThem) {
    const Target target = get_jit_target_from_environment();
    expect_box(create_callable_from_generator(GeneratorContext(target, AutoschedulerParams("Mullapudi2016")), "box"), 1,
               true, 40, 30);
    expect_box(compiled("box", {{"auto_schedule", "true"}}), 1, true, 13, 9);
}

TEST(Generators, OpenTypesRanksAndSizesAreParameters) {
    const Callable sum = compiled("open_types", {{"input.type", "int16"},
                                                 {"input.dim", "2"},
                                                 {"terms.size", "2"},
                                                 {"terms.type", "uint8"},
                                                 {"output.type", "float32"}});
    Buffer<int16_t> input(6, 4);
    Buffer<uint8_t> a(6), b(6);
    input.for_each_element([&](int x, int y) { input(x, y) = static_cast<int16_t>(100 * x - y); });
    a.for_each_element([&](int x) { a(x) = static_cast<uint8_t>(x + 200), b(x) = static_cast<uint8_t>(3 * x); });
    Buffer<float> output(6, 4);
    ASSERT_EQ(sum(input, a, b, output), 0);
    output.for_each_element([&](int x, int y) { EXPECT_EQ(output(x, y), 100 * x - y + x + 200 + 3 * x); });
}

TEST(Generators, ArraysAndTuples) {
    const Callable all = compiled("arrays", {{"levels", "2"}});
    Buffer<float> a(5, 4), b(5, 4);
    a.for_each_element([&](int x, int y) { a(x, y) = 0.5f * x + y, b(x, y) = 2.0f * x - y; });
    Buffer<float> s0(5, 4), s1(5, 4), sum(5, 4), p0(5, 4), p1(5, 4), total = Buffer<float>::make_scalar();
    Buffer<int> index(5, 4);
    ASSERT_EQ(all(a, b, 3.0f, -2.0f, s0, s1, sum, index, p0, p1, total), 0);
    float expected = 0;
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 5; x++) {
            EXPECT_EQ(s0(x, y), a(x, y) * 3.0f);
            EXPECT_EQ(s1(x, y), b(x, y) * -2.0f);
            EXPECT_EQ(sum(x, y), a(x, y) + b(x, y));
            EXPECT_EQ(index(x, y), x + y);
            EXPECT_EQ(p1(x, y), s0(x, y) + 1);
            expected += x < 4 ? a(x, y) : 0;
        }
    }
    EXPECT_EQ(total(), expected);
}

TEST(Generators, ConfigureAddsInputsAndOutputs) {
    const Callable sum = compiled("configured", {{"count", "3"}, {"type", "uint16"}});
    Buffer<uint16_t> a(9), b(9), c(9), result(9), last(9);
    a.for_each_element([&](int x) {
        a(x) = static_cast<uint16_t>(x), b(x) = static_cast<uint16_t>(10 * x), c(x) = static_cast<uint16_t>(100 * x);
    });
    ASSERT_EQ(sum(a, b, c, uint16_t(7), result, last), 0);
    result.for_each_element([&](int x) { EXPECT_EQ(result(x), 111 * x + 7); });
    last.for_each_element([&](int x) { EXPECT_EQ(last(x), c(x)); });
}

TEST(Generators, TemplatesAndTheFormWithBuild) {
    Buffer<float> floats(7);
    ASSERT_EQ(compiled("ramp_float")(0.25f, floats), 0);
    EXPECT_EQ(floats(6), 1.5f);
    Buffer<int16_t> shorts(7);
    ASSERT_EQ(compiled("ramp_short")(int16_t(-3), shorts), 0);
    EXPECT_EQ(shorts(6), -18);
    const Buffer<uint8_t, 2> image = picture(70, 3);
    Buffer<uint8_t, 2> brighter(70, 3);
    ASSERT_EQ(compiled("old_form")(image, uint8_t(3), brighter), 0);
    brighter.for_each_element(
        [&](int x, int y) { EXPECT_EQ(int(brighter(x, y)), (image(x, y) * 3) % 256) << x << ", " << y; });
}

TEST(Generators, OneAppliesAnother) {
    const Buffer<uint8_t, 2> image = picture(12, 9);
    Buffer<uint16_t, 2> result(12, 9);
    ASSERT_EQ(compiled("twice")(image, result), 0);
    result.for_each_element(
        [&](int x, int y) { EXPECT_EQ(result(x, y), (box_at(image, x, y, 2, true) + 1) / 25 + 7) << x << ", " << y; });
}

TEST(Generators, OutputsHaveDimensionsBeforeTheyAreDefined) {
    Buffer<uint8_t> input = Buffer<uint8_t>::make_interleaved(8, 5, 3), result(8, 5, 3);
    input.for_each_element([&](int x, int y, int c) { input(x, y, c) = static_cast<uint8_t>(x * 9 + y * 5 + c); });
    ASSERT_EQ(compiled("renamed")(input, result), 0);
    result.for_each_element(
        [&](int x, int y, int c) { EXPECT_EQ(result(x, y, c), x == 7 ? 0 : input(x, y, c) ^ 255); });
}

TEST(Generators, AnAssignedFuncIsCalledAsTheOutputIs) {
    const auto generator =
        Internal::GeneratorRegistry::create("assigned", GeneratorContext(get_jit_target_from_environment()));
    generator->set_generatorparam_value("what", "double");
    ImageParam source(Int(32), 1, "source");
    Func squares("squares");
    Var x;
    squares(x) = x * x;
    generator->bind_input("input", squares);
    Pipeline pipeline = generator->build_pipeline();
    EXPECT_TRUE(generator->input_arguments().empty());
    Buffer<int> result = pipeline.realize({6});
    EXPECT_EQ(result(5), 50);
}

} // namespace values_test
} // namespace
