// The machine on which the program runs, and files of what was measured of one.
//
// A file is for the processor that it names. A program that states its target compiles for a machine that it may not
// run on, so only the width of the vectors is compared there.

#include "driver/this_machine.h"

#include "ir/host_target.h"
#include "machine/machine_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace fluorite::driver {

namespace {

[[noreturn]] void refuse_file(const std::string &path, const std::string &text, const Location &location) {
    throw CompileError("machine-file", path + ": " + text, location);
}

std::string contents_of(const std::string &path, const Location &location) {
    std::ifstream file(path, std::ios::binary);
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored); // it opens, and throws where it is read
    std::string text = is_folder ? "" : std::string{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad() || is_folder) {
        refuse_file(path,
                    "it cannot be read; a machine file must exist; write one with ./dev probe or measure_machine()",
                    location);
    }
    return text;
}

} // namespace

std::string this_processor() {
    std::ifstream file("/proc/cpuinfo");
    std::map<std::string, std::string> fields;
    for (std::string line; std::getline(file, line) && !line.empty();) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos || colon == 0) {
            continue;
        }
        const std::string name = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        fields[name] = line.substr(std::min(line.size(), colon + 2));
    }
    if (fields["model name"].empty()) {
        return "unknown";
    }
    const bool is_itself = get_host_target() == ir::real_host_target();
    return fields["model name"] + ", " + fields["vendor_id"] + " family " + fields["cpu family"] + " model " +
           fields["model"] + " stepping " + fields["stepping"] +
           (is_itself ? "" : ", taken for " + get_host_target().to_string());
}

std::string machine_file_of(const std::string &option) {
    if (!option.empty()) {
        return option;
    }
    const char *variable = std::getenv("FLUORITE_MACHINE_FILE");
    return variable != nullptr ? variable : "";
}

const machine::DeviceCosts &device_costs_of(const std::string &option, const Target &target, const Location &location) {
    const char *variable = std::getenv("FLUORITE_DEVICE_MODEL");
    const std::string name = !option.empty() ? option : variable != nullptr ? variable : "";
    if (name.empty()) {
        return machine::device_row(target);
    }
    if (const machine::DeviceCosts *row = machine::find_device_row(name)) {
        return *row;
    }
    std::string names;
    for (const machine::DeviceCosts &row : machine::device_rows()) {
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    throw CompileError("auto-schedule-option",
                       concat("in auto_schedule: the device '", name, "' is not known; there are ", names,
                              "; give one of them, or none for one that has the features of the target",
                              option.empty() ? ", in FLUORITE_DEVICE_MODEL" : ""),
                       location);
}

machine::CacheModel read_machine_file(const std::string &path, int vector_bits, bool is_target_given,
                                      const Location &location) {
    const machine::MeasuredMachine machine = machine::read_machine(contents_of(path, location), path, location);
    if (!is_target_given && machine.processor != this_processor()) {
        refuse_file(
            path,
            "it was measured on '" + machine.processor + "', and this is '" + this_processor() +
                "'; a machine file is for the machine that code is made for; measure this one with ./dev probe, or "
                "state the target",
            location);
    }
    if (machine.vector_bits != vector_bits) {
        refuse_file(
            path,
            "it was measured with vectors of " + std::to_string(machine.vector_bits) + " bits, and the target has " +
                std::to_string(vector_bits) +
                "; rates are those of whole vectors; measure the machine that the target is of, or leave the file out",
            location);
    }
    return machine.caches;
}

} // namespace fluorite::driver
