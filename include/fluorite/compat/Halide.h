#pragma once
// Programs written against Halide's C++ API compile against Fluorite through this header: namespace Halide contains
// Fluorite's names and the spellings of 2014. The header has its own folder (CMake target Fluorite::Halide), so that it
// never shadows an installed Halide by accident.

#include "fluorite/require_cxx17.h"

#include "fluorite/concise_casts.h"
#include "fluorite/error_reporter.h"
#include "fluorite/expr_operators.h"
#include "fluorite/float_conversions.h"
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"
#include "fluorite/image_io.h"
#include "fluorite/serialization.h"

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
using fluorite::ArgumentEstimates;
using fluorite::asin;
using fluorite::asinh;
using fluorite::atan;
using fluorite::atan2;
using fluorite::atanh;
using fluorite::AutoSchedulerFn;
using fluorite::AutoschedulerParams;
using fluorite::AutoSchedulerResults;
using fluorite::BFloat;
using fluorite::bfloat16_t;
using fluorite::Bool;
using fluorite::Buffer;
using fluorite::BufferConstraint;
using fluorite::Callable;
using fluorite::cast;
using fluorite::ceil;
using fluorite::clamp;
using fluorite::compile_multitarget;
using fluorite::compile_standalone_runtime;
using fluorite::CompileError;
using fluorite::CompileTimeErrorReporter;
using fluorite::concat_bits;
using fluorite::cos;
using fluorite::cosh;
using fluorite::count_leading_zeros;
using fluorite::count_trailing_zeros;
using fluorite::Derivative;
using fluorite::deserialize_parameters;
using fluorite::deserialize_pipeline;
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
using fluorite::ExternCFunction;
using fluorite::ExternFuncArgument;
using fluorite::ExternSignature;
using fluorite::extract_bits;
using fluorite::fast_cos;
using fluorite::fast_exp;
using fluorite::fast_integer_divide;
using fluorite::fast_integer_divide_round_to_zero;
using fluorite::fast_integer_modulo;
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
using fluorite::JITExtern;
using fluorite::JITHandlers;
using fluorite::JITUserContext;
using fluorite::lambda;
using fluorite::lerp;
using fluorite::likely;
using fluorite::likely_if_innermost;
using fluorite::link_modules;
using fluorite::LinkageType;
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
using fluorite::Module;
using fluorite::ModuleFactory;
using fluorite::mul_shift_right;
using fluorite::mux;
using fluorite::NameMangling;
using fluorite::OutputFileType;
using fluorite::OutputImageParam;
using fluorite::Param;
using fluorite::Parameter;
using fluorite::Partition;
using fluorite::Pipeline;
using fluorite::PipelineContents;
using fluorite::popcount;
using fluorite::pow;
using fluorite::PrefetchBoundStrategy;
using fluorite::print;
using fluorite::print_when;
using fluorite::product;
using fluorite::propagate_adjoints;
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
using fluorite::serialize_pipeline;
using fluorite::SerializeOptions;
using fluorite::set_custom_compile_time_error_reporter;
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
using fluorite::target_arch_is;
using fluorite::target_bits;
using fluorite::target_feature_for_device_api;
using fluorite::target_has_feature;
using fluorite::target_natural_vector_size;
using fluorite::target_os_is;
using fluorite::Text;
using fluorite::trunc;
using fluorite::Tuple;
using fluorite::Type;
using fluorite::type_of;
using fluorite::UInt;
using fluorite::undef;
using fluorite::unsafe_promise_clamped;
using fluorite::user_context_value;
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
using fluorite::Dimension;
using fluorite::JITSharedRuntime;
using fluorite::StageSchedule;

/// A constant of a type.
template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0> Expr make_const(Type type, T value) {
    return cast(type, Expr(value));
}
inline Expr make_zero(Type type) { return make_const(type, 0); }
inline Expr make_one(Type type) { return make_const(type, 1); }
inline Expr make_bool(bool value, int lanes = 1) { return make_const(Bool(lanes), value); }

/// The value of an input, of which type and name are repeated. Throws CompileError [parameter-kind] for a buffer and
/// where they are not the parameter's.
struct Variable {
    /// The value.
    static Expr make(Type type, const std::string &name, const Parameter &parameter,
                     const fluorite::Location &location = fluorite::Location::current()) {
        if (parameter.type(location) != type || parameter.name() != name) {
            throw CompileError("parameter-kind",
                               "in " + parameter.name() + ": it is read as " + name + " of type " + to_string(type) +
                                   ", and its type is " + to_string(parameter.type()) +
                                   "; a Variable repeats both; use Param<>(parameter)",
                               location);
        }
        return Param<>(parameter, location);
    }
};

/// An element of an input buffer at the coordinates.
struct Call {
    /// The element.
    static Expr make(const Parameter &parameter, const std::vector<Expr> &coordinates,
                     const fluorite::Location &location = fluorite::Location::current()) {
        return ImageParam(parameter, location)(coordinates, location);
    }
};

/// Runs the function. Halide gives it a larger stack; the compiler here needs none that grows with a program.
template <typename Function> void run_with_large_stack(const Function &function) { function(); }

/// The nearest value of a type: a float that is too large for an integer becomes the greatest one, a NaN 0.
template <typename To, typename From> To safe_numeric_cast(From value) {
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
        if (!(value == value)) {
            return 0;
        }
        if (value <= static_cast<From>(std::numeric_limits<To>::min())) {
            return std::numeric_limits<To>::min();
        }
        if (value >= static_cast<From>(std::numeric_limits<To>::max())) {
            return std::numeric_limits<To>::max();
        }
    }
    return static_cast<To>(value);
}

