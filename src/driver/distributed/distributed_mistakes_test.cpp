// Mistakes in programs with DistributedImages, and their errors.
#include "driver/distributed/test_images.h"

namespace fluorite {
namespace {

using namespace driver::testing;

TEST(DistributedImage, ThereAreRanks) {
    expect_error<RuntimeError>(
        [] {
            DistributedImage<int> image(4, 4, "image");
            image.allocate();
        },
        "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it with Open MPI or "
        "MPICH (mpicxx), or run without `distribute`");
    expect_error<RuntimeError>(
        [] {
            const Buffer<int> in = filled<int>(8, 8);
            Blur blur(in, 8, 8);
            blur.blur_y.distribute(blur.y);
            (void)blur.blur_y.realize({8, 8});
        },
        "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it with Open MPI or "
        "MPICH (mpicxx), or run without `distribute`");
}

TEST(DistributedImage, RanksRunAFunction) {
    expect_error<RuntimeError>([] { run_on_ranks(2, {}); }, "bad-distribution",
                               "in run_on_ranks: there is no function to run; each rank calls it once; pass one");
}

TEST(DistributedImage, GridsHaveAtMostAsManyPartsAsRanks) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in image: it is distributed over 2 x 2 ranks, and there are 2; a grid has at most as "
        "many ranks as run; leave the grid out, or start more ranks",
        [] {
            Var x("x"), y("y");
            DistributedImage<int> image(4, 4, "image");
            image.set_domain(x, y);
            image.placement().distribute(x, y, 2, 2);
            image.allocate();
        });
}

TEST(DistributedImage, OrderOfCalls) {
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: placement() before set_domain(); a placement names dimensions; call "
                                  "set_domain(x, y) with one Var for each",
                                  [] { DistributedImage<int>(4, 4, "image").placement(); });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: an element is asked for before allocate(); which part this rank has is "
                                  "known from then on; call placement() and allocate() first",
                                  [] { DistributedImage<int>(4, 4, "image")(0, 0) = 1; });
    expect_on_ranks<RuntimeError>(
        "bad-distribution", "in image: set_domain() names 1 dimensions; it has 2; give one Var for each dimension",
        [] { DistributedImage<int>(4, 4, "image").set_domain(Var("x")); });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in input: the image has no memory yet; a run reads images that are allocated; call "
                                  "allocate() after placement()",
                                  [] {
                                      Var x("x"), y("y");
                                      DistributedImage<int> input(4, 4, "input"), output(4, 4, "output");
                                      Func f("f");
                                      f(x, y) = input(x, y);
                                      output.allocate();
                                      f.realize(output);
                                  });
}

TEST(DistributedImage, ElementsAreThoseOfThePart) {
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: element (0, 3) of this rank's part is asked for, which is [0, 4) x [0, 3) "
                                  "of the image; local coordinates begin at 0, one for each dimension; use mine() and "
                                  "local() for coordinates of the whole image",
                                  [] {
                                      Var x("x"), y("y");
                                      DistributedImage<int> image(4, 6, "image");
                                      image.set_domain(x, y);
                                      image.placement().distribute(y);
                                      image.allocate();
                                      if (ranks().rank == 0) {
                                          image(0, 3) = 1;
                                      }
                                  });
}

TEST(DistributedImage, RanksRunTheSameProgram) {
    expect_on_ranks<RuntimeError>("ranks-disagree",
                                  "in f: definitions or schedules of rank 1 are not those of rank 0; all ranks run one "
                                  "program with one schedule over the same domains; look for what depends on the rank",
                                  [] {
                                      Var x("x");
                                      Func f("f");
                                      f(x) = x + ranks().rank;
                                      f.distribute(x);
                                      (void)f.realize({8});
                                  });
}

TEST(DistributedImage, DirectivesThatHaveNoMeaning) {
    const auto with = [](const std::function<void(Blur &)> &schedule) {
        return [schedule] {
            const Buffer<int> in = filled<int>(8, 8);
            Blur blur(in, 8, 8);
            blur.blur_x.compute_root();
            blur.blur_y.distribute(blur.y);
            schedule(blur);
            (void)blur.blur_y.realize({8, 8});
        };
    };
    expect_on_ranks<CompileError>(
        "distributed-func",
        "in blur_x: memoize is applied to it, and its values are exchanged between ranks; "
        "their memory and the time of their computation belong to the distributed run; remove "
        "memoize, or compute the Func inside of a consumer",
        with([](Blur &blur) { blur.blur_x.memoize(); }));
    expect_on_ranks<CompileError>("distributed-func",
                                  "in clamped: it is distributed, but not computed at root; ranks exchange what is "
                                  "computed as a whole; call compute_root() or compute_rank()",
                                  with([](Blur &blur) { blur.clamped.distribute(blur.x); }));
}

TEST(DistributedImage, OnlyRealized) {
    const Buffer<int> in = filled<int>(8, 8);
    Blur blur(in, 8, 8);
    blur.blur_y.distribute(blur.y);
    expect_error<CompileError>(
        [&] { (void)blur.blur_y.compile_to_callable({}); }, "not-built",
        "in blur_y: compile_to_callable of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
    expect_error<CompileError>(
        [&] { blur.blur_y.infer_input_bounds({8, 8}); }, "not-built",
        "in blur_y: infer_input_bounds of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
    expect_error<CompileError>(
        [&] { blur.blur_y.compile_to_lowered_stmt("blur.stmt", {}); }, "not-built",
        "in blur_y: compilation ahead of time of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
    expect_error<CompileError>(
        [&] { (void)Pipeline(blur.blur_y).compile_report(); }, "not-built",
        "in blur_y: the compile report of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
}

} // namespace
} // namespace fluorite
