// Windows that slide through boundary conditions, under each rule for the exterior: what each stage of a chain
// computes, its circular buffer, and the interior of the loops; values for odd sizes.
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace {
std::atomic<int> computed[3];
}
extern "C" int boundary_windows_count(int stage, int value) {
    computed[stage]++;
    return value;
}
FLUORITE_EXTERN_2(int, boundary_windows_count, int, int)

namespace fluorite::boundary_windows_test {
namespace {

enum class Rule : uint8_t { RepeatEdge, Clamp, Constant, MirrorImage, MirrorInterior, RepeatImage };
constexpr Rule all_rules[] = {Rule::RepeatEdge,  Rule::Clamp,          Rule::Constant,
                              Rule::MirrorImage, Rule::MirrorInterior, Rule::RepeatImage};

/// Three stencils of five points over a picture of width x height; the rule extends each stage for the next.
struct Sweeps {
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"}, pair{"pair"};
    Param<int> width{"width"}, height{"height"};
    std::vector<Func> stages;

    enum class Counts : uint8_t { No, Yes };
    explicit Sweeps(Rule rule, Counts counts = Counts::No) {
        Func source("source");
        source(x, y) = x * 3 + y * y * 7;
        Func before = continued(source, rule);
        for (int s = 0; s < 3; s++) {
            Func stage("stage" + std::to_string(s));
            Expr sum =
                before(x, y) * 3 + before(x - 1, y) + before(x + 1, y) * 5 + before(x, y - 1) * 2 + before(x, y + 1);
            stage(x, y) = counts == Counts::Yes ? boundary_windows_count(Expr(s), sum) : sum;
            stages.push_back(stage);
            before = s < 2 ? continued(stage, rule) : stage;
        }
    }

    Func &last() { return stages.back(); }

    void slide(int strip) {
        last().split(y, yo, yi, strip);
        for (int s = 0; s < 2; s++) {
            stages[static_cast<size_t>(s)].store_at(last(), yo).compute_at(last(), yi);
        }
    }

    /// All stages compute two rows together.
    void slide_in_pairs(const Expr &strip) {
        last().split(y, yo, yi, strip, TailStrategy::GuardWithIf).split(yi, yi, pair, 2, TailStrategy::GuardWithIf);
        last().reorder(pair, x, yi, yo).unroll(pair);
        for (int s = 0; s < 2; s++) {
            Func &stage = stages[static_cast<size_t>(s)];
            stage.store_at(last(), yo).compute_at(last(), yi);
            stage.split(y, y, pair, 2, TailStrategy::GuardWithIf).reorder(pair, x, y).unroll(pair);
        }
    }

    void at_root() {
        for (Func &stage : stages) {
            stage.compute_root();
        }
    }

    Buffer<int> run(int w, int h, int beyond = 0) {
        width.set(w);
        height.set(h);
        Buffer<int> result(w + 2 * beyond, h + 2 * beyond);
        result.set_min(-beyond, -beyond);
        last().realize(result);
        return result;
    }

    std::string lowered() {
        std::ostringstream text;
        text << ir::with_tasks_in_place(
            driver::lower_for(*Pipeline(last()).contents(), get_jit_target_from_environment(), "f"));
        return text.str();
    }

