// The files that the command line of generators writes.

#include "tests/generators/run_command_line.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

namespace {
namespace command_line_test {

using generator_tests::contents;
using generator_tests::run_command_line;

TEST(GeneratorFiles, DefaultsAreALibraryAHeaderAndARegistration) {
    const auto outcome =
        run_command_line({"-g", "box", "-f", "blur_2", "-o", ".", "-v", "1", "target=host", "radius=2"});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    EXPECT_EQ(outcome.messages, "./blur_2.a\n./blur_2.h\n./blur_2.registration.cpp\n");
    EXPECT_EQ(contents("blur_2.a").substr(0, 8), "!<arch>\n");
    EXPECT_NE(contents("blur_2.h").find(" *_input_buffer, uint16_t _bias, struct "), std::string::npos);
    EXPECT_NE(
        contents("blur_2.registration.cpp").find("halide_register_argv_and_metadata(blur_2_argv, blur_2_metadata"),
        std::string::npos);
}

TEST(GeneratorFiles, EachKindIsWritten) {
    const struct {
        const char *word, *extension, *text;
    } kinds[] = {
        {"assembly", ".s", ".text"},
        {"bitcode", ".bc", "BC"},
        {"c_header", ".h", "int short_ramp(int16_t _step, struct "},
        {"compiler_log", ".halide_compiler_log", ""},
        {"conceptual_stmt", ".conceptual.stmt", "for"},
        {"conceptual_stmt_html", ".conceptual.stmt.html", "<title>short_ramp</title>"},
        {"cpp_stub", ".stub.h", "class ramp_short {"},
        {"function_info_header", ".function_info.h", "{\"step\", ArgumentKind::InputScalar, 0, "},
        {"llvm_assembly", ".ll", "define"},
        {"object", ".o", "ELF"},
        {"registration", ".registration.cpp", "short_ramp_argv"},
        {"schedule", ".schedule.h", "short_ramp_schedule[] = R\"schedule("},
        {"static_library", ".a", "!<arch>"},
        {"stmt", ".stmt", "short_ramp"},
        {"stmt_html", ".stmt.html", "<title>short_ramp</title>"},
    };
    std::string list;
    for (const auto &kind : kinds) {
        list += (list.empty() ? "" : ",") + std::string(kind.word);
    }
    const auto outcome =
        run_command_line({"-g", "ramp_short", "-f", "short_ramp", "-n", "base", "-e", list, "-o", ".", "target=host"});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    for (const auto &kind : kinds) {
        const std::string path = "base" + std::string(kind.extension);
        EXPECT_EQ(access(path.c_str(), R_OK), 0) << path;
        EXPECT_NE(contents(path).find(kind.text), std::string::npos) << path;
        remove(path.c_str());
    }
}

TEST(GeneratorFiles, AFunctionInANamespaceCallsOneOfC) {
    for (const char *target : {"x86-64-linux-c_plus_plus_name_mangling",
                               "x86-64-linux-sse41-c_plus_plus_name_mangling,x86-64-linux-c_plus_plus_name_mangling"}) {
        const auto outcome = run_command_line({"-g", "ramp_short", "-f", "own::deep::ramp_of_it", "-e",
                                               "c_header,registration", "-o", ".", std::string("target=") + target});
        ASSERT_EQ(outcome.status, 0) << outcome.messages;
        const std::string header = contents("ramp_of_it.h");
        EXPECT_NE(header.find("int own_deep_ramp_of_it(int16_t _step, struct "), std::string::npos) << header;
        EXPECT_NE(
            header.find("#ifdef __cplusplus\nnamespace own {\nnamespace deep {\ninline int ramp_of_it(int16_t _step, "),
            std::string::npos);
        EXPECT_NE(header.find("{ return ::own_deep_ramp_of_it(_step, "), std::string::npos);
        EXPECT_NE(header.find("inline int ramp_of_it_argv(void **args)"), std::string::npos);
        EXPECT_NE(contents("ramp_of_it.registration.cpp").find("(own_deep_ramp_of_it_argv, "), std::string::npos);
    }
    EXPECT_EQ(run_command_line({"-g", "ramp_short", "-f", "own::2::f", "-o", ".", "target=host"}).messages,
              "Error: in a Pipeline: its function is to be called '2' as a part of 'own::2::f', which begins with a "
              "digit; C calls it, so its name is of ASCII letters, digits and underscores, and nobody else's; pass "
              "another fn_name [bad-function-name]\n");
}

TEST(GeneratorFiles, OldWordsAndAutoschedulersOfTheCommandLine) {
    const auto outcome = run_command_line(
        {"-g", "box", "-e", "h,o,html", "-o", ".", "-p", "autoschedule_mullapudi2016,libautoschedule_adams2019.so",
         "-s", "Mullapudi2016", "target=x86-64-linux-sse41", "autoscheduler.parallelism=4"});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    EXPECT_NE(contents("box.h").find("int box("), std::string::npos);
    EXPECT_NE(contents("box.stmt.html").find("parallel"), std::string::npos);
    EXPECT_EQ(contents("box.o").substr(1, 3), "ELF");
}

TEST(GeneratorFiles, OutputsHaveTheNamesOfTheirDeclarations) {
    const auto outcome = run_command_line(
        {"-g", "assigned", "-e", "function_info_header,c_header", "-o", ".", "target=host", "what=double"});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    EXPECT_NE(contents("assigned.function_info.h").find("{\"output\", ArgumentKind::OutputBuffer, 1, "),
              std::string::npos);
    EXPECT_NE(contents("assigned.h").find(" *_output_buffer);"), std::string::npos);
}

TEST(GeneratorFiles, InputsAreArgumentsOfStagesInC) {
    const auto outcome = run_command_line({"-g", "staged", "-e", "stmt,c_header", "-o", ".", "target=host"});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    EXPECT_NE(contents("staged.stmt").find("stage_in_c"), std::string::npos);
    EXPECT_NE(contents("staged.h").find("_func_buffer, int32_t _number, "), std::string::npos);
}

TEST(GeneratorFiles, AStubHasItsParametersInputsAndOutputs) {
    const auto outcome = run_command_line({"-g", "arrays", "-e", "cpp_stub", "-o", "."});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    const std::string text = contents("arrays.stub.h");
    for (const char *part :
         {"namespace tests {\nnamespace stubs {\nclass Arrays {", "int32_t levels = static_cast<int32_t>(3);",
          "fluorite::detail::generators::Given images;", "std::vector<fluorite::Expr> gains;",
          "std::vector<fluorite::Func> scaled;", "fluorite::Func pair;"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST(GeneratorFiles, SeveralTargetsAreSeveralObjects) {
    const auto outcome =
        run_command_line({"-g", "old_form", "-f", "ramp", "-e", "static_library,object,c_header,assembly", "-o", ".",
                          "-v", "1", "target=x86-64-linux-sse41-avx-avx2,x86-64-linux"});
    EXPECT_EQ(outcome.messages, "./ramp.a\n./ramp.o\n./ramp-target0.o\n./ramp-target1.o\n./ramp.h\n./ramp-target0.s\n"
                                "./ramp-target1.s\n");
    EXPECT_NE(contents("ramp-target0.s").find("ymm"), std::string::npos);
    EXPECT_EQ(contents("ramp-target1.s").find("ymm"), std::string::npos);
    EXPECT_NE(contents("ramp.o").find("ramp_x86_64_linux_sse41_avx_avx2"), std::string::npos);
    EXPECT_NE(contents("ramp.a").find("ramp_x86_64_linux.o/"), std::string::npos);
    EXPECT_EQ(contents("ramp.h").find("x86"), std::string::npos);
}

TEST(GeneratorFiles, TheRuntimeIsInTheLibrary) {
    const std::vector<std::string> words = {"-g", "box", "-o", ".", "-e", "static_library"};
    const auto compiled = [&](const std::string &name, const std::string &target) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"-f", name, "target=" + target});
        EXPECT_EQ(run_command_line(all).status, 0);
        return contents(name + ".a");
    };
    const std::string with = compiled("with", "host"), without = compiled("without", "host-no_runtime");
    EXPECT_NE(with.find("with.o/"), std::string::npos);
    EXPECT_NE(with.find("memory.cpp.o/"), std::string::npos);
    EXPECT_NE(with.find("halide_malloc"), std::string::npos);
    EXPECT_NE(without.find("without.o/"), std::string::npos);
    EXPECT_EQ(without.find("memory.cpp.o/"), std::string::npos);
    EXPECT_EQ(compiled("of_several", "x86-64-linux-sse41,x86-64-linux").find("memory.cpp.o/") == std::string::npos,
              !Halide::get_host_target().to_string().starts_with("x86-64-linux"));
}

TEST(GeneratorFiles, TheRuntimeAlone) {
    ASSERT_EQ(run_command_line({"-r", "own_runtime", "-o", ".", "-v", "1", "target=host"}).messages,
              "./own_runtime.a\n");
    EXPECT_EQ(contents("own_runtime.a").substr(0, 8), "!<arch>\n");
    EXPECT_EQ(
        run_command_line({"-r", "own_runtime", "-o", ".", "-e", "object", "target=host"}).messages,
        "Error: in the command line of a generator: -r and -e object ask for the runtime as an object, and it is an "
        "archive of several; give -e static_library [not-built]\n");
}

TEST(GeneratorFiles, WithoutWordsTheUsageIsPrinted) {
    const auto outcome = run_command_line({});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.messages.find("usage: PROGRAM [-g GENERATOR] -o FOLDER"), std::string::npos);
    EXPECT_NE(outcome.messages.find("generators: arrays, assigned, box, "), std::string::npos);
}

} // namespace command_line_test
} // namespace
