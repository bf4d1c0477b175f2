// The number of loops after partitioning: one interior and two boundaries per dimension; copies do not multiply.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
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

// Boundary tiles whose code is large: the loops of a small stage in them, which clamps all of its points, are cut.
TEST(Partition, SmallLoopsInLargeBoundaryTilesHaveInteriors) {
    for (const int terms : {2, 60}) { // tiles that are small, and larger than what is cut as a whole
        ImageParam in(Float(32), 2, "in");
        const Func source = BoundaryConditions::repeat_edge(in);
        Func copy("copy"), sum("sum");
        Var x("x"), y("y"), xo("xo"), xi("xi");
        copy(x, y) = source(x, y) * 2.0f;
        Expr all = copy(x, y);
        for (int i = 1; i < terms; i++) {
            all = all * 0.5f + copy(x + i % 9, y - i % 7);
        }
        sum(x, y) = all;
        sum.split(x, xo, xi, 64).unroll(xi, 16).reorder(xi, y, xo);
        copy.compute_at(sum, xo);
        int interiors = 0;
        const std::vector<std::string> lines = lowered_lines(sum, "small_in_large" + std::to_string(terms));
        for (size_t i = 0; i + 1 < lines.size(); i++) {
            interiors += is_loop(lines[i]) && lines[i].find("for copy.s0.x") != std::string::npos &&
                         lines[i].find("steady_begin") != std::string::npos &&
                         lines[i + 1].find("copy[") != std::string::npos &&
                         lines[i + 1].find("max(") == std::string::npos;
        }
        EXPECT_EQ(interiors, 2) << terms; // of the first tiles and the last ones
    }
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

// ---- Loops that are to be cut always.

class AlwaysPartition : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, xi{"xi"};
    Func f{"f"}, g{"g"};
    Param<int> p{"p"};

    static constexpr const char *rule =
        "; a loop is cut where conditions of boundaries and tails are needed at its ends only; leave it to "
        "partition(Partition::Auto), or name the loop whose ends need them";
    static constexpr const char *nothing = "nothing in it is computed under a condition that is known to be likely";
    static constexpr const char *nowhere = "no likely condition in it holds for all but the ends of its iterations";

    void refused(const Func &output, unsigned line, const std::string &loop, const char *reason) {
        expect_error<CompileError>([&] { Func(output).compile_jit(); }, "partition-not-made",
                                   "in " + loop + " is to be partitioned always, and it is not: " + reason + rule,
                                   {"partition_test.cpp", line});
    }
    void define_edges() {
        f(x, y) = x + 10 * y;
        Func edges = BoundaryConditions::repeat_edge(f, {{0, 16}, {0, 8}});
        g(x, y, c) = edges(x - 1, y) + edges(x + 1, y - 1) * c;
        f.compute_root();
    }
    void expect_the_bits_without(Func &func, const std::function<void(Func &)> &cut) {
        const Buffer<int> before = func.realize({19, 7, 3});
        cut(func);
        const Buffer<int> after = func.realize({19, 7, 3});
        after.for_each_element([&](int i, int j, int k) { ASSERT_EQ(after(i, j, k), before(i, j, k)); });
    }
};

TEST_F(AlwaysPartition, LoopsWithoutConditions) {
    f(x, y) = x + y;
    f.vectorize(x, 4, TailStrategy::RoundUp).always_partition(y);
    refused(f, __LINE__ - 1, "f, stage 0: loop y", nothing);
    f.partition(y, Partition::Auto);
    f.compile_jit();
    f(x, y) += 1;
    f.update(0).always_partition(x);
    refused(f, __LINE__ - 1, "f, stage 1: loop x", nothing);
    f.update(0).never_partition(x);
    f.compile_jit();
}

TEST_F(AlwaysPartition, LoopsWhoseIterationsAreAlike) {
    define_edges();
    g.partition(c, Partition::Always);
    refused(g, __LINE__ - 1, "g, stage 0: loop c", nowhere);
    g.partition(c, Partition::Auto).always_partition(x, y);
    g.compile_jit();
    g.always_partition_all();
    refused(g, __LINE__ - 1, "g, stage 0: loop c", nowhere);
}

TEST_F(AlwaysPartition, PartsOfCutLoops) {
    define_edges();
    g.split(x, xo, xi, 8, TailStrategy::GuardWithIf).always_partition(xo);
    g.compile_jit();
    g.vectorize(xi).always_partition_all().partition(c, Partition::Auto); // lanes are no loop any more
    g.compile_jit();
    g.specialize(p > 3).partition(c, Partition::Always);
    refused(g, __LINE__ - 1, "g, stage 0: loop c", nowhere);
}

TEST_F(AlwaysPartition, BesideFeaturesThatLeaveCutsOut) {
    define_edges();
    g.always_partition(x);
    g.compile_jit(get_host_target().with_feature(Target::NoPartitioning));
    g.partition(x, Partition::Auto).partition(c, Partition::Always);
    expect_error<CompileError>(
        [&] { g.compile_jit(get_host_target().with_feature(Target::NoPartitioning)); }, "partition-not-made",
        std::string("in g, stage 0: loop c is to be partitioned always, and it is not: ") + nowhere + rule);
}

TEST_F(AlwaysPartition, KeepsTheBits) {
    define_edges();
    expect_the_bits_without(g, [&](Func &func) { func.always_partition(x, y); });
    expect_the_bits_without(g, [&](Func &func) { func.vectorize(x, 8, TailStrategy::GuardWithIf).parallel(y); });
}

} // namespace
} // namespace fluorite::partition_test
