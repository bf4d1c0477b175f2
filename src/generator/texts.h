#pragma once
// Texts that accompany the code of a Generator.

#include "fluorite/generator.h"
#include "ir/lowered.h"

#include <string>
#include <vector>

namespace fluorite::generators {

/// A C++ source that registers a function, when the program starts, with the program's
/// halide_register_argv_and_metadata(), so that a driver such as RunGen finds it.
std::string registration_text(const std::string &function);

/// A C++17 header with the arguments of a function as constants.
std::string function_info_text(const ir::LoweredFunc &entry);

/// A C++ header with the text of a schedule, for Pipeline::apply.
std::string schedule_text(const std::string &function, const std::string &target, const std::string &schedule);

/// A parameter of a stub.
struct StubParam {
    std::string name, cpp_type, cpp_value;
};

/// A C++ header with a class whose generate() applies the generator. `stub_name` may be in namespaces.
std::string stub_text(const std::string &generator, const std::string &stub_name,
                      const std::vector<AbstractGenerator::ArgInfo> &args, const std::vector<StubParam> &params);

} // namespace fluorite::generators
