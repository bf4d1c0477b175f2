#include "report.h"

#include <algorithm>
#include <cstdio>

namespace fluorite::demo {
namespace {

using Row = std::vector<std::string>;

std::string verdict(const Measurement &measurement) {
    if (measurement.different == 0) {
        return "yes (" + std::to_string(measurement.checked) + " values)";
    }
    return "NO: " + std::to_string(measurement.different) + " of " + std::to_string(measurement.checked) + " differ";
}

Row row_of(const Report &report, const Result &result, Schedule schedule) {
    const Measurement &measurement = result.of(schedule);
    const bool is_default = schedule == Schedule::Default;
    return {is_default ? result.example->title : "",
            name_of(schedule),
            three_digits(measurement.compile_seconds * 1e3),
            three_digits(measurement.run_seconds * 1e3),
            three_digits(report.megapixels() / measurement.run_seconds),
            is_default ? "1" : three_digits(result.speed_up(schedule)),
            verdict(measurement)};
}

std::string lay_out(const std::vector<Row> &rows) {
    std::vector<size_t> widths(rows[0].size());
    for (const Row &row : rows) {
        for (size_t i = 0; i < row.size(); i++) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row &row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); i++) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            const bool is_number = i >= 2 && i <= 5;
            line += (i > 0 ? "  " : "") + (is_number ? padding + row[i] : row[i] + padding);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

} // namespace

std::string three_digits(double value) {
    char text[32];
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

bool Report::correct() const {
    return std::all_of(results.begin(), results.end(), [](const Result &result) { return result.correct(); });
}

std::string text_table(const Report &report) {
    std::vector<Row> rows = {
        {"pipeline", "schedule", "compile ms", "run ms", "MP/s", "speed-up", "equal to the interpreter"}};
    for (const Result &result : report.results) {
        for (const Schedule schedule : all_schedules) {
            rows.push_back(row_of(report, result, schedule));
        }
    }
    std::string text = lay_out(rows);
    for (const Result &result : report.results) {
        if (!result.outputs_agree) {
            text += result.example->title + ": the schedules gave different pictures\n";
        }
    }
    return text;
}

} // namespace fluorite::demo
