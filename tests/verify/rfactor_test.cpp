// Certificates of rfactor: from an update as written to partial results and their combination, by laws of its operator.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::rfactor_test {
namespace {

using verify::agrees;
using verify::gaps;

class CertifyRfactor : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, u{"u"}, v{"v"}, xo{"xo"}, xi{"xi"};
    RVar ro{"ro"}, ri{"ri"}, qo{"qo"}, qi{"qi"};
    RDom r{0, 20, 0, 6, "r"};
    Func total{"total"};

    void SetUp() override {
        total(x, y) = cast<uint16_t>(5);
        total(x, y) += input(x + r.x, y + r.y);
    }
    // All is covered; the source has no partial results, which the target has.
    static void whole(const Func &func) {
        const ScheduleCertificate certificate = certify(func);
        EXPECT_EQ(gaps(certificate), "");
        const std::string source = certificate.text.substr(0, certificate.text.find("(target"));
        EXPECT_EQ(source.find("_intm"), std::string::npos) << source;
        EXPECT_NE(certificate.text.find("_intm", source.size()), std::string::npos);
        EXPECT_NE(certificate.text.find("iter_factor"), std::string::npos);
        agrees(func);
    }
};

TEST_F(CertifyRfactor, BeginsWithTheUpdateAsWritten) {
    Func partial = total.update().rfactor(r.y, u);
    partial.compute_root();
    whole(total);
    const ScheduleCertificate certificate = certify(total);
    EXPECT_EQ(certificate.reordered_operators, std::vector<std::string>{"add.uint16"});
    EXPECT_FALSE(certificate.reassociates);
}
TEST_F(CertifyRfactor, SchedulesPartialResults) {
    Func partial = total.update().split(r.x, ro, ri, 4).rfactor(ri, u);
    partial.compute_root().vectorize(x, 4, TailStrategy::GuardWithIf).update().vectorize(u).parallel(y);
    total.update().reorder(x, ri, y).vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(total);
}
// A piece that is no whole one: what a tail leaves out is no part of the sum.
TEST_F(CertifyRfactor, CutsLoopsWithTails) {
    Func partial = total.update().split(r.x, ro, ri, 8).split(r.y, qo, qi, 4).rfactor({{ri, u}});
    partial.compute_at(total, y);
    whole(total);
}
TEST_F(CertifyRfactor, KeepsSeveralLoops) {
    Func partial = total.update().split(r.x, ro, ri, 6).rfactor({{r.y, v}, {ro, u}});
    partial.compute_root().reorder_storage(u, x, y, v);
    partial.update().parallel(v);
    Func output("output");
    output(x, y) = total(x, y) + total(x + 1, y);
    total.compute_root();
    whole(output);
}
TEST_F(CertifyRfactor, OfSymbolicExtents) {
    Func sum("sum");
    RDom all(0, input.width(), 0, input.height(), "all");
    sum() = cast<uint16_t>(0);
    sum() += input(all.x, all.y);
    Func partial = sum.update().split(all.y, ro, ri, 8).rfactor(ro, u);
    partial.compute_root().update().parallel(u);
    whole(sum);
}
TEST_F(CertifyRfactor, OfOtherOperators) {
    Func most("most"), product("product"), bits("bits");
    most(x) = input(x, 0);
    most(x) = max(most(x), input(x, r.x));
    most.update().split(r.x, ro, ri, 7).rfactor(ro, u).compute_root();
    whole(most);
    product(x) = cast<uint16_t>(3);
    product(x) = input(x, r.x) * product(x);
    product.update().split(r.x, ro, ri, 7).rfactor(ri, u).compute_root();
    whole(product);
    bits(x) = cast<uint16_t>(3);
    bits(x) = bits(x) | input(x, r.x);
    bits.update().rfactor(r.y, u).compute_root();
    whole(bits);
}
TEST_F(CertifyRfactor, SaysWhetherRoundingDiffers) {
    ImageParam floats(Float(32), 1, "floats");
    Func sum("sum");
    sum(x) = 0.0f;
    sum(x) += floats(x + r.x);
    sum.allow_reassociation();
    sum.update().split(r.x, ro, ri, 4).rfactor(ri, u).compute_root();
    const ScheduleCertificate certificate = certify(sum);
    EXPECT_EQ(gaps(certificate), "");
    EXPECT_TRUE(certificate.reassociates);
    agrees(sum);
}
TEST_F(CertifyRfactor, BesideOtherUpdates) {
    total(x, y) += total(x, y) * cast<uint16_t>(2);
    total(x, y) += input(x, y + r.y) * cast<uint16_t>(r.x);
    total.update(0).rfactor(r.x, u).compute_root();
    whole(total);
}
// What is not derived begins with what rfactor makes, and says so.
TEST_F(CertifyRfactor, SaysWhatItDoesNotDerive) {
    Func both("both");
    both(x) = Tuple(cast<uint16_t>(0), cast<uint16_t>(0));
    both(x) = Tuple(both(x)[0] + input(x, r.x), max(both(x)[1], input(x, r.x)));
    both.update().rfactor(r.y, u).compute_root();
    Func output("output");
    output(x) = both(x)[0] + both(x)[1];
    both.compute_root();
    EXPECT_EQ(gaps(certify(output)), "output rfactor: the certificate begins with the definitions that it makes: the "
                                     "update does more than to add to one element, or keeps every loop\n");
    EXPECT_TRUE(verify::is_accepted(certify(output).text));
}

} // namespace
} // namespace fluorite::rfactor_test
