// Mistakes in programs with DistributedImages, and their errors.
#include "driver/on_ranks/test_images.h"

namespace fluorite::distributed_mistakes_test {
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

// What is final once an image has memory, and what needs it.
TEST(DistributedImage, PlacementsAreFinalWithTheMemory) {
    const auto refused = [](const std::string &text, const std::function<void(DistributedImage<int> &)> &late) {
        expect_on_ranks<RuntimeError>("bad-distribution", "in image: " + text, [&] {
            Var x("x"), y("y");
            DistributedImage<int> image(6, 4, "image");
            image.set_domain(x, y);
            image.placement().distribute(y);
            image.allocate();
            late(image);
        });
    };
    refused("set_domain() after allocate(); the placement is final then; call it first",
            [](DistributedImage<int> &image) { image.set_domain(Var("x"), Var("y")); });
    refused("placement() after allocate(); the memory is that of the placement before; call placement() first",
            [](DistributedImage<int> &image) { image.placement(); });
    refused("allocate() of an image that has memory; an image is allocated once, after its placement; make another one "
            "for another placement",
            [](DistributedImage<int> &image) { image.allocate(); });
    refused("dimension 2 is named; it has 2, numbered from 0; name one of them",
            [](DistributedImage<int> &image) { (void)image.extent(2); });
    refused("dimension -1 is named; it has 2, numbered from 0; name one of them",
            [](DistributedImage<int> &image) { (void)image.global_extent(-1); });
    refused("mine() of a point with 1 coordinates; it has 2 dimensions; give one coordinate for each",
            [](DistributedImage<int> &image) { (void)image.mine(1); });
    const std::string other =
        "swap() with other, which has another size, placement or type; what is exchanged is alike; "
        "copy the elements, or give both the same placement";
    refused(other, [](DistributedImage<int> &image) {
        DistributedImage<int> smaller(6, 3, "other");
        Var x("x"), y("y");
        allocate<int>({&smaller}, x, y);
        image.swap(smaller);
    });
    refused(other, [](DistributedImage<int> &image) {
        DistributedImage<int> whole(6, 4, "other");
        whole.allocate();
        image.swap(whole);
    });
    refused(other, [](DistributedImage<int> &image) {
        DistributedImage<float> floats(6, 4, "other");
        Var x("x"), y("y");
        allocate<float>({&floats}, x, y);
        image.swap(floats);
    });
    const std::string late = " before allocate(); which part this rank has is known from then on; call placement() and "
                             "allocate() first";
    const auto early = [&](const std::string &what, const std::function<void(DistributedImage<int> &)> &use) {
        expect_on_ranks<RuntimeError>("bad-distribution", "in image: " + what + late, [&] {
            DistributedImage<int> image(6, 4, "image");
            use(image);
        });
    };
    early("extent()", [](DistributedImage<int> &image) { (void)image.extent(0); });
    early("global()", [](DistributedImage<int> &image) { (void)image.global(0, 1); });
    early("local()", [](DistributedImage<int> &image) { (void)image.local(0, 1); });
    early("mine()", [](DistributedImage<int> &image) { (void)image.mine(0, 1); });
    early("get_buffer()", [](DistributedImage<int> &image) { (void)image.get_buffer(); });
    early("swap()", [](DistributedImage<int> &image) { image.swap(image); });
}

TEST(DistributedImage, SizesAndSources) {
    const auto refused = [](const std::string &text, const std::function<void()> &make) {
        expect_error<RuntimeError>(make, "bad-distribution", text);
    };
    refused("in image: a size of 0 is given; a DistributedImage has one or more elements along each dimension; pass "
            "positive sizes",
            [] { DistributedImage<int>(4, 0, "image"); });
    refused("in a DistributedImage: extent() of an image without sizes; construct it as DistributedImage<T>(width, "
            "height)",
            [] { (void)DistributedImage<int>().extent(0); });
    const ImageParam floats(Float(32), 2, "floats");
    refused(
        "in floats: a DistributedImage of type int32 with 2 dimensions is made of an ImageParam of type float32 with "
        "2; both have the same; declare one like the other",
        [&] { DistributedImage<int>(floats, {4, 4}); });
    refused("in floats: a DistributedImage of type float32 with 1 dimensions is made of an ImageParam of type float32 "
            "with 2; both have the same; declare one like the other",
            [&] { DistributedImage<float>(floats, {4}); });
    const std::string taken = "in floats: a DistributedImage is made of an ImageParam that has a buffer or is another "
                              "one's; it has one source of elements; call reset(), or use another ImageParam";
    {
        const DistributedImage<float> first(floats, {4, 4});
        refused(taken, [&] { DistributedImage<float>(floats, {4, 4}); });
    }
    EXPECT_NO_THROW(DistributedImage<float>(floats, {4, 4})) << "free again";
    ImageParam bound(floats);
    bound.set(Buffer<float>(4, 4));
    refused(taken, [&] { DistributedImage<float>(bound, {4, 4}); });
}

TEST(DistributedImage, NumbersOfRanksArePositive) {
    const auto refused = [](const std::string &seen, int parts) {
        expect_on_ranks<RuntimeError>(
            "bad-distribution",
            "in image: a number of ranks or the factor of a distributed loop is " + seen +
                "; it is 1 or more, and known before the run; give a positive number or a Param",
            [parts] {
                Var x("x"), y("y");
                Param<int> count("count");
                count.set(parts);
                DistributedImage<int> image(4, 4, "image");
                image.set_domain(x, y);
                image.placement().distribute({y}, {count});
                image.allocate();
            });
    };
    refused("0", 0);
    refused("-2", -2);
    expect_on_ranks<RuntimeError>("unset-param",
                                  "in count: it has no value; every Param needs one before a run; call set(value)", [] {
                                      Var x("x"), y("y");
                                      DistributedImage<int> image(4, 4, "image");
                                      image.set_domain(x, y);
                                      image.placement().distribute({y}, {Param<int>("count")});
                                      image.allocate();
                                  });
}

TEST(DistributedImage, OutputsFitTheirFuncs) {
    const auto refused = [](const char *slug, const std::string &text, const std::function<void(Func &)> &run) {
        expect_on_ranks<RuntimeError>(slug, text, [&] {
            Var x("x"), y("y");
            Func f("f");
            f(x, y) = x + y;
            f.distribute(y);
            run(f);
        });
    };
    refused(
        "wrong-buffer-type",
        "in image: its elements are of type float32, and f computes values of type int32; an output has the type of "
        "its Func; declare it with that type",
        [](Func &f) {
            DistributedImage<float> image(4, 4, "image");
            image.allocate();
            f.realize(image);
        });
    refused(
        "bad-distribution",
        "in f: realize is given a DistributedImage without sizes; construct it as DistributedImage<T>(width, height)",
        [](Func &f) { f.realize(DistributedImage<int>()); });
    refused(
        "host-is-null",
        "in f: the buffer has no host memory; code that runs on the host reads and writes host memory; allocate the "
        "buffer before the call",
        [](Func &f) { f.realize(Buffer<int>(nullptr, std::vector<int>{4, 4})); });
    refused(
        "wrong-rank",
        "in f: realize is given an image of 1 dimensions, the Func has 2; sizes and dimensions must agree; give one "
        "size for each dimension",
        [](Func &f) {
            DistributedImage<int> image(4, "image");
            image.allocate();
            f.realize(image);
        });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in explain_ranks: the pipeline is undefined; give one with outputs", [] {
                                      DistributedImage<int> image(4, "image");
                                      image.allocate();
                                      (void)explain_ranks(Pipeline(), image);
                                  });
}

