#pragma once
// Halide::Runtime::Buffer, which programs that call ahead-of-time filters use.

#include "fluorite/require_cxx20.h"

#include "HalideRuntime.h"
#include "fluorite/runtime_buffer.h"

namespace Halide {

// The namespace itself, so that its name is clear also where `using namespace Halide` brings both.
namespace Runtime = fluorite::Runtime;

} // namespace Halide
