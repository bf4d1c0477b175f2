#pragma once
// Image files under the name that Halide's tools have.

#include "fluorite/require_cxx20.h"

#include "fluorite/image_io.h"

namespace Halide {
namespace Tools = fluorite::Tools;
}
