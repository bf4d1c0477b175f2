// Coarse levels on few ranks, the number of ranks in programs, and the order of dimensions in the memory of ranks.
#include "driver/on_ranks/test_images.h"

namespace fluorite::few_ranks_test {
namespace {

using namespace driver::testing;

/// A pyramid of averages, whose levels are added up again on the way back.
struct Pyramid {
    static constexpr int w = 61, h = 83, levels = 4;
    Var x{"x"}, y{"y"};
    std::vector<Func> down, up;

    template <typename Image> explicit Pyramid(const Image &in) {
        for (int k = 0; k < levels; k++) {
            down.emplace_back("down" + std::to_string(k));
            up.emplace_back("up" + std::to_string(k));
        }
        down[0](x, y) = cast<float>(in(clamp(x, 0, w - 1), clamp(y, 0, h - 1)));
        for (int k = 1; k < levels; k++) {
            const Func &fine = down[static_cast<size_t>(k) - 1];
            down[static_cast<size_t>(k)](x, y) =
                (fine(2 * x, 2 * y) + fine(2 * x + 1, 2 * y) + fine(2 * x, 2 * y + 1) + fine(2 * x + 1, 2 * y + 1)) *
                0.25f;
        }
        up.back()(x, y) = down.back()(x, y);
        for (size_t k = levels - 1; k-- > 0;) {
            up[k](x, y) = down[k](x, y) - up[k + 1]((x + 1) / 2, y / 2) * 0.5f;
        }
        for (size_t k = 1; k < levels; k++) {
            down[k].compute_root();
            up[k].compute_root();
        }
    }
};

TEST(FewRanks, CoarseLevelsOfPyramids) {
    const Buffer<int> in = filled<int>(Pyramid::w, Pyramid::h);
    const Buffer<float> expected = Pyramid(in).up[0].realize({Pyramid::w, Pyramid::h});
    for (const int ranks : {1, 2, 3, 6, 8, 17}) {
        for (const bool by_rows : {true, false}) {
            std::atomic<int> points = 0, wrong = 0;
            DistributedImage<int> image(Pyramid::w, Pyramid::h, "in"); // and the pyramid: threads share them
            DistributedImage<float> out(Pyramid::w, Pyramid::h, "out");
            Pyramid pyramid(image);
            const auto cut = [&](Func &func) {
                by_rows ? func.distribute(pyramid.y) : func.distribute(pyramid.x, pyramid.y);
            };
            std::vector<Func> coarse;
            for (size_t k = 0; k < Pyramid::levels; k++) {
                if (k > 0) {
                    cut(pyramid.down[k]);
                    coarse.push_back(pyramid.down[k]);
                }
                cut(pyramid.up[k]);
            }
            agglomerate({coarse[1], coarse[2], pyramid.up[3]}, max(number_of_ranks() / 3, 2));
            image.set_domain(pyramid.x, pyramid.y);
            image.placement().distribute(pyramid.y);
            out.set_domain(pyramid.x, pyramid.y);
            out.placement().distribute(pyramid.y);
            run_on_ranks(ranks, [&] {
                image.allocate();
                out.allocate();
                fill(image);
                pyramid.up[0].realize(out);
                compare(out, expected, points, wrong);
            });
            EXPECT_EQ(points, Pyramid::w * Pyramid::h);
            EXPECT_EQ(wrong, 0) << ranks << " ranks";
        }
    }
}

TEST(FewRanks, OthersHaveNoParts) {
    std::atomic<int> owned_rows = 0, owners = 0;
    run_on_ranks(8, [&] {
        Var x("x"), y("y");
        DistributedImage<int> image(5, 40, "image");
        image.set_domain(x, y);
        image.placement().distribute(y).agglomerate(3);
        image.allocate();
        owned_rows += image.height();
        owners += image.height() > 0 ? 1 : 0;
        Func f("f");
        f(x, y) = x + 5 * y;
        f.distribute(y).agglomerate(number_of_ranks() - 5);
        f.realize(image);
        for (int j = 0; j < image.height(); j++) {
            EXPECT_EQ(image(4, j), 4 + 5 * image.global(1, j));
        }
    });
    EXPECT_EQ(owned_rows, 40);
    EXPECT_LE(owners, 3);
    EXPECT_GE(owners, 2);
}

TEST(FewRanks, ThePartsOfADistributedFuncAreMeant) {
    const auto with = [](const std::function<void(Blur &)> &schedule) {
        return [schedule] {
            const Buffer<int> in = filled<int>(8, 8);
            Blur blur(in, 8, 8);
            schedule(blur);
            (void)blur.blur_y.realize({8, 8});
        };
    };
    const std::string rest = ": agglomerate is applied to it, and no loop of it is distributed; what is left to few "
                             "ranks are its parts; call distribute() as well";
    expect_on_ranks<CompileError>("distributed-func", "in blur_x" + rest,
                                  with([](Blur &blur) { blur.blur_x.compute_root().agglomerate(2); }));
    expect_on_ranks<CompileError>("distributed-func", "in blur_x" + rest,
                                  with([](Blur &blur) { blur.blur_x.agglomerate(2); }));
    expect_on_ranks<CompileError>("distributed-func", "in blur_y" + rest,
                                  with([](Blur &blur) { blur.blur_y.agglomerate(2); }));
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in blur_y: a number of ranks or the factor of a distributed loop is 0; it is 1 or "
        "more, and known before the run; give a positive number or a Param",
        with([](Blur &blur) { blur.blur_y.distribute(blur.y).agglomerate(number_of_ranks() / 4); }));
    const auto refuse_placement = [](const std::string &text, const std::function<void(Func &, Var, Var)> &schedule) {
        expect_on_ranks<RuntimeError>("bad-distribution", "in image: " + text, [&] {
            Var x("x"), y("y");
            DistributedImage<int> image(4, 4, "image");
            image.set_domain(x, y);
            schedule(image.placement(), x, y);
            image.allocate();
        });
    };
    refuse_placement("agglomerate is applied to its placement, and no loop of it is distributed; what is left to few "
                     "ranks are its parts; call distribute() as well, or remove agglomerate",
                     [](Func &placement, Var, Var) { placement.agglomerate(2); });
    refuse_placement("reorder_storage is applied to its placement, and the memory of an image is dense along its first "
                     "dimension, as pipelines read it; a placement says which rank has what; remove reorder_storage",
                     [](Func &placement, Var x, Var y) { placement.distribute(y).reorder_storage({y, x}); });
}

TEST(NumberOfRanks, InDefinitionsAndSchedules) {
    for (const int count : {1, 2, 4, 6}) {
        std::atomic<int> wrong = 0, points = 0;
        run_on_ranks(count, [&] {
            Var x("x"), y("y");
            DistributedImage<int> out(24, 18, "out");
            Func f("f");
            f(x, y) = x + 100 * y + 10000 * number_of_ranks();
            f.distribute(x, y, max(number_of_ranks() / 2, 1), min(number_of_ranks(), 2));
            f.specialize(number_of_ranks() > 2).vectorize(x, 8);
            out.set_domain(x, y);
            out.placement().distribute(x, y, max(number_of_ranks() / 2, 1), min(number_of_ranks(), 2));
            out.allocate();
            f.realize(out);
            for (int j = 0; j < out.height(); j++) {
                for (int i = 0; i < out.width(); i++) {
                    points++;
                    wrong += out(i, j) == out.global(0, i) + 100 * out.global(1, j) + 10000 * count ? 0 : 1;
                }
            }
            EXPECT_EQ(out.width(), 24 / std::max(count / 2, 1));
        });
        EXPECT_EQ(points, 24 * 18);
        EXPECT_EQ(wrong, 0) << count << " ranks";
    }
    expect_error<RuntimeError>(
        [] {
            Var x("x");
            Func f("f");
            f(x) = number_of_ranks();
            (void)f.realize({8});
        },
        "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it with Open MPI or "
        "MPICH (mpicxx), or run without `distribute`");
}

// The order of dimensions in memory: of tuples, with updates, read across parts, repeated, on grids.
TEST(ReorderedStorage, OfFuncsThatRanksExchange) {
    constexpr int w = 21, h = 34, channels = 3;
    Var x("x"), y("y"), c("c");
    struct Program {
        Func pair{"pair"}, sum{"sum"};
        Program(Var x, Var y, Var c, const std::function<Expr(Expr, Expr)> &in) {
            pair(x, y, c) = Tuple(in(x, y) * (c + 1), cast<float>(in(x, y)) + cast<float>(c));
            pair(x, y, c) = Tuple(pair(x, y, c)[0] + x, pair(x, y, c)[1] * 0.5f);
            const Func around = BoundaryConditions::repeat_image(pair, {{0, w}, {0, h}, {0, channels}});
            sum(x, y, c) = cast<float>(around(x - 1, y, c)[0] + around(x + 1, y, c)[0]) + around(x, y - 1, c)[1] -
                           around(x, y + 2, c)[1];
        }
    };
    const Buffer<int> source = filled<int>(w, h);
    const Buffer<float> expected = Program(x, y, c, [&](const Expr &i, const Expr &j) {
                                       return source(clamp(i, 0, w - 1), clamp(j, 0, h - 1));
                                   }).sum.realize({w, h, channels});
    for (const int count : rank_counts) {
        for (const bool by_rows : {true, false}) {
            std::atomic<int> wrong = 0, points = 0;
            DistributedImage<int> in(w, h, "in");
            DistributedImage<float> out(w, h, channels, "out");
            Program program(x, y, c,
                            [&](const Expr &i, const Expr &j) { return in(clamp(i, 0, w - 1), clamp(j, 0, h - 1)); });
            program.pair.compute_root().reorder_storage({c, y, x}).reorder(c, x, y).vectorize(c, 4);
            by_rows ? program.pair.distribute(y) : program.pair.distribute(x, y);
            by_rows ? program.sum.distribute(y) : program.sum.distribute(x, y);
            program.sum.vectorize(x, 8);
            in.set_domain(x, y);
            in.placement().distribute(y);
            out.set_domain(x, y, c);
            by_rows ? out.placement().distribute(y) : out.placement().distribute(x, y);
            run_on_ranks(count, [&] {
                in.allocate();
                out.allocate();
                fill(in);
                program.sum.realize(out);
                for (int k = 0; k < channels; k++) {
                    for (int j = 0; j < out.height(); j++) {
                        for (int i = 0; i < out.width(); i++) {
                            points++;
                            wrong += out(i, j, k) == expected(out.global(0, i), out.global(1, j), k) ? 0 : 1;
                        }
                    }
                }
            });
            EXPECT_EQ(points, w * h * channels);
            EXPECT_EQ(wrong, 0) << count << " ranks";
        }
    }
}

} // namespace
} // namespace fluorite::few_ranks_test