  private:
    Func continued(const Func &stage, Rule rule) const {
        const Region box = {{0, width}, {0, height}};
        switch (rule) {
        case Rule::Clamp: {
            Func clamped("clamped");
            clamped(x, y) = stage(clamp(x, 0, width - 1), clamp(y, 0, height - 1));
            return clamped;
        }
        case Rule::Constant:
            return BoundaryConditions::constant_exterior(stage, 77, box);
        case Rule::MirrorImage:
            return BoundaryConditions::mirror_image(stage, box);
        case Rule::MirrorInterior:
            return BoundaryConditions::mirror_interior(stage, box);
        case Rule::RepeatImage:
            return BoundaryConditions::repeat_image(stage, box);
        case Rule::RepeatEdge:
            break;
        }
        return BoundaryConditions::repeat_edge(stage, box);
    }
};

std::string from(const std::string &text, const std::string &part) {
    const size_t at = text.find(part);
    return at == std::string::npos ? "" : text.substr(at);
}

/// The value that the let of this name binds.
std::string value_of(const std::string &text, const std::string &name) {
    const std::string rest = from(text, "let " + name);
    const size_t at = rest.find(" = ");
    return at == std::string::npos ? "" : rest.substr(at + 3, rest.find('\n') - at - 3);
}

std::string memory_of(const std::string &text, const std::string &func) {
    const std::string rest = from(text, "allocate " + func);
    return rest.substr(0, rest.find(']') + 1);
}

TEST(BoundaryWindows, KeepCirclesOfTheFirstIterationsRows) {
    for (const Rule rule : {Rule::RepeatEdge, Rule::Clamp, Rule::Constant, Rule::RepeatImage}) {
        Sweeps sweeps(rule);
        sweeps.slide(32);
        const std::string text = sweeps.lowered();
        EXPECT_NE(memory_of(text, "stage1").find(", 4]"), std::string::npos) << memory_of(text, "stage1");
        EXPECT_NE(memory_of(text, "stage0").find(", 8]"), std::string::npos) << memory_of(text, "stage0");
    }
}

TEST(BoundaryWindows, KeepCirclesWhereReadsGoNoFurtherThanNeighbours) {
    for (const Rule rule : {Rule::MirrorImage, Rule::MirrorInterior}) {
        Sweeps sweeps(rule);
        sweeps.slide(32);
        const std::string text = sweeps.lowered();
        for (const std::string stage : {"stage0", "stage1"}) {
            EXPECT_NE(memory_of(text, stage).find(", " + stage + ".y.fold]"), std::string::npos)
                << memory_of(text, stage);
            const std::string fold = value_of(text, stage + ".y.fold");
            EXPECT_NE(fold.find(stage == "stage0" ? ", 8, " : ", 4, "), std::string::npos) << fold;
        }
    }
}

TEST(BoundaryWindows, ComputeSingleRowsWithoutClampsInside) {
    for (const Rule rule : all_rules) {
        Sweeps sweeps(rule);
        sweeps.slide(32);
        std::string steady = from(sweeps.lowered(), "for stage2.s0.yi in [stage2.s0.yi.steady_begin");
        ASSERT_NE(steady, "");
        steady.erase(steady.find("for stage2.s0.yi in [stage2.s0.yi.steady_end"));
        for (const std::string stage : {"stage0", "stage1"}) {
            const std::string row = value_of(steady, stage + ".s0.y.min");
            EXPECT_EQ(row, "stage2.s0.y.base + stage2.s0.yi + " + std::to_string(stage == "stage0" ? 2 : 1));
            EXPECT_EQ(steady.find("for " + stage + ".s0.y in"), std::string::npos) << steady;
        }
    }
}

// The first iteration computes an even or an odd number of rows, later ones two. What holds of rows in pairs is asked
// once later iterations have been told from the first: for all rows of the first one, it never holds.
TEST(BoundaryWindows, ComputePairsOfRowsWithoutConditionsInside) {
    for (const Rule rule : {Rule::RepeatEdge, Rule::Clamp, Rule::Constant, Rule::MirrorImage, Rule::MirrorInterior}) {
        Sweeps sweeps(rule);
        const Expr rows = select(sweeps.height > 1280, (sweeps.height + 31) / 32 * 2, 80);
        sweeps.slide_in_pairs(rows);
        const std::string text = sweeps.lowered(), end = "for stage2.s0.yi in [stage2.s0.yi.steady_end";
        ASSERT_NE(text.find(end), std::string::npos) << text;
        const size_t begin = text.rfind("for stage2.s0.yi", text.find(end) - 1);
        const std::string steady = text.substr(begin, text.find(end) - begin);
        EXPECT_NE(steady.find("stage2["), std::string::npos) << steady;
        for (const std::string stage : {"stage0", "stage1"}) {
            EXPECT_EQ(steady.find("for " + stage + ".s0.y in"), std::string::npos) << steady;
            EXPECT_EQ(steady.find("for " + stage + ".s0.y@"), std::string::npos) << steady;
        }
        EXPECT_EQ(steady.find("if stage"), std::string::npos) << steady;
    }
}

TEST(BoundaryWindows, InPairsOfRowsEqualStagesAtRoot) {
    for (const Rule rule : all_rules) {
        Sweeps reference(rule);
        reference.at_root();
        for (const int strip : {4, 7}) {
            Sweeps sweeps(rule);
            sweeps.slide_in_pairs(strip);
            for (const auto &[w, h, beyond] : {std::array{1, 1, 0}, {5, 2, 0}, {3, 7, 2}, {4, 16, 1}, {9, 33, 0}}) {
                const Buffer<int> is = sweeps.run(w, h, beyond), expected = reference.run(w, h, beyond);
                expected.for_each_element([&](int i, int k) {
                    ASSERT_EQ(is(i, k), expected(i, k))
                        << static_cast<int>(rule) << ": " << w << " x " << h << " in strips of " << strip;
                });
            }
        }
    }
}

// The first rows of the window are a minimum of what the boundary condition and the other read need; a later iteration
// needs neither of them, so the interior ends where the boundary condition says, and not where that minimum changes.
TEST(BoundaryWindows, HaveAnInteriorBesideReadsWithoutACondition) {
    const Var x("x"), y("y");
    const Param<int> width("width"), height("height");
    for (const bool is_constant : {false, true}) {
        Func stage("stage"), result("result");
        stage(x, y) = x * 3 + y * y * 7;
        const Region box = {{0, width}, {0, height}};
        const Func continued = is_constant ? BoundaryConditions::constant_exterior(stage, 77, box)
                                           : BoundaryConditions::repeat_edge(stage, box);
        result(x, y) = continued(x, y - 1) + continued(x, y + 1) + stage(x, y);
        stage.store_root().compute_at(result, y);
        std::ostringstream text;
        text << driver::lower_for(*Pipeline(result).contents(), get_jit_target_from_environment(), "f");
        EXPECT_EQ(value_of(text.str(), "result.s0.y.steady_begin.t1"),
                  "min(result.s0.y.max, max(result.s0.y.min, 0)) + 1");
        EXPECT_EQ(value_of(text.str(), "result.s0.y.steady_end.t1"),
                  "max(result.s0.y.steady_begin.t1, min(height + -1, min(height, result.s0.y.max + 1)))");
    }
}

TEST(BoundaryWindows, ComputeNoRowTwice) {
    constexpr int w = 13, h = 64, strip = 16;
    for (const Rule rule : all_rules) {
        Sweeps sweeps(rule, Sweeps::Counts::Yes);
        sweeps.slide(strip);
        for (std::atomic<int> &count : computed) {
            count = 0;
        }
        sweeps.run(w, h);
        constexpr int strips = h / strip;
        EXPECT_EQ(computed[2], w * h);
        if (rule == Rule::RepeatImage) { // stages that repeat the image are computed beyond its edges
            EXPECT_EQ(computed[1], (w + 2) * strips * (strip + 2));
            EXPECT_EQ(computed[0], (w + 4) * strips * (strip + 4));
            continue;
        }
        EXPECT_EQ(computed[1],
                  w * (h + 2 * (strips - 1))); // strips overlap by a row on each side inside the picture
        EXPECT_EQ(computed[0], w * (h + 4 * (strips - 1)));
    }
}

TEST(BoundaryWindows, KeepTheValues) {
    constexpr int strip = 4;
    for (const Rule rule : all_rules) {
        Sweeps plain(rule), scheduled(rule);
        plain.at_root();
        scheduled.slide(strip);
        if (rule != Rule::MirrorInterior) {
            for (Func &stage : scheduled.stages) {
                stage.vectorize(scheduled.x, 8, TailStrategy::GuardWithIf);
            }
        }
        for (const auto &[w, h, beyond] : {std::array{1, 1, 2}, {1, 9, 2}, {17, 23, 0}, {33, 8, 5}, {9, 4, 1}}) {
            const Buffer<int> expected = plain.run(w, h, beyond), seen = scheduled.run(w, h, beyond);
            int wrong = 0;
            expected.for_each_element([&](int px, int py) { wrong += expected(px, py) != seen(px, py); });
            EXPECT_EQ(wrong, 0) << "rule " << static_cast<int>(rule) << ", " << w << " x " << h << " and " << beyond
                                << " beyond";
        }
    }
}

/// A stage over a repeated source, and one that reads it through a repetition of its own.
struct RepeatedTwice {
    static constexpr int size = 12;
    Var x{"x"}, y{"y"};
    Func source{"source"}, stage{"stage"}, result{"result"};

