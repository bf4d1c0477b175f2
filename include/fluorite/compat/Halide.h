#pragma once
// Programs written against Halide's C++ API compile against Fluorite through this header: namespace Halide is Fluorite's,
// plus the spellings of 2014. It lives in a folder of its own (CMake target Fluorite::Halide) so that it never shadows an
// installed Halide by accident.

#include "fluorite/concise_casts.h"
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"
#include "fluorite/image_io.h"

#include "HalideBuffer.h"
#include "HalideRuntime.h"

// What programs get from Halide's header without asking for it.
#include <algorithm>
#include <array>
#include <assert.h>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <math.h>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace Halide {

using namespace fluorite; // NOLINT: one API under two names

// Types that programs forward-declare or specialize by qualified name.
using fluorite::Argument;
using fluorite::bfloat16_t;
using fluorite::Buffer;
using fluorite::Callable;
using fluorite::CompileError;
using fluorite::Error;
using fluorite::EvictionKey;
using fluorite::Expr;
using fluorite::float16_t;
using fluorite::Func;
using fluorite::ImageParam;
using fluorite::InternalError;
using fluorite::JITHandlers;
using fluorite::JITSharedRuntime;
using fluorite::JITUserContext;
using fluorite::LoopLevel;
using fluorite::OutputImageParam;
using fluorite::Param;
using fluorite::Pipeline;
using fluorite::RDom;
using fluorite::Realization;
using fluorite::RuntimeError;
using fluorite::RVar;
using fluorite::Stage;
using fluorite::Target;
using fluorite::Tuple;
using fluorite::Type;
using fluorite::Var;

namespace BoundaryConditions = fluorite::BoundaryConditions;
namespace ConciseCasts = fluorite::ConciseCasts;
namespace Tools = fluorite::Tools;

/// Parts of the API that Halide keeps among its internals.
namespace Internal {
using fluorite::JITSharedRuntime;
}

/// The name that buffers had in 2014.
template <typename T, int Dims = -1> using Image = fluorite::Buffer<T, Dims>;

using FuncRefVar = fluorite::FuncRef;
using FuncRefExpr = fluorite::FuncRef;

namespace detail {
/// Halide regroups float sums in atomic() and rfactor() unless a target is strict_float.
inline const bool reassociates_by_default = (fluorite::set_default_reassociation(true), true);
} // namespace detail

/// Errors are always thrown.
inline bool exceptions_enabled() { return true; }

} // namespace Halide

#define HalideExtern_1(rt, name, t1) FLUORITE_EXTERN_1(rt, name, t1)
#define HalideExtern_2(rt, name, t1, t2) FLUORITE_EXTERN_2(rt, name, t1, t2)
#define HalideExtern_3(rt, name, t1, t2, t3) FLUORITE_EXTERN_3(rt, name, t1, t2, t3)
#define HalideExtern_4(rt, name, t1, t2, t3, t4) FLUORITE_EXTERN_4(rt, name, t1, t2, t3, t4)
#define HalideExtern_5(rt, name, t1, t2, t3, t4, t5) FLUORITE_EXTERN_5(rt, name, t1, t2, t3, t4, t5)
#define HalideExtern_6(rt, name, t1, t2, t3, t4, t5, t6) FLUORITE_EXTERN_6(rt, name, t1, t2, t3, t4, t5, t6)
#define HalidePureExtern_1 HalideExtern_1
#define HalidePureExtern_2 HalideExtern_2
#define HalidePureExtern_3 HalideExtern_3
