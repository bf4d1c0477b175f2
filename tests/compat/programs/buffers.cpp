// Halide::Buffer by itself: shapes, crops, slices, transposes, copies, dynamic types, loops over elements.
#include <Halide.h>

#include <numeric>
#include <stdio.h>

using namespace Halide;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

int main() {
    Buffer<int> a(8, 6, 2, "a");
    a.fill(3);
    a(1, 2, 1) = 9;
    CHECK(a.dimensions() == 3 && a.width() == 8 && a.height() == 6 && a.channels() == 2);
    CHECK(a.dim(1).min() == 0 && a.dim(1).extent() == 6 && a.dim(1).max() == 5 && a.dim(1).stride() == 8);
    CHECK(a.number_of_elements() == 96 && a.size_in_bytes() == 384 && a.type() == Int(32));
    CHECK(a.left() == 0 && a.right() == 7 && a.top() == 0 && a.bottom() == 5);
    a.set_min(-2, 3);
    CHECK(a(-1, 5, 1) == 9);
    a.translate({2, -3, 0});
    CHECK(a(1, 2, 1) == 9);
    a.translate(0, 10);
    CHECK(a.dim(0).min() == 10 && a(11, 2, 1) == 9);
    a.set_min(0, 0, 0);
    Buffer<int> crop = a.cropped(0, 1, 4).cropped(1, 2, 3);
    CHECK(crop.dim(0).min() == 1 && crop.dim(0).extent() == 4 && crop(1, 2, 1) == 9 && crop.data() == &a(1, 2, 0));
    crop(4, 4, 0) = 77;
    CHECK(a(4, 4, 0) == 77);
    Buffer<int> slice = a.sliced(2, 1);
    CHECK(slice.dimensions() == 2 && slice(1, 2) == 9);
    Buffer<int> t = a.transposed(0, 1);
    CHECK(t(2, 1, 1) == 9 && t.width() == 6);
    Buffer<int> copy = a.copy();
    copy(1, 2, 1) = 5;
    CHECK(a(1, 2, 1) == 9);
    Buffer<int> embedded = slice.embedded(2, 7);
    CHECK(embedded.dimensions() == 3 && embedded(1, 2, 7) == 9);
    Buffer<int> target(8, 6, 2);
    target.fill(0);
    target.copy_from(crop);
    CHECK(target(1, 2, 1) == 9 && target(0, 0, 0) == 0);
    int sum = 0;
    a.for_each_value([&](int v) { sum += v; });
    int again = 0;
    a.for_each_element([&](int x, int y, int c) { again += a(x, y, c); });
    int with_pos = 0;
    a.for_each_element([&](const int *pos) { with_pos += a(pos[0], pos[1], pos[2]); });
    CHECK(sum == again && sum == with_pos && sum == 96 * 3 + 6 + 74);
    target.for_each_value([](int &v, int w) { v = w + 1; }, a);
    CHECK(target(1, 2, 1) == 10);
    CHECK(a.all_equal(3) == false);

    Buffer<> dynamic = a;
    CHECK(dynamic.type() == Int(32) && dynamic.dimensions() == 3 && dynamic.as<int>()(1, 2, 1) == 9);
    Buffer<uint8_t> bytes(4, 4);
    Buffer<void> raw(UInt(16), {5, 5});
    raw.as<uint16_t>().fill(11);
    CHECK(raw.as<uint16_t>()(4, 4) == 11 && raw.type() == UInt(16) && bytes.width() == 4);
    float storage[12];
    std::iota(storage, storage + 12, 0.0f);
    Buffer<float> wrapped(storage, 4, 3);
    CHECK(wrapped(1, 2) == 9.0f);
    Buffer<float> planar = Buffer<float>::make_with_shape_of(wrapped);
    CHECK(planar.width() == 4 && planar.height() == 3);
    Buffer<uint8_t> pixels = Buffer<uint8_t>::make_interleaved(5, 4, 3);
    CHECK(pixels.dim(0).stride() == 3 && pixels.dim(2).stride() == 1 && pixels.dim(1).stride() == 15);
    Buffer<double> scalar = Buffer<double>::make_scalar();
    scalar() = 2.5;
    CHECK(scalar.dimensions() == 0 && scalar() == 2.5 && scalar(0 * 0 == 0 ? (const int *)nullptr : nullptr) == 2.5);
    Buffer<int> none;
    CHECK(!none.defined() && a.defined() && a.same_as(a) && !a.same_as(copy));
    halide_buffer_t *rawbuf = a.raw_buffer();
    CHECK(rawbuf->dimensions == 3 && rawbuf->dim[0].extent == 8 && rawbuf->host == (uint8_t *)a.data());

    // Realizing into a crop does not change the other elements.
    Var x, y;
    Func f;
    f(x, y) = x * 100 + y;
    Buffer<int> canvas(10, 10);
    canvas.fill(-1);
    Buffer<int> window = canvas.cropped(std::vector<std::pair<int, int>>{{2, 3}, {4, 5}});
    f.realize(window);
    canvas.for_each_element([&](int i, int j) {
        bool inside = i >= 2 && i < 5 && j >= 4 && j < 9;
        if (canvas(i, j) != (inside ? i * 100 + j : -1)) {
            printf("canvas(%d, %d) = %d\n", i, j, canvas(i, j));
            exit(2);
        }
    });
    Buffer<int> shifted(5, 5);
    shifted.set_min(-100, 50);
    f.realize(shifted);
    CHECK(shifted(-98, 52) == -9800 + 52);
    return 0;
}
