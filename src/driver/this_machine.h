#pragma once
// The machine on which the program runs, and files of what was measured of one.

#include "machine/cache_model.h"
#include "machine/device_costs.h"

#include "fluorite/errors.h"

#include <string>

namespace fluorite::driver {

/// The processor in one line: vendor, family, model, stepping and name, as Linux states them.
std::string this_processor();

/// The path that an option gives, or else the variable FLUORITE_MACHINE_FILE; empty: there is no file.
std::string machine_file_of(const std::string &option);

/// The costs of the device that an option names, or else the variable FLUORITE_DEVICE_MODEL, or else of a device that
/// has the target's features. Throws CompileError (auto-schedule-option) if there is no row of that name.
const machine::DeviceCosts &device_costs_of(const std::string &option, const Target &target, const Location &location);

/// The numbers of a machine file. Throws CompileError (machine-file) if it cannot be read, if its vectors are not those
/// that the code is for, and, unless the program named its target, if it was measured on another processor.
machine::CacheModel read_machine_file(const std::string &path, int vector_bits, bool is_target_given,
                                      const Location &location);

} // namespace fluorite::driver
