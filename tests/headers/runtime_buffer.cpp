// Halide::Runtime::Buffer in a program of C++11 or later that links no library: shapes, memory, elements, conversions,
// and devices through an interface of the program's own.
#include "HalideBuffer.h"

#include <cstdio>

using Halide::Runtime::Buffer;
using Halide::Runtime::BufferDeviceOwnership;

namespace {

int failures = 0;

void expect(bool holds, int line) {
    if (!holds) {
        std::printf("line %d: not so\n", line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

template <typename T> void check_elements(int width, int height) {
    Buffer<T, 2> image(width, height);
    image.for_each_element([&](int x, int y) { image(x, y) = static_cast<T>(x * 3 + y * 7); });
    EXPECT(image.type() == halide_type_of<T>() && image.number_of_elements() == static_cast<size_t>(width) * height);
    EXPECT(reinterpret_cast<uintptr_t>(image.data()) % 128 == 0);
    int64_t sum = 0, expected = 0;
    image.for_each_value([&](T value) { sum += static_cast<int64_t>(value); });
    for (int y : image.dim(1)) {
        for (int x : image.dim(0)) {
            expected += static_cast<int64_t>(static_cast<T>(x * 3 + y * 7));
        }
    }
    EXPECT(sum == expected);
    const Buffer<T, 2> turned = image.transposed(0, 1), dense = turned.copy();
    EXPECT(turned.data() == image.data() && dense.data() != image.data());
    bool same = true;
    turned.for_each_value([&](const T &a, const T &b) { same = same && a == b; }, dense);
    EXPECT(same && turned.width() == height &&
           (height == 0 || width == 0 || turned(height - 1, width - 1) == image(width - 1, height - 1)));
    Buffer<T, 2> twice(height, width);
    twice.fill([&](int x, int y) { return static_cast<T>(turned(x, y) + T(1)); });
    twice.for_each_value([](T &to, const T &from) { to = static_cast<T>(to - from); }, turned);
    EXPECT(twice.all_equal(T(1)));
}

void check_shapes() {
    Buffer<int> image(7, 5, 3);
    image.for_each_element([&](const int *at) { image(at) = at[0] + 10 * at[1] + 100 * at[2]; });
    image.set_min(-2, 1, 0);
    EXPECT(image(-2, 1, 2) == 200 && image.left() == -2 && image.right() == 4 && image.top() == 1 &&
           image.bottom() == 5);
    EXPECT(image.contains(4, 5, 2) && !image.contains(5, 5, 2) && image.channels() == 3);
    const Buffer<int> crop = image.cropped({{0, 3}, {2, 2}, {1, 2}});
    EXPECT(crop(0, 2, 1) == 112 && crop.min(0) == 0 && crop.extent(2) == 2 && image.extent(0) == 7);
    const Buffer<int> plane = image.sliced(2, 1), row = plane.sliced(1);
    EXPECT(plane.dimensions() == 2 && plane(4, 5) == 146 && row.dimensions() == 1 && row(4) == 106);
    Buffer<int> more = plane.embedded(1, 9);
    EXPECT(more.dimensions() == 3 && more(4, 9, 5) == 146 && more.dim(1).extent() == 1);
    more.slice(1);
    more.add_dimension();
    EXPECT(more(4, 5, 0) == 146 && more.translated(0, 6)(10, 5, 0) == 146);
    const Buffer<int, 3> order = image.transposed({2, 0, 1});
    EXPECT(order(2, -2, 1) == 200);
    int visits = 0;
    image.for_each_element([&](int, int) { visits++; });
    EXPECT(visits == 35);
    Buffer<int> interleaved = image.copy_to_interleaved();
    EXPECT(interleaved.stride(2) == 1 && interleaved.stride(0) == 3 && interleaved(4, 5, 2) == 246);
    EXPECT(interleaved.copy_to_planar().stride(0) == 1 && interleaved.copy_to_planar()(4, 5, 2) == 246);
    Buffer<int> target(3, 3, 9);
    target.fill(-1);
    target.copy_from(image);
    EXPECT(target(1, 1, 2) == 203 && target(1, 0, 2) == -1 && target(1, 1, 3) == -1);
    int raw[2][3] = {{1, 2, 3}, {4, 5, 6}};
    Buffer<int> around(raw);
    EXPECT(around.width() == 3 && around(2, 1) == 6 && around.data() == &raw[0][0] && !around.owns_host_memory());
    halide_dimension_t backwards[] = {{0, 3, -1}, {0, 2, 3}};
    Buffer<int> flipped(&raw[0][2], 2, backwards);
    EXPECT(flipped(0, 0) == 3 && flipped(2, 1) == 4 && flipped.begin() == &raw[0][0] && flipped.end() == &raw[1][3]);
    EXPECT(flipped.copy()(0, 1) == 6);
}

void check_conversions() {
    Buffer<float> image = Buffer<float>::make_interleaved(4, 3, 2);
    Buffer<> any = image;
    EXPECT(any.type().code == halide_type_float && any.as<float>()(3, 2, 1) == image(3, 2, 1));
    Buffer<const float, 3> constant = any;
    EXPECT(constant.data() == image.data());
    EXPECT(!(Buffer<int>::can_convert_from(any)) && (Buffer<const float, 3>::can_convert_from(any)));
    Buffer<> typed(halide_type_of<uint16_t>(), 5, 6);
    typed.as<uint16_t>().fill(7);
    EXPECT(typed.size_in_bytes() == 60 && typed.as<uint16_t>().all_equal(7));
    halide_buffer_t *raw = image;
    Buffer<float> view(*raw);
    EXPECT(view.data() == image.data() && !view.owns_host_memory());
    Buffer<double> scalar = Buffer<double>::make_scalar();
    scalar() = 2.5;
    EXPECT(scalar.dimensions() == 0 && scalar() == 2.5 && scalar.number_of_elements() == 1);
    Buffer<int> query(nullptr, 4, 4);
    EXPECT(query.is_bounds_query());
    query.allocate();
    EXPECT(query.fill(3).all_equal(3));
    Buffer<int> kept;
    {
        Buffer<int> local(9);
        local.fill(4);
        kept = local;
    }
    EXPECT(kept.all_equal(4) && kept.width() == 9);
}

// A device whose memory is counted only.
int in_use = 0, copies = 0;
int take(void *, halide_buffer_t *buffer, const halide_device_interface_t *device) {
    if (buffer->device == 0) {
        in_use++;
        buffer->device = 77;
        buffer->device_interface = device;
    }
    return 0;
}
int to_device(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device) {
    copies++;
    buffer->set_host_dirty(false);
    return take(context, buffer, device);
}
int give(void *, halide_buffer_t *buffer) {
    in_use--;
    buffer->device = 0;
    return 0;
}
int to_host(void *, halide_buffer_t *buffer) {
    copies++;
    buffer->set_device_dirty(false);
    return 0;
}
int crop(void *, const halide_buffer_t *from, halide_buffer_t *to) {
    in_use++;
    to->device = from->device;
    to->device_interface = from->device_interface;
    return 0;
}
int slice(void *context, const halide_buffer_t *from, int, int, halide_buffer_t *to) { return crop(context, from, to); }

void check_devices() {
    halide_device_interface_t device = halide_device_interface_t();
    device.device_malloc = take;
    device.device_free = give;
    device.copy_to_device = to_device;
    device.copy_to_host = to_host;
    device.device_crop = crop;
    device.device_slice = slice;
    device.device_release_crop = give;
    {
        Buffer<int> image(8, 8), part;
        image.fill(1);
        EXPECT(image.host_dirty() && image.copy_to_device(&device) == 0 && !image.host_dirty() && copies == 1);
        EXPECT(image.copy_to_device(&device) == 0 && copies == 1 && in_use == 1);
        part = image.cropped(0, 2, 3);
        EXPECT(in_use == 2 && part.device_ownership() == BufferDeviceOwnership::Cropped);
        Buffer<int> share = image, line = image.sliced(1, 2);
        EXPECT(in_use == 3 && share.has_device_allocation());
        image(1, 1) = 3;
        EXPECT(image.host_dirty() && !share.host_dirty());
        share.set_device_dirty();
        EXPECT(share.copy_to_host() == 0 && copies == 2 && !share.device_dirty());
        EXPECT(image.device_free() == 0 && !image.has_device_allocation() && in_use == 3);
    }
    EXPECT(in_use == 0);
}

int allocated = 0;
void *counted(size_t bytes) {
    allocated++;
    return std::malloc(bytes);
}
void uncounted(void *memory) {
    allocated--;
    std::free(memory);
}

void check_allocators() {
    {
        Buffer<int, 2> own(nullptr, 3, 2);
        own.allocate(counted, uncounted);
        own.fill(7);
        own.check_overflow();
        Buffer<int, 2> copy = own.copy(counted, uncounted), plain = own.copy();
        EXPECT(allocated == 2 && copy.all_equal(7) && plain.all_equal(7));
        Buffer<int> like = Buffer<int>::make_with_shape_of(own, counted, uncounted);
        EXPECT(allocated == 3 && like.width() == 3);
        Buffer<int, 3> pixels(2, 2, 3);
        pixels.fill(1);
        Buffer<int, 3> interleaved = pixels.copy_to_interleaved(counted, uncounted);
        EXPECT(interleaved.dim(2).stride() == 1 && allocated == 4);
        Buffer<void>::set_default_allocate_fn(counted);
        Buffer<void>::set_default_deallocate_fn(uncounted);
        Buffer<float> by_default(4);
        Buffer<void>::set_default_allocate_fn(nullptr);
        Buffer<void>::set_default_deallocate_fn(nullptr);
        EXPECT(allocated == 5);
        Buffer<float, 2> tile(1, 1);
        Buffer<float, 2, 2> &same = tile;
        EXPECT(same.width() == 1);
        int values[12] = {0, 1, 2, 3};
        Buffer<> colour = Buffer<>::make_interleaved(halide_type_of<int>(), static_cast<void *>(values), 2, 2, 3);
        EXPECT(colour.as<int>()(1, 0, 0) == 3 && colour.dim(2).stride() == 1);
    }
    EXPECT(allocated == 0);
}

} // namespace

int main() {
    const int sizes[] = {0, 1, 5, 17};
    for (int width : sizes) {
        for (int height : sizes) {
            check_elements<uint8_t>(width, height);
            check_elements<int16_t>(width, height);
            check_elements<uint32_t>(width, height);
            check_elements<int64_t>(width, height);
            check_elements<float>(width, height);
            check_elements<double>(width, height);
        }
    }
    check_shapes();
    check_conversions();
    check_devices();
    check_allocators();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
