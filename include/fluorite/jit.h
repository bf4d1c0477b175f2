#pragma once
// Runs with their own handlers: JITUserContext, JITHandlers, and Callable, a pipeline as a function object.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/float16.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/type.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluorite {

template <typename T, int Dims> class Buffer;
struct JITUserContext;

/// Functions with which a pipeline, or one run, replaces parts of the runtime. Null means the process's function. An
/// exception that one of them throws ends the run and propagates from realize, once all tasks have ended and all memory
/// is freed.
struct JITHandlers {
    using Task = int (*)(JITUserContext *context, int index, uint8_t *closure);

    void (*custom_print)(JITUserContext *context, const char *text) = nullptr;
    /// Both or neither. Blocks must be aligned to 128 bytes and readable 128 bytes past their end. custom_free never
    /// receives null.
    void *(*custom_malloc)(JITUserContext *context, size_t bytes) = nullptr;
    void (*custom_free)(JITUserContext *context, void *pointer) = nullptr;
    int (*custom_do_task)(JITUserContext *context, Task task, int index, uint8_t *closure) = nullptr;
    int (*custom_do_par_for)(JITUserContext *context, Task task, int min, int size, uint8_t *closure) = nullptr;
    /// With this handler the run returns instead of throwing RuntimeError.
    void (*custom_error)(JITUserContext *context, const char *text) = nullptr;
    int32_t (*custom_trace)(JITUserContext *context, const fluorite_trace_event_t *event) = nullptr;
};

/// Passed to realize, which passes it on to handlers. Derive from it to pass data.
struct JITUserContext {
    JITHandlers handlers;
};

namespace detail {
/// Types that give the struct of a buffer, as DistributedImage and Halide::Runtime::Buffer, which gives a constant one
/// where it is constant itself.
template <typename B, typename = void> inline constexpr bool has_raw_buffer = false;
template <typename B>
inline constexpr bool
    has_raw_buffer<B, std::enable_if_t<std::is_convertible_v<decltype(std::declval<const B &>().raw_buffer()),
                                                             const fluorite_buffer_t *>>> = true;
/// Of these, the ones that say where they were asked if they have none.
template <typename B, typename = void> inline constexpr bool is_raw_buffer_located = false;
template <typename B>
inline constexpr bool
    is_raw_buffer_located<B, std::void_t<decltype(std::declval<const B &>().raw_buffer(Location()))>> = true;
} // namespace detail

/// A compiled pipeline, called with its arguments in order, output buffers last. Returns 0. A failure throws
/// RuntimeError or, if the context has an error handler, returns the error code.
class Callable {
  public:
    /// A scalar, or a buffer that must live until the call returns.
    class Value {
      public:
        using Place = Location;

        /// A scalar, which has the type of the parameter, or an ABI struct; a Buffer; anything with raw_buffer().
        template <
            typename T,
            std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t> ||
                                 (std::is_pointer_v<T> && !std::is_convertible_v<T, JITUserContext *>),
                             int> = 0>                 // contexts are excluded
        Value(T value, Place place = Place::current()) // NOLINT(google-explicit-constructor)
            : type_(type_of<T>()), place_(place) {
            if constexpr (std::is_same_v<T, fluorite_buffer_t *>) {
                buffer_ = value;
            }
            std::memcpy(&bits_, &value, sizeof(T));
        }
        /// A buffer.
        template <typename T, int Dims>
        Value(const Buffer<T, Dims> &buffer, Place place = Place::current()) // NOLINT(google-explicit-constructor)
            : buffer_(buffer.raw_buffer(place)), place_(place) {}
        /// Another buffer, as DistributedImage.
        template <typename B, std::enable_if_t<detail::has_raw_buffer<B>, int> = 0>
        Value(const B &buffer, Place place = Place::current()) // NOLINT(google-explicit-constructor)
            : buffer_(struct_of(buffer, place)), place_(place) {}

        /// What the call passes: the type of a scalar, void for a buffer; the struct of a buffer; the bits of a scalar,
        /// lowest first; and where in the program the argument is.
        Type type() const { return type_; }
        fluorite_buffer_t *buffer() const { return buffer_; }
        const uint64_t &bits() const { return bits_; }
        const Place &place() const { return place_; }
        Location location() const { return place_; }

