// fluorite_certify: what of the applications' schedules has certificates. Prints a line for each application and
// schedule, and with --reasons each directive that has none; --output FOLDER writes the certificates there, for
// fluorite_check. --validate compares the loops of each with its certificate at random sizes. --examples does the
// examples of the literature instead (each run once with --once), and --speed measures what certificates cost, and
// code from them beside code from schedules. --script FILE does the derivation that the file describes
// (src/verify/rewrite/script.h), and prints the program after each step.

#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/blur/blur.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/conv_layer/conv_layer.h"
#include "apps/fft/fft.h"
#include "apps/harris/harris.h"
#include "apps/heat3d/heat3d.h"
#include "apps/hist_equalize/hist_equalize.h"
#include "apps/iir_blur/iir_blur.h"
#include "apps/interpolate/interpolate.h"
#include "apps/jacobi/jacobi.h"
#include "apps/level_set/level_set.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/matmul/matmul.h"
#include "apps/max_filter/max_filter.h"
#include "apps/minifluxdiv/minifluxdiv.h"
#include "apps/multigrid/multigrid.h"
#include "apps/navier_stokes/navier_stokes.h"
#include "apps/nl_means/nl_means.h"
#include "apps/pyramid_blend/pyramid_blend.h"
#include "apps/resize/resize.h"
#include "apps/sobel/sobel.h"
#include "apps/stencil_chain/stencil_chain.h"
#include "apps/transpose/transpose.h"
#include "apps/unsharp/unsharp.h"
#include "apps/wavelet/wavelet.h"

#include "checker.h"
#include "examples.h"
#include "fluorite/certify.h"
#include "speed.h"
#include "support/command_line.h"
#include "verify/rewrite/script.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

namespace {

struct App {
    const char *name;
    std::function<Halide::Func(apps::Schedule)> output;
};

template <typename Pipeline> App app(const char *name) {
    return {name, [](apps::Schedule schedule) { return Pipeline(schedule).output; }};
}

const App all[] = {
    app<apps::BilateralGrid>("bilateral_grid"),
    app<apps::Blur>("blur"),
    app<apps::CameraPipe>("camera_pipe"),
    app<apps::ConvLayer>("conv_layer"),
    {"fft", [](apps::Schedule schedule) { return apps::Fft(schedule, 64).output; }},
    app<apps::Harris>("harris"),
    app<apps::Heat3d>("heat3d"),
    app<apps::HistEqualize>("hist_equalize"),
    app<apps::IirBlur>("iir_blur"),
    app<apps::Interpolate>("interpolate"),
    {"jacobi", [](apps::Schedule schedule) { return apps::Jacobi(schedule, {3, 2}, 3).output; }},
    app<apps::LevelSet>("level_set"),
    app<apps::LocalLaplacian>("local_laplacian"),
    app<apps::Matmul>("matmul"),
    app<apps::MaxFilter>("max_filter"),
    app<apps::MiniFluxDiv>("minifluxdiv"),
    {"multigrid", [](apps::Schedule schedule) { return apps::Multigrid(schedule, {.levels = 2}).output; }},
    app<apps::NavierStokes>("navier_stokes"),
    app<apps::NlMeans>("nl_means"),
    app<apps::PyramidBlend>("pyramid_blend"),
    app<apps::Resize>("resize"),
    app<apps::Sobel>("sobel"),
    app<apps::StencilChain>("stencil_chain"),
    app<apps::Transpose>("transpose"),
    app<apps::Unsharp>("unsharp"),
    app<apps::WaveletForward>("wavelet"),
    app<apps::WaveletInverse>("wavelet_inverse"),
};

struct Options {
    bool reasons = false, validate = false, examples = false, once = false, speed = false, help = false;
    std::string output, only, script;
};

using fluorite::certify_tool::processor_milliseconds;

void validate_one(const Halide::Func &output) {
    try {
        const fluorite::ScheduleValidation found = fluorite::validate_schedule(output);
        std::printf("    %d runs, %zu stores compared: %s\n", found.runs, found.stores,
                    found.passed() ? "they agree" : "they differ");
        for (const std::string &difference : found.differences) {
            std::printf("    %s\n", difference.c_str());
        }
        for (const std::string &more : found.beyond) {
            std::printf("    beyond: %s\n", more.c_str());
        }
    } catch (const fluorite::CompileError &error) {
        std::printf("    %s\n", error.what());
    }
}

void certify_one(const App &app, apps::Schedule schedule, const Options &options) {
    const char *word = schedule == apps::Schedule::Hand ? "hand" : "default";
    Halide::Func output = app.output(schedule);
    double begin = processor_milliseconds();
    fluorite::ScheduleCertificate found = fluorite::certify(output, {.check = fluorite::CertificateCheck::Never});
    double used = processor_milliseconds() - begin;
    size_t covered = 0, all = 0;
    for (const auto &directive : found.directives) {
        const bool counts = directive.means_nothing.empty();
        covered += counts && directive.covered();
        all += counts;
    }
    std::string verdict = !found.defined()         ? found.reason
                          : !found.reads_in_bounds ? "certified; reads are not shown: " + found.unproved_read
                          : !found.stores_once     ? "certified; stores are not shown: " + found.unproved_store
                                                   : "certified";
    if (found.defined()) {
        found.verdict = fluorite::check_certificate(found.text);
        verdict += !found.verdict.checked()   ? "; not checked"
                   : found.verdict.accepted() ? "; the checker accepts it"
                                              : "; THE CHECKER REJECTS IT: " + found.verdict.text;
    }
    std::printf("%-16s %-7s %3zu of %3zu directives, %4zu steps, %7zu bytes, %7.1f ms: %s\n", app.name, word, covered,
                all, found.steps, found.text.size(), used, verdict.c_str());
    for (const auto &directive : found.directives) {
        if (options.reasons && !directive.covered()) {
            std::printf("    %s %s: %s\n", directive.func.c_str(), directive.directive.c_str(),
                        directive.reason.c_str());
        }
    }
    if (found.defined() && !options.output.empty()) {
        std::filesystem::create_directories(options.output);
        std::ofstream(options.output + "/" + app.name + "_" + word + ".cert") << found.text;
    }
    if (found.defined() && options.validate) {
        validate_one(output);
    }
    std::fflush(stdout);
}

// The derivation of a file; its certificate goes into the folder, under the name of the file.
int run_script(const std::string &path, const std::string &folder) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        std::fprintf(stderr, "%s cannot be read\n", path.c_str());
        return 2;
    }
    const fluorite::verify::ScriptResult result = fluorite::verify::run_script(text.str());
    for (size_t i = 0; i < result.programs.size(); i++) {
        std::printf("%s%s\n\n", i == 0 ? "" : ("step " + std::to_string(i) + ":\n").c_str(),
                    result.programs[i].c_str());
    }
    if (!result.error.empty()) {
        std::printf("%s:%s\n", path.c_str(), result.error.c_str());
        return 1;
    }
    if (!folder.empty()) {
        std::filesystem::create_directories(folder);
        std::ofstream(folder + "/" + std::filesystem::path(path).stem().string() + ".cert") << result.certificate;
    }
    const fluorite::certify_tool::Verdict verdict = fluorite::certify_tool::check(result.certificate);
    std::printf("%s\n", verdict.is_there ? verdict.text.c_str() : "not checked: the native checker is not built");
    return verdict.is_there && !verdict.accepted ? 1 : 0;
}

