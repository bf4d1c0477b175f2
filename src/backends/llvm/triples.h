#pragma once
// What LLVM calls the targets of the language.

#include "fluorite/target.h"

#include <string>

namespace fluorite::backends {

struct LlvmTarget {
    std::string triple;    // architecture, system and format of files
    std::string processor; // whose instructions may be used, beside the features
    std::string features;
    std::string tuning;
    std::string abi; // empty: the default of the triple
};

/// Throws CompileError [bad-target] for a target for which there is no code generator, or one with a feature that has
/// no implementation or belongs to another architecture.
LlvmTarget llvm_target_of(const Target &target);

} // namespace fluorite::backends
