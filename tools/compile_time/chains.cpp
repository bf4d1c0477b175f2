// Chains: n stages, each of which reads rows of the one before it.
//
// The placements are all those that a chain can have: at root, inlined, at a row or a pixel of the next stage, with and
// without a window that slides, in tiles or strips of the last stage. The first stage reads an image beyond its edges,
// so each loop over rows has a boundary and an interior.

#include "kinds.h"

#include <functional>
#include <string>

namespace fluorite::compile_time::chains {

namespace {

const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");

using Stages = std::vector<Func>; // the source first, the output last
using Step = std::function<Expr(const Func &before, int index)>;

Func source() {
    Func first("source");
    first(x, y) = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input"))(x, y);
    return first;
}

Stages chain(int length, const Step &step, Func first = source()) {
    Stages stages = {std::move(first)};
    for (int i = 1; i <= length; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = step(stages.back(), i);
        stages.push_back(stage);
    }
    return stages;
}

Expr three_rows(const Func &f, int) { return f(x, y - 1) + f(x, y) + f(x, y + 1); }
Expr cross(const Func &f, int i) { return f(x, y) * 3 + (i % 2 ? f(x + 1, y) : f(x, y + 1)); }
Expr diagonal(const Func &f, int) { return f(x - 1, y) * 3 + f(x + 1, y + 1); }

/// Places each stage but the source and the last, given the next one.
Pipeline placed(const Stages &stages, const std::function<void(Func &stage, Func &next)> &place) {
    for (size_t i = 1; i + 1 < stages.size(); i++) {
        Func stage = stages[i], next = stages[i + 1];
        place(stage, next);
    }
    return Pipeline(stages.back());
}

Pipeline at_root(int n) {
    Stages stages = chain(n, cross);
    for (Func &stage : stages) {
        stage.compute_root().vectorize(x, 8);
    }
    return Pipeline(stages.back());
}
/// Two reads of one point each, so that a chain of n has n distinct values.
Pipeline inlined(int n) {
    return Pipeline(chain(n, [](const Func &f, int i) { return f(x, y) * f(x, y) + i; }).back());
}
Pipeline at_rows(int n) {
    return placed(chain(n, three_rows), [](Func &f, Func &next) { f.compute_at(next, y); });
}
Pipeline window_at_rows(int n) {
    return placed(chain(n, three_rows), [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}
Pipeline window_of_two_rows(int n) {
    return placed(chain(n, [](const Func &f, int) { return f(x, y - 1) + f(x, y); }),
                  [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}
Pipeline window_of_one_row(int n) {
    return placed(chain(n, [](const Func &f, int) { return f(x, y) * 2; }),
                  [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}
Pipeline window_of_coordinates(int n) {
    Func first("source");
    first(x, y) = x + y;
    return placed(chain(n, three_rows, first), [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}
Pipeline window_of_vectors(int n) {
    return placed(chain(n, three_rows),
                  [](Func &f, Func &next) { f.store_root().compute_at(next, y).vectorize(x, 8); });
}
Pipeline window_at_outermost(int n) {
    return placed(chain(n, three_rows),
                  [](Func &f, Func &next) { f.store_at(next, Var::outermost()).compute_at(next, y); });
}
Pipeline at_pixels(int n) {
    return placed(chain(n, diagonal), [](Func &f, Func &next) { f.compute_at(next, x); });
}
Pipeline window_at_pixels(int n) {
    return placed(chain(n, three_rows), [](Func &f, Func &next) { f.store_root().compute_at(next, x); });
}
Pipeline in_tiles(int n) {
    Stages stages = chain(n, diagonal);
    Func last = stages.back();
    last.tile(x, y, xo, yo, xi, yi, 64, 32).vectorize(xi, 8).parallel(yo);
    return placed(stages, [&](Func &f, Func &) { f.compute_at(last, xo).vectorize(x, 8); });
}
Pipeline in_strips(int n) {
    Stages stages = chain(n, three_rows);
    Func last = stages.back();
    last.split(y, yo, yi, 64).parallel(yo).vectorize(x, 8);
    return placed(stages, [&](Func &f, Func &) { f.store_at(last, yo).compute_at(last, yi).vectorize(x, 8); });
}
/// Each stage in tiles of its own, with what it reads in them.
Pipeline tiles_in_tiles(int n) {
    Stages stages = chain(n, diagonal);
    for (size_t i = 1; i < stages.size(); i++) {
        stages[i].tile(x, y, xo, yo, xi, yi, 64, 8);
    }
    return placed(stages, [](Func &f, Func &next) { f.compute_at(next, yo); });
}

Pipeline guarded_splits(int n) {
    Stages stages = chain(n, three_rows);
    for (size_t i = 1; i < stages.size(); i++) {
        stages[i].compute_root().split(y, yo, yi, 7, TailStrategy::GuardWithIf);
    }
    return Pipeline(stages.back());
}
Pipeline guarded_splits_at_rows(int n) {
    Stages stages = chain(n, three_rows);
    for (size_t i = 1; i < stages.size(); i++) {
        stages[i].split(y, yo, yi, 7, TailStrategy::GuardWithIf);
    }
    return placed(stages, [](Func &f, Func &next) { f.compute_at(next, yo); });
}

/// Every second stage has half of the rows and columns of its input, the next one twice as many.
Expr down_and_up(const Func &f, int i) {
    return i % 2 ? f(2 * x, 2 * y) + f(2 * x + 1, 2 * y + 1) : f(x / 2, y / 2) + f((x + 1) / 2, (y + 1) / 2);
}
Pipeline strides_of_two(int n) {
    Stages stages = chain(n, down_and_up);
    for (Func &stage : stages) {
        stage.compute_root().vectorize(x, 8);
    }
    return Pipeline(stages.back());
}
Pipeline strides_of_two_at_rows(int n) {
    return placed(chain(n, down_and_up), [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}

using Boundary = Func (*)(const Func &, const Region &);
Func repeated_edge(const Func &f, const Region &box) { return BoundaryConditions::repeat_edge(f, box); }
Func repeated(const Func &f, const Region &box) { return BoundaryConditions::repeat_image(f, box); }
Func mirrored(const Func &f, const Region &box) { return BoundaryConditions::mirror_image(f, box); }
Func mirrored_inside(const Func &f, const Region &box) { return BoundaryConditions::mirror_interior(f, box); }
Func zero_outside(const Func &f, const Region &box) { return BoundaryConditions::constant_exterior(f, 0, box); }

/// A boundary condition for each stage, on the box of the input.
template <Boundary boundary> Stages bounded_chain(int n) {
    ImageParam input(Int(32), 2, "input");
    const Region box = {{0, input.width()}, {0, input.height()}};
    Func first("source");
    first(x, y) = input(x, y);
    return chain(
        n,
        [&](const Func &f, int) {
            const Func f_bounded = boundary(f, box);
            return f_bounded(x - 1, y - 1) + f_bounded(x, y) * 3 + f_bounded(x + 1, y + 1);
        },
        first);
}
template <Boundary boundary> Pipeline bounded_at_root(int n) {
    Stages stages = bounded_chain<boundary>(n);
    for (size_t i = 1; i < stages.size(); i++) {
        stages[i].compute_root().vectorize(x, 8);
    }
    return Pipeline(stages.back());
}
template <Boundary boundary> Pipeline bounded_at_rows(int n) {
    return placed(bounded_chain<boundary>(n), [](Func &f, Func &next) { f.store_root().compute_at(next, y); });
}

/// A pyramid of n levels down and n levels up with a blend on each, ten Funcs a level, all at root.
Pipeline pyramid(int levels) {
    auto clamped = BoundaryConditions::repeat_edge(ImageParam(Float(32), 2, "input"));
    std::vector<Func> down(static_cast<size_t>(levels));
    Func level("level0");
    level(x, y) = clamped(x, y);
    for (int i = 0; i < levels; i++) {
        down[static_cast<size_t>(i)] = level;
        Func across("across" + std::to_string(i)), next("down" + std::to_string(i));
        across(x, y) = (level(2 * x - 1, y) + 3 * (level(2 * x, y) + level(2 * x + 1, y)) + level(2 * x + 2, y)) / 8;
        next(x, y) = (across(x, 2 * y - 1) + 3 * (across(x, 2 * y) + across(x, 2 * y + 1)) + across(x, 2 * y + 2)) / 8;
        level.compute_root().vectorize(x, 8);
        level = next;
    }
    for (int i = levels; i-- > 0;) {
        const std::string n = std::to_string(i);
        Func across("up_across" + n), up("up" + n), detail("detail" + n), gain("gain" + n), sum("sum" + n);
        across(x, y) = 0.25f * level(x / 2 - 1 + 2 * (x % 2), y) + 0.75f * level(x / 2, y);
        up(x, y) = 0.25f * across(x, y / 2 - 1 + 2 * (y % 2)) + 0.75f * across(x, y / 2);
        detail(x, y) = down[static_cast<size_t>(i)](x, y) - up(x, y);
        gain(x, y) = detail(x, y) * 1.5f + detail(x + 1, y) * 0.1f;
        sum(x, y) = up(x, y) + gain(x, y);
        level.compute_root().vectorize(x, 8);
        detail.compute_root().vectorize(x, 8);
        level = sum;
    }
    return Pipeline(level);
}

} // namespace

std::vector<Kind> kinds() {
    return {
        {"chain: compute_root", "stages", at_root},
        {"chain: inline", "stages", inlined},
        {"chain: compute_at row", "stages", at_rows},
        {"chain: store_root, compute_at row", "stages", window_at_rows},
        {"chain: the same, two rows each", "stages", window_of_two_rows},
        {"chain: the same, one row each", "stages", window_of_one_row},
        {"chain: the same, of coordinates", "stages", window_of_coordinates},
        {"chain: the same, in vectors", "stages", window_of_vectors},
        {"chain: store_at outermost, compute_at row", "stages", window_at_outermost},
        {"chain: compute_at pixel", "stages", at_pixels},
        {"chain: store_root, compute_at pixel", "stages", window_at_pixels},
        {"chain: in tiles of the last", "stages", in_tiles},
        {"chain: windows in strips of the last", "stages", in_strips},
        {"chain: tiles in tiles", "stages", tiles_in_tiles},
        {"chain: GuardWithIf at root", "stages", guarded_splits},
        {"chain: GuardWithIf at rows", "stages", guarded_splits_at_rows},
        {"chain: strides of 2 at root", "stages", strides_of_two},
        {"chain: strides of 2 at rows", "stages", strides_of_two_at_rows},
        {"boundary: repeat_edge at root", "stages", bounded_at_root<repeated_edge>},
        {"boundary: repeat_image at root", "stages", bounded_at_root<repeated>},
        {"boundary: mirror_image at root", "stages", bounded_at_root<mirrored>},
        {"boundary: mirror_interior at root", "stages", bounded_at_root<mirrored_inside>},
        {"boundary: constant_exterior at root", "stages", bounded_at_root<zero_outside>},
        {"boundary: repeat_edge at rows", "stages", bounded_at_rows<repeated_edge>},
        {"boundary: repeat_image at rows", "stages", bounded_at_rows<repeated>},
        {"boundary: mirror_image at rows", "stages", bounded_at_rows<mirrored>},
        {"boundary: mirror_interior at rows", "stages", bounded_at_rows<mirrored_inside>},
        {"boundary: constant_exterior at rows", "stages", bounded_at_rows<zero_outside>},
        {"pyramid", "levels", pyramid, 16},
    };
}

} // namespace fluorite::compile_time::chains
