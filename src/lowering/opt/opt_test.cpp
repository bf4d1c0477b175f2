// fluorite_opt: what it answers, and what it refuses. Golden texts of passes give through it what their tests expect.
#include "lowering/opt/opt.h"

#include "ir/test_golden_ir.h"
#include "lowering/opt/text.h"
#include "lowering/pass_table.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::opt::opt_test {
namespace {

const std::string graph = R"(graph {
  inputs in: int32[1]
  func rows(x): int32 { rows(x) = in(x) * 2 }
  func out(x): int32 { out(x) = rows(x) + rows(x + 1) }
  output out
}
)";
const std::string schedule = "rows.compute_root()\nout.vectorize(x, 4)\n";
const std::string loop = "for x in [0, +4) { f[x] = g[x]:int32 + 0 }\n";

std::string answer(std::vector<std::string> words, const std::string &text, const std::string &with = "") {
    words.emplace_back("a.ir");
    if (!with.empty()) {
        words.emplace_back("a.txt");
    }
    return run_opt(parse_opt_options(words), text, with);
}

void expect_refused(const std::vector<std::string> &words, const std::string &text, const std::string &slug,
                    const std::string &message, const std::string &with = "") {
    SCOPED_TRACE(message);
    expect_error([&] { answer(words, text, with); }, slug, message);
}

TEST(Opt, RunsTheNamedPasses) {
    EXPECT_EQ(answer({"--pass=simplify"}, loop), "for x in [0, +4) {\n  f[x] = g[x]:int32\n}\n");
    EXPECT_EQ(answer({"--pass", "simplify,unroll_loops"}, "unrolled " + loop),
              "f[0] = g[0]:int32\nf[1] = g[1]\nf[2] = g[2]\nf[3] = g[3]\n");
    EXPECT_EQ(answer({}, "// pass: simplify\n// input:\n" + loop + "// expect:\nwhatever\n"),
              "for x in [0, +4) {\n  f[x] = g[x]:int32\n}\n");
    EXPECT_EQ(answer({}, loop), "for x in [0, +4) {\n  f[x] = g[x]:int32 + 0\n}\n");
}

TEST(Opt, RunsARangeOfTheTable) {
    const std::string text = "unrolled for x in [0, +2) { f[x] = g[x + 0]:int32 }\n";
    EXPECT_EQ(answer({"--from=simplify_flat", "--to=unroll_loops"}, text), "f[0] = g[0]:int32\nf[1] = g[1]\n");
    EXPECT_EQ(answer({"--structure"}, graph, schedule), answer({"--structure", "--from=inline"}, graph, schedule));
}

TEST(Opt, PrintsAfterPasses) {
    EXPECT_EQ(answer({"--pass=simplify,unroll_loops", "--print-after=all"}, "unrolled " + loop),
              "// after simplify:\nunrolled for x in [0, +4) {\n  f[x] = g[x]:int32\n}\n"
              "// after unroll_loops:\nf[0] = g[0]:int32\nf[1] = g[1]\nf[2] = g[2]\nf[3] = g[3]\n");
    EXPECT_EQ(answer({"--pass=simplify,unroll_loops", "--print-after=simplify"}, loop),
              "// after simplify:\nfor x in [0, +4) {\n  f[x] = g[x]:int32\n}\n"
              "// in the end:\nfor x in [0, +4) {\n  f[x] = g[x]:int32\n}\n");
    EXPECT_EQ(answer({"--pass=unroll_loops", "--print-after=all"}, loop), "// after unroll_loops: unchanged\n");
}

TEST(Opt, ShowsTheStructure) {
    EXPECT_EQ(answer({"--structure", "--from=build_loops", "--target=x86-64-linux-avx2-no_asserts-no_bounds_query"},
                     graph, schedule),
              "func pipeline\n"
              "  launch pipeline.work.0\n"
              "task pipeline.work.0\n"
              "  allocate rows: int32[?] in heap\n"
              "  for rows.s0.x\n"
              "    store rows: int32; load in: int32\n"
              "  for out.s0.x.wide.t1\n"
              "    store out: int32x8 dense; load rows: 2 of int32x8 dense\n"
              "  for out.s0.x\n"
              "    store out: int32x4 dense; load rows: 2 of int32x4 dense\n"
              "  free rows\n");
    EXPECT_EQ(answer({"--structure"}, "f[ramp(0, 3, 4)] = h[ramp(a, b, 4)]:int32x4 where broadcast(c:bool, 4)\n"
                                      "f[0] = vector_reduce<add>(h[ramp(a, 1, 4)], 1)\n"
                                      "if c { free f } else { evaluate extern fluorite_error(a):int32 }\n"),
              "store f: int32x4 by 3 masked; load h: int32x4 strided\n"
              "store f: int32; vector_reduce<add>; load h: int32x4 dense\n"
              "if\n  free f\nelse\n  call fluorite_error\n");
}

