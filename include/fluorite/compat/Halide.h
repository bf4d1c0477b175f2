#pragma once
// Programs written against Halide's C++ API compile against Fluorite through this header: namespace Halide contains
// Fluorite's names and the spellings of 2014. The header has its own folder (CMake target Fluorite::Halide), so that it
// never shadows an installed Halide by accident.

#include "fluorite/require_cxx17.h"

#include "fluorite/concise_casts.h"
#include "fluorite/expr_operators.h"
#include "fluorite/float_conversions.h"
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"
#include "fluorite/image_io.h"

#include "HalideBuffer.h"
#include "HalideRuntime.h"

// Headers that Halide's header also provides to programs. Not <math.h> and <stdlib.h> of C++, which declare std::lerp,
// std::round and others outside of namespace std, where they would be found beside the functions below.
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
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stdint.h>
#include <string.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace Halide {

// Names are listed one by one, so that a program's own Schedule, Location or schedule() does not collide with a name
// that Halide lacks. Operators are found by argument-dependent lookup.
using fluorite::_;
using fluorite::_0;
using fluorite::_1;
using fluorite::_2;
using fluorite::_3;
using fluorite::_4;
using fluorite::_5;
using fluorite::_6;
using fluorite::_7;
using fluorite::_8;
using fluorite::_9;
using fluorite::abs;
using fluorite::absd;
using fluorite::acos;
using fluorite::acosh;
using fluorite::AnyDims;
using fluorite::approx_factors_near_cubert;
using fluorite::approx_factors_near_sqrt;
using fluorite::argmax;
using fluorite::argmin;
using fluorite::Argument;
using fluorite::asin;
using fluorite::asinh;
using fluorite::atan;
using fluorite::atan2;
using fluorite::atanh;
using fluorite::AutoschedulerParams;
using fluorite::AutoSchedulerResults;
using fluorite::BFloat;
using fluorite::bfloat16_t;
using fluorite::Bool;
using fluorite::Buffer;
using fluorite::Callable;
using fluorite::cast;
using fluorite::ceil;
using fluorite::clamp;
using fluorite::CompileError;
using fluorite::concat_bits;
using fluorite::cos;
using fluorite::cosh;
using fluorite::count_leading_zeros;
using fluorite::count_trailing_zeros;
using fluorite::DeviceAPI;
using fluorite::DistributedImage;
using fluorite::div_round_to_zero;
using fluorite::erf;
using fluorite::Error;
using fluorite::evaluate;
using fluorite::evaluate_may_gpu;
using fluorite::EvictionKey;
using fluorite::exp;
using fluorite::Expr;
using fluorite::ExternFuncArgument;
using fluorite::extract_bits;
using fluorite::fast_cos;
using fluorite::fast_exp;
using fluorite::fast_inverse;
using fluorite::fast_inverse_sqrt;
using fluorite::fast_log;
using fluorite::fast_pow;
using fluorite::fast_sin;
using fluorite::Float;
using fluorite::float16_t;
using fluorite::floor;
using fluorite::fract;
using fluorite::Func;
using fluorite::FuncRef;
using fluorite::FuncTupleElementRef;
using fluorite::get_default_device_api_for_target;
using fluorite::get_device_interface_for_device_api;
using fluorite::get_host_target;
using fluorite::get_jit_target_from_environment;
using fluorite::get_target_from_environment;
using fluorite::halving_add;
using fluorite::halving_sub;
using fluorite::Handle;
using fluorite::host_supports_target_device;
using fluorite::HTML;
using fluorite::hypot;
using fluorite::ImageParam;
using fluorite::Int;
using fluorite::InternalError;
using fluorite::is_finite;
using fluorite::is_inf;
using fluorite::is_nan;
using fluorite::JITHandlers;
using fluorite::JITUserContext;
using fluorite::lambda;
using fluorite::lerp;
using fluorite::likely;
using fluorite::likely_if_innermost;
using fluorite::log;
using fluorite::LoopAlignStrategy;
using fluorite::LoopLevel;
using fluorite::max;
using fluorite::maximum;
using fluorite::memoize_tag;
using fluorite::MemoryType;
using fluorite::min;
using fluorite::minimum;
using fluorite::mod_round_to_zero;
using fluorite::mul_shift_right;
using fluorite::mux;
using fluorite::NameMangling;
using fluorite::OutputImageParam;
using fluorite::Param;
using fluorite::Partition;
using fluorite::Pipeline;
using fluorite::PipelineContents;
using fluorite::popcount;
using fluorite::pow;
using fluorite::PrefetchBoundStrategy;
using fluorite::print;
using fluorite::print_when;
using fluorite::product;
using fluorite::random_float;
using fluorite::random_int;
using fluorite::random_uint;
using fluorite::Range;
using fluorite::RDom;
using fluorite::Realization;
using fluorite::Region;
using fluorite::reinterpret;
using fluorite::require;
using fluorite::round;
using fluorite::rounding_halving_add;
using fluorite::rounding_mul_shift_right;
using fluorite::rounding_shift_left;
using fluorite::rounding_shift_right;
using fluorite::RuntimeError;
using fluorite::RVar;
using fluorite::saturating_add;
using fluorite::saturating_cast;
using fluorite::saturating_sub;
using fluorite::saturating_sum;
using fluorite::select;
using fluorite::sin;
using fluorite::sinh;
using fluorite::sqrt;
using fluorite::Stage;
using fluorite::StmtOutputFormat;
using fluorite::strict_float;
using fluorite::sum;
using fluorite::TailStrategy;
using fluorite::tan;
using fluorite::tanh;
using fluorite::Target;
using fluorite::target_feature_for_device_api;
using fluorite::Text;
using fluorite::trunc;
using fluorite::Tuple;
using fluorite::Type;
using fluorite::type_of;
using fluorite::UInt;
using fluorite::undef;
using fluorite::Var;
using fluorite::VarOrRVar;
using fluorite::widen_right_add;
using fluorite::widen_right_mul;
using fluorite::widen_right_sub;
using fluorite::widening_add;
using fluorite::widening_mul;
using fluorite::widening_shift_left;
using fluorite::widening_shift_right;
using fluorite::widening_sub;

namespace BoundaryConditions = fluorite::BoundaryConditions;
namespace ConciseCasts = fluorite::ConciseCasts;

/// A namespace that programs may reopen; their own functions hide these.
namespace Tools {
using namespace fluorite::Tools;
} // namespace Tools

/// Parts of the API that Halide keeps in namespace Internal.
namespace Internal {
using fluorite::JITSharedRuntime;

/// Halide regroups float sums in atomic() and rfactor() unless a target is strict_float.
inline const bool reassociates_by_default = (fluorite::set_default_reassociation(true), true);
} // namespace Internal

/// The name that buffers had in 2014.
template <typename T, int Dims = -1> using Image = fluorite::Buffer<T, Dims>;

using FuncRefVar = fluorite::FuncRef;
using FuncRefExpr = fluorite::FuncRef;

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

#include "HalideGenerator.h"
