// The bounded loop nests of small programs, complete: definitions after inlining, sites, loops, regions, storage,
// windows, guards, and the checks at entry. tests/schedule/nests/<name>.txt has them; FLUORITE_UPDATE_GOLDENS rewrites
// these files. tests/schedule/lowered/<name>.txt has the structure of the loop IR that the passes of lowering make of
// them, and of programs for single passes, at their end, for a fixed machine: loops, memory, accesses, calls.
//
// Values alone do not show a region that is larger than necessary, memory that is not folded, or a range that is not
// known: read the difference when a text changes.
#include "fluorite/fluorite.h"
#include "ir/lowered.h"
#include "ir/print.h"
#include "language/freeze.h"
#include "loopnest/explain/nest_text.h"
#include "loopnest/loop_nest.h"
#include "loopnest/user_text.h"
#include "lowering/lower.h"
#include "lowering/opt/opt.h"
#include "lowering/opt/structure.h"
#include "lowering/opt/text.h"
#include "lowering/pass_table.h"
#include "support/test_golden.h"

#include <functional>
#include <numeric>
#include <string>

namespace fluorite::nest_texts_test {
namespace {

const Var x("x"), y("y"), c("c"), xo("xo"), yo("yo"), xi("xi"), yi("yi");

struct Program {
    const char *name;
    Func (*make)();
};

/// Rows in a window of a strip, read through a boundary condition.
Func windows_through(const std::function<Func(const Func &, const Region &)> &around) {
    const Param<int> width("width"), height("height");
    const ImageParam in(Float(32), 2, "in");
    Func before("before"), out("out");
    before(x, y) = in(x, y) * 0.5f;
    const Func limited = around(before, {{0, width}, {0, height}});
    out(x, y) = limited(x, y - 1) + limited(x + 1, y) + limited(x, y + 1);
    out.split(y, yo, yi, 16);
    before.store_at(out, yo).compute_at(out, yi);
    return out;
}

const Program programs[] = {
    {"sliding_window",
     [] {
         const ImageParam in(UInt(16), 2, "in");
         Func rows("rows"), out("out");
         rows(x, y) = in(x, y) + in(x + 1, y) + in(x + 2, y);
         out(x, y) = rows(x, y - 1) + rows(x, y) + rows(x, y + 1);
         rows.store_root().compute_at(out, y).vectorize(x, 8);
         return out;
     }},
    {"quotients_that_move_down",
     [] {
         const ImageParam in(UInt(16), 2, "in");
         Func first("first"), rows("rows"), out("out");
         first(x, y) = in(x, y) + in(x, y + 1);
         rows(x, y) = first(x, y - 1) + first(x, y + 1);
         out(x, y) = rows(x, (99 - y) / 3) + rows(x, (99 - y) / 3 + 2);
         rows.store_root().compute_at(out, y);
         first.store_root().compute_at(out, y);
         return out;
     }},
    {"tiles_and_tails",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func far("far"), near("near"), out("out");
         far(x, y) = in(x - 1, y) * 2;
         near(x, y) = far(x, y) + far(x + 3, y + 1);
         out(x, y) = near(x, y) - near(x + 1, y);
         out.split(x, xo, xi, 8, TailStrategy::GuardWithIf).split(y, yo, yi, 4, TailStrategy::ShiftInwards);
         out.reorder(xi, yi, xo, yo).vectorize(xi, 4).parallel(yo);
         near.store_at(out, yo).compute_at(out, xo).vectorize(x, 4, TailStrategy::RoundUp).unroll(y, 2);
         far.compute_at(near, y);
         return out;
     }},
    {"mirrored_windows",
     [] {
         return windows_through(
             [](const Func &f, const Region &box) { return BoundaryConditions::mirror_image(f, box); });
     }},
    {"repeated_windows",
     [] {
         return windows_through(
             [](const Func &f, const Region &box) { return BoundaryConditions::repeat_image(f, box); });
     }},
    {"windows_that_move_down",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func rows("rows"), steps("steps"), out("out");
         rows(x, y) = in(x, y) * 2;
         steps(x, y) = in(x, y) - 1;
         out(x, y) =
             rows(x, clamp(60 - y, 0, 50)) + rows(x, clamp(62 - y, 0, 50)) + steps(x, -3 * y) + steps(x, 5 - 3 * y);
         rows.store_root().compute_at(out, y);
         steps.store_root().compute_at(out, y);
         return out;
     }},
    {"clamped_input",
     [] {
         const ImageParam in(UInt(8), 2, "in");
         Func clamped("clamped"), out("out");
         clamped(x, y) = in(clamp(x, in.dim(0).min(), in.dim(0).max()), clamp(y, 0, in.dim(1).max()));
         out(x, y) = clamped(x - 1, y) + clamped(x + 1, y * 2) + in(in.dim(0).max(), in.dim(1).max() - y);
         clamped.compute_at(out, y);
         out.vectorize(x, 16);
         return out;
     }},
    {"updates",
     [] {
         const ImageParam in(Int(32), 2, "in");
         const Param<int> taps("taps");
         Func weights("weights"), sums("sums"), out("out");
         const RDom r(-1, 3, 0, taps, "r");
         RDom inside(0, 20, "inside");
         inside.where(inside % 3 == 1);
         weights(x) = x * x;
         sums(x, y) = 0;
         sums(x, y) += in(x + r.x, y - r.y) * weights(r.x);
         sums(x, 5) = sums(x, 4) + inside;
         sums(x, y) = max(sums(x, y), in(inside, y));
         out(x, y) = sums(x, y) + sums(x + 1, y + 1);
         sums.compute_at(out, y);
         sums.update(0).reorder(x, r.x, r.y).vectorize(x, 4).prefetch(in, r.y, r.y, 2);
         weights.compute_at(sums, r.y);
         return out;
     }},
    {"scan",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func sums("sums"), out("out");
         const RDom r(1, 40, "r");
         sums(x, y) = in(x, y);
         sums(r, y) = sums(r - 1, y) + in(r, y);
         out(x, y) = sums(x + 2, y / 2) - sums(x, y / 2);
         sums.compute_at(out, y);
         out.parallel(y, 2);
         return out;
     }},
    {"shared_loops",
     [] {
         const ImageParam in(Int(16), 2, "in");
         Func a("a"), b("b"), out("out");
         a(x, y) = in(x, y) + in(x + 1, y);
         b(x, y) = in(x, y) - in(x, y + 2);
         out(x, y) = a(x, y) * b(x + 1, y + 1);
         a.compute_root().split(y, yo, yi, 4);
         b.compute_root().split(y, yo, yi, 4).compute_with(a, yo, LoopAlignStrategy::AlignStart);
         return out;
     }},
    {"specializations",
     [] {
         const ImageParam in(Int(32), 2, "in");
         const Param<int> taps("taps"), mode("mode");
         Func sums("sums"), out("out");
         const RDom r(0, taps, "r");
         sums(x, y) = 0;
         sums(x, y) += in(x + r, y);
         out(x, y) = select(mode == 2, sums(x, y), in(x, y + 1));
         sums.compute_at(out, y);
         out.specialize(mode == 2 && taps == 3).vectorize(x, 4);
         out.specialize(in.width() > 100).parallel(y);
         out.specialize_fail("no such mode");
         return out;
     }},
    {"async_ring",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func fetched("fetched"), out("out");
         fetched(x, y) = in(x, y) + 7;
         out(x, y) = fetched(x, y) + fetched(x, y + 2);
         out.split(y, yo, yi, 8, TailStrategy::RoundUp);
         fetched.compute_at(out, yo).hoist_storage_root().ring_buffer(3).async();
         return out;
     }},
    {"memoized",
     [] {
         const ImageParam in(Int(32), 1, "in");
         const Param<int> version("version"), offset("offset");
         Func table("table"), out("out");
         table(x) = memoize_tag(in(x), version) * offset + offset;
         out(x, y) = table(x + y) + table(x);
         table.compute_at(out, y).memoize(EvictionKey(version + 1));
         return out;
     }},
    {"promises",
     [] {
         const ImageParam in(Int(32), 3, "in");
         Func pair("pair"), out("out");
         pair(x, y, c) = Tuple(in(x, y, c), cast<float>(x + c));
         out(x, y, c) = pair(x, y, c)[0] + cast<int>(pair(x, y + 1, c)[1]);
         in.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
         out.bound(c, 0, 3).reorder(c, x, y).unroll(c).align_bounds(x, 8, 1);
         pair.compute_at(out, y).reorder_storage(c, x, y).align_storage(c, 4).fold_storage(y, 4).bound_extent(c, 3);
         out.output_buffer().dim(1).set_min(0);
         return out;
     }},
    {"pyramid",
     [] {
         const ImageParam in(UInt(16), 2, "in");
         Func level("level"), down("down"), out("out");
         level(x, y) = cast<int32_t>(BoundaryConditions::repeat_edge(in)(x, y));
         down(x, y) = (level(2 * x - 1, 2 * y) + level(2 * x, 2 * y) + level(2 * x + 1, 2 * y + 1)) / 3;
         out(x, y) = level(x, y) - down(x / 2, (y + 1) / 2) * down(x / 2 + 1, y / 2);
         down.compute_at(out, yo);
         out.split(y, yo, yi, 8, TailStrategy::ShiftInwards).vectorize(x, 8);
         level.compute_root().parallel(y);
         return out;
     }},
    {"partial_results",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func sum("sum"), out("out");
         const Var u("u");
         const RDom r(0, 64, 0, 9, "r");
         const RVar ro("ro"), ri("ri");
         Func source("source");
         source(x, y) = in(x, y) + 1;
         sum(x) = 0;
         sum(x) += source(r.x + x, r.y);
         out(x) = sum(x) * 2 + source(x, 3);
         source.in(sum).compute_root(); // the partial results read it, too
         sum.compute_root();
         Func partial = sum.update().split(r.x, ro, ri, 8).rfactor(ri, u);
         partial.compute_at(sum, x).update().vectorize(u, 8);
         return out;
     }},
    {"fused_dimension_of_one",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func before("before"), out("out");
         before(x, y) = in(x, y) * 3;
         out(x, y) = before(x, y) + before(x, y + 1);
         out.bound(x, 0, 1).fuse(x, y, xo);
         before.store_root().compute_at(out, xo);
         return out;
     }},
    {"selected_values",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func left("left"), right("right"), out("out");
         left(x, y) = in(x - 5, y);
         right(x, y) = in(x + 5, y);
         out(x, y) = select(x < 10, left(x, y), right(x, clamp(in(x, y), 0, 30)));
         left.compute_at(out, y);
         right.compute_root();
         return out;
     }},
};