TEST(Opt, ShowsLoopsBoundsAndSchedules) {
    EXPECT_EQ(
        answer({"--loops"}, graph, schedule),
        "produce rows:\n  for x:\n    rows(...) = ...\nconsume rows:\n  produce out:\n    for x:\n      vectorized "
        "xv in [0, 3]:\n        out(...) = ...\n");
    EXPECT_EQ(answer({"--schedule"}, graph, schedule),
              "fluorite schedule 1\nrows.compute_root()\nout.split(x, x, xv, 4)\nout.vectorize(xv)\nend\n");
    EXPECT_EQ(answer({"--bounds=rows"}, graph, schedule).substr(0, 40), "rows is computed at root, stored at root");
    EXPECT_EQ(answer({"--nest"}, graph, schedule).substr(0, 54),
              "func 0 rows computed root stored root hoisted root\n  r");
}

TEST(Opt, SaysInWhichPhasesAStatementIs) {
    const std::string text = answer({"--verify"}, "vectorized " + loop);
    EXPECT_EQ(text.substr(0, text.find('\n')), "flat");
    EXPECT_EQ(answer({"--verify=lowered"}, loop), "lowered\n");
}

// Names of passes that the text has from another run are not made again.
TEST(Opt, MakesNewNames) {
    const std::string text = answer({"--pass=partition_loops"},
                                    "let x.steady_begin.t1:int32 = a\n"
                                    "for x in [x.steady_begin.t1, +w) { f[x] = g[max(likely(x - 1), 0)]:int32 }\n");
    EXPECT_NE(text.find("let x.steady_begin.t2:int32 = "), std::string::npos) << text;
}

TEST(Opt, TheWholeTextIsAnInput) {
    const std::string whole = answer({"--to=flatten", "--whole"}, graph, schedule);
    EXPECT_EQ(answer({"--from=fork_async"}, whole), answer({}, graph, schedule));
    const std::string module = answer({}, graph, schedule);
    EXPECT_EQ(answer({}, module), module);
    EXPECT_EQ(answer({"--pass=outline_tasks"}, module), module);
}

// What a module has beside its functions stays.
TEST(Opt, ModulesKeepTheirParts) {
    const std::string module = "constant table: input int32[1]\n"
                               "streams f\n"
                               "func run(f: output int32[1]) {\n"
                               "  parallel for y in [0, +4) {\n"
                               "    launch run.par_for.y.0(f:handle, table:handle)\n"
                               "  }\n"
                               "}\n"
                               "task run.par_for.y.0(f: output int32[1], table: input int32[1]) of y {\n"
                               "  f[y] = table[y]\n"
                               "}\n";
    EXPECT_EQ(answer({"--pass=free_early,outline_tasks"}, module), module);
    EXPECT_EQ(answer({"--structure"}, module),
              "constant table: int32\nstreams f\nfunc run\n  parallel for y in 4\n    launch run.par_for.y.0\n"
              "task run.par_for.y.0 of y\n  store f: int32; load table: int32\n");
    expect_refused({"--pass=free_early"}, "func f() { evaluate 1 }\ncallee g() { evaluate 2 }\n", "opt-pass",
                   "the module has the callee g, as modules of iterations have; passes run on the entry alone; give "
                   "the pipeline of the callee");
    expect_refused({}, "func f() { launch g() }\n", "bad-ir-text",
                   "in a.ir: the module breaks a rule of modules (src/ir/verify.h): in f: in launch g: the module has "
                   "no such task; repair it");
}

