// Every file of tests/corpora/<target>, including inputs that crashed in the past, is passed to its target.
#include "targets.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace fluorite::libfuzzer::corpora_test {
namespace {

struct Target {
    const char *name;
    void (*run)(std::string_view);
};
const Target targets[] = {
#define FLUORITE_TARGET(name) {#name, name},
#include "targets.def"
#undef FLUORITE_TARGET
};

std::vector<std::filesystem::path> corpus(const char *name) {
    const auto root = std::filesystem::path(std::getenv("FLUORITE_SOURCE_DIR")) / "tests/corpora" / name;
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(root)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string contents(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Corpora : public testing::TestWithParam<Target> {};

TEST_P(Corpora, AreReadOrRefused) {
    const std::vector<std::filesystem::path> files = corpus(GetParam().name);
    EXPECT_GE(files.size(), 3U);
    for (const std::filesystem::path &file : files) {
        SCOPED_TRACE(file.string());
        EXPECT_NO_THROW(GetParam().run(contents(file)));
    }
}

TEST_P(Corpora, AreReadOrRefusedWhereverTheyEnd) {
    for (const std::filesystem::path &file : corpus(GetParam().name)) {
        const std::string whole = contents(file);
        const size_t step = std::max<size_t>(whole.size() / 20, 1);
        for (size_t end = 0; end < whole.size(); end += step) {
            SCOPED_TRACE(file.string() + " up to " + std::to_string(end));
            EXPECT_NO_THROW(GetParam().run(std::string_view(whole).substr(0, end)));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Corpora, testing::ValuesIn(targets),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace fluorite::libfuzzer::corpora_test
