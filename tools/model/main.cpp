// fluorite_model: what the scheduler's model predicts of random groupings, beside what they take. `./dev bench --auto
// --model`.
//
//     fluorite_model [--app NAME[,NAME...]] [--count N] [--seed N] [--rounds N] [--threads N] [--shrink N] [--svg FILE]
//                    [--print]
//
// For each application, as many legal groupings are drawn, written as directives through the same path as automatic
// schedules, compiled, and timed by turns in processor time; each counts with its least time. The first is the one that
// the search finds, the second computes all stages apart. Printed are the rank correlation, the ranks of the search's
// own, and how much longer it takes than the fastest that was drawn. `--shrink` divides the extents of the images,
// `--print` prints every grouping. Applications are those of `./dev bench --auto` and those of branched_cases.h.
// Outputs are compared with the first one's, bit for bit.
//
// Exit code: 0; 1 where bits differ; 2 for unusable arguments.

#include "branched_cases.h"
#include "scatter.h"

#include "benchmarks/auto_grid_cases.h"
#include "benchmarks/promises.h"
#include "driver/sample_schedules.h"
#include "support/command_line.h"
#include "support/write_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

using auto_cases::Case;
using auto_cases::Made;
using fluorite::CommandOption;
using fluorite::flag;
using fluorite::number_option;
using fluorite::text_option;
using fluorite::driver::SampledSchedule;
using fluorite::model::Panel;
using fluorite::model::Sample;
using Halide::Buffer;
using Halide::Pipeline;

/// Those of many stages, whose groupings take times that differ by more than the noise of a machine.
const std::vector<std::string> of_many_stages = {"interpolate", "local_laplacian", "stencil_chain", "pyramid_blend",
                                                 "multigrid_space_v"};

struct Options {
    std::vector<std::string> apps = of_many_stages;
    std::string svg;
    int count = 40, rounds = 3, threads = 1, shrink = 2;
    uint32_t seed = 1;
    bool print = false, help = false;
};

struct Measured {
    Panel panel;
    bool is_right = true;
};

void say(const std::string &text) {
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
}

