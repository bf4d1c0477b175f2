// Golden texts of passes: tests/lowering/<folder>/<name>.ir.
//
// A file contains loop IR before and after the passes. Comments begin its sections:
//   // pass: unroll_loops, simplify        the passes to run, in order; outline_tasks makes a module and is the last
//   one
//   // atomic                              every stage of the graph is atomic()
//   // graph:                              (optional) the pipeline that symbols belong to, as text
//   // input:                              the statement
//   // expect:                             the result of the passes, for the widest machine of the table below, or
//   // expect zen4:                        the same for a machine of the table, one section for each; or
//   // error: slug: text                   the expected error
// FLUORITE_UPDATE_GOLDENS rewrites what follows `expect:`. Where a result is expected, input and result also run on the
// test machine, with several seeds: memory, events, and loads from arguments must agree (a pass may load less). The
// statement is verified before and after each pass.
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/test_golden_ir.h"
#include "lowering/pass_table.h"
#include "lowering/test_machine.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace fluorite::lowering::golden_test {
namespace {

using namespace ir;
struct Golden {
    GoldenFile file;
    std::vector<std::string> passes;
    bool atomic = false;
    std::string graph, input, error;
};

Golden read_golden(const std::filesystem::path &path) {
    Golden golden;
    golden.file = read_golden_file(path);
    std::istringstream head(golden.file.head);
    std::string *section = nullptr;
    auto after = [](const std::string &line, const std::string &word) {
        return line.starts_with(word) ? std::optional(trimmed(line.substr(word.size()))) : std::nullopt;
    };
    for (std::string line; std::getline(head, line);) {
        if (auto names = after(line, "// pass:")) {
            std::istringstream list(*names);
            for (std::string name; std::getline(list, name, ',');) {
                golden.passes.push_back(trimmed(name));
            }
        } else if (line == "// atomic") {
            golden.atomic = true;
        } else if (line == "// graph:") {
            section = &golden.graph;
        } else if (line == "// input:") {
            section = &golden.input;
        } else if (auto error = after(line, "// error:")) {
            golden.error = *error;
        } else if (section) {
            *section += line + "\n";
        }
    }
    return golden;
}

/// The pipeline of a golden, with the default schedule and the symbols that the statement may use.
struct TestPipeline {
    schedule::ScheduledGraph pipeline;
    ParseOptions names;

    /// The text has no names of the user's; the symbols' names are used instead.
    static void name_loops(FuncDef &func) {
        func.arg_names.clear();
        for (const Symbol &arg : func.args) {
            func.arg_names.push_back(arg.name());
        }
        for (Stage &stage : func.stages) {
            for (ReductionVar &rvar : stage.rvars) {
                rvar.name = rvar.var.name();
            }
        }
    }

    explicit TestPipeline(const Golden &golden) {
        if (trimmed(golden.graph).empty()) {
            return;
        }
        pipeline.graph = parse_graph(golden.graph);
        for (FuncDef &func : pipeline.graph.funcs) {
            name_loops(func);
            names.symbols.push_back(func.symbol);
            schedule::FuncSchedule schedule;
            for (size_t k = 0; k < func.stages.size(); k++) {
                schedule.stages.push_back(schedule::default_stage_schedule(func, func.stages[k], k > 0));
                schedule.stages.back().atomic = golden.atomic;
            }
            pipeline.schedule.funcs.push_back(std::move(schedule));
        }
        for (const InputDef &input : pipeline.graph.inputs) {
            names.symbols.push_back(input.symbol);
        }
    }
};

/// The result of the passes: a statement, or a module.
struct Result {
    Stmt stmt;
    std::optional<LoweredModule> module;

