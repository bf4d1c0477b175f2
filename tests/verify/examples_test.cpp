// The examples of `fluorite_certify --examples`: each has a certificate that covers every directive and that the
// checker accepts, and its loops give the bits of its schedule.

#include "test_checker.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace fluorite::verify::examples_test {
namespace {

TEST(CertifiedExamples, AreAcceptedAndRight) {
    const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
    const std::string tool = folder + "/fluorite_certify";
    if (!std::filesystem::exists(tool)) {
        GTEST_SKIP() << "fluorite_certify is not built";
    }
    EXPECT_EQ(std::system((tool + " --examples --once --output examples_of_certificates > examples.txt").c_str()), 0);
    std::ifstream file("examples.txt");
    const std::string said((std::istreambuf_iterator<char>(file)), {});
    size_t count = 0;
    for (const char *name :
         {"two_stage_fusion", "tiling", "blur_breadth_first", "blur_tiled", "blur_sliding", "shared_loops",
          "reordered_sum", "convolution", "convolution_im2col", "matmul_packed", "time_tiles", "partial_sums",
          "alternatives", "histogram", "im2col", "scatter_to_gather", "separable_filter"}) {
        const size_t at = said.find(std::string("\n") + name + " ");
        EXPECT_TRUE(at != std::string::npos || said.starts_with(std::string(name) + " ")) << name << " in\n" << said;
        count += std::filesystem::exists("examples_of_certificates/" + std::string(name) + ".cert");
    }
    EXPECT_EQ(count, 17u) << said;
    EXPECT_EQ(said.find("DIFFER"), std::string::npos) << said;
}

} // namespace
} // namespace fluorite::verify::examples_test
