// The machine code of small pipelines: the instructions of the innermost loops.

#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "ir/expr_node.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

namespace fluorite::assembly_test {
namespace {

constexpr const char *avx2 = "x86-64-linux-avx2";

TEST(Assembly, AveragesOfThreeAreOneLoadTwoAddsAndAHighMultiply) {
    ImageParam in(UInt(16), 1, "in");
    Func f("average");
    Var x("x");
    f(x) = (in(x) + in(x + 1) + in(x + 2)) / 3;
    f.vectorize(x, 16);
    const std::string text = assembly(f, avx2);
    EXPECT_GE(count(text, "vpmulhuw"), 1U) << text;
    EXPECT_EQ(count(text, "vpmulhuw"), count(text, "vpsrlw"));
    EXPECT_EQ(count(text, "idiv") + count(text, "divw"), 0U);
    // The second and third pixel are memory operands.
    EXPECT_EQ(count(text, "vpaddw\t2(") + count(text, "vpaddw\t-2("), count(text, "vpmulhuw")) << text;
}

constexpr const char *avx512 = "x86-64-linux-avx2-fma-f16c-avx512_skylake";

TEST(Assembly, ComputedPlacesAreReadLaneByLaneWhereGathersAreSlow) {
    ImageParam in(UInt(8), 1, "in"), table(UInt(8), 1, "table");
    Func f("warped"), g("many"), looked_up("looked_up");
    Var x("x");
    const auto place = [&](float speed) { return clamp(cast<int>(sqrt(cast<float>(x)) * speed), 0, in.width() - 1); };
    f(x) = in(place(30));
    f.vectorize(x, 16);
    const char *zen = "x86-64-linux-avx2-fma-f16c-avx512_skylake-avx512_cannonlake-avx512_zen4";
    const std::string text = assembly(f, zen);
    EXPECT_EQ(count(text, "gather"), 0U) << text;
    EXPECT_GE(count(text, "vpinsrb"), 15U) << text;
    EXPECT_GE(count(text, "(%rsp), %r"), 12U) << text; // offsets are stored to memory
    EXPECT_GE(count(assembly(f, avx512), "vpgatherdd"), 1U);
    // Many such loads share one function.
    Expr sum = cast<uint16_t>(0);
    for (int i = 0; i < 40; i++) {
        sum += in(place(static_cast<float>(i) + 2));
    }
    g(x) = sum;
    g.vectorize(x, 16);
    const std::string many = assembly(g, zen);
    EXPECT_GE(count(many, "call"), 20U);
    EXPECT_LE(count(many, "vpinsrb"), 600U);
    looked_up(x) = table(cast<int>(in(x)));
    looked_up.vectorize(x, 16);
    EXPECT_GE(count(assembly(looked_up, zen), "vpgatherdd"), 1U);
}

TEST(Assembly, ScansCarryTheirLastValueAndFillsAreCalls) {
    ImageParam in(UInt(8), 1, "in");
    Func sum("running"), out("out");
    Var x("x"), xo("xo"), xi("xi");
    const RDom r(1, in.width() - 1);
    sum(x) = cast<uint16_t>(0);
    sum(r) = sum(r - 1) + in(r);
    sum.compute_root();
    out(x) = sum(x);
    const std::string text = assembly(out, avx2);
    EXPECT_NE(text.find("memset"), std::string::npos) << text;
    // The loop of the scan loads a byte, adds, and stores 16 bits; no instruction loads the 16 bits again.
    const size_t store = text.find("\tmovw\t%");
    ASSERT_NE(store, std::string::npos) << text;
    const size_t begin = text.rfind("\n.L", store);
    const size_t end = text.find("\tj", store);
    const std::string loop = text.substr(begin, end - begin);
    EXPECT_EQ(count(loop, "movzbl"), 1U) << text;
    EXPECT_EQ(count(loop, "movzwl") + count(loop, "addw\t") + count(loop, "movw\t("), 0U) << text;
}

TEST(Assembly, TablesOfBytesAreGatheredByWords) {
    ImageParam table(UInt(8), 1, "table"), in(UInt(8), 1, "in");
    Func f("lookup");
    Var x("x");
    f(x) = table(cast<int>(in(x)));
    f.vectorize(x, 32, TailStrategy::GuardWithIf);
    const std::string text = assembly(f, avx512);
    EXPECT_GE(count(text, "vpgatherdd"), 2U) << text;
    EXPECT_EQ(count(text, "vpgatherqd") + count(text, "vpgatherqq") + count(text, "vpinsr"), 0U) << text;
}

constexpr const char *zen4 = "x86-64-linux-avx2-fma-f16c-avx512_skylake-avx512_zen4";

TEST(Assembly, BuffersOfTheProgramHaveKnownStrides) {
    Buffer<float> packed(4, 100);
    Buffer<int32_t> table(64, 64);
    packed.fill(1.0f);
    table.fill(1);
    Func dense("dense"), looked_up("looked_up");
    Var x("x"), c("c");
    dense(c, x) = packed(c, x) * 2.0f;
    dense.output_buffer().dim(1).set_stride(4);
    dense.bound(c, 0, 4).bound(x, 0, 100).vectorize(c).vectorize(x, 4);
    looked_up(x) = table(clamp(x * x, 0, 63), clamp(x * 3, 0, 63));
    looked_up.vectorize(x, 16, TailStrategy::RoundUp);
    const std::string text = assembly(dense, avx512);
    EXPECT_EQ(count(text, "vinsertf") + count(text, "vgather"), 0U) << text;
    const std::string gathers = assembly(looked_up, avx512);
    EXPECT_GE(count(gathers, "vpgatherdd"), 1U) << gathers;
    EXPECT_EQ(count(gathers, "vpgatherqd"), 0U) << gathers;
}

TEST(Assembly, HalvedCoordinatesAreStridedLoads) {
    ImageParam in(UInt(8), 1, "in");
    Func f("chroma");
    Var x("x");
    f(x) = in(x / 2 * 4 + 1) + in(x / 2 * 4 + 3);
    f.vectorize(x, 32, TailStrategy::RoundUp);
    const std::string text = assembly(f, avx512);
    EXPECT_EQ(count(text, "gather"), 0U) << text;
}

TEST(Assembly, MaskedNarrowLanesTakeFewBranches) {
    ImageParam table(UInt(16), 1, "table"), in(UInt(16), 1, "in");
    Func f("lookup_where_inside");
    Var x("x");
    f(x) = table(cast<int>(in(x)));
    f.vectorize(x, 64, TailStrategy::GuardWithIf);
    const auto branches = [](const std::string &text) {
        return count(text, "\tj") - count(text, "\tjmp") + count(text, "\ttestb");
    };
    EXPECT_LE(branches(assembly(f, avx512)), 24U);
    // Seven for the first of 64 lanes of the input, and of the result; none for the table's.
    for (const char *target : {"x86-64-linux-sse41", avx2}) {
        EXPECT_LE(branches(assembly(f, target)), 24U + 2 * 2 * 7) << target;
    }
}

TEST(Assembly, SumsOfProductsOfShortIntegersAreDotProducts) {
    ImageParam a(Int(16), 1, "a"), b(Int(16), 1, "b"), bytes(UInt(8), 1, "bytes"), weights(Int(8), 1, "weights");
    RDom r(0, 1024);
    Func shorts("shorts"), dots("dots");
    shorts() = 0;
    shorts() += cast<int32_t>(a(r)) * b(r);
    dots() = 0;
    dots() += cast<int32_t>(bytes(r)) * weights(r);
    shorts.update().atomic().vectorize(r, 64);
    dots.update().atomic().vectorize(r, 64);
    EXPECT_GE(count(assembly(shorts, avx2), "vpmaddwd"), 4U);
    EXPECT_EQ(count(assembly(shorts, avx2), "vpmulld"), 0U);
    EXPECT_GE(count(assembly(shorts, avx512), "vpmaddwd"), 2U);
    const std::string text = assembly(dots, zen4);
    EXPECT_GE(count(text, "vpdpbusd"), 1U) << text;
}

TEST(Assembly, DotProductsTakeLanesThatAreRepeated) {
    ImageParam in(UInt(8), 1, "in");
    Buffer<int8_t> weights(4, 64, 16);
    weights.fill(1);
    RDom r(0, 4, 0, 16);
    Func dots("repeated_dots");
    Var x("x");
    dots(x) = 0;
    dots(x) += cast<int32_t>(in(4 * r.y + r.x)) * cast<int32_t>(weights(r.x, x, r.y));
    dots.bound(x, 0, 64).update().reorder(r.x, x, r.y).atomic().vectorize(r.x).vectorize(x, 16);
    const std::string text = assembly(dots, zen4);
    EXPECT_GE(count(text, "vpdpbusd"), 1U) << text;
    EXPECT_EQ(count(text, "vpmaddwd") + count(text, "vpmulld"), 0U) << text;
}

TEST(Assembly, InterleavedStoresAreDense) {
    ImageParam in(UInt(8), 2, "in");
    Func f("interleaved");
    Var x("x"), c("c");
    f(x, c) = in(x, c);
    f.output_buffer().dim(0).set_stride(3).dim(1).set_stride(1).set_bounds(0, 3);
    f.reorder(c, x).unroll(c).bound(c, 0, 3).vectorize(x, 16, TailStrategy::RoundUp);
    EXPECT_EQ(count(assembly(f, avx512), "vpextrb"), 0U) << assembly(f, avx512);
}

TEST(Assembly, FloatsBecomeIntegersByVectors) {
    ImageParam in(Float(32), 1, "in");
    Var x("x");
    Func bytes("bytes"), words("words");
    bytes(x) = cast<uint8_t>(in(x));
    words(x) = cast<int32_t>(in(x));
    for (Func f : {bytes, words}) {
        f.vectorize(x, 16);
        for (const char *target : {avx2, avx512}) {
            const std::string text = assembly(f, target);
            EXPECT_GE(count(text, "vcvttps2dq"), 1U) << text;
            EXPECT_EQ(count(text, "vcvttss2si"), 0U) << text;
        }
    }
}

TEST(Assembly, NarrowVectorsAreMergedToFullOnes) {
    ImageParam in(Float(32), 1, "in");
    Func f("merged");
    Var x("x");
    f(x) = in(x)*in(x + 1);
    f.vectorize(x, 8);
    EXPECT_EQ(count(assembly(f, avx2), "%zmm"), 0U);
    EXPECT_GE(count(assembly(f, avx512), "vmulps\t4("), 1U);
    EXPECT_GE(count(assembly(f, avx512), "%zmm"), 3U);
}

TEST(Assembly, InlinedStagesAreComputedOnceForEachVector) {
    ImageParam in(Float(32), 2, "in");
    Func inner("inner"), f("shared");
    Var x("x"), y("y");
    inner(x, y) = in(x, y) * in(x, y + 1) * in(x, y + 2);
    f(x, y) = inner(x, y) + inner(x + 1, y) + inner(x + 2, y);
    f.vectorize(x, 16);
    // Two multiplications before the loop, two in the loop, and all nine in the narrower remaining iterations.
    EXPECT_LE(count(assembly(f, avx512), "vmulps"), 11U) << assembly(f, avx512);
}

/// The assembly of a transpose of 16-bit elements in blocks of `width` x 16.
std::string transposed_by_blocks(int width, const char *target) {
    ImageParam in(UInt(16), 2, "in");
    Func block("block"), turned("turned"), f("transposed");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    block(x, y) = in(x, y);
    turned(x, y) = block(y, x);
    f(x, y) = turned(x, y);
    f.tile(x, y, xi, yi, width, 16, TailStrategy::RoundUp).vectorize(xi).unroll(yi);
    block.compute_at(f, x).vectorize(x).unroll(y);
    turned.compute_at(f, x).vectorize(y).unroll(x);
    return assembly(f, target);
}

int shuffles(const std::string &text) {
    return static_cast<int>(count(text, "vpunpck") + count(text, "vperm") + count(text, "vinsert") +
                            count(text, "vshufi") + count(text, "vpinsrw") + count(text, "vpextrw"));
}

TEST(Assembly, BlocksAreTransposedByRoundsOfShuffles) {
    // 16 registers in four rounds; the last round moves halves of registers.
    const std::string text = transposed_by_blocks(16, avx2);
    EXPECT_EQ(count(text, "vpunpck"), 48U) << text;
    EXPECT_LE(shuffles(text), 64) << text;
}

TEST(Assembly, RowsShareRegistersInTransposes) {
    // 8 or 16 registers hold two rows each: as many inserts, and as many shuffles in each of three or four rounds.
    for (const auto &[width, registers] : {std::pair(16, 8), std::pair(32, 16)}) {
        const std::string text = transposed_by_blocks(width, avx512);
        EXPECT_LE(shuffles(text), 5 * registers) << text;
        EXPECT_EQ(count(text, "vpinsrw") + count(text, "vpextrw"), 0U) << text;
    }
}

TEST(Assembly, ColumnsThatAreReadSideBySideAreRows) {
    ImageParam in(Float(32), 2, "in");
    Func f("transposed_floats");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    f(x, y) = in(y, x);
    f.tile(x, y, xi, yi, 8, 8, TailStrategy::RoundUp).vectorize(xi).unroll(yi);
    const std::string text = assembly(f, avx2);
    EXPECT_EQ(count(text, "vunpck") + count(text, "vpunpck") + count(text, "vshufps"), 16U) << text;
    EXPECT_LE(count(text, "vperm2f128") + count(text, "vinsertf128"), 8U) << text;
    EXPECT_EQ(count(text, "vinsertps") + count(text, "vmovss"), 0U) << text;
}

TEST(Assembly, NeighbouringAccessesShareTheirPointers) {
    ImageParam in(Float(32), 3, "in"), filter(Float(32), 4, "filter");
    Func sum("sum"), f("convolved");
    Var c("c"), x("x"), y("y"), ci("ci"), xi("xi");
    RDom r(0, in.dim(0).extent(), 0, 3, 0, 3);
    sum(c, x, y) = 0.0f;
    sum(c, x, y) += filter(c, r.y, r.z, r.x) * in(r.x, x + r.y, y + r.z);
    f(c, x, y) = sum(c, x, y);
    f.tile(c, x, ci, xi, 32, 5, TailStrategy::RoundUp).vectorize(ci, 16).unroll(ci).unroll(xi);
    sum.compute_at(f, c).vectorize(c, 16).unroll(c).unroll(x).unroll(y);
    sum.update().reorder(c, x, y, r.x, r.y, r.z).vectorize(c, 16).unroll(c).unroll(x).unroll(r.x, 2);
    const std::string text = assembly(f, avx512);
    // The innermost loop loads no pointer from the stack.
    const size_t first = text.find("vfmadd");
    ASSERT_NE(first, std::string::npos);
    const size_t begin = text.rfind(":\n", first), end = text.find("\tj", first);
    const std::string loop = text.substr(begin, end - begin);
    EXPECT_EQ(count(loop, "vfmadd"), 20U) << loop;
    EXPECT_EQ(count(loop, "(%rsp)") + count(loop, "(%rbp), %r"), 0U) << loop;
}

TEST(Assembly, SaturatingCastsPack) {
    ImageParam in(Int(16), 1, "in");
    Func f("packed");
    Var x("x");
    f(x) = saturating_cast<uint8_t>(in(x));
    f.vectorize(x, 32);
    const std::string text = assembly(f, avx2);
    EXPECT_GE(count(text, "vpackuswb"), 1U) << text;
    EXPECT_EQ(count(text, "vpmaxsw"), 0U) << text;
}

/// The functions of other modules that the assembly calls or jumps to.
std::set<std::string> called_functions(const std::string &text) {
    std::set<std::string> names, own;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        for (const char *jump : {"\tcallq\t", "\tjmp\t"}) {
            if (line.starts_with(jump) && line.find_first_of("*%.", std::strlen(jump)) != std::strlen(jump)) {
                names.insert(line.substr(std::strlen(jump), line.find('@') - std::strlen(jump)));
            }
        }
        if (line.ends_with(":")) {
            own.insert(line.substr(0, line.size() - 1));
        }
    }
    std::erase_if(names, [&](const std::string &name) { return own.contains(name) || own.contains('"' + name + '"'); });
    return names;
}

/// Every math function of every float type, fused products, and remainders, which round to whole numbers.
Func every_math_function(Type type, int lanes) {
    const ImageParam in(type, 1, "in");
    const Var x("x");
    const std::vector<Expr> args = {in(x), in(x + 1)};
    std::vector<Expr> values = {args[0] % args[1], args[0] * args[1] + args[0], cast(type, args[0] / args[1])};
#define FLUORITE_MATH(op, text, arity, ...)                                                                            \
    values.push_back(cast<double>(ir::make_math(ir::MathOp::op, std::span<const Expr>(args).first(arity))));
#include "ir/math_ops.def"
#undef FLUORITE_MATH
    Func f("every_math_function");
    f(x) = Tuple(values);
    if (lanes > 1) {
        f.vectorize(x, lanes, TailStrategy::RoundUp);
    }
    return f;
}

// What they call of the runtime for rare arguments is built of the same kernels.
TEST(Assembly, MathFunctionsCallNoLibrary) {
    const std::set<std::string> of_runtime = {"fluorite_sin_f32",   "fluorite_cos_f32",  "fluorite_tan_f32",
                                              "fluorite_sin_f64",   "fluorite_cos_f64",  "fluorite_tan_f64",
                                              "fluorite_atan2_f64", "fluorite_hypot_f64"};
    int number = 0;
    for (const char *target : {"x86-64-linux", "x86-64-linux-sse41", avx2, avx512}) {
        for (const Type type : {Float(32), Float(64), Float(16), BFloat(16)}) {
            const int lanes = number++ % 5 < 2 ? 1 : 8;
            for (const std::string &name : called_functions(assembly(every_math_function(type, lanes), target))) {
                EXPECT_TRUE(of_runtime.contains(name) || name.starts_with("fluorite_error_"))
                    << target << " calls " << name << " for " << to_string(type) << " in vectors of " << lanes;
            }
        }
    }
}

/// The text of the innermost loop around the first occurrence of `part` after `from`.
std::string loop_around(const std::string &text, const std::string &part, size_t from = 0) {
    const size_t at = text.find(part, from);
    if (at == std::string::npos) {
        return "";
    }
    const size_t begin = text.rfind(":\n", at);
    return text.substr(begin, text.find("\tj", at) - begin);
}

// LLVM has no vectors of operations on halves where the processor has none.
TEST(Assembly, HalvesAreComputedInVectors) {
    ImageParam in(Float(16), 1, "in");
    Func f("halves");
    Var x("x");
    const Expr wide = cast<float>(in(x));
    f(x) = cast<float16_t>(floor(wide) + select(wide > 0.5f, 1.0f, wide));
    f.vectorize(x, 8);
    const std::string text = assembly(f, "x86-64-linux-avx2-fma-f16c");
    EXPECT_GE(count(text, "vroundps"), 1U) << text;
    EXPECT_EQ(count(text, "vroundss"), 0U) << text;
    EXPECT_EQ(count(text, "vucomiss"), 0U) << text;
}

// The function for rare arguments preserves the registers of its callers.
TEST(Assembly, SumsOfMathFunctionsStayInRegisters) {
    ImageParam in(Float(32), 1, "in");
    Func f("sum_of_exps");
    Var y("y");
    RDom r(0, 512);
    f(y) = 0.0f;
    f(y) += exp(in(r + y));
    const std::string text = assembly(f, "x86-64-linux-avx2-fma-f16c");
    const size_t from = text.find("vucomiss"), to = text.find("\tjne", from);
    ASSERT_NE(to, std::string::npos) << text;
    const std::string loop = text.substr(from, to - from);
    EXPECT_EQ(count(loop, "(%rsp)"), 0U) << loop;
    EXPECT_EQ(count(text, "callq\tfluorite.exp.f32.1"), 1U) << text;
}

TEST(Assembly, TailsAreMasked) {
    ImageParam in(Float(32), 1, "in");
    Func f("masked_tail");
    Var x("x");
    f(x) = in(x) * 3.0f;
    f.vectorize(x, 16, TailStrategy::GuardWithIf);
    const std::string text = assembly(f, avx512);
    EXPECT_GE(count(text, "{%k1}"), 2U) << text;
    EXPECT_EQ(count(text, "vmulss"), 0U) << text;
}

TEST(Assembly, InteriorsHaveNoBoundaries) {
    ImageParam in(Float(32), 1, "in");
    Func f("interior"), source = BoundaryConditions::repeat_edge(in);
    Var x("x");
    f(x) = source(x - 1) + source(x + 1);
    f.vectorize(x, 16);
    const std::string text = assembly(f, avx512);
    size_t plain = 0;
    for (size_t at = text.find("vaddps\t"); at != std::string::npos; at = text.find("vaddps\t", at + 1)) {
        const std::string around = loop_around(text, "vaddps\t", at);
        plain += count(around, "vpminsd") + count(around, "vgather") + count(around, "cmov") == 0 ? 1 : 0;
    }
    EXPECT_GE(plain, 1U) << text;
}

TEST(Assembly, InterleavedChannelsAreTakenApartByShuffles) {
    ImageParam in(UInt(8), 2, "in");
    in.dim(0).set_stride(3).dim(1).set_stride(1).set_bounds(0, 3);
    Func f("apart");
    Var x("x");
    f(x) = in(x, 0) / 4 + in(x, 1) / 2 + in(x, 2) / 4;
    f.vectorize(x, 32, TailStrategy::RoundUp);
    for (const char *target : {avx2, avx512}) {
        const std::string text = assembly(f, target);
        EXPECT_EQ(count(text, "vpinsrb") + count(text, "vpextrb") + count(text, "gather"), 0U) << text;
        EXPECT_GE(count(text, "vpshufb"), 1U) << text;
    }
}

TEST(Assembly, ProductsAndSumsAreFused) {
    ImageParam a(Float(32), 1, "a"), b(Float(32), 1, "b");
    Func f("fused");
    Var x("x");
    f(x) = a(x) * b(x) + 1.5f;
    f.vectorize(x, 16);
    const std::string text = assembly(f, avx512);
    EXPECT_GE(count(text, "vfmadd"), 1U) << text;
    EXPECT_EQ(count(text, "vmulps"), 0U) << text;
    EXPECT_EQ(count(assembly(f, avx2), "vfmadd"), 0U); // this target has no FMA
}

TEST(Assembly, PrefetchesAndStreamsAsAsked) {
    ImageParam in(Float(32), 2, "in");
    Func f("fetched");
    Var x("x"), y("y");
    f(x, y) = in(x, y) * 2.0f;
    f.vectorize(x, 16, TailStrategy::RoundUp).stream_stores();
    f.output_buffer().set_host_alignment(64).dim(0).set_min(0);
    f.output_buffer().dim(1).set_stride((f.output_buffer().dim(1).stride() / 16) * 16);
    f.prefetch(in, y, y, 2);
    const std::string text = assembly(f, avx512);
    EXPECT_GE(count(text, "prefetcht0"), 1U) << text;
    EXPECT_GE(count(text, "vmovntps"), 1U) << text;
    EXPECT_GE(count(text, "sfence"), 1U) << text;
    Func g("plain");
    g(x, y) = in(x, y) * 2.0f;
    g.vectorize(x, 16);
    EXPECT_EQ(count(assembly(g, avx512), "sfence"), 0U) << "only streaming stores are unordered";
}

TEST(Assembly, SumsOverLanesAreAddedOnceAfterTheLoop) {
    ImageParam in(Int(32), 1, "in");
    RDom r(0, 1024);
    Func f("summed");
    f() = 0;
    f() += in(r);
    f.update().atomic().vectorize(r, 32);
    const std::string text = assembly(f, avx512), loop = loop_around(text, "vpaddd\t");
    EXPECT_GE(count(loop, "vpaddd"), 2U) << text;
    EXPECT_EQ(count(loop, "vpshuf") + count(loop, "vextract"), 0U) << text;
}

// LLVM 19 exchanges the operands of a masked comparison of halves, and keeps the predicate, where it folds a load.
TEST(Assembly, VectorsOfHalvesAreComparedAsFloats) {
    Var x("x");
    RDom r(0, 2);
    Func f("compared");
    f(x) = select(product(r, cast(Float(16), 1)) <= cast(Float(16), 2), 1.0f, 9.0f);
    f.vectorize(x, 7, TailStrategy::GuardWithIf);
    const std::string text = assembly(f, "x86-64-linux-avx512_sapphirerapids");
    EXPECT_GE(count(text, "\tvcmp"), 1U) << text;
    EXPECT_EQ(count(text, "leph\t") + count(text, "ltph\t") + count(text, "geph\t") + count(text, "gtph\t"), 0U)
        << text;
    const Buffer<float> result = f.realize({9});
    for (int i = 0; i < 9; i++) {
        EXPECT_EQ(result(i), 1.0f) << i;
    }
}

} // namespace
} // namespace fluorite::assembly_test
