#include "measure.h"

#include "fluorite/fluorite.h"
#include "interpreted_crops.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace fluorite::demo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// At most nine runs, and at most about two seconds of them.
constexpr int most_runs = 9;
constexpr double time_for_runs = 2;

void time_runs(const Func &output, const Buffer<> &into, Measurement &measurement) {
    double total = 0;
    while (measurement.runs < most_runs && total < time_for_runs) {
        const auto start = Clock::now();
        output.realize(into);
        const double seconds = seconds_since(start);
        total += seconds;
        measurement.runs++;
        if (measurement.runs == 1 || seconds < measurement.run_seconds) {
            measurement.run_seconds = seconds;
        }
    }
}

Measurement measure_schedule(const Example &example, const Picture &picture, Schedule schedule, Picture &result) {
    Measurement measurement;
    const auto start = Clock::now();
    Func output = example.build(picture, schedule);
    if (schedule == Schedule::Automatic) {
        AutoScheduleOptions options;
        options.sizes = {picture.width(), picture.height()};
        if (output.dimensions() == 3) {
            options.sizes.push_back(picture.channels());
        }
        Pipeline(output).auto_schedule(options);
    }
    output.compile_jit();
    measurement.compile_seconds = seconds_since(start);
    measurement.loop_nest = output.loop_nest();

    const bool has_channels = output.dimensions() == 3;
    result = Picture(picture.width(), picture.height(), has_channels ? picture.channels() : 1);
    // The fill value shows pixels that a run leaves unwritten.
    result.fill(uint8_t{0xA5});
    time_runs(output, has_channels ? Buffer<>(result) : Buffer<>(result.sliced(2)), measurement);
    return measurement;
}

void progress(const Example &example, const char *step) {
    std::fprintf(stderr, "%s: %s ...\n", example.title.c_str(), step);
}

bool same_bytes(const Picture &a, const Picture &b) {
    return a.number_of_elements() == b.number_of_elements() && std::memcmp(a.data(), b.data(), a.size_in_bytes()) == 0;
}

} // namespace

Result measure(const Example &example, const Picture &picture) {
    Result result;
    result.example = &example;
    for (const Schedule schedule : all_schedules) {
        const auto i = static_cast<size_t>(schedule);
        progress(example, (std::string(name_of(schedule)) + " schedule").c_str());
        result.schedules[i] = measure_schedule(example, picture, schedule, result.outputs[i]);
    }
    result.outputs_agree = std::all_of(result.outputs.begin(), result.outputs.end(),
                                       [&](const Picture &output) { return same_bytes(output, result.output()); });
    if (result.outputs_agree) { // one of equal pictures suffices
        result.outputs.fill(Picture(result.output()));
    }
    return result;
}

void compare_with_interpreter(Result &result, const Picture &picture) {
    progress(*result.example, "comparing with the interpreter");
    const InterpretedCrops crops(result.example->build(picture, Schedule::Default), picture.width(), picture.height(),
                                 result.output().channels());
    for (size_t i = 0; i < result.outputs.size(); i++) {
        result.schedules[i].checked = crops.count();
        result.schedules[i].different = crops.count_differences(result.outputs[i]);
    }
}

int64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stoll(line.substr(6)) * 1024;
        }
    }
    return 0;
}

} // namespace fluorite::demo
