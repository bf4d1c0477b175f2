// Ahead-of-time output that C can call: names of functions, and headers that C99 and every C++ compile.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::ahead_of_time_test {
namespace {

std::string contents_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

bool succeeds(const std::string &command) { return std::system((command + " > command.log 2>&1").c_str()) == 0; }

/// main() sets the variable where the test is started by hand.
std::string include_folder() { return std::string(std::getenv("FLUORITE_SOURCE_DIR")) + "/include"; }

void expect_compiles(const std::string &compiler, const std::string &standard, const std::string &source) {
    if (!succeeds(compiler + " --version")) {
        GTEST_SKIP() << compiler << " is not installed";
    }
    EXPECT_TRUE(succeeds(compiler + " -std=" + standard + " -Wall -Wextra -Werror -fsyntax-only -I. -I" +
                         include_folder() + " " + source))
        << standard << ": " << contents_of("command.log");
}

class AheadOfTime : public testing::Test {
  protected:
    Var x{"x"};
    ImageParam in{UInt(8), 1, "in"};
    Func f{"f"};

    void SetUp() override { f(x) = in(x) + cast<uint8_t>(1); }

    void expect_bad_name(const std::string &name, const std::string &why) {
        const std::string message = "in a Pipeline: its function is to be called '" + name + "', " + why +
                                    "; C calls it, so its name is of ASCII letters, digits and underscores, and nobody "
                                    "else's; pass another fn_name";
        expect_error([&] { f.compile_to_static_library("bad", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_file("bad", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_object("bad.o", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_assembly("bad.s", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_llvm_assembly("bad.ll", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_bitcode("bad.bc", {in}, name); }, "bad-function-name", message);
        expect_error([&] { f.compile_to_header("bad.h", {in}, name); }, "bad-function-name", message);
        EXPECT_EQ(contents_of("bad.h"), "");
        EXPECT_EQ(contents_of("bad.o"), "");
    }
};

TEST_F(AheadOfTime, NamesAreThoseOfC) {
    expect_bad_name("my func", "which has a ' '");
    expect_bad_name("a-b", "which has a '-'");
    expect_bad_name("caf\xc3\xa9", "which has a character beyond ASCII");
    expect_bad_name("a\n", "which has a character beyond ASCII");
    expect_bad_name("ns::f", "which is in a namespace");
    expect_bad_name("2d", "which begins with a digit");
    expect_bad_name("int", "which is a word of C or C++");
    expect_bad_name("class", "which is a word of C or C++");
    expect_bad_name("_Bool", "which is a word of C or C++");
    expect_bad_name("a__b", "which C and C++ reserve for themselves");
    expect_bad_name("_F", "which C and C++ reserve for themselves");
    expect_bad_name("main", "which is a function of every C program");
    expect_bad_name("floor", "which is a function of every C program");
    expect_bad_name("malloc", "which is a function of every C program");
    expect_bad_name("fluorite_malloc", "which is a function of the runtime");
}

TEST_F(AheadOfTime, NamesThatAreNotGivenAreCheckedToo) {
    expect_error(
        [&] { f.compile_to_file("a-b.v2", {in}); }, "bad-function-name",
        "in a Pipeline: its function is to be called 'a-b.v2' after the file that it goes to, which has a '-'; C "
        "calls it, so its name is of ASCII letters, digits and underscores, and nobody else's; pass another "
        "fn_name");
    Func named("int");
    named(x) = x;
    expect_error(
        [&] { named.compile_to_object("named.o", {}); }, "bad-function-name",
        "in a Pipeline: its function is to be called 'int' after its outputs, which is a word of C or C++; C calls "
        "it, so its name is of ASCII letters, digits and underscores, and nobody else's; pass another fn_name");
    named.compile_to_object("named.o", {}, "good_name");
    named.compile_to_lowered_stmt("named.stmt", {}); // a text has no function that could be called
    const Buffer<int> out = named.realize({3});
    EXPECT_EQ(out(2), 2);
    EXPECT_NE(contents_of("named.stmt"), "");
}

TEST_F(AheadOfTime, HeadersCompileAsCAndAsEveryCxx) {
    // Arguments with names that are illegal in C, or that become equal once they are made legal.
    ImageParam keyword(Float(32), 2, "Bool"), twin(UInt(16), 1, "a.b");
    Param<int> int_("int"), twin_too("a_b"), same("a.b_buffer"), unicode("\xc3\xa4");
    Param<float16_t> half("half");
    Param<void *> pointer("pointer");
    Param<bool> flag("flag");
    Func g("g");
    g(x) = Tuple(keyword(x, 0) + cast<float>(int_ + twin_too + same + unicode) + cast<float>(half),
                 cast<uint8_t>(twin(x)) + cast<uint8_t>(flag));
    const std::vector<Argument> args = {keyword, twin, int_, twin_too, same, unicode, half, pointer, flag};
    g.compile_to_header("all_kinds.h", args, "all_kinds");
    f.compile_to_static_library("plain", {in}, "plain");
    const std::string program = "#include \"all_kinds.h\"\n#include \"plain.h\"\n#include \"all_kinds.h\"\n"
                                "int main(void) {\n"
                                "    struct halide_buffer_t a, b;\n"
                                "    struct halide_dimension_t dim;\n"
                                "    dim.min = 0; dim.extent = 3; dim.stride = 1; dim.flags = 0;\n"
                                "    a.host = 0; a.dim = &dim; b = a;\n"
                                "    return plain(&a, &b) + (all_kinds_metadata() == 0) + (plain_argv(0) != 0);\n}\n";
    write("calls.c", program);
    write("calls.cpp", program);
    for (const char *standard : {"c99", "c11", "c17"}) {
        expect_compiles("gcc", standard, "calls.c");
    }
    for (const char *standard : {"c++98", "c++11", "c++17", "c++20"}) {
        expect_compiles("g++", standard, "calls.cpp");
    }
}

TEST_F(AheadOfTime, HeadersOfOneNameDoNotHideEachOther) {
    ASSERT_TRUE(succeeds("mkdir -p one two"));
    f.compile_to_header("one/filter.h", {in}, "first");
    f.compile_to_header("two/filter.h", {in}, "second");
    write("both.c", "#include \"one/filter.h\"\n#include \"two/filter.h\"\n#include \"one/filter.h\"\n"
                    "int main(void) { return first(0, 0) + second(0, 0); }\n");
    expect_compiles("gcc", "c99", "both.c");
}

// The forms of the code are of one module: its machine stands in each, and a library holds the object.
TEST_F(AheadOfTime, FormsOfTheCodeAgree) {
    f.compile_to_object("filter.o", {in}, "filter");
    f.compile_to_static_library("filter", {in}, "filter");
    f.compile_to_llvm_assembly("filter.ll", {in}, "filter");
    f.compile_to_assembly("filter.s", {in}, "filter");
    const std::string object = contents_of("filter.o"), library = contents_of("filter.a");
    EXPECT_EQ(object.substr(1, 3), "ELF");
    EXPECT_TRUE(library.starts_with("!<arch>\n"));
    EXPECT_NE(library.find(object), std::string::npos);
    const size_t index = library.find("filter_argv"); // in the index, before the object
    EXPECT_LT(index, library.find(object));
    for (const char *part :
         {"target datalayout = \"e-", "target triple = \"x86_64-", "\"tune-cpu\"=", "@filter(", "@filter_argv("}) {
        EXPECT_NE(contents_of("filter.ll").find(part), std::string::npos) << part;
    }
    EXPECT_NE(contents_of("filter.s").find(".globl\tfilter\n"), std::string::npos);
}

TEST_F(AheadOfTime, HeadersNeedNothingWhereBuffersAreOnlyHandedOn) {
    f.compile_to_header("alone.h", {in}, "alone");
    write("hands_on.c", "#include \"alone.h\"\nint g(struct halide_buffer_t *a) { return alone(a, a); }\n");
    if (!succeeds("gcc --version")) {
        GTEST_SKIP() << "gcc is not installed";
    }
    EXPECT_TRUE(succeeds("gcc -std=c99 -Wall -Werror -fsyntax-only hands_on.c")) << contents_of("command.log");
}

} // namespace
} // namespace fluorite::ahead_of_time_test