Measured measure(const Case &app, const Options &options) {
    const Made described = app.make(apps::Schedule::Default);
    Pipeline pipeline(described.output);
    pipeline.apply(auto_cases::promises(app.make(apps::Schedule::Hand).output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(app.extents.begin(), app.extents.end());
    wanted.parallelism = options.threads;
    const std::vector<SampledSchedule> schedules =
        fluorite::driver::sample_schedules(pipeline, wanted, static_cast<size_t>(options.count), options.seed);
    Measured measured;
    std::vector<Made> made;
    Buffer<> output(described.output.type(), app.extents), expected(described.output.type(), app.extents);
    for (size_t i = 0; i < schedules.size(); i++) {
        if (i % 10 == 0) {
            say(app.name + ": compiling " + std::to_string(i + 1) + " of " + std::to_string(schedules.size()));
        }
        made.push_back(app.make(apps::Schedule::Default));
        Pipeline(made.back().output).apply(schedules[i].schedule);
        made.back().output.realize(i == 0 ? expected : output);
        if (i > 0 && std::memcmp(output.data(), expected.data(), output.size_in_bytes()) != 0) {
            std::printf("%s: grouping %zu DIFFERS from the first\n", app.name.c_str(), i);
            measured.is_right = false;
        }
        measured.panel.samples.push_back({schedules[i].cycles, 1e30, app.name + ", grouping " + std::to_string(i)});
    }
    for (int round = 0; round < options.rounds; round++) {
        say(app.name + ": round " + std::to_string(round + 1) + " of " + std::to_string(options.rounds));
        for (size_t i = 0; i < made.size(); i++) {
            const double start = auto_cases::processor_seconds();
            made[i].output.realize(output);
            double &least = measured.panel.samples[i].measured;
            least = std::min(least, (auto_cases::processor_seconds() - start) * 1e3);
        }
    }
    if (options.print) {
        for (size_t i = 0; i < made.size(); i++) {
            std::printf("grouping %zu: %.2f ms, predicted %.0fk cycles\n%s%s", i, measured.panel.samples[i].measured,
                        schedules[i].cycles / 1000, schedules[i].explanation.c_str(),
                        schedules[i].schedule.text().c_str());
        }
    }
    return measured;
}

/// How many samples take less than the first.
size_t place_of_first(const std::vector<Sample> &samples) {
    return static_cast<size_t>(std::count_if(
        samples.begin(), samples.end(), [&](const Sample &sample) { return sample.measured < samples[0].measured; }));
}

void report(const std::string &name, Panel &panel) {
    const std::vector<Sample> &samples = panel.samples;
    const auto faster = [](const Sample &a, const Sample &b) { return a.measured < b.measured; };
    const double correlation = fluorite::model::rank_correlation(samples);
    const auto [fastest, slowest] = std::minmax_element(samples.begin(), samples.end(), faster);
    std::printf("| %s | %zu | %.2f | %.2f | %.2f | %zu | %.2f |\n", name.c_str(), samples.size(), correlation,
                fastest->measured, slowest->measured, place_of_first(samples) + 1,
                fastest->measured / samples[0].measured);
    std::fflush(stdout);
    char text[100];
    std::snprintf(text, sizeof text, ": rank correlation %.2f", correlation);
    panel.title = name + text;
}

constexpr int64_t many = 1'000'000;

std::vector<CommandOption> rows_of(Options &options) {
    return {
        {"--app", "NAMES", "applications, with commas in between; without it, those of many stages",
         [&](const std::string &value) { options.apps = auto_cases::words(value); }},
        number_option("--count", "40", "how many groupings of each are drawn", options.count, 1, many),
        number_option("--seed", "1", "which ones", options.seed, 1, UINT32_MAX),
        number_option("--rounds", "3", "how often each runs; the least time counts", options.rounds, 1, many),
        number_option("--threads", "1", "of the code", options.threads, 1, 1024),
        number_option("--shrink", "2", "by which the extents of images are divided", options.shrink, 1, many),
        text_option("--svg", "FILE", "draws times over predictions", options.svg),
        flag("--print", "prints every grouping", options.print),
        flag("--help", "prints this page", options.help),
    };
}

} // namespace

int main(int argc, char **argv) {
    try {
        Options options;
        const std::vector<CommandOption> rows = rows_of(options);
        fluorite::parse_command_line({argv + 1, argv + argc}, rows);
        if (options.help) {
            std::printf("usage: fluorite_model [options]\n\nThe values shown are those without the option.\n\n%s",
                        fluorite::options_help(rows).c_str());
            return 0;
        }
        std::vector<auto_cases::Named> all = auto_cases::all_cases(options.shrink);
        for (auto_cases::Named &app : fluorite::model::branched_cases(options.shrink)) {
            all.push_back(std::move(app));
        }
        const std::vector<auto_cases::Named> chosen = auto_cases::choose(all, options.apps);
        fluorite::JITSharedRuntime::set_num_threads(options.threads);
        std::printf(
            "| application | groupings | rank correlation | fastest, ms | slowest, ms | place of the search's | "
            "fastest / search's |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        std::vector<Panel> panels;
        bool is_right = true;
        for (const auto_cases::Named &app : chosen) {
            Measured measured = measure(app.make(), options);
            report(app.name, measured.panel);
            panels.push_back(std::move(measured.panel));
            is_right = is_right && measured.is_right;
        }
        const std::string caption = "milliseconds (up) over predicted cycles (across); ring: what the search finds";
        if (!options.svg.empty() && !fluorite::write_file(options.svg, fluorite::model::draw(panels, caption))) {
            throw std::runtime_error(options.svg + " cannot be written; name a file in a folder that there is");
        }
        return is_right ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluorite_model: %s\n", error.what());
        return 2;
    }
}
