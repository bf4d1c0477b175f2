// The text form of a measured machine.
//
//     fluorite machine 1
//     processor AMD EPYC, family 25, model 17
//     vector_bits 512
//     l1_bytes 32768
//     ...                          one row for each MACHINE of costs.def
//     end
//
// A row has a range, so that a file that was changed or cut is refused and never used as a machine that cannot exist.
// The ranges are wide: they exclude typing errors, not unusual processors.

#include "machine/machine_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <variant>
#include <vector>

namespace fluorite::machine {

namespace {

constexpr std::string_view first_line = "fluorite machine 1";

struct Row {
    std::string_view name;
    std::variant<int64_t CacheModel::*, double CacheModel::*> number;
    double least, most;
};

constexpr double gibibyte = 1024.0 * 1024 * 1024;

constexpr std::array rows = {
#define MACHINE(name, value, unit, basis, source, type, least, most) Row{#name, &CacheModel::name, least, most},
#define MODEL(name, value, unit, basis, source, type)
#define TIME_TILE(name, value, unit, basis, source, type)
#include "machine/costs.def"
#undef MACHINE
#undef MODEL
#undef TIME_TILE
};

/// A number as a file states it: four significant digits, for that is more than a measurement repeats.
std::string text_of(double value) {
    char text[40];
    std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.4g", value);
    return text;
}

class Reader {
  public:
    Reader(const std::string &text, const std::string &file, const Location &location)
        : file_(file), location_(location) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            lines_.push_back(line);
        }
    }

    MeasuredMachine read() {
        if (next() != first_line) {
            refuse("begins with another line; a machine file begins with '" + std::string(first_line) + "'");
        }
        MeasuredMachine machine;
        machine.processor = word_after("processor ");
        machine.vector_bits = static_cast<int>(number_after("vector_bits", true, 64, 65536));
        for (const Row &row : rows) {
            read_row(row, machine.caches);
        }
        if (next() != "end") {
            refuse("has a line that is not 'end' where one is expected");
        }
        if (line_ != lines_.size()) {
            ++line_;
            refuse("has lines after 'end'");
        }
        const CacheModel &caches = machine.caches;
        if (caches.l1_bytes > caches.l2_bytes || caches.l2_bytes > caches.llc_bytes) {
            refuse("has a cache that is larger than the next one; caches grow with their distance");
        }
        return machine;
    }

  private:
    const std::string &file_;
    const Location &location_;
    std::vector<std::string> lines_;
    size_t line_ = 0; // the number of lines that have been read

    [[noreturn]] void refuse(const std::string &what) const {
        throw CompileError("machine-file",
                           file_ + ", line " + std::to_string(std::max<size_t>(line_, 1)) + ": it " + what +
                               "; write the file again with ./dev probe or measure_machine()",
                           location_);
    }

    std::string next() {
        if (line_ == lines_.size()) {
            refuse("ends early");
        }
        return lines_[line_++];
    }

    std::string word_after(const std::string &begin) {
        const std::string line = next();
        if (!line.starts_with(begin) || line.size() == begin.size()) {
            refuse("has '" + line + "' in place of the row '" + begin.substr(0, begin.size() - 1) + "'");
        }
        return line.substr(begin.size());
    }

    double number_after(std::string_view name, bool is_whole, double least, double most) {
        const std::string word = word_after(std::string(name) + " ");
        double value = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(value) ||
            (is_whole && value != std::floor(value))) {
            refuse("states " + std::string(name) + " as '" + word + "'; it is a " + (is_whole ? "whole " : "") +
                   "number");
        }
        if (value < least || value > most) {
            refuse("states " + std::string(name) + " as " + word + "; it lies between " + text_of(least) + " and " +
                   text_of(most));
        }
        return value;
    }

    void read_row(const Row &row, CacheModel &caches) {
        const bool is_whole = std::holds_alternative<int64_t CacheModel::*>(row.number);
        const double value = number_after(row.name, is_whole, row.least, row.most);
        if (is_whole) {
            caches.*std::get<int64_t CacheModel::*>(row.number) = static_cast<int64_t>(value);
        } else {
            caches.*std::get<double CacheModel::*>(row.number) = value;
        }
    }
};

} // namespace

std::string write_machine(const MeasuredMachine &machine) {
    std::string text = std::string(first_line) + "\nprocessor " + machine.processor + "\nvector_bits " +
                       std::to_string(machine.vector_bits) + "\n";
    for (const Row &row : rows) {
        const double value =
            std::visit([&](auto member) { return static_cast<double>(machine.caches.*member); }, row.number);
        text += std::string(row.name) + " " + text_of(value) + "\n";
    }
    return text + "end\n";
}

MeasuredMachine read_machine(const std::string &text, const std::string &file, const Location &location) {
    return Reader(text, file, location).read();
}

} // namespace fluorite::machine
