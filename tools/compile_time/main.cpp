// fluorite_compile_time: how the time to compile grows with the size of a program.
//
//   fluorite_compile_time [--only TEXT] [--most N] [--seconds S] [--passes] [--lower] [--verify] [--json FILE]
//                         [--print PASS]
//
// What: programs of growing size, each kind of which grows in one respect (chains with each placement, boundary rule
// and split; fan-out, fan-in, tuples, taps, updates, specializations, dimensions, outputs, time tiles; expressions,
// vectors and unrolled loops, extern stages, kernels of devices), are lowered, compiled and written as C source at
// an eighth, a quarter, a half and all of the largest size. A row has the seconds of processor time at each size and
// the exponent between the second and the last: 1 is linear growth. Each compilation is a child process with a limit
// of its time (60 s unless --seconds gives another), so one that runs away is shown and not waited for. Rows over
// the goals below are marked, with the passes that grow most; --passes prints all of them. --only takes the kinds
// whose names contain one of the texts, which semicolons separate, --most another largest size, --lower leaves the
// code generator out. --print only prints the statements after a pass, of programs of size --most. Exit code: 0, or
// 2 for unusable arguments.

#include "kinds.h"
#include "measure.h"
#include "search.h"
#include "support/command_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::compile_time {

namespace {

/// The goals: the largest size within these seconds, and growth that is linear up to noise and n log n.
constexpr double goal_seconds = 10, goal_exponent = 1.2;
/// What takes less is noise.
constexpr double least_seconds = 0.05;

struct Options {
    std::string only, json, printed;
    int most = 0; // 0: as the kind says
    bool prints_passes = false, help = false;
    Limits limits;
};

struct Row {
    const Kind *kind = nullptr;
    std::vector<Sample> samples;
};

/// The exponent of growth from the first to the last of two samples; none where times are noise.
std::optional<double> exponent(const Sample &first, const Sample &last, double first_seconds, double last_seconds) {
    if (last_seconds < least_seconds || first_seconds <= 0 || first.size == last.size) {
        return std::nullopt;
    }
    return std::log(last_seconds / first_seconds) / std::log(static_cast<double>(last.size) / first.size);
}

/// The samples that have been compiled.
std::vector<Sample> compiled(const Row &row) {
    std::vector<Sample> found;
    std::copy_if(row.samples.begin(), row.samples.end(), std::back_inserter(found),
                 [](const Sample &sample) { return sample.failure.empty(); });
    return found;
}

/// The two samples between which growth is measured: the last one, and that two sizes before.
std::optional<std::pair<Sample, Sample>> ends(const Row &row) {
    const std::vector<Sample> found = compiled(row);
    if (found.size() < 2) {
        return std::nullopt;
    }
    return std::pair(found[found.size() - std::min<size_t>(found.size(), 3)], found.back());
}

std::optional<double> exponent(const Row &row) {
    const auto found = ends(row);
    return found ? exponent(found->first, found->second, found->first.total(), found->second.total()) : std::nullopt;
}

bool is_over(const Row &row) {
    const std::optional<double> growth = exponent(row);
    return compiled(row).size() < row.samples.size() || row.samples.back().total() > goal_seconds ||
           (growth && *growth > goal_exponent);
}

void print_passes(const Row &row) {
    const auto found = ends(row);
    if (!found) {
        return;
    }
    const auto &[first, last] = *found;
    for (const auto &[name, seconds] : last.steps) {
        if (seconds >= 0.03 * last.total()) {
            const std::optional<double> growth = exponent(first, last, first.step(name), seconds);
            std::printf("        %-28s %8.3f s  %s\n", name.c_str(), seconds,
                        growth ? std::to_string(*growth).substr(0, 4).c_str() : "");
        }
    }
}

void print(const Row &row, const Options &options) {
    for (const Sample &sample : row.samples) {
        if (!sample.failure.empty()) {
            std::printf("\n      %d %s: %s\n", sample.size, row.kind->unit, sample.failure.substr(0, 200).c_str());
        }
    }
    const std::optional<double> growth = exponent(row);
    const std::vector<Sample> done = compiled(row);
    std::printf("  %s  %s", growth ? std::to_string(*growth).substr(0, 4).c_str() : "   -", is_over(row) ? "over" : "");
    if (!done.empty()) {
        std::printf("  (%.0f nodes, %.0f MB)", done.back().nodes, done.back().megabytes);
    }
    std::printf("\n");
    if (options.prints_passes || is_over(row)) {
        print_passes(row);
    }
    std::fflush(stdout);
}

Row sweep(const Kind &kind, const Options &options) {
    Row row{&kind, {}};
    const int most = options.most > 0 ? std::min(options.most, kind.largest) : kind.largest;
    std::printf("%-44s %5d %-11s", kind.name, most, kind.unit);
    for (int part = 8; part >= 1; part /= 2) {
        const int size = std::max(most / part, 1);
        if (!row.samples.empty() && row.samples.back().size == size) {
            continue;
        }
        row.samples.push_back(measure(kind, size, options.limits));
        std::printf(" %8.3f", row.samples.back().total());
        std::fflush(stdout);
        if (!row.samples.back().failure.empty()) {
            break; // larger ones would only be slower
        }
    }
    print(row, options);
    return row;
}

std::string quoted(const std::string &text) {
    std::string result = "\"";
    for (char c : text) {
        result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return result + '"';
}

void write_sample(std::ostream &out, const Sample &sample) {
    out << "{\"size\": " << sample.size << ", \"seconds\": " << sample.total() << ", \"nodes\": " << sample.nodes
        << ", \"megabytes\": " << sample.megabytes << ", \"failure\": " << quoted(sample.failure) << ", \"steps\": {";
    for (size_t i = 0; i < sample.steps.size(); i++) {
        out << (i ? ", " : "") << quoted(sample.steps[i].first) << ": " << sample.steps[i].second;
    }
    out << "}}";
}

/// What benchmarks/recorded.py reads.
void write_json(const std::string &path, const std::vector<Row> &rows, const Limits &limits) {
    std::ofstream out(path);
    double load = 0;
    std::ifstream("/proc/loadavg") >> load;
    out << "{\"target\": " << quoted(get_jit_target_from_environment().to_string()) << ", \"load\": " << load
        << ", \"limit_seconds\": " << limits.seconds << ", \"generates_code\": " << !limits.only_lowers
        << ", \"goal_seconds\": " << goal_seconds << ", \"goal_exponent\": " << goal_exponent << ", \"growth\": [";
    for (const Row &row : rows) {
        const std::optional<double> growth = exponent(row);
        out << (&row == rows.data() ? "\n" : ",\n") << "  {\"name\": " << quoted(row.kind->name)
            << ", \"unit\": " << quoted(row.kind->unit) << ", \"is_over\": " << is_over(row) << ", \"exponent\": ";
        growth ? out << *growth : out << "null";
        out << ", \"samples\": [";
        for (const Sample &sample : row.samples) {
            out << (&sample == row.samples.data() ? "\n    " : ",\n    ");
            write_sample(out, sample);
        }
        out << "]}";
    }
    out << "\n]}\n";
}

/// Whether the arguments can be used.
std::vector<CommandOption> rows_of(Options &options) {
    return {
        text_option("--only", "TEXTS", "the kinds whose names contain one of the texts, with semicolons in between",
                    options.only),
        number_option("--most", "N", "another largest size", options.most, 0, 1'000'000),
        {"--seconds", "60", "limit of processor time of one compilation",
         [&](const std::string &value) { options.limits.seconds = decimal_number("--seconds", value); }},
        flag("--passes", "print the passes that grow", options.prints_passes),
        flag("--lower", "leave the code generator out", options.limits.only_lowers),
        flag("--verify", "verify the IR after every pass", options.limits.verifies),
        text_option("--json", "FILE", "write the rows there", options.json),
        text_option("--print", "PASS", "print the statements after a pass, of programs of size --most",
                    options.printed),
        flag("--help", "print this page", options.help),
    };
}

/// Whether the name contains one of the texts that --only lists.
bool is_wanted(const Kind &kind, const Options &options) {
    std::istringstream texts(options.only);
    bool found = options.only.empty();
    for (std::string text; std::getline(texts, text, ';');) {
        found = found || std::string(kind.name).find(text) != std::string::npos;
    }
    return found;
}

int run(int argc, char **argv) {
    Options options;
    const std::vector<CommandOption> rows = rows_of(options);
    try {
        parse_command_line({argv + 1, argv + argc}, rows);
    } catch (const BadCommandLine &error) {
        std::fprintf(stderr, "fluorite_compile_time: %s\n", error.what());
        return 2;
    }
    if (options.help) {
        std::printf("usage: fluorite_compile_time [options]\n\n%s", options_help(rows).c_str());
        return 0;
    }
    std::vector<Kind> kinds = chains::kinds();
    for (const std::vector<Kind> &more : {widths::kinds(), expressions::kinds(), externs::kinds(), kernels::kinds()}) {
        kinds.insert(kinds.end(), more.begin(), more.end());
    }
    std::erase_if(kinds, [&](const Kind &kind) { return !is_wanted(kind, options); });
    if (!options.printed.empty()) {
        for (const Kind &kind : kinds) {
            std::printf("%s\n%s\n", kind.name,
                        statement_after(kind, std::max(options.most, 1), options.printed).c_str());
        }
        return 0;
    }
    std::printf("%-44s %-17s     seconds of processor time at 1/8, 1/4, 1/2 and all; exponent\n", "kind of growth",
                "largest");
    std::vector<Row> measured;
    for (const Kind &kind : kinds) {
        measured.push_back(sweep(kind, options));
    }
    if (!measured.empty()) {
        std::printf("%zu kinds, %td over a goal (%.0f s for the largest, exponent %.1f)\n", measured.size(),
                    std::count_if(measured.begin(), measured.end(), is_over), goal_seconds, goal_exponent);
    }
    if (std::string("search").find(options.only) != std::string::npos) {
        measure_searches();
    }
    if (!options.json.empty()) {
        write_json(options.json, measured, options.limits);
    }
    return 0;
}

} // namespace

} // namespace fluorite::compile_time

int main(int argc, char **argv) { return fluorite::compile_time::run(argc, argv); }