std::vector<fluorite::CommandOption> rows_of(Options &options) {
    using namespace fluorite;
    return {
        flag("--reasons", "print each directive that has no certificate", options.reasons),
        flag("--validate", "compare the loops of each schedule with its certificate at random sizes", options.validate),
        text_option("--only", "APP", "one application", options.only),
        text_option("--output", "FOLDER", "write the certificates there, for fluorite_check", options.output),
        flag("--examples", "do the examples of the literature instead", options.examples),
        flag("--once", "run each example once", options.once),
        flag("--speed", "measure what certificates cost, and code from them beside code from schedules", options.speed),
        text_option("--script", "FILE", "do the derivation of the file instead (src/verify/rewrite/script.h)",
                    options.script),
        flag("--help", "print this page", options.help),
    };
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    const std::vector<fluorite::CommandOption> rows = rows_of(options);
    try {
        fluorite::parse_command_line({argv + 1, argv + argc}, rows);
    } catch (const fluorite::BadCommandLine &error) {
        std::fprintf(stderr, "fluorite_certify: %s\n", error.what());
        return 2;
    }
    if (options.help) {
        std::printf("usage: fluorite_certify [options]\n\nPrints what of the applications' schedules has "
                    "certificates.\n\n%s",
                    fluorite::options_help(rows).c_str());
        return 0;
    }
    if (options.speed) {
        return fluorite::certify_tool::print_speed();
    }
    if (!options.script.empty()) {
        return run_script(options.script, options.output);
    }
    if (options.examples) {
        return fluorite::certify_tool::print_examples(options.output, options.once ? 1 : 40);
    }
    for (const App &app : all) {
        if (!options.only.empty() && options.only != app.name) {
            continue;
        }
        for (apps::Schedule schedule : {apps::Schedule::Hand, apps::Schedule::Default}) {
            certify_one(app, schedule, options);
        }
    }
    return 0;
}
