// Blocks that are transposed in registers have the interpreter's values, whatever their size, type, tail and memory.

#include "driver/test_interpreter.h"

#include <gtest/gtest.h>

namespace fluorite::transposes_test {
namespace {

const Var x("x"), y("y"), xi("xi"), yi("yi");

template <typename T> class Transposes : public testing::Test {
  protected:
    ImageParam in{type_of<T>(), 2, "in"};
    Buffer<T> input = random_buffer<T>({90, 90}, 3);
    Transposes() { in.set(input); }
};
using Types = testing::Types<uint8_t, int16_t, float, double>;
TYPED_TEST_SUITE(Transposes, Types);

/// Blocks of `width` x `height`, also with a size that is no power of two.
const std::vector<std::pair<int, int>> blocks = {{4, 4}, {8, 8}, {16, 8}, {16, 32}, {8, 12}};

std::string text(const std::pair<int, int> &block) {
    return std::to_string(block.first) + " x " + std::to_string(block.second);
}

TYPED_TEST(Transposes, ColumnsOfTheInput) {
    for (const auto &block : blocks) {
        Func f("f");
        f(x, y) = this->in(y, x) + this->in(y + 1, x);
        f.tile(x, y, xi, yi, block.first, block.second).vectorize(xi).unroll(yi);
        expect_same<TypeParam>(f, {67, 71}, text(block));
    }
}

TYPED_TEST(Transposes, ColumnsOfTheOutput) {
    for (const auto &block : blocks) {
        Func f("f");
        f(x, y) = this->in(y, x);
        f.tile(x, y, xi, yi, block.second, block.first).vectorize(yi).reorder(yi, xi).unroll(xi);
        expect_same<TypeParam>(f, {67, 71}, text(block));
    }
}

TYPED_TEST(Transposes, ColumnsOfABlockThatIsStored) {
    for (const auto &block : blocks) {
        Func copy("copy"), turned("turned"), f("f");
        copy(x, y) = this->in(x, y);
        turned(x, y) = copy(y, x);
        f(x, y) = turned(x, y);
        f.tile(x, y, xi, yi, block.first, block.second).vectorize(xi).unroll(yi);
        copy.compute_at(f, x).vectorize(x).unroll(y);
        turned.compute_at(f, x).vectorize(y).unroll(x);
        expect_same<TypeParam>(f, {67, 71}, text(block));
    }
}

TYPED_TEST(Transposes, ColumnsOfABlockThatIsRead) {
    for (const auto &block : blocks) {
        Func copy("copy"), turned("turned"), f("f");
        copy(x, y) = this->in(x, y);
        turned(x, y) = Tuple(copy(y, x), copy(y, x) * 2);
        f(x, y) = turned(x, y)[0] + turned(x, y)[1];
        f.tile(x, y, xi, yi, block.first, block.second).vectorize(xi).unroll(yi);
        copy.compute_at(f, x).vectorize(x).unroll(y);
        turned.compute_at(f, x).vectorize(x).unroll(y);
        expect_same<TypeParam>(f, {67, 71}, text(block));
    }
}

TYPED_TEST(Transposes, UpdatesThatReadWhatTheyWrite) {
    for (const auto &block : blocks) {
        RDom r(0, block.second, 0, block.first);
        Func f("f");
        f(x, y) = this->in(x, y);
        f(r.x, r.y) = f(r.x, r.y) + this->in(r.x + 1, r.y); // columns of the output, one after another
        f(r.y, r.x) += f(r.y + 16, r.x);
        f.update(0).reorder(r.y, r.x).allow_race_conditions().vectorize(r.y).unroll(r.x);
        f.update(1).unroll(r.x);
        expect_same<TypeParam>(f, {67, 71}, text(block));
    }
}

TEST(TransposesOfPlanes, OutputsOfAnyLayout) {
    const Buffer<uint8_t> input = random_buffer<uint8_t>({64, 64, 4}, 4);
    const Var c("c");
    Func f("f");
    f(c, x, y) = input(x, y, c);
    f.bound(c, 0, 4).reorder(c, x, y).unroll(c).vectorize(x, 16);
    expect_same<uint8_t>(f, {4, 61, 50}, "dense");
    f.output_buffer().dim(1).set_stride(Expr());
    Buffer<uint8_t> wide(7, 64, 50);
    wide.crop(0, 0, 4);
    f.realize(wide);
    EXPECT_EQ(wide(3, 63, 49), input(63, 49, 3));
    EXPECT_EQ(wide(0, 1, 2), input(1, 2, 0));
}

} // namespace
} // namespace fluorite::transposes_test
