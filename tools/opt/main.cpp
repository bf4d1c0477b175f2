// fluorite_opt: runs passes of lowering on a text, and prints what they make of it (docs/guides/passes_on_texts.md).
//
//   fluorite_opt --pass=unroll_loops,simplify loop.ir
//   fluorite_opt --print-after=all graph.ir schedule.txt
//   fluorite_opt --loops graph.ir schedule.txt
//
// Exit code: 0; 1 where a pass refuses the program, or the statement breaks a rule; 2 for unusable arguments and texts;
// 3 where a pass breaks a rule.

#include "fluorite/errors.h"
#include "lowering/opt/opt.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace fluorite;

namespace {

std::string read(const std::string &path) {
    std::ostringstream text;
    std::error_code ignored;
    if (path == "-") {
        text << std::cin.rdbuf();
    } else if (!path.empty()) {
        std::ifstream file(path, std::ios::binary);
        if (!file || std::filesystem::is_directory(path, ignored)) {
            throw CompileError("opt-text", "in " + path + ": it cannot be read; name a file that there is");
        }
        text << file.rdbuf();
    }
    return text.str();
}

bool is_unusable(const std::string &slug) {
    return slug == "opt-option" || slug == "opt-text" || slug == "bad-ir-text" || slug == "bad-target" ||
           slug.starts_with("schedule-syntax") || slug == "schedule-version" || slug == "schedule-truncated";
}

} // namespace

int main(int argc, char **argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) {
        std::fputs(lowering::opt::opt_help().c_str(), stderr);
        return 2;
    }
    try {
        const lowering::opt::OptOptions options = lowering::opt::parse_opt_options(words);
        const std::string text = read(options.file);
        std::fputs(lowering::opt::run_opt(options, text, read(options.schedule_file)).c_str(), stdout);
    } catch (const InternalError &error) {
        std::fprintf(stderr, "fluorite_opt: %s\n", error.what());
        return 3;
    } catch (const Error &error) {
        std::fprintf(stderr, "fluorite_opt: %s\n", error.what());
        return is_unusable(error.slug()) ? 2 : 1;
    }
    return 0;
}
