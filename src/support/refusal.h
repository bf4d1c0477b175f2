#pragma once
// A refusal as a value: what a CompileError says, before anybody throws it. Rules answer with one, and a search goes on
// with another candidate; only the call that the user made throws.

#include "fluorite/errors.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fluorite {

struct Refusal {
    std::string slug;
    std::string message;
    Location location;
    /// What is legal instead, in the words of the message; empty where that is no choice among a few.
    std::vector<std::string> alternatives = {};

    [[noreturn]] void raise() const { throw CompileError(slug, message, location); }
};

/// Legal, or why not.
class [[nodiscard]] Verdict {
  public:
    Verdict() = default;
    Verdict(Refusal refusal) : refusal_(std::move(refusal)) {} // NOLINT(google-explicit-constructor)

    explicit operator bool() const { return !refusal_.has_value(); }
    /// Precondition: not legal.
    const Refusal &refusal() const { return *refusal_; }
    void or_raise() const {
        if (refusal_) {
            refusal_->raise();
        }
    }

  private:
    std::optional<Refusal> refusal_;
};

/// A value, or why there is none.
template <typename T> class [[nodiscard]] Result {
  public:
    Result(T value) : content_(std::move(value)) {}           // NOLINT(google-explicit-constructor)
    Result(Refusal refusal) : content_(std::move(refusal)) {} // NOLINT(google-explicit-constructor)

    explicit operator bool() const { return content_.index() == 0; }
    /// Precondition: there is no value.
    const Refusal &refusal() const { return std::get<1>(content_); }
    Verdict verdict() const { return *this ? Verdict() : Verdict(refusal()); }

    /// Precondition: there is a value.
    T &operator*() { return std::get<0>(content_); }
    const T &operator*() const { return std::get<0>(content_); }
    T *operator->() { return &std::get<0>(content_); }
    const T *operator->() const { return &std::get<0>(content_); }

    /// The value. Throws CompileError where there is none.
    T or_raise() && {
        if (!*this) {
            refusal().raise();
        }
        return std::get<0>(std::move(content_));
    }

  private:
    std::variant<T, Refusal> content_;
};

} // namespace fluorite
