#pragma once
// Sites in a loop nest, by dense ids.

#include "support/typed_id.h"

#include <compare>
#include <cstdint>

namespace fluorite::schedule {

using fluorite::LoopId;
using fluorite::outward;
using fluorite::StageId;

/// A site inside loop `loop` (0 is innermost) of a stage. loop == number of loops: inside the stage but outside all its
/// loops; without a stage: root, outside everything.
struct Site {
    StageId stage;
    LoopId loop;
    static constexpr Site root() { return {}; }
    constexpr bool is_root() const { return !stage.func.valid(); }
    constexpr FuncId func() const { return stage.func; }
    /// The site of the next outer loop of the stage, or of the place outside all of them.
    constexpr Site outward() const { return {stage, fluorite::outward(loop)}; }
    /// Whether both are in the nest of one stage.
    constexpr bool shares_nest(const Site &other) const { return stage == other.stage; }
    constexpr auto operator<=>(const Site &) const = default;
};

} // namespace fluorite::schedule
