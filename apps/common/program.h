#pragma once
// The command line that all applications share: reads a picture or paints one, runs the application, writes a picture.
//
//     app_blur [PICTURE] [--output FILE] [--size WxH] [--schedule hand|gpu|auto|default] [--explain]
//              [--<parameter> VALUE] [--loop-nest]
//
// With `--schedule gpu` the target has to name a device: FLUORITE_JIT_TARGET=host-cuda or host-opencl.
//
// Ends with 0 when the output is written, with 2 and a line on standard error when what it was given cannot be used: no
// such file, not an image, too small, wrong channels, a parameter out of range, an output that cannot be written. The
// output is written beside its place and renamed, so there is never a part of one.

#include "schedule.h"

#include <Halide.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace apps {

/// What the user handed over cannot be used; what() says why and what would be accepted.
class BadInput : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Parameter {
    const char *name;
    double value, least, most;
    const char *about;
    bool integer = false;
};

enum class Channels {
    Gray,  ///< x, y; a colour picture is taken by its luminance
    Color, ///< x, y, 3 channels; gray is refused
    Any,   ///< x, y, 1 or 3 channels
};

/// What the user asked for.
class Request {
  public:
    Schedule schedule = Schedule::Hand;
    bool is_automatic = false, explains = false;
    std::map<std::string, double> parameters;

    double number(const std::string &name) const { return parameters.at(name); }
    int integer(const std::string &name) const { return static_cast<int>(parameters.at(name)); }

    /// With --schedule auto: replaces the schedule of a pipeline by one that is found for an output of these extents.
    /// What the schedule by hand promises stays. With --explain it says on standard error what was found, and why.
    Halide::Func &scheduled(Halide::Func &output, const std::vector<int> &extents) const;
};

struct Program {
    const char *name;
    const char *about; ///< one sentence
    Channels channels;
    Halide::Type type;          ///< of the picture's values; floats are 0 to 1
    int smallest_side;          ///< below it a picture is refused
    int side_for_hand_schedule; ///< below it the default schedule runs: tiles and vectors would not fit
    std::vector<Parameter> parameters = {};
    /// From a picture to a picture: x, y or x, y, c; uint8, uint16 or float from 0 to 1.
    std::function<Halide::Buffer<>(const Halide::Buffer<> &, const Request &)> run = {};
    /// Prints the loop nest to standard error.
    std::function<void(const Request &)> print_loop_nest = {};
};

/// The usual case: `make` takes a Request and returns a pointer to an application with one `input`, and one `output`
/// Func of the input's extents.
template <typename Make> Program with_one_input(Program program, Make make) {
    program.run = [make](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        auto app = make(request);
        app->input.set(picture);
        std::vector<int> extents;
        for (int d = 0; d < app->output.dimensions(); d++) {
            extents.push_back(picture.extent(d));
        }
        return request.scheduled(app->output, extents).realize(extents);
    };
    program.print_loop_nest = [make](const Request &request) { make(request)->output.print_loop_nest(); };
    return program;
}

/// For programs with a parameter `levels`: refuses pictures that shrink to nothing before the coarsest level.
Program with_pyramid(Program program);

/// The whole main function.
int run_program(const Program &program, int argc, char **argv);

/// For programs that run on their own results: the parameter `runs`.
Parameter runs_parameter(double value);
/// Runs as often as it says, and shows the progress.
void repeat_runs(const Request &request, const std::function<void()> &run);

/// Writes "step 3 of 80" over the line on standard error, if that is a terminal.
void show_progress(const char *what, int done, int all);

} // namespace apps
