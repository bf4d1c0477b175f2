// Certificates of schedules: what certify() says of each directive, and that the checker accepts what it makes.

#include "certified.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fluorite::certify_test {
namespace {

using verify::gaps;
using verify::is_accepted;

bool covers(const ScheduleCertificate &certificate, const std::string &directive) {
    for (const ScheduleCertificate::Directive &d : certificate.directives) {
        if (d.directive == directive) {
            return d.covered();
        }
    }
    return false;
}

class Certify : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    Func across{"across"}, down{"down"};

    void SetUp() override {
        across(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y);
        down(x, y) = across(x, y) + across(x, y + 1) + across(x, y + 2);
    }
    ScheduleCertificate whole(const Func &output, const std::vector<int64_t> &extents = {}) {
        ScheduleCertificate certificate = certify(output, {extents, false});
        EXPECT_EQ(gaps(certificate), "");
        EXPECT_EQ(certificate.reason, "");
        EXPECT_EQ(certificate.unproved_read, "");
        EXPECT_TRUE(is_accepted(certificate.text));
        return certificate;
    }
};

TEST_F(Certify, InlinesWithoutDirectives) {
    ScheduleCertificate certificate = whole(down);
    EXPECT_TRUE(covers(certificate, "compute_inline"));
    EXPECT_EQ(certificate.text.find("(let across", certificate.text.find("(target")), std::string::npos);
}
TEST_F(Certify, KeepsBindingsThatWouldGrowTheProgram) {
    Func wide("wide"), sum("sum");
    Expr some = cast<uint16_t>(0), all = cast<uint16_t>(0);
    for (int i = 0; i < 20; i++) {
        some += input(x + i, y) * cast<uint16_t>(i);
    }
    wide(x, y) = some;
    for (int i = 0; i < 20; i++) {
        all = all ^ (wide(x, y + i) + wide(x + i, y));
    }
    sum(x, y) = all;
    const ScheduleCertificate certificate = certify(sum);
    EXPECT_EQ(certificate.reason, "");
    EXPECT_EQ(gaps(certificate), "wide compute_inline: its definition would stand in the program 40 times, which adds "
                                 "more than 4000 nodes; it stays a binding\n");
    verify::agrees(sum);
}
TEST_F(Certify, KeepsBindingsAtRoot) {
    across.compute_root();
    ScheduleCertificate certificate = whole(down);
    EXPECT_NE(certificate.text.find("(let across", certificate.text.find("(target")), std::string::npos);
}
TEST_F(Certify, SaysWhatNoTermHas) {
    Param<int> p("p");
    Pipeline required(down);
    required.add_requirement(input.width() > 3);
    EXPECT_EQ(certify(required).reason, "requirements of the pipeline are no part of a term");
    Func strides("strides"), printed("printed");
    strides(x, y) = down(x, y) + cast<uint16_t>(input.dim(1).stride());
    EXPECT_EQ(certify(strides).reason, "strides of inputs are no index expressions");
    printed(x, y) = print(down(x, y));
    EXPECT_EQ(certify(printed).reason, "in printed: print is no operator on elements");
    const std::string no_factor = ": the factor is no constant; witnesses would need products of names\n",
                      no_split = "loops: a split of it is not covered\n";
    down.split(x, xo, xi, p);
    across.compute_root().async();
    EXPECT_EQ(gaps(certify(down)),
              "down split(x, Auto)" + no_factor + "down " + no_split + "across async: terms have no time\n");
    RDom r(0, 5, 0, 3, "r");
    RVar ro("ro"), ri("ri"), rf("rf");
    Func cut("cut"), fused("fused");
    for (Func *sum : {&cut, &fused}) {
        (*sum)(x, y) = cast<uint16_t>(1);
        (*sum)(x, y) += input(x + r.x, y + r.y);
    }
    cut.update().split(r.x, ro, ri, p);
    EXPECT_EQ(gaps(certify(cut)), "cut update(0).split(r$x, Auto)" + no_factor + "cut update(0)." + no_split);
    fused.update().fuse(r.x, r.y, rf);
    EXPECT_EQ(gaps(certify(fused)), "fused update(0).fuse(r$x, r$y, rf): loops of a reduction are not fused in terms\n"
                                    "fused update(0)." +
                                        no_split);
}

