// Halide::Runtime::Buffer, as programs around ahead-of-time filters use it.
#include "HalideBuffer.h"
#include "HalideRuntime.h"

#include <stdio.h>

using Halide::Runtime::Buffer;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

static_assert(sizeof(halide_filter_metadata_t::num_arguments) == sizeof(int32_t));
static_assert(std::is_same_v<decltype(halide_filter_metadata_t::arguments), const halide_filter_argument_t *>);

static int sum_of(halide_buffer_t *b) {
    Buffer<const uint8_t> view(*b);
    int sum = 0;
    view.for_each_value([&](uint8_t v) { sum += v; });
    return sum;
}

int main() {
    Buffer<uint8_t, 2> im(10, 5);
    im.fill(2);
    im(3, 4) = 12;
    CHECK(sum_of(im) == 110 && sum_of(im.raw_buffer()) == 110);
    Buffer<uint8_t> any = im;
    CHECK(any.dimensions() == 2 && any(3, 4) == 12 && any.data() == im.data());
    Buffer<void> untyped = im;
    CHECK(untyped.type() == halide_type_of<uint8_t>() && untyped.as<uint8_t>()(3, 4) == 12);
    auto cropped = im.cropped(0, 2, 3);
    CHECK(cropped.dim(0).extent() == 3 && cropped(3, 4) == 12);
    auto sliced = any.sliced(1, 4);
    CHECK(sliced.dimensions() == 1 && sliced(3) == 12);
    Buffer<float> planar(4, 3, 2);
    planar.for_each_element([&](int x, int y, int c) { planar(x, y, c) = (float)(x + 10 * y + 100 * c); });
    Buffer<float> interleaved = Buffer<float>::make_interleaved(4, 3, 2);
    interleaved.copy_from(planar);
    CHECK(interleaved(3, 2, 1) == 123.0f && interleaved.dim(2).stride() == 1);
    Buffer<float> same = interleaved.copy();
    CHECK(same.dim(2).stride() == 1 && same(1, 1, 1) == 111.0f);
    Buffer<float> compact = Buffer<float>::make_with_shape_of(planar);
    compact.fill(0.5f);
    CHECK(compact.all_equal(0.5f) && compact.number_of_elements() == 24 && compact.size_in_bytes() == 96);
    planar.set_min(-1, -2, 0);
    CHECK(planar(2, 0, 1) == 123.0f);
    planar.transpose(0, 1);
    CHECK(planar(0, 2, 1) == 123.0f && planar.dim(0).min() == -2);
    Buffer<int> scalar = Buffer<int>::make_scalar();
    scalar() = 4;
    CHECK(scalar() == 4);
    Buffer<int> query(nullptr, 3, 3);
    CHECK(query.data() == nullptr);
    query.allocate();
    query.fill(1);
    CHECK(query.all_equal(1));
    im.set_host_dirty();
    CHECK(im.host_dirty() && !im.device_dirty());
    const int sizes[] = {2, 2};
    Buffer<int16_t> from_vector(std::vector<int>(sizes, sizes + 2));
    CHECK(from_vector.width() == 2 && from_vector.height() == 2 && halide_type_of<int16_t>().bits == 16);
    return 0;
}
