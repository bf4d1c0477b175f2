// Applications on ranks: the bits of one rank, for every number of ranks, with a pattern in memory that nobody wrote.
#include "app_test.h"
#include "apps/ranks/ranks.h"

#include <atomic>
#include <cstring>

namespace apps::ranks_test {
namespace {

using fluorite::Buffer;
using fluorite::DistributedImage;

/// Calls the function with each point of a box of sizes.
template <typename Visit> void for_each_point(const std::vector<int> &sizes, const Visit &visit) {
    std::vector<int> point(sizes.size(), 0);
    for (bool more = true; more;) {
        visit(point);
        more = false;
        for (size_t d = 0; d < sizes.size() && !more; d++) {
            more = ++point[d] < sizes[d];
            point[d] = more ? point[d] : 0;
        }
    }
}

std::vector<int> sizes_of(const Buffer<> &buffer) {
    std::vector<int> sizes;
    for (int d = 0; d < buffer.dimensions(); d++) {
        sizes.push_back(buffer.dim(d).extent());
    }
    return sizes;
}

/// Copies the elements of the part that a buffer has, from a buffer of the whole or back into it.
template <typename T> void exchange(Buffer<T> part, Buffer<T> whole, bool into_whole) {
    for_each_point(sizes_of(Buffer<>(part)), [&](std::vector<int> point) {
        for (size_t d = 0; d < point.size(); d++) {
            point[d] += part.dim(static_cast<int>(d)).min();
        }
        (into_whole ? whole : part)(point) = (into_whole ? part : whole)(point);
    });
}

/// Distributes an image of two or three dimensions along y, or along x and y.
template <typename T> void place(DistributedImage<T> &image, Cut cut) {
    fluorite::Var x("x"), y("y"), c("c");
    const std::vector<fluorite::Var> all = {x, y, c};
    image.set_domain({all.begin(), all.begin() + image.dimensions()});
    cut == Cut::Rows ? image.placement().distribute(y) : image.placement().distribute(x, y);
}

template <typename In, typename Out> void expect_same_on_ranks(const OnRanks &app, const std::string &name) {
    Buffer<In> input(app.input_sizes);
    std::mt19937 random(5);
    for (size_t i = 0; i < input.number_of_elements(); i++) {
        const unsigned value = random();
        input.data()[i] =
            std::is_floating_point_v<In> ? static_cast<In>(value % 1000 / 1000.0F) : static_cast<In>(value);
    }
    Buffer<Out> expected;
    for (int count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64}) {
        DistributedImage<In> in(app.input, app.input_sizes);
        DistributedImage<Out> out(app.output_sizes, "result");
        place(in, Cut::Rows);
        place(out, Cut::Blocks);
        Buffer<Out> whole(app.output_sizes);
        app.output.compile_jit();
        fluorite::run_on_ranks(count, [&] {
            count % 2 == 0 ? in.allocate() : in.allocate(app.output, out);
            out.allocate();
            exchange(in.get_buffer(), input, false);
            app.output.realize(out);
            exchange(out.get_buffer(), whole, true);
        });
        if (count == 1) {
            expected = whole;
        }
        EXPECT_EQ(std::memcmp(whole.data(), expected.data(), expected.size_in_bytes()), 0)
            << name << " on " << count << " ranks";
    }
}

void expect_same_on_ranks(const OnRanks &app, const std::string &name) {
    const fluorite::Type in = app.input.type(), out = app.output.types()[0];
    if (in == fluorite::Float(32)) {
        expect_same_on_ranks<float, float>(app, name);
    } else if (in == fluorite::UInt(16) && out == fluorite::UInt(8)) {
        expect_same_on_ranks<uint16_t, uint8_t>(app, name);
    } else if (in == fluorite::UInt(16)) {
        expect_same_on_ranks<uint16_t, uint16_t>(app, name);
    } else {
        ASSERT_EQ(in, fluorite::UInt(8));
        expect_same_on_ranks<uint8_t, uint8_t>(app, name);
    }
}

class Ranks : public testing::TestWithParam<size_t> {};

TEST_P(Ranks, GiveTheBitsOfOne) {
    const RankedApp app = ranked_apps()[GetParam()];
    expect_same_on_ranks(app.make(97, 75, Schedule::Hand, Cut::Rows), app.name);
    expect_same_on_ranks(app.make(83, 90, Schedule::Default, Cut::Blocks), app.name);
}

INSTANTIATE_TEST_SUITE_P(OfAll, Ranks, testing::Range<size_t>(0, ranked_apps().size()),
                         [](const auto &info) { return ranked_apps()[info.param].name; });

// Coarse levels of pyramids on few ranks.
TEST(RanksOfPyramids, GiveTheBitsOfOneWithCoarseLevelsOnFewRanks) {
    for (const RankedApp &app : ranked_apps()) {
        if (app.make_with) {
            expect_same_on_ranks(app.make_with(97, 75, Schedule::Hand, Cut::Blocks, {6, 3, 3}), app.name);
        }
    }
}

// One rank computes what the application computes without ranks.
TEST(RanksOfOne, AreTheApplication) {
    const int w = 70, h = 60;
    Blur plain(Schedule::Hand);
    const auto input = random_image<uint16_t>(w, h);
    plain.input.set(over(input, 2));
    const Buffer<uint16_t> expected = plain.output.realize({w, h});
    const OnRanks app = ranked_apps()[1].make(w, h, Schedule::Hand, Cut::Rows);
    DistributedImage<uint16_t> in(app.input, {w, h});
    fluorite::run_on_ranks(1, [&] {
        in.allocate();
        exchange<uint16_t>(in.get_buffer(), over(input, 2), false);
        const Buffer<uint16_t> result = app.output.realize({w, h});
        EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size_in_bytes()), 0);
    });
}

} // namespace
} // namespace apps::ranks_test
