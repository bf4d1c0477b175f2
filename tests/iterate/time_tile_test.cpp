// time_tile with extents and shapes: tiles of any dimensions, wavefronts and diamonds against the interpreter, for
// every boundary rule, rank and kind of body; refusals.
#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "fluorite/stencil.h"
#include "support/test_errors.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::time_tile_test {
namespace {

const Var x("x"), y("y"), z("z"), w("w");

struct Rule {
    const char *name;
    StencilBoundary boundary;
};

std::vector<Rule> rules() {
    return {{"edge", StencilBoundary::edge()},     {"zero", StencilBoundary::zero()},
            {"wrap", StencilBoundary::wrap()},     {"constant", StencilBoundary::constant(3)},
            {"mirror", StencilBoundary::mirror()}, {"mirror_interior", StencilBoundary::mirror_interior()}};
}

template <typename T> Func start(const std::vector<Var> &vars, int factor) {
    Expr value = 1;
    for (const Var &var : vars) {
        value = value * factor + var;
    }
    Func initial("initial");
    initial(vars) = cast<T>((value * value) % 97);
    return initial;
}

void expect_meaning(const Func &f, const std::vector<Buffer<>> &seen, const std::vector<Buffer<>> &meaning,
                    const std::string &what) {
    f.realize(Realization(seen));
    std::vector<fluorite_buffer_t *> headers;
    for (Buffer<> buffer : meaning) {
        headers.push_back(buffer.raw_buffer());
    }
    interpret_into(f, headers, get_jit_target_from_environment().has_feature(Target::FMA));
    for (size_t i = 0; i < seen.size(); i++) {
        EXPECT_EQ(std::memcmp(seen[i].data(), meaning[i].data(), seen[i].size_in_bytes()), 0) << what;
    }
}

template <typename T>
void expect_same(const Iterated &f, Param<int> &steps, const std::vector<int> &counts, const std::vector<int> &sizes,
                 const std::vector<int> &mins, const std::string &what) {
    for (const int count : counts) {
        steps.set(count);
        Buffer<T> seen(sizes), meaning(sizes);
        seen.set_min(mins);
        meaning.set_min(mins);
        expect_meaning(f, {seen}, {meaning}, concat(what, ", ", count, " steps"));
    }
}

/// Rules, as indices of rules().
constexpr int edge = 0, zero = 1, wrap = 2, constant = 3, mirror = 4, mirror_interior = 5;

struct Tiles {
    std::vector<int> extents;
    TimeTileShape shape;
    std::vector<int> under; // rules
};

/// An asymmetric stencil that reads 2 points back along the last dimension.
Func sum_of(const IterationStep &s, const StencilBoundary &boundary, int rank) {
    std::vector<std::vector<int>> offsets = {std::vector<int>(static_cast<size_t>(rank), 0)};
    for (int d = 0; d < rank; d++) {
        for (const int offset : {-1, 1, d + 1 == rank ? -2 : 1}) {
            offsets.push_back(offsets[0]);
            offsets.back()[static_cast<size_t>(d)] = offset;
        }
    }
    return stencil(
        offsets,
        [&](const std::vector<Expr> &a) {
            Expr sum = a[0] * 3;
            for (size_t i = 1; i < a.size(); i++) {
                sum += a[i] * static_cast<int>(i);
            }
            return sum + cast(sum.type(), s.t);
        },
        s.field(), boundary);
}

template <typename T> void check_tiles(const std::vector<int> &sizes, const std::vector<Tiles> &all) {
    std::vector<int> mins;
    Region domain;
    std::vector<Var> vars = {x, y, z, w};
    vars.resize(sizes.size());
    for (size_t d = 0; d < sizes.size(); d++) {
        mins.push_back(static_cast<int>(d) * 3 - 2);
        domain.emplace_back(mins[d], sizes[d]);
    }
    for (const Tiles &tiles : all) {
        for (const int index : tiles.under) {
            const Rule rule = rules()[static_cast<size_t>(index)];
            Param<int> steps("steps");
            Iterated f = iterate(steps, domain, start<T>(vars, 7), [&](const IterationStep &s) {
                return sum_of(s, rule.boundary, static_cast<int>(sizes.size()));
            });
            f.time_tile(3, tiles.extents, tiles.shape);
            expect_same<T>(f, steps, {0, 1, 2, 3, 7}, sizes, mins,
                           concat(rule.name, ", rank ", sizes.size(), ", shape ", static_cast<int>(tiles.shape)));
        }
    }
}

constexpr TimeTileShape overlapped = TimeTileShape::Overlapped, wavefront = TimeTileShape::Wavefront,
                        diamond = TimeTileShape::Diamond;

TEST(TimeTile, OfLines) {
    check_tiles<int>({41}, {{{5}, overlapped, {constant}},
                            {{5}, wavefront, {edge, wrap, mirror_interior}},
                            {{13}, diamond, {edge, zero, constant, mirror}}});
}
TEST(TimeTile, OfSquares) {
    check_tiles<int>(
        {37, 29},
        {{{16, 5}, overlapped, {mirror}}, {{0, 4}, wavefront, {mirror}}, {{0, 13}, diamond, {wrap, mirror_interior}}});
}
TEST(TimeTile, OfSquaresAcrossRows) {
    check_tiles<int>({45, 9}, {{{11, 0}, overlapped, {zero}}, {{7, 0}, wavefront, {edge}}, {{13, 0}, diamond, {edge}}});
}
TEST(TimeTile, OfCubes) {
    check_tiles<int>({19, 7, 27},
                     {{{0, 3, 4}, overlapped, {zero}}, {{0, 0, 5}, wavefront, {zero}}, {{0, 0, 1}, diamond, {edge}}});
}
TEST(TimeTile, OfFourDimensions) {
    check_tiles<int>({5, 4, 3, 14}, {{{0, 0, 2, 5}, overlapped, {edge}}, {{}, diamond, {edge}}});
}
TEST(TimeTile, OfTinyGrids) {
    for (const int size : {1, 3}) {
        check_tiles<int>({size, size}, {{{0, 2}, overlapped, {edge}}, {{0, 1}, wavefront, {mirror}}});
    }
}

TEST(TimeTile, BodiesWithSchedules) {
    for (const TimeTileShape shape : {wavefront, diamond}) {
        for (const int kind : shape == wavefront ? std::vector{0, 1} : std::vector{2, 3}) {
            Param<int> steps("steps");
            Iterated f = iterate(steps, {{0, 33}, {0, 50}}, start<float>({x, y}, 5), [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field());
                Func blur("blur"), next("next");
                const Var yi("yi");
                blur(x, y) = u(x - 1, y) + 2 * u(x, y) + u(x + 1, y);
                next(x, y) = (blur(x, y - 1) + blur(x, y) + blur(x, y + 1)) / 12;
                if (kind == 0) {
                    next.vectorize(x, 8, TailStrategy::GuardWithIf);
                } else if (kind == 1) {
                    next.split(y, y, yi, 4, TailStrategy::GuardWithIf).parallel(y).vectorize(x, 4);
                    blur.store_at(next, y).compute_at(next, yi).vectorize(x, 8);
                } else if (kind == 2) {
                    blur.compute_root();
                } else {
                    next.split(y, y, yi, 8, TailStrategy::ShiftInwards).vectorize(x, 8); // blocks may be too short
                }
                return next;
            });
            f.time_tile(4, {0, 12}, shape);
            expect_same<float>(f, steps, {2, 4, 9}, {33, 50}, {0, 0}, concat("schedule ", kind));
        }
    }
}

