// Applications on targets with fewer features. cmake/FluoritePrograms.cmake runs all tests of this folder once more for
// some targets, through FLUORITE_JIT_TARGET. This test makes these runs meaningful: it checks that the code uses the
// registers and instructions of its target, and no others.

#include "app_test.h"
#include "apps/blur/blur.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/matmul/matmul.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace apps::targets_test {
namespace {

using Halide::Target;

// Skips the whole run if this machine does not support the target.
class OfThisMachine : public testing::Environment {
    void SetUp() override {
        const Target host = Halide::get_host_target(), wanted = Halide::get_jit_target_from_environment();
        for (int i = Target::SSE41; i <= Target::AVX512_SapphireRapids; i++) {
            const auto feature = static_cast<Target::Feature>(i);
            if (wanted.has_feature(feature) && !host.has_feature(feature)) {
                GTEST_SKIP() << "this machine has no " << Target::feature_to_name(feature);
            }
        }
    }
};
const testing::Environment *const of_this_machine = testing::AddGlobalTestEnvironment(new OfThisMachine);

TEST(Targets, AreThoseOfTheEnvironment) {
    const char *text = std::getenv("FLUORITE_JIT_TARGET");
    const Target wanted = text && *text ? Target(text) : Halide::get_host_target();
    EXPECT_EQ(Halide::get_jit_target_from_environment(), wanted.with_feature(Target::JIT));
}

std::string assembly(const Halide::Func &func, const Target &target) {
    const std::string path = func.name() + ".s";
    func.compile_to_assembly(path, func.infer_arguments(), func.name(), target);
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The first line of a text that contains one of the parts; empty if there is none.
std::string line_with(const std::string &text, const std::vector<std::string> &parts) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        for (const std::string &part : parts) {
            if (line.find(part) != std::string::npos) {
                return line;
            }
        }
    }
    return "";
}

// `make` returns the application with its schedule for a target.
template <typename Make> void expect_registers(Make make) {
    const auto code = [&](const char *target) { return assembly(make(Target(target)).output, Target(target)); };
    // Instructions that begin with v belong to AVX and later extensions.
    const std::string sse41 = code("x86-64-linux-sse41");
    EXPECT_EQ(line_with(sse41, {"%ymm", "%zmm", "\tv"}), "");
    EXPECT_NE(line_with(sse41, {"%xmm"}), "");
    // zmm registers, mask registers, and registers from 16 on belong to AVX-512.
    const std::string avx2 = code("x86-64-linux-avx2-fma-f16c");
    EXPECT_EQ(line_with(avx2, {"%zmm", "%k0", "%k1", "%k2", "%ymm16", "%ymm17", "%xmm16", "%xmm17"}), "");
    EXPECT_NE(line_with(avx2, {"%ymm"}), "");
    EXPECT_NE(line_with(code("x86-64-linux-avx512_skylake"), {"%zmm"}), "");
}

TEST(Targets, CodeOfBlurHasTheirRegisters) {
    expect_registers([](const Target &) { return Blur(Schedule::Hand); });
}
TEST(Targets, CodeOfCameraPipeHasTheirRegisters) {
    expect_registers([](const Target &) { return CameraPipe(Schedule::Hand); });
}
TEST(Targets, CodeOfMatmulHasTheirRegisters) {
    expect_registers([](const Target &target) { return Matmul(Schedule::Hand, target); });
}

} // namespace
} // namespace apps::targets_test
