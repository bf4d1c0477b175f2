// The loops of updates: certificates of their orders, pieces and marks, the loops that are compiled from them, and
// mistakes in them.

#include "certified.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace fluorite::update_loops_test {
namespace {

using verify::agrees;
using verify::gaps;

class UpdateLoops : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    RVar ro{"ro"}, ri{"ri"};
    RDom r{0, 5, 0, 3, "r"};
    Func sum{"sum"}, output{"output"};

    void SetUp() override {
        sum(x, y) = cast<uint16_t>(1);
        sum(x, y) += input(x + r.x, y + r.y);
        output(x, y) = sum(x, y) + sum(x + 1, y);
        sum.compute_root();
    }
    void is_covered(const std::vector<int64_t> &extents = {}) {
        EXPECT_EQ(gaps(certify(output, {extents, false})), "");
        agrees(output, extents);
    }
    std::string target() {
        const std::string text = certify(output).text;
        const size_t begin = text.find("(target");
        return text.substr(begin, text.find("(forth") - begin);
    }
};

TEST_F(UpdateLoops, RunAfterThoseOfThePureDefinition) {
    is_covered();
    EXPECT_NE(target().find("(let sum.s0"), std::string::npos) << target();
    // The update continues in the memory of the first stage.
    const std::string loops = compile_certified(output).loops();
    EXPECT_EQ(loops.find("sum.s0"), std::string::npos) << loops;
}
// Each order in which the loops of the reduction keep theirs.
TEST_F(UpdateLoops, HaveEachOrder) {
    std::vector<VarOrRVar> loops = {x, y, r.x, r.y};
    std::vector<size_t> order = {0, 1, 2, 3};
    int orders = 0;
    do {
        if (std::ranges::find(order, 2u) < std::ranges::find(order, 3u)) {
            sum.update().reorder({loops[order[0]], loops[order[1]], loops[order[2]], loops[order[3]]});
            is_covered({9, 4});
            orders++;
        }
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(orders, 12);
}
TEST_F(UpdateLoops, HavePieces) {
    sum.update().split(x, xo, xi, 8).split(r.x, ro, ri, 2).reorder(xi, ri, y, ro, xo, r.y).vectorize(xi).unroll(ri);
    is_covered();
    is_covered({16, 3});
    for (const char *mark : {"(mark unroll", "(mark vector"}) {
        EXPECT_NE(target().find(mark), std::string::npos) << target();
    }
}
TEST_F(UpdateLoops, HaveExactPieces) {
    RDom k(0, 6, "k");
    Func product("product");
    product(x, y) = cast<uint16_t>(0);
    product(x, y) += input(x, k) * input(k, y);
    product.update().split(k, k.x, ri, 3).reorder(ri, x, y, k.x).parallel(y).unroll(ri);
    output = product;
    is_covered();
    EXPECT_EQ(compile_certified(output).loops().find("select"), std::string::npos);
}
TEST_F(UpdateLoops, OfWindowsThatReachBeyondTheEdge) {
    output.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    sum.compute_at(output, xo).update().reorder(x, r.x, y, r.y).vectorize(x, 4);
    is_covered();
    is_covered({16, 8});
}
TEST_F(UpdateLoops, HoldWindowsOfOtherFuncs) {
    Func twice("twice");
    twice(x, y) = input(x, y) * cast<uint16_t>(2);
    Func all("all");
    all(x, y) = cast<uint16_t>(0);
    all(x, y) += twice(x + r.x, y + r.y);
    all.update().reorder(x, r.x, y, r.y);
    twice.compute_at(all, r.y);
    output = all;
    is_covered();
    all.update().reorder(x, r.x, r.y, y);
    twice.compute_at(all, r.x);
    is_covered();
}
TEST_F(UpdateLoops, OfSeveralUpdates) {
    Func several("several");
    several(x, y) = input(x, y);
    several(x, y) += input(x + r.x, y + r.y);
    several(x, y) = several(x, y) * several(x, y) + cast<uint16_t>(1);
    several(x, y) = max(several(x, y), input(x + r.x, y));
    several.update(0).reorder(x, y, r.x, r.y);
    several.update(1).vectorize(x, 8);
    several.update(2).reorder(x, r.x, y, r.y).parallel(y);
    output = several;
    is_covered();
}
TEST_F(UpdateLoops, OfPredicatesAndScalars) {
    RDom some(0, 4, 0, 3, "some");
    some.where(some.x != some.y);
    Func kept("kept"), total("total");
    kept(x, y) = cast<uint16_t>(0);
    kept(x, y) += input(x + some.x, y + some.y);
    kept.update().reorder(x, some.x, y, some.y);
    output = kept;
    is_covered();
    RDom all(0, 20, 0, 3, "all");
    total() = cast<uint16_t>(0);
    total() += input(all.x, all.y);
    total.update().split(all.x, ro, ri, 8).unroll(ri);
    output = total;
    is_covered();
}
using Names = std::vector<std::string>;

// Loops of the reduction in another order: by laws of the operator.
TEST_F(UpdateLoops, ChangePlacesWhereTheStepAdds) {
    sum.update().reorder(r.y, r.x);
    is_covered();
    EXPECT_EQ(certify(output).reordered_operators, Names{"add.uint16"});
    sum.update().reorder(r.y, x, r.x, y).vectorize(x, 8);
    is_covered();
    sum.update().split(r.x, ro, ri, 2).reorder(ri, r.y, ro);
    is_covered();
    sum.update().reorder(ro, ri, y, r.y);
    is_covered();
    RDom s(0, 3, 0, 4, 0, 2, "s");
    Func least("least");
    least(x, y) = input(x, y);
    least(x, y) = min(input(x + s.x, y + s.y + s.z), least(x, y));
    least.update().reorder(s.z, s.x, s.y).unroll(s.z);
    output = least;
    is_covered();
    EXPECT_EQ(certify(output).reordered_operators, Names{"min.uint16"});
}
TEST_F(UpdateLoops, RunAtOnceWhereTheStepAdds) {
    RDom all(0, 32, 0, 3, "all");
    Func total("total");
    total(x) = cast<uint16_t>(0);
    total(x) += input(x + all.x, all.y);
    total.update().atomic().vectorize(all.x, 8);
    output = total;
    is_covered();
    EXPECT_EQ(certify(output).reordered_operators, Names{"add.uint16"});
    EXPECT_NE(target().find("(mark vector"), std::string::npos) << target();
    total.update().parallel(all.y);
    is_covered();
    EXPECT_NE(target().find("(mark parallel"), std::string::npos) << target();
}
TEST_F(UpdateLoops, SayWhatHasNoCertificate) {
    RDom some(0, 4, 0, 3, "some");
    some.where(some.x != some.y);
    Func kept("kept");
    kept(x, y) = cast<uint16_t>(0);
    kept(x, y) += input(x + some.x, y + some.y);
    kept.update().reorder(some.y, some.x);
    EXPECT_EQ(gaps(certify(kept)),
              "kept loops: the loops of the reduction run in another order, and its step does more "
              "than to add to one element\n");
    agrees(kept);
}
TEST_F(UpdateLoops, AreRejectedIfTheyAreWrong) {
    sum.update().split(x, xo, xi, 8, TailStrategy::GuardWithIf).reorder(xi, r.x, y, r.y, xo);
    const std::string text = certify(output).text;
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    const auto with = [&](const std::string &old, const std::string &by) {
        const size_t at = text.find(old, text.find("(target"));
        EXPECT_LT(at, text.find("(forth")) << old;
        return verify::check(text.substr(0, at) + by + text.substr(at + old.size()));
    };
    const std::string differ = "rejected: the two derivations arrive at different programs";
    // One iteration of the reduction less; and from another element than its own.
    EXPECT_NE(with("(iter sum.u1 sum.s1.L.r$y 3", "(iter sum.u1 sum.s1.L.r$y 2").find(differ), std::string::npos);
    EXPECT_NE(with("(get sum.u1 sum.s1.L.y sum.s1.L.xi)", "(get sum.u1 sum.s1.L.y 0)").find(differ), std::string::npos);
    // A tail without its guard stores beyond the end.
    const size_t stores = text.find("(target_stores");
    const std::string guard = "(< (+ (* sum.s1.L.xo 8) sum.s1.L.xi) (+ output.n0 1))";
    const size_t at = text.find(guard, stores);
    ASSERT_NE(at, std::string::npos) << text.substr(stores);
    EXPECT_NE(verify::check(text.substr(0, at) + "true" + text.substr(at + guard.size()))
                  .find("rejected: a witness does not prove that the stores of a nest are those that the target says"),
              std::string::npos);
}
TEST_F(UpdateLoops, MutantsAreNotWronglyAccepted) {
    std::string mutate = verify::program_path("fluorite_mutate_certificates");
    if (mutate.empty()) {
        GTEST_SKIP() << "OCaml is not installed";
    }
    sum.update().split(x, xo, xi, 3, TailStrategy::GuardWithIf).split(r.x, ro, ri, 2).reorder(xi, ri, y, ro, r.y, xo);
    std::ofstream("update.cert") << certify(output, {{4, 3}, false}).text;
    EXPECT_EQ(std::system((mutate + " --count 300 --seed 7 update.cert > mutants.txt").c_str()), 0);
    std::ifstream file("mutants.txt");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find(" 0 wrong"), std::string::npos) << text;
}

} // namespace
} // namespace fluorite::update_loops_test
