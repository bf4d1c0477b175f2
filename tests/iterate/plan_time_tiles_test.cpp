// The plans of iterations, complete: the schedules of the initial values and of the body, and for each length of a
// pass, whether it streams and its schedule. tests/iterate/plans/<name>.txt has them; FLUORITE_UPDATE_GOLDENS rewrites
// these files. The values of an iteration do not depend on its plan, so no other test notices a worse one.
#include "fluorite/iterate.h"

#include "autoschedule/time_tiling/plan_time_tiles.h"
#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"
#include "support/test_golden.h"

#include <functional>
#include <set>
#include <tuple>

namespace fluorite::plan_time_tiles_test {
namespace {

const Var x("x"), y("y"), z("z"), w("w");

/// A boundary condition, from an image over the domain.
using Condition = Func (*)(const ImageParam &);
Func edges(const ImageParam &field) { return BoundaryConditions::repeat_edge(field); }
Func wraps(const ImageParam &field) { return BoundaryConditions::repeat_image(field); }
Func mirrors(const ImageParam &field) { return BoundaryConditions::mirror_interior(field); }
/// A mirror that the program writes itself: any row may need any other one, as far as the compiler knows.
Func turns(const ImageParam &field) {
    std::vector<Expr> coordinates;
    const std::vector<Var> all = {x, y, z, w}, vars(all.begin(), all.begin() + field.dimensions());
    for (int d = 0; d < field.dimensions(); d++) {
        const Expr extent = field.dim(d).extent(), at = vars[static_cast<size_t>(d)] % (2 * extent);
        coordinates.push_back(clamp(select(at >= extent, 2 * extent - 1 - at, at), 0, extent - 1));
    }
    Func turned("turned");
    turned(vars) = field(coordinates);
    return turned;
}

Iterated heat(const Region &domain, const Expr &steps, int reach = 1, Type type = Float(32),
              Condition condition = edges) {
    const ImageParam image(type, static_cast<int>(domain.size()), "image");
    const std::vector<Var> all = {x, y, z, w}, vars(all.begin(), all.begin() + static_cast<long>(domain.size()));
    return iterate(steps, domain, image, [&](const IterationStep &s) {
        const Func u = condition(s.field());
        Func next("next");
        const std::vector<Expr> here(vars.begin(), vars.end());
        Expr sum = u(here);
        for (size_t d = 0; d < here.size(); d++) {
            std::vector<Expr> before = here, after = here;
            before[d] = here[d] - reach;
            after[d] = here[d] + 1;
            sum += u(before) * u(after);
        }
        next(vars) = sum;
        return next;
    });
}

/// Two fields, a Func between that is computed in rows of its own, one that is inlined, and one without dimensions.
Iterated wave(const Region &domain, const Expr &steps, bool has_sum) {
    Func initial("initial");
    initial(x, y) = Tuple(cast<float>(x), 0.0f);
    return iterate(steps, domain, initial, [&](const IterationStep &s) {
        const Func u = BoundaryConditions::repeat_edge(s.field(0)), v = BoundaryConditions::repeat_edge(s.field(1));
        Func slope("slope"), twice("twice"), sum("sum"), next("next");
        slope(x, y) = u(x + 1, y) - u(x, y);
        twice(x, y) = slope(x, y) * 2;
        Expr total = 1.0f;
        if (has_sum) {
            const RDom r(0, 16, "r");
            sum() = 0.0f;
            sum() += s.field(0)(r, 0);
            total = sum();
        }
        next(x, y) = Tuple(u(x, y) + v(x, y + 2), v(x, y) + slope(x, y) - slope(x - 1, y) + twice(x, y) + total);
        return next;
    });
}

Iterated scheduled() {
    const ImageParam image(Float(32), 2, "image");
    return iterate(9, {{0, 100}, {0, 100}}, image, [](const IterationStep &s) {
        Func next("next");
        next(x, y) = s.field()(x, y) * 2 + 1;
        next.vectorize(x, 8);
        return next;
    });
}

struct Case {
    const char *name;
    Iterated (*make)();
    int tile = 0;
    const char *target = "x86-64-linux-avx512_sapphirerapids";
};

const Case cases[] = {
    {"line", [] { return heat({{0, 100}}, 20); }},
    {"line_of_unknown_steps", [] { return heat({{0, Param<int>("n")}}, Param<int>("steps")); }},
    {"square", [] { return heat({{0, 1000}, {0, 700}}, 20); }},
    {"square_avx2", [] { return heat({{0, 1000}, {0, 700}}, 20); }, 0, "x86-64-linux-avx2-fma-f16c-tune_znver3"},
    {"square_sse41", [] { return heat({{0, 1000}, {0, 700}}, 20); }, 0, "x86-64-linux-sse41"},
    {"square_of_wide_rows", [] { return heat({{0, 9000}, {0, 7000}}, 20); }},
    {"square_of_far_reads", [] { return heat({{0, 9000}, {0, 70}}, 7, 3); }},
    {"square_of_unknown_size", [] { return heat({{0, Param<int>("n")}, {0, Param<int>("m")}}, Param<int>("steps")); }},
    {"square_of_bytes", [] { return heat({{0, 30000}, {0, 30000}}, 5, 2, UInt(8)); }},
    {"square_in_passes_of_3", [] { return heat({{0, 100}, {0, 100}}, 11); }, 3},
    {"square_in_passes_of_1", [] { return heat({{0, 100}, {0, 100}}, 11); }, 1},
    {"square_of_one_step", [] { return heat({{0, 100}, {0, 100}}, 1); }},
    {"cube", [] { return heat({{0, 100}, {0, 100}, {0, 100}}, 9); }},
    {"cube_of_unknown_size", [] { return heat({{0, Param<int>("n")}, {0, 700}, {0, 700}}, Param<int>("steps")); }},
    {"cube_of_far_reads", [] { return heat({{0, 512}, {0, 512}, {0, 512}}, Param<int>("steps"), 2); }},
    {"four_dimensions", [] { return heat({{0, 10}, {0, 10}, {0, 10}, {0, 10}}, 9); }},
    {"square_that_is_mirrored", [] { return heat({{0, 100}, {0, 80}}, 9, 1, Float(32), mirrors); }},
    {"square_that_turns_by_hand", [] { return heat({{0, 100}, {0, 80}}, 9, 1, Float(32), turns); }},
    {"square_that_wraps_around_by_default", [] { return heat({{0, 1000}, {0, 700}}, 20, 1, Float(32), wraps); }},
    {"fields", [] { return wave({{0, 1000}, {0, 700}}, 20, false); }},
    {"fields_and_a_sum", [] { return wave({{0, 1000}, {0, 700}}, 20, true); }},
    {"past_steps",
     [] {
         const ImageParam image(Float(32), 2, "image");
         IterateOptions options;
         options.before = Func(image);
         const auto body = [](const IterationStep &s) {
             const Func u = BoundaryConditions::repeat_edge(s.field());
             Func next("next");
             next(x, y) = u(x - 1, y) + u(x, y + 1) - s.past()(x, y);
             return next;
         };
         return iterate(9, {{0, 100}, {0, 100}}, image, body, options);
     }},
    {"past_steps_in_passes_of_3",
     [] {
         const ImageParam image(Float(32), 3, "image");
         IterateOptions options;
         options.before = Func(image);
         const auto body = [](const IterationStep &s) {
             const Var z("z");
             Func next("next");
             const Func u = BoundaryConditions::repeat_edge(s.field()), past = s.past();
             next(x, y, z) = u(x - 1, y, z) + u(x, y + 1, z) + u(x, y, z + 1) - past(x, y, z);
             return next;
         };
         return iterate(9, {{0, 100}, {0, 100}, {0, 100}}, image, body, options);
     },
     3},
    {"reads_without_boundaries",
     [] {
         const ImageParam image(Float(32), 2, "image");
         return iterate(9, {{0, 100}, {0, 100}}, image, [](const IterationStep &s) {
             Func between("between"), next("next");
             between(x, y) = s.field()(x, y) * 2 + 1;
             const Func edge = BoundaryConditions::repeat_edge(between, s.domain);
             next(x, y) = edge(x, y - 1) + between(x, y);
             return next;
         });
     }},
    {"square_that_wraps_around", [] { return heat({{0, 1000}, {0, 700}}, 20, 1, Float(32), wraps); }, 2},
    {"cube_that_wraps_around", [] { return heat({{0, 100}, {0, 100}, {0, 100}}, 9, 1, Float(32), wraps); }, 2},
    {"reads_that_wrap_around_elsewhere",
     [] { // of a period that is not the domain's: each point would need whole steps
         const ImageParam image(Float(32), 2, "image");
         return iterate(9, {{0, 100}, {0, 100}}, image, [](const IterationStep &s) {
             Func next("next");
             next(x, y) = s.field()(x, (y + 1) % 50) + s.field()(x, y);
             return next;
         });
     }},
    {"scheduled", scheduled},
    {"scheduled_in_passes_of_1", scheduled, 1},
};

std::string schedule_of(const schedule::ScheduledGraph &pipeline) {
    std::ostringstream text;
    text << schedule::to_text(schedule::directives_of(pipeline.graph, pipeline.schedule));
    // What the schedule relies on: the region of the outputs, and definitions whose coordinates are limited.
    for (const FuncId id : pipeline.graph.outputs) {
        const ir::FuncDef &output = pipeline.graph.func(id);
        for (const ir::OutputBuffer &buffer : output.output_buffers) {
            for (const ir::DimConstraint &dim : buffer.dims) {
                text << "// " << output.name() << " from " << dim.min << " of " << dim.extent << "\n";
            }
        }
        for (const Expr &value : output.stages[0].values) {
            text << "// " << output.name() << " = " << value << "\n";
        }
    }
    return text.str();
}

// Passes of a constant number of steps have equal lengths, or one pass has all steps where that needs not much more
// memory than stays near.
TEST(PassesOfACube, HaveFewLengths) {
    const auto lengths = [](int steps, const char *target) {
        const schedule::ScheduledGraph pipeline = language::freeze({heat({{0, 512}, {0, 512}, {0, 512}}, steps)});
        const schedule::TimeTilePlan plan = autoschedule::time_tiling::plan_time_tiles(
            *pipeline.graph.iterations[0], pipeline.iterations[0], machine::machine_model(Target(target)));
        std::set<int, std::greater<>> all;
        for (const schedule::PlannedTile &tile : plan.tiles) {
            all.insert(tile.steps);
        }
        std::string text;
        for (const int length : all) {
            text += (text.empty() ? "" : " ") + std::to_string(length);
        }
        return text;
    };
    const char *intel = "x86-64-linux-avx512_sapphirerapids", *zen = "x86-64-linux-avx512_zen4";
    const std::tuple<int, const char *, const char *> expected[] = {{2, "2", "2"},   {3, "3", "3"},  {4, "2", "4"},
                                                                    {5, "5", "5"},   {6, "3", "3"},  {7, "3 1", "7"},
                                                                    {8, "3 2", "4"}, {9, "3", "5 4"}};
    for (const auto &[steps, on_intel, on_zen] : expected) {
        EXPECT_EQ(lengths(steps, intel), on_intel) << steps;
        EXPECT_EQ(lengths(steps, zen), on_zen) << steps;
    }
}

class PlanTimeTiles : public testing::TestWithParam<Case> {};

TEST_P(PlanTimeTiles, AreAsBefore) {
    const schedule::ScheduledGraph pipeline = language::freeze({GetParam().make().time_tile(GetParam().tile)});
    const schedule::TimeTilePlan plan = autoschedule::time_tiling::plan_time_tiles(
        *pipeline.graph.iterations[0], pipeline.iterations[0], machine::machine_model(Target(GetParam().target)));
    std::string seen;
    for (const auto &[what, graph] : {std::pair("initial", &plan.initial), {"body", &plan.body}}) {
        seen += concat(what, *graph ? "\n" + schedule_of(**graph) : " as it is\n");
    }
    for (const schedule::PlannedTile &tile : plan.tiles) {
        seen += concat("pass of ", tile.steps, tile.streams ? " streams\n" : "\n", schedule_of(tile.body));
    }
    seen += concat("streams from ", plan.streaming_bytes, " bytes on\n");
    expect_golden(seen, "tests/iterate/plans/" + std::string(GetParam().name) + ".txt");
}

INSTANTIATE_TEST_SUITE_P(Cases, PlanTimeTiles, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &info) { return std::string(info.param.name); });

// The rows that mirrored steps of a pass keep for each other are those of clamped ones, whatever is known of the sizes:
// a row beyond the edge is one of the rows near it.
TEST(PlanTimeTiles, MirroredStepsKeepTheRowsThatClampedOnesKeep) {
    const Param<int> width("width"), height("height");
    const auto circles = [](const Region &domain, Condition condition) {
        const Iterated f = heat(domain, 20, 1, Float(32), condition).time_tile(4);
        std::istringstream report(Pipeline(f).compile_report(Target("x86-64-linux-avx2")));
        std::string seen;
        for (std::string line; std::getline(report, line);) {
            seen += line.find("in a circular buffer of") != std::string::npos ? line + "\n" : "";
        }
        return seen;
    };
    for (const Region &domain : {Region{{0, 400}, {0, 300}}, Region{{0, width}, {0, height}}}) {
        const std::string clamped = circles(domain, edges);
        EXPECT_NE(clamped.find("next$3: y is stored in a circular buffer of 4"), std::string::npos) << clamped;
        EXPECT_EQ(circles(domain, mirrors), clamped);
    }
}

TEST(PlanTimeTiles, TheReportHasAllPartsOfAnIteration) {
    const Iterated f = heat({{0, 1000}}, 20).time_tile(2);
    const std::string report = Pipeline(f).compile_report(Target("x86-64-linux-avx512_sapphirerapids"));
    for (const char *part : {"iteration0_body:\n", "iteration0_tile2:\n"}) {
        EXPECT_NE(report.find(part), std::string::npos) << report;
    }
}

// Passes over what no cache holds hint at what they will read (lowering/loops/hint_streams.cpp); others do not.
TEST(PlanTimeTiles, PassesThatStreamHintAhead) {
    const auto has_hints = [](int extent) {
        const Iterated f = heat({{0, extent}, {0, 8000}}, 3);
        return assembly(f, "x86-64-linux-avx512_sapphirerapids").find("prefetcht0") != std::string::npos;
    };
    EXPECT_TRUE(has_hints(8000));
    EXPECT_FALSE(has_hints(100));
}

} // namespace
} // namespace fluorite::plan_time_tiles_test