TEST(TimeTile, SeveralFieldsPastStepsAndInputs) {
    for (const TimeTileShape shape : {wavefront, diamond}) {
        for (const int height : {3, 31}) {
            Buffer<float> speed(14, height);
            speed.for_each_element([&](int i, int j) { speed(i, j) = static_cast<float>((i * 5 + j) % 4) / 8; });
            Param<int> steps("steps");
            Func pulse("pulse");
            pulse(x, y) = Tuple(cast<float>((x * y) % 5), x + 2 * y);
            IterateOptions options;
            options.before = pulse;
            Iterated f = iterate(
                steps, {{0, 14}, {0, height}}, pulse,
                [&](const IterationStep &s) {
                    const Func u = BoundaryConditions::mirror_image(s.field(0)), old = s.past(0);
                    Func next("next");
                    next(x, y) = Tuple(2 * u(x, y) - old(x, y) +
                                           speed(x, y) * (u(x, y - 2) + u(x, y + 2) + u(x - 1, y) - 3 * u(x, y)) +
                                           select(x == 3 && y == 1, cast<float>(s.t), 0.0f),
                                       s.past(1)(x, y) + s.field(1)(x, clamp(y + 1, 0, height - 1)));
                    return next;
                },
                options);
            f.time_tile(4, {0, 17}, shape);
            for (const int count : {0, 1, 2, 4, 5, 11}) {
                steps.set(count);
                Buffer<float> a(14, height), b(14, height);
                Buffer<int> c(14, height), d(14, height);
                expect_meaning(f, {a, c}, {b, d}, concat(count, " steps of height ", height));
            }
        }
    }
}

