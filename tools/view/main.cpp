// fluorite_view: how fast a stencil is in tiles of every extent, drawn as a map (Figures 17 to 19 of the text on
// stencils in Futhark), beside the schedule that the library finds.
//
//   fluorite_view --tiles --points 9 --size 4000x4000 --x 16:256:16 --y 4:64:4 --output tiles.svg
//
// Each tile is compiled, as its extents are constants; stores bypass the caches if those of the schedule found do.
// Tiles are measured by turns, so that what else the machine does falls on all of them, and each counts with its least
// time.
//
// Exit code: 0, or 2 for unusable arguments.

#include "heat_map.h"

#include "fluorite/auto_schedule.h"
#include "fluorite/errors.h"
#include "fluorite/fluorite.h"
#include "fluorite/stencil.h"
#include "support/command_line.h"
#include "support/write_file.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <functional>

using namespace fluorite;

namespace {

struct Options {
    int points = 9, width = 4000, height = 4000, rounds = 5, threads = 0;
    std::vector<int> xs, ys;
    std::string output;
    bool is_tiles = false;
};

constexpr int64_t most = 1'000'000;

int number(const std::string &text, const std::string &option) {
    return static_cast<int>(whole_number(option, text, 1, most));
}

std::vector<int> extents_of(const std::string &text, const std::string &what) {
    std::vector<int> extents;
    if (const std::vector<std::string> range = split_text(text, ':'); range.size() == 3) {
        const int first = number(range[0], what), last = number(range[1], what), step = number(range[2], what);
        for (int extent = first; extent <= last; extent += step) {
            extents.push_back(extent);
        }
    } else {
        for (const std::string &each : split_text(text, ',')) {
            extents.push_back(number(each, what));
        }
    }
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    if (extents.empty() || extents.size() > 64) {
        throw BadCommandLine(what + " has " + std::to_string(extents.size()) +
                             " values; a map has 1 to 64 of them to each side");
    }
    return extents;
}

void set_size(Options &options, const std::string &value) {
    const std::vector<std::string> sides = split_text(value, 'x');
    if (sides.size() != 2) {
        throw BadCommandLine("--size is '" + value + "'; it is WIDTHxHEIGHT");
    }
    options.width = number(sides[0], "--size");
    options.height = number(sides[1], "--size");
}

std::vector<CommandOption> rows_of(Options &options) {
    return {
        flag("--tiles", "the view, of which there is one", options.is_tiles),
        number_option("--points", "9",
                      "of a stencil on a square of floats: 5, 9, 13 (a star of 2 neighbours to each "
                      "side) or 25",
                      options.points, 1, most),
        {"--size", "4000x4000", "of the square", [&](const std::string &value) { set_size(options, value); }},
        {"--x", "16:256:16", "widths of tiles: FIRST:LAST:STEP, or numbers with commas",
         [&](const std::string &value) { options.xs = extents_of(value, "--x"); }},
        {"--y", "4:64:4", "heights of tiles", [&](const std::string &value) { options.ys = extents_of(value, "--y"); }},
        number_option("--rounds", "5", "how often each tile runs; the least time counts", options.rounds, 1, most),
        number_option("--threads", "0", "0: those of the machine", options.threads, 0, most),
        text_option("--output", "FILE", "the map as SVG; without it, the table only", options.output),
    };
}

std::string help() {
    Options options;
    return "usage: fluorite_view --tiles [options]\n\nThe values shown are those without the option.\n\n" +
           options_help(rows_of(options));
}

Options parse(const std::vector<std::string> &words) {
    Options options;
    options.xs = extents_of("16:256:16", "--x");
    options.ys = extents_of("4:64:4", "--y");
    parse_command_line(words, rows_of(options));
    if (!options.is_tiles) {
        throw BadCommandLine("there is one view, --tiles");
    }
    if (options.points != 5 && options.points != 9 && options.points != 13 && options.points != 25) {
        throw BadCommandLine("--points is " + std::to_string(options.points) + "; it is 5, 9, 13 or 25");
    }
    return options;
}

/// A star or a square around the point.
std::vector<std::vector<int>> offsets_of(int points) {
    const bool is_star = points == 5 || points == 13, is_wide = points == 13 || points == 25;
    const int reach = is_wide ? (is_star ? 3 : 2) : 1;
    std::vector<std::vector<int>> offsets;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            if (!is_star || dx == 0 || dy == 0) {
                offsets.push_back({dx, dy});
            }
        }
    }
    return offsets;
}

Func mean_of(const ImageParam &image, int points) {
    const Func of_points = stencil(
        offsets_of(points),
        [](const std::vector<Expr> &a) {
            Expr sum = a[0];
            for (size_t i = 1; i < a.size(); i++) {
                sum += a[i];
            }
            return sum / static_cast<float>(a.size());
        },
        image);
    const Var x("x"), y("y");
    Func mean("mean");
    mean(x, y) = of_points(x, y);
    return mean;
}

