// fluorite_fuzz: random pipelines with random schedules, machine code against the interpreter. See `usage`.
//
// Cases run in child processes, so that a crash or a hang is a finding and does not end the campaign. Every failure is
// shrunk and printed as C++.

#include "campaign.h"
#include "genome_text.h"
#include "iterations/campaign.h"
#include "plants.h"
#include "print_cpp.h"

#include "fluorite/runtime_abi.h"
#include "fluorite/target.h"
#include "support/command_line.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace fluorite::fuzz {

namespace {

const char usage[] = R"(fluorite_fuzz: random pipelines and schedules, machine code against the interpreter

  fluorite_fuzz --count 10000 --seed 1          many cases; failures are made smaller and printed as C++
  fluorite_fuzz --seed 1 --case 4711 --print    one case, as C++, with its outcome
  fluorite_fuzz --corpus tests/fuzz             every file of a folder (or one file) as a case
  fluorite_fuzz_planted --self-test             planted faults are found and shrunk

)";
const char notes[] = R"(
Memory that pipelines allocate is filled with a pattern, so that reads of what was never written show; FLUORITE_POISON=0 turns that
off. The IR is verified after every pass, unless FLUORITE_VERIFY=0 says not to. Exit code: 0 all agree, 1 failures or refusals that
refusals.def does not allow, 2 unusable arguments.
)";

constexpr int64_t many = INT32_MAX;

void set_only(Options &options, const std::string &what) {
    if (what != "parallel" && what != "automatic") {
        throw BadCommandLine("--only is '" + what + "'; there are --only parallel and --only automatic; give one");
    }
    options.only_parallel |= what == "parallel";
    options.only_automatic |= what == "automatic";
}

void set_device(Options &options, const std::string &name) {
    if (name != "opencl" && name != "cuda") {
        throw BadCommandLine("--device is '" + name +
                             "'; kernels run on the devices opencl and cuda, or without it in the executor; "
                             "give one of the two, or leave it out");
    }
    options.gpu = true;
    options.device = name == "cuda" ? Target::CUDA : Target::OpenCL;
}

void set_back_end(Options &options, const std::string &name) {
    if (name != "llvm" && name != "executor" && name != "c") {
        throw BadCommandLine("--back-end is '" + name +
                             "'; code is made by llvm, executor or c; give one of the three");
    }
    setenv("FLUORITE_BACK_END", name.c_str(), /*overwrite=*/1);
    if (name == "c") { // the compiler that a case waits for is a process of its own
        options.idle_limit = 10 * usual_time_limit;
    }
}

void set_plant(Options &options, const std::string &name) {
    std::string names;
    for (const Plant &plant : plants()) {
        if (name == plant.name) {
            options.plant = name;
            return;
        }
        names += (names.empty() ? "" : ", ") + std::string(plant.name);
    }
    throw BadCommandLine("--plant is '" + name + "'; the faults are " + names + "; give one");
}

std::vector<CommandOption> rows_of(Options &options) {
    return {
        number_option("--count", "1000", "how many cases", options.count, 0, INT64_MAX),
        number_option("--seed", "1", "which ones", options.seed, 0, INT64_MAX),
        number_option("--first", "0", "the number of the first case", options.first, 0, INT64_MAX),
        {"--case", "N", "only this one",
         [&](const std::string &value) {
             options.first = static_cast<uint64_t>(whole_number("--case", value, 0, INT64_MAX));
             options.single = true;
         }},
        number_option("--jobs", "2", "child processes", options.jobs, 1, many),
        number_option("--time-limit", "60",
                      "seconds of processor time that a case may take to compile; 600 with a\nsanitizer",
                      options.time_limit, 0, many),
        number_option("--run-limit", "2", "and to run; 20 with a sanitizer; longer ones are judged at smaller sizes",
                      options.run_limit, 0, many),
        number_option("--stop-after", "3", "end after so many failures", options.stop_after, 0, many),
        {"--only", "WHAT",
         "`parallel`: only cases with parallel loops or async Funcs, of which a thread\nsanitizer can say something; "
         "`automatic`: only cases whose schedule the library\nfinds",
         [&](const std::string &value) { set_only(options, value); }},
        {"--no-shrink", "", "print failures as they are", [&](const std::string &) { options.shrink = false; }},
        flag("--print", "print the case of --case as a C++ program", options.print),
        text_option("--save", "DIR", "write each shrunk failure into a file of the folder (of a corpus, too)",
                    options.save),
        text_option("--corpus", "PATH", "run every file of a folder, or one file, as a case", options.corpus),
        {"--stress", "",
         "--only parallel, each case in many orders of tasks and with random delays,\nwhile other processes keep all "
         "cores busy",
         [&](const std::string &) { options.stress = options.only_parallel = true; }},
        number_option("--busy", "N", "so many of those processes; one more than there are cores without it",
                      options.busy, 0, many),
        number_option("--repeat", "0", "run the code of each case so often more, two of three times with delays",
                      options.repeat, 0, many),
        flag("--ranks",
             "run each case on several ranks, too: cut at random Funcs, which are\ndistributed at random; with "
             "--iterate, iterations with their fields in parts",
             options.ranks),
        flag("--gpu",
             "loops become blocks and threads of a GPU, which the executor of loop IR runs;\nit reports data races",
             options.gpu),
        {"--device", "NAME", "--gpu, with kernels on the first device of opencl or cuda instead of in the executor",
         [&](const std::string &value) { set_device(options, value); }},
        {"--back-end", "NAME",
         "what runs the cases: llvm, executor, or c, whose source FLUORITE_C_COMPILER compiles\n(docs/environment.md)",
         [&](const std::string &value) { set_back_end(options, value); }},
        {"--serialize", "",
         "what runs is each pipeline after it was written as bytes and read (docs/guides/\nserialization.md)",
         [](const std::string &) { setenv("FLUORITE_SERIALIZE", "1", /*overwrite=*/1); }},
        flag("--iterate", "iterated pipelines instead: stencils, time tiles, schedules of bodies; not\nshrunk",
             options.iterate),
        {"--plant", "FAULT",
         "plant a fault: into the machine code, or, with fluorite_fuzz_planted, into a\npass (plants.h)",
         [&](const std::string &value) { set_plant(options, value); }},
        flag("--self-test", "planted faults are found and shrunk", options.self_test),
        flag("--help", "print this page", options.help),
    };
}