    /// `term` is added to the stage, whose source is repeated with `inner`; the result reads it repeated with `outer`.
    RepeatedTwice(const std::function<Expr(Var, Var)> &term, const Region &inner, const Region &outer, int offset = 1,
                  bool has_update = false) {
        source(x, y) = x * 3 + y * y * 7;
        const Func before = BoundaryConditions::repeat_image(source, inner);
        stage(x, y) = boundary_windows_count(0, before(x, y - 1) + before(x + 1, y) + term(x, y));
        if (has_update) {
            stage(x, y) += 1;
        }
        const Func between = BoundaryConditions::repeat_image(stage, outer);
        result(x, y) = between(x, y) + between(x, y + offset);
    }

    /// The number of points of the stage that a row by row computation computes; checks the values.
    int points() {
        computed[0] = 0;
        stage.compute_root();
        const Buffer<int> expected = result.realize({size, size});
        stage.compute_at(result, y);
        computed[0] = 0;
        const Buffer<int> seen = result.realize({size, size});
        expected.for_each_element(
            [&](int px, int py) { EXPECT_EQ(seen(px, py), expected(px, py)) << px << ", " << py; });
        return computed[0];
    }
};

TEST(BoundaryWindows, RepeatWhatRepeatsTheSameImageOnly) {
    constexpr int size = RepeatedTwice::size;
    constexpr int near = 2 * size * size;            // two rows for each
    constexpr int across = near + (size - 2) * size; // for the last row all rows
    const Region all = {{0, size}, {0, size}}, rows = {{Expr(), Expr()}, {0, size}}, fewer = {{0, size}, {0, size - 1}};
    const auto nothing = [](const Var &, const Var &) { return Expr(0); };
    EXPECT_EQ(RepeatedTwice(nothing, all, all).points(), near);
    EXPECT_EQ(RepeatedTwice(nothing, rows, rows).points(), near);
    EXPECT_EQ(RepeatedTwice([](const Var &x, const Var &) { return Expr(x); }, rows, rows).points(), near);
    EXPECT_EQ(RepeatedTwice([](const Var &, const Var &y) { return Expr(y); }, all, all).points(), across);
    EXPECT_EQ(RepeatedTwice([](const Var &x, const Var &y) { return x - y; }, all, all).points(), across);
    EXPECT_EQ(RepeatedTwice(nothing, fewer, all).points(), across);
    EXPECT_LE(RepeatedTwice(nothing, all, all, 1000).points(), size * size * size); // no point beyond the image
    RepeatedTwice bounded(nothing, all, all);
    bounded.stage.bound(bounded.y, 0, size); // the program says that the stage is computed inside of the image
    EXPECT_EQ(bounded.points(), size * size * size);
    EXPECT_EQ(RepeatedTwice(nothing, all, all, 1, true).points(), across);
}

/// Stages that are clamped to a picture one after the other and slide in tiles of the last one.
struct LongChain {
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, yu{"yu"};
    Param<int> width{"width"}, height{"height"};
    std::vector<Func> stages;

