#pragma once
// Image files under the names of Halide's tools.

#include "fluorite/require_cxx17.h"

#include "fluorite/image_io.h"

namespace Halide {
namespace Tools {
using namespace fluorite::Tools;
}
} // namespace Halide
