#pragma once
// What memory, instructions and tasks cost on this machine, measured, for automatic schedules.

#include "fluorite/require_cxx17.h"

#include <functional>
#include <string>

namespace fluorite {

/// Measures this machine with small pipelines, one thread at a time, in two to four seconds, and returns a text, which
/// AutoScheduleOptions::machine_file takes as a file. Sizes of caches are those that the system states. Numbers that
/// this does not measure are those of the processor's row in src/machine/cache_model.cpp. The code that is measured is
/// for get_jit_target_from_environment(): with FLUORITE_JIT_TARGET, this machine as one with fewer features. `progress`
/// is called with a line before each measurement. What other programs do meanwhile changes the numbers.
std::string measure_machine(const std::function<void(const std::string &)> &progress = {});

} // namespace fluorite
