#pragma once
// What the directive files share: lookup of loops, new names, and the texts of refusals.

#include "schedule/directives/directives.h"
#include "schedule/loop_names.h"
#include "support/check.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// `x, y, xo` for messages; "none" if empty.
std::string join(const std::vector<std::string> &names);
/// The names of the stage's loops, innermost first.
std::vector<std::string> loop_names(const StageSchedule &schedule);
/// The position of a loop, by its own name or one of loop_names.h for a loop of a GPU; nothing if the stage has no such
/// loop.
std::optional<size_t> find_loop(const StageSchedule &schedule, const std::string &var);
/// The position of a loop; refuses an unknown one, and names the directive and the stage's loops.
Result<size_t> require_loop(const StageRef &stage, const std::string &var, const char *directive, Location location);
/// What a value uses that is not known before the loops run, in words; empty if there is nothing.
std::string unknown_at_entry(const Expr &value);
/// The end of the refusal of such a value.
std::string value_rule();
/// A legal factor as schedules store it: an int32, and a constant if it is known.
Expr as_factor(const Expr &factor);
/// A loop name derived from `base` that the stage does not use yet.
std::string fresh_loop_name(const StageSchedule &schedule, const std::string &base);
/// A refusal in the name of a stage or a Func.
Refusal refused(const StageRef &stage, const char *slug, const std::string &text, Location location);
Refusal refused(const FuncRef &func, const char *slug, const std::string &text, Location location);

/// Refuses a number that is no value of an enumeration whose greatest value is `last`.
template <typename Ref, typename Enum>
Verdict require_value(const Ref &at, Enum value, Enum last, const char *directive, const char *enumeration,
                      Location location) {
    if (value > last) {
        return refused(at, "no-such-value",
                       concat(directive, " with the ", enumeration, " ", static_cast<int>(value),
                              ", which is none; use one of ", enumeration, "'s names"),
                       location);
    }
    return {};
}

/// Refuses another value of a promise or a key that the Func has already, as the first would be lost; `what` says
/// which it is, as in "the extent of bound of y". What a copy has from its original may be given anew. Choices, such as
/// levels and factors, are no promises: there the last call decides.
Verdict require_one_value(const FuncRef &func, const std::string &what, const Expr &before, const Expr &now,
                          Location location);

/// The texts, without the stage, that refuse loops with too many lanes or copies.
std::string too_wide(const std::string &var, int64_t lanes);
std::string too_long(const std::string &var, int64_t copies);

/// Whether the update's iterations commute: in any order, each executed atomically, they give the same values. This
/// must be proved, bit for bit or as far as the program allows reassociation.
bool commutes(const StageRef &stage);
/// Why they do not commute, as in "+ of float32 commutes only up to rounding, ..."; and a remedy if there is one, as in
/// ", or accept ...", otherwise "".
std::string why_order_counts(const StageRef &stage);
std::string way_to_reassociate(const StageRef &stage);

/// Records a directive on the loops of a stage that takes it. Where directives are made of others, the first determines
/// the name.
void note_edit(const StageRef &stage, const char *directive, const Location &location);
/// An edit that is made of other directives: if one of them is refused, `undo` restores the schedule, so that a refused
/// directive changes nothing.
class StageEdit {
  public:
    StageEdit(const StageRef &stage, const char *directive, const Location &location);
    /// The refusal, after the schedule is as it was.
    Verdict undo(Verdict refusal);

  private:
    StageSchedule *schedule_;
    StageSchedule before_;
};

/// Refuses a directive on a stage that is unscheduled().
Verdict require_scheduled(const StageRef &stage, const char *directive, const Location &location);

/// The farthest that a prefetch looks ahead, in iterations.
constexpr int max_prefetch_offset = 1 << 16;

/// Records the directive unless an earlier one of the same group is recorded.
void note_applied(AppliedDirective &applied, const char *directive, const Location &location);

/// The loops that distribute has marked, in the order of the grid.
std::vector<LoopDim> distributed_loops(const std::vector<LoopDim> &dims);

/// Whether the loop results from a split.
bool is_part_of_split(const StageSchedule &schedule, const std::string &var);
/// Whether the tail strategy stores old values at points that an iteration does not compute.
bool is_blended(TailStrategy tail);

/// The position of a pure Var of the Func; refuses an unknown one.
Result<size_t> require_dimension(const FuncRef &func, const std::string &var, const char *directive, Location location);

/// The steps of the directives that make one loop of two.
Split fuse_step(const std::string &inner, const std::string &outer, const std::string &fused);
Split skew_step(const std::string &old_var, const std::string &by, const std::string &skewed, const Expr &factor);
/// Adds such a step, which is legal, to a schedule.
void join_loops(StageSchedule &schedule, const Split &step);

/// The directive that marks a loop with this type.
const char *name_of(ForType type);

} // namespace fluorite::schedule
