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
  fluorite_fuzz --self-test                     planted faults are found and shrunk

  --first N        the number of the first case (0)
  --jobs N         child processes (2)
  --time-limit S   seconds of processor time that a case may take to compile (60; 600 with a sanitizer)
  --run-limit S    and to run (2; 20 with a sanitizer); longer ones are judged at smaller sizes
  --stop-after N   end after so many failures (3)
  --only parallel  only cases with parallel loops or async Funcs: what a thread sanitizer can say something of
  --only automatic only cases whose schedule the library finds
  --no-shrink      print failures as they are
  --save DIR       write each shrunk failure into a file of the folder (of a corpus, too)
  --stress         --only parallel, each case in many orders of tasks and with random delays, while other processes keep
                   all cores busy
  --ranks          run each case on several ranks, too: cut at random Funcs, which are distributed at random; with
                   --iterate, iterations with their fields in parts
  --iterate        iterated pipelines instead: stencils, time tiles, schedules of bodies; not shrunk
  --gpu            loops become blocks and threads of a GPU, which the executor of loop IR runs; it reports data races
  --busy N         so many of them (one more than there are cores)
  --repeat N       run the code of each case N times more, two of three times with delays
  --plant FAULT    plant a fault into the machine code: mod, loop, max, wait, sliding, fold, halo, region, binder or
                   refusal or slow

Memory that pipelines allocate is filled with a pattern, so that reads of what was never written show; FLUORITE_POISON=0 turns that
off. The IR is verified after every pass, unless FLUORITE_VERIFY=0 says not to. Exit code: 0 all agree, 1 failures or refusals that
refusals.def does not allow, 2 unusable arguments.
)";

uint64_t number_after(int argc, char **argv, int &i) {
    char *end = nullptr;
    uint64_t value = i + 1 < argc ? std::strtoull(argv[i + 1], &end, 10) : 0;
    if (!end || *end || end == argv[i + 1]) {
        std::fprintf(stderr, "fluorite_fuzz: %s takes a number\n", argv[i]);
        std::exit(2);
    }
    i++;
    return value;
}

std::string text_after(int argc, char **argv, int &i) {
    if (i + 1 >= argc) {
        std::fprintf(stderr, "fluorite_fuzz: %s takes a value\n", argv[i]);
        std::exit(2);
    }
    return argv[++i];
}

Options parse(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg == "--count") {
            options.count = number_after(argc, argv, i);
        } else if (arg == "--seed") {
            options.seed = number_after(argc, argv, i);
        } else if (arg == "--first") {
            options.first = number_after(argc, argv, i);
        } else if (arg == "--case") {
            options.first = number_after(argc, argv, i);
            options.single = true;
        } else if (arg == "--jobs") {
            options.jobs = std::max(1, static_cast<int>(number_after(argc, argv, i)));
        } else if (arg == "--run-limit") {
            options.run_limit = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--time-limit") {
            options.time_limit = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--stop-after") {
            options.stop_after = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--plant") {
            options.plant = text_after(argc, argv, i);
        } else if (arg == "--corpus") {
            options.corpus = text_after(argc, argv, i);
        } else if (arg == "--save") {
            options.save = text_after(argc, argv, i);
        } else if (arg == "--only") {
            const std::string what = text_after(argc, argv, i);
            options.only_parallel |= what == "parallel";
            options.only_automatic |= what == "automatic";
            if (what != "parallel" && what != "automatic") {
                std::fprintf(stderr, "fluorite_fuzz: there are --only parallel and --only automatic\n");
                std::exit(2);
            }
        } else if (arg == "--print") {
            options.print = true;
        } else if (arg == "--stress") {
            options.stress = options.only_parallel = true;
            options.run_limit *= 5;
        } else if (arg == "--ranks") {
            options.ranks = true;
        } else if (arg == "--gpu") {
            options.gpu = true;
        } else if (arg == "--iterate") {
            options.iterate = true;
        } else if (arg == "--repeat") {
            options.repeat = number_after(argc, argv, i);
        } else if (arg == "--busy") {
            options.busy = static_cast<int>(number_after(argc, argv, i));
        } else if (arg == "--no-shrink") {
            options.shrink = false;
        } else if (arg == "--self-test") {
            options.self_test = true;
        } else if (arg == "--help" || arg == "-h") {
            std::printf("%s", usage);
            std::exit(0);
        } else {
            std::fprintf(stderr, "fluorite_fuzz: unknown argument %s\n%s", arg.c_str(), usage);
            std::exit(2);
        }
    }
    bool known = options.plant.empty();
    for (const Plant &plant : plants()) {
        known |= options.plant == plant.name;
    }
    if (!known) {
        std::fprintf(stderr, "fluorite_fuzz: unknown fault %s\n%s", options.plant.c_str(), usage);
        std::exit(2);
    }
    return options;
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
    if (options.gpu) {
        setenv("FLUORITE_BACK_END", "executor", /*overwrite=*/1);
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
