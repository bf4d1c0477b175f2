// compute_with on ranks: Funcs that share loops are computed by one segment, each over its own region.
#include "driver/on_ranks/test_images.h"

namespace fluorite::shared_loops_test {
namespace {

using namespace driver::testing;

/// Funcs of several types and shapes over an image, and an output that reads all of them.
struct Siblings {
    static constexpr int w = 23, h = 19;
    Var x{"x"}, y{"y"}, c{"c"};
    Func clamped{"clamped"}, shared{"shared"}, f{"f"}, between{"between"}, g{"g"}, planes{"planes"}, out{"out"};

    template <typename Image> explicit Siblings(const Image &in) {
        clamped(x, y) = in(clamp(x, 0, w - 1), clamp(y, 0, h - 1));
        shared(x, y) = clamped(x - 1, y) + clamped(x + 1, y);
        f(x, y) = shared(x, y) * 3;
        f(x, y) += shared(x, y + 1);
        between(x, y) = f(x, y) - f(x + 2, y - 1);
        g(x, y) = Tuple(cast<uint8_t>(shared(x, y)), cast<float>(shared(x, y - 1)) / 7);
        planes(x, y, c) = shared(x, y) * c - clamped(x, y + 2);
        out(x, y) = between(x, y + 1) + f(x, y - 2) * g(x - 3, y)[0] + cast<int>(g(x, y + 1)[1]) + planes(x, y, x % 3);
        for (Func func : {f, between, g, planes}) {
            func.compute_root();
        }
        planes.reorder(x, c, y);
    }
};

/// Compares ranks with one machine, for the schedule of the Funcs and of the images.
void expect_same(const std::function<void(Siblings &)> &schedule, const Place &place, const std::string &what) {
    const Buffer<int> in = filled<int>(Siblings::w, Siblings::h);
    const Buffer<int> expected = Siblings(in).out.realize({Siblings::w, Siblings::h});
    for (const int count : {1, 3, 4, 24}) {
        std::atomic<int> points = 0, wrong = 0;
        Var x("x"), y("y");
        ImageParam source(Int(32), 2, "source");
        Siblings program(source);
        schedule(program);
        DistributedImage<int> image(source, {Siblings::w, Siblings::h}), out(Siblings::w, Siblings::h, "out");
        for (DistributedImage<int> *each : {&image, &out}) {
            each->set_domain(x, y);
            place(each->placement(), x, y);
        }
        run_on_ranks(count, [&] {
            count % 2 == 0 ? image.allocate() : image.allocate(program.out, out);
            out.allocate();
            fill(image);
            program.out.realize(out);
            compare(out, expected, points, wrong);
        });
        EXPECT_EQ(points, Siblings::w * Siblings::h) << what;
        EXPECT_EQ(wrong, 0) << count << " ranks, " << what;
    }
}

TEST(SharedLoopsOnRanks, OfFuncsThatAreCutAlike) {
    expect_same(
        [](Siblings &p) {
            p.f.distribute(p.y).vectorize(p.x, 4);
            p.g.distribute(p.y).compute_with(p.f, p.y);
            p.out.distribute(p.y);
        },
        by_rows, "rows");
    expect_same(
        [](Siblings &p) {
            p.f.distribute(p.x, p.y);
            p.g.distribute(p.x, p.y).compute_with(p.f.update(), p.x, LoopAlignStrategy::AlignEnd);
            p.f.update().distribute(p.x, p.y);
            p.between.distribute(p.x, p.y);
            p.out.distribute(p.x, p.y);
        },
        by_grid, "an update, on a grid");
}

// What is computed in the loops of one is there for the other, too.
TEST(SharedLoopsOnRanks, WithFuncsThatAreComputedInThem) {
    expect_same(
        [](Siblings &p) {
            p.f.distribute(p.y);
            p.g.distribute(p.y).compute_with(p.f, p.y);
            p.f.update().unscheduled();
            p.shared.compute_root().distribute(p.x);
            p.out.distribute(p.x);
        },
        by_rows, "shared is exchanged");
    expect_same(
        [](Siblings &p) {
            p.planes.distribute(p.y);
            p.g.distribute(p.y).compute_with(p.planes, p.y);
            Func own = p.shared.clone_in({p.g, p.planes});
            own.compute_at(p.planes, p.y).store_root();
            p.out.distribute(p.y);
        },
        by_grid, "a window slides along the shared loop");
}

TEST(SharedLoopsOnRanks, OfFuncsWithPartsOfTheirOwn) {
    expect_same(
        [](Siblings &p) {
            p.f.compute_rank();
            p.g.compute_with(p.f, p.y);
            p.out.distribute(p.y);
        },
        by_rows, "as needed, and everywhere");
    expect_same(
        [](Siblings &p) {
            p.g.compute_rank();
            p.planes.compute_rank().compute_with(p.g, p.y);
            p.out.distribute(p.x, p.y);
        },
        by_grid, "as needed, of two and three dimensions");
    expect_same(
        [](Siblings &p) {
            p.f.distribute(p.y);
            p.planes.distribute(p.y).compute_with(p.f, p.y, LoopAlignStrategy::AlignStart);
            p.g.distribute(p.y).compute_with(p.planes, p.y).agglomerate(2);
            p.out.distribute(p.x);
        },
        by_grid, "one on few ranks");
}

TEST(SharedLoopsOnRanks, OfOutputs) {
    const int w = 17, h = 21;
    const auto define = [](const auto &in, bool is_shared) {
        Var x("x"), y("y");
        Func around = BoundaryConditions::repeat_image(in, {{0, w}, {0, h}}), up("up"), down("down");
        up(x, y) = around(x, y - 1) + around(x - 2, y);
        down(x, y) = cast<float>(around(x, y + 1)) / 3;
        if (is_shared) {
            up.distribute(x, y);
            down.distribute(x, y).compute_with(up, y);
        }
        return std::vector<Func>{up, down};
    };
    Var x("x"), y("y");
    Func plain("plain");
    const Buffer<int> whole = filled<int>(w, h);
    plain(x, y) = whole(x, y);
    const std::vector<Func> one = define(plain, false);
    const Buffer<int> up = Func(one[0]).realize({w, h});
    const Buffer<float> down = Func(one[1]).realize({w, h});
    for (const int count : {1, 3, 4}) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            DistributedImage<int> in(w, h, "in"), first(w, h, "first");
            DistributedImage<float> second(w, h, "second");
            Func source("source");
            source(x, y) = in(x, y);
            allocate<int>({&in, &first}, x, y, by_grid);
            allocate<float>({&second}, x, y);
            fill(in);
            Pipeline both(define(source, true));
            both.realize({first, second});
            compare(first, up, points, wrong);
            compare(second, down, points, wrong);
        });
        EXPECT_EQ(points, 2 * w * h);
        EXPECT_EQ(wrong, 0) << count << " ranks";
    }
}

