// The command line that all applications share: exit codes, messages, files.
#include "apps/common/program.h"

#include "app_test.h"
#include "fluorite/image_io.h"

#include <filesystem>
#include <fstream>

namespace apps::program_test {
namespace {

namespace fs = std::filesystem;

Program copier(Channels channels) {
    Program program{"copier", "Copies.", channels, Halide::UInt(8), 16, 16};
    program.parameters = {{"gain", 1, 0, 4, "unused"}, {"count", 2, 1, 9, "unused", true}};
    program.run = [](const Halide::Buffer<> &picture, const Request &) { return picture; };
    program.print_loop_nest = [](const Request &) {};
    return program;
}

struct Outcome {
    int code;
    std::string message;
};

Outcome run(std::vector<std::string> words, Channels channels = Channels::Any) {
    words.insert(words.begin(), "copier");
    std::vector<char *> pointers;
    for (std::string &word : words) {
        pointers.push_back(word.data());
    }
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const int code = run_program(copier(channels), static_cast<int>(pointers.size()), pointers.data());
    testing::internal::GetCapturedStdout();
    return {code, testing::internal::GetCapturedStderr()};
}

std::string save(const std::string &name, const Halide::Buffer<uint8_t> &image) {
    fluorite::save_image(image, name);
    return name;
}

TEST(Program, RefusesWhatItCannotUseWithCodeTwoAndAReason) {
    std::ofstream("words.png") << "no picture";
    std::ofstream("empty.png");
    const std::string small = save("small.png", Halide::Buffer<uint8_t>(15, 40));
    const std::string alpha = save("alpha.png", Halide::Buffer<uint8_t>(20, 20, 4));
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"missing.png"}, "missing.png"},
        {{"words.png"}, "words.png"},
        {{"empty.png"}, "empty"},
        {{small}, "small.png: the picture is too small: 15 x 40 pixels; copier needs at least 16 x 16"},
        {{alpha},
         "alpha.png: the picture has 4 channels, one of them alpha; copier takes gray or colour without alpha"},
        {{"--size", "12x90"}, "--size: the picture is too small: 12 x 90 pixels; copier needs at least 16 x 16"},
        {{"--size", "0x90"}, "--size 0x90: expected WIDTHxHEIGHT, each from 1 to 32768"},
        {{"--size", "90"}, "--size 90: expected WIDTHxHEIGHT, each from 1 to 32768"},
        {{"--gain", "4.5"}, "--gain 4.5 is out of range: it goes from 0 to 4"},
        {{"--gain", "nan"}, "--gain nan: not a number"},
        {{"--gain"}, "--gain needs a value after it; --help lists all options"},
        {{"--count", "2.5"}, "--count 2.5: not a whole number"},
        {{"--count", "0"}, "--count 0 is out of range: it goes from 1 to 9"},
        {{"--colour", "1"}, "--colour: no such option; --help lists all of them"},
        {{"--schedule", "best"}, "--schedule best: there are hand, gpu, auto and default"},
        {{"--explain"}, "--explain: says what --schedule auto has found"},
        {{"--schedule", "auto", "--loop-nest"}, "--loop-nest: an automatic schedule is made for a picture"},
        {{small, alpha}, "alpha.png: one picture at a time, and small.png was named before"},
        {{"--output", "result.xyz"}, "result.xyz"},
        {{"--size", "20x20", "--output", "no_such_folder/result.png"}, "no_such_folder/result.png"},
    };
    for (const auto &[words, text] : cases) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 2) << words[0];
        EXPECT_NE(outcome.message.find(text), std::string::npos) << outcome.message;
        EXPECT_FALSE(fs::exists("copier.png"));
    }
    const Outcome gray = run({save("gray.png", Halide::Buffer<uint8_t>(20, 20))}, Channels::Color);
    EXPECT_EQ(gray.code, 2);
    EXPECT_EQ(gray.message, "copier: gray.png: the picture has 1 channel; copier takes colour: red, green and blue\n");
}

TEST(Program, WritesWhatItRead) {
    const auto image = random_image<uint8_t>(21, 17, 3);
    ASSERT_EQ(run({save("in.png", over(image, 3)), "--output", "out.png"}).code, 0);
    const Halide::Buffer<uint8_t> written = fluorite::load_image("out.png");
    expect_near(written, image, 0, Schedule::Hand);
    ASSERT_EQ(run({"in.png", "--output", "gray.png"}, Channels::Gray).code, 0);
    EXPECT_EQ(fluorite::load_image("gray.png").dimensions(), 2);
}

} // namespace
} // namespace apps::program_test