    std::string text() const { return module ? to_text(*module) : stmt.defined() ? to_text(stmt) : ""; }
    void run(TestMachine &machine) const {
        if (module) {
            machine.run(*module);
        } else if (stmt.defined()) {
            machine.run(stmt);
        }
    }
};

void expect_same_meaning(const Stmt &before, const Result &after, const Golden &golden, const Graph &graph) {
    const auto runs = [&](const char *pass) {
        return std::find(golden.passes.begin(), golden.passes.end(), pass) != golden.passes.end();
    };
    std::set<std::string> tuples;
    for (const FuncDef &func : graph.funcs) {
        if (func.types.size() > 1) {
            tuples.insert(func.name());
        }
    }
    for (uint64_t seed = 0; seed < 4; seed++) {
        TestMachine first(seed), second(seed);
        first.tuples = tuples;
        ASSERT_NO_THROW(first.run(before));
        try {
            after.run(second);
        } catch (const std::exception &error) {
            FAIL() << error.what();
        }
        if (!runs("flatten")) { // which gives every value another address
            EXPECT_EQ(first.written == second.written, true) << "memory differs, seed " << seed;
            EXPECT_TRUE(
                std::includes(first.loaded.begin(), first.loaded.end(), second.loaded.begin(), second.loaded.end()))
                << "more is loaded than before, seed " << seed;
        }
        std::sort(first.log.begin(), first.log.end());
        std::sort(second.log.begin(), second.log.end());
        if (!runs("inject_tracing")) {
            EXPECT_EQ(first.log, second.log) << "events differ, seed " << seed;
        }
    }
}

/// Runs the passes, which verify the statement before and after. Inlining outlined tasks again must give the statement.
Result run_passes(PassRunner &runner, const std::vector<std::string> &passes) {
    for (const std::string &name : passes) {
        if (name == "simplify") { // in any phase
            runner.simplify();
            continue;
        }
        const std::optional<size_t> row = find_pass(name);
        if (!row) {
            ADD_FAILURE() << "no pass is called " << name;
            continue;
        }
        const Stmt before = runner.stmt();
        runner.run(*row);
        if (const LoweredModule *module = runner.module()) {
            EXPECT_TRUE(equal(with_tasks_in_place(*module).entry().body, before));
            return {{}, *module};
        }
    }
    return {runner.stmt(), std::nullopt};
}

/// Runs the passes for a machine, and records the text; an error must be the expected one.
void run_golden(const Golden &golden, const std::filesystem::path &path, Expectation &expectation) {
    const TestPipeline test(golden);
    const auto machine = std::find_if(std::begin(golden_machines), std::end(golden_machines),
                                      [&](const GoldenMachine &each) { return each.name == expectation.machine; });
    ASSERT_NE(machine, std::end(golden_machines)) << "no machine is called " << expectation.machine;
    LowerOptions options;
    options.name = "f";
    options.verify = true;
    options.hints_streams = true;
    options.machine = machine::machine_model(Target(machine->target));
    ParseOptions names = test.names;
    names.file = path.filename();
    const Stmt input = parse_stmt(golden.input, names);
    PassRunner runner(test.pipeline, input, options);
    Result made;
    try {
        made = run_passes(runner, golden.passes);
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug() + ": " + error.message(), golden.error);
        return;
    }
    EXPECT_EQ(golden.error, "") << "no error was raised";
    const std::string text = trimmed(made.text());
    if (!updates_goldens()) {
        EXPECT_EQ(text, trimmed(expectation.text));
    }
    expectation.text = text;
    expect_same_meaning(input, made, golden, test.pipeline.graph);
}

void run_golden(const std::filesystem::path &path) {
    Golden golden = read_golden(path);
    ASSERT_FALSE(golden.passes.empty()) << "no `// pass:` line";
    for (Expectation &expectation : golden.file.expect) {
        SCOPED_TRACE(expectation.machine);
        run_golden(golden, path, expectation);
    }
    if (updates_goldens() && golden.error.empty()) {
        write_golden_file(path, golden.file);
    }
}

TEST(Golden, EveryFileGivesItsText) {
    const std::vector<std::filesystem::path> files = golden_files("tests/lowering");
    EXPECT_GT(files.size(), 20U);
    for (const std::filesystem::path &file : files) {
        SCOPED_TRACE(file.string());
        try {
            run_golden(file);
        } catch (const std::exception &error) {
            ADD_FAILURE() << error.what();
        }
    }
}

} // namespace
} // namespace fluorite::lowering::golden_test