TEST(DistributedImage, StepsHaveFieldsAndNumbers) {
    const std::string fix = " steps for each exchange are given; there are one or more fields, no negative number of "
                            "steps, and 1 or more steps between checkpoints; pass such numbers";
    const auto refused = [&](const char *slug, const std::string &text,
                             const std::function<void(const Func &, const StepField &)> &run) {
        expect_on_ranks<RuntimeError>(slug, text, [&] {
            Var x("x"), y("y");
            DistributedImage<float> now(8, 8, "now"), next(8, 8, "next");
            allocate<float>({&now, &next}, x, y);
            Func step = diffusion(now);
            step.distribute(y);
            run(step, {now, next});
        });
    };
    const auto options = [](int64_t steps, int64_t between, int64_t per_exchange) {
        StepOptions result;
        result.steps = steps, result.steps_between = between, result.steps_per_exchange = per_exchange;
        return result;
    };
    refused("bad-distribution", "in run_steps: 0 fields, 1 steps, 100 steps between checkpoints and 1" + fix,
            [&](const Func &step, const StepField &) { run_steps(step, {}, options(1, 100, 1)); });
    refused("bad-distribution", "in run_steps: 1 fields, -1 steps, 100 steps between checkpoints and 1" + fix,
            [&](const Func &step, const StepField &field) { run_steps(step, {field}, options(-1, 100, 1)); });
    refused("bad-distribution", "in run_steps: 1 fields, 1 steps, 0 steps between checkpoints and 1" + fix,
            [&](const Func &step, const StepField &field) { run_steps(step, {field}, options(1, 0, 1)); });
    refused("bad-distribution", "in run_steps: 1 fields, 1 steps, 100 steps between checkpoints and -1" + fix,
            [&](const Func &step, const StepField &field) { run_steps(step, {field}, options(1, 100, -1)); });
    refused("bad-distribution", "in run_steps: the pipeline is undefined; give one with outputs",
            [&](const Func &, const StepField &field) { run_steps(Pipeline(), {field}, options(1, 100, 1)); });
    refused(
        "wrong-output-count",
        "in run_steps: 2 fields are given; the pipeline writes 1 values, each of which is one field's; pass as many, "
        "in order",
        [&](const Func &step, const StepField &field) { run_steps(step, {field, field}, options(1, 100, 1)); });
    refused("bad-distribution",
            "in run_steps: a field is an image without sizes; construct it as DistributedImage<T>(width, height)",
            [&](const Func &step, const StepField &field) {
                run_steps(step, {{DistributedImage<float>(), field.output}}, options(1, 100, 1));
            });
    refused(
        "bad-distribution",
        "in next: it is a field of the time steps, and no step reads it; a field is read and written; name an image "
        "that the pipeline reads",
        [&](const Func &step, const StepField &field) {
            run_steps(step, {{field.output, field.input}}, options(1, 100, 1));
        });
}

