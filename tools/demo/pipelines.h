#pragma once
// The demo's pipelines, each one algorithm with three schedules.

#include "fluorite/func.h"
#include "picture.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace fluorite::demo {

enum class Schedule {
    Default,   /// a program without directives: everything inline, one thread, no vectors; reductions at root
    Good,      ///< tiles, vectors, threads, intermediate results kept in the cache
    Automatic, ///< found by Pipeline::auto_schedule
};
constexpr std::array all_schedules = {Schedule::Default, Schedule::Good, Schedule::Automatic};

/// In the table.
constexpr const char *name_of(Schedule schedule) {
    return schedule == Schedule::Default ? "default" : schedule == Schedule::Good ? "good" : "automatic";
}

struct Example {
    std::string file;  ///< stem of the files it writes
    std::string title; ///< in the table
    std::string about; ///< one or two sentences for the page
    std::string good;  ///< the good schedule in a few words
    /// The output: x, y, c of the picture's extents, or x, y. 8 bits.
    std::function<Func(const Picture &, Schedule)> build;
};

const std::vector<Example> &examples();

} // namespace fluorite::demo
