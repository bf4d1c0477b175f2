#pragma once
// The pipeline of the directives' examples (DirectiveRow::example): two stages of a blur, and an update over them.

#include "fluorite/fluorite.h"

namespace fluorite {

/// Each instance has the same algorithm, without a schedule.
struct ExamplePipeline {
    ImageParam input{UInt(16), 2, "input"};
    Param<int> p{"p"};
    Func blur_x{"blur_x"}, blur_y{"blur_y"}, total{"total"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    RDom r{0, 5, 0, 3, "r"};
    Pipeline pipeline;

    ExamplePipeline() {
        p.set(4);
        blur_x(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / cast<uint16_t>(3);
        blur_y(x, y) = (blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2)) / cast<uint16_t>(3);
        total(x, y) = cast<int>(0);
        total(x, y) += cast<int>(blur_y(x + r.x, y + r.y)) * p;
        pipeline = Pipeline(total);
    }
};

} // namespace fluorite
