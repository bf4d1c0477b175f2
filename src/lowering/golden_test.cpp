// Golden texts of passes: tests/lowering/<folder>/<name>.ir.
//
// A file is loop IR before and after, with comments that begin sections:
//   // pass: unroll_loops, simplify        the passes to run, in order
//   // atomic                              every stage of the graph is atomic()
//   // graph:                              (optional) the pipeline that symbols belong to, as text
//   // input:                              the statement
//   // expect:                             what the passes make of it, or
//   // error: slug: text                   what they say of it
// FLUORITE_UPDATE_GOLDENS rewrites what follows `expect:`. Where a result is expected, input and result also run on the test
// machine, with several seeds: memory, events, and loads from arguments must agree (a pass may load less).
#include "ir/parse.h"
#include "ir/print.h"
#include "lowering/late_passes.h"
#include "lowering/test_machine.h"
#include "rewrite/simplify.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace fluorite::lowering {
namespace {

using namespace ir;
using Pass = Stmt (*)(const Stmt &, const PassContext &);

Stmt simplify_pass(const Stmt &stmt, const PassContext &) { return rewrite::simplify(stmt); }

const std::map<std::string, Pass> passes = {
    {"split_tuples", split_tuples},
    {"inject_tracing", inject_tracing},
    {"flatten", flatten},
    {"unroll_loops", unroll_loops},
    {"vectorize_loops", vectorize_loops},
    {"accumulate_in_lanes", accumulate_in_lanes},
    {"partition_loops", partition_loops},
    {"merge_vectors", merge_vectors},
    {"part_lanes", part_lanes},
    {"join_accesses", join_accesses},
    {"reuse_lanes", reuse_lanes},
    {"transpose_blocks", transpose_blocks},
    {"keep_places", keep_places},
    {"hoist_invariants", hoist_invariants},
    {"remove_dead_allocations", remove_dead_allocations},
    {"lower_effects", lower_effects},
    {"free_early", free_early},
    {"simplify", simplify_pass},
};

struct Golden {
    std::string head; // all up to and including the line that begins the expectation
    std::vector<std::string> passes;
    bool atomic = false;
    std::string graph, input, expect, error;
};

std::string trimmed(const std::string &text) {
    const size_t begin = text.find_first_not_of(" \n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

Golden read_golden(const std::filesystem::path &path) {
    Golden golden;
    std::ifstream file(path);
    std::string *section = nullptr;
    auto after = [](const std::string &line, const std::string &word) {
        return line.starts_with(word) ? std::optional(trimmed(line.substr(word.size()))) : std::nullopt;
    };
    for (std::string line; std::getline(file, line);) {
        if (section != &golden.expect) {
            golden.head += line + "\n";
        }
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
        } else if (line == "// expect:") {
            section = &golden.expect;
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

    /// The text has no users' names; the symbols' own serve.
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

void expect_same_meaning(const Stmt &before, const Stmt &after, const Golden &golden, const Graph &graph) {
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
            if (after.defined()) {
                second.run(after);
            }
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

void run_golden(const std::filesystem::path &path) {
    const Golden golden = read_golden(path);
    ASSERT_FALSE(golden.passes.empty()) << "no `// pass:` line";
    const TestPipeline test(golden);
    const LowerOptions options;
    SymbolSource symbols;
    const PassContext context(test.pipeline, options, symbols);
    ParseOptions names = test.names;
    names.file = path.filename();
    const Stmt input = parse_stmt(golden.input, names);
    Stmt result = input;
    try {
        for (const std::string &name : golden.passes) {
            const auto pass = passes.find(name);
            ASSERT_NE(pass, passes.end()) << "no pass is called " << name;
            result = result.defined() ? pass->second(result, context) : result;
        }
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug() + ": " + error.message(), golden.error);
        return;
    }
    EXPECT_EQ(golden.error, "") << "no error was raised";
    const std::string text = result.defined() ? trimmed(to_text(result)) : "";
    if (std::getenv("FLUORITE_UPDATE_GOLDENS")) {
        std::ofstream(path) << golden.head
                            << (golden.head.find("// expect:") == std::string::npos ? "// expect:\n" : "") << text
                            << (text.empty() ? "" : "\n");
    } else {
        EXPECT_EQ(text, trimmed(golden.expect));
    }
    expect_same_meaning(input, result, golden, test.pipeline.graph);
}

std::vector<std::filesystem::path> golden_files() {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path root = std::filesystem::path(std::getenv("FLUORITE_SOURCE_DIR")) / "tests/lowering";
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".ir") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Golden, EveryFileGivesItsText) {
    const std::vector<std::filesystem::path> files = golden_files();
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
} // namespace fluorite::lowering
