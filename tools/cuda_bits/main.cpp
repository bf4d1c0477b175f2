// fluorite_cuda_bits: kernels for CUDA, and the bits that the executor of loop IR computes for them, as a file.
//
//   fluorite_cuda_bits FILE [--random N] [--seed N] [--target TARGET] [--ptx FOLDER]
//   fluorite_cuda_bits --on-host [--random N] [--seed N] [--target TARGET]
//
// There is a kernel for each kind of expression in each type, for accesses, memory and control, and for N random terms.
// fluorite_cuda_run runs the file on a machine with a device, which needs no compiler. --ptx also writes the code of
// each module to a file, for ptxas. --on-host writes nothing: it runs the kernels, as LLVM optimizes them for CUDA, on
// this machine.
//
// Exit code: 0; 1 where a case is broken or bits differ; 2 for unusable arguments.

#include "record.h"

#include "fluorite/errors.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace fluorite;
using namespace fluorite::cuda_bits;

namespace {

struct Options {
    std::string file;
    int random = 2000;
    uint64_t seed = 1;
    std::string target = "x86-64-linux";
    std::string ptx;
    bool is_on_host() const { return file == "--on-host"; }
};

/// The number of cases of a module: the driver builds a module as a whole.
constexpr size_t cases_in_module = 48;

bool parse(int argc, char **argv, Options &options) {
    options.file = argc > 1 ? argv[1] : "";
    for (int i = 2; i < argc; i += 2) {
        const std::string word = argv[i];
        if (i + 1 == argc) {
            return false;
        }
        const char *value = argv[i + 1];
        if (word == "--random") {
            options.random = std::atoi(value);
        } else if (word == "--seed") {
            options.seed = static_cast<uint64_t>(std::atoll(value));
        } else if (word == "--target") {
            options.target = value;
        } else if (word == "--ptx") {
            options.ptx = value;
        } else {
            return false;
        }
    }
    return options.is_on_host() || (!options.file.empty() && options.file[0] != '-');
}

class Run {
  public:
    explicit Run(const Options &options) : options_(options), target_(options.target) {
        if (!options.is_on_host()) {
            file_.open(options.file, std::ios::binary);
            write_inputs(file_, recorder_.inputs());
        }
    }

    void record(const char *what, const std::vector<Case> &cases) {
        for (size_t begin = 0; begin < cases.size(); begin += cases_in_module) {
            const auto first = cases.begin() + static_cast<ptrdiff_t>(begin);
            const size_t count = std::min(cases_in_module, cases.size() - begin);
            modules_++;
            if (options_.is_on_host()) {
                recorder_.run_on_host({first, first + static_cast<ptrdiff_t>(count)}, target_, counts_);
                continue;
            }
            const RecordedModule module =
                recorder_.record({first, first + static_cast<ptrdiff_t>(count)}, target_, counts_);
            write_module(file_, module);
            if (!options_.ptx.empty()) {
                std::ofstream(options_.ptx + "/module" + std::to_string(modules_ - 1) + ".ptx") << module.ptx;
            }
        }
        std::printf("%s: %zu cases in %zu modules, %zu different\n", what, counts_.cases, modules_, counts_.different);
    }
    int finish() {
        for (const auto &[text, count] : counts_.refused) {
            std::printf("refused %zu times: %s\n", count, text.c_str());
        }
        file_.close();
        if (!file_ && !options_.is_on_host()) {
            std::fprintf(stderr, "fluorite_cuda_bits: %s cannot be written\n", options_.file.c_str());
            return 1;
        }
        return counts_.different > 0 ? 1 : 0;
    }

  private:
    const Options &options_;
    const Target target_;
    std::ofstream file_;
    Recorder recorder_;
    Counts counts_;
    size_t modules_ = 0;
};

} // namespace

int main(int argc, char **argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        std::fputs(
            "usage: fluorite_cuda_bits FILE|--on-host [--random N] [--seed N] [--target TARGET] [--ptx FOLDER]\n",
            stderr);
        return 2;
    }
    try {
        Run run(options);
        run.record("expressions", expression_cases());
        run.record("and statements", statement_cases());
        run.record("and random terms", random_cases(options.seed, options.random));
        return run.finish();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluorite_cuda_bits: %s\n", error.what());
        return 1;
    }
}
