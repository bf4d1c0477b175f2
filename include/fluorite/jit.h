#pragma once
// Runs with handlers of their own: JITUserContext, JITHandlers, and Callable, a pipeline as a function object.

#include "fluorite/float16.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/type.h"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace fluorite {

template <typename T, int Dims> class Buffer;
struct JITUserContext;

/// What a pipeline, or one run, takes over from the runtime. Null: what the process has. An exception that one of them
/// throws ends the run and comes out of realize, once all tasks have ended and all memory is freed.
struct JITHandlers {
    using Task = int (*)(JITUserContext *context, int index, uint8_t *closure);

    void (*custom_print)(JITUserContext *context, const char *text) = nullptr;
    /// Both or none; blocks are aligned to 128 bytes and readable 128 bytes past their end. custom_free is never given null.
    void *(*custom_malloc)(JITUserContext *context, size_t bytes) = nullptr;
    void (*custom_free)(JITUserContext *context, void *pointer) = nullptr;
    int (*custom_do_task)(JITUserContext *context, Task task, int index, uint8_t *closure) = nullptr;
    int (*custom_do_par_for)(JITUserContext *context, Task task, int min, int size, uint8_t *closure) = nullptr;
    /// The run then returns instead of throwing RuntimeError.
    void (*custom_error)(JITUserContext *context, const char *text) = nullptr;
    int32_t (*custom_trace)(JITUserContext *context, const fluorite_trace_event_t *event) = nullptr;
};

/// Given to realize; handlers get it back. Derive from it to hand data through.
struct JITUserContext {
    JITHandlers handlers;
};

/// A compiled pipeline to be called with its arguments in order, output buffers last. Returns 0; failures throw
/// RuntimeError, or where the context has an error handler, give the code.
class Callable {
  public:
    /// A scalar, or a buffer that lives until the call returns.
    class Value {
      public:
        template <typename T>
            requires(std::is_arithmetic_v<T> || std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t> ||
                     std::is_pointer_v<T>)
        Value(T value) : type_(type_of<T>()) { // NOLINT(google-explicit-constructor)
            if constexpr (std::is_same_v<T, fluorite_buffer_t *>) {
                buffer_ = value;
            }
            std::memcpy(&bits_, &value, sizeof(T));
        }
        template <typename T, int Dims>
        Value(const Buffer<T, Dims> &buffer) : buffer_(buffer.raw_buffer()) {} // NOLINT(google-explicit-constructor)
        template <typename B>
            requires requires(B &b) {
                { b.raw_buffer() } -> std::same_as<fluorite_buffer_t *>;
            }
        Value(B &buffer) : buffer_(buffer.raw_buffer()) {} // NOLINT(google-explicit-constructor)

        Type type() const { return type_; }
        fluorite_buffer_t *buffer() const { return buffer_; }
        const uint64_t &bits() const { return bits_; }

      private:
        Type type_;
        uint64_t bits_ = 0;
        fluorite_buffer_t *buffer_ = nullptr;
    };

    Callable() = default;
    bool defined() const { return static_cast<bool>(contents_); }

    template <typename... Args> int operator()(JITUserContext *context, Args &&...args) const {
        return call(context, {Value(args)...});
    }
    template <typename First, typename... Args>
        requires(!std::is_convertible_v<First, JITUserContext *>)
    int operator()(First &&first, Args &&...args) const {
        return call(nullptr, {Value(first), Value(args)...});
    }

    /// The call as a function of arguments of these types, the JITUserContext * first where it takes one.
    template <typename First, typename... Rest> std::function<int(First, Rest...)> make_std_function() const {
        return [callable = *this](First first, Rest... rest) { return callable(first, rest...); };
    }

    struct Contents;
    explicit Callable(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  private:
    int call(JITUserContext *context, const std::vector<Value> &values) const;
    std::shared_ptr<const Contents> contents_;
};

} // namespace fluorite
