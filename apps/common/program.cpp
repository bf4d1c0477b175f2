#include "program.h"

#include "tools/demo/picture.h" // paint_landscape

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace apps {
namespace {

using Halide::Buffer;

struct CommandLine {
    std::string input, output;
    int width = 1536, height = 1024;
    bool help = false, loop_nest = false;
    Request request;
};

std::string size_text(int width, int height) { return std::to_string(width) + " x " + std::to_string(height); }

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string usage(const Program &program) {
    std::string text = "usage: app_" + std::string(program.name) + " [PICTURE] [options]\n" + program.about +
                       "\nWithout a picture it paints one. PNG, JPEG, TIFF and PGM/PPM are read and written.\n\n"
                       "  --output FILE      where the result goes (default: " +
                       program.name +
                       ".png)\n  --size WxH         of the painted picture (default: 1536x1024)\n"
                       "  --schedule KIND    hand (default), gpu, auto, or default\n"
                       "  --explain          with auto: say what was found, and why\n"
                       "  --loop-nest        print the schedule's loops and end\n";
    for (const Parameter &p : program.parameters) {
        std::string line = "  --" + std::string(p.name);
        line.resize(std::max<size_t>(line.size() + 1, 21), ' ');
        text += line + p.about + " (" + number_text(p.least) + " to " + number_text(p.most) + ", default " +
                number_text(p.value) + ")\n";
    }
    return text;
}

double parse_number(const Parameter &parameter, const std::string &word) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc() && end == word.data() + word.size() && std::isfinite(value);
    if (!whole || (parameter.integer && value != std::floor(value))) {
        throw BadInput("--" + std::string(parameter.name) + " " + word + ": not " +
                       (parameter.integer ? "a whole number" : "a number"));
    }
    if (value < parameter.least || value > parameter.most) {
        throw BadInput("--" + std::string(parameter.name) + " " + word + " is out of range: it goes from " +
                       number_text(parameter.least) + " to " + number_text(parameter.most));
    }
    return value;
}

void parse_size(const std::string &word, CommandLine &line) {
    int used = 0;
    if (std::sscanf(word.c_str(), "%dx%d%n", &line.width, &line.height, &used) != 2 ||
        used != static_cast<int>(word.size()) || line.width < 1 || line.height < 1 || line.width > 32768 ||
        line.height > 32768) {
        throw BadInput("--size " + word + ": expected WIDTHxHEIGHT, each from 1 to 32768");
    }
}

void parse_schedule(const std::string &word, Request &request) {
    if (word != "hand" && word != "gpu" && word != "auto" && word != "default") {
        throw BadInput("--schedule " + word + ": there are hand, gpu, auto and default");
    }
    request.is_automatic = word == "auto";
    request.schedule = word == "default" ? Schedule::Default : word == "gpu" ? Schedule::Gpu : Schedule::Hand;
}

CommandLine parse(const Program &program, int argc, char **argv) {
    CommandLine line;
    line.output = std::string(program.name) + ".png";
    for (const Parameter &p : program.parameters) {
        line.request.parameters[p.name] = p.value;
    }
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const auto next = [&]() -> std::string {
            if (++i == argc) {
                throw BadInput(word + " needs a value after it; --help lists all options");
            }
            return argv[i];
        };
        const auto parameter = std::find_if(program.parameters.begin(), program.parameters.end(),
                                            [&](const Parameter &p) { return word == "--" + std::string(p.name); });
        if (word == "--help" || word == "-h") {
            line.help = true;
        } else if (word == "--loop-nest") {
            line.loop_nest = true;
        } else if (word == "--output") {
            line.output = next();
        } else if (word == "--size") {
            parse_size(next(), line);
        } else if (word == "--schedule") {
            parse_schedule(next(), line.request);
        } else if (word == "--explain") {
            line.request.explains = true;
        } else if (parameter != program.parameters.end()) {
            line.request.parameters[parameter->name] = parse_number(*parameter, next());
        } else if (word.size() > 1 && word[0] == '-') {
            throw BadInput(word + ": no such option; --help lists all of them");
        } else if (!line.input.empty()) {
            throw BadInput(word + ": one picture at a time, and " + line.input + " was named before");
        } else {
            line.input = word;
        }
    }
    if (line.request.explains && !line.request.is_automatic) {
        throw BadInput("--explain: says what --schedule auto has found");
    }
    if (line.loop_nest && line.request.is_automatic) {
        throw BadInput("--loop-nest: an automatic schedule is made for a picture; --explain prints it");
    }
    return line;
}

/// Width x height x channels from 0; 1 to 4 channels.
Buffer<> load_planar(const std::string &path) {
    Buffer<> image = Halide::Tools::load_image(path);
    if (image.dimensions() == 2) {
        image.add_dimension();
    }
    if (image.dimensions() != 3 || image.channels() < 1 || image.channels() > 4) {
        throw BadInput(path + ": not a picture: it has " + std::to_string(image.dimensions()) +
                       " dimensions; a picture is width x height, or width x height x 1 to 4 channels");
    }
    for (int d = 0; d < 3; d++) {
        image.translate(d, -image.min(d));
    }
    return image;
}

