#pragma once
// Applications on ranks: what their schedules need besides the lines that they have anyway.
//
// The definitions, and the schedules for one machine, are those of the applications. A few lines of schedule text give
// each rank its part.

#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/blur/blur.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/interpolate/interpolate.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/resize/resize.h"
#include "apps/sobel/sobel.h"
#include "apps/transpose/transpose.h"
#include "apps/wavelet/wavelet.h"

#include <fluorite/fluorite.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace apps {

/// Adds lines to the schedule of a pipeline, and leaves out those that contain one of the texts.
inline void add_lines(const fluorite::Func &output, const std::vector<std::string> &lines,
                      const std::vector<std::string> &without) {
    fluorite::Pipeline pipeline = output.pipeline();
    std::istringstream old(pipeline.schedule().text());
    std::string text;
    for (std::string line; std::getline(old, line);) {
        const bool stays = line != "end" && std::none_of(without.begin(), without.end(), [&](const std::string &part) {
                               return line.find(part) != std::string::npos;
                           });
        text += stays ? line + "\n" : "";
    }
    for (const std::string &added : lines) {
        text += added + "\n";
    }
    pipeline.apply(fluorite::Schedule::parse(text + "end\n"));
}

/// One application, ready to run on ranks.
struct OnRanks {
    std::shared_ptr<void> app; ///< keeps it alive
    fluorite::ImageParam input;
    fluorite::Func output;
    std::vector<int> input_sizes, output_sizes;
    std::vector<std::string> lines; ///< what its schedule has besides that for one machine
};

/// How the dimensions of an image are cut: by rows, in blocks on a grid, or not at all, as for one machine.
enum class Cut { Rows, Blocks, None };

/// The levels of a pyramid on ranks.
struct Levels {
    int count;            ///< of all
    int coarse_from;      ///< the first level that few ranks have
    int coarse_ranks = 0; ///< at most so many; 0: each rank computes these levels as far as it needs them
};

/// An application and what its distributed version adds.
struct RankedApp {
    const char *name;
    /// Makes it for pictures of about this size, with its schedule by hand or the default one.
    std::function<OnRanks(int width, int height, Schedule schedule, Cut cut)> make;
    /// Of pyramids: the same with these levels.
    std::function<OnRanks(int width, int height, Schedule schedule, Cut cut, Levels levels)> make_with = {};
};

namespace detail {

inline std::string distributed(const std::string &func, Cut cut) {
    return cut == Cut::None ? "" : func + (cut == Cut::Rows ? ".distribute({y})" : ".distribute({x, y})");
}

template <typename App>
OnRanks made(std::shared_ptr<App> app, std::vector<int> input, std::vector<int> output, std::vector<std::string> lines,
             const std::vector<std::string> &without = {}) {
    if (std::count(lines.begin(), lines.end(), "") > 0) { // Cut::None
        lines.clear();
    } else {
        add_lines(app->output, lines, without);
    }
    return {app, app->input, app->output, std::move(input), std::move(output), std::move(lines)};
}

/// What gives ranks their parts of one level of a pyramid: lines to add, and texts of those to leave out.
inline void add_level(const std::string &func, int level, const Levels &levels, Cut cut,
                      std::vector<std::string> &lines, std::vector<std::string> &without) {
    if (level < levels.coarse_from || levels.coarse_ranks > 0 || cut == Cut::None) {
        lines.push_back(distributed(func, cut));
        if (level >= levels.coarse_from && cut != Cut::None) {
            lines.push_back(func + ".agglomerate(" + std::to_string(levels.coarse_ranks) + ")");
        }
    } else {
        lines.push_back(func + ".compute_rank()");
        without.push_back(func + ".compute_root");
    }
}

inline OnRanks interpolate(int w, int h, Schedule schedule, Cut cut, Levels levels) {
    std::vector<std::string> lines = {distributed("interpolate", cut)}, without;
    for (int j = 1; j < levels.count; j++) {
        for (const char *stem : {"down", "filled"}) {
            if (j + 1 < levels.count || stem[0] == 'd') {
                add_level(stem + std::to_string(j), j, levels, cut, lines, without);
            }
        }
    }
    return made(std::make_shared<Interpolate>(schedule, levels.count), {w, h, 4}, {w, h, 3}, lines, without);
}

inline OnRanks local_laplacian(int w, int h, Schedule schedule, Cut cut, Levels levels) {
    std::vector<std::string> lines = {distributed("local_laplacian", cut), distributed("gray", cut)}, without;
    for (int j = 1; j < levels.count; j++) {
        for (const char *stem : {"bent", "plain", j + 1 < levels.count ? "result" : "chosen"}) {
            add_level(stem + std::to_string(j), j, levels, cut, lines, without);
        }
    }
    const int steps = 4;
    return made(std::make_shared<LocalLaplacian>(schedule, levels.count, steps), {w, h, 3}, {w, h, 3}, lines, without);
}

/// A pyramid, with these levels unless others are asked for.
inline RankedApp pyramid(const char *name, OnRanks (*make)(int, int, Schedule, Cut, Levels), Levels usual) {
    return {name, [make, usual](int w, int h, Schedule schedule, Cut cut) { return make(w, h, schedule, cut, usual); },
            make};
}

} // namespace detail

