#pragma once
// Halide::Runtime::Buffer, which programs that call ahead-of-time filters use.

#include "HalideRuntime.h"
#include "fluorite/runtime_buffer.h"

namespace Halide::Runtime {

template <typename T = void, int Dims = -1, int InClassDimStorage = 4>
using Buffer = fluorite::Runtime::Buffer<T, Dims, InClassDimStorage>;

} // namespace Halide::Runtime
