#pragma once
// Which directives on loops a stage takes: one set of rules, which answers with a value.

#include "schedule/carried_dependences.h"
#include "schedule/directives/directives.h"

#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// Legal, or the rule that a directive breaks and what it breaks it at. Names are those of the question.
struct LoopVerdict {
    enum class Rule : uint8_t {
        None,
        UnknownLoop,       // a directive names loops of the stage; `name` is none
        NameTaken,         // loops of a stage have distinct names; `name` is another loop's
        SamePartNames,     // so have the parts of a split
        FuseWithItself,    // fuse joins two loops
        FactorType,        // a factor is an integer,
        FactorValue,       // is known before the loops run,
        FactorNotPositive, // is 1 or more: `number` is not,
        FactorTooLarge,    // and fits coordinates: `number` does not
        SplitOfMarked,     // a loop is split before it is marked other than parallel: `loop` is
        FuseOfMarked,      // and fused before
        NoSuchTail,        // a tail is one of TailStrategy's
        TailOnRVar,        // an iteration of a reduction happens exactly once
        ShiftInUpdate,     // an update that runs twice on a point changes it twice
        LoadsOfPart,       // stores of a part of another split could fall on points of other pieces
        CutOfPrefetched,   // a prefetch names `name`, which would be gone
        SkewByItself,      // skew adds the value of another loop
        SkewOfMarked,      // loops are skewed before they are marked: `loop` is
        SkewFactor,        // the factor of skew is a constant other than 0, within +-most_factor
        TailOfSkewed,      // loops of a skew have ranges without excess: no tail goes beyond them
        BlendAtOnce,       // loop `name` would run at once around split `split`, whose tail is blended
        RepeatedLoop,      // each loop has one place: `name` is there twice
        ReductionOrder,    // loop `loop` of a reduction would move inside of `other`, and the order counts
        MarkedTwice,       // a loop runs in one way: `loop` is marked
        DependentAtOnce,   // iterations that run at once are independent, or commute
        RaceAtOnce,        // and update points of their own
        TooWide,           // a vector has at most schedule/limits.h lanes: `number` are more
        TooLong,           // and an unrolled loop so many copies
    };
    Rule broken = Rule::None;
    const char *directive = "";        // that breaks it; one by a factor is a split and a mark
    const std::string *name = nullptr; // of a loop
    int loop = -1, other = -1;         // innermost first
    int split = -1;                    // the stage's; -1: the one that is asked for
    int64_t number = 0;
    constexpr explicit operator bool() const { return broken == Rule::None; }
};

/// The loops of one stage, as its schedule has them when a question is asked. Where factors are constants, questions
/// are answered without a throw or an allocation, but for what the first one keeps for the next: that the update
/// commutes is proved once, so that the definition must stay as it is.
class LoopRules {
  public:
    /// The stage lives longer than this.
    explicit LoopRules(const StageRef &stage) : stage_(&stage), schedule_(*stage.schedule) {}
    /// Of a schedule alone, which answers where loops come from.
    explicit LoopRules(const StageSchedule &schedule) : schedule_(schedule) {}

    LoopVerdict split(const std::string &old_var, const std::string &outer, const std::string &inner,
                      const Expr &factor, TailStrategy tail) const noexcept;
    /// Whether the loop that split_and_mark cuts keeps a mark that it has, on the outer part: loops over blocks and
    /// threads of a device do where the inner part gets another one, as in gpu_tile(x, xi, 64).vectorize(xi, 4).
    static bool keeps_mark_of_outer(ForType has, ForType gets) {
        return runs_on_device(has) && (gets == ForType::Vectorized || gets == ForType::Unrolled);
    }
    LoopVerdict fuse(const std::string &inner, const std::string &outer, const std::string &fused) const noexcept;
    LoopVerdict rename(const std::string &old_name, const std::string &new_name) const noexcept;
    LoopVerdict skew(const std::string &old_var, const std::string &by, const std::string &skewed,
                     const Expr &factor) const noexcept;
    LoopVerdict reorder(std::span<const std::string> vars) const noexcept;
    LoopVerdict mark(const std::string &var, ForType type) const noexcept;
    /// vectorize, unroll and parallel by a factor; `inner` is the name of the inner loop.
    LoopVerdict split_and_mark(const std::string &var, const std::string &inner, const Expr &factor, ForType type,
                               TailStrategy tail) const noexcept;
    LoopVerdict partition(std::span<const std::string> vars, const char *directive) const noexcept;

