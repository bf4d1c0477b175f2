#pragma once
// Pipelines that more than one case measures.
#include <Halide.h>

#include <vector>

namespace bench {

/// The 3x3 box blur of 16-bit pixels, in tiles of 256x32: both stages in vectors of 32, rows of tiles in parallel, the
/// horizontal stage computed for each tile. The input has two columns and two rows more than the output. `salt` makes
/// the pipeline differ from its earlier builds, so that nothing compiled for those can serve it.
inline Halide::Func blur(const Halide::Buffer<uint16_t> &input, int salt = 0) {
    using namespace Halide;
    Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    Func source = Func("source"), horizontal("horizontal"), vertical("vertical");
    source(x, y) = input(x, y) + cast<uint16_t>(salt);
    horizontal(x, y) = (source(x, y) + source(x + 1, y) + source(x + 2, y)) / 3;
    vertical(x, y) = (horizontal(x, y) + horizontal(x, y + 1) + horizontal(x, y + 2)) / 3;
    vertical.tile(x, y, xo, yo, xi, yi, 256, 32).vectorize(xi, 32).parallel(yo);
    horizontal.compute_at(vertical, xo).vectorize(x, 32);
    return vertical;
}

/// A chain of 3-tap stages, in x and in y by turns; every third one is computed at root in vectors of 8. The input has
/// `stages` columns and rows more than the output. The weights are powers of two: no contraction changes the result.
inline Halide::Func stencil_chain(const Halide::Buffer<float> &input, int stages, int salt = 0) {
    using namespace Halide;
    Var x("x"), y("y");
    Func before("source");
    before(x, y) = input(x, y) + static_cast<float>(salt);
    for (int i = 1; i <= stages; ++i) {
        Func stage("stage" + std::to_string(i));
        if (i % 2 == 1) {
            stage(x, y) = 0.25f * before(x, y) + 0.5f * before(x + 1, y) + 0.25f * before(x + 2, y);
        } else {
            stage(x, y) = 0.25f * before(x, y) + 0.5f * before(x, y + 1) + 0.25f * before(x, y + 2);
        }
        if (i % 3 == 0) {
            stage.compute_root().vectorize(x, 8);
        }
        before = stage;
    }
    return before;
}

} // namespace bench
