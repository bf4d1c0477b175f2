// What ranks do in pipelines of all kinds, as whole texts: tests/distribute/reports. FLUORITE_UPDATE_GOLDENS rewrites
// them; read in the difference whether a rank sends or allocates more.
#include "driver/on_ranks/test_images.h"
#include "support/test_golden.h"

namespace fluorite::rank_reports_test {
namespace {

using namespace driver::testing;

/// Reports of the middle rank, by pipeline.
void expect_reports(const std::string &name, int count, const std::function<RankReport()> &explain) {
    std::string text;
    run_on_ranks(count, [&] {
        const RankReport report = explain();
        if (report.rank == count / 2) {
            text = report.text;
        }
    });
    expect_golden(text, "tests/distribute/reports/" + name + ".txt");
}

TEST(RankReports, StagesThatAreRecomputed) {
    expect_reports("recomputed", 3, [] {
        DistributedImage<int> input(16, 30, "input"), output(16, 30, "output");
        Blur blur(input, 16, 30);
        blur.blur_x.compute_rank();
        blur.blur_y.distribute(blur.y);
        allocate<int>({&input, &output}, blur.x, blur.y);
        return explain_ranks(blur.blur_y, output);
    });
}

TEST(RankReports, OtherCutsAreCopied) {
    expect_reports("copied", 3, [] {
        DistributedImage<int> input(12, 30, "input"), output(12, 30, "output");
        Blur blur(input, 12, 30);
        blur.blur_x.compute_root().distribute(blur.x);
        blur.blur_y.distribute(blur.x);
        allocate<int>({&input, &output}, blur.x, blur.y);
        return explain_ranks(blur.blur_y, output);
    });
}

TEST(RankReports, GridsAndTuples) {
    expect_reports("grid", 4, [] {
        Var x("x"), y("y");
        DistributedImage<uint8_t> input(10, 9, "input");
        DistributedImage<int> low(10, 9, "low"), high(10, 9, "high");
        const Func around = BoundaryConditions::repeat_edge(input);
        Func ends("ends"), out("out");
        ends(x, y) = {min(around(x - 1, y), around(x + 1, y)), max(around(x, y - 2), around(x, y + 2))};
        out(x, y) = {cast<int>(ends(x, y)[0]) + ends(x + 1, y)[1], cast<int>(ends(x, y - 1)[1])};
        ends.compute_root().distribute(x, y);
        out.distribute(x, y);
        allocate<uint8_t>({&input}, x, y, by_grid);
        allocate<int>({&low, &high}, x, y, by_grid);
        return explain_ranks(out, {low, high});
    });
}

TEST(RankReports, ReductionsAndTables) {
    expect_reports("reduction", 3, [] {
        Var x("x"), y("y");
        DistributedImage<int> input(8, 12, "input"), output(8, 12, "output");
        Func rows("rows"), table("table"), out("out");
        RDom r(0, 8, "r"), q(0, 12, "q");
        rows(y) += input(r, y);
        table(x) += rows(q) * x;
        out(x, y) = input(x, y) * table(x % 3) + rows(y);
        rows.compute_root().update().distribute(y);
        table.compute_root();
        out.distribute(y);
        allocate<int>({&input, &output}, x, y);
        return explain_ranks(out, output);
    });
}

TEST(RankReports, VectorsAndTilesOfAWholeResult) {
    expect_reports("tiles", 3, [] {
        Var x("x"), y("y"), yi("yi");
        const Buffer<int> in = filled<int>(20, 20);
        Buffer<int> out(20, 20);
        Blur blur(in, 20, 20);
        blur.blur_x.compute_root().distribute(blur.y).vectorize(blur.x, 8);
        blur.blur_y.split(blur.y, blur.y, yi, 4).distribute({blur.y}, {2});
        return explain_ranks(blur.blur_y, out);
    });
}

} // namespace
} // namespace fluorite::rank_reports_test
