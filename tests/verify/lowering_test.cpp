// Pipelines that are compiled from their certificates: the same bits as the ordinary path; the loops are those of the
// term. tests/planted shows that mistakes of the ordinary path are found when the two are compared.

#include "certified.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::lowering_test {
namespace {

using verify::agrees;

class Lowered : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    Func across{"across"}, down{"down"};

    void SetUp() override {
        across(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y);
        down(x, y) = across(x, y) + across(x, y + 1) + across(x, y + 2);
    }
};

TEST_F(Lowered, Inlined) {
    agrees(down);
    EXPECT_EQ(compile_certified(down).loops().find("realize"), std::string::npos);
}
TEST_F(Lowered, AtRoot) {
    across.compute_root();
    agrees(down);
    agrees(down, {17, 1});
}
TEST_F(Lowered, TilesWithWindows) {
    down.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    agrees(down);
    agrees(down, {16, 8});
    agrees(down, {1, 1});
}
TEST_F(Lowered, EachTailStrategy) {
    for (TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate, TailStrategy::PredicateStores,
                              TailStrategy::ShiftInwards}) {
        Func output("output");
        output(x, y) = down(x, y) + down(x + 3, y);
        output.split(x, xo, xi, 7, tail).vectorize(xi);
        agrees(output);
        agrees(output, {21, 3});
    }
}
TEST_F(Lowered, LoopKinds) {
    down.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf).vectorize(xi).unroll(yi).parallel(yo);
    across.compute_at(down, yo);
    agrees(down);
    const std::string loops = compile_certified(down).loops();
    for (const char *kind : {"vectorized", "unrolled", "parallel"}) {
        EXPECT_NE(loops.find(kind), std::string::npos) << loops;
    }
}
TEST_F(Lowered, SplitsOfSplitsAndOrders) {
    down.split(x, xo, xi, 12, TailStrategy::GuardWithIf).split(xi, t, xi, 4).reorder(t, y, xi, xo).vectorize(xi);
    across.compute_at(down, y).split(x, xo, xi, 3, TailStrategy::GuardWithIf);
    agrees(down);
}
TEST_F(Lowered, Fused) {
    down.fuse(x, y, t).parallel(t);
    agrees(down, {13, 7});
}
// Their sizes are multiplied and divided by.
TEST_F(Lowered, FusedTilesOfAnySize) {
    down.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf).fuse(xo, yo, t).parallel(t).vectorize(xi);
    across.compute_at(down, t);
    agrees(down);
    agrees(down, {17, 5});
}
TEST_F(Lowered, GuardsStayWhereTheyAreNotProved) {
    down.split(x, xo, xi, 8, TailStrategy::ShiftInwards);
    CertifiedPipeline pipeline = compile_certified(down);
    ASSERT_EQ(pipeline.certificate().store_guards.size(), 1u); // the last piece computes again what is stored already
    down.bound(x, 0, 64);
    Func exact("exact");
    exact(x, y) = input(x, y);
    exact.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    EXPECT_EQ(compile_certified(exact, {{64}, false}).loops().find("if"), std::string::npos);
    EXPECT_NE(compile_certified(exact).loops().find("if"), std::string::npos);
    EXPECT_TRUE(compile_certified(exact).certificate().store_guards.empty());
}
TEST_F(Lowered, ClampedReads) {
    Func clamped = BoundaryConditions::repeat_edge(input);
    Func gradient("gradient"), output("output");
    gradient(x, y) = clamped(x + 1, y) - clamped(x - 1, y);
    output(x, y) = gradient(x, y - 1) + gradient(x, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 8, 8, TailStrategy::GuardWithIf);
    gradient.compute_at(output, xo);
    agrees(output);
}
TEST_F(Lowered, Types) {
    for (Type type : {Int(8), UInt(32), Int(64), Float(32), Float(64), Float(16), UInt(1)}) {
        ImageParam image(type, 2, "image");
        Func f("f"), g("g");
        f(x, y) = image(x, y) == image(x + 1, y);
        g(x, y) = select(f(x, y), image(x, y + 1), cast(type, 1));
        f.compute_root().vectorize(x, 4, TailStrategy::GuardWithIf);
        g.vectorize(x, 4, TailStrategy::GuardWithIf);
        agrees(g);
    }
}
TEST_F(Lowered, Ranks) {
    Var z("z"), w("w");
    ImageParam scalar(Int(32), 0, "scalar"), image(Int(32), 4, "image");
    Func point("point"), line("line"), four("four");
    point() = scalar() + 1;
    agrees(point);
    line(x) = scalar() + x;
    line.split(x, xo, xi, 3, TailStrategy::GuardWithIf);
    agrees(line);
    four(x, y, z, w) = image(w, z, y, x) * x + w;
    four.reorder(w, x, z, y).split(z, xo, xi, 2, TailStrategy::GuardWithIf);
    agrees(four, {5, 4, 3, 7});
}
TEST_F(Lowered, ReductionsAndParameters) {
    Param<uint16_t> gain("gain");
    Param<int> offset("offset");
    gain.set(7);
    offset.set(3);
    RDom r(0, 5, 1, 3, "r");
    r.where(r.x + r.y < 6);
    Func sum("sum"), output("output");
    sum(x, y) = cast<uint16_t>(3);
    sum(x, y) += input(x + r.x, y + r.y + offset) * gain;
    sum(x, y) = sum(x, y) + cast<uint16_t>(1);
    output(x, y) = sum(x, y) + sum(x + 1, y) + cast<uint16_t>(x);
    output.tile(x, y, xo, yo, xi, yi, 8, 8, TailStrategy::GuardWithIf);
    sum.compute_at(output, xo);
    agrees(output);
    Func at_root("at_root");
    at_root(x, y) = cast<uint16_t>(0);
    at_root(x, y) = max(at_root(x, y), input(x + r.x, y + r.y));
    at_root.vectorize(x, 4, TailStrategy::GuardWithIf);
    agrees(at_root);
}
// A coordinate that is used as a value may be negative.
TEST_F(Lowered, NegativeCoordinatesAsValues) {
    Func ramp("ramp"), output("output");
    ramp(x, y) = x * 100 + y;
    output(x, y) = ramp(x - 5, y - 3) + cast<int>(input(x, y));
    ramp.compute_root();
    agrees(output);
}
TEST_F(Lowered, WrongStoresAreRejected) {
    down.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    const std::string text = certify(down).text;
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    const size_t stores = text.find("(target_stores");
    ASSERT_NE(stores, std::string::npos);
    auto with = [&](const std::string &old, const std::string &by) {
        const size_t at = text.find(old, stores);
        EXPECT_NE(at, std::string::npos) << text.substr(stores);
        return verify::check(text.substr(0, at) + by + text.substr(at + old.size()));
    };
    const std::string wrong =
        "rejected: a witness does not prove that the stores of a nest are those that the target says";
    // Elsewhere; without the guard of the tail, hence beyond the end; with one that leaves an element out.
    EXPECT_NE(with("(* down.L.xo 8)", "(* down.L.xo 7)").find(wrong), std::string::npos);
    EXPECT_NE(with("(< (+ (* down.L.xo 8) down.L.xi) down.n0)", "true").find(wrong), std::string::npos);
    EXPECT_NE(with("down.L.xi) down.n0)", "down.L.xi) (- down.n0 1))").find(wrong), std::string::npos);
    // No store at all.
    EXPECT_NE(verify::check(text.substr(0, stores) + "(target_stores))").find(wrong), std::string::npos);
}
TEST_F(Lowered, RefusesWhatTheCertificateExcludes) {
    down.split(x, xo, xi, 8, TailStrategy::ShiftInwards);
    CertifiedPipeline pipeline = compile_certified(down);
    Buffer<uint16_t> image(10, 4);
    input.set(image);
    auto message = [&](const Buffer<> &output) {
        try {
            pipeline.realize(output);
        } catch (const RuntimeError &error) {
            return error.message() + " [" + error.slug() + "]";
        }
        return std::string();
    };
    EXPECT_EQ(message(Buffer<uint16_t>(8, 2)), "");
    EXPECT_EQ(
        message(Buffer<uint16_t>(7, 2)),
        "in down: (<= 8 down.n0) is false at these sizes; the certificate assumes it; use sizes for which it holds, "
        "or another schedule [certificate-fact]");
    EXPECT_EQ(
        message(Buffer<uint16_t>(9, 2)),
        "in input: [0, 10] is read along dimension 0; the buffer holds [0, 9]; pass a larger one, or compute less "
        "[input-too-small]");
    EXPECT_EQ(message(Buffer<uint8_t>(8, 2)),
              "in down: the buffer has elements of type uint8; the pipeline was compiled for uint16; pass a buffer of "
              "uint16, or compile the pipeline for uint8 [wrong-buffer-type]");
    EXPECT_EQ(message(Buffer<uint16_t>(8)),
              "in down: the buffer has 1 dimension; the pipeline was compiled for 2; slice or embed the buffer to 2 "
              "dimensions [wrong-buffer-rank]");
    Buffer<uint16_t> moved(8, 2);
    moved.set_min(1, 0);
    EXPECT_EQ(message(moved),
              "in down: dimension 0 of the output begins at 1; a certificate is about regions that begin at "
              "0; realize such a region [certificate-fact]");
    EXPECT_EQ(message(image.cropped(0, 0, 8)),
              "in input: it shares memory with the output down; the loops of a certificate "
              "are not computed in place; pass a copy [buffers-overlap]");
}

