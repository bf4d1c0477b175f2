#pragma once
// Halide's names of generators; Halide.h includes this header.

#include "fluorite/require_cxx17.h"

#include "fluorite/generator.h"

namespace Halide {

using fluorite::create_callable_from_generator;
using fluorite::Generator;
using fluorite::GeneratorContext;
using fluorite::GeneratorInput;
using fluorite::GeneratorOutput;
using fluorite::GeneratorParam;
using fluorite::GeneratorParamsMap;
using fluorite::load_plugin;
using fluorite::NamesInterface;
using fluorite::ScheduleParam;

/// Parts of the API that Halide keeps in namespace Internal.
namespace Internal {
using fluorite::AbstractGenerator;
using fluorite::AbstractGeneratorPtr;
using fluorite::ArgInfoDirection;
using fluorite::ArgInfoKind;
using fluorite::execute_generator;
using fluorite::ExecuteGeneratorArgs;
using fluorite::generate_filter_main;
using fluorite::GeneratorBase;
using fluorite::GeneratorFactory;
using fluorite::GeneratorRegistry;
using fluorite::RegisterGenerator;
} // namespace Internal

} // namespace Halide