TEST(TimeTile, FieldsThatAreReadOneStepLaterOnly) {
    // The second field is not read, but its past is; the first one's is not.
    for (const int tile : {2, 3}) {
        Param<int> steps("steps");
        Func pair("pair");
        pair(x) = Tuple(x % 5, x * 2);
        IterateOptions options;
        options.before = pair;
        Iterated f = iterate(
            steps, {{0, 23}}, pair,
            [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field(0)),
                           v = BoundaryConditions::mirror_image(s.past(1));
                Func next("next");
                next(x) = Tuple(u(x - 1) + 2 * u(x + 1), v(x + 2) - u(x));
                return next;
            },
            options);
        f.time_tile(tile, {6});
        for (const int count : {1, 2, 3, 7}) {
            steps.set(count);
            Buffer<int> a(23), b(23), c(23), d(23);
            expect_meaning(f, {a, c}, {b, d}, concat(count, " steps, ", tile, " a pass"));
        }
    }
}

TEST(TimeTile, StepsThatNeedAllOfTheDomain) {
    // A sum over the domain, coordinates in reverse, and an update that runs over the whole line.
    for (const TimeTileShape shape : {wavefront, diamond}) {
        for (const int kind : shape == wavefront ? std::vector{0, 1} : std::vector{2}) {
            Param<int> steps("steps");
            Iterated f = iterate(steps, {{0, 40}}, start<int>({x}, 3), [&](const IterationStep &s) {
                Func total("total"), next("next");
                const RDom r(0, 40);
                total() = 0;
                total() += s.field()(r) % 7;
                next(x) = kind == 0   ? s.field()(x) % 100 + total()
                          : kind == 1 ? s.field()(39 - x) + s.field()(x)
                                      : s.field()(x) * 2;
                if (kind == 2) {
                    next(x) += s.field()(clamp(x - 1, 0, 39));
                }
                return next;
            });
            f.time_tile(3, {6}, shape);
            expect_same<int>(f, steps, {1, 3, 8}, {40}, {0}, concat("kind ", kind));
        }
    }
}

// How far a step reads may depend on its index: directions that alternate, and a radius that grows.
TEST(TimeTile, StepsThatReadFartherThanTheFirst) {
    for (const TimeTileShape shape : {overlapped, wavefront, diamond}) {
        for (const bool alternates : {true, false}) {
            Param<int> steps("steps");
            Iterated f = iterate(steps, {{0, 9}, {0, 61}}, start<int>({x, y}, 5), [&](const IterationStep &s) {
                const Func u = alternates ? BoundaryConditions::repeat_edge(s.field())
                                          : BoundaryConditions::repeat_image(s.field());
                const Expr dy = alternates ? select(s.t % 2 == 0, 0, 1) : s.t % 3, dx = alternates ? 1 - dy : dy;
                Func next("next");
                next(x, y) = u(x - dx, y - dy) * 3 + u(x + dx, y + dy) - u(x, y) % 7;
                return next;
            });
            f.time_tile(3, {0, 15}, shape);
            expect_same<int>(f, steps, {2, 8}, {9, 61}, {0, 0}, concat("shape ", static_cast<int>(shape)));
        }
    }
}

TEST(TimeTile, RowsBetweenThatReadFieldsWithoutBoundaries) {
    // As on staggered grids: the rows of a strip's intermediate Func must not exceed a tile.
    for (const TimeTileShape shape : {overlapped, wavefront, diamond}) {
        Param<int> steps("steps");
        Func start_values("start_values");
        start_values(x, y) = Tuple(x % 5, x + 2 * y);
        Iterated f = iterate(steps, {{0, 21}, {0, 19}}, start_values, [](const IterationStep &s) {
            Func flux("flux"), next("next");
            flux(x, y) = s.field(1)(x, y) * 3 - s.field(0)(x, y);
            const Func outside = BoundaryConditions::constant_exterior(flux, 0, s.domain);
            next(x, y) = Tuple(s.field(0)(x, y) + outside(x, y) - outside(x, y - 1), flux(x, y) % 100);
            return next;
        });
        f.time_tile(3, {0, 7}, shape);
        for (const int count : {2, 3, 7}) {
            steps.set(count);
            Buffer<int> a(21, 19), b(21, 19), c(21, 19), d(21, 19);
            expect_meaning(f, {a, c}, {b, d}, concat("shape ", static_cast<int>(shape), ", ", count, " steps"));
        }
    }
}

