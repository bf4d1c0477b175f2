// The number of loops after partitioning: one interior and two boundaries per dimension; copies do not multiply.

#include "driver/test_interpreter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fluorite::partition_test {
namespace {

std::vector<std::string> lowered_lines(const Func &func, const std::string &name) {
    const std::string path = ::testing::TempDir() + "partition_" + name + ".stmt";
    Func(func).compile_to_lowered_stmt(path, Pipeline(func).infer_arguments());
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    std::filesystem::remove(path);
    return lines;
}

size_t indent(const std::string &line) { return line.find_first_not_of(' '); }
bool is_loop(const std::string &line) { return line.compare(std::min(indent(line), line.size()), 4, "for ") == 0; }

/// The number of innermost loops, and of those whose bodies still clamp.
std::pair<int, int> innermost_loops(const std::vector<std::string> &lines) {
    int loops = 0;
    int clamped = 0;
    for (size_t i = 0; i < lines.size(); i++) {
        if (!is_loop(lines[i])) {
            continue;
        }
        bool has_loop = false;
        bool has_clamp = false;
        for (size_t j = i + 1; j < lines.size() && indent(lines[j]) > indent(lines[i]); j++) {
            has_loop = has_loop || is_loop(lines[j]);
            has_clamp = has_clamp || lines[j].find("max(") != std::string::npos;
        }
        loops += !has_loop;
        clamped += !has_loop && has_clamp;
    }
    return {loops, clamped};
}

TEST(Partition, AStencilHasOneInteriorAndTwoBoundariesADimension) {
    for (int rank = 1; rank <= 4; rank++) {
        ImageParam in(Float(32), rank, "in");
        Func clamped = BoundaryConditions::repeat_edge(in);
        std::vector<Expr> at;
        std::vector<Var> vars;
        for (int d = 0; d < rank; d++) {
            vars.emplace_back("x" + std::to_string(d));
            at.emplace_back(vars.back());
        }
        Expr sum = clamped(at);
        for (size_t d = 0; d < at.size(); d++) {
            for (const int offset : {-1, 1}) {
                std::vector<Expr> moved = at;
                moved[d] = moved[d] + offset;
                sum = sum + clamped(moved);
            }
        }
        Func star("star");
        star(vars) = sum;
        const auto [loops, with_clamps] = innermost_loops(lowered_lines(star, "star" + std::to_string(rank)));
        EXPECT_EQ(loops, 2 * rank + 1) << "rank " << rank;
        EXPECT_EQ(with_clamps, 2 * rank) << "rank " << rank;
    }
}

TEST(Partition, PlainClampsHaveAnInteriorInInnermostLoops) {
    ImageParam in(Float(32), 1, "in");
    Func sum("sum");
    Var x("x");
    const auto at = [&](const Expr &i) { return in(clamp(i, 0, in.dim(0).extent() - 1)); };
    sum(x) = at(x - 1) + at(x + 1);
    const auto [loops, with_clamps] = innermost_loops(lowered_lines(sum, "sum"));
    EXPECT_EQ(loops, 3) << "two boundaries and the interior";
    EXPECT_EQ(with_clamps, 2);
}

TEST(Partition, CopiesInCopiesDoNotMultiply) {
    ImageParam in(Int(32), 2, "in");
    Func source("source"), out("out");
    Var x("x"), y("y"), z("z"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), a("a"), b("b"), c("c"), d("d");
    source(x, y, z) = x + y * z;
    RDom r(0, 3, -1, 2, 1, 2, "r");
    r.where(r.x + r.y + r.z < 12);
    source(r.x, r.y, r.z) += in(r.y + 3, r.z) * in(r.x, r.y - 1) + in(r.z + 1, r.x);
    Func edge = BoundaryConditions::repeat_edge(source, {{3, 6}, {1, 12}, {4, 10}});
    out(x, y, z) = edge(x, y, z) + in(x, y);
    const std::vector<Var> vars = edge.args();
    edge.tile(vars[1], vars[0], yo, xo, yi, xi, 12, 4, TailStrategy::RoundUp)
        .split(xo, a, b, 12)
        .split(yo, c, d, 16, TailStrategy::ShiftInwards)
        .compute_at(out, y);
    out.unroll(z, 8, TailStrategy::GuardWithIf);
    const int loops = innermost_loops(lowered_lines(out, "nested")).first;
    EXPECT_LT(loops, 400);
    EXPECT_GT(loops, 8 * 3); // some loops are still partitioned

    const Buffer<int32_t> input = random_buffer<int32_t>({9, 8}, 1, {-1, -2});
    in.set(input);
    expect_same<int32_t>(out, {2, 5, 3});
}

} // namespace
} // namespace fluorite::partition_test
