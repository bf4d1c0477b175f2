// What partitioning adds to nests of many loops: copies are bounded, whatever the depth, and values are the same.

#include "driver/compiled.h"
#include "driver/test_interpreter.h"
#include "language/pipeline_contents.h"
#include "lowering/lower.h"

#include <gtest/gtest.h>

#include <functional>

namespace fluorite::partition_budget_test {
namespace {

const Var x("x"), y("y"), yo("yo"), yi("yi");

struct Counts {
    int innermost = 0; // loops without loops inside
    int all = 0;
};

/// Counts the loops of a statement.
class LoopCounter : public ir::Visitor {
  public:
    Counts counts;

    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const ir::Stmt &stmt) override {
        const int before = counts.all;
        recurse(stmt);
        if (stmt.kind() == ir::StmtKind::For) {
            counts.innermost += counts.all == before ? 1 : 0;
            counts.all++;
        }
    }
};

/// The loops after a pass.
Counts loops_after(const char *pass, const Func &func) {
    const Pipeline pipeline(func);
    LoopCounter counter;
    lowering::LowerOptions options;
    options.on_pass = [&](const char *name, double, const ir::Stmt &stmt) {
        if (std::string(name) == pass) {
            counter.visit(stmt);
        }
    };
    lowering::lower(driver::freeze_for(*pipeline.contents(), Target("x86-64-linux-avx2")), options);
    return counter.counts;
}

std::vector<Func> chain(const ImageParam &input, int length, const std::function<Expr(const Func &)> &step) {
    Func first("first");
    first(x, y) = BoundaryConditions::repeat_edge(input)(x, y);
    std::vector<Func> stages = {first};
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = step(stages.back());
        stages.push_back(stage);
    }
    return stages;
}

Expr three_rows(const Func &f) { return f(x, y - 1) + f(x, y) + f(x, y + 1); }

/// Each stage slides along rows of the next one: a nest of as many loops, each with a first and later iterations.
Func windows(const ImageParam &input, int length) {
    std::vector<Func> stages = chain(input, length, three_rows);
    for (int i = 1; i < length; i++) {
        stages[static_cast<size_t>(i)].store_root().compute_at(stages[static_cast<size_t>(i) + 1], y);
    }
    return stages.back();
}

/// Each stage in tiles of the next one, whose last tile is guarded.
Func guarded_tiles(const ImageParam &input, int length) {
    std::vector<Func> stages = chain(input, length, three_rows);
    for (int i = 1; i <= length; i++) {
        Func stage = stages[static_cast<size_t>(i)];
        stage.split(y, yo, yi, 3, TailStrategy::GuardWithIf);
        if (i < length) {
            stage.compute_at(stages[static_cast<size_t>(i) + 1], yo);
        }
    }
    return stages.back();
}

Func strided(const ImageParam &input, int length) {
    int i = 0;
    std::vector<Func> stages = chain(input, length, [&](const Func &f) {
        return i++ % 2 ? f(x, y / 2) + f(x, y / 2 + 1) : f(x, 2 * y) + f(x, 2 * y + 1);
    });
    for (int k = 1; k < length; k++) {
        stages[static_cast<size_t>(k)].store_root().compute_at(stages[static_cast<size_t>(k) + 1], y);
    }
    return stages.back();
}

/// Each stage has a boundary condition, and is computed at rows of the next one.
Func bounded(const ImageParam &input, int length) {
    const Region box = {{0, input.width()}, {0, input.height()}};
    std::vector<Func> stages = chain(input, length, [&](const Func &f) {
        const Func edges = BoundaryConditions::mirror_image(f, box);
        return edges(x - 1, y) + edges(x + 1, y - 1);
    });
    for (int k = 1; k < length; k++) {
        stages[static_cast<size_t>(k)].store_root().compute_at(stages[static_cast<size_t>(k) + 1], y);
    }
    return stages.back();
}

ImageParam image() { return ImageParam(Int(32), 2, "input"); }

struct Nest {
    const char *name;
    Func (*make)(const ImageParam &, int);
};
const Nest nests[] = {
    {"windows", windows}, {"guarded tiles", guarded_tiles}, {"strides of two", strided}, {"bounded", bounded}};

TEST(PartitionBudget, CopiesDoNotGrowWithThePowerOfTheDepth) {
    for (const Nest &nest : nests) {
        EXPECT_LE(loops_after("partition_loops", nest.make(image(), 14)).all, 1500) << nest.name;
        EXPECT_LE(loops_after("partition_loops", nest.make(image(), 28)).all, 1500) << nest.name;
    }
}

TEST(PartitionBudget, TheNestIsCutFromOutsideAndAtItsInnermostLoops) {
    const Func deep = windows(image(), 20);
    const Counts before = loops_after("simplify_vectors", deep), after = loops_after("partition_loops", deep);
    EXPECT_EQ(before.innermost, 20);
    EXPECT_GE(after.innermost, 3 * before.innermost);
    const std::string report = Pipeline(deep).compile_report(Target("x86-64-linux-avx2"));
    EXPECT_NE(report.find("  stage20, loop y: cut into boundary and interior (no_partitioning)\n"), std::string::npos);
    EXPECT_NE(report.find("  stage2, loop y: not cut into boundary and interior, as all copies of the nest's loops "
                          "would be too large together\n"),
              std::string::npos)
        << report;
}

TEST(PartitionBudget, AFewNestedWindowsAreCutCompletely) {
    const std::string report = Pipeline(windows(image(), 6)).compile_report(Target("x86-64-linux-avx2"));
    EXPECT_EQ(report.find("too large together"), std::string::npos) << report;
}

TEST(PartitionBudget, ValuesAreThoseOfTheInterpreter) {
    for (const Nest &nest : nests) {
        for (const int length : {3, 13}) {
            ImageParam input = image();
            input.set(random_buffer<int32_t>({7, 6}, 1));
            const Func func = nest.make(input, length);
            const Target quick = get_jit_target_from_environment().with_feature(Target::QuickCode);
            const Buffer<int32_t> seen = Func(func).realize({7, 5}, quick),
                                  expected = interpreted<int32_t>(func, {7, 5});
            EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "")
                << nest.name << ", " << length;
        }
    }
}

} // namespace
} // namespace fluorite::partition_budget_test
