#pragma once
// Schedule: all directives of a pipeline as a value, which can be printed, parsed, compared, saved and applied.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite {

namespace schedule {
struct Directive;
}

/// An immutable list of directives; copies share it. Pipeline::schedule() returns the normal form of a pipeline's
/// schedule, and Pipeline::apply() applies it to another pipeline. docs/guides/schedules.md has its grammar:
///
///     fluorite schedule 1
///     blur_x.compute_at(blur_y, xo)
///     blur_y.split(x, xo, xi, 16)
///     end
///
/// Errors are CompileError with the line of the text: [schedule-syntax], [schedule-version], [schedule-truncated],
/// [schedule-file]. A schedule that does not match a pipeline gives [schedule-mismatch] or the error of the directive.
class Schedule {
  public:
    /// No directives: every Func but the outputs is inlined, loops are serial.
    Schedule();
    explicit Schedule(std::vector<schedule::Directive> directives);
    // Copies only: what is moved from keeps its directives.
    Schedule(const Schedule &) = default;
    Schedule &operator=(const Schedule &) = default;

    /// Parses text(); messages contain `name`.
    static Schedule parse(std::string_view text, const std::string &name = "the schedule",
                          const Location &location = Location::current());
    static Schedule load(const std::string &path, const Location &location = Location::current());
    /// Writes text() to a file beside `path`, then renames it: a reader sees the old or the new file, complete.
    void save(const std::string &path, const Location &location = Location::current()) const;

    /// A version line, one line per directive, and `end`. Equal schedules have equal texts.
    std::string text() const;
    /// The differences in `to`: a heading for each Func or update, then its removed (-) and added (+) lines.
    std::string diff(const Schedule &to) const;

    size_t size() const;
    bool empty() const { return size() == 0; }
    /// A hash of the text; the same in every run and on every machine.
    uint64_t hash() const;
    /// Whether both have the same directives in the same order.
    bool operator==(const Schedule &other) const;
    bool operator!=(const Schedule &other) const { return !(*this == other); }

    /// The directives, for the library.
    const std::vector<schedule::Directive> &directives() const { return *directives_; }

  private:
    std::shared_ptr<const std::vector<schedule::Directive>> directives_;
};

/// Prints text().
std::ostream &operator<<(std::ostream &stream, const Schedule &schedule);

} // namespace fluorite

template <> struct std::hash<fluorite::Schedule> {
    /// Schedule::hash(), so that schedules are keys of unordered containers.
    size_t operator()(const fluorite::Schedule &schedule) const { return schedule.hash(); }
};