TEST(TimeTile, ReadsTheInputAndWritesTheOutput) {
    Buffer<float> in(33, 70), out(33, 70), seen(33, 70);
    in.for_each_element([&](int i, int j) { in(i, j) = static_cast<float>((i * 31 + j * 17) % 23); });
    const Buffer<float> copy = in.copy();
    ImageParam image(Float(32), 2, "image");
    image.set(in);
    Param<int> steps("steps");
    const auto make = [&] {
        return iterate(steps, {{0, image.width()}, {0, image.height()}}, image, [&](const IterationStep &s) {
            const Func u = BoundaryConditions::repeat_edge(s.field());
            Func next("next");
            next(x, y) = (u(x, y - 1) + u(x - 1, y) + u(x, y + 1)) / 3;
            return next;
        });
    };
    Iterated plain = make();
    plain.time_tile(1);
    for (const TimeTileShape shape : {wavefront, diamond}) {
        Iterated f = make();
        f.time_tile(4, {0, 20}, shape);
        for (const int count : {2, 3, 4, 5, 9}) {
            image.set(in);
            steps.set(count);
            plain.realize(out);
            f.realize(seen);
            EXPECT_EQ(std::memcmp(out.data(), seen.data(), out.size_in_bytes()), 0) << count;
            EXPECT_EQ(std::memcmp(in.data(), copy.data(), in.size_in_bytes()), 0) << "the input is only read";
            Buffer<float> field = in.copy();
            image.set(field);
            f.realize(field);
            EXPECT_EQ(std::memcmp(out.data(), field.data(), out.size_in_bytes()), 0) << "in place";
        }
    }
}

/// The sizes of the parallel loops that run blocks of `next`.
std::vector<int> block_loops;
fluorite_do_par_for_t next_loop = nullptr;

int note_loop(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    if (name && std::string(name) == "next") {
        block_loops.push_back(size);
    }
    return next_loop(context, task, min, size, closure, name);
}

TEST(TimeTile, DiamondsRunAtOnceUnlessAStepReadsTooFar) {
    const auto loops_of = [](int length, const StencilBoundary &boundary, int far) {
        Iterated f = iterate(4, {{0, length}}, start<int>({x}, 3), [&](const IterationStep &s) {
            const Func u =
                stencil({{-far}, {1}}, [](const std::vector<Expr> &a) { return a[0] + a[1]; }, s.field(), boundary);
            Func next("next");
            next(x) = u(x);
            return next;
        });
        f.time_tile(4, {16}, diamond);
        block_loops.clear();
        next_loop = fluorite_set_custom_do_par_for(note_loop);
        f.realize({length});
        fluorite_set_custom_do_par_for(next_loop);
        return block_loops;
    };
    EXPECT_EQ(loops_of(64, StencilBoundary::edge(), 1), (std::vector{4, 3}));
    EXPECT_EQ(loops_of(64, StencilBoundary::constant(3), 1), (std::vector{4, 3}));
    EXPECT_EQ(loops_of(64, StencilBoundary::mirror(), 1), (std::vector{4, 3})) << "mirrored reads stay near";
    EXPECT_EQ(loops_of(64, StencilBoundary::mirror_interior(), 1), (std::vector{4, 3}));
    EXPECT_EQ(loops_of(72, StencilBoundary::zero(), 3), (std::vector{3, 2})) << "24 points at least";
    EXPECT_EQ(loops_of(64, StencilBoundary::wrap(), 1), (std::vector{4, 4})) << "and a gap where the ends meet";
    EXPECT_EQ(loops_of(24, StencilBoundary::wrap(), 3), std::vector<int>()) << "one block and one gap";
    EXPECT_EQ(loops_of(23, StencilBoundary::wrap(), 3), std::vector<int>()) << "whole steps";
    EXPECT_EQ(loops_of(15, StencilBoundary::edge(), 1), std::vector<int>()) << "one block";
    EXPECT_EQ(loops_of(64, StencilBoundary::edge(), 20), std::vector<int>()) << "whole steps";
}

