// Buffer: shapes, views, elements and whole-buffer operations, compared with plain models; conversions and error texts.

#define FLUORITE_CHECK_ACCESS 1
#include "fluorite/buffer.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace {

using namespace fluorite;
using Position = std::vector<int>;

// The elements of a buffer, by coordinate.
template <typename T> std::map<Position, T> contents_of(const Buffer<T> &buffer) {
    std::map<Position, T> result;
    buffer.for_each_element([&](const int *at) { result[Position(at, at + buffer.dimensions())] = buffer(at); });
    return result;
}

// A buffer of random rank, extents, mins and storage order, in which each element differs from its neighbours.
Buffer<int> random_buffer(std::mt19937 &random, int max_rank = 4) {
    const int rank = static_cast<int>(random() % static_cast<unsigned>(max_rank + 1));
    std::vector<int> sizes, order(static_cast<size_t>(rank)), mins;
    for (int d = 0; d < rank; d++) {
        sizes.push_back(1 + static_cast<int>(random() % 5));
        mins.push_back(static_cast<int>(random() % 20) - 10);
    }
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Buffer<int> buffer(sizes, order);
    buffer.set_min(mins);
    buffer.for_each_value([&](int &v) { v = static_cast<int>(random() % 1000); });
    return buffer;
}

TEST(Buffer, Construction) {
    const Buffer<int> none;
    EXPECT_FALSE(none.defined());
    EXPECT_EQ(none.type(), Int(32));
    EXPECT_EQ(none.data(), nullptr);
    const Buffer<uint8_t> named(7, 5, 3, "picture");
    EXPECT_EQ(named.name(), "picture");
    EXPECT_EQ(named.dimensions(), 3);
    EXPECT_EQ(named.width(), 7);
    EXPECT_EQ(named.height(), 5);
    EXPECT_EQ(named.channels(), 3);
    EXPECT_EQ(named.stride(0), 1);
    EXPECT_EQ(named.stride(1), 7);
    EXPECT_EQ(named.stride(2), 35);
    EXPECT_EQ(named.number_of_elements(), 105U);
    EXPECT_EQ(named.size_in_bytes(), 105U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(named.data()) % 128, 0U);
    for (const Buffer<float> &buffer :
         {Buffer<float>({4, 3}), Buffer<float>{4, 3}, Buffer<float>(std::vector<int>{4, 3}),
          Buffer<float>(4L, size_t{3}), Buffer<float>(Float(32), 4, 3)}) {
        EXPECT_EQ(buffer.dimensions(), 2);
        EXPECT_EQ(buffer.extent(0), 4);
        EXPECT_EQ(buffer.extent(1), 3);
    }
    const Buffer<> untyped(UInt(16), {2, 3}, "u");
    EXPECT_EQ(untyped.type(), UInt(16));
    EXPECT_EQ(untyped.size_in_bytes(), 12U);
    const auto interleaved = Buffer<uint8_t>::make_interleaved(4, 3, 2);
    EXPECT_EQ(interleaved.stride(0), 2);
    EXPECT_EQ(interleaved.stride(1), 8);
    EXPECT_EQ(interleaved.stride(2), 1);
    auto scalar = Buffer<double>::make_scalar();
    scalar() = 2.5;
    EXPECT_EQ(scalar.dimensions(), 0);
    EXPECT_EQ(scalar(), 2.5);
    const Buffer<int> empty(0, 5);
    EXPECT_EQ(empty.number_of_elements(), 0U);
    EXPECT_EQ(empty.begin(), empty.end());
}

TEST(Buffer, EveryElementType) {
    auto check = [](auto value) {
        using T = decltype(value);
        Buffer<T> buffer(3, 2);
        buffer.fill(value);
        EXPECT_TRUE(buffer.all_equal(value));
        EXPECT_EQ(buffer.type(), type_of<T>());
        EXPECT_EQ(buffer.size_in_bytes(), 6 * sizeof(T));
        buffer(1, 1) = T();
        EXPECT_FALSE(buffer.all_equal(value));
    };
    check(true), check(int8_t{-3}), check(int16_t{-3}), check(int32_t{-3}), check(int64_t{-3});
    check(uint8_t{3}), check(uint16_t{3}), check(uint32_t{3}), check(uint64_t{3});
    check(1.5F), check(1.5), check(float16_t(1.5)), check(bfloat16_t(1.5));
}