    /// The legal alternatives: the tails that a split of the loop may have, and the ways in which it may run.
    std::bitset<16> legal_tails(const std::string &old_var) const noexcept;
    std::bitset<8> legal_types(const std::string &var) const noexcept;

    /// Whether a loop is around the pieces of split `blend`, which overlap where its tail is blended.
    bool is_around(size_t blend, const std::string &var) const;
    /// Whether a loop of now is a part that a split has made, or a loop that a skew has made or shifted by; or stems
    /// from one.
    bool stems_from(Split::Kind kind, const std::string &var) const;
    /// As the function of directives/common.h, kept.
    bool commutes() const;
    /// The dependences of the update, kept; null if their distances are not constant.
    const CarriedDependences *dependences() const;
    /// Whether iterations of the loop, among which there are dependences, have none while the loops around it are
    /// fixed.
    bool is_independent(size_t loop) const;

  private:
    const StageRef *stage_ = nullptr;
    const StageSchedule &schedule_;
    mutable std::optional<bool> commutes_;
    mutable std::optional<CarriedDependences> dependences_;
    mutable bool has_looked_for_dependences_ = false;
    mutable std::vector<const std::string *> names_, others_;
    mutable std::vector<size_t> places_, sorted_, order_, before_, after_;

    const StageSchedule &schedule() const { return schedule_; }
    std::optional<size_t> find(const std::string &var) const;
    bool has_name(const std::string &name, const std::string &except) const;
    void step_back(const Split &split, std::vector<const std::string *> &names) const;
    bool share_origin(size_t end, const std::string &var) const;

    LoopVerdict factor_of(const Expr &factor, const char *directive) const;
    LoopVerdict cut(const std::string &old_var, const std::string &outer, const std::string &inner,
                    const Expr &factor) const noexcept;
    LoopVerdict tail_of_split(const std::string &old_var, const std::string &outer, const std::string &inner,
                              TailStrategy tail) const noexcept;
    LoopVerdict tail_of(const std::string &var, const LoopDim &dim, TailStrategy tail) const;
    LoopVerdict blends_of_split(const std::string &old_var, TailStrategy tail) const;
    LoopVerdict blends_of_mark(const std::string &var, const LoopDim &dim, ForType type) const;
    LoopVerdict order_of(const char *directive) const;
    LoopVerdict dependence_of(size_t position, ForType type) const;
    bool keeps_dependences(const StageSchedule &schedule, std::span<const size_t> order) const;
    LoopVerdict moved_inside(const char *directive, size_t moved, size_t around) const;
    LoopVerdict marks_after(const Split &step, const char *directive) const;
    LoopVerdict length_of(std::optional<int64_t> length, const std::string &var, ForType type) const;
};

/// What a refusal says: its slug, and the text without the stage. `call` has what the directive was given.
struct LoopCall {
    std::string var = {}; // the loop that is split, marked or renamed
    std::string outer = {}, inner = {}, fused = {};
    Expr factor = {};
    TailStrategy tail = TailStrategy::Auto;
    ForType type = ForType::Serial;
};
struct LoopRefusal {
    const char *slug;
    std::string text;
};
LoopRefusal refusal_of(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call);
/// The refusal in the name of the stage, where the verdict is not legal.
Verdict require(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call, const Location &location);
/// The same for a directive that edits the loops of the stage, which is refused on one that is unscheduled().
Verdict require_edit(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call, const char *directive,
                     const Location &location);

} // namespace fluorite::schedule