// A promise that covers what is read is the region; one that does not is no region, and no part of one.
TEST_F(Certify, PromisesOfRegions) {
    down.bound(x, 0, 20);
    across.compute_root().bound(x, -2, 30);
    const ScheduleCertificate covering = whole(down, {20, 8});
    EXPECT_NE(covering.text.find("(gen across.x 30\n"), std::string::npos) << covering.text;
    for (const auto &[min, extent] : {std::pair(1, 30), {-5, 24}, {3, 5}}) {
        Func first("first"), second("second");
        first(x, y) = input(x, y) * 3;
        second(x, y) = first(x, y) + first(x, y + 1);
        first.compute_root().bound(x, min, extent);
        const ScheduleCertificate certificate = certify(second, {{20, 8}, false});
        EXPECT_NE(gaps(certificate), "") << certificate.text;
        EXPECT_EQ(certificate.text.find("(gen first.x " + std::to_string(extent) + "\n"), std::string::npos)
            << certificate.text;
    }
}
TEST_F(Certify, TakesPromisesAsFacts) {
    // As the compiled pipeline does, the certificate asks that what is needed is within the promise.
    across.compute_root().bound(x, 0, 64);
    const ScheduleCertificate certificate = whole(down);
    EXPECT_TRUE(covers(certificate, "bound(x)"));
    EXPECT_NE(certificate.text.find("(<= (- down.n0 1) 63)"), std::string::npos) << certificate.text;
    input.set(Buffer<uint16_t>(100, 10));
    try {
        compile_certified(down).realize({65, 4});
        ADD_FAILURE() << "65 points are more than was promised";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "certificate-fact") << error.message();
    }
    verify::agrees(down);
}
// Where clamps are to the sizes of an input, and witnesses need it, that the input begins at 0 becomes a fact.
TEST_F(Certify, LetsInputsBeginAtZero) {
    Func last("start");
    last(x, y) = input(x, y);
    for (int step = 0; step < 3; step++) {
        const Func around =
            BoundaryConditions::constant_exterior(last, cast<uint16_t>(0), {{0, input.width()}, {0, input.height()}});
        last = Func("step" + std::to_string(step));
        last(x, y) = around(x - 1, y) + around(x + 1, y) + around(x, y - 1) + around(x, y + 1);
        if (step < 2) {
            last.compute_root();
        }
    }
    const ScheduleCertificate certificate = whole(last);
    EXPECT_NE(certificate.text.find("(<= 0 input.m0)"), std::string::npos) << certificate.text.substr(0, 2000);
    verify::agrees(last);
}
TEST_F(Certify, AlignsRegions) {
    // At root, of a known size: -1 to 20 becomes -4 to 23; of any size.
    Func first("first"), second("second");
    first(x, y) = input(x, y) * 3;
    second(x, y) = first(x - 1, y) + first(x + 1, y);
    first.compute_root().align_bounds(x, 4);
    const ScheduleCertificate sized = whole(second, {20, 8});
    EXPECT_TRUE(covers(sized, "align_bounds(x)"));
    EXPECT_NE(sized.text.find("(gen first.x 28 "), std::string::npos) << sized.text;
    whole(second);
    verify::agrees(second);
    Pipeline(second).apply(Schedule());
    first.compute_root().align_bounds(x, 4, 3); // begins at -1
    EXPECT_NE(whole(second, {20, 8}).text.find("(gen first.x 24 "), std::string::npos);
    verify::agrees(second);
    // Inside of tiles, whose windows begin at any place, and at one that is a multiple.
    Pipeline(second).apply(Schedule());
    second.split(x, xo, xi, 10, TailStrategy::GuardWithIf);
    first.compute_at(second, xo).align_bounds(x, 4).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole(second);
    verify::agrees(second);
    // Of the output, whose size has to be a multiple then.
    second.align_bounds(x, 2).align_bounds(y, 3);
    EXPECT_NE(whole(second).text.find("(= second.n1 (* (/ second.n1 3) 3))"), std::string::npos);
    verify::agrees(second);
    EXPECT_EQ(verify::gaps(certify(second, {{20, 8}, false})),
              "second align_bounds(y): the region of the term is the one that is needed\n");
    Pipeline(second).apply(Schedule());
    EXPECT_EQ(verify::gaps(certify(second.align_bounds(x, 2, 1))),
              "second align_bounds(x): the region of the term is the one that is needed\n");
}

