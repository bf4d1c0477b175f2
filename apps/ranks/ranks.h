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

/// An application and what its distributed version adds.
struct RankedApp {
    const char *name;
    /// Makes it for pictures of about this size, with its schedule by hand or the default one.
    std::function<OnRanks(int width, int height, Schedule schedule, Cut cut)> make;
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
        {"interpolate",
         [](int w, int h, Schedule schedule, Cut cut) {
             // Every rank computes the coarse levels, as far as it needs them.
             const int levels = 5, cut_levels = 3;
             std::vector<std::string> lines = {distributed("interpolate", cut)};
             for (int j = 1; j < levels; j++) {
                 for (const char *stem : {"down", "filled"}) {
                     const std::string name = stem + std::to_string(j);
                     if (j + 1 < levels || stem[0] == 'd') {
                         lines.push_back(j < cut_levels ? distributed(name, cut) : name + ".compute_rank()");
                     }
                 }
             }
             return made(std::make_shared<Interpolate>(schedule, levels), {w, h, 4}, {w, h, 3}, lines,
                         {"down3.compute_root", "down4.compute_root", "filled3.compute_root"});
         }},
        {"local_laplacian",
         [](int w, int h, Schedule schedule, Cut cut) {
             const int levels = 4;
             std::vector<std::string> lines = {distributed("local_laplacian", cut), distributed("gray", cut)};
             for (int j = 1; j < levels; j++) {
                 for (const char *stem : {"bent", "plain", "result"}) {
                     const std::string name = stem + std::to_string(j);
                     if (j + 1 < levels || stem[0] != 'r') {
                         lines.push_back(distributed(name, cut));
                     }
                 }
             }
             return made(std::make_shared<LocalLaplacian>(schedule, levels, 4), {w, h, 3}, {w, h, 3}, lines);
         }},
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