class NestTexts : public testing::TestWithParam<Program> {};

TEST_P(NestTexts, AreAsBefore) {
    expect_golden(to_text(loopnest::make_loop_nest(language::freeze({GetParam().make()}))),
                  "tests/schedule/nests/" + std::string(GetParam().name) + ".txt");
}

/// For passes of lowering: what their results show is not in the loop nest.
const Program lowered_programs[] = {
    {"async_window",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func rows("rows"), out("out");
         rows(x, y) = in(x, y) + in(x + 1, y);
         out(x, y) = rows(x, y - 1) + rows(x, y + 1);
         rows.store_root().compute_at(out, y).fold_storage(y, 4).async();
         return out;
     }},
    {"async_pair",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func first("first"), second("second"), out("out");
         first(x, y) = in(x, y) + 1;
         second(x, y) = first(x, y) * first(x, y + 1);
         out(x, y) = second(x, y) + second(x + 1, y);
         first.store_root().compute_at(out, y).async();
         second.store_root().compute_at(out, y).async();
         return out;
     }},
    {"edges",
     [] {
         const ImageParam in(UInt(8), 2, "in");
         Func near = BoundaryConditions::repeat_edge(in), out("out");
         out(x, y) = cast<uint8_t>((cast<uint16_t>(near(x - 1, y)) + near(x, y) * 2 + near(x + 1, y + 1)) / 4);
         out.vectorize(x, 16).parallel(y, 8);
         return out;
     }},
    {"edges_of_constants",
     [] {
         const ImageParam in(Float(32), 2, "in");
         Func outside = BoundaryConditions::constant_exterior(in, 0.5f), rows("rows"), out("out");
         rows(x, y) = outside(x - 2, y) + outside(x + 2, y);
         out(x, y) = rows(x, y - 1) * rows(x, y + 1);
         out.split(y, yo, yi, 4).vectorize(x, 8);
         rows.store_at(out, yo).compute_at(out, yi).vectorize(x, 8);
         return out;
     }},
    {"predicates_of_tails",
     [] {
         const ImageParam in(Int(16), 2, "in");
         Func loads("loads"), stores("stores"), both("both"), out("out");
         loads(x, y) = in(x, y) + in(x + 1, y);
         stores(x, y) = in(x, y) * loads(x, y);
         both(x, y) = stores(x, y) - 1;
         out(x, y) = both(x, y) + loads(x + 1, y);
         out.vectorize(x, 8, TailStrategy::ShiftInwardsAndBlend);
         loads.compute_at(out, y).vectorize(x, 8, TailStrategy::PredicateLoads);
         stores.compute_at(out, y).vectorize(x, 8, TailStrategy::PredicateStores);
         both.compute_at(out, y).vectorize(x, 8, TailStrategy::Predicate);
         return out;
     }},
    {"block_of_sums",
     [] {
         const ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
         Func product("product"), out("out");
         const RDom k(0, a.width(), "k");
         product(x, y) = 0.0f;
         product(x, y) += a(k, y) * b(x, k);
         out(x, y) = product(x, y);
         out.tile(x, y, xi, yi, 16, 4).vectorize(xi, 8).unroll(xi).unroll(yi).parallel(y);
         product.compute_at(out, x).vectorize(x, 8).unroll(x).unroll(y);
         product.update().reorder(x, y, k).vectorize(x, 8).unroll(x).unroll(y);
         return out;
     }},
    {"counts",
     [] {
         const ImageParam in(UInt(8), 2, "in");
         Func counts("counts"), out("out");
         const RDom r(in);
         counts(x) = 0;
         counts(in(r.x, r.y)) += 1;
         out(x) = counts(x) + counts(255 - x);
         counts.compute_root().vectorize(x, 8).update().atomic().parallel(r.y);
         return out;
     }},
    {"channels",
     [] {
         const ImageParam in(UInt(8), 3, "in");
         Func out("out");
         in.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
         out(x, y, c) = cast<uint8_t>(255) - in(x, y, 2 - c);
         out.output_buffer().dim(0).set_stride(3).dim(2).set_stride(1);
         out.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 16);
         return out;
     }},
    {"columns",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func out("out");
         out(x, y) = in(y, x);
         out.tile(x, y, xi, yi, 8, 8).vectorize(xi).unroll(yi);
         return out;
     }},
    {"traces",
     [] {
         ImageParam in(Int(32), 1, "in");
         Func pair("pair"), out("out");
         pair(x) = Tuple(in(x), cast<uint8_t>(x));
         out(x) = pair(x)[0] + pair(x + 1)[1];
         pair.compute_root().trace_realizations().trace_stores().trace_loads();
         in.trace_loads();
         return out;
     }},
    {"traces_of_an_input",
     [] {
         ImageParam in(Int(32), 1, "in");
         Func out("out");
         out(x) = in(x) + 1;
         in.trace_loads();
         return out;
     }},
    {"rows_of_bytes",
     [] {
         const ImageParam in(UInt(8), 2, "in");
         Func rows("rows"), out("out");
         rows(x, y) = in(x, y) + in(x + 1, y);
         out(x, y) = rows(x, y) + rows(x, y + 1);
         rows.compute_root().vectorize(x, 32);
         return out;
     }},
    {"wavefront",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func out("out");
         const Var t("t");
         const RDom r(1, 30, 1, 20, "r");
         const RVar front("front");
         out(x, y) = in(x, y);
         out(r.x, r.y) = max(out(r.x - 1, r.y), out(r.x, r.y - 1)) + in(r.x, r.y);
         out.skew(x, y, t, 2).update().skew(r.x, r.y, front).reorder(r.y, front).parallel(r.y);
         return out;
     }},
    {"sums_of_lanes",
     [] {
         const ImageParam in(Int(16), 2, "in");
         Func sum("sum"), out("out");
         const RDom r(0, 32, "r");
         const RVar ro("ro"), ri("ri");
         sum(y) = 0;
         sum(y) += cast<int>(in(r, y)) * in(r, y + 1);
         out(y) = sum(y) / 4;
         sum.compute_at(out, y).update().split(r, ro, ri, 16).atomic().vectorize(ri);
         return out;
     }},
    {"values_in_registers",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func near("near"), out("out");
         near(x, y) = in(x, y) * in(x, y);
         out(x, y) = near(x, y) + near(x + 1, y) * near(x + 2, y);
         out.unroll(x, 4);
         near.compute_at(out, x).bound_extent(x, 6).store_in(MemoryType::Register).unroll(x);
         return out;
     }},
    {"streams",
     [] {
         const ImageParam in(Int(32), 2, "in");
         Func out("out");
         out(x, y) = in(x, y) + in(x, y + 1);
         out.vectorize(x, 16).parallel(y).stream_stores();
         return out;
     }},
};