Options parse(int argc, char **argv) {
    Options options;
    const std::vector<CommandOption> rows = rows_of(options);
    try {
        parse_command_line({argv + 1, argv + argc}, rows);
    } catch (const BadCommandLine &error) {
        std::fprintf(stderr, "fluorite_fuzz: %s\n", error.what());
        std::exit(2);
    }
    if (options.help) {
        std::printf("%s%s%s", usage, options_help(rows).c_str(), notes);
        std::exit(0);
    }
    options.run_limit *= options.stress ? 5 : options.device ? 20 : 1; // the device's driver compiles in the first run
    return options;
}

/// In a process of its own: the threads that a driver starts do not come along when workers are forked.
bool has_device(Target::Feature device) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(host_supports_target_device(get_host_target().with_feature(device)) ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int run_single(const Options &options) {
    Genome genome = make_genome(options, options.first);
    if (options.print) {
        std::printf("%s", print_cpp(genome).c_str());
        std::fflush(stdout);
    }
    if (!options.save.empty()) {
        std::FILE *file = std::fopen(options.save.c_str(), "w");
        if (file) {
            std::fputs(genome_text(genome).c_str(), file);
            std::fclose(file);
        }
    }
    Tried tried = try_case(genome, options);
    if (!tried.slug.empty()) {
        std::printf("refused at first: %s: %s\n", tried.slug.c_str(), run_case(genome, options).text.c_str());
    }
    for (const std::string &slug : tried.outcome.refusals) {
        std::printf("refused directive: %s\n", slug.c_str());
    }
    std::printf("%s after %d retries: %s\n", kind_name(tried.outcome.kind), tried.retries, tried.outcome.text.c_str());
    return tried.outcome.is_failure() ? 1 : 0;
}

} // namespace

int fuzz_main(int argc, char **argv) {
    Options options = parse(argc, argv);
    const char *poison = std::getenv("FLUORITE_POISON");
    fluorite_set_poison_memory(!poison || std::string(poison) != "0");
    if (options.gpu && !options.device) {
        setenv("FLUORITE_BACK_END", "executor", /*overwrite=*/1);
    }
    if (options.device) { // no kernel comes a second time
        setenv("POCL_KERNEL_CACHE", "0", /*overwrite=*/0);
        if (!has_device(*options.device)) {
            std::fprintf(stderr, "fluorite_fuzz: no device of %s is here\n",
                         *options.device == Target::CUDA ? "cuda" : "opencl");
            return 2;
        }
    }
    if (options.iterate) {
        return iterations::run(options);
    }
    if (options.single) {
        return run_single(options);
    }
    if (options.self_test) {
        return run_self_test(options);
    }
    if (!options.corpus.empty()) {
        return run_corpus(options);
    }
    return run_campaign(options);
}

} // namespace fluorite::fuzz

int main(int argc, char **argv) {
    setenv("FLUORITE_VERIFY", "1", /*overwrite=*/0);
    return fluorite::fuzz::fuzz_main(argc, argv);
}