TEST(DistributedImage, StepsReadOneImageAndWriteAnother) {
    const auto refused = [](const std::vector<int> &which) {
        expect_on_ranks<RuntimeError>(
            "bad-distribution",
            "in now: it is named twice among the fields of the time steps; a step reads one image of a field while it "
            "writes the other; give each an image of its own",
            [&] {
                Var x("x"), y("y");
                DistributedImage<float> now(8, 8, "now"), next(8, 8, "next"), other(8, 8, "other");
                allocate<float>({&now, &next, &other}, x, y);
                Func step("step");
                step(x, y) = Tuple(now(x, y), now(x, y) + other(x, y));
                step.distribute(y);
                const DistributedImage<float> images[] = {now, next, other};
                StepOptions options;
                options.steps = 1;
                run_steps(step, {{images[which[0]], images[which[1]]}, {images[which[2]], images[which[3]]}}, options);
            });
    };
    refused({0, 0, 2, 1});
    refused({2, 0, 0, 1});
}

TEST(DistributedImage, ExchangesServeNoMoreStepsThanThereAre) {
    run_on_ranks(2, [] {
        Var x("x"), y("y");
        DistributedImage<float> now(8, 8, "now"), next(8, 8, "next");
        allocate<float>({&now, &next}, x, y);
        for (int j = 0; j < now.height(); j++) {
            for (int i = 0; i < now.width(); i++) {
                now(i, j) = 1;
            }
        }
        Func step("step");
        step(x, y) = now(x, y) + 1;
        step.distribute(y);
        StepOptions options;
        options.steps = 3;
        options.steps_per_exchange = 1'000'000'000;
        run_steps(step, {{now, next}}, options);
        EXPECT_EQ(now(7, 0), 4);
    });
}

TEST(DistributedImage, ExchangesServeALimitedNumberOfSteps) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in step: each exchange is to serve 1024 steps; it serves at most 256, as every one makes halos wider and is "
        "planned; give fewer, or 0 to leave the number to the library",
        [] {
            Var x("x"), y("y");
            DistributedImage<float> now(8, 8, "now"), next(8, 8, "next");
            allocate<float>({&now, &next}, x, y);
            Func step("step");
            step(x, y) = now(x, y) + 1;
            step.distribute(y);
            StepOptions options;
            options.steps = 5000;
            options.steps_per_exchange = 1024;
            run_steps(step, {{now, next}}, options);
        });
}