      private:
        template <typename B> static fluorite_buffer_t *struct_of(const B &buffer, const Place &place) {
            if constexpr (detail::is_raw_buffer_located<B>) {
                return buffer.raw_buffer(place);
            } else {
                return const_cast<fluorite_buffer_t *>(buffer.raw_buffer());
            }
        }

        Type type_;
        uint64_t bits_ = 0;
        fluorite_buffer_t *buffer_ = nullptr;
        Place place_;
    };

    Callable() = default;
    /// Whether it has a pipeline; calls throw RuntimeError where it has none.
    bool defined() const { return static_cast<bool>(contents_); }

    /// Runs the pipeline, with a context for its handlers or without. Arguments are those of compile_to_callable, in
    /// that order, then a buffer for each value of each output. Returns 0. Throws RuntimeError for a number or types of
    /// arguments that do not fit, and as realize.
    template <typename... Rest> int operator()(JITUserContext *context, const Value &first, const Rest &...rest) const {
        return call(context, {first, at(first.place(), rest)...}, first.location());
    }
    template <typename... Rest> int operator()(const Value &first, const Rest &...rest) const {
        return call(nullptr, {first, at(first.place(), rest)...}, first.location());
    }
    int operator()(JITUserContext *context, const Location &location = Location::current()) const {
        return call(context, {}, location);
    }
    int operator()(const Location &location = Location::current()) const { return call(nullptr, {}, location); }

    /// The call as a function of arguments of these types; the JITUserContext *, if any, comes first. Throws
    /// RuntimeError [wrong-arity, value-type, wrong-buffer-type, wrong-buffer-rank] where the pipeline takes others.
    /// Errors of calls point to the location where the function was made.
    template <typename First, typename... Rest>
    std::function<int(First, Rest...)> make_std_function(Value::Place place = Value::Place::current()) const {
        if constexpr (std::is_convertible_v<First, JITUserContext *>) {
            check_parameters({Parameter::of<Rest>()...}, place);
        } else {
            check_parameters({Parameter::of<First>(), Parameter::of<Rest>()...}, place);
        }
        return [callable = *this, place](First first, Rest... rest) {
            if constexpr (std::is_convertible_v<First, JITUserContext *>) {
                return callable.call(first, {Value(rest, place)...}, place);
            } else {
                return callable.call(nullptr, {Value(first, place), Value(rest, place)...}, place);
            }
        };
    }

    struct Contents;
    /// Of contents that the library has made.
    explicit Callable(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  private:
    /// What a C++ type says of an argument.
    struct Parameter {
        bool is_buffer = false;
        Type type;           // of a scalar or of elements; void: not known
        int dimensions = -1; // of a buffer; -1: not known

        template <typename T> static Parameter of() {
            using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
            if constexpr (std::is_same_v<Plain, fluorite_buffer_t *>) {
                return {true, Type(), -1};
            } else if constexpr (std::is_constructible_v<Value, Plain> &&
                                 (std::is_scalar_v<Plain> || std::is_same_v<Plain, float16_t> ||
                                  std::is_same_v<Plain, bfloat16_t>)) {
                return {false, type_of<Plain>(), -1};
            } else {
                return of_buffer(static_cast<const Plain *>(nullptr));
            }
        }
        template <typename T, int Dims> static Parameter of_buffer(const Buffer<T, Dims> *) {
            if constexpr (std::is_void_v<T>) {
                return {true, Type(), Dims};
            } else {
                return {true, type_of<T>(), Dims};
            }
        }
        static Parameter of_buffer(const void *) { return {true, Type(), -1}; }
    };
    /// Throws RuntimeError where the pipeline takes other arguments.
    void check_parameters(const std::vector<Parameter> &parameters, const Location &location) const;
    const Contents &needed(const Location &location) const;

    /// An argument, whose errors point to the place of the call.
    template <typename T> static Value at(const Value::Place &place, const T &argument) {
        if constexpr (std::is_same_v<T, Value>) {
            return argument;
        } else {
            return Value(argument, place);
        }
    }
    int call(JITUserContext *context, const std::vector<Value> &values, const Location &location) const;
    std::shared_ptr<const Contents> contents_;
};

} // namespace fluorite