TEST(Buffer, WrapsMemoryOfTheCaller) {
    int data[] = {1, 2, 3, 4, 5, 6};
    Buffer<int> plain(data, 3, 2);
    EXPECT_EQ(plain(2, 1), 6);
    plain(0, 1) = 40;
    EXPECT_EQ(data[3], 40);
    EXPECT_FALSE(plain.owns_host_memory());
    const int constants[] = {7, 8};
    const Buffer<const int> read_only(constants, 2);
    EXPECT_EQ(read_only(1), 8);
    float array[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const Buffer<float> of_array(array);
    EXPECT_EQ(of_array.width(), 3);
    EXPECT_EQ(of_array(2, 1), 6);
    const fluorite_dimension_t shape[] = {{10, 3, -1}, {0, 2, 3}};
    const Buffer<int> backward(data + 2, 2, shape);
    EXPECT_EQ(backward(10, 0), 3);
    EXPECT_EQ(backward(12, 0), 1);
    EXPECT_EQ(backward.begin(), data);
    EXPECT_EQ(backward.end(), data + 6);
    const Buffer<int> of_raw(*backward.raw_buffer());
    EXPECT_EQ(of_raw(11, 1), 5);
    EXPECT_FALSE(of_raw.same_as(backward));
    std::vector<uint16_t> values(12);
    Buffer<> untyped(UInt(16), values.data(), 4, 3);
    untyped.as<uint16_t>()(3, 2) = 9;
    EXPECT_EQ(values[11], 9);
}

TEST(Buffer, HandlesShareAndViewsDoNot) {
    Buffer<int> a(4, 3);
    Buffer<int> b = a;
    b.set_min(5);
    EXPECT_EQ(a.min(0), 5);
    EXPECT_TRUE(a.same_as(b));
    Buffer<int> view = a.translated(0, 1);
    EXPECT_EQ(a.min(0), 5);
    EXPECT_EQ(view.min(0), 6);
    EXPECT_EQ(view.data(), a.data());
    a.reset();
    b.reset();
    view.fill(3); // a view keeps the memory alive
    EXPECT_TRUE(view.all_equal(3));
}

TEST(Buffer, ViewsAgreeWithAModel) {
    std::mt19937 random(11);
    for (int round = 0; round < 400; round++) {
        Buffer<int> buffer = random_buffer(random);
        auto model = contents_of(buffer);
        for (int step = 0; step < 4; step++) {
            const int rank = buffer.dimensions();
            const int d = rank > 0 ? static_cast<int>(random() % static_cast<unsigned>(rank)) : 0;
            std::map<Position, int> next;
            auto keep = [&](const std::function<bool(Position &)> &edit) {
                for (const auto &[at, value] : model) {
                    Position moved = at;
                    if (edit(moved)) {
                        next[moved] = value;
                    }
                }
                model = next;
            };
            const auto at = static_cast<size_t>(d);
            switch (random() % 5) {
            case 0:
                if (rank > 0) {
                    const int min = buffer.min(d) + static_cast<int>(random()) % buffer.extent(d) * 0;
                    const int extent = 1 + static_cast<int>(random() % static_cast<unsigned>(buffer.extent(d)));
                    buffer = buffer.cropped(d, min, extent);
                    keep([&](Position &p) { return p[at] >= min && p[at] < min + extent; });
                }
                break;
            case 1:
                if (rank > 0) {
                    const int position = buffer.max(d);
                    buffer = buffer.sliced(d, position);
                    keep([&](Position &p) {
                        const bool in = p[at] == position;
                        p.erase(p.begin() + d);
                        return in;
                    });
                }
                break;
            case 2:
                buffer = buffer.embedded(d, 7);
                keep([&](Position &p) { return p.insert(p.begin() + d, 7), true; });
                break;
            case 3:
                if (rank > 1) {
                    const int other = (d + 1) % rank;
                    buffer = buffer.transposed(d, other);
                    keep([&](Position &p) { return std::swap(p[at], p[static_cast<size_t>(other)]), true; });
                }
                break;
            default:
                if (rank > 0) {
                    buffer = buffer.translated(d, -3);
                    keep([&](Position &p) { return p[at] -= 3, true; });
                }
            }
            ASSERT_EQ(contents_of(buffer), model);
            ASSERT_EQ(contents_of(buffer.copy()), model);
        }
    }
}

TEST(Buffer, CopyFromCopiesTheOverlap) {
    std::mt19937 random(12);
    for (int round = 0; round < 400; round++) {
        Buffer<int> source = random_buffer(random, 3);
        Buffer<int> target = random_buffer(random, 3);
        if (source.dimensions() != target.dimensions()) {
            continue;
        }
        for (int d = 0; d < source.dimensions(); d++) { // so that the buffers overlap
            target.translate(d, source.min(d) - target.min(d) + static_cast<int>(random() % 5) - 2);
        }
        auto expected = contents_of(target);
        for (const auto &[at, value] : contents_of(source)) {
            if (expected.count(at) != 0) {
                expected[at] = value;
            }
        }
        target.copy_from(source);
        ASSERT_EQ(contents_of(target), expected);
        EXPECT_TRUE(target.host_dirty());
    }
}

TEST(Buffer, ForEachValueVisitsEachOnceAndKeepsPlacesTogether) {
    std::mt19937 random(13);
    for (int round = 0; round < 300; round++) {
        Buffer<int> a = random_buffer(random);
        std::vector<int> order(static_cast<size_t>(a.dimensions()));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        std::vector<int> sizes;
        for (int d = 0; d < a.dimensions(); d++) {
            sizes.push_back(a.extent(d));
        }
        Buffer<double> b(sizes, order);
        size_t count = 0;
        b.for_each_value([&](double &out, int in) { out = in * 0.5, count++; }, Buffer<const int>(a));
        EXPECT_EQ(count, a.number_of_elements());
        a.for_each_element([&](const int *at) {
            Position other(at, at + a.dimensions());
            for (int d = 0; d < a.dimensions(); d++) {
                other[static_cast<size_t>(d)] -= a.min(d);
            }
            ASSERT_EQ(b(other), a(at) * 0.5);
        });
    }
}

TEST(Buffer, ForEachElementGoesInOrder) {
    Buffer<int> buffer(3, 2);
    buffer.set_min(1, 10);
    std::vector<Position> visited;
    buffer.for_each_element([&](int x, int y) { visited.push_back({x, y}); });
    EXPECT_EQ(visited, (std::vector<Position>{{1, 10}, {2, 10}, {3, 10}, {1, 11}, {2, 11}, {3, 11}}));
    visited.clear();
    buffer.for_each_element([&](const int *at) { visited.push_back({at[0], at[1]}); });
    EXPECT_EQ(visited.size(), 6U);
    int calls = 0;
    std::vector<int> columns;
    buffer.for_each_element([&](int x) { columns.push_back(x); }); // the last dimensions are not iterated over
    EXPECT_EQ(columns.size(), static_cast<size_t>(buffer.width()));
    EXPECT_EQ(columns.back(), buffer.dim(0).max());
    Buffer<int>(0, 3).for_each_element([&](int, int) { calls++; });
    EXPECT_EQ(calls, 0);
    Buffer<int>::make_scalar().for_each_element([&] { calls++; });
    EXPECT_EQ(calls, 1);
    buffer.fill([](int x, int y) { return x * 100 + y; });
    EXPECT_EQ(buffer(3, 11), 311);
    buffer.fill([](const int *at) { return at[0]; });
    EXPECT_EQ(buffer(3, 11), 3);
}

TEST(Buffer, DimensionsIterate) {
    Buffer<int> buffer(4, 3);
    buffer.set_min(-1, 2);
    int sum = 0;
    for (const int x : buffer.dim(0)) {
        sum += x;
    }
    EXPECT_EQ(sum, -1 + 0 + 1 + 2);
    EXPECT_EQ(buffer.dim(1).max(), 4);
    EXPECT_EQ(buffer.left(), -1);
    EXPECT_EQ(buffer.right(), 2);
    EXPECT_EQ(buffer.top(), 2);
    EXPECT_EQ(buffer.bottom(), 4);
    EXPECT_TRUE(buffer.contains(-1, 2));
    EXPECT_FALSE(buffer.contains(-2, 2));
    EXPECT_FALSE(buffer.contains(0, 5));
    EXPECT_TRUE(buffer.contains(0));
    EXPECT_FALSE(buffer.contains(0, 2, 0));
}

TEST(Buffer, InterleavedAndPlanarCopies) {
    std::mt19937 random(3);
    Buffer<int> planar(5, 4, 3);
    planar.set_min(1, 2, 3);
    planar.for_each_value([&](int &v) { v = static_cast<int>(random()); });
    const Buffer<int> interleaved = planar.copy_to_interleaved();
    EXPECT_EQ(interleaved.stride(2), 1);
    EXPECT_EQ(interleaved.stride(0), 3);
    EXPECT_EQ(contents_of(interleaved), contents_of(planar));
    const Buffer<int> back = interleaved.copy_to_planar();
    EXPECT_EQ(back.stride(0), 1);
    EXPECT_EQ(contents_of(back), contents_of(planar));
    EXPECT_EQ(Buffer<float>::make_with_shape_of(interleaved).stride(2), 1);
}

TEST(Buffer, AddressesAre64Bit) {
    const fluorite_dimension_t shape[] = {{0, 3000000, 1}, {0, 3000000, 3000000}};
    uint8_t byte = 0;
    const Buffer<uint8_t> huge(&byte, 2, shape); // no element is accessed
    EXPECT_EQ(huge.number_of_elements(), 9000000000000U);
    EXPECT_EQ(huge.size_in_bytes(), 9000000000000U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(huge.address_of(5, 2000000)) - reinterpret_cast<uintptr_t>(&byte),
              6000000000005U);
}

TEST(Buffer, Conversions) {
    Buffer<int> typed(3, 2);
    typed.fill(4);
    Buffer<> untyped = typed;
    EXPECT_TRUE(untyped.same_as(typed));
    const Buffer<int, 2> of_rank = untyped;
    EXPECT_EQ(of_rank(2, 1), 4);
    const Buffer<const int> read_only = typed;
    EXPECT_EQ(read_only(0, 0), 4);
    const Buffer<const void> anything = read_only;
    EXPECT_EQ(anything.type(), Int(32));
    EXPECT_EQ(untyped.as<int>()(1, 1), 4);
    EXPECT_TRUE((untyped.is_convertible_to<int, 2>()));
    EXPECT_FALSE((untyped.is_convertible_to<float, 2>()));
    static_assert(!std::is_convertible_v<Buffer<const int>, Buffer<int>>);
    static_assert(!std::is_convertible_v<Buffer<float>, Buffer<int>>);
    static_assert(!std::is_convertible_v<Buffer<int, 2>, Buffer<int, 3>>);
    static_assert(std::is_convertible_v<Buffer<>, Buffer<int, 3>>);
    static_assert(std::is_same_v<decltype(of_rank.sliced(0)), Buffer<int, 1>>);
    static_assert(std::is_same_v<decltype(of_rank.embedded(0)), Buffer<int, 3>>);
    const Buffer<int> from_none = Buffer<>();
    EXPECT_FALSE(from_none.defined());
}

TEST(Buffer, BoundsQueriesHaveNoMemory) {
    Buffer<int> query(static_cast<int *>(nullptr), {0, 0});
    EXPECT_TRUE(query.is_bounds_query());
    query.raw_buffer()->dim[0] = {3, 5, 1};
    query.raw_buffer()->dim[1] = {0, 2, 5};
    query.allocate();
    query.fill(2);
    EXPECT_EQ(query(7, 1), 2);
}

// ---- errors -------------------------------------------------------------------------------------------------------

template <typename Call> std::string message_of(const Call &call, const char *slug, int line) {
    try {
        call();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), slug);
        if (line != 0) {
            EXPECT_NEAR(static_cast<int>(error.location().line), line, 3); // a call may span several lines
            EXPECT_NE(std::string(error.location().file).find("buffer_test.cpp"), std::string::npos);
        }
        return error.message();
    }
    return "";
}