TEST(SharedLoopsOnRanks, OfTheFieldsOfTimeSteps) {
    const int w = 14, h = 16, steps = 5;
    const auto define = [](const auto &u, const auto &v) {
        Var x("x"), y("y");
        Func a = BoundaryConditions::repeat_edge(u, {{0, w}, {0, h}}),
             b = BoundaryConditions::repeat_edge(v, {{0, w}, {0, h}});
        Func next_u("next_u"), next_v("next_v");
        next_u(x, y) = a(x, y) * 0.5f + b(x, y - 1) * 0.25f;
        next_v(x, y) = b(x, y) - a(x + 1, y) * 0.125f;
        return std::vector<Func>{next_u, next_v};
    };
    Buffer<float> u = filled<float>(w, h), v = filled<float>(w, h);
    for (int t = 0; t < steps; t++) {
        const Realization next = Pipeline(define(u, v)).realize({w, h});
        u = next[0], v = next[1];
    }
    for (const int together : {1, 2, 5}) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(3, [&] {
            Var x("x"), y("y");
            DistributedImage<float> now_u(w, h, "now_u"), now_v(w, h, "now_v"), then_u(w, h), then_v(w, h);
            allocate<float>({&now_u, &now_v, &then_u, &then_v}, x, y);
            fill(now_u);
            fill(now_v);
            std::vector<Func> next = define(now_u, now_v);
            next[0].distribute(next[0].args()[1]);
            next[1].distribute(next[1].args()[1]).compute_with(next[0], next[1].args()[1]);
            run_steps(Pipeline(next), {{now_u, then_u}, {now_v, then_v}}, {steps, "", 100, together});
            compare(now_u, u, points, wrong);
            compare(now_v, v, points, wrong);
        });
        EXPECT_EQ(points, 2 * w * h);
        EXPECT_EQ(wrong, 0) << together << " together";
    }
}

TEST(SharedLoopsOnRanks, AreExplainedAsOneComputation) {
    std::vector<RankReport> reports(2);
    run_on_ranks(2, [&] {
        Var x("x"), y("y");
        DistributedImage<int> in(8, 8, "in"), out(8, 8, "out");
        Func f("f"), g("g"), sum("sum");
        f(x, y) = in(x, clamp(y, 0, 7)) + 1;
        g(x, y) = in(x, clamp(y, 0, 7)) * 2;
        sum(x, y) = f(x, y - 1) + g(x, y);
        f.compute_root().distribute(y);
        g.compute_root().distribute(y).compute_with(f, y);
        sum.distribute(y);
        allocate<int>({&in, &out}, x, y);
        reports[static_cast<size_t>(ranks().rank)] = explain_ranks(sum, out);
    });
    EXPECT_NE(reports[1].text.find("compute f, g over [0, 8) x [3, 7) and [0, 8) x [4, 8)\n"), std::string::npos)
        << reports[1].text;
}

// Of one pair, the one needs what the other pair computes from the other.
TEST(SharedLoopsOnRanks, DoNotDependOnEachOther) {
    expect_on_ranks<CompileError>(
        "compute-with-dependent",
        "in third, stage 0: it is computed with first, and one of the two, or of those that are computed with them, "
        "needs the other; loops that are shared compute both at once; use compute_at",
        [] {
            Var x("x"), y("y");
            Func first("first"), second("second"), third("third"), out("out");
            first(x, y) = x + y;
            second(x, y) = first(x, y + 1) * 2;
            third(x, y) = second(x, y) + 1;
            out(x, y) = third(x, y) + first(x, y);
            first.compute_root().distribute(y);
            second.compute_root().distribute(y);
            third.compute_root().distribute(y).compute_with(first, y);
            out.distribute(y);
            (void)out.realize({8, 8});
        });
}

} // namespace
} // namespace fluorite::shared_loops_test
