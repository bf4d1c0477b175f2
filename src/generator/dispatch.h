#pragma once
// Functions that are compiled for several targets: one name, behind which the processor that runs it chooses.

#include "fluorite/target.h"
#include "ir/lowered.h"

#include <string>
#include <vector>

namespace fluorite::generators {

/// A function compiled for one of the targets.
struct Variant {
    std::string function;
    Target target;
};

/// The features of a processor that a target names, separated by commas.
std::string processor_features(const Target &target);

/// Checks that the targets of one function differ in features of the processor only, and that the code for the last
/// runs where that for the others does. Throws CompileError [generator-targets], whose text begins with `where`.
void check_targets(const std::string &where, const std::vector<Target> &targets);

/// A module whose entry `name` calls the first variant whose features the processor has, else the last one. The entry
/// has the arguments of `like`.
ir::LoweredModule dispatching_module(const std::string &name, const ir::LoweredFunc &like,
                                     const std::vector<Variant> &variants);

} // namespace fluorite::generators