Func two_iterations(Param<int> &steps) {
    Func sum("sum");
    std::vector<Func> parts;
    for (const char *name : {"first", "second"}) {
        IterateOptions options;
        options.name = name;
        parts.push_back(iterate(
            steps, {{0, 20}, {0, 40}}, start<int>({x, y}, 3),
            [](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field());
                Func next("next");
                next(x, y) = u(x, y - 1) + 3 * u(x - 1, y);
                return next;
            },
            options));
    }
    sum(x, y) = parts[0](x, y) - parts[1](x, y);
    return sum;
}

constexpr char schedule_begin[] = "fluorite schedule 1\n";

TEST(TimeTile, IsALineOfSchedules) {
    Param<int> steps("steps");
    const Buffer<int> expected = [&] {
        steps.set(7);
        return Buffer<int>(two_iterations(steps).realize({20, 40}));
    }();
    for (const std::string lines :
         {"first.time_tile(3)\n", "first.time_tile(1)\nsecond.time_tile(4, {0, 9})\n",
          "second.time_tile(2, {}, Diamond)\n", "sum.parallel(y)\nfirst.time_tile(5, {0, 2000000000}, Wavefront)\n"}) {
        Pipeline made(two_iterations(steps)), again(two_iterations(steps));
        const std::string text = concat(schedule_begin, lines, "end\n");
        made.apply(Schedule::parse(text));
        EXPECT_EQ(made.schedule().text(), text);
        again.apply(made.schedule());
        EXPECT_EQ(again.schedule(), made.schedule());
        EXPECT_EQ(again.schedule_tree().schedule().text(), text) << "a tree keeps tiles";
        const Buffer<int> seen = made.realize({20, 40});
        EXPECT_EQ(std::memcmp(seen.data(), expected.data(), seen.size_in_bytes()), 0) << lines;
        made.apply(Schedule());
        EXPECT_EQ(made.schedule().text(), concat(schedule_begin, "end\n")) << "a schedule replaces tiles";
    }
    Pipeline pipeline(two_iterations(steps));
    pipeline.apply(Schedule::parse(concat(schedule_begin, "second.time_tile(4, {0, 9}, Overlapped)\nend\n")));
    EXPECT_EQ(pipeline.schedule().text(), concat(schedule_begin, "second.time_tile(4, {0, 9})\nend\n"));
}

TEST(TimeTile, IsTheCallThatItsLineIs) {
    Iterated f =
        iterate(9, {{0, 4}, {0, 4}}, start<int>({x, y}, 3), [](const IterationStep &s) { return Func(s.field()); },
                {.before = {}, .until = {}, .name = "f"});
    f.time_tile(3, {0, 2}, diamond);
    EXPECT_EQ(Pipeline(f).schedule().text(), concat(schedule_begin, "f.time_tile(3, {0, 2}, Diamond)\nend\n"));
    f.time_tile(0);
    EXPECT_EQ(Pipeline(f).schedule().text(), concat(schedule_begin, "end\n"));
    f.time_tile(2);
    EXPECT_EQ(Pipeline(f).schedule().text(), concat(schedule_begin, "f.time_tile(2)\nend\n"));
}

TEST(TimeTile, RefusalsOfLines) {
    Param<int> steps("steps");
    const auto expect_refused = [&](const std::string &line, const std::string &slug, const std::string &text) {
        Pipeline pipeline(two_iterations(steps));
        pipeline.apply(Schedule::parse(concat(schedule_begin, "first.time_tile(3)\nend\n")));
        const Schedule before = pipeline.schedule();
        expect_error([&] { pipeline.apply(Schedule::parse(concat(schedule_begin, line, "\nend\n"))); }, slug.c_str(),
                     text);
        EXPECT_EQ(pipeline.schedule(), before) << "a refused schedule changes nothing";
    };
    expect_refused("sum.time_tile(3)", "schedule-mismatch",
                   "in the schedule, line 2, sum.time_tile(3): sum is not the result of iterate(); apply it to the "
                   "pipeline that it was made for, or change the line");
    expect_refused("first.time_tile(3, {0, 4, 2})", "iterate-time-tile",
                   "in the schedule, line 2, first.time_tile(3, {0, 4, 2}): in first: tiles have 3 extents, and its "
                   "fields 2 dimensions; each dimension has an extent, 0 if it is not cut; give as many");
    const std::string form = "; a line is func.directive(arguments) or func.update(k).directive(arguments); repair the "
                             "line, or remove it";
    expect_refused("first.time_tile(3, {0, 4}, Cone)", "schedule-syntax",
                   "in the schedule, line 2: 'Cone)' stands where Overlapped, Wavefront or Diamond is expected" + form);
    expect_refused("first.time_tile({4})", "schedule-syntax",
                   "in the schedule, line 2: '{4})' stands where a number of 0 or more is expected" + form);
    expect_refused(
        "first.time_tile(3)\nfirst.time_tile(4)", "schedule-syntax",
        "in the schedule, line 3: first.time_tile(4) gives a second time tile to the Func, after line 2; each "
        "line says something new; remove one of the two");
}

