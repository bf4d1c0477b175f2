#pragma once
// Halide::Runtime::Buffer, which programs that call ahead-of-time filters use.

#include "fluorite/require_cxx20.h"

#include "HalideRuntime.h"
#include "fluorite/runtime_buffer.h"

namespace Halide {

// A namespace alias, so that the name is unambiguous even with `using namespace Halide`.
namespace Runtime = fluorite::Runtime;

} // namespace Halide
