#pragma once
// A place in the loop nest.

#include <compare>
#include <cstdint>

namespace fluorite::loopnest {

/// Inside loop `loop` (0 is innermost) of stage `stage` of Func `func`; loop == number of loops: inside the stage but
/// outside of all its loops; func < 0: root, outside of everything.
struct Site {
    int32_t func = -1, stage = -1, loop = -1;
    static Site root() { return {}; }
    bool is_root() const { return func < 0; }
    auto operator<=>(const Site &) const = default;
};

} // namespace fluorite::loopnest
