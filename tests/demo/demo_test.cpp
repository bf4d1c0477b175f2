// Runs the demo's program as a user does: exit codes, messages, files. The program is two folders above the one that
// ctest passes to this test.
#include "fluorite/buffer.h"
#include "fluorite/image_io.h"
#include "support/test_process.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace fluorite::demo_test {
namespace {

namespace fs = std::filesystem;

using Outcome = ProcessOutcome;

Outcome run_demo(const std::string &arguments) { return run_process("../../fluorite_demo " + arguments); }

std::string read_text(const fs::path &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

class DemoTest : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(fs::exists("../../fluorite_demo")) << "build the target fluorite_demo, and start this in a folder "
                                                          "two below it, as ctest does";
        fs::remove_all(folder());
    }
    std::string folder() const { return testing::UnitTest::GetInstance()->current_test_info()->name(); }

    void expect_refused(const std::string &arguments, const std::string &words) {
        const Outcome outcome = run_demo("--out " + folder() + " " + arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << outcome.text;
        EXPECT_TRUE(!fs::exists(folder()) || fs::is_empty(folder())) << "files were written";
    }
};

TEST_F(DemoTest, RunsOnAColourPictureOfOddSize) {
    const Outcome outcome = run_demo("--size 301x203 --out " + folder());
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("peak memory"), std::string::npos);
    const std::string page = read_text(folder() + "/index.html");
    for (const char *name : {"box_blur_3x3", "box_blur_9x9", "histogram", "unsharp_mask", "sobel_edges"}) {
        const Buffer<> image = load_image(folder() + "/" + name + ".png");
        EXPECT_EQ(image.width(), 301) << name;
        EXPECT_EQ(image.height(), 203) << name;
        EXPECT_NE(page.find(std::string(name) + ".png"), std::string::npos) << name;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 7) << "five results, the input and the page";
}

TEST_F(DemoTest, RunsOnAGrayPictureOf16Bits) {
    Buffer<uint16_t> image(67, 65);
    image.fill([](int x, int y) { return static_cast<uint16_t>(x * 900 + y * 31); });
    save_image(image, "gray.png");
    const Outcome outcome = run_demo("--out " + folder() + " gray.png");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_EQ(load_image(folder() + "/box_blur_3x3.png").dimensions(), 2);
}

TEST_F(DemoTest, RefusesAFileThatIsNotThere) { expect_refused("no_such_file.png", "no_such_file.png"); }

TEST_F(DemoTest, RefusesAFileThatIsNoPicture) {
    std::ofstream("words.png") << "these are words";
    expect_refused("words.png", "words.png");
}

TEST_F(DemoTest, RefusesATinyPicture) {
    save_image(Buffer<uint8_t>(8, 100).fill(uint8_t{9}), "tiny.png");
    expect_refused("tiny.png", "the picture is too small: 8 x 100 pixels; the demo needs at least 64 x 64");
}

TEST_F(DemoTest, RefusesWhatIsNoOption) {
    expect_refused("--fast", "'--fast' is not known; --help lists the options; use one of them");
    expect_refused("--size 12", "--size 12: a size is written as in 2560x1920");
    expect_refused("a.png b.png", "b.png: one picture is enough");
}

} // namespace
} // namespace fluorite::demo_test
