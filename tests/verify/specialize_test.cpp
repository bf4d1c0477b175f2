// Certificates of specialized stages: each alternative has its own loops, behind a condition on parameters and sizes.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::specialize_test {
namespace {

using verify::agrees;
using verify::gaps;

class CertifySpecialize : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Param<int> mode{"mode", 1};
    Param<bool> flag{"flag"};
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    Func rows{"rows"}, output{"output"};

    void SetUp() override {
        rows(x, y) = input(x, y) + input(x + 2, y) * cast<uint16_t>(mode);
        output(x, y) = rows(x, y) + rows(x, y + 1) + rows(x + 1, y + 2);
    }
    // Nothing is left out, and the loops are right in each case.
    void whole(const Func &func, const std::vector<int> &modes = {1}) {
        EXPECT_EQ(gaps(certify(func)), "");
        for (const int m : modes) {
            mode.set(m);
            for (const bool f : {false, true}) {
                flag.set(f);
                agrees(func);
            }
        }
    }
    static std::string facts_of(const Func &func) {
        const std::string text = certify(func).text;
        return text.substr(0, text.find("(inputs"));
    }
};

TEST_F(CertifySpecialize, HasTheLoopsOfEachAlternative) {
    rows.compute_root();
    output.specialize(mode == 2).tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf).vectorize(xi).parallel(yo);
    output.specialize(flag).split(y, yo, yi, 3, TailStrategy::GuardWithIf).reorder(x, yi, yo);
    output.unroll(x, 2, TailStrategy::GuardWithIf);
    whole(output, {1, 2});
    const std::string text = certify(output).text;
    EXPECT_NE(text.find("if_introduce (= mode 2)"), std::string::npos) << text;
    const CertifiedPipeline compiled = compile_certified(output);
    EXPECT_NE(compiled.loops().find("if"), std::string::npos) << compiled.loops();
}
TEST_F(CertifySpecialize, ComputesProducersInTheLoopsOfEachAlternative) {
    output.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    rows.compute_at(output, yo).vectorize(x, 4, TailStrategy::RoundUp);
    output.specialize(flag).vectorize(x, 8, TailStrategy::GuardWithIf);
    output.specialize(mode == 2).parallel(yo);
    whole(output, {1, 2});
}
TEST_F(CertifySpecialize, ComputesChainsOfProducersInAlternatives) {
    Func first("first"), second("second"), third("third");
    first(x, y) = input(x, y) + input(x + 1, y);
    second(x, y) = first(x, y) + first(x + 1, y + 1);
    third(x, y) = second(x, y) + second(x + 2, y);
    third.tile(x, y, xo, yo, xi, yi, 8, 8, TailStrategy::GuardWithIf);
    third.specialize(mode == 2).vectorize(xi);
    second.compute_at(third, xo).split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    second.specialize(flag).unroll(xi);
    first.compute_at(second, xo);
    EXPECT_EQ(gaps(certify(third)), "");
    for (const bool f : {false, true}) {
        flag.set(f);
        mode.set(f ? 2 : 1);
        agrees(third);
    }
}
TEST_F(CertifySpecialize, NestsAlternatives) {
    rows.compute_root();
    output.specialize(mode == 2).specialize(flag).vectorize(x, 4, TailStrategy::GuardWithIf);
    output.specialize(mode == 2 && flag); // never asked
    output.specialize(mode < 2).parallel(y);
    whole(output, {1, 2, 3});
}
TEST_F(CertifySpecialize, UsesWhatTheConditionSaysOfSizes) {
    rows.compute_root();
    output.specialize(output.output_buffer().width() >= 16).vectorize(x, 16, TailStrategy::ShiftInwards);
    output.specialize(output.output_buffer().width() == 5 && input.height() > 2).unroll(x, 5);
    whole(output);
    EXPECT_EQ(facts_of(output).find("16"), std::string::npos) << facts_of(output); // holds for all sizes
}
// A size that the tails of one alternative cannot have is one for which the certificate says nothing.
TEST_F(CertifySpecialize, TakesSizesOfOneAlternativeAsFacts) {
    rows.compute_root();
    output.specialize(flag).vectorize(x, 16, TailStrategy::ShiftInwards).split(y, yo, yi, 4, TailStrategy::RoundUp);
    whole(output);
    EXPECT_NE(facts_of(output).find("(or (not (= case."), std::string::npos) << facts_of(output);
    input.set(Buffer<uint16_t>({30, 30}));
    const CertifiedPipeline compiled = compile_certified(output);
    flag.set(false);
    EXPECT_NO_THROW(compiled.realize({5, 3}));
    flag.set(true);
    EXPECT_THROW(compiled.realize({5, 3}), RuntimeError);
    EXPECT_NO_THROW(compiled.realize({17, 4}));
}
TEST_F(CertifySpecialize, CoversUpdatesAndFuncsAtRoot) {
    Func sum("sum"), result("result");
    RDom r(0, 3, 0, 2, "r");
    sum(x, y) = cast<uint16_t>(1);
    sum(x, y) += rows(x + r.x, y + r.y);
    result(x, y) = sum(x, y) + sum(x + 1, y);
    rows.compute_root();
    rows.specialize(flag).vectorize(x, 8, TailStrategy::GuardWithIf);
    sum.compute_root();
    sum.specialize(mode == 2).vectorize(x, 4, TailStrategy::GuardWithIf);
    sum.update().specialize(mode == 2).reorder(x, r.x, r.y, y).vectorize(x, 4, TailStrategy::GuardWithIf);
    sum.update().specialize(flag).parallel(y).unroll(r.x);
    result.specialize(mode == 2).split(x, xo, xi, 5, TailStrategy::GuardWithIf);
    whole(result, {1, 2});
    // In place in all alternatives: one buffer for the Func.
    const std::string loops = compile_certified(result).loops();
    EXPECT_EQ(loops.find("sum.s0"), std::string::npos) << loops;
}
TEST_F(CertifySpecialize, ComputesProducersInLoopsOfUpdates) {
    Func sum("sum");
    RDom r(0, 6, "r");
    sum(x, y) = cast<uint16_t>(0);
    sum(x, y) += rows(x, y + r) * cast<uint16_t>(r + 1);
    sum.update().reorder(x, r, y);
    sum.update().specialize(flag).vectorize(x, 4, TailStrategy::GuardWithIf);
    rows.compute_at(sum, r);
    whole(sum);
}
TEST_F(CertifySpecialize, AsksOfStridesAndFloats) {
    Param<float> scale("scale", 2.5f);
    input.dim(0).set_stride(Expr());
    rows.compute_root();
    rows.specialize(input.dim(0).stride() == 1 && scale > 2.0f).vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(output);
    scale.set(1.0f);
    agrees(output);
}
TEST_F(CertifySpecialize, FailsWhereTheScheduleFails) {
    rows.compute_root();
    output.specialize(mode == 2).vectorize(x, 4, TailStrategy::GuardWithIf);
    output.specialize(mode == 3).parallel(y);
    output.specialize_fail("no such mode");
    EXPECT_EQ(gaps(certify(output)), "");
    EXPECT_NE(facts_of(output).find("(or (= mode 2) (= mode 3))"), std::string::npos) << facts_of(output);
    mode.set(3);
    agrees(output);
    input.set(Buffer<uint16_t>({30, 30}));
    const CertifiedPipeline compiled = compile_certified(output);
    EXPECT_NO_THROW(compiled.realize({5, 3}));
    mode.set(1);
    EXPECT_THROW(compiled.realize({5, 3}), RuntimeError);
}
TEST_F(CertifySpecialize, SlidesInOneAlternative) {
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf).reorder(xi, y, xo);
    output.specialize(flag).vectorize(xi);
    rows.store_at(output, xo).compute_at(output, y);
    whole(output);
    Func whole_image("whole_image");
    whole_image(x, y) = output(x, y) + output(x, y + 1);
    Func other("other");
    other(x, y) = rows(x, y) + rows(x, y + 1);
    rows.store_root().compute_at(other, y);
    other.specialize(flag).parallel(x);
    EXPECT_EQ(gaps(certify(other)), "rows store_at: the whole of it is computed where it is stored: the loop that "
                                    "computes its rows is specialized\n");
    EXPECT_TRUE(verify::is_accepted(certify(other).text));
}

} // namespace
} // namespace fluorite::specialize_test
