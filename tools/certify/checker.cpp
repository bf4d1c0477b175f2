#include "checker.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace fluorite::certify_tool {

Verdict check(const std::string &certificate) {
    namespace fs = std::filesystem;
    Verdict verdict;
    const fs::path checker = fs::read_symlink("/proc/self/exe").parent_path() / "proofs_native/fluorite_check";
    if (!fs::exists(checker)) {
        return verdict;
    }
    std::string path = (fs::temp_directory_path() / "fluorite-XXXXXX").string();
    const int file = mkstemp(path.data());
    if (file < 0) {
        return verdict;
    }
    std::ofstream(path) << certificate;
    if (FILE *pipe = popen((checker.string() + " " + path).c_str(), "r")) {
        std::array<char, 4096> buffer;
        while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
            verdict.text.append(buffer.data(), count);
        }
        pclose(pipe);
        verdict.is_there = true;
    }
    fs::remove(path);
    verdict.text.erase(0, verdict.text.find(": ") + 2);
    verdict.accepted = verdict.text.starts_with("accepted");
    const std::string time = "checked in ";
    if (const size_t at = verdict.text.find(time); at != std::string::npos) {
        verdict.milliseconds = std::atof(verdict.text.c_str() + at + time.size());
    }
    return verdict;
}

double processor_milliseconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}
double processor_milliseconds(const std::function<void()> &run) {
    const double begin = processor_milliseconds();
    run();
    return processor_milliseconds() - begin;
}

} // namespace fluorite::certify_tool
