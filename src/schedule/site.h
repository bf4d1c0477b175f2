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

/// A site inside loop `loop` (0 is innermost) of stage `stage` of Func `func`. loop == number of loops: inside the
/// stage but outside all its loops; func < 0: root, outside everything.
struct Site {
    int32_t func = -1, stage = -1, loop = -1;
    static constexpr Site root() { return {}; }
    constexpr bool is_root() const { return func < 0; }
    constexpr StageId stage_id() const { return {FuncId(func), stage}; }
    constexpr auto operator<=>(const Site &) const = default;
};

} // namespace fluorite::schedule