/// Throws CompileError [user-assert] with what is printed to it, when its statement ends.
class FailedAssert {
  public:
    /// Of the text of a condition.
    explicit FailedAssert(const char *condition) { text_ << "in an assertion: " << condition << " does not hold; "; }
    FailedAssert(const FailedAssert &) = delete;
    FailedAssert &operator=(const FailedAssert &) = delete;
    ~FailedAssert() noexcept(false) { throw CompileError("user-assert", text_.str()); }
    /// Where the message goes.
    std::ostream &stream() { return text_; }

  private:
    std::ostringstream text_;
};

/// Halide regroups float sums in atomic() and rfactor() unless a target is strict_float.
inline const bool reassociates_by_default = (fluorite::set_default_reassociation(true), true);
} // namespace Internal

/// The name that buffers had in 2014.
template <typename T, int Dims = -1> using Image = fluorite::Buffer<T, Dims>;

using FuncRefVar = fluorite::FuncRef;
using FuncRefExpr = fluorite::FuncRef;

/// Programs set how much stack the compiler may use. It takes what it needs, so this is only kept.
inline constexpr size_t default_compiler_stack_size = 8 * 1024 * 1024;
namespace Internal {
inline std::atomic<size_t> compiler_stack_size{default_compiler_stack_size};
}
inline void set_compiler_stack_size(size_t bytes) { Internal::compiler_stack_size = bytes; }
inline size_t get_compiler_stack_size() { return Internal::compiler_stack_size; }

/// All of them.
inline const DeviceAPI all_device_apis[] = {DeviceAPI::None,    DeviceAPI::Host,       DeviceAPI::Default_GPU,
                                            DeviceAPI::CUDA,    DeviceAPI::OpenCL,     DeviceAPI::Metal,
                                            DeviceAPI::Hexagon, DeviceAPI::HexagonDma, DeviceAPI::D3D12Compute,
                                            DeviceAPI::Vulkan,  DeviceAPI::WebGPU};

/// Names that a module gives to arguments in its metadata.
using MetadataNameMap = std::map<std::string, std::string>;

/// Several points of an update at once; throw CompileError [not-built].
template <typename... Points> Expr scatter(const Points &...) {
    throw CompileError("not-built", "in scatter: several points of an update at once have no implementation here; an "
                                    "update writes one point; write an update for each");
}
template <typename... Points> Expr gather(const Points &...) {
    throw CompileError("not-built", "in gather: several points of an update at once have no implementation here; an "
                                    "update writes one point; write an update for each");
}
inline Expr scatter(const std::vector<Expr> &points) { return scatter<std::vector<Expr>>(points); }
inline Expr gather(const std::vector<Expr> &points) { return gather<std::vector<Expr>>(points); }

/// The C or C++ type of a scalar or of a vector (`int32x4_t`), with a space at the end or without.
inline std::string type_to_c_type(Type type, bool include_space, bool c_plus_plus = true) {
    (void)c_plus_plus; // the names are the same
    if (type.is_handle()) {
        return "void *";
    }
    const std::string lanes = type.lanes() > 1 ? "x" + std::to_string(type.lanes()) : "";
    const std::string bits = std::to_string(type.bits());
    const bool has_word = lanes.empty() && (type == Float(32) || type == Float(64) || type == Bool());
    const std::string kind = type.is_bfloat() ? "bfloat" : type.is_float() ? "float" : type.is_int() ? "int" : "uint";
    const std::string word = type == Float(32) ? "float" : type == Float(64) ? "double" : "bool";
    return (has_word ? word : kind + bits + lanes + "_t") + (include_space ? " " : "");
}

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
#define HalidePureExtern_4 HalideExtern_4
#define HalidePureExtern_5 HalideExtern_5

// Attributes of the library's own functions.
#ifndef HALIDE_EXPORT
#define HALIDE_EXPORT __attribute__((visibility("default")))
#endif
#ifndef HALIDE_NO_USER_CODE_INLINE
#define HALIDE_NO_USER_CODE_INLINE HALIDE_NEVER_INLINE
#endif

// Halide declares so how the headers of compiled functions spell pointers to a type. Here every pointer is a Handle,
// and headers spell it void *.
#define HALIDE_DECLARE_EXTERN_TYPE(kind, T) static_assert(sizeof(T *) > 0, "a pointer to the type is a Handle")
#define HALIDE_DECLARE_EXTERN_SIMPLE_TYPE(T) HALIDE_DECLARE_EXTERN_TYPE(Simple, T)
#define HALIDE_DECLARE_EXTERN_STRUCT_TYPE(T) HALIDE_DECLARE_EXTERN_TYPE(Struct, T)
#define HALIDE_DECLARE_EXTERN_CLASS_TYPE(T) HALIDE_DECLARE_EXTERN_TYPE(Class, T)
#define HALIDE_DECLARE_EXTERN_UNION_TYPE(T) HALIDE_DECLARE_EXTERN_TYPE(Union, T)

/// What follows is printed if the condition does not hold: `_halide_user_assert(n > 0) << "n is " << n;`.
#define _halide_user_assert(condition)                                                                                 \
    if (condition) {                                                                                                   \
    } else                                                                                                             \
        ::Halide::Internal::FailedAssert(#condition).stream()

#include "HalideGenerator.h"