/// The extents of the tiles of a schedule: the products of the factors that its lines split a dimension by. Nothing
/// where one is not split, or, along x, into vectors only.
std::pair<std::optional<int>, std::optional<int>> tile_of(const std::string &text) {
    std::optional<int> width, height;
    for (const std::string &line : split_text(text, '\n')) {
        const std::vector<std::string> args = split_text(line, ',');
        int factor = 0;
        if (args.size() < 4 || args[0].rfind("mean.split(", 0) != 0 ||
            std::from_chars(args[3].data() + 1, args[3].data() + args[3].size(), factor).ec != std::errc()) {
            continue;
        }
        const char dimension = args[0][std::string("mean.split(").size()];
        std::optional<int> &extent = dimension == 'x' ? width : height;
        extent = extent.value_or(1) * factor;
    }
    const bool has_vectors_only = text.find("mean.split(x") == text.rfind("mean.split(x");
    return {has_vectors_only ? std::nullopt : width, height};
}

/// Tiles on all threads, in vectors.
Func in_tiles(Func mean, int width, int height, int lanes, bool streams) {
    const Var x = mean.args()[0], y = mean.args()[1], xo("xo"), yo("yo"), xi("xi"), yi("yi"), tile("tile");
    mean.tile(x, y, xo, yo, xi, yi, width, height, TailStrategy::GuardWithIf)
        .fuse(xo, yo, tile)
        .parallel(tile)
        .vectorize(xi, lanes, TailStrategy::GuardWithIf);
    return streams ? mean.stream_stores() : mean;
}

view::TileMap measure(const Options &options) {
    if (options.threads > 0) {
        JITSharedRuntime::set_num_threads(options.threads);
    }
    Buffer<float> in(options.width, options.height), out(options.width, options.height);
    in.for_each_element([&](int x, int y) { in(x, y) = static_cast<float>((x * 31 + y * 17) % 1024) / 1024; });
    ImageParam image(Float(32), 2, "image");
    image.set(in);
    const int lanes = get_jit_target_from_environment().natural_vector_size<float>();

    Func rows = mean_of(image, options.points);
    rows.parallel(rows.args()[1]).vectorize(rows.args()[0], lanes, TailStrategy::GuardWithIf);
    Func found = mean_of(image, options.points);
    Pipeline model(found);
    AutoScheduleOptions choice;
    choice.sizes = {options.width, options.height};
    choice.parallelism = options.threads;
    const std::string text = model.auto_schedule(choice).schedule.text();

    const bool streams = text.find(".stream_stores(") != std::string::npos;
    std::vector<Func> tiled;
    for (const int height : options.ys) {
        for (const int width : options.xs) {
            tiled.push_back(in_tiles(mean_of(image, options.points), width, height, lanes, streams));
        }
    }

    view::TileMap map;
    map.xs = options.xs;
    map.ys = options.ys;
    map.seconds.assign(map.xs.size() * map.ys.size(), 1e9);
    map.gigabytes = (options.points + 1.0) * 4e-9 * options.width * options.height;
    const auto [tile_width, model_y] = tile_of(text);
    const std::optional<int> model_x = tile_width ? tile_width : model_y ? std::optional(options.width) : std::nullopt;
    std::string of_model = "the model's schedule";
    if (model_x && model_y) {
        of_model += " (" + std::to_string(*model_x) + " x " + std::to_string(*model_y) + ")";
    }
    map.beside = {{of_model, 1e9, model_x, model_y}, {"whole rows, not tiled", 1e9, {}, {}}};
    const auto time = [](double &least, const std::function<void()> &run) {
        const auto start = std::chrono::steady_clock::now();
        run();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    };
    for (int round = 0; round <= options.rounds; round++) {
        if (round == 1) { // the first one warms up
            map.seconds.assign(map.seconds.size(), 1e9);
            map.beside[0].seconds = map.beside[1].seconds = 1e9;
        }
        for (size_t j = 0; j < map.ys.size(); j++) {
            for (size_t i = 0; i < map.xs.size(); i++) {
                const size_t k = j * map.xs.size() + i;
                time(map.seconds[k], [&] { tiled[k].realize(out); });
            }
            time(map.beside[0].seconds, [&] { model.realize(out); }); // once for each row of the map
            time(map.beside[1].seconds, [&] { rows.realize(out); });
        }
    }
    map.title = "mean of " + std::to_string(options.points) + " points over " + std::to_string(options.width) + " x " +
                std::to_string(options.height) + " floats, in tiles";
    map.notes = {"GB/s: the values that the definition reads and writes, from caches or from memory",
                 "least of " + std::to_string(options.rounds) + " rounds by turns"};
    return map;
}

} // namespace

int main(int argc, char **argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words[0] == "--help" || words[0] == "help") {
        std::fputs(help().c_str(), words.empty() ? stderr : stdout);
        return words.empty() ? 2 : 0;
    }
    try {
        const Options options = parse(words);
        const view::TileMap map = measure(options);
        std::fputs(table(map).c_str(), stdout);
        if (!options.output.empty() && !write_file(options.output, draw(map))) {
            throw BadCommandLine(options.output + " cannot be written; name a file in a folder that there is");
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluorite_view: %s\n", error.what());
        return 2;
    }
    return 0;
}