TEST_F(Lowered, RefusesOptionsWithoutMeaning) {
    const auto message = [](const std::function<void()> &action) {
        try {
            action();
        } catch (const Error &error) {
            return error.message() + " [" + error.slug() + "]";
        }
        return std::string();
    };
    const std::string extent = "in down: the extent 0 is given for a certificate; regions have 1 to 2147483647 points "
                               "along a dimension; give such an extent [certify-option]";
    EXPECT_EQ(message([&] { certify(down, {.extents = {8, 0}}); }), extent);
    EXPECT_EQ(message([&] { compile_certified(down, {.extents = {0}}); }), extent);
    EXPECT_EQ(message([&] { validate_schedule(down, {.extents = {0}}); }), extent);
    EXPECT_EQ(message([&] { certify(down, {.extents = {1, 2, 3}}); }),
              "in down: 3 extents are given for a certificate, and it has 2 dimensions; extents begin at the innermost "
              "dimension, and missing ones stay symbolic; give one for each dimension at most [certify-option]");
    EXPECT_EQ(message([&] { validate_schedule(down, {.runs = 0}); }),
              "in validate_schedule: `runs` is 0; it is from 1 to 65536; give such a number [certify-option]");
    EXPECT_EQ(message([&] { validate_schedule(down, {.largest = 65537}); }),
              "in validate_schedule: `largest` is 65537; it is from 1 to 65536; give such a number [certify-option]");
    const std::string empty = "in a CertifiedPipeline: it is empty; only compile_certified makes one that is not; call "
                              "it [no-certificate]";
    EXPECT_EQ(message([] { CertifiedPipeline().realize({8, 8}); }), empty);
    EXPECT_EQ(message([] { CertifiedPipeline().realize(Buffer<uint16_t>(8, 8)); }), empty);
    EXPECT_EQ(message([] { CertifiedPipeline().loops(); }), empty);
    EXPECT_EQ(message([&] { compile_certified(down).realize(Buffer<>()); }),
              "in a run: output buffer 0 is undefined; a run writes into memory that there is; give the buffer a size, "
              "or realize by sizes [undefined-buffer]");
    EXPECT_EQ(message([] { CertifiedPipeline().certificate(); }), empty);
    const std::string none = "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs [no-outputs]";
    EXPECT_EQ(message([] { certify(Pipeline()); }), none);
    EXPECT_EQ(message([] { compile_certified(Pipeline()); }), none);
    EXPECT_EQ(message([] { validate_schedule(Pipeline()); }), none);
    try {
        compile_certified(down).realize({8, -3});
        FAIL();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.message(),
                  "in down: the extent of dimension 1 is -3; an extent is 0 or more; pass a size of 0 or more");
        EXPECT_NE(to_string(error.location()).find("lowering_test.cpp"), std::string::npos);
    }
}

TEST_F(Lowered, SaysWhyThereIsNoCertificate) {
    Func shown("shown");
    shown(x) = print(cast<int>(input(x, 0)));
    try {
        compile_certified(shown);
        FAIL();
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "no-certificate");
        EXPECT_EQ(error.message(),
                  "in shown: its schedule has no certificate to compile: in shown: print is no operator on elements; "
                  "only what certify() covers can be compiled from its certificate; compile the pipeline "
                  "itself, or change the schedule");
    }
}

} // namespace
} // namespace fluorite::lowering_test
