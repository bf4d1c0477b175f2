#pragma once
// Image files under the names of Halide's tools.

#include "fluorite/require_cxx20.h"

#include "fluorite/image_io.h"

namespace Halide {
namespace Tools = fluorite::Tools;
}