void check_picture(const Program &program, const std::string &path, const Buffer<> &image) {
    if (image.width() < program.smallest_side || image.height() < program.smallest_side) {
        throw BadInput(path + ": the picture is too small: " + size_text(image.width(), image.height()) + " pixels; " +
                       program.name + " needs at least " + size_text(program.smallest_side, program.smallest_side));
    }
    const int channels = image.channels();
    if (channels == 2 || channels == 4) {
        throw BadInput(path + ": the picture has " + std::to_string(channels) + " channels, one of them alpha; " +
                       program.name + " takes gray or colour without alpha");
    }
    if (program.channels == Channels::Color && channels != 3) {
        throw BadInput(path + ": the picture has 1 channel; " + program.name + " takes colour: red, green and blue");
    }
}

Buffer<> luminance(const Buffer<> &image) {
    if (image.channels() == 1) {
        return image.sliced(2);
    }
    const Buffer<float> color = fluorite::convert_image(image, Halide::Float(32));
    Buffer<float> gray(color.width(), color.height());
    gray.for_each_element([&](int x, int y) {
        gray(x, y) = 0.299f * color(x, y, 0) + 0.587f * color(x, y, 1) + 0.114f * color(x, y, 2);
    });
    return gray;
}

Buffer<> obtain_picture(const Program &program, const CommandLine &line) {
    const bool painted = line.input.empty();
    const Buffer<> image =
        painted ? Buffer<>(fluorite::demo::paint_landscape(line.width, line.height)) : load_planar(line.input);
    check_picture(program, painted ? "--size" : line.input, image);
    return fluorite::convert_image(program.channels == Channels::Gray ? luminance(image) : image, program.type);
}

int run_checked(const Program &program, int argc, char **argv) {
    CommandLine line = parse(program, argc, argv);
    if (line.help) {
        std::fputs(usage(program).c_str(), stdout);
        return 0;
    }
    if (line.loop_nest) {
        program.print_loop_nest(line.request);
        return 0;
    }
    fluorite::storable_image_type(line.output, Halide::UInt(8)); // refuses unknown formats before the work
    const Buffer<> picture = obtain_picture(program, line);
    const int side = std::min(picture.width(), picture.height());
    if (side < program.side_for_hand_schedule && !line.request.is_automatic) {
        line.request.schedule = Schedule::Default;
    }
    const Buffer<> result = program.run(picture, line.request);
    Halide::Tools::convert_and_save_image(result, line.output);
    std::printf("%s: %s pixels\n", line.output.c_str(), size_text(result.width(), result.height()).c_str());
    return 0;
}

} // namespace

Halide::Func &Request::scheduled(Halide::Func &output, const std::vector<int> &extents) const {
    if (is_automatic) {
        fluorite::AutoScheduleOptions options;
        options.sizes = extents;
        options.from_scratch = true;
        const fluorite::AutoSchedule found = Halide::Pipeline(output).auto_schedule(options);
        if (explains) {
            std::fprintf(stderr, "%s%s", found.explanation.c_str(), found.schedule.text().c_str());
        }
    }
    return output;
}

Program with_pyramid(Program program) {
    program.run = [name = program.name, run = program.run](const Buffer<> &picture, const Request &request) {
        const int levels = request.integer("levels"), least = 1 << (levels - 1);
        if (std::min(picture.width(), picture.height()) < least) {
            throw BadInput("the picture is too small: " + size_text(picture.width(), picture.height()) + " pixels; " +
                           name + " with --levels " + std::to_string(levels) + " needs at least " +
                           size_text(least, least));
        }
        return run(picture, request);
    };
    return program;
}

int run_program(const Program &program, int argc, char **argv) {
    try {
        return run_checked(program, argc, argv);
    } catch (const BadInput &error) {
        std::fprintf(stderr, "%s: %s\n", program.name, error.what());
    } catch (const Halide::RuntimeError &error) {
        std::fprintf(stderr, "%s: %s\n", program.name, error.message().c_str());
    }
    return 2;
}

Parameter runs_parameter(double value) {
    return {"runs", value, 1, 100000, "each on the result of the one before", true};
}

void repeat_runs(const Request &request, const std::function<void()> &run) {
    const int runs = request.integer("runs");
    for (int done = 1; done <= runs; done++) {
        run();
        show_progress("run", done, runs);
    }
}

void show_progress(const char *what, int done, int all) {
    if (isatty(STDERR_FILENO) != 0) {
        std::fprintf(stderr, "\r%s %d of %d%s", what, done, all, done == all ? "\n" : "");
    }
}

} // namespace apps