// The first definition has no number, and updates are counted from 0, as in programs.
TEST(UserText, StagesOfLoops) {
    const auto shown = [](const char *loop) {
        return loopnest::text_for_user(ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Loop, loop)), ir::Graph());
    };
    EXPECT_EQ(shown("f.s0.x"), "f.x");
    EXPECT_EQ(shown("f.s0.x.base"), "f.x.base");
    EXPECT_EQ(shown("f.s1.x"), "f.update(0).x");
    EXPECT_EQ(shown("f.s12.x"), "f.update(11).x");
    EXPECT_EQ(shown("f.sum.x"), "f.sum.x");
}

class LoweredTexts : public testing::TestWithParam<Program> {};

/// The structure of each program shows what it is for: the loops of pieces and boundaries, memory, how wide and dense
/// accesses are, calls. Other tests compare values with those of the interpreter.
TEST_P(LoweredTexts, HaveTheStructure) {
    lowering::LowerOptions options;
    options.machine = machine::machine_model(Target("x86-64-linux-avx2"));
    options.checked = std::string(GetParam().name) == "traces";
    const ir::LoweredModule module = lowering::lower(language::freeze({GetParam().make()}), options);
    expect_golden(lowering::opt::structure_text(ir::with_tasks_in_place(module)),
                  "tests/schedule/lowered/" + std::string(GetParam().name) + ".txt");
}