TEST(Opt, HelpNamesEveryOption) {
    const std::string help = answer({"--help"}, "");
    EXPECT_EQ(help.substr(0, 19), "usage: fluorite_opt");
    for (const char *option : {"--pass NAMES", "--from NAME", "--to NAME", "--print-after NAMES", "--whole",
                               "--structure", "--nest", "--loops", "--bounds FUNC", "--schedule", "--verify[=PHASE]",
                               "--no-verify", "--target TARGET", "--name NAME", "--list", "--help"}) {
        EXPECT_NE(help.find(std::string("  ") + option + " "), std::string::npos) << option;
    }
}

TEST(Opt, TheListHasEveryPass) {
    const std::string list = answer({"--list"}, "");
    EXPECT_EQ(list.substr(0, list.find('\n')),
              "inline                    -        -        definitions in place of calls of inlined Funcs; establishes "
              "inlined Funcs");
    EXPECT_NE(list.find("\nunroll_loops              flat     flat     copies in place of unrolled loops; needs folded "
                        "addresses; establishes no unrolled loops; breaks folded addresses\n"),
              std::string::npos)
        << list;
    EXPECT_EQ(static_cast<size_t>(std::count(list.begin(), list.end(), '\n')), pass_table().size());
}

TEST(Opt, RefusesOptions) {
    const auto refused = [](const std::vector<std::string> &words, const std::string &text) {
        expect_error([&] { parse_opt_options(words); }, "opt-option", "in the command line, " + text);
    };
    refused({"--fast", "a.ir"}, "'--fast' is not known; --help lists the options; use one of them");
    refused({"--loops=a", "a.ir"}, "--loops is given a value; it has none; leave it out");
    refused({"a.ir", "--pass"}, "--pass is given no value; it takes one, as in `--pass NAMES`; add it");
    refused({"--loops"}, "no file is named; a text is read from a file; name one, or - for the standard input");
    refused({"a", "b", "c"},
            "'c' is a third file; a text, and a schedule for its graph, are at most two; leave it out");
    refused({"--pass=flatten", "--to=flatten", "a"},
            "--pass and a range are given; passes are named or are a range of the table; leave one of both out");
    expect_refused({"--pass=flat"}, loop, "opt-option",
                   "in the command line, 'flat' is no pass; --list prints the passes; name one of them");
    expect_refused({"--from=flatten", "--to=inline"}, loop, "opt-option",
                   "in the command line, inline comes before flatten in the table; a range runs forwards; exchange "
                   "them, or name the passes with --pass");
    expect_refused({"--to=flatten"}, loop, "opt-option",
                   "in the command line, --to is given without --from, and the text has a statement, which may be in "
                   "any phase; add --from");
    expect_refused({"--print-after=flatten", "--pass=simplify"}, loop, "opt-option",
                   "in the command line, --print-after names flatten, which does not run; the passes that run are "
                   "named by --pass, or by --from and --to; add it there");
    expect_refused({"--verify=done"}, loop, "opt-option",
                   "in the command line, 'done' is no phase of a statement; the phases are loops, split, laid, flat, "
                   "plain and lowered; name one of them");
}

TEST(Opt, RefusesTexts) {
    expect_refused({}, "// nothing\n", "opt-text",
                   "in a.ir: it has neither a graph nor a statement; passes run on one of both; give one");
    expect_refused({}, loop, "opt-text",
                   "in a.ir: it has a schedule and no graph; a schedule is applied to a graph; add the graph",
                   schedule);
    expect_refused({}, "// graph:\n" + graph + "// schedule:\n" + schedule, "opt-text",
                   "in a.ir: it has a schedule, and a.txt is another one; a graph has one schedule; leave one of both "
                   "out",
                   schedule);
    expect_refused({"--loops"}, loop, "opt-text",
                   "in a.ir: there is no graph; loop nests and schedules are those of a graph; add a section "
                   "`// graph:`");
    expect_refused({"--verify"}, graph, "opt-text",
                   "in a.ir: there is no statement; phases are those of a statement; add a section `// input:`");
    expect_refused(
        {}, graph, "opt-text",
        "in a.txt, line 1, out.update(0).rfactor({r}, {u}) makes Funcs or tiles an iteration; the graph in a "
        "text is what a program has after that; write the graph with these Funcs, and their schedules",
        "out.update(0).rfactor({r}, {u})\n");
}