TEST(DistributedImage, PlacementsComputeNothing) {
    const auto refused = [](const std::string &name, const std::string &why, const std::function<void(Func &)> &edit) {
        expect_on_ranks<RuntimeError>(
            "bad-distribution", "in image: " + name + " is applied to its placement, " + why + "remove " + name, [&] {
                Var x("x"), y("y");
                DistributedImage<int> image(8, 8, "image");
                image.set_domain(x, y);
                edit(image.placement());
                image.allocate();
            });
    };
    const auto means_nothing = [&](const std::string &name, const std::function<void(Func &)> &edit) {
        refused(name, "which says which rank has what; nothing is computed by it; ", edit);
        refused(name, "which says which rank has what; nothing is computed by it; ", [&](Func &placement) {
            placement.distribute(Var("y"));
            edit(placement);
        });
    };
    const Var x("x"), y("y"), t("t");
    means_nothing("vectorize", [&](Func &f) { f.vectorize(x); });
    means_nothing("parallel", [&](Func &f) { f.parallel(x); });
    means_nothing("unroll", [&](Func &f) { f.unroll(x); });
    means_nothing("partition", [&](Func &f) { f.never_partition(x); });
    means_nothing("memoize", [&](Func &f) { f.memoize(); });
    means_nothing("async", [&](Func &f) { f.async(); });
    means_nothing("bound", [&](Func &f) { f.bound(x, 0, 8); });
    means_nothing("set_estimate", [&](Func &f) { f.set_estimate(x, 0, 8); });
    means_nothing("compute_inline", [&](Func &f) { f.compute_inline(); });
    means_nothing("specialize", [&](Func &f) { f.specialize(number_of_ranks() > 1); });
    means_nothing("specialize_fail", [&](Func &f) { f.specialize_fail("never"); });
    means_nothing("store_root", [&](Func &f) { f.store_root(); });
    means_nothing("hoist_storage", [&](Func &f) { f.hoist_storage_root(); });
    means_nothing("atomic", [&](Func &f) { f.atomic(true); });
    means_nothing("allow_race_conditions", [&](Func &f) { f.allow_race_conditions(); });
    Func other("other");
    other(x, y) = x + y;
    means_nothing("compute_at", [&](Func &f) { f.compute_at(other, y); });
    means_nothing("store_at", [&](Func &f) { f.store_at(other, y); });
    means_nothing("prefetch", [&](Func &f) { f.prefetch(other, y, y, 2); });
    means_nothing("compute_with", [&](Func &f) { f.compute_with(other, y); });
    const auto computes = [](const std::function<void(Func &)> &edit) {
        expect_on_ranks<RuntimeError>("bad-distribution",
                                      "in image: its placement is given an update or a wrapper; a placement says which "
                                      "rank has what, and nothing "
                                      "is computed by it; remove it",
                                      [&] {
                                          Var x("x"), y("y");
                                          DistributedImage<int> image(8, 8, "image");
                                          image.set_domain(x, y);
                                          edit(image.placement());
                                          image.allocate();
                                      });
    };
    computes([&](Func &f) { f(x, y) += 1; });
    computes([&](Func &f) { f.in(); });
    refused("skew", "which says which rank has what; nothing is computed by it; ",
            [&](Func &f) { f.skew(x, y, t, 1); });
    refused("split",
            "and no loop of it is distributed; loops say how its parts are cut; call distribute() as well, or ",
            [&](Func &f) { f.split(x, Var("xo"), Var("xi"), 4); });
}

