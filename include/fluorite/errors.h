#pragma once
// The exceptions that the library throws. Every user error has a stable slug (listed in docs/errors.md) and the
// location of the user's call.

#include "fluorite/require_cxx17.h"

#include <stdexcept>
#include <string>
#if __cplusplus >= 202002L && __has_include(<source_location>)
#include <source_location>
#endif
#ifdef __cpp_lib_source_location
#define FLUORITE_HAS_SOURCE_LOCATION_
#endif

namespace fluorite {

/// The source location in the user's program to which a message points; empty if unknown.
struct Location {
    const char *file = "";
    unsigned line = 0;
    unsigned column = 0; ///< distinguishes calls on one line; 0 if unknown

    /// No place without arguments; a line of a file; the place of a std::source_location.
    constexpr Location() = default;
    constexpr Location(const char *file, unsigned line, unsigned column) : file(file), line(line), column(column) {}
#ifdef FLUORITE_HAS_SOURCE_LOCATION_
    constexpr Location(const std::source_location &place) // NOLINT(google-explicit-constructor)
        : file(place.file_name()), line(place.line()), column(place.column()) {}
#endif

    /// The place of a call, as the default argument of the function that is called. C++17 has no std::source_location;
    /// g++ then knows no columns.
#if defined(__clang__)
    static constexpr Location current(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                      unsigned column = __builtin_COLUMN()) {
        return {file, line, column};
    }
#elif defined(FLUORITE_HAS_SOURCE_LOCATION_)
    static constexpr Location current(const std::source_location &place = std::source_location::current()) {
        return place;
    }
#else
    static constexpr Location current(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        return {file, line, 0};
    }
#endif

    /// Whether it names a line.
    constexpr bool known() const { return line != 0; }
};

/// `file:line`, or an empty text if the location is unknown.
std::string to_string(const Location &location);

/// Base of all errors. what() is `file:line: message [slug]`.
class Error : public std::runtime_error {
  public:
    /// what() is made of the three.
    Error(const std::string &slug, const std::string &message, const Location &location = {});
    /// An error of the program's own, with the slug user-error.
    explicit Error(const std::string &message) : Error("user-error", message) {}
    explicit Error(const char *message) : Error(std::string(message)) {}
    /// What identifies the kind of error in docs/errors.md; it never changes.
    const std::string &slug() const { return slug_; }
    /// The text without location and slug.
    const std::string &message() const { return message_; }
    const Location &location() const { return location_; }

  protected:
    /// what() is the text alone.
    struct Plain {
        std::string slug, text;
    };
    explicit Error(const Plain &plain) : std::runtime_error(plain.text), slug_(plain.slug), message_(plain.text) {}

  private:
    std::string slug_;
    std::string message_;
    Location location_;
};

/// An invalid program or schedule; thrown while a pipeline is built or compiled.
class CompileError : public Error {
  public:
    using Error::Error;
};

/// Inputs that a compiled pipeline does not accept; thrown when it runs.
class RuntimeError : public Error {
  public:
    using Error::Error;
};

/// A broken invariant of the compiler itself: no error of the program. what() is the text; the slug is internal-error.
class InternalError : public Error {
  public:
    /// With its text.
    explicit InternalError(const std::string &text) : Error(Plain{"internal-error", text}) {}
    explicit InternalError(const char *text) : InternalError(std::string(text)) {}
};

} // namespace fluorite
