// The classic schedules of two stages: the loop nest of each, and equal bits for all of them on odd sizes.
#include "fluorite/fluorite.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::loop_nests_test {
namespace {

constexpr int width = 37, height = 29; // odd, and no multiple of any factor below

Buffer<uint16_t> make_input() {
    Buffer<uint16_t> input(width + 2, height + 2);
    input.for_each_element([&](int x, int y) { input(x, y) = static_cast<uint16_t>((x * 7919 + y * 104729) % 65521); });
    return input;
}

uint16_t third(int sum) { return static_cast<uint16_t>(static_cast<uint16_t>(sum) / 3); }

// The two-stage blur: rows are blurred in x, then columns of the result in y; uint16 sums wrap.
struct Blur {
    Buffer<uint16_t> input = make_input();
    Func blur_x{"blur_x"}, blur_y{"blur_y"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};

    Blur() {
        blur_x(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / cast<uint16_t>(3);
        blur_y(x, y) = (blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2)) / cast<uint16_t>(3);
    }

    uint16_t row(int x, int y) const { return third(input(x, y) + input(x + 1, y) + input(x + 2, y)); }

    void expect_right(int w = width, int h = height) const {
        Buffer<uint16_t> output = blur_y.realize(w, h);
        int wrong = 0;
        for (int py = 0; py < h; py++) {
            for (int px = 0; px < w; px++) {
                const uint16_t expected = third(row(px, py) + row(px, py + 1) + row(px, py + 2));
                if (output(px, py) != expected && wrong++ == 0) {
                    ADD_FAILURE() << "at " << px << ", " << py << ": " << output(px, py) << ", not " << expected;
                }
            }
        }
        EXPECT_EQ(wrong, 0) << "of " << w << " x " << h;
    }

    // Checks the text of the nest, and the bits for sizes below, at and above the factors in use.
    void expect_nest(const std::string &nest) const {
        EXPECT_EQ(blur_y.loop_nest(), nest);
        expect_right();
        expect_right(33, 17);
        expect_right(16, 16);
    }
};

TEST(LoopNests, FullFusion) {
    Blur b;
    b.expect_nest("produce blur_y:\n"
                  "  for y:\n"
                  "    for x:\n"
                  "      blur_y(...) = ...\n");
    b.expect_right(1, 1);
}

TEST(LoopNests, BreadthFirst) {
    Blur b;
    b.blur_x.compute_root();
    b.expect_nest("produce blur_x:\n"
                  "  for y:\n"
                  "    for x:\n"
                  "      blur_x(...) = ...\n"
                  "consume blur_x:\n"
                  "  produce blur_y:\n"
                  "    for y:\n"
                  "      for x:\n"
                  "        blur_y(...) = ...\n");
    b.expect_right(1, 1);
}

TEST(LoopNests, SlidingWindow) {
    Blur b;
    b.blur_x.store_root().compute_at(b.blur_y, b.x);
    b.expect_nest("store blur_x:\n"
                  "  produce blur_y:\n"
                  "    for y:\n"
                  "      for x:\n"
                  "        produce blur_x:\n"
                  "          for y:\n"
                  "            for x:\n"
                  "              blur_x(...) = ...\n"
                  "        consume blur_x:\n"
                  "          blur_y(...) = ...\n");
    b.expect_right(1, 1);
}

TEST(LoopNests, LineBuffering) {
    Blur b;
    b.blur_x.store_root().compute_at(b.blur_y, b.y);
    b.expect_nest("store blur_x:\n"
                  "  produce blur_y:\n"
                  "    for y:\n"
                  "      produce blur_x:\n"
                  "        for y:\n"
                  "          for x:\n"
                  "            blur_x(...) = ...\n"
                  "      consume blur_x:\n"
                  "        for x:\n"
                  "          blur_y(...) = ...\n");
    b.expect_right(1, 1);
}

TEST(LoopNests, Tiles) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8);
    b.blur_x.compute_at(b.blur_y, b.xo);
    b.expect_nest("produce blur_y:\n"
                  "  for yo:\n"
                  "    for xo:\n"
                  "      produce blur_x:\n"
                  "        for y:\n"
                  "          for x:\n"
                  "            blur_x(...) = ...\n"
                  "      consume blur_x:\n"
                  "        for yi in [0, 7]:\n"
                  "          for xi in [0, 15]:\n"
                  "            blur_y(...) = ...\n");
}

TEST(LoopNests, SlidingWindowWithinTiles) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8);
    b.blur_x.store_at(b.blur_y, b.xo).compute_at(b.blur_y, b.yi);
    b.expect_nest("produce blur_y:\n"
                  "  for yo:\n"
                  "    for xo:\n"
                  "      store blur_x:\n"
                  "        for yi in [0, 7]:\n"
                  "          produce blur_x:\n"
                  "            for y:\n"
                  "              for x:\n"
                  "                blur_x(...) = ...\n"
                  "          consume blur_x:\n"
                  "            for xi in [0, 15]:\n"
                  "              blur_y(...) = ...\n");
}

TEST(LoopNests, StripsInParallelWithVectors) {
    Blur b;
    b.blur_y.split(b.y, b.yo, b.yi, 8).parallel(b.yo).vectorize(b.x, 8);
    b.blur_x.store_at(b.blur_y, b.yo).compute_at(b.blur_y, b.yi).vectorize(b.x, 8);
    b.expect_nest("produce blur_y:\n"
                  "  parallel yo:\n"
                  "    store blur_x:\n"
                  "      for yi in [0, 7]:\n"
                  "        produce blur_x:\n"
                  "          for y:\n"
                  "            for x:\n"
                  "              vectorized xv in [0, 7]:\n"
                  "                blur_x(...) = ...\n"
                  "        consume blur_x:\n"
                  "          for x:\n"
                  "            vectorized xv in [0, 7]:\n"
                  "              blur_y(...) = ...\n");
}

// The number of computed values of blur_x tells whether the window slides.
int values_computed(const std::function<void(Blur &)> &schedule) {
    Blur b;
    schedule(b);
    static int stores;
    stores = 0;
    b.blur_x.trace_stores();
    set_custom_trace([](void *, const fluorite_trace_event_t *) {
        stores++;
        return 0;
    });
    b.expect_right();
    set_custom_trace(nullptr);
    return stores;
}

TEST(LoopNests, SlidingComputesEachValueOnce) {
    const int rows = width * (height + 2);
    EXPECT_EQ(values_computed([](Blur &b) { b.blur_x.compute_root(); }), rows);
    EXPECT_EQ(values_computed([](Blur &b) { b.blur_x.store_root().compute_at(b.blur_y, b.y); }), rows)
        << "line buffering";
    EXPECT_EQ(values_computed([](Blur &b) { b.blur_x.store_root().compute_at(b.blur_y, b.x); }), rows) << "by points";
    EXPECT_EQ(values_computed([](Blur &b) { b.blur_x.compute_at(b.blur_y, b.y); }), 3 * width * height) << "no window";
}

} // namespace
} // namespace fluorite::loop_nests_test