TEST(BufferErrors, TextsAndPlaces) {
    Buffer<int> b(4, 3, "image");
    Buffer<int> none;
    Buffer<> untyped = b;
    EXPECT_EQ(
        message_of([&] { Buffer<float> f = untyped; }, "wrong-buffer-type", __LINE__),
        "in image: the buffer has elements of type int32; a buffer of float32 was asked for; use the type that it "
        "has");
    EXPECT_EQ(message_of([&] { Buffer<int, 3> f = b; }, "wrong-buffer-rank", __LINE__),
              "in image: the buffer has 2 dimensions; 3 were asked for; slice or embed it first");
    EXPECT_EQ(message_of([&] { none.allocate(); }, "undefined-buffer", __LINE__),
              "in a Buffer: the buffer is undefined; only a default-constructed buffer is; give it a size or assign "
              "another buffer first");
    EXPECT_EQ(message_of([&] { b.crop(0, 2, 3); }, "bad-crop", __LINE__),
              "in image: a crop to [2, 4] along dimension 0, which holds [0, 3]; a crop lies inside the buffer; clamp "
              "the range to the buffer");
    EXPECT_EQ(message_of([&] { b.slice(1, 3); }, "bad-slice", __LINE__),
              "in image: a slice at 3 along dimension 1, which holds [0, 2]; a slice lies inside the buffer; choose a "
              "position that it holds");
    EXPECT_EQ(message_of([&] { b.min(2); }, "bad-dimension", __LINE__),
              "in image: dimension 2 is named; the buffer has 2; use 0 to 1");
    EXPECT_EQ(message_of([&] { b.embed(3); }, "bad-dimension", __LINE__),
              "in image: a new dimension 3; the buffer has 2; use 0 to 2");
    EXPECT_EQ(message_of([&] { b.transpose({0, 0}); }, "bad-dimension", __LINE__),
              "in image: the order of a transpose has 2 entries, not each of the 2 dimensions once; a transpose is a "
              "permutation; list each dimension once");
    EXPECT_EQ(message_of([&] { Buffer<int> f({3, 3}, {0, 2}); }, "bad-dimension", __LINE__),
              "in a Buffer: the storage order is {0, 2}; the buffer has 2 dimensions, and an order names each of them "
              "once; list them "
              "from innermost to outermost");
    EXPECT_EQ(message_of([&] { Buffer<int> f({3, -1}, "f"); }, "negative-extent", __LINE__),
              "in f: the extent of dimension 1 is -1; an extent is 0 or more; pass a size of 0 or more");
    EXPECT_EQ(message_of([&] { Buffer<int> f({1 << 20, 1 << 20, 2}, "f"); }, "buffer-too-large", __LINE__),
              "in f: the stride of dimension 2 would be 1099511627776 elements; strides are 32-bit; use smaller inner "
              "extents");
    EXPECT_EQ(message_of([&] { Buffer<double> f({1 << 30, 1 << 30}, "f"); }, "out-of-memory", __LINE__),
              "in f: an allocation of 9223372036854775808 bytes failed; a buffer must fit into memory; use a smaller "
              "buffer");
    EXPECT_EQ(message_of([&] { untyped.copy_from(Buffer<>(Float(32), 4, 3)); }, "bad-copy", __LINE__),
              "in image: copy_from() of 2 dimensions of float32 into 2 of int32; a copy needs equal types and ranks; "
              "convert the elements or slice the buffer first");
    EXPECT_EQ(
        message_of([&] { b.for_each_element([](int, int, int) {}); }, "bad-arity", __LINE__),
        "in image: for_each_element() with a function of 3 coordinates; the buffer has 2 dimensions; take one int "
        "for each, or const int *");
    EXPECT_EQ(message_of([&] { b.fill([](int) { return 1; }); }, "bad-arity", __LINE__),
              "in image: fill() with a function of 1 coordinates; the buffer has 2 dimensions; take one int for each, "
              "or const int *");
    EXPECT_EQ(message_of([&] { b.for_each_value([](int, int) {}, Buffer<int>(5, 3)); }, "bad-shape", __LINE__),
              "in image: for_each_value() with buffers of different extents; all must have the same; crop them first");
    EXPECT_EQ(
        message_of([&] { Buffer<int>(static_cast<int *>(nullptr), std::vector<int>{2}, "q").fill(1); }, "host-is-null",
                   __LINE__),
        "in q: the buffer has no host memory; elements are read and written in host memory; call allocate() first");
    EXPECT_EQ(message_of([&] { b.copy_to_planar(); }, "wrong-buffer-rank", __LINE__),
              "in image: the buffer has 2 dimensions; interleaving is defined for width x height x channels; slice or "
              "embed it first");
    EXPECT_EQ(message_of([&] { b((int64_t{1} << 32) + 1, 0) = 1; }, "bad-access", __LINE__),
              "in image: the element at (2147483647, 0) is touched; the buffer holds [0, 3] x [0, 2]; keep coordinates "
              "inside");
    EXPECT_EQ(&b(size_t{3}, int64_t{2}), &b(3, 2));
    EXPECT_EQ(message_of([&] { b(4, 0) = 1; }, "bad-access", __LINE__),
              "in image: the element at (4, 0) is touched; the buffer holds [0, 3] x [0, 2]; keep coordinates inside");
}

} // namespace
