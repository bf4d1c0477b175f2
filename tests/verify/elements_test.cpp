// Certificates of pipelines whose coordinates depend on elements, whose elements are tuples, or whose updates write
// elsewhere than at their pure variables.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::elements_test {
namespace {

using verify::agrees;
using verify::gaps;
using verify::is_accepted;

class Elements : public testing::Test {
  protected:
    ImageParam input{UInt(8), 2, "input"}, curve{UInt(16), 1, "curve"};
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"}, xo{"xo"}, yo{"yo"};
    Func output{"output"};

    // All directives are covered, and the checker accepts the certificate, which has the text.
    void is_whole(const std::string &wanted = "") {
        const ScheduleCertificate certificate = certify(output);
        EXPECT_EQ(certificate.reason, "");
        EXPECT_EQ(certificate.unproved_read, "");
        EXPECT_EQ(gaps(certificate), "");
        EXPECT_TRUE(is_accepted(certificate.text));
        EXPECT_NE(certificate.text.find(wanted), std::string::npos) << certificate.text;
    }
};

TEST_F(Elements, AsCoordinatesStayInTheRangeOfTheirType) {
    output(x, y) = curve(input(x, y)) + curve(input(x + 1, y));
    output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf).vectorize(xi, 8).parallel(yo);
    is_whole("(bind at.0 (op1 cast.");
    agrees(output);
}
TEST_F(Elements, AsCoordinatesInsideOfClamps) {
    Func table("table"), index("index");
    table(x) = curve(x) * curve(x);
    index(x, y) = clamp(cast<int>(input(x, y)) * 3 - 100, 0, 200);
    output(x, y) = table(index(x, y) + 1) + table(clamp(index(x, y), 7, 9));
    table.compute_root();
    output.tile(x, y, xo, yo, xi, yi, 16, 4);
    index.compute_at(output, xo);
    EXPECT_EQ(certify(output).reason, "in output: no bounds are found for a coordinate of table, (+ at.0 1), where "
                                      "at.0 is index(output.x, output.y)");
    output = Func("clamped");
    output(x, y) = table(clamp(index(x, y), 0, 200) + 1) + table(clamp(index(x, y), 7, 9));
    output.tile(x, y, xo, yo, xi, yi, 16, 4);
    index.compute_at(output, xo);
    is_whole();
    agrees(output);
}
TEST_F(Elements, AsCoordinatesOfWindowsAndOfElementsReadByThem) {
    Func level("level"), shade("shade");
    level(x, y) = cast<int>(input(x, y)) / 4;
    shade(x, y) = curve(clamp(level(x, y), 0, 63)) + curve(clamp(cast<int>(curve(clamp(level(x, y), 0, 9))), 0, 63));
    output(x, y) = shade(x, y) + shade(x, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf);
    shade.compute_at(output, xo).vectorize(x, 8, TailStrategy::GuardWithIf);
    level.compute_at(output, xo);
    is_whole();
    agrees(output);
}
TEST_F(Elements, OfFloatsAsCoordinates) {
    Param<float> steps("steps");
    ImageParam light(Float(32), 2, "light");
    Func plane("plane");
    plane(x, y) = light(x, y) * 2.0f;
    const Expr depth = cast<int>(clamp(light(x, y), 0.0f, 1.0f) * 7.0f);
    output(x, y) = plane(depth, y) + plane(depth + 1, y);
    plane.compute_root();
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    is_whole();
    agrees(output);
    // A bound that is no index expression is a name, of which a fact of the certificate says that it is one.
    output = Func("scaled");
    const Expr scaled = cast<int>(clamp(light(x, y), 0.0f, 1.0f) * steps);
    output(x, y) = plane(clamp(scaled, 0, cast<int>(steps)), y);
    EXPECT_NE(certify(output).text.find("size."), std::string::npos);
    EXPECT_TRUE(is_accepted(certify(output).text));
}
TEST_F(Elements, OfFloatsThatRiseWithTheCoordinates) {
    // Nothing bounds them but the region, whose size is a name.
    Func wide("wide");
    Param<float> scale("scale", 0.7f);
    const Expr first = cast<int>(floor((cast<float>(x) + 0.5f) * scale)),
               second = cast<int>(ceil(cast<float>(y) / 3.0f));
    wide(x, y) = input(first, second) + input(first + 1, second + 2);
    output(x, y) = wide(x + 1, y) + wide(x, y + 2);
    output.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    wide.compute_root();
    for (float value : {0.3f, 1.0f, 1.9f}) {
        scale.set(value);
        is_whole("(bind at.0");
        agrees(output);
    }
    wide.compute_at(output, xo).vectorize(x, 4);
    is_whole("(bind at.0");
    agrees(output);
    // A scan, whose region is found last: no bounds are taken from it.
    Func scan("scan"), last("last");
    RDom r(1, 9, "r");
    scan(x, y) = input(cast<int>(cast<float>(y) * 0.5f), x);
    scan(x, r) = scan(x, r - 1) + scan(x, r);
    last(x, y) = scan(x, y % 10);
    EXPECT_NE(
        certify(last).reason.find("no bounds are found for a coordinate of input, at.0, where at.0 is cast<int32>("),
        std::string::npos)
        << certify(last).reason;
}
TEST_F(Elements, MirroredCoordinates) {
    const Func around = BoundaryConditions::mirror_interior(input);
    output(x, y) = cast<uint16_t>(around(x - 1, y)) + around(x + 1, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 8, 4);
    is_whole();
}
TEST_F(Elements, OfTuples) {
    Func both("both"), sums("sums");
    RDom r(0, 5, "r");
    both(x, y) = Tuple(cast<uint16_t>(input(x, y)), cast<float>(input(x, y + 1)));
    sums(x) = Tuple(cast<uint16_t>(0), 0.0f);
    sums(x) = Tuple(sums(x)[0] + both(x, r)[0], sums(x)[1] + both(x + 1, r)[1]);
    output(x) = cast<float>(sums(x)[0]) + sums(x)[1];
    both.compute_root();
    sums.compute_root().vectorize(x, 4, TailStrategy::GuardWithIf);
    sums.update().vectorize(x, 4);
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    is_whole("(op2 tuple.uint16.float32");
    verify::agrees(output);
    verify::agrees(both);
    verify::agrees(sums);
}
TEST_F(Elements, OfHistograms) {
    Func histogram("histogram"), below("below");
    RDom all(0, 20, 0, 10, "all"), down(1, 255, "down");
    histogram(x) = 0;
    histogram(input(all.x, all.y)) += 1;
    below(x) = histogram(x);
    below(down) += below(down - 1);
    output(x, y) = below(input(x, y)) + histogram(input(x, y));
    histogram.compute_root();
    below.compute_root();
    output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf);
    const ScheduleCertificate certificate = certify(output);
    EXPECT_EQ(certificate.reason, "");
    EXPECT_EQ(gaps(certificate), "");
    EXPECT_TRUE(is_accepted(certificate.text));
}
// The meaning is that of the definition: an update that writes another element is another term.
TEST_F(Elements, AreWrittenWhereTheUpdateSays) {
    Func scan("scan");
    RDom r(1, 9, "r");
    scan(x) = curve(x);
    scan(r) = scan(r - 1) + scan(r);
    output(x) = scan(clamp(x, 0, 9)) + scan(clamp(x - 1, 0, 9));
    scan.compute_root();
    const std::string text = certify(output).text;
    EXPECT_TRUE(is_accepted(text));
    EXPECT_NE(text.find("(iter scan.u1"), std::string::npos);
    EXPECT_NE(text.find("(op2 add.uint16 (get scan.u1 scan.s1.L.r$x) (get scan.u1 scan.x))"), std::string::npos);
}

} // namespace
} // namespace fluorite::elements_test