    explicit LongChain(int count) {
        Func source("source");
        source(x, y) = x * 3 + y * y * 7;
        Func before = source;
        for (int s = 0; s < count; s++) {
            const auto at = [&](const Expr &u, const Expr &v) {
                return before(clamp(u, 0, width - 1), clamp(v, 0, height - 1));
            };
            Func stage("stage" + std::to_string(s));
            stage(x, y) = at(x - 1, y) + at(x + 1, y) * 3 + at(x, y - 1) * 5 + at(x, y + 1);
            stages.push_back(stage);
            before = stage;
        }
    }

    void slide(int rows) {
        Func &last = stages.back();
        if (rows > 1) {
            last.split(y, y, yu, rows, TailStrategy::PredicateStores);
        }
        last.split(y, yo, yi, 16 / rows, TailStrategy::GuardWithIf).split(x, xo, xi, 24, TailStrategy::GuardWithIf);
        if (rows > 1) {
            last.reorder({xi, yu, yi, xo, yo});
        } else {
            last.reorder({xi, yi, xo, yo});
        }
        for (size_t s = 0; s + 1 < stages.size(); s++) {
            stages[s].store_at(last, xo).compute_at(last, yi).vectorize(x, 4, TailStrategy::RoundUp);
        }
    }

    Buffer<int> run(int w, int h) {
        width.set(w);
        height.set(h);
        return stages.back().realize({w, h});
    }
};

// Regions of the first stages are clamped nine times: written as trees, they are too large to be seen through.
TEST(BoundaryWindows, SlideThroughTenClamps) {
    for (const int rows : {1, 4}) {
        LongChain plain(10), tiled(10);
        tiled.slide(rows);
        for (Func &stage : plain.stages) {
            stage.compute_root();
        }
        const std::string text = Pipeline(tiled.stages.back()).explain_schedule();
        for (size_t s = 0; s < 9; s++) {
            const std::string line = from(text, "stage" + std::to_string(s) + ": ");
            EXPECT_NE(line.substr(0, line.find('\n')).find("y slides along loop yi of stage9"), std::string::npos)
                << line.substr(0, line.find('\n'));
        }
        for (const auto &[w, h] : {std::array{1, 1}, {53, 37}}) {
            const Buffer<int> expected = plain.run(w, h), seen = tiled.run(w, h);
            int wrong = 0;
            expected.for_each_element([&](int px, int py) { wrong += expected(px, py) != seen(px, py); });
            EXPECT_EQ(wrong, 0) << rows << " rows of " << w << " x " << h;
        }
    }
}

// The pieces of a row beside its interior read beyond one edge only: two masked loads for a read, one of lanes in the
// opposite order, and no quotient unless the image is small. Before the interior, only the outermost read is such.
TEST(BoundaryWindows, ReadBeyondOneEdgeWithMaskedVectors) {
    const Target target = Target("x86-64-linux-avx512_skylake-no_asserts");
    Sweeps sweeps(Rule::MirrorImage);
    sweeps.slide(32);
    for (Func &stage : sweeps.stages) {
        stage.vectorize(sweeps.x, 16);
    }
    std::ostringstream lowered;
    lowered << ir::with_tasks_in_place(driver::lower_for(*Pipeline(sweeps.last()).contents(), target, "f"));
    const std::string text = from(lowered.str(), "for stage2.s0.yi in [stage2.s0.yi.steady_begin");
    const std::string row = from(text, "for stage1.s0.x in [stage1.s0.x.edge");
    const std::string before = row.substr(0, row.find("} else {"));
    const size_t last = row.find("for stage1.s0.x in [max(stage1.s0.x.edge", row.find("for stage1.s0.x in [max(") + 1);
    const std::string after = last == std::string::npos ? "" : row.substr(last);
    const auto expect_masks = [](const std::string &piece, size_t masks) {
        for (size_t at = piece.find(" where "); at != std::string::npos; at = piece.find(" where ", at + 1)) {
            masks--;
        }
        EXPECT_EQ(masks, 0U) << piece;
        EXPECT_EQ(piece.find("% broadcast"), std::string::npos) << piece;
    };
    expect_masks(before, 2);
    // Where a row ends is not known to be inside of the image, so each of the five reads may be beyond it.
    expect_masks(after.substr(0, after.find("} else {")), 10);
}

template <typename T> Buffer<T> edges_of_rows(Rule rule, bool flips, int lanes, int width, Func *known) {
    static Param<int> extent("extent");
    if (!known->defined()) {
        const Var x("x"), y("y");
        const Region box = {{0, extent}, {0, extent + 2}};
        const auto continued = [&](const Func &stage) {
            return rule == Rule::MirrorImage      ? BoundaryConditions::mirror_image(stage, box)
                   : rule == Rule::MirrorInterior ? BoundaryConditions::mirror_interior(stage, box)
                                                  : BoundaryConditions::repeat_image(stage, box);
        };
        Func source("source"), first("first"), last("last");
        source(x, y) = cast<T>(x * 13 + y * 31 + x * y);
        const Func a = continued(source);
        first(x, y) = cast<T>(a(x - 2, y) + a(x + 1, y) * 3 + a(x, y - 1) + a(x, y + 1));
        const Func b = continued(first);
        const Expr at = flips ? extent - 1 - x : Expr(x);
        last(x, y) = cast<T>(b(at - 1, y) * 2 + b(at + 3, y) + b(at, y + 1) + b(at, y - 2));
        if (lanes > 0) {
            source.compute_root();
            first.store_root().compute_at(last, y).vectorize(x, lanes);
            last.vectorize(x, lanes);
        } else {
            source.compute_root();
            first.compute_root();
        }
        *known = last;
    }
    extent.set(width);
    return known->realize({width, width + 2});
}

template <typename T> void expect_same_edges(Rule rule, bool flips) {
    Func plain, vectors[2];
    for (const int width : {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 18, 19, 20, 31, 33, 34, 50, 53}) {
        const Buffer<T> expected = edges_of_rows<T>(rule, flips, 0, width, &plain);
        for (int k = 0; k < 2; k++) {
            const int lanes = k == 0 ? 4 : 16;
            const Buffer<T> values = edges_of_rows<T>(rule, flips, lanes, width, &vectors[k]);
            int wrong = 0;
            values.for_each_element([&](int i, int j) { wrong += values(i, j) != expected(i, j); });
            EXPECT_EQ(wrong, 0) << "width " << width << ", " << lanes << " lanes, rule " << static_cast<int>(rule)
                                << (flips ? ", flipped" : "");
        }
    }
}

TEST(BoundaryWindows, HaveTheSameValuesAtEdgesOfVectors) {
    for (const Rule rule : {Rule::MirrorImage, Rule::MirrorInterior, Rule::RepeatImage}) {
        expect_same_edges<int32_t>(rule, false);
        expect_same_edges<int32_t>(rule, true);
        expect_same_edges<uint16_t>(rule, rule == Rule::MirrorImage);
    }
}

} // namespace
} // namespace fluorite::boundary_windows_test
