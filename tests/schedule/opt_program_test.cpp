// The program fluorite_opt: files, the standard input, what goes where, and exit codes. What it answers is tested
// beside src/lowering/opt.
#include "support/test_process.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::opt_program_test {
namespace {

namespace fs = std::filesystem;

const char *const graph = "graph { func f(x): int32 { f(x) = x } output f }\n";

class OptProgram : public testing::Test {
  protected:
    std::string program = (fs::read_symlink("/proc/self/exe").parent_path() / "fluorite_opt").string();

    void SetUp() override {
        if (!fs::exists(program)) {
            GTEST_SKIP() << "fluorite_opt is not built";
        }
        std::ofstream("opt_graph.ir") << graph;
        std::ofstream("opt_schedule.txt") << "f.parallel(x)\n";
        std::ofstream("opt_loop.ir") << "vectorized for x in [0, +4) { f[x] = 1 }\n";
    }

    ProcessOutcome run(const std::string &words) const { return run_process(program + " " + words); }
};

TEST_F(OptProgram, ReadsFilesAndTheStandardInput) {
    const ProcessOutcome of_files = run("--loops opt_graph.ir opt_schedule.txt");
    EXPECT_EQ(of_files.code, 0);
    EXPECT_EQ(of_files.text, "produce f:\n  parallel x:\n    f(...) = ...\n");
    EXPECT_EQ(run("--loops - opt_schedule.txt < opt_graph.ir").text, of_files.text);
}

TEST_F(OptProgram, ExitCodesTellWhoseMistakeItIs) {
    EXPECT_EQ(run("--help").code, 0);
    EXPECT_EQ(run("--list").code, 0);
    EXPECT_EQ(run("--pass=partition_loops opt_loop.ir").code, 1);
    EXPECT_EQ(run("").code, 2);
    EXPECT_EQ(run("--pass=nothing opt_loop.ir").code, 2);
    EXPECT_EQ(run("opt_schedule.txt").code, 2);
    EXPECT_EQ(run("nowhere.ir").code, 2);
    EXPECT_EQ(run("--target=nothing opt_loop.ir").code, 2);
}

TEST_F(OptProgram, ErrorsGoToTheErrorOutput) {
    EXPECT_EQ(run_process("(" + program + " nowhere.ir 2> /dev/null)").text, "");
    EXPECT_EQ(run("nowhere.ir").text,
              "fluorite_opt: in nowhere.ir: it cannot be read; name a file that there is [opt-text]\n");
}

} // namespace
} // namespace fluorite::opt_program_test