TEST(DistributedImage, ErrorsOfElementsNameTheLine) {
    run_on_ranks(1, [] {
        DistributedImage<int> image(4, 6, "image");
        image.allocate();
        const auto text = [](const std::string &point) {
            return "in image: element (" + point +
                   ") of this rank's part is asked for, which is [0, 4) x [0, 6) of the image; local coordinates begin "
                   "at 0, one for each dimension; use mine() and local() for coordinates of the whole image";
        };
        expect_error<RuntimeError>([&] { image(0, 6) = 1; }, "bad-distribution", text("0, 6"),
                                   {"distributed_mistakes_test", __LINE__ - 1});
        expect_error<RuntimeError>([&] { image(0) = 1; }, "bad-distribution", text("0"),
                                   {"distributed_mistakes_test", __LINE__ - 1});
        expect_error<RuntimeError>([&] { image(0, 0, 0) = 1; }, "bad-distribution", text("0, 0, 0"),
                                   {"distributed_mistakes_test", __LINE__ - 1});
        expect_error<RuntimeError>([&] { image(int64_t{1} << 32, 0) = 1; }, "bad-distribution", text("4294967296, 0"),
                                   {"distributed_mistakes_test", __LINE__ - 1});
        image(3U, size_t{5}) = 7;
        EXPECT_EQ(image(3, 5), 7);
        expect_error<RuntimeError>([&] { (void)image.mine(1); }, "bad-distribution",
                                   "in image: mine() of a point with 1 coordinates; it has 2 dimensions; give one "
                                   "coordinate for each",
                                   {"distributed_mistakes_test", __LINE__ - 3});
        const std::string early =
            " before allocate(); which part this rank has is known from then on; call placement() "
            "and allocate() first";
        const DistributedImage<int> later(4, "later");
        expect_error<RuntimeError>([&] { (void)later.global(1); }, "bad-distribution", "in later: global()" + early,
                                   {"distributed_mistakes_test", __LINE__ - 1});
        expect_error<RuntimeError>([&] { (void)later.local(1); }, "bad-distribution", "in later: local()" + early,
                                   {"distributed_mistakes_test", __LINE__ - 1});
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
    const auto without_object = [&](const std::string &name, const std::function<void(Blur &)> &schedule) {
        expect_on_ranks<CompileError>("distributed-func",
                                      "in blur_x: " + name +
                                          " is applied to it, and its values are exchanged between ranks; their memory "
                                          "and the time of their computation belong to the distributed run; remove " +
                                          name + ", or compute the Func inside of a consumer",
                                      with(schedule));
    };
    without_object("store_in", [](Blur &blur) { blur.blur_x.store_in(MemoryType::Heap); });
    without_object("async", [](Blur &blur) { blur.blur_x.async(); });
    for (const TimeTileShape shape : {TimeTileShape::Overlapped, TimeTileShape::Wavefront, TimeTileShape::Diamond}) {
        expect_on_ranks<CompileError>(
            "distributed-func",
            "in heat: its time tiles have extents, and the pipeline is distributed; a rank computes one step after the "
            "other over its whole part, and exchanges once for the steps of a tile; give the steps alone: time_tile(3)",
            [shape] {
                Func start("start");
                Var x("x"), y("y");
                start(x, y) = x + y;
                IterateOptions named;
                named.name = "heat";
                Iterated heat = iterate(
                    3, {{0, 8}, {0, 8}}, start,
                    [&](const IterationStep &s) {
                        return stencil_2d(
                            {{0, -1}, {0, 1}}, [](const std::vector<Expr> &a) { return a[0] + a[1]; }, s.field(),
                            StencilBoundary::wrap());
                    },
                    named);
                heat.time_tile(3, {0, 4}, shape);
                Func last("last");
                last(x, y) = heat(x, y);
                last.distribute(y);
                (void)last.realize({8, 8});
            });
    }
    expect_on_ranks<CompileError>(
        "distributed-func",
        "in outer: its body iterates itself, and the pipeline is distributed; ranks run one loop of steps inside of no "
        "other; iterate outside of the body",
        [] {
            const Buffer<int> in = filled<int>(8, 8);
            Var x("x"), y("y");
            Func initial("initial");
            initial(x, y) = in(x, y);
            const Func turned = iterate(3, {{0, 8}, {0, 8}}, initial, [&](const IterationStep &s) {
                Func outer("outer");
                const Func inner = iterate(2, {{0, 8}, {0, 8}}, Func(s.field(0)), [&](const IterationStep &t) {
                    Func next("next");
                    next(x, y) = t.field(0)(x, y) + 1;
                    return next;
                });
                outer(x, y) = inner(y, x);
                return outer;
            });
            Blur blur(turned, 8, 8);
            blur.blur_y.distribute(blur.y);
            (void)blur.blur_y.realize({8, 8});
        });
    expect_on_ranks<CompileError>("distributed-func",
                                  "in clamped: it is distributed, but not computed at root; ranks exchange what is "
                                  "computed as a whole; call compute_root() or compute_rank()",
                                  with([](Blur &blur) { blur.clamped.distribute(blur.x); }));
}

TEST(DistributedImage, StepsOfATimeLoopDoNotIterate) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in twice: a step of a time loop reads the result of iterate(), which is a time loop itself; ranks run one "
        "inside of no other; put all steps into iterate()",
        [] {
            Var x("x"), y("y");
            DistributedImage<float> now(8, 8, "now"), next(8, 8, "next");
            allocate<float>({&now, &next}, x, y);
            Func source("source"), twice("twice");
            source(x, y) = now(x, y);
            const Func inner = iterate(2, {{0, 8}, {0, 8}}, source, [&](const IterationStep &s) {
                Func step("step");
                step(x, y) = s.field()(x, y) + 1;
                return step;
            });
            twice(x, y) = inner(x, y) * 2;
            twice.distribute(y);
            StepOptions options;
            options.steps = 3;
            run_steps(twice, {{now, next}}, options);
        });
}

TEST(DistributedImage, InputsHaveSizes) {
    const Buffer<int> in = filled<int>(8, 8);
    Blur blur(in, 8, 8);
    blur.blur_y.distribute(blur.y);
    expect_error<CompileError>(
        [&] { blur.blur_y.infer_input_bounds({8, 8}); }, "not-built",
        "in blur_y: infer_input_bounds of a pipeline that runs on ranks is asked for; each rank has a part of its "
        "inputs, and they are sized by allocate(); remove distribute() and compute_rank(), or give the inputs their "
        "sizes");
}

} // namespace
} // namespace fluorite::distributed_mistakes_test