/// The nine applications of the text on distributed Halide.
inline std::vector<RankedApp> ranked_apps() {
    using detail::distributed;
    using detail::made;
    return {
        {"bilateral_grid",
         [](int w, int h, Schedule schedule, Cut cut) {
             std::vector<std::string> lines = {distributed("along_z", cut), distributed("along_x", cut),
                                               distributed("bilateral_grid", cut)};
             if (!is_by_hand(schedule)) {
                 lines.push_back(distributed("along_y", cut));
             }
             return made(std::make_shared<BilateralGrid>(schedule), {w, h}, {w, h}, lines);
         }},
        {"blur",
         [](int w, int h, Schedule schedule, Cut cut) {
             return made(std::make_shared<Blur>(schedule), {w, h}, {w, h}, {distributed("blur", cut)});
         }},
        {"camera_pipe",
         [](int w, int h, Schedule schedule, Cut cut) {
             std::vector<std::string> lines = {distributed("camera_pipe", cut)};
             if (!is_by_hand(schedule)) {
                 lines.push_back(distributed("curved", cut));
             }
             return made(std::make_shared<CameraPipe>(schedule), {w, h}, {w, h, 3}, lines);
         }},
        // Every rank computes the coarse levels of one pyramid as far as it needs them, and has its part of the
        // other's.
        detail::pyramid("interpolate", detail::interpolate, {5, 3}),
        detail::pyramid("local_laplacian", detail::local_laplacian, {4, 4}),
        {"resize",
         [](int w, int h, Schedule schedule, Cut cut) {
             std::vector<std::string> lines = {distributed("resize", cut)};
             if (!is_by_hand(schedule)) {
                 lines.push_back(distributed("rows", cut));
             }
             return made(std::make_shared<Resize>(schedule), {w, h, 3}, {w / 2, h / 2, 3}, lines);
         }},
        {"sobel",
         [](int w, int h, Schedule schedule, Cut cut) {
             return made(std::make_shared<Sobel>(schedule), {w, h}, {w, h}, {distributed("sobel", cut)});
         }},
        {"transpose",
         [](int w, int h, Schedule schedule, Cut cut) {
             return made(std::make_shared<Transpose>(schedule), {w, h}, {h, w},
                         {schedule == Schedule::Default || cut == Cut::None
                              ? distributed("transpose", cut)
                              : std::string("transpose.distribute({tile})")});
         }},
        {"wavelet",
         [](int w, int h, Schedule schedule, Cut cut) {
             return made(std::make_shared<WaveletForward>(schedule), {w, h}, {(w + 1) / 2, (h + 1) / 2, 4},
                         {distributed("wavelet", cut)});
         }},
    };
}

} // namespace apps