/// Two passes after which the lowering of a program is broken off; those of all programs are nearly all passes.
std::vector<size_t> breaks_of(const std::string &program) {
    const size_t first = *lowering::find_pass("build_loops"), count = *lowering::find_pass("outline_tasks") - first;
    const auto sum = static_cast<size_t>(std::accumulate(program.begin(), program.end(), 0));
    return {first + sum % count, first + (sum + count / 2) % count};
}

/// Broken off after a pass, printed with graph and schedule, and read again, lowering gives the same module.
TEST_P(LoweredTexts, CanBeBrokenOff) {
    const schedule::ScheduledGraph frozen = language::freeze({GetParam().make()});
    const schedule::ScheduledGraph &pipeline = frozen.rewritten ? *frozen.rewritten : frozen;
    const auto run = [](std::vector<std::string> words, const std::string &text) {
        words.insert(words.end(), {"--target=x86-64-linux-avx2", "--no-verify", "text"});
        return lowering::opt::run_opt(lowering::opt::parse_opt_options(words), text);
    };
    const lowering::LowerOptions options = lowering::options_for(Target("x86-64-linux-avx2"));
    const std::string graph = lowering::opt::whole_text(pipeline, "");
    const std::string expected =
        run({}, graph); // splits may be in another order than in the program, but make the same
    EXPECT_EQ(run({"--structure"}, graph), lowering::opt::structure_text(lowering::lower(frozen, options)));
    const std::vector<lowering::PassInfo> table = lowering::pass_table();
    for (const size_t row : breaks_of(GetParam().name)) {
        SCOPED_TRACE(table[row].name);
        const std::string whole = run({"--whole", "--to", table[row].name}, graph);
        EXPECT_EQ(run({"--from", table[row + 1].name}, whole), expected);
    }
}

std::string name_of(const testing::TestParamInfo<Program> &info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Programs, LoweredTexts, testing::ValuesIn(programs), name_of);
INSTANTIATE_TEST_SUITE_P(Passes, LoweredTexts, testing::ValuesIn(lowered_programs), name_of);
INSTANTIATE_TEST_SUITE_P(Programs, NestTexts, testing::ValuesIn(programs), name_of);

} // namespace
} // namespace fluorite::nest_texts_test
