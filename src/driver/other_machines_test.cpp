// Files for machines that are not here: their format and processor, of code that has vectors, tasks, math functions
// and short floats.
#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace fluorite::other_machines_test {
namespace {

std::string content(const std::string &path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

template <typename T> T number_at(const std::string &bytes, size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// The format and the processor of an object file, as the specifications of ELF, MachO and COFF number them.
std::string format_of(const std::string &object) {
    if (object.rfind("\x7f"
                     "ELF",
                     0) == 0) {
        return "elf " + std::to_string(number_at<uint16_t>(object, 18));
    }
    if (number_at<uint32_t>(object, 0) == 0xFEEDFACF) {
        return "macho " + std::to_string(number_at<uint32_t>(object, 4) & 0xFFFFFF);
    }
    return "coff " + std::to_string(number_at<uint16_t>(object, 0));
}

class OtherMachines : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    ImageParam in{Float(32), 2, "in"};
    Func halves{"halves"}, f{"f"};

    void SetUp() override {
        halves(x, y) = cast<float16_t>(exp(in(x, y)) * 0.5F);
        f(x, y) = cast<uint8_t>(clamp(pow(cast<float>(halves(x, y) + halves(x + 1, y)), 0.3F) * 255.0F, 0.0F, 255.0F));
        halves.compute_at(f, y).vectorize(x, 8);
        f.vectorize(x, 16).parallel(y);
    }
};

TEST_F(OtherMachines, HaveFilesOfTheirFormat) {
    const struct {
        const char *target, *format;
    } cases[] = {
        {"x86-64-linux", "elf 62"},
        {"x86-64-noos-avx2", "elf 62"},
        {"x86-64-android", "elf 62"},
        {"x86-64-osx-avx2", "macho 7"},
        {"x86-64-windows", "coff 34404"},
        {"x86-64-windows-avx512_skylake", "coff 34404"},
        {"arm-64-linux", "elf 183"},
        {"arm-64-noos", "elf 183"},
        {"arm-64-android-arm_fp16", "elf 183"},
        {"arm-64-osx", "macho 12"},
        {"arm-64-ios", "macho 12"},
        {"arm-64-windows", "coff 43620"},
        {"riscv-64-linux", "elf 243"},
        {"riscv-64-linux-rvv", "elf 243"},
        {"riscv-64-noos", "elf 243"},
    };
    for (const auto &each : cases) {
        const Target target(each.target);
        EXPECT_TRUE(target.supported()) << each.target;
        f.compile_to_object("other.o", {in}, "f", target);
        EXPECT_EQ(format_of(content("other.o")), each.format) << each.target;
    }
}

TEST_F(OtherMachines, HaveTheirVectorsInAssembly) {
    const struct {
        const char *target, *instruction;
    } cases[] = {{"arm-64-linux", "fmul\tv"}, {"arm-64-osx", "fmul.4s"}, {"riscv-64-linux-rvv", "vfmul.v"}};
    for (const auto &each : cases) {
        f.compile_to_assembly("other.s", {in}, "f", Target(each.target));
        EXPECT_NE(content("other.s").find(each.instruction), std::string::npos) << each.target;
    }
}

// Idioms of ARM: what their instructions are in assembly, and that their values are those of the interpreter.
TEST_F(OtherMachines, HaveInstructionsOfFixedPoint) {
    ImageParam a(Int(16), 1, "a"), b(Int(16), 1, "b"), p(Int(8), 1, "p"), q(Int(8), 1, "q");
    Buffer<int16_t> as(64), bs(64);
    Buffer<int8_t> ps(64), qs(64);
    for (int i = 0; i < 64; i++) {
        as(i) = static_cast<int16_t>(i % 7 == 0 ? -32768 : i * 1021 - 32000);
        bs(i) = static_cast<int16_t>(i % 5 == 0 ? -32768 : 31000 - i * 977);
        ps(i) = static_cast<int8_t>(i % 7 == 0 ? -128 : i * 37);
        qs(i) = static_cast<int8_t>(i % 3 == 0 ? -128 : 90 - i * 29);
    }
    a.set(as);
    b.set(bs);
    p.set(ps);
    q.set(qs);
    const RDom r(0, 4, "r");
    Func product("product"), rounded("rounded"), dots("dots"), of_unsigned("of_unsigned");
    const Expr whole = (cast<int>(a(x)) * b(x) + (1 << 14)) >> 15;
    product(x) = saturating_cast<int16_t>(whole);
    rounded(x) = cast<int16_t>(whole);
    dots(x) = 7;
    dots(x) += cast<int>(p(4 * x + r)) * q(4 * x + r);
    of_unsigned(x) = cast<uint32_t>(0);
    of_unsigned(x) += cast<uint32_t>(reinterpret<uint8_t>(p(4 * x + r))) * reinterpret<uint8_t>(q(4 * x + r));
    const Target arm("arm-64-linux-arm_dot_prod");
    const struct {
        Func func;
        const char *instruction;
    } cases[] = {{product, "sqrdmulh"}, {rounded, ""}, {dots, "sdot"}, {of_unsigned, "udot"}};
    for (const auto &each : cases) {
        Func func = each.func;
        const int size = func.has_update_definition() ? 16 : 64;
        func.vectorize(x, 16, TailStrategy::RoundUp);
        if (func.has_update_definition()) {
            func.update().atomic().vectorize(r).vectorize(x, 16, TailStrategy::RoundUp);
        }
        func.compile_to_assembly("idiom.s", {a, b, p, q}, "f", arm);
        EXPECT_NE(content("idiom.s").find(each.instruction), std::string::npos) << func.name();
        const Buffer<> out = func.realize({size}, arm)[0];
        Buffer<> expected(out.type(), {size});
        interpret_into(func, {expected.raw_buffer()}, false);
        EXPECT_TRUE(interpret::compare_bits(*out.raw_buffer(), *expected.raw_buffer())) << func.name();
    }
}

TEST_F(OtherMachines, HaveLibrariesThatTheirLinkersRead) {
    f.compile_to_static_library("other", {in}, "f", Target("arm-64-osx"));
    EXPECT_EQ(content("other.a").rfind("!<arch>\n#1/", 0), 0U); // the names of BSD's archives
    f.compile_to_static_library("other", {in}, "f", Target("arm-64-linux"));
    EXPECT_EQ(content("other.a").rfind("!<arch>\n/ ", 0), 0U); // the index of GNU's
}

TEST_F(OtherMachines, ThatHaveNoCodeGeneratorAreRefused) {
    const auto refused = [&](const char *name, const std::string &text) {
        EXPECT_FALSE(Target(name).supported()) << name;
        expect_error([&] { f.compile_to_object("other.o", {in}, "f", Target(name)); }, "bad-target", text);
    };
    for (const char *name : {"x86-32-linux", "arm-32-android", "powerpc-64-linux", "wasm-32-wasmrt"}) {
        refused(name, "target " + Target(name).to_string() +
                          " has no code generator here; this build makes code for x86-64, arm-64 and riscv-64; use a "
                          "target that begins with one of these");
    }
    for (const char *name : {"x86-64-ios", "riscv-64-osx", "arm-64-fuchsia"}) {
        refused(name, std::string("target ") + name +
                          " names an operating system for which no files are written here; this build writes those of "
                          "linux, noos, and, where they have this architecture, android, osx, ios and windows; use "
                          "one of these");
    }
    refused("riscv-64-linux-arm_fp16", "target riscv-64-linux-arm_fp16: arm_fp16 is a feature of another "
                                       "architecture; a feature is honoured or refused; leave it out");
    refused("arm-64-linux-sve2", "target arm-64-linux-sve2: sve2 has no implementation here; a feature is honoured or "
                                 "refused; leave it out");
}

} // namespace
} // namespace fluorite::other_machines_test
