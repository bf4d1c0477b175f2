// C source: what it computes in this process, and that compilers of C and C++ take the files.

#include "fluorite/fluorite.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

/// The folder of this program, where the build puts the runtime, too.
std::string runtime_archive() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path().string() + "/libfluorite_runtime.a";
}

constexpr const char *caller = R"(
#include <string.h>
int main(void) {
    static uint8_t bytes[61];
    static int32_t sums[61];
    fluorite_dimension_t dim, dims;
    fluorite_buffer_t in, out;
    const fluorite_filter_metadata_t *metadata = weighed_metadata();
    int i;
    memset((void *)&in, 0, sizeof(in));
    memset((void *)&out, 0, sizeof(out));
    for (i = 0; i < 61; i++) {
        bytes[i] = (uint8_t)(i * 37);
    }
    dim.min = 0, dim.extent = 61, dim.stride = 1, dim.flags = 0;
    dims = dim;
    in.host = bytes, in.dimensions = 1, in.dim = &dim;
    in.type.code = fluorite_type_uint, in.type.bits = 8, in.type.lanes = 1;
    out.host = (uint8_t *)sums, out.dimensions = 1, out.dim = &dims;
    out.type.code = fluorite_type_int, out.type.bits = 32, out.type.lanes = 1;
    if (metadata->num_arguments != 3 || metadata->arguments[1].scalar_max->u.i32 != 9 ||
        metadata->arguments[1].scalar_estimate->u.i32 != 4 || *metadata->arguments[2].buffer_estimates[1] != 61) {
        return 1;
    }
    if (weighed(&in, 5, &out) != 0) {
        return 2;
    }
    for (i = 0; i < 61; i++) {
        if (sums[i] != 3 * (bytes[i] * 5 / 3)) {
            return 3;
        }
    }
    fluorite_print_errors(0);
    return weighed(&in, 10, &out) == fluorite_error_code_param_too_large ? 0 : 4;
}
)";

constexpr const char *extern_stage = R"(
#include "fluorite/runtime_abi.h"
int weigh_row(struct halide_buffer_t *in, struct halide_buffer_t *out);
int weigh_row(struct halide_buffer_t *in, struct halide_buffer_t *out) {
    if (in->host == NULL) {
        in->dim[0].min = out->dim[0].min;
        in->dim[0].extent = out->dim[0].extent;
        return 0;
    }
    for (int x = 0; x < out->dim[0].extent; x++) {
        const int from = out->dim[0].min + x - in->dim[0].min;
        ((int32_t *)out->host)[x] = 3 * ((const int32_t *)in->host)[from];
    }
    return 0;
}
)";

void expect_success(const std::string &command) { EXPECT_EQ(std::system(command.c_str()), 0) << command; }

/// A file, its header and a stage in C of its own, with the static runtime alone, in a program of C and one of C++.
TEST(CSource, LinksWithTheStaticRuntimeAlone) {
    if (!std::filesystem::exists(runtime_archive())) {
        GTEST_SKIP() << "there is no " << runtime_archive();
    }
    ImageParam in(UInt(8), 1, "in");
    Param<int32_t> gain("gain", 1);
    gain.set_range(0, 9);
    gain.set_estimate(4);
    Var x("x");
    Func scaled("scaled"), stage("stage"), weighed("weighed");
    scaled(x) = cast<int32_t>(in(x)) * gain / 3;
    stage.define_extern("weigh_row", {scaled}, Int(32), {x});
    weighed(x) = stage(x);
    weighed.set_estimate(x, 0, 61).vectorize(x, 8, TailStrategy::GuardWithIf);
    scaled.compute_root().vectorize(x, 16, TailStrategy::GuardWithIf);
    stage.compute_root();
    const Target target("x86-64-linux");
    weighed.compile_to_c("weighed.c", {in, gain}, "weighed", target);
    weighed.compile_to_header("weighed.h", {in, gain}, "weighed", target);
    std::ofstream("caller.c") << "#include \"weighed.h\"\n" << caller;
    std::ofstream("stage.c") << extern_stage;
    const std::string include = std::string(" -I. -I") + std::getenv("FLUORITE_SOURCE_DIR") + "/include ";
    expect_success("cc -std=c99 -c -o stage.o stage.c" + include);
    for (const char *compiler : {"cc -std=c99", "c++ -std=c++17 -x c++"}) {
        const std::string all = std::string(compiler) + " -O1 -Wall -Wextra -Werror" + include;
        expect_success(all + "-c -o weighed.o weighed.c");
        expect_success(all + "-c -o caller.o caller.c");
        expect_success("c++ -o program caller.o weighed.o stage.o " + runtime_archive() + " -lpthread -ldl -lm");
        expect_success("./program");
    }
}

TEST(CSource, IsCompiledInAFolderWithASpaceInItsName) {
    std::filesystem::create_directory("a folder");
    setenv("TMPDIR", (std::filesystem::current_path() / "a folder").c_str(), 1);
    const ThroughC through("cc -std=gnu99");
    Var x("x");
    Func f("f");
    f(x) = x * 3;
    const Buffer<int> out = f.realize({4});
    unsetenv("TMPDIR");
    EXPECT_EQ(out(3), 9);
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