TEST_F(Certify, BindsTilesInsideOfLoops) {
    down.tile(x, y, xo, yo, xi, yi, 64, 32, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    ScheduleCertificate certificate = whole(down);
    EXPECT_TRUE(covers(certificate, "compute_at(down, xo)"));
    // 34 rows of 64.
    EXPECT_NE(certificate.text.find("(across.L.y 34)"), std::string::npos) << certificate.text;
    EXPECT_NE(certificate.text.find("(across.L.x 64)"), std::string::npos);
    whole(down, {100, 50});
    whole(down, {1, 1});
}
TEST_F(Certify, CoversEachTailStrategy) {
    for (TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate, TailStrategy::PredicateStores,
                              TailStrategy::ShiftInwards}) {
        Func output("output");
        output(x, y) = down(x, y) + down(x + 3, y);
        output.split(x, xo, xi, 7, tail);
        ScheduleCertificate certificate = whole(output);
        whole(output, {100, 3});
        whole(output, {7, 1}); // the factor divides
    }
}
TEST_F(Certify, SaysWhichTailsItGuards) {
    down.split(x, xo, xi, 8, TailStrategy::RoundUp);
    EXPECT_EQ(gaps(certify(down, {{64, 3}, false})), "");
    EXPECT_EQ(gaps(certify(down, {{5, 3}, false})),
              "down split(x, RoundUp): the size is no multiple; the certificate guards the last piece\n");
    EXPECT_TRUE(is_accepted(certify(down, {{5, 3}, false}).text));
}
// What an output is rounded up to, its size has to be.
TEST_F(Certify, TakesMultiplesAsFacts) {
    down.split(x, xo, xi, 8, TailStrategy::RoundUp).split(xo, yo, xo, 3, TailStrategy::RoundUp);
    const ScheduleCertificate certificate = whole(down);
    const std::string facts = certificate.text.substr(0, certificate.text.find("(inputs"));
    EXPECT_NE(facts.find("(= down.n0 (* (/ down.n0 24) 24))"), std::string::npos) << facts;
    EXPECT_EQ(certificate.text.find("(if "), std::string::npos);
    verify::agrees(down);
}
// Tails of Funcs at root: what they compute beyond the region that is needed is a part of the region.
TEST_F(Certify, CoversTailsOfFuncsAtRoot) {
    const TailStrategy tails[] = {TailStrategy::Auto, TailStrategy::RoundUp, TailStrategy::ShiftInwards,
                                  TailStrategy::GuardWithIf};
    for (const TailStrategy outer : tails) {
        for (const TailStrategy inner : tails) {
            Func first("first"), second("second");
            first(x, y) = input(x, y) + input(x + 1, y);
            second(x, y) = first(x, y) + first(x + 2, y + 1);
            first.compute_root().split(x, xo, xi, 4, inner).split(xo, yo, xo, 3, outer).split(y, y, yi, 2, outer);
            EXPECT_EQ(gaps(certify(second)), "") << int(inner) << " " << int(outer);
            verify::agrees(second);
        }
    }
}
TEST_F(Certify, CoversTailsOfUpdatesAtRoot) {
    for (const TailStrategy tail : {TailStrategy::Auto, TailStrategy::RoundUp, TailStrategy::GuardWithIf}) {
        Func sum("sum"), output("output");
        RDom r(0, 3, "r");
        sum(x, y) = cast<uint16_t>(1);
        sum(x, y) += input(x + r, y);
        output(x, y) = sum(x, y) + sum(x + 2, y + 1);
        sum.compute_root().vectorize(x, 4);
        sum.update().split(x, xo, xi, 8, tail).split(y, yo, yi, 3, tail).vectorize(xi);
        whole(output);
        verify::agrees(output);
        whole(output, {5, 2}); // less than a piece
    }
}
// Memory in another order than the definition: the indices of the term have it.
TEST_F(Certify, ReordersStorage) {
    Func volume("volume"), output("output");
    Var c("c");
    volume(x, y, c) = input(x + c, y) * cast<uint16_t>(c);
    output(x, y, c) = volume(x, y, c) + volume(x + 1, y, c + 1);
    volume.compute_root().reorder_storage(c, x, y).reorder(c, x, y).vectorize(x, 4);
    const ScheduleCertificate certificate = whole(output);
    EXPECT_TRUE(covers(certificate, "reorder_storage"));
    EXPECT_NE(certificate.text.find("(get volume output.y (+ output.x 1) (+ output.c 1))"), std::string::npos)
        << certificate.text;
    verify::agrees(output);
    output.tile(x, y, xo, yo, xi, yi, 5, 3, TailStrategy::GuardWithIf);
    volume.compute_at(output, xo).reorder_storage(c, x, y);
    whole(output);
    verify::agrees(output);
    output.reorder_storage(c, x, y); // that of the caller's buffer
    whole(output);
    verify::agrees(output);
}
TEST_F(Certify, AlignsMemory) {
    down.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf);
    across.compute_at(down, xo).align_storage(x, 24).bound_storage(y, 6);
    EXPECT_TRUE(covers(whole(down), "align_storage(x)"));
    EXPECT_TRUE(covers(whole(down), "bound_storage(y)"));
    const std::string loops = compile_certified(down).loops();
    EXPECT_NE(loops.find("realize across.tile@buffer: uint16 over [0, +39 / 24 * 24), [0, +6)"), std::string::npos)
        << loops;
    verify::agrees(down);
    across.reorder_storage(y, x).bound_storage(y, 5);
    EXPECT_EQ(verify::gaps(certify(down)),
              "across.tile bound_storage(y): nothing shows that the region is as small as that\n");
    across.compute_root().bound_storage(y, 100);
    EXPECT_EQ(verify::gaps(certify(down)),
              "across bound_storage(y): nothing shows that the region is as small as that\n");
    EXPECT_EQ(verify::gaps(certify(down, {{20, 98}, false})), "");
}
TEST_F(Certify, MarksLoops) {
    down.tile(x, y, xo, yo, xi, yi, 16, 4).vectorize(xi).unroll(yi).parallel(yo);
    ScheduleCertificate certificate = whole(down);
    for (const char *mark : {"(mark vector", "(mark unroll", "(mark parallel"}) {
        EXPECT_NE(certificate.text.find(mark), std::string::npos);
    }
    Func other("other");
    other(x, y) = input(x, y);
    other.vectorize(y);
    EXPECT_EQ(gaps(certify(other)), "other vectorize(y): the extent of the loop is no constant in the term\n");
    whole(other, {4, 5});
}
TEST_F(Certify, FusesLoops) {
    down.fuse(x, y, t).parallel(t);
    whole(down, {640, 480});
    whole(down);
}
TEST_F(Certify, FollowsSplitsOfSplitsAndOrders) {
    down.split(x, xo, xi, 32).split(xi, t, xi, 8).reorder(t, y, xi, xo).vectorize(xi).rename(y, yo);
    across.compute_at(down, yo).split(x, xo, xi, 3, TailStrategy::GuardWithIf);
    whole(down);
    whole(down, {32, 1});
    whole(down, {333, 77});
}
TEST_F(Certify, ReadsBeyondTheEdge) {
    Func clamped = BoundaryConditions::repeat_edge(input);
    Func gradient("gradient"), output("output");
    gradient(x, y) = clamped(x + 1, y) - clamped(x - 1, y);
    output(x, y) = gradient(x, y - 1) + gradient(x, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 16, 16, TailStrategy::ShiftInwards);
    gradient.compute_at(output, xo).vectorize(x, 8);
    whole(output);
}
TEST_F(Certify, RoundsWindowsUp) {
    across.compute_at(down, y).vectorize(x, 8); // a whole row: its size is not known
    ScheduleCertificate certificate = whole(down);
    EXPECT_NE(certificate.text.find("(mark vector"), std::string::npos);
    EXPECT_NE(certificate.text.find("(/ (+ down.n0 7) 8)"), std::string::npos) << certificate.text;
    whole(down, {13, 2});
}
TEST_F(Certify, TakesWhatIsCheckedAtEntryAsFacts) {
    Func output("output");
    output(x, y) = input(x, y) + input(min(x + 1, input.width() - 1), y >> 1);
    output.split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    ScheduleCertificate certificate = whole(output);
    std::string facts = certificate.text.substr(0, certificate.text.find("(inputs"));
    EXPECT_NE(facts.find("input.e0"), std::string::npos) << facts;
}
TEST_F(Certify, EvaluatesBoundsThatDependOnParameters) {
    Param<float> most("most", 3.5f);
    Func table("table"), output("output");
    table(x) = cast<uint16_t>(x * x);
    output(x, y) = table(cast<int>(clamp(cast<float>(input(x, y)), 0.0f, 1.0f) * most));
    table.compute_root();
    whole(output);
    verify::agrees(output);
}
TEST_F(Certify, MutantsAreNotWronglyAccepted) {
    std::string mutate = verify::program_path("fluorite_mutate_certificates");
    if (mutate.empty()) {
        GTEST_SKIP() << "OCaml is not installed";
    }
    down.tile(x, y, xo, yo, xi, yi, 6, 4, TailStrategy::GuardWithIf).vectorize(xi).parallel(yo);
    across.compute_at(down, xo);
    std::ofstream("tile.cert") << certify(down).text;
    Func moved("moved");
    moved(x, y) = input(x, y) + input(x + 1, y);
    moved.split(x, xo, xi, 3, TailStrategy::ShiftInwards).fuse(xi, xo, t);
    std::ofstream("moved.cert") << certify(moved, {{10, 3}, false}).text;
    EXPECT_EQ(std::system((mutate + " --count 400 --seed 5 tile.cert moved.cert > mutants.txt").c_str()), 0);
    std::ifstream file("mutants.txt");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find(" 0 wrong"), std::string::npos) << text;
}
TEST_F(Certify, ChainsGrowLinearly) {
    std::vector<size_t> sizes;
    for (int stages : {4, 8, 16}) {
        std::vector<Func> chain;
        for (int i = 0; i < stages; i++) {
            Func f("f" + std::to_string(i));
            f(x, y) = i == 0 ? input(x, y) + input(x + 1, y) : chain.back()(x, y) + chain.back()(x + 1, y);
            chain.push_back(f);
        }
        chain.back().tile(x, y, xo, yo, xi, yi, 64, 32, TailStrategy::GuardWithIf);
        for (int i = 0; i + 1 < stages; i++) {
            chain[size_t(i)].compute_at(chain.back(), xo);
        }
        sizes.push_back(whole(chain.back()).text.size());
    }
    EXPECT_LT(sizes[2] - sizes[1], 3 * (sizes[1] - sizes[0]));
}
TEST_F(Certify, ConvertsReductionsAndParameters) {
    Param<uint16_t> gain("gain");
    RDom r(0, 5, 0, 3, "r");
    Func sum("sum"), output("output");
    sum(x, y) = cast<uint16_t>(0);
    sum(x, y) += input(x + r.x, y + r.y) * gain;
    output(x, y) = sum(x, y) + cast<uint16_t>(x);
    sum.compute_root();
    output.tile(x, y, xo, yo, xi, yi, 8, 8);
    ScheduleCertificate certificate = whole(output);
    EXPECT_NE(certificate.text.find("(iter sum.u1"), std::string::npos);
}
TEST_F(Certify, SaysWhyThereIsNone) {
    auto reason = [](const Pipeline &pipeline) {
        ScheduleCertificate certificate = certify(pipeline);
        EXPECT_FALSE(certificate.defined());
        return certificate.reason;
    };
    Func gather("gather"), scan("scan");
    RDom r(1, 8);
    scan(x) = input(x, 0);
    scan(r) = scan(r - 1) + input(r, 0);
    EXPECT_EQ(reason(scan), "in scan: an update reads elements of its own Func that its consumers do not need, from 0 "
                            "to 7");
    ImageParam wide(Int(32), 2, "wide");
    gather(x) = wide(wide(x, 0), 0);
    EXPECT_EQ(reason(gather),
              "in gather: no bounds are found for a coordinate of wide, at.0, where at.0 is wide(gather.x, 0)");
}
TEST_F(Certify, StatesThePrograms) {
    ScheduleCertificate certificate = certify(down, {{}, true});
    ASSERT_EQ(certificate.programs.size(), certificate.steps + 1);
    EXPECT_EQ(certificate.programs[0].substr(0, 12), "(let across\n");
}
// What the certificate is about is the schedule: another schedule's loops are refused.
TEST_F(Certify, WrongTargetsAreRejected) {
    down.tile(x, y, xo, yo, xi, yi, 64, 32, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    std::string text = certify(down).text;
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    size_t target = text.find("(target"), at = text.find("34", target);
    ASSERT_NE(at, std::string::npos);
    std::string small = text.substr(0, at) + "33" + text.substr(at + 2);
    EXPECT_NE(verify::check(small).find("the two derivations arrive at different programs"), std::string::npos);
}

} // namespace
} // namespace fluorite::certify_test
