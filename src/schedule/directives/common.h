#pragma once
// What the directive files share: finding loops, new names, and the texts of refusals.

#include "schedule/directives/directives.h"
#include "support/check.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// `x, y, xo` for messages; "none" where empty.
std::string join(const std::vector<std::string> &names);
/// The names of the stage's loops, innermost first.
std::vector<std::string> loop_names(const StageSchedule &schedule);
/// The position of a loop, or nothing.
std::optional<size_t> find_loop(const StageSchedule &schedule, const std::string &var);
/// The position of a loop; refuses an unknown one, naming the directive and the loops there are.
size_t require_loop(const StageRef &stage, const std::string &var, const char *directive, Location location);
/// What in a value is not known before the loops run, in words; empty where all is.
std::string unknown_at_entry(const Expr &value);
/// The end of the refusal of such a value.
std::string value_rule();
/// A legal factor as schedules keep it: an int32, and a constant where it is one.
Expr as_factor(const Expr &factor);
/// A loop name derived from `base` that the stage does not use yet.
std::string fresh_loop_name(const StageSchedule &schedule, const std::string &base);
[[noreturn]] void refuse(const StageRef &stage, const char *slug, const std::string &text, Location location);
[[noreturn]] void refuse(const FuncRef &func, const char *slug, const std::string &text, Location location);

/// Refuses a number that names no value of an enumeration, of which `last` is the greatest.
template <typename Ref, typename Enum>
void require_value(const Ref &at, Enum value, Enum last, const char *directive, const char *enumeration,
                   Location location) {
    if (value > last) {
        refuse(at, "no-such-value",
               concat(directive, " with the ", enumeration, " ", static_cast<int>(value),
                      ", which is none; use one of ", enumeration, "'s names"),
               location);
    }
}

/// The texts of refusals of loops that are not laid out flat, without the stage.
std::string too_wide(const std::string &var, int64_t lanes);
std::string too_long(const std::string &var, int64_t copies);

/// Whether the update's iterations give the same values in any order, each indivisible: proved, bit for bit or as far
/// as the program allows.
bool commutes(const StageRef &stage);
/// Why they do not: "and + of float32 commutes only up to rounding"; a way out where there is one: ", or call ...",
/// else "".
std::string why_order_counts(const StageRef &stage);
std::string way_to_reassociate(const StageRef &stage);

/// One edit of a stage: notes the directive, and puts the schedule back as it was where an exception leaves the edit.
/// So a directive that is refused has changed nothing. Edits may nest; the outermost one names the directive.
class StageEdit {
  public:
    StageEdit(const StageRef &stage, const char *directive, const Location &location);
    ~StageEdit();
    StageEdit(const StageEdit &) = delete;
    StageEdit &operator=(const StageEdit &) = delete;

  private:
    StageSchedule *schedule_;
    StageSchedule before_;
    int exceptions_;
};

/// The farthest that a prefetch looks ahead, in iterations.
constexpr int max_prefetch_offset = 1 << 16;

/// Notes that the directive is applied, where it is the first of its kind.
void note_applied(AppliedDirective &applied, const char *directive, const Location &location);

/// Whether the loop has come out of a split.
bool is_part_of_split(const StageSchedule &schedule, const std::string &var);
/// Whether the tail stores old values of points that it does not compute.
bool is_blended(TailStrategy tail);
/// The loops around splits whose tails are blended: their pieces overlap.
std::set<std::string> loops_around_blends(const StageSchedule &schedule);

/// The position of a pure Var of the Func; refuses an unknown one.
size_t require_dimension(const FuncRef &func, const std::string &var, const char *directive, Location location);

/// The directive that makes loops of the kind.
const char *name_of(ForType type);

} // namespace fluorite::schedule
