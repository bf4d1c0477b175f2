// C source: what it computes in this process, and that compilers of C and C++ take the files.

#include "fluorite/fluorite.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>

namespace fluorite {
namespace c_source_test {

/// For the lifetime of this object, pipelines of the process are compiled by a C compiler.
class ThroughC {
  public:
    explicit ThroughC(const char *compiler) {
        setenv("FLUORITE_BACK_END", "c", 1);
        setenv("FLUORITE_C_COMPILER", compiler, 1);
    }
    ~ThroughC() {
        unsetenv("FLUORITE_BACK_END");
        unsetenv("FLUORITE_C_COMPILER");
    }
    ThroughC(const ThroughC &) = delete;
};

constexpr const char *strict_c = "cc -std=gnu99 -O1 -Wall -Wextra -Werror";
constexpr const char *strict_cpp = "c++ -x c++ -std=c++17 -O1 -Wall -Wextra -Werror";
constexpr const char *without_vectors = "cc -std=gnu99 -O1 -Wall -Wextra -Werror -DFLUORITE_NO_VECTORS";

Buffer<uint8_t> random_bytes(int width, int height) {
    Buffer<uint8_t> bytes(width, height);
    uint32_t state = 7;
    bytes.for_each_value([&](uint8_t &value) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<uint8_t>(state >> 24);
    });
    return bytes;
}

/// Rows in parallel, vectors, a Func on the heap, divisions, a clamped gather, conversions, conditions, a reduction.
Buffer<uint8_t> many_things(const char *compiler) {
    std::optional<ThroughC> through;
    if (compiler != nullptr) {
        through.emplace(compiler);
    }
    const Buffer<uint8_t> in = random_bytes(37, 13);
    Var x("x"), y("y");
    RDom r(0, 37, "r");
    Func edge = BoundaryConditions::repeat_edge(in), across("across"), sum("sum"), out("out");
    across(x, y) = (cast<int32_t>(edge(x - 1, y)) - 3 * edge(x, y) + edge(x + 1, y)) / 3;
    sum(y) = 0;
    sum(y) += cast<int32_t>(edge(r, y)) * r;
    const Expr level = cast<float>(across(x, y - 1)) * 0.3f + sqrt(cast<float>(edge(x, y)));
    const Expr gathered = in(clamp(abs(across(x, y)), 0, 36), clamp(y, 0, 12));
    out(x, y) = cast<uint8_t>(clamp(select(level > 4.0f, level, cast<float>(gathered)) + sum(y) % 7, 0.0f, 255.0f));
    across.compute_at(out, y).vectorize(x, 16);
    sum.compute_root().vectorize(y, 4, TailStrategy::GuardWithIf);
    out.parallel(y).vectorize(x, 8, TailStrategy::GuardWithIf);
    return out.realize({37, 13});
}

TEST(CSource, ComputesTheBitsOfMachineCode) {
    const Buffer<uint8_t> expected = many_things(nullptr);
    for (const char *compiler : {strict_c, strict_cpp, without_vectors}) {
        const Buffer<uint8_t> got = many_things(compiler);
        got.for_each_element([&](int x, int y) {
            ASSERT_EQ(static_cast<int>(got(x, y)), static_cast<int>(expected(x, y)))
                << "at " << x << ", " << y << " by " << compiler;
        });
    }
}

TEST(CSource, FilesAreCompiledByCAndCpp) {
    ImageParam in(UInt(8), 1, "in");
    Param<float> gain("gain");
    Var x("x");
    Func scaled("scaled");
    scaled(x) = cast<uint8_t>(in(x)*gain);
    scaled.vectorize(x, 8);
    scaled.compile_to_c("scaled.c", {in, gain}, "scaled", Target("x86-64-linux"));
    for (const char *compiler : {strict_c, strict_cpp, without_vectors}) {
        const std::string command =
            std::string(compiler) + " -c -I" + std::getenv("FLUORITE_SOURCE_DIR") + "/include -o scaled.o scaled.c";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
}

TEST(CSource, SaysWhatItsCompilerRefuses) {
    const ThroughC through("false");
    Var x("x");
    Func f("f");
    f(x) = x;
    try {
        f.realize({4});
        FAIL() << "'false' compiles nothing";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "c-compiler");
        const std::string text = error.message();
        EXPECT_EQ(text.substr(0, text.find("false")), "in f: the command '");
        EXPECT_NE(text.find("fails: it cannot be run; FLUORITE_BACK_END=c needs a C compiler; set FLUORITE_C_COMPILER "
                            "to the command of one"),
                  std::string::npos)
            << text;
    }
}

TEST(CSource, RefusesExternStages) {
    Var x("x");
    Func made("made"), f("f");
    made.define_extern("makes_values", {}, Int(32), 1);
    made.compute_root();
    f(x) = made(x);
    try {
        f.compile_to_c("f.c", {}, "f", Target("x86-64-linux"));
        FAIL() << "C source has no headers for C functions";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "not-built");
        EXPECT_EQ(error.message(),
                  "in f: a Func is defined by a C function, and C source is asked for; it does not call "
                  "such functions; compile to an object");
    }
}

TEST(CSource, RefusesCheckedTargets) {
    Var x("x");
    Func f("f");
    f(x) = x;
    try {
        f.compile_to_c("f.c", {}, "f", Target("x86-64-linux-checked"));
        FAIL() << "accesses are not checked";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "not-built");
        EXPECT_EQ(error.message(),
                  "in f: the target has checked, and C source is asked for; it does not check accesses; "
                  "leave the feature out, or compile to an object");
    }
}

} // namespace c_source_test
} // namespace fluorite
