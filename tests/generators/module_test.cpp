// Modules, compile_to, several targets, and what a command line says as a value.

#include "tests/generators/run_command_line.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

namespace {
namespace module_test {

using namespace Halide;
using generator_tests::contents;

bool exists(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

template <typename Run> void expect_thrown(Run &&run, const std::string &message) {
    try {
        run();
        ADD_FAILURE() << "nothing is thrown; expected: " << message;
    } catch (const CompileError &error) {
        EXPECT_EQ(error.message() + " [" + error.slug() + "]", message);
    }
}

struct Plus {
    Var x{"x"};
    ImageParam input{UInt(8), 1, "input"};
    Param<uint8_t> more{"more"};
    Func plus{"plus"};
    std::vector<Argument> args{input, more};

    Plus() { plus(x) = input(x) + more; }
};

const Target avx2("x86-64-linux-avx2-fma"), sse41("x86-64-linux-sse41");

TEST(Modules, AreWrittenLaterAsTheyWere) {
    Plus p;
    const Module module = p.plus.compile_to_module(p.args, "plus_1", sse41);
    EXPECT_EQ(module.name(), "plus_1");
    EXPECT_EQ(module.target(), sse41);
    EXPECT_EQ(module.function_names(), std::vector<std::string>{"plus_1"});
    p.plus.vectorize(p.x, 16); // does not change the module
    module.compile({{OutputFileType::object, "plus_1.o"},
                    {OutputFileType::c_header, "plus_1.h"},
                    {OutputFileType::stmt, "plus_1.stmt"},
                    {OutputFileType::schedule, "plus_1.schedule.h"},
                    {OutputFileType::conceptual_stmt, "plus_1.txt"},
                    {OutputFileType::c_source, "plus_1.c"}});
    EXPECT_NE(contents("plus_1.o").find("ELF"), std::string::npos);
    EXPECT_NE(contents("plus_1.h").find("int plus_1(struct "), std::string::npos);
    EXPECT_NE(contents("plus_1.c").find("plus_1("), std::string::npos);
    EXPECT_EQ(contents("plus_1.schedule.h").find("vectorize"), std::string::npos);
    EXPECT_EQ(contents("plus_1.txt").find("vectorize"), std::string::npos);
    std::ostringstream printed;
    printed << module;
    EXPECT_EQ(contents("plus_1.stmt"), printed.str());

    Pipeline(p.plus).compile_to({{OutputFileType::stmt, "plus_2.stmt"}}, p.args, "plus_1", sse41);
    EXPECT_NE(contents("plus_2.stmt"), printed.str());
}

TEST(Modules, OfSeveralFunctionsAreLibraries) {
    Plus p;
    const Module one = Pipeline(p.plus).compile_to_module(p.args, "one", sse41, LinkageType::ExternalPlusArgv);
    const Module two = p.plus.compile_to_module(p.args, "two", sse41);
    const Module both = link_modules("both", {one, two});
    both.compile({{OutputFileType::static_library, "both.a"}, {OutputFileType::c_header, "both.h"}});
    EXPECT_EQ(contents("both.a").substr(0, 8), "!<arch>\n");
    for (const char *name : {"one", "two"}) {
        EXPECT_NE(contents("both.a").find(std::string(name) + ".o/"), std::string::npos);
        EXPECT_NE(contents("both.h").find("int " + std::string(name) + "(struct "), std::string::npos);
    }
}

TEST(Modules, SayWhatTheyDoNotAllow) {
    Plus p;
    const Module one = p.plus.compile_to_module(p.args, "one", sse41);
    expect_thrown([&] { link_modules("both", {one, one}); },
                  "in Module both: a second function one is added; a linker takes one of each name; compile one under "
                  "another name [module]");
    expect_thrown([&] { link_modules("both", {one, p.plus.compile_to_module(p.args, "two", avx2)}); },
                  "in Module both: functions for x86-64-linux-sse41-avx-avx2-fma are added to those for "
                  "x86-64-linux-sse41; a Module has one target; compile them for the same [module]");
    expect_thrown([&] { link_modules("none", {}); },
                  "in Module none: link_modules of no Modules; the target is theirs; give one or more [module]");
    expect_thrown(
        [&] { Module("empty", sse41).compile({{OutputFileType::object, "empty.o"}}); },
        "in Module empty: it is compiled and has no functions; there is nothing to write; append a Module that "
        "compile_to_module made [module]");
    expect_thrown([&] { one.compile({{OutputFileType::cpp_stub, "one.stub.h"}}); },
                  "in Module one: cpp_stub is asked for; a stub is written of a Generator; leave it out [module]");
    expect_thrown([&] { one.compile({{OutputFileType::pytorch_wrapper, "one.pytorch.h"}}); },
                  "in one: pytorch_wrapper is not made: there is no front end for PyTorch; leave it out [not-built]");
    one.compile({{OutputFileType::hlpipe, "one.hlpipe"}});
    EXPECT_EQ(deserialize_pipeline("one.hlpipe").schedule(), Pipeline(p.plus).schedule());
    p.plus.vectorize(p.plus.args()[0], 4);
    expect_thrown([&] { one.compile({{OutputFileType::hlpipe, "again.hlpipe"}}); },
                  "in Module one: hlpipe is asked for, and the pipeline was scheduled otherwise after the Module was "
                  "made; a file has the schedule of the Module; make the Module anew [module]");
    const Module both = link_modules("both", {one, p.plus.compile_to_module(p.args, "two", sse41)});
    expect_thrown(
        [&] { both.compile({{OutputFileType::object, "both.o"}}); },
        "in a Module: it has 2 functions, and object is asked for; a file of that kind describes one; ask for "
        "static_library or c_header, or compile each function [module]");
    expect_thrown([&] { Pipeline(p.plus).compile_to_module(p.args, "one", sse41, LinkageType::Internal); },
                  "in Module one: its function has the linkage Internal; compiled functions are called from C; use "
                  "ExternalPlusMetadata [module]");
}

TEST(Modules, ForSeveralTargets) {
    Plus p;
    p.plus.compile_to_multitarget_static_library("plus_library", p.args, {avx2, sse41});
    EXPECT_NE(contents("plus_library.h").find("int plus_library(struct "), std::string::npos);
    for (const char *name :
         {"plus_library", "plus_library_x86_64_linux_sse41", "plus_library_x86_64_linux_sse41_avx_avx2_fma"}) {
        EXPECT_NE(contents("plus_library.a").find(name), std::string::npos) << name;
    }
    p.plus.compile_to_multitarget_object_files("plus_objects", p.args, {avx2, sse41}, {"_fast", "_any"});
    for (const char *path : {"plus_objects.o", "plus_objects_fast.o", "plus_objects_any.o", "plus_objects.h"}) {
        EXPECT_TRUE(exists(path)) << path;
    }
    p.plus.compile_to_multitarget_object_files("plus_named", p.args, {avx2, sse41}, {});
    EXPECT_TRUE(exists("plus_named-x86_64_linux_sse41.o"));
    EXPECT_TRUE(exists("plus_named-x86_64_linux_sse41_avx_avx2_fma.o"));
    p.plus.compile_to_multitarget_object_files("plus_single", p.args, {sse41}, {});
    EXPECT_TRUE(exists("plus_single.o"));
    EXPECT_FALSE(exists("plus_single-x86_64_linux_sse41.o"));
}

TEST(Modules, SayWhichTargetsDoNotGoTogether) {
    Plus p;
    const auto compile = [&](const std::vector<Target> &targets, const std::vector<std::string> &suffixes) {
        p.plus.compile_to_multitarget_object_files("wrong", p.args, targets, suffixes);
    };
    expect_thrown([&] { compile({}, {}); },
                  "in wrong: compile_multitarget names 0 targets and 0 suffixes; there are one or more targets, and no "
                  "suffixes or one for each; change the lists [generator-targets]");
    expect_thrown([&] { compile({avx2, sse41}, {"_a"}); },
                  "in wrong: compile_multitarget names 2 targets and 1 suffixes; there are one or more targets, and no "
                  "suffixes or one for each; change the lists [generator-targets]");
    expect_thrown([&] { compile({sse41, avx2}, {}); },
                  "in wrong: compile_multitarget names x86-64-linux-sse41 before x86-64-linux-sse41-avx-avx2-fma; the "
                  "last target is that of every processor that runs the function; change the list [generator-targets]");
    expect_thrown(
        [&] {
            compile_multitarget("wrong", {{OutputFileType::object, "wrong.o"}}, {sse41}, {},
                                [&](const std::string &, const Target &target) {
                                    return p.plus.compile_to_module(p.args, "other", target);
                                });
        },
        "in Module other: a factory was asked for the function wrong for x86-64-linux-sse41 and made something else; "
        "each "
        "call makes a Module with that function for that target; pass both on to compile_to_module [module]");
}

TEST(Modules, ACommandLineAsAValue) {
    Internal::ExecuteGeneratorArgs args;
    args.output_dir = ".";
    args.output_types = {OutputFileType::object, OutputFileType::c_header};
    args.targets = {avx2, sse41};
    args.suffixes = {"-fast", "-any"};
    args.generator_name = "box";
    args.function_name = "box_by_value";
    args.generator_params = {{"radius", "2"}};
    const std::vector<std::string> expected = {"./box_by_value.h", "./box_by_value.o", "./box_by_value-fast.o",
                                               "./box_by_value-any.o"};
    EXPECT_EQ(Internal::execute_generator(args), expected);
    int asked = 0;
    args.targets = {sse41};
    args.suffixes = {};
    args.create_generator = [&](const std::string &name, const GeneratorContext &context) {
        asked++;
        return Internal::GeneratorRegistry::create(name, context);
    };
    args.output_types = {OutputFileType::stmt};
    EXPECT_EQ(Internal::execute_generator(args), std::vector<std::string>{"./box_by_value.stmt"});
    EXPECT_EQ(asked, 1);
    args.targets = {};
    expect_thrown([&] { Internal::execute_generator(args); },
                  "in the command line of a generator: there is no target; code is for a processor and a system; give "
                  "one or more [generator-option]");
    args.output_types = {OutputFileType::featurization};
    expect_thrown([&] { Internal::execute_generator(args); },
                  "in the command line of a generator: -e names featurization, which is not made: the automatic "
                  "scheduler has a model and no features to learn from; leave it out [not-built]");
}

TEST(Modules, TheRuntimeAlone) {
    expect_thrown(
        [] { compile_standalone_runtime("runtime.o", sse41); },
        "in the runtime: runtime.o is asked for, an object, and it is an archive of several; give the path of a "
        "static library [not-built]");
    EXPECT_TRUE(compile_standalone_runtime({{OutputFileType::c_header, "runtime.h"}}, sse41).empty());
}

} // namespace module_test
} // namespace