TEST(Opt, PositionsAreLinesOfTheFile) {
    expect_refused({}, "// input:\nfor x in [0, +4) { f[x] = }\n", "bad-ir-text",
                   "a.ir:2:27: '}' stands where an expression is expected");
    expect_refused({}, "// graph:\n" + graph + "// schedule:\nrows.compute_at(out, z)\n", "schedule-mismatch",
                   "in the schedule, line 9, rows.compute_at(out, z): out has no loop z; its loops are x; apply it to "
                   "the pipeline that it was made for, or change the line");
    expect_refused(
        {}, "graph { func f(x): int32 { f(x) = y } output f }", "bad-ir-text",
        "in a.ir: the graph breaks a rule of graphs (src/ir/graph.h): func f: stage 0: the Var is no argument of this "
        "stage: y; "
        "repair it");
}

TEST(Opt, RefusesPassesThatCannotRun) {
    expect_refused({"--pass=inline"}, loop, "opt-pass",
                   "the pass inline takes a graph and its schedule, and the text has a statement, which comes later; "
                   "leave out the statement");
    expect_refused({"--pass=lay_out_storage"}, "f(0) = 1\n", "opt-pass",
                   "the pass lay_out_storage reads the loop nest beside the statement, and the text has none; give "
                   "graph and schedule");
    expect_refused({"--pass=flatten"}, graph, "opt-pass",
                   "the pass flatten takes a statement, which build_loops makes, and it has not run; begin at "
                   "build_loops or before it, or give a statement");
    expect_refused({"--pass=outline_tasks,free_early"}, loop, "opt-pass",
                   "the pass free_early takes a statement, and outline_tasks has made a module of it; let "
                   "outline_tasks be the last");
    expect_refused({"--pass=partition_loops"}, "vectorized " + loop, "opt-pass",
                   "the pass partition_loops takes a statement in phase plain, and this one is not: in for x: a "
                   "vectorized loop does not occur in phase plain; run the passes before it, or repair the text");
    expect_refused({"--pass=vectorize_loops"}, "unrolled " + loop, "opt-pass",
                   "the pass vectorize_loops takes a statement with no unrolled loops, and in this one the loop x is "
                   "unrolled; run the passes before it, or repair the text");
    expect_refused({"--verify=lowered"}, "vectorized " + loop, "opt-pass",
                   "the statement breaks rules of the phases that were asked for; src/ir/verify.h states them; repair "
                   "the text:\nlowered: in for x: a vectorized loop does not occur in phase lowered\n");
    expect_refused({"--pass=vectorize_loops"}, "vectorized for x in [0, +n) { f[x] = 1 }\n",
                   "vectorize-non-constant-extent",
                   "in the pipeline, stage 0: the loop x is vectorized but its extent is n; the extent of such a loop "
                   "must be a constant; vectorize by a factor, as in vectorize(x, 8), or promise a constant extent "
                   "with bound()");
}

// A statement can be wrong in ways that only a pass notices.
TEST(Opt, RunsOnBrokenStatementsWhereAsked) {
    EXPECT_EQ(answer({"--pass=free_early", "--no-verify"}, "vectorized " + loop), answer({}, "vectorized " + loop));
}

/// hint_streams and atomic stages have options that no text has.
bool has_more_than_text(const std::string &head) {
    return head.find("hint_streams") != std::string::npos || head.find("// atomic") != std::string::npos ||
           head.find("// error:") != std::string::npos;
}

TEST(Opt, GoldenTextsGiveTheirResults) {
    int count = 0;
    for (const std::filesystem::path &path : ir::golden_files("tests/lowering")) {
        const ir::GoldenFile golden = ir::read_golden_file(path);
        for (const ir::Expectation &expectation : golden.expect) {
            const auto *machine =
                std::find_if(std::begin(ir::golden_machines), std::end(ir::golden_machines),
                             [&](const ir::GoldenMachine &each) { return each.name == expectation.machine; });
            if (has_more_than_text(golden.head)) {
                continue;
            }
            SCOPED_TRACE(path.string());
            EXPECT_EQ(ir::trimmed(answer({"--name=f", "--target", machine->target}, golden.head)),
                      ir::trimmed(expectation.text));
            count++;
        }
    }
    EXPECT_GT(count, 60);
}

} // namespace
} // namespace fluorite::lowering::opt::opt_test
