#pragma once
// Steps between the levels of a pyramid, for Funcs of x, y and `more` dimensions. Compiles against Fluorite and against
// the peer.

#include <Halide.h>

#include <string>
#include <vector>

namespace apps {

/// Calls a Func at x, y and the further dimensions.
class Reader {
  public:
    Reader(Halide::Func func, std::vector<Halide::Var> more) : func_(std::move(func)), more_(std::move(more)) {}
    Halide::Expr operator()(Halide::Expr x, Halide::Expr y) const {
        std::vector<Halide::Expr> at = {std::move(x), std::move(y)};
        at.insert(at.end(), more_.begin(), more_.end());
        return func_(at);
    }

  private:
    Halide::Func func_;
    std::vector<Halide::Var> more_;
};

inline std::vector<Halide::Var> with(Halide::Var x, Halide::Var y, const std::vector<Halide::Var> &more) {
    std::vector<Halide::Var> all = {x, y};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// 1 3 3 1 along both axes: pixel i of the result lies between 2i and 2i + 1.
inline Halide::Func down_1331(const Halide::Func &fine, const std::string &name,
                              const std::vector<Halide::Var> &more = {}) {
    using namespace Halide;
    Var x("x"), y("y");
    Func across(name + "_x"), coarse(name);
    const Reader from(fine, more), row(across, more);
    across(with(x, y, more)) =
        (from(2 * x - 1, y) + 3.0f * (from(2 * x, y) + from(2 * x + 1, y)) + from(2 * x + 2, y)) / 8;
    coarse(with(x, y, more)) = (row(x, 2 * y - 1) + 3.0f * (row(x, 2 * y) + row(x, 2 * y + 1)) + row(x, 2 * y + 2)) / 8;
    return coarse;
}

/// The linear interpolation between such pixels.
inline Halide::Func up_1331(const Halide::Func &coarse, const std::string &name,
                            const std::vector<Halide::Var> &more = {}) {
    using namespace Halide;
    Var x("x"), y("y");
    Func across(name + "_x"), fine(name);
    const Reader from(coarse, more), row(across, more);
    across(with(x, y, more)) = 0.25f * from(x / 2 - 1 + 2 * (x % 2), y) + 0.75f * from(x / 2, y);
    fine(with(x, y, more)) = 0.25f * row(x, y / 2 - 1 + 2 * (y % 2)) + 0.75f * row(x, y / 2);
    return fine;
}

/// The number of pixels of level `level` that lie inside the picture.
inline Halide::Expr pixels_at(const Halide::Expr &count, int level) { return (count + (1 << level) - 1) >> level; }

/// Level `level`, continued by its edge: below it no coarser level asks for pixels further and further outside.
inline Halide::Func fenced(const Halide::Func &fine, int level, const Halide::ImageParam &input) {
    return Halide::BoundaryConditions::repeat_edge(
        fine, {{0, pixels_at(input.width(), level)}, {0, pixels_at(input.height(), level)}});
}

/// The level from which the next one is made with a fence.
constexpr int fenced_level = 3;

} // namespace apps
