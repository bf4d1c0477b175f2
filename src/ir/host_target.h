#pragma once
// The processor that runs the program, and the processors for which it can be taken.

#include "fluorite/target.h"

#include <span>
#include <string>
#include <string_view>

namespace fluorite::ir {

/// A processor as which a program can see the machine: its name, and the text of its target.
struct NamedProcessor {
    std::string_view name, target;
};

/// All of them, from the least instructions to the most.
std::span<const NamedProcessor> named_processors();

/// The machine that runs this program, whatever it is taken for.
const Target &real_host_target();

/// The first of the instruction sets of a target that a machine lacks; FeatureEnd if it has all.
Target::Feature find_missing_feature(const Target &wanted, const Target &machine);

/// The first feature of a target that is known by name only; FeatureEnd if there is none.
Target::Feature find_unimplemented_feature(const Target &target);

/// The target of the named processor. Throws CompileError [bad-host] if there is none of that name, or if its code does
/// not run on the machine `real`; the message says that `variable` gave the name.
Target host_seen_as(const std::string &name, const Target &real, std::string_view variable);

/// What get_host_target() answers for the real machine. It is asked once, at the first call that does not throw.
using HostView = Target (*)(const Target &real);
void set_host_view(HostView view);

} // namespace fluorite::ir
