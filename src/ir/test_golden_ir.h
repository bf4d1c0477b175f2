#pragma once
// For tests: files of loop IR with the text that is expected for it.
//
//   comments, and the input      the head, which a test interprets
//   // expect avx2:              what follows is the text for a machine; without a name, for the widest one
//
// With FLUORITE_UPDATE_GOLDENS in the environment, tests write what they see instead of comparing it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::ir {

/// Targets: the kinds of vectors, masks and shuffles that passes and the code generator distinguish.
struct GoldenMachine {
    const char *name, *target;
};
inline constexpr GoldenMachine golden_machines[] = {
    {"", "x86-64-linux-avx512_sapphirerapids"},
    {"zen4", "x86-64-linux-avx512_zen4-tune_znver4"},
    {"server", "x86-64-linux-avx512_sapphirerapids"},
    {"avx2", "x86-64-linux-avx2-fma-f16c-tune_znver3"},
    {"sse41", "x86-64-linux-sse41"},
    {"sse2", "x86-64-linux"},
    {"checked", "x86-64-linux-avx2-fma-f16c-tune_znver3-checked"},
};

struct Expectation {
    std::string machine, text;
};

struct GoldenFile {
    std::string head; // the text up to the first expectation
    std::vector<Expectation> expect;
};

inline bool updates_goldens() { return std::getenv("FLUORITE_UPDATE_GOLDENS") != nullptr; }

inline std::string trimmed(const std::string &text) {
    const size_t begin = text.find_first_not_of(" \n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

/// A file without expectations gets one for the widest machine.
inline GoldenFile read_golden_file(const std::filesystem::path &path) {
    GoldenFile golden;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view word = "// expect";
        if (line.starts_with(word) && line.ends_with(":")) {
            golden.expect.push_back({trimmed(line.substr(word.size(), line.size() - word.size() - 1)), ""});
        } else {
            (golden.expect.empty() ? golden.head : golden.expect.back().text) += line + "\n";
        }
    }
    if (golden.expect.empty()) {
        golden.expect.push_back({});
    }
    return golden;
}

inline void write_golden_file(const std::filesystem::path &path, const GoldenFile &golden) {
    std::ofstream file(path);
    file << golden.head;
    for (const Expectation &expectation : golden.expect) {
        file << "// expect" << (expectation.machine.empty() ? "" : " ") << expectation.machine << ":\n"
             << expectation.text << (expectation.text.empty() ? "" : "\n");
    }
}

/// The files `*.ir` of a folder of the repository and its subfolders, in order.
inline std::vector<std::filesystem::path> golden_files(const std::string &folder) {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path root = std::filesystem::path(std::getenv("FLUORITE_SOURCE_DIR")) / folder;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".ir") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace fluorite::ir
