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
    Picture outputs[2];
    const char *const steps[] = {"default schedule", "good schedule"};
    for (const Schedule schedule : {Schedule::Default, Schedule::Good}) {
        const auto i = static_cast<size_t>(schedule);
        progress(example, steps[i]);
        result.schedules[i] = measure_schedule(example, picture, schedule, outputs[i]);
    }
    result.outputs_agree = same_bytes(outputs[0], outputs[1]);
    result.output = outputs[1];
    result.default_output = outputs[result.outputs_agree ? 1 : 0]; // one of two equal pictures suffices
    return result;
}

void compare_with_interpreter(Result &result, const Picture &picture) {
    progress(*result.example, "comparing with the interpreter");
    const InterpretedCrops crops(result.example->build(picture, Schedule::Default), picture.width(), picture.height(),
                                 result.output.channels());
    const Picture *const outputs[] = {&result.default_output, &result.output};
    for (size_t i = 0; i < 2; i++) {
        result.schedules[i].checked = crops.count();
        result.schedules[i].different = crops.count_differences(*outputs[i]);
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
