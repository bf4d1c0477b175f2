// Fields whose coordinates wrap around, in passes of several steps: the domain is a circle. Every kind of tile, rank
// and body against the interpreter, on grids that are shorter than a pass reaches, too.
#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "fluorite/stencil.h"
#include "support/check.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::wrap_test {
namespace {

const Var x("x"), y("y"), z("z"), w("w");

constexpr TimeTileShape overlapped = TimeTileShape::Overlapped, wavefront = TimeTileShape::Wavefront,
                        diamond = TimeTileShape::Diamond;

struct Tiles {
    int steps = 3;
    std::vector<int> extents;
    TimeTileShape shape = overlapped;
    bool has_extents = true; // else time_tile(steps)
};

void set(Iterated &f, const Tiles &tiles) {
    if (tiles.has_extents) {
        f.time_tile(tiles.steps, tiles.extents, tiles.shape);
    } else {
        f.time_tile(tiles.steps);
    }
}

std::string text_of(const Tiles &tiles) {
    std::string text = concat(tiles.steps, " steps in tiles of shape ", static_cast<int>(tiles.shape));
    for (const int extent : tiles.extents) {
        text += concat(" ", extent);
    }
    return text;
}

/// Compares all fields after so many steps with those that the interpreter computes.
void expect_meaning(const Func &f, Param<int> &steps, const std::vector<int> &counts, const std::vector<int> &sizes,
                    const std::vector<int> &mins, const std::string &what) {
    for (const int count : counts) {
        steps.set(count);
        std::vector<Buffer<>> seen, meaning;
        std::vector<fluorite_buffer_t *> headers;
        for (const Type type : f.types()) {
            for (std::vector<Buffer<>> *all : {&seen, &meaning}) {
                all->emplace_back(type, sizes);
                all->back().set_min(mins);
            }
        }
        f.realize(Realization(seen));
        for (Buffer<> &buffer : meaning) {
            headers.push_back(buffer.raw_buffer());
        }
        interpret_into(f, headers, get_jit_target_from_environment().has_feature(Target::FMA));
        for (size_t i = 0; i < seen.size(); i++) {
            EXPECT_EQ(std::memcmp(seen[i].data(), meaning[i].data(), seen[i].size_in_bytes()), 0)
                << what << ", " << count << " steps, field " << i;
        }
    }
}

Func start(Type type, const std::vector<Var> &vars) {
    Expr value = 1;
    for (const Var &var : vars) {
        value = value * 7 + var;
    }
    Func initial("initial");
    initial(vars) = cast(type, (value * value) % 97);
    return initial;
}

/// A sum that reaches 2 points back and 1 forth along each dimension.
void check_stencil(Type type, const std::vector<int> &sizes, const std::vector<Tiles> &all) {
    const size_t rank = sizes.size();
    std::vector<int> mins;
    Region domain;
    std::vector<Var> vars = {x, y, z, w};
    vars.resize(rank);
    for (size_t d = 0; d < rank; d++) {
        mins.push_back(static_cast<int>(d) * 3 - 2);
        domain.emplace_back(mins[d], sizes[d]);
    }
    for (const Tiles &tiles : all) {
        Param<int> steps("steps");
        Iterated f = iterate(steps, domain, start(type, vars), [&](const IterationStep &s) {
            std::vector<std::vector<int>> offsets = {std::vector<int>(rank, 0)};
            for (size_t d = 0; d < rank; d++) {
                for (const int offset : {-2, 1}) {
                    offsets.emplace_back(rank, 0).at(d) = offset;
                }
            }
            return stencil(
                offsets,
                [&](const std::vector<Expr> &a) {
                    Expr sum = a[0] * cast(type, 3);
                    for (size_t i = 1; i < a.size(); i++) {
                        sum += a[i] * cast(type, static_cast<int>(i));
                    }
                    return sum + cast(type, s.t);
                },
                s.field(), StencilBoundary::wrap());
        });
        set(f, tiles);
        std::string what = text_of(tiles) + " of a grid of";
        for (const int size : sizes) {
            what += concat(" ", size);
        }
        expect_meaning(f, steps, {0, 1, 3, 8}, sizes, mins, what);
    }
}

TEST(Wrap, Lines) {
    check_stencil(Int(32), {41}, {{3, {5}, overlapped}, {3, {}, overlapped, false}, {3, {5}, wavefront}});
    check_stencil(UInt(8), {64}, {{4, {16}, diamond}, {5, {7}, overlapped}});
}
TEST(Wrap, Squares) {
    check_stencil(Float(32), {37, 29}, {{3, {16, 5}, overlapped}, {3, {}, overlapped, false}, {3, {0, 4}, wavefront}});
    check_stencil(Int(16), {45, 30}, {{2, {11, 0}, overlapped}, {3, {0, 13}, diamond}, {2, {9, 0}, diamond}});
    check_stencil(UInt(64), {33, 40}, {{0, {}, overlapped, false}, {4, {7, 0}, wavefront}});
}
TEST(Wrap, Cubes) {
    check_stencil(Float(64), {19, 7, 27}, {{3, {0, 3, 4}, overlapped}, {2, {}, overlapped, false}});
    check_stencil(Int(32), {18, 5, 24}, {{2, {0, 0, 5}, wavefront}, {3, {0, 0, 12}, diamond}});
}
TEST(Wrap, FourDimensions) {
    check_stencil(Int(8), {5, 4, 3, 14}, {{2, {0, 0, 2, 5}, overlapped}, {3, {}, diamond}, {2, {}, overlapped, false}});
}
TEST(Wrap, GridsThatAreShorterThanAPassReaches) {
    for (const int size : {1, 2, 3}) {
        check_stencil(Int(32), {size}, {{4, {2}, overlapped}});
        check_stencil(Float(32), {size, size},
                      {{5, {}, overlapped, false}, {3, {0, 1}, wavefront}, {3, {0, 1}, diamond}});
    }
    check_stencil(Float(32), {2, 17, 1}, {{4, {}, overlapped, false}});
}

/// A body, in several tiles, over a square whose size is a constant, or known at run time only.
void check_body(const std::string &name, const Func &initial, const IterationBody &body, const Func &before = Func(),
                bool has_constant_size = true) {
    for (const Tiles &tiles : {Tiles{3, {}, overlapped, false}, Tiles{3, {0, 20}, diamond}}) {
        Param<int> steps("steps");
        const Param<int> width("width", 21), height("height", 43);
        IterateOptions options;
        options.before = before;
        const Region domain = has_constant_size ? Region{{-1, 21}, {2, 43}} : Region{{-1, width}, {2, height}};
        Iterated f = iterate(steps, domain, initial, body, options);
        set(f, tiles);
        expect_meaning(f, steps, {1, 2, 7}, {21, 43}, {-1, 2}, concat(name, ", ", text_of(tiles)));
    }
}

Func wrapped(const Func &f, const IterationStep &s) { return BoundaryConditions::repeat_image(f, s.domain); }

TEST(Wrap, Coefficients) {
    Buffer<float> k(21, 43);
    k.set_min({-1, 2});
    k.for_each_element([&](int i, int j) { k(i, j) = static_cast<float>((i * 5 + j) % 8) / 8; });
    const auto body = [&](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func next("next");
        next(x, y) = u(x, y) + k(x, y) * (u(x - 1, y) - u(x, y + 2)) + cast<float>(y) + select(x == 3, 1.0f, 0.0f) +
                     s.field()(x, y);
        return next;
    };
    check_body("coefficients", start(Float(32), {x, y}), body);
    check_body("coefficients, of unknown size", start(Float(32), {x, y}), body, Func(), false);
}

TEST(Wrap, FuncsBetween) {
    check_body("a Func in rows of its own", start(Float(32), {x, y}), [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func slope("slope"), next("next");
        slope(x, y) = u(x, y + 1) - u(x, y - 1) * 2;
        next(x, y) = slope(x, y - 1) + slope(x + 1, y + 1) - u(x, y);
        return next;
    });
    check_body("two colours", start(Int(32), {x, y}), [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        const auto mean = [](const Func &f) { return (f(x - 1, y) + f(x + 1, y) + f(x, y - 1) * 3 + f(x, y + 1)) / 4; };
        Func red("red"), black("black");
        red(x, y) = select((x + y) % 2 == 0, mean(u), u(x, y));
        const Func of_red = wrapped(red, s);
        black(x, y) = select((x + y) % 2 != 0, mean(of_red), red(x, y));
        return black;
    });
    check_body("a sum over a window", start(Int(32), {x, y}), [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func sum("sum"), next("next");
        const RDom r(-1, 3, -2, 4);
        sum(x, y) += u(x + r.x, y + r.y);
        next(x, y) = sum(x, y) % 1000 - sum(x, y - 1) % 100;
        return next;
    });
    check_body("an update of the field", start(Int(32), {x, y}), [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func next("next");
        next(x, y) = u(x, y + 1);
        next(x, y) += u(x - 1, y) % 100 + y;
        return next;
    });
}

TEST(Wrap, OneDimensionOnly) {
    check_body("rows", start(Int(32), {x, y}), [](const IterationStep &s) {
        const Func u = BoundaryConditions::mirror_image(
            BoundaryConditions::repeat_image(s.field(), {{Expr(), Expr()}, s.domain[1]}),
            {s.domain[0], {Expr(), Expr()}});
        Func next("next");
        next(x, y) = u(x - 1, y) + u(x, y - 2) * 3 - u(x + 2, y + 1);
        return next;
    });
    check_body("columns", start(Int(32), {x, y}), [](const IterationStep &s) {
        const Func u = BoundaryConditions::repeat_edge(
            BoundaryConditions::repeat_image(s.field(), {s.domain[0], {Expr(), Expr()}}),
            {{Expr(), Expr()}, s.domain[1]});
        Func next("next");
        next(x, y) = u(x - 1, y) + u(x, y - 2) * 3 - u(x + 2, y + 1);
        return next;
    });
}

TEST(Wrap, SeveralFieldsAndPastSteps) {
    Func pulse("pulse");
    pulse(x, y) = Tuple(cast<float>((x * y) % 5), x + 2 * y);
    check_body("fields", pulse, [](const IterationStep &s) {
        const Func u = wrapped(s.field(0), s), v = wrapped(s.field(1), s);
        Func next("next");
        next(x, y) = Tuple(u(x, y - 1) * 0.5f + cast<float>(v(x + 1, y)), v(x, y + 2) - v(x - 1, y) + s.t);
        return next;
    });
    check_body(
        "past steps", pulse,
        [](const IterationStep &s) {
            const Func u = wrapped(s.field(0), s), v = wrapped(s.past(1), s);
            Func next("next");
            next(x, y) = Tuple(2 * u(x, y) - s.past(0)(x, y) + (u(x, y - 1) + u(x, y + 1) - 2 * u(x, y)) / 8,
                               v(x, y + 2) - s.field(1)(x, y));
            return next;
        },
        pulse);
}

TEST(Wrap, CoordinatesThatTheProgramWraps) {
    Param<int> steps("steps");
    for (const Tiles &tiles : {Tiles{3, {}, overlapped, false}, Tiles{3, {0, 12}, diamond}}) {
        Iterated f = iterate(steps, {{0, 19}, {0, 31}}, start(Int(32), {x, y}), [](const IterationStep &s) {
            const Func u = s.field();
            Func next("next");
            next(x, y) = u((x + 18) % 19, y) + u(x, (y + 30) % 31) * 3 + u(x, (y + 1) % 31) - u(x, (y + 65) % 31);
            return next;
        });
        set(f, tiles);
        expect_meaning(f, steps, {2, 3, 7}, {19, 31}, {0, 0}, text_of(tiles));
    }
}

TEST(Wrap, ReadsThatAreFar) {
    // The ends do not meet, or the body is not understood: passes compute whole steps.
    const auto check = [](const char *name, const IterationBody &body) {
        for (const Tiles &tiles : {Tiles{3, {}, overlapped, false}, Tiles{3, {0, 12}, diamond}}) {
            Param<int> steps("steps");
            Iterated f = iterate(steps, {{0, 19}, {0, 30}}, start(Int(32), {x, y}), body);
            set(f, tiles);
            expect_meaning(f, steps, {2, 3, 4}, {19, 30}, {0, 0}, concat(name, ", ", text_of(tiles)));
        }
    };
    check("another period", [](const IterationStep &s) {
        Func next("next");
        next(x, y) = s.field()(x, (y + 1) % 15) + s.field()(x, y);
        return next;
    });
    check("half of the distance", [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func next("next");
        next(x, y) = u(x, y / 2 - 1) + u(x, y) % 9;
        return next;
    });
    check("an edge that is clamped, too", [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s), v = BoundaryConditions::repeat_edge(s.field());
        Func next("next");
        next(x, y) = u(x, y - 1) + v(x, y + 1) % 9;
        return next;
    });
    check("a row that all points read", [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func next("next");
        next(x, y) = u(x, y - 1) + u(x, 3) % 9 + s.field()(x, 29) % 3;
        return next;
    });
    check("a Func that knows where it is", [](const IterationStep &s) {
        const Func u = wrapped(s.field(), s);
        Func weighted("weighted"), next("next");
        weighted(x, y) = u(x, y) % 50 * y;
        next(x, y) = weighted(x, y - 1) + weighted(x, y + 1);
        return next;
    });
}

TEST(Wrap, BodiesWithSchedules) {
    for (const TimeTileShape shape : {wavefront, diamond}) {
        Param<int> steps("steps");
        Iterated f = iterate(steps, {{0, 33}, {0, 50}}, start(Float(32), {x, y}), [&](const IterationStep &s) {
            const Func u = wrapped(s.field(), s);
            Func blur("blur"), next("next");
            blur(x, y) = u(x - 1, y) + 2 * u(x, y) + u(x + 1, y);
            next(x, y) = (blur(x, y - 1) + blur(x, y) + blur(x, y + 1)) / 12;
            next.vectorize(x, 8, TailStrategy::GuardWithIf);
            blur.compute_at(next, y).vectorize(x, 8);
            return next;
        });
        f.time_tile(4, {0, 12}, shape);
        expect_meaning(f, steps, {2, 4, 9}, {33, 50}, {0, 0}, "a body with a schedule");
    }
}

} // namespace
} // namespace fluorite::wrap_test
