// in() and clone_in(): the loop nests before and after them, as their pages in docs/directives show, and wrappers of
// wrappers, of clones and of images.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::directives_wrapper_test {
namespace {

class DirectivesOfWrappers : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    RDom r{0, 8, 0, 20, "r"};
    Func f{"f"}, g{"g"};
};

TEST_F(DirectivesOfWrappers, In) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.in(f).compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      produce g_in_f:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g_in_f(...) = ...\n"
                             "      consume g_in_f:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
}

TEST_F(DirectivesOfWrappers, CloneIn) {
    Func h("h");
    g(x, y) = x + y;
    h(x, y) = g(x, y) * 2;
    f(x, y) = g(x, y) + h(x, y + 1);
    g.compute_root();
    h.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce h:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        h(...) = ...\n"
                             "  consume h:\n"
                             "    produce f:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
    g.clone_in(h).compute_at(h, y);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce h:\n"
                             "    for y:\n"
                             "      produce g_clone_in_h:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g_clone_in_h(...) = ...\n"
                             "      consume g_clone_in_h:\n"
                             "        for x:\n"
                             "          h(...) = ...\n"
                             "  consume h:\n"
                             "    produce f:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
}

TEST_F(DirectivesOfWrappers, CloneOfUpdatesHasItsOwnSchedule) {
    Func h("h");
    g(x) = x;
    g(r.x) += g(r.x) * r.y;
    g.compute_root().vectorize(x, 4);
    h(x, y) = g(x) + y;
    f(x, y) = g(x) * h(x, y);
    Func clone = g.clone_in(h);
    EXPECT_TRUE(clone.same_as(g.clone_in(h)));
    EXPECT_EQ(clone.num_update_definitions(), 1);
    EXPECT_EQ(Stage(clone).loops(), (std::vector<std::string>{"xv", "x"})) << "the schedule as it stood is copied";
    clone.compute_at(f, y);
    const Buffer<int> out = f.realize(12, 3);
    int values[12];
    for (int i = 0; i < 12; i++) {
        values[i] = i;
        for (int k = 0; i < 8 && k < 20; k++) {
            values[i] = static_cast<int>(static_cast<unsigned>(values[i]) +
                                         static_cast<unsigned>(values[i]) * static_cast<unsigned>(k));
        }
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 12; i++) {
            const auto v = static_cast<unsigned>(values[i]);
            ASSERT_EQ(out(i, j), static_cast<int>(v * (v + static_cast<unsigned>(j)))) << i << ' ' << j;
        }
    }
}

TEST_F(DirectivesOfWrappers, ClonesReadInputsThroughWrappersOfTheirOwn) {
    ImageParam im(Int(32), 2, "im");
    Buffer<int> image(10, 3);
    image.for_each_element([&](int i, int j) { image(i, j) = i * i - 7 * j; });
    im.set(image);
    Func h("h");
    g(x, y) = im(x, y) * 3 + im(x + 1, y);
    h(x, y) = g(x, y) + 1;
    f(x, y) = g(x, y) - 2 * h(x, y);
    Func clone = g.clone_in(h);
    clone.compute_at(f, y);
    im.in(clone).compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce im_in_g_clone_in_h:\n"
                             "      for _1:\n"
                             "        for _0:\n"
                             "          im_in_g_clone_in_h(...) = ...\n"
                             "    consume im_in_g_clone_in_h:\n"
                             "      produce g_clone_in_h:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g_clone_in_h(...) = ...\n"
                             "      consume g_clone_in_h:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
    const Buffer<int> out = f.realize({9, 3});
    out.for_each_element([&](int i, int j) {
        const int value = image(i, j) * 3 + image(i + 1, j);
        EXPECT_EQ(out(i, j), value - 2 * (value + 1)) << i << ' ' << j;
    });
}

TEST_F(DirectivesOfWrappers, WrappersOfWrappers) {
    ImageParam im(Int(32), 2, "im");
    g(x, y) = im(x, y) * 3;
    f(x, y) = g(x, y) + g(x + 1, y);
    g.compute_root();
    g.in(f).compute_at(f, y);
    g.in(f).in(f).compute_at(f, x);
    im.in().in().compute_at(g, y);
    const std::string nest = f.loop_nest();
    for (const char *line : {"produce g_in_f:", "produce g_in_f_in_f:", "produce im_global_wrapper_global_wrapper:"}) {
        EXPECT_NE(nest.find(line), std::string::npos) << line << " is no part of\n" << nest;
    }
    Buffer<int> pixels(6, 5);
    pixels.for_each_element([&](int i, int j) { pixels(i, j) = 10 * i + j; });
    im.set(pixels);
    const Buffer<int> out = f.realize({5, 5});
    out.for_each_element([&](int i, int j) { EXPECT_EQ(out(i, j), 3 * (20 * i + 10 + 2 * j)); });
}

// A Func whose consumer is not in the pipeline is computed at root, so that it can be examined alone.
TEST_F(DirectivesOfWrappers, PlacesInOtherPipelines) {
    g(x, y) = x + 10 * y;
    f(x, y) = g(x, y) + g(x + 1, y);
    g.store_at(f, y).compute_at(f, x).vectorize(x, 4);
    const Buffer<int> alone = g.realize({7, 3});
    alone.for_each_element([&](int i, int j) { EXPECT_EQ(alone(i, j), i + 10 * j); });
    const Buffer<int> whole = f.realize({7, 3});
    EXPECT_EQ(whole(6, 2), 26 + 27);
    EXPECT_NE(f.loop_nest().find("      for x:\n        produce g:"), std::string::npos) << f.loop_nest();
}

TEST_F(DirectivesOfWrappers, WrappersOfImages) {
    ImageParam im(Int(32), 2, "im");
    f(x, y) = im(x, y) + im(x + 1, y);
    Func staged = im.in(f);
    EXPECT_TRUE(staged.same_as(im.in(f)));
    staged.compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce im_in_f:\n"
                             "      for _1:\n"
                             "        for _0:\n"
                             "          im_in_f(...) = ...\n"
                             "    consume im_in_f:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    im.in().compute_root(); // for all other consumers, of which there are none
    g(x, y) = f(x, y) + im(y, x);
    f.compute_root();
    EXPECT_NE(g.loop_nest().find("im_global_wrapper"), std::string::npos);
    Buffer<int> pixels(9, 9);
    pixels.for_each_element([&](int i, int j) { pixels(i, j) = 10 * i + j; });
    im.set(pixels);
    const Buffer<int> out = g.realize(8, 8);
    EXPECT_EQ(out(3, 5), 35 + 45 + 53);
}

} // namespace
} // namespace fluorite::directives_wrapper_test
