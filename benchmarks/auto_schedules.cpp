// Automatic schedules of the applications, against those by hand: `./dev bench --auto`.
//
//     bench_auto_schedules [--app NAME[,NAME...]] [--rounds N] [--threads N] [--models NAME[,NAME...]]
//                          [--shrink N] [--schedule FILE]... [--print] [--search] [--unscheduled]
//                          [--users] [--networks] [--save FOLDER]
//
// Each application is defined once for each schedule; the schedules take turns, so that a slow minute of the machine
// slows all of them, and each counts with its least processor time. Outputs are compared bit for bit. The automatic
// schedule is given the promises that the one by hand makes about the output (bound), and nothing else of it. With
// --schedule, the schedules of these files (as Schedule::save() writes them) take part; --print shows what was found.
// `--search` runs nothing: it prints a table of how long schedules take to be found, with all trials, and whether the
// last search has proved that no grouping costs less under the model.
// `--save` writes each schedule that is found into a file APPLICATION.MODEL of the folder.
// `--users` measures the programs of auto_user_cases.h and auto_place_cases.h in place of the applications,
// `--networks` those of auto_network_cases.h. `--unscheduled` compares the outputs with those of no schedule, too,
// which takes long where everything is inlined: use it with `--shrink`.
// `--models roofline,polymage,mullapudi` measures the published schedulers beside the own one; geometric means are of
// each against the schedule by hand and against the first.
#include "benchmarks/arguments.h"
#include "benchmarks/auto_grid_cases.h"
#include "benchmarks/auto_network_cases.h"
#include "benchmarks/auto_place_cases.h"
#include "benchmarks/promises.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

