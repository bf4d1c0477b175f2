// Cases in files: every case that once showed a fault is run again. The first line of each names the fault and the
// seed.

#include "campaign.h"

#include "genome_text.h"
#include "print_cpp.h"
#include "shrink.h"
#include "worker.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fluorite::fuzz {

int run_corpus(const Options &options) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(options.corpus, error)) {
        if (entry.path().extension() == ".case") {
            files.push_back(entry.path().string());
        }
    }
    if (std::filesystem::path(options.corpus).extension() == ".case") {
        files.push_back(options.corpus);
    }
    std::sort(files.begin(), files.end());
    int failures = 0;
    for (const std::string &file : files) {
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        Genome genome = parse_genome(text.str());
        if (options.print) {
            std::printf("%s", print_cpp(genome).c_str());
        }
        Outcome::Kind kind = run_isolated(genome, options);
        // The first line of a schedule that must be refused says so.
        bool refusal = text.str().starts_with("# refused");
        bool good =
            refusal ? kind == Outcome::Kind::Rejected || kind == Outcome::Kind::Refused : kind == Outcome::Kind::Same;
        if (!good) {
            failures++;
            Outcome outcome;
            if (kind < Outcome::Kind::Crash) {
                outcome = run_case(genome, options);
            }
            std::printf("%s: %s: %s\n", file.c_str(), kind_name(kind), outcome.text.c_str());
            if (!options.save.empty()) {
                Genome small =
                    shrink(genome, [&](const Genome &candidate) { return run_isolated(candidate, options) == kind; });
                std::string to = options.save + "/" + std::filesystem::path(file).filename().string();
                std::ofstream(to) << genome_text(small);
                std::printf("%s// saved as %s\n", print_cpp(small).c_str(), to.c_str());
            }
        }
    }
    std::printf("%zu cases of %s, %d failures\n", files.size(), options.corpus.c_str(), failures);
    return failures == 0 && !files.empty() ? 0 : 1;
}

} // namespace fluorite::fuzz
