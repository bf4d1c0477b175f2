#pragma once
// Image files under the name that Halide's tools have.

#include "fluorite/image_io.h"

namespace Halide {
namespace Tools = fluorite::Tools;
}