namespace {

using auto_cases::Case;
using auto_cases::Made;
using auto_cases::processor_seconds;
using auto_cases::promises;
using auto_cases::words;
using Halide::Buffer;
using Halide::Pipeline;

struct Variant {
    std::string name;
    Made made;
    Buffer<> output;
    std::vector<double> seconds = {};
    double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

struct Options {
    std::string folder;
    std::vector<std::string> apps, models = {"roofline"}, files;
    int rounds = 5, threads = 1, shrink = 1;
    bool print = false, search = false, unscheduled = false, users = false, networks = false;
};

void save(const fluorite::AutoSchedule &found, const std::string &name, const Options &options) {
    if (!options.folder.empty()) {
        found.schedule.save(options.folder + "/" + name);
    }
}

Variant automatic(const Case &app, const std::string &model, const Options &options) {
    Variant variant{model, app.make(apps::Schedule::Default), {}};
    Pipeline pipeline(variant.made.output);
    pipeline.apply(promises(app.make(apps::Schedule::Hand).output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(app.extents.begin(), app.extents.end());
    wanted.model = model;
    wanted.parallelism = options.threads;
    const double start = processor_seconds();
    const fluorite::AutoSchedule found = pipeline.auto_schedule(wanted);
    const double seconds = processor_seconds() - start;
    save(found, app.name + "." + model, options);
    if (options.print) {
        std::printf("%s%s", found.explanation.c_str(), found.schedule.text().c_str());
    }
    std::printf("%s: scheduled by %s in %.2f s\n", app.name.c_str(), model.c_str(), seconds);
    return variant;
}

/// One row of the table of searches: stages that are not inlined, time, and what the search says of itself.
void search(const Case &app, const Options &options) {
    const Made made = app.make(apps::Schedule::Default);
    Pipeline pipeline(made.output);
    pipeline.apply(promises(app.make(apps::Schedule::Hand).output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(app.extents.begin(), app.extents.end());
    wanted.parallelism = options.threads;
    const double start = processor_seconds();
    const fluorite::AutoSchedule found = pipeline.auto_schedule(wanted);
    const double seconds = processor_seconds() - start;
    save(found, app.name + ".roofline", options);
    size_t stages = 0;
    std::string result;
    std::istringstream lines(found.explanation);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("group of ", 0) == 0) {
            // The last stage, and those after the colon.
            std::istringstream words(line.substr(line.find(':') + 1));
            stages++;
            for (std::string word; words >> word;) {
                stages += word != "alone";
            }
        } else if (line.rfind("search: ", 0) == 0) {
            result =
                line.find("no grouping costs less") != std::string::npos ? "proved" : line.substr(line.find(", ") + 2);
        }
    }
    std::printf("| %s | %zu | %.2f | %s |\n", app.name.c_str(), stages, seconds, result.c_str());
    std::fflush(stdout);
}

/// By variant: the times of the schedule by hand over its own, and its own over those of the first model.
struct Ratios {
    std::vector<double> to_hand, to_first;
};

double geometric_mean(const std::vector<double> &ratios) {
    double sum = 0;
    for (const double ratio : ratios) {
        sum += std::log(ratio);
    }
    return std::exp(sum / static_cast<double>(ratios.size()));
}

void run(const Case &app, const Options &options, std::map<std::string, Ratios> &ratios) {
    std::vector<Variant> variants;
    variants.push_back({"hand", app.make(apps::Schedule::Hand), {}});
    for (const std::string &model : options.models) {
        if (model != "none") {
            variants.push_back(automatic(app, model, options));
        }
    }
    for (const std::string &file : options.files) {
        variants.push_back({file, app.make(apps::Schedule::Hand), {}});
        Pipeline(variants.back().made.output).apply(fluorite::Schedule::load(file));
    }
    if (options.unscheduled) {
        variants.push_back({"no schedule", app.make(apps::Schedule::Default), {}});
    }
    for (Variant &variant : variants) {
        variant.output = Buffer<>(variant.made.output.type(), app.extents);
        const double start = processor_seconds();
        variant.made.output.compile_jit();
        std::printf("%s: compiled in %.2f s\n", variant.name.c_str(), processor_seconds() - start);
        variant.made.output.realize(variant.output);
        if (variant.output.size_in_bytes() != variants[0].output.size_in_bytes() ||
            std::memcmp(variant.output.data(), variants[0].output.data(), variant.output.size_in_bytes()) != 0) {
            std::printf("%s: %s DIFFERS from the schedule by hand\n", app.name.c_str(), variant.name.c_str());
        }
    }
    for (int round = 0; round < options.rounds; round++) {
        for (Variant &variant : variants) {
            const double start = processor_seconds();
            variant.made.output.realize(variant.output);
            variant.seconds.push_back(processor_seconds() - start);
        }
    }
    const double hand = variants[0].best();
    for (const Variant &variant : variants) {
        std::printf("%-17s %-24s %9.2f ms  hand / it %.2f\n", app.name.c_str(), variant.name.c_str(),
                    variant.best() * 1e3, hand / variant.best());
    }
    std::fflush(stdout);
    for (size_t i = 1; i < variants.size(); i++) {
        ratios[variants[i].name].to_hand.push_back(hand / variants[i].best());
        ratios[variants[i].name].to_first.push_back(variants[i].best() / variants[1].best());
    }
}

Options parse(int argc, char **argv) {
    Options options;
    auto_cases::Arguments arguments(argc, argv);
    while (arguments.next()) {
        const std::string &word = arguments.option();
        if (word == "--app") {
            options.apps = words(arguments.value());
        } else if (word == "--models") {
            options.models = words(arguments.value());
        } else if (word == "--rounds") {
            options.rounds = arguments.number();
        } else if (word == "--threads") {
            options.threads = arguments.number();
        } else if (word == "--shrink") {
            options.shrink = arguments.number();
        } else if (word == "--schedule") {
            options.files.push_back(arguments.value());
        } else if (word == "--print") {
            options.print = true;
        } else if (word == "--search") {
            options.search = true;
        } else if (word == "--unscheduled") {
            options.unscheduled = true;
        } else if (word == "--save") {
            options.folder = arguments.value();
        } else if (word == "--users") {
            options.users = true;
        } else if (word == "--networks") {
            options.networks = true;
        } else {
            throw std::runtime_error(word + ": no such option; the file's first lines list them");
        }
    }
    return options;
}

} // namespace

int main(int argc, char **argv) {
    try {
        const Options options = parse(argc, argv);
        fluorite::JITSharedRuntime::set_num_threads(options.threads);
        std::map<std::string, Ratios> ratios;
        if (options.search) {
            std::printf("| application | stages | seconds | optimum |\n| --- | ---: | ---: | --- |\n");
        }
        const std::vector<auto_cases::Named> all = options.users      ? auto_cases::all_user_cases(options.shrink)
                                                   : options.networks ? auto_cases::network_cases(options.shrink)
                                                                      : auto_cases::all_cases(options.shrink);
        for (const auto_cases::Named &app : auto_cases::choose(all, options.apps)) {
            options.search ? search(app.make(), options) : run(app.make(), options, ratios);
        }
        for (const auto &[name, found] : ratios) {
            std::printf("geometric means of %zu: hand / %s %.2f, %s / first model %.2f\n", found.to_hand.size(),
                        name.c_str(), geometric_mean(found.to_hand), name.c_str(), geometric_mean(found.to_first));
        }
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