TEST(TimeTile, Refusals) {
    const Func initial = start<int>({x, y}, 3);
    const auto same = [](const IterationStep &s) { return Func(s.field()); };
    const auto make = [&] {
        return iterate(9, {{0, 4}, {0, 4}}, initial, same, {.before = {}, .until = {}, .name = "f"});
    };
    expect_error(
        [&] { make().time_tile(1, {0, 4}); }, "iterate-time-tile",
        "in f: a pass is to compute 1 step in tiles; a tile has several steps; give 2 or more, or no extents and "
        "no shape",
        {"time_tile_test.cpp"});
    expect_error(
        [&] { make().time_tile(-2, {0, 4}); }, "iterate-time-tile",
        "in f: a pass is to compute -2 steps; it computes one or more, and 0 leaves the choice to the compiler; "
        "give the number");
    expect_error(
        [&] { make().time_tile(1000); }, "iterate-time-tile",
        "in f: a pass is to compute 1000 steps; there are at most 64, as each may be compiled, and is computed "
        "again at the edges of tiles; give fewer");
    expect_error(
        [&] { make().time_tile(3, {4}); }, "iterate-time-tile",
        "in f: tiles have 1 extents, and its fields 2 dimensions; each dimension has an extent, 0 if it is not "
        "cut; give as many");
    expect_error(
        [&] { make().time_tile(3, {0, -4}); }, "iterate-time-tile",
        "in f: tiles have an extent of -4; an extent is a number of points, or 0 where tiles are not cut; give "
        "one of these");
    expect_error([&] { make().time_tile(3, {0, 0}); }, "iterate-time-tile",
                 "in f: tiles are to cut 0 dimensions; tiles cut one or more; give an extent above 0, or none at all");
    expect_error([&] { make().time_tile(3, {4, 4}, wavefront); }, "iterate-time-tile",
                 "in f: tiles of a wavefront are to cut 2 dimensions; they cut one, along which steps move or shrink; "
                 "give one extent above 0");
    expect_error(
        [&] { make().time_tile(3, {4, 4}, diamond); }, "iterate-time-tile",
        "in f: diamonds are to cut 2 dimensions; they cut one, along which steps move or shrink; give one extent "
        "above 0");
    Func point("point");
    point() = 1;
    expect_error(
        [&] { iterate(3, {}, point, same, {.before = {}, .until = {}, .name = "g"}).time_tile(2, {}, wavefront); },
        "iterate-time-tile", "in g: its fields have no dimensions; tiles cut one; leave the extents and the shape out");
    const auto scheduled = [&](const IterationStep &s) {
        Func next("next");
        next(x, y) = s.field()(x, y) + 1;
        next.parallel(y);
        return next;
    };
    expect_error(
        [&] { iterate(3, {{0, 4}, {0, 4}}, initial, scheduled).time_tile(2, {0, 2}).realize({4, 4}); },
        "iterate-time-tile",
        "in next: a pass is to compute 2 steps, and the Funcs of the body have schedules, or iterate; the compiler "
        "schedules overlapped tiles itself; leave the body unscheduled, ask for wavefronts or diamonds, or give 1");
    const auto iterates = [&](const IterationStep &s) {
        return iterate(2, {{0, 4}, {0, 4}}, Func(s.field()), same, {.before = {}, .until = {}, .name = "inner"});
    };
    expect_error(
        [&] {
            iterate(3, {{0, 4}, {0, 4}}, initial, iterates, {.before = {}, .until = {}, .name = "h"})
                .time_tile(2, {0, 2}, diamond)
                .realize({4, 4});
        },
        "iterate-time-tile",
        "in h: a pass is to compute 2 steps in parts of the domain, and the body iterates itself; an iteration "
        "computes "
        "its whole domain; give 1");
}

} // namespace
} // namespace fluorite::time_tile_test
