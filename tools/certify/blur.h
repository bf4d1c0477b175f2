#pragma once
// The pipeline that examples and measurements schedule in several ways.

#include "fluorite/fluorite.h"

namespace fluorite::certify_tool {

/// A blur of 3 x 3 points in two stages.
struct Blur {
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func across{"across"}, down{"down"};
    Blur() {
        across(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y);
        down(x, y) = (across(x, y) + across(x, y + 1) + across(x, y + 2)) / 9;
    }
};

} // namespace fluorite::certify_tool
