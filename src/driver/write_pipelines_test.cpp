// The texts of compiled pipelines, and that fluorite_opt makes of them what the program compiles.
#include "fluorite/fluorite.h"
#include "lowering/opt/opt.h"
#include "support/test_errors.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace fluorite::write_pipelines_test {
namespace {

namespace fs = std::filesystem;

/// Sets the variable while it lives.
class Folder {
  public:
    explicit Folder(const std::string &name) { setenv("FLUORITE_WRITE_PIPELINES", name.c_str(), 1); }
    ~Folder() { unsetenv("FLUORITE_WRITE_PIPELINES"); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
};

std::string content(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A reduction of which a part has become a Func of its own.
Pipeline sums() {
    const Var x("x"), u("u");
    const RDom r(0, 64, "r");
    const RVar ro("ro"), ri("ri");
    Func source("source"), sum("sum");
    source(x) = x * 3;
    sum(x) = 0;
    sum(x) += source(x + r);
    source.compute_root();
    sum.update().split(r, ro, ri, 8).rfactor(ri, u).compute_at(sum, x);
    return Pipeline(sum);
}

TEST(WritePipelines, TheTextIsThePipeline) {
    fs::remove_all("pipelines");
    fs::create_directory("pipelines");
    const Target target("x86-64-linux-avx2");
    {
        const Folder folder("pipelines");
        sums().compile_to_lowered_stmt("sums.txt", {}, Text, target);
    }
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator("pipelines")) {
        files.push_back(entry.path());
    }
    ASSERT_EQ(files.size(), 1U);
    const std::string text = content(files[0]);
    EXPECT_EQ(text.rfind("// target: " + target.to_string(), 0), 0U) << text;
    const auto run = [&](const std::vector<std::string> &words) {
        return lowering::opt::run_opt(lowering::opt::parse_opt_options(words), text);
    };
    EXPECT_NE(run({"--loops", "a"}).find("sum_intm"), std::string::npos) << run({"--loops", "a"});
    EXPECT_NE(run({"--structure", "a"}).find("allocate sum_intm"), std::string::npos) << run({"--structure", "a"});
}

TEST(WritePipelines, RefusesAFolderThatIsNotThere) {
    const Folder folder("nowhere");
    try {
        sums().compile_to_lowered_stmt("sums.txt", {}, Text, Target("x86-64-linux-avx2"));
        ADD_FAILURE() << "it is accepted";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "pipeline-file");
        const std::string &text = error.message();
        EXPECT_EQ(text.substr(0, 43), "the pipeline cannot be written to nowhere/s") << text;
        EXPECT_EQ(text.substr(text.find(".ir") + 3),
                  ", as FLUORITE_WRITE_PIPELINES asks for; the folder must exist and be writable; name another one, or "
                  "do not set the variable");
    }
}

} // namespace
} // namespace fluorite::write_pipelines_test
