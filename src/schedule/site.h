#pragma once
// Sites in a loop nest, by dense ids.

#include "support/typed_id.h"

#include <compare>
#include <cstdint>

namespace fluorite::schedule {

/// A stage of a Func: 0 is its pure definition, k its k-th update.
struct StageId {
    FuncId func;
    int32_t stage = -1;
    constexpr auto operator<=>(const StageId &) const = default;
};

/// A loop of a stage, by its position: 0 is innermost. The number of loops stands for the place outside all of them.
using LoopId = TypedId<struct LoopTag>;
/// The loop that is so many loops further out.
constexpr LoopId outward(LoopId loop, int32_t loops = 1) { return LoopId(loop.value + loops); }

/// A site inside loop `loop` (0 is innermost) of stage `stage` of Func `func`. loop == number of loops: inside the
/// stage but outside all its loops; without a func: root, outside everything.
struct Site {
    FuncId func;
    int32_t stage = -1;
    LoopId loop;
    static constexpr Site root() { return {}; }
    constexpr bool is_root() const { return !func.valid(); }
    constexpr StageId stage_id() const { return {func, stage}; }
    constexpr bool is_in(FuncId of, int32_t its_stage) const { return func == of && stage == its_stage; }
    /// The site of the next outer loop of the stage, or of the place outside all of them.
    constexpr Site outward() const { return {func, stage, schedule::outward(loop)}; }
    /// Whether both are in the nest of one stage.
    constexpr bool shares_nest(const Site &other) const { return is_in(other.func, other.stage); }
    constexpr auto operator<=>(const Site &) const = default;
};

} // namespace fluorite::schedule
