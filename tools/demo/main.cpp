// The demo: several pipelines on a photo-sized picture, each with the default schedule, with a good one, and with an
// automatic one.
//
// Standard output gets the table, standard error the progress. Exit codes: 0 if everything equals the interpreter, 1 if
// it does not or something failed, 2 if the user's input cannot be used.

#include "measure.h"
#include "report.h"

#include "fluorite/errors.h"
#include "fluorite/target.h"
#include "support/command_line.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>

namespace fluorite::demo {
namespace {

struct Options {
    std::string picture; // empty: painted
    std::string folder;
    int width = 2560, height = 1920;
    bool help = false;
};

constexpr const char *usage = R"(usage: fluorite_demo [options] [PICTURE]

Runs a box blur, histogram equalization, an unsharp mask and a Sobel edge map on a picture, each with the default
schedule, with a good one and with one that is found automatically; compares all with the interpreter, and prints a
table. PICTURE is a PNG, JPEG, TIFF, PGM, PPM or NPY file, gray or colour; without it the demo paints a landscape.

)";

std::string default_folder() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "demo-out" : (program.parent_path().parent_path() / "demo-out").string();
}

void parse_size(const std::string &text, Options &options) {
    int end = 0;
    if (std::sscanf(text.c_str(), "%5dx%5d%n", &options.width, &options.height, &end) != 2 ||
        static_cast<size_t>(end) != text.size() || options.width < smallest_side || options.height < smallest_side) {
        throw BadInput("--size " + text + ": a size is written as in 2560x1920, and is at least " +
                       std::to_string(smallest_side) + "x" + std::to_string(smallest_side));
    }
}

std::vector<CommandOption> rows_of(Options &options) {
    return {
        text_option("--out", "DIR",
                    "gets the results as PNG files and a page, index.html, that shows them\n(default: demo-out in the "
                    "build folder)",
                    options.folder),
        {"--size", "2560x1920", "of the painted landscape",
         [&](const std::string &value) { parse_size(value, options); }},
        flag("--help", "prints this page", options.help),
    };
}

Options parse(int argc, char **argv) {
    Options options;
    options.folder = default_folder();
    parse_command_line({argv + 1, argv + argc}, rows_of(options), [&](const std::string &word) {
        if (!options.picture.empty()) {
            throw BadInput(word + ": one picture is enough; " + options.picture + " was named already");
        }
        options.picture = word;
    });
    return options;
}

Report start_report(const Options &options) {
    Report report;
    if (options.picture.empty()) {
        std::fprintf(stderr, "painting a landscape of %d x %d pixels ...\n", options.width, options.height);
        report.input = paint_landscape(options.width, options.height);
        report.source = "a landscape that the demo paints";
    } else {
        std::fprintf(stderr, "loading %s ...\n", options.picture.c_str());
        report.input = load_picture(options.picture);
        report.source = options.picture;
    }
    report.input.set_name("input"); // the name in messages and loop nests
    report.machine = get_jit_target_from_environment().to_string() + ", " +
                     std::to_string(std::thread::hardware_concurrency()) + " hardware threads";
    return report;
}

std::string mebibytes(int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

int run(const Options &options) {
    const auto start = std::chrono::steady_clock::now();
    Report report = start_report(options);
    prepare_folder(options.folder);
    for (const Example &example : examples()) {
        report.results.push_back(measure(example, report.input));
    }
    const int64_t peak_of_runs = peak_memory();
    for (Result &result : report.results) {
        compare_with_interpreter(result, report.input);
    }
    std::fprintf(stderr, "writing pictures and the page ...\n\n");
    write_report(report, options.folder);

    std::printf("%s, %d x %d, %d channel%s\n%s\n\n%s\n", report.source.c_str(), report.input.width(),
                report.input.height(), report.input.channels(), report.input.channels() == 1 ? "" : "s",
                report.machine.c_str(), text_table(report).c_str());
    const auto page = std::filesystem::absolute(options.folder) / "index.html";
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("page         %s\npeak memory  %s; with the interpreter %s\ntotal time   %.1f s\n",
                page.lexically_normal().string().c_str(), mebibytes(peak_of_runs).c_str(),
                mebibytes(peak_memory()).c_str(), elapsed.count());
    return report.correct() ? 0 : 1;
}

} // namespace
} // namespace fluorite::demo

int main(int argc, char **argv) {
    using namespace fluorite;
    try {
        const demo::Options options = demo::parse(argc, argv);
        if (options.help) {
            demo::Options shown;
            std::fputs((demo::usage + options_help(demo::rows_of(shown))).c_str(), stdout);
            return 0;
        }
        return demo::run(options);
    } catch (const BadCommandLine &error) {
        std::fprintf(stderr, "fluorite_demo: %s\n", error.what());
        return 2;
    } catch (const demo::BadInput &error) {
        std::fprintf(stderr, "fluorite_demo: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluorite_demo: %s\n", error.what());
        return 1;
    }
}
