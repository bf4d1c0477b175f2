// iterate(): what bodies, fields and steps may be; compiled code against the interpreter.
#include "tests/iterate/sweeps.h"

namespace fluorite::iterate_test {
namespace {

using namespace iterate_support; // NOLINT(google-build-using-namespace)

/// An initial Func that copies an input is not computed; one that only resembles a copy is.
TEST(Iterate, InitialValuesThatReadAnInput) {
    Var x("x"), y("y");
    ImageParam line(Float(32), 1, "line"), square(Float(32), 2, "square"), cube(Float(32), 3, "cube");
    line.set(random_buffer<float>({30}, 3));
    square.set(random_buffer<float>({30, 30}, 4));
    cube.set(random_buffer<float>({30, 30, 5}, 5));
    const Expr starts[] = {square(x, y), square(y, x), square(x, x),  square(x + 1, y),  square(x, 3),
                           line(x),      line(y),      cube(x, y, 2), cube(y, x, x % 3), square(x, y) + 0.0f};
    Param<int> steps("steps");
    const auto from = [&](const Expr &start, const Expr &count) {
        Func initial("initial");
        initial(x, y) = start;
        return iterate(count, {{0, 17}, {0, 9}}, initial, [&](const IterationStep &s) {
            const Func u = BoundaryConditions::repeat_edge(s.field());
            Func next("next");
            next(x, y) = u(x, y) + u(x + 1, y) * 0.5f;
            return next;
        });
    };
    for (size_t k = 0; k < std::size(starts); k++) {
        const Iterated f = from(starts[k], steps);
        for (int count : {0, 1, 4}) {
            steps.set(count);
            expect_meaning<float>(f, {17, 9}, concat("initial values ", k, ", ", count, " steps"));
        }
    }
    for (int count : {0, 1, 4}) {
        expect_meaning<float>(from(starts[1], count), {17, 9}, concat("steps that are known: ", count));
    }
}

TEST(Iterate, SeveralFieldsAndParameters) {
    Var x("x"), y("y");
    const Buffer<float> source = random_buffer<float>({13, 9}, 3);
    ImageParam power(Float(32), 2, "power");
    power.set(source);
    Param<float> rate("rate");
    rate.set(0.125f);
    Func initial("initial"), coefficient("coefficient");
    initial(x, y) = Tuple(cast<float>(x + y), cast<int>(x * y));
    coefficient(x, y) = rate * power(x, y);
    coefficient.compute_root();
    for (int steps : {0, 1, 2, 5}) {
        Iterated both = iterate(steps, {{0, 13}, {0, 9}}, initial, [&](const IterationStep &s) {
            Func u = BoundaryConditions::repeat_edge(s.field(0)), v = BoundaryConditions::repeat_image(s.field(1)),
                 next("next");
            next(x, y) =
                Tuple(u(x - 1, y) + coefficient(x, y) + cast<float>(s.t), v(x, y + 1) + cast<int>(u(x, y)) % 3 + s.t);
            return next;
        });
        Func first("first"), sum("sum");
        first(x, y) = both(x, y)[0] + 2.0f * both(12 - x, y)[0];
        expect_meaning<float>(first, {13, 9}, concat("a Func of the result, ", steps, " steps"));
        Buffer<float> u(13, 9), mu(13, 9);
        Buffer<int> v(13, 9), mv(13, 9);
        both.realize({u, v});
        interpret_into(both, {mu.raw_buffer(), mv.raw_buffer()}, contracts());
        expect_same(u, mu, concat("field 0, ", steps, " steps"));
        expect_same(v, mv, concat("field 1, ", steps, " steps"));
    }
}

TEST(Iterate, StopsOnANorm) {
    Var x("x");
    Func hat("hat");
    hat(x) = abs(cast<float>(x - 10));
    for (int most : {0, 1, 5, 6, 7, 8, 40}) {
        for (float limit : {0.0f, 2.0f, 3.0f, 100.0f}) {
            Param<float> least("least");
            least.set(limit);
            IterateOptions options;
            options.until = [&](const IterationStep &s, const Func &next) {
                RDom r(0, 21);
                Func change("change");
                change() = 0.0f;
                change() += abs(next(r) - s.field()(r));
                return Expr(change()) < least;
            };
            Iterated solved = iterate(
                most, {{0, 21}}, hat,
                [&](const IterationStep &s) {
                    Func u = BoundaryConditions::repeat_edge(s.field()), next("next");
                    next(x) = (u(x - 1) + u(x + 1)) / 2;
                    return next;
                },
                options);
            expect_meaning<float>(solved, {21}, concat("at most ", most, " steps, limit ", limit));
        }
    }
}

TEST(Iterate, IterationsInARow) {
    Var x("x");
    ImageParam image(Float(32), 1, "image");
    const Buffer<float> input = random_buffer<float>({29}, 5);
    image.set(input);
    const auto smooth = [&](const Func &from, int steps) {
        return iterate(steps, {{0, image.width()}}, from, [&](const IterationStep &s) {
            Func u = BoundaryConditions::mirror_image(s.field()), next("next");
            next(x) = 0.25f * u(x - 1) + 0.5f * u(x) + 0.25f * u(x + 1);
            return next;
        });
    };
    Func raised("raised");
    Iterated first = smooth(image, 3);
    raised(x) = first(x) * first(28 - x);
    Iterated second = smooth(raised, 4);
    expect_meaning<float>(second, {29}, "one after the other");
    Func all("all");
    all(x) = second(x) - first(x);
    expect_meaning<float>(all, {29}, "both");
    // The body reads the result of an earlier iteration, which is computed once.
    Iterated third = iterate(2, {{0, 29}}, second, [&](const IterationStep &s) {
        Func next("next");
        next(x) = s.field()(x) + first(x);
        return next;
    });
    expect_meaning<float>(third, {29}, "read by a body");
}

TEST(Iterate, InsideOfABody) {
    Var x("x");
    Func start("start");
    start(x) = cast<float>((x * 7) % 11);
    Param<int> inner_steps("inner_steps");
    Iterated outer = iterate(3, {{0, 15}}, start, [&](const IterationStep &s) {
        Iterated inner = iterate(inner_steps + s.t, {{0, 15}}, s.field(), [&](const IterationStep &u) {
            Func wrapped = BoundaryConditions::repeat_image(u.field()), next("inner_next");
            next(x) = (wrapped(x - 1) + wrapped(x + 1)) * 0.5f + cast<float>(u.t);
            return next;
        });
        Func next("next");
        next(x) = inner(x) + s.field()(x);
        return next;
    });
    for (int steps : {0, 1, 4}) {
        inner_steps.set(steps);
        expect_meaning<float>(outer, {15}, concat(steps, " inner steps"));
    }
}

TEST(Iterate, DomainsApartFromTheOutput) {
    Var x("x"), y("y");
    ImageParam image(Int(32), 2, "image");
    Buffer<int> input = random_buffer<int>({12, 10}, 9, {-3, 2});
    image.set(input);
    Param<int> width("width");
    Iterated f = iterate(3, {{-2, width}, {3, 6}}, image, [&](const IterationStep &s) {
        Func u = BoundaryConditions::repeat_edge(s.field()), next("next");
        next(x, y) = u(x + 1, y) ^ u(x, y - 1);
        return next;
    });
    width.set(9);
    Func part("part");
    part(x, y) = f(x - 2, y + 3);
    expect_meaning<int>(part, {9, 6}, "the whole domain");
    expect_meaning<int>(part, {4, 3}, "a part of it");
    expect_error<RuntimeError>(
        [&] { part.realize({10, 6}); }, "iterate-outside-domain",
        "in part: it reads the result of next over [-2, 7] along dimension 0, and the domain of the iteration is "
        "[-2, 6] there; fields have values in the domain only; give it a boundary condition, enlarge the domain, or "
        "read less");
}

TEST(Iterate, BufferThatIsRead) {
    // The result may be written where the input is read: the pipeline then computes in memory of its own.
    Buffer<float> field = random_buffer<float>({33, 8}, 2);
    const Buffer<float> expected = Looped<float>(field, Rule::Edge).after(3);
    ImageParam image(Float(32), 2, "image");
    image.set(field);
    sweeps(image, 3, Rule::Edge).time_tile(1).realize(field);
    expect_same(field, expected, "in place");
}

TEST(Iterate, InfersTheInput) {
    ImageParam image(Float(32), 2, "image"), power(Float(32), 2, "power");
    Var x("x"), y("y");
    Iterated f = iterate(2, {{0, 10}, {0, 6}}, image, [&](const IterationStep &s) {
        Func u = BoundaryConditions::repeat_edge(s.field()), next("next");
        next(x, y) = u(x - 1, y) + power(x + 1, y - 1);
        return next;
    });
    f.infer_input_bounds({10, 6});
    EXPECT_EQ(image.get().width(), 10);
    EXPECT_EQ(image.get().height(), 6);
    EXPECT_EQ(power.get().dim(0).min(), 1);
    EXPECT_EQ(power.get().dim(1).min(), -1);
    EXPECT_EQ(power.get().width(), 10);
}

TEST(Iterate, Schedules) {
    Var x("x"), y("y"), yo("yo"), yi("yi");
    ImageParam image(Float(32), 2, "image");
    const Buffer<float> input = random_buffer<float>({40, 21}, 4);
    image.set(input);
    Func flux("flux"), next("next");
    Iterated f = iterate(5, {{0, 40}, {0, 21}}, image, [&](const IterationStep &s) {
        Func u = BoundaryConditions::repeat_edge(s.field());
        flux(x, y) = u(x + 1, y) - u(x, y);
        next(x, y) = u(x, y) + 0.1f * (flux(x, y) - flux(x - 1, y));
        return next;
    });
    next.split(y, yo, yi, 4).parallel(yo).vectorize(x, 8);
    flux.compute_at(next, yi).vectorize(x, 8);
    expect_meaning<float>(f, {40, 21}, "scheduled");
    flux.compute_root(); // a change is compiled anew
    expect_meaning<float>(f, {40, 21}, "scheduled again");
}

TEST(Iterate, ReadsWithoutBoundaries) {
    // Strips of rows are rounded up beyond the domain, where nothing may be read.
    Var x("x"), y("y");
    Func initial("initial");
    initial(x, y) = cast<float>(x + 3 * y);
    for (int kind = 0; kind < 4; kind++) {
        for (int tile = 0; tile < 4; tile++) {
            Iterated f = iterate(3, {{4, 5}, {7, 21}}, initial, [&](const IterationStep &s) {
                Func between("between"), next("next");
                between(x, y) = s.field()(x, y) * 2 + 1;
                if (kind == 3) {
                    between(x, y) = between(x, y) * 3;
                }
                Func edge = BoundaryConditions::repeat_edge(between, s.domain);
                if (kind == 0) {
                    return between;
                }
                next(x, y) = edge(x, y - 1) + (kind == 1 ? edge(x - 1, y) : between(x, y));
                return next;
            });
            f.time_tile(tile);
            Buffer<float> result(5, 21), meaning(5, 21);
            result.set_min({4, 7});
            meaning.set_min({4, 7});
            f.realize(result);
            interpret_into(f, {meaning.raw_buffer()}, contracts());
            expect_same(result, meaning, concat("kind ", kind, ", ", tile, " steps a pass"));
        }
    }
}

TEST(Iterate, WhatABodyIsGivenBelongsToIt) {
    Var x("x");
    Func initial("initial");
    initial(x) = 1.0f * x;
    ImageParam field, past;
    Expr step;
    IterateOptions options;
    options.before = initial;
    Iterated f = iterate(
        3, {{0, 8}}, initial,
        [&](const IterationStep &s) {
            field = s.field();
            past = s.past();
            step = s.t;
            Func next("next");
            next(x) = s.field()(x) + s.past()(x);
            return next;
        },
        options);
    const auto read_outside = [&](const Expr &value) {
        Func out("out");
        out(x) = f(x) + value;
        out.realize({8});
    };
    expect_error([&] { read_outside(field(x)); }, "iterate-field-outside",
                 "in next_state: it is read outside of the body of its iteration; it has a value during a step only; "
                 "read the Func that iterate() returns, or move what reads it into the body");
    expect_error([&] { read_outside(past(x)); }, "iterate-field-outside",
                 "in next_before: it is read outside of the body of its iteration; it has a value during a step only; "
                 "read the Func that iterate() returns, or move what reads it into the body");
    expect_error([&] { read_outside(cast<float>(step)); }, "iterate-field-outside",
                 "in next_step: it is read outside of the body of its iteration; it has a value during a step only; "
                 "read the Func that iterate() returns, or move what reads it into the body");
    expect_error([&] { field.set(Buffer<float>(8)); }, "iterate-field-outside",
                 "in next_state: it is set to a buffer, and its elements are those of the step before; the initial "
                 "Func gives the first ones; read the buffer through an ImageParam of its own");
    expect_error([&] { past.set(Buffer<float>(8)); }, "iterate-field-outside",
                 "in next_before: it is set to a buffer, and its elements are those of the step before; the initial "
                 "Func gives the first ones; read the buffer through an ImageParam of its own");
}

/// The blocks of memory that runs take which have room for a field.
size_t taken = 0, field_bytes = 0;
void *note_malloc(void *, size_t bytes) {
    taken += bytes >= field_bytes ? 1 : 0;
    return std::aligned_alloc(128, (bytes + 3 * 128) / 128 * 128);
}

// Passes write the output where it is one field, and only one output is; what is between input and output has memory.
TEST(Iterate, OutputsAreWrittenWithoutCopies) {
    Var x("x");
    ImageParam image(Float(32), 1, "image");
    Buffer<float> in(1000), out(1000), twin(1000);
    in.for_each_element([&](int i) { in(i) = static_cast<float>(i % 17); });
    image.set(in);
    Param<int> steps("steps");
    Iterated f = iterate(steps, {{0, 1000}}, image, [&](const IterationStep &s) {
        Func next("next");
        next(x) = s.field()(x) * 2 + 1;
        return next;
    });
    f.time_tile(1);
    Func both("both");
    both(x) = Tuple(f(x), f(x));
    field_bytes = in.size_in_bytes();
    for (const auto &[count, blocks, blocks_of_both] : {std::tuple(1, 0U, 1U), {2, 1U, 2U}, {3, 1U, 2U}, {4, 1U, 2U}}) {
        steps.set(count);
        const fluorite_malloc_t old = fluorite_set_custom_malloc(note_malloc);
        const fluorite_free_t old_free = fluorite_set_custom_free([](void *, void *block) { std::free(block); });
        taken = 0;
        f.realize(out);
        EXPECT_EQ(taken, blocks) << count << " steps";
        taken = 0;
        both.realize(Realization({twin, out}));
        EXPECT_EQ(taken, blocks_of_both) << count << " steps, two outputs";
        fluorite_set_custom_malloc(old);
        fluorite_set_custom_free(old_free);
        for (int i = 0; i < 1000; i++) {
            const float factor = static_cast<float>(1 << count), value = factor * in(i) + factor - 1;
            ASSERT_EQ(out(i), value) << i;
            ASSERT_EQ(twin(i), value) << i;
        }
    }
}

TEST(Iterate, TheResultHasTheDimensionsOfTheBody) {
    Var x("x"), row("row");
    Func initial("initial");
    initial(x, row) = x + 10 * row;
    Iterated f = iterate(2, {{0, 20}, {0, 5}}, initial, [&](const IterationStep &s) {
        Func next("next");
        next(x, row) = s.field()(x, row) + 1;
        return next;
    });
    f.vectorize(x, 8).parallel(row);
    f(x, row) += 100;
    const Buffer<int> values = f.realize({20, 5});
    EXPECT_EQ(values(19, 4), 19 + 40 + 2 + 100);
}

// Rows of the steps before the last are shorter than a vector here, and what is read beside the field ends with the
// domain: nothing beyond it may be read.
TEST(Iterate, RowsOfEarlierStepsMayBeShorterThanVectors) {
    Var x("x"), y("y");
    const int w = 33, h = 90;
    ImageParam scale(Float(32), 2, "scale");
    Buffer<float> scales(w, h);
    scales.for_each_element([&](int i, int j) { scales(i, j) = static_cast<float>(1 + (i * 7 + j) % 5) / 8; });
    scale.set(scales);
    Func initial("initial");
    initial(x, y) = cast<float>(x * 3 + y);
    const auto with_tile = [&](int tile) {
        Iterated f = iterate(7, {{0, w}, {0, h}}, initial, [&](const IterationStep &s) {
            Func next("next");
            const Expr at = clamp(x - 1, 0, 2);
            next(x, y) = s.field()(at, clamp(y - 1, 0, h - 1)) * scale(x, y) + s.field()(at, y);
            return next;
        });
        f.time_tile(tile);
        return Buffer<float>(f.realize({w, h}));
    };
    const Buffer<float> plain = with_tile(1);
    for (const int tile : {2, 3, 7}) {
        const Buffer<float> tiled = with_tile(tile);
        plain.for_each_element([&](int i, int j) { EXPECT_EQ(plain(i, j), tiled(i, j)) << i << ", " << j; });
    }
}

TEST(Iterate, FieldsThatAreReadOutsideOfTheDomain) {
    const Var x("x"), y("y");
    const auto expect_outside = [&](int tile, bool is_pair, const std::string &text) {
        Param<int> height("height");
        height.set(40);
        Func initial("initial");
        initial(x, y) = is_pair ? Tuple(x, y) : Tuple(Expr(x + y));
        IterateOptions options;
        if (is_pair) {
            options.before = initial;
        }
        Iterated f = iterate(
            9, {{0, 30}, {5, height}}, initial,
            [&](const IterationStep &s) {
                Func next("next");
                if (is_pair) {
                    next(x, y) = Tuple(s.field(0)(x, y), s.past(1)(x, y + 2));
                } else {
                    next(x, y) = s.field()(x, y - 1);
                }
                return next;
            },
            options);
        f.time_tile(tile);
        expect_error<RuntimeError>([&] { f.compile_jit(), f.realize({30, 40}); }, "iterate-outside-domain", text);
    };
    const std::string fix =
        " there; fields have values in the domain only; give it a boundary condition, enlarge the domain, or read less";
    expect_outside(1, false,
                   "in next: it reads the field over [4, 43] along dimension 1, and the domain of the iteration is "
                   "[5, 44]" +
                       fix);
    expect_outside(3, false,
                   "in next: it reads the field over [4, 43] along dimension 1, and the domain of the iteration is "
                   "[5, 44]" +
                       fix);
    expect_outside(1, true,
                   "in next: it reads field 1 of the step before over [7, 46] along dimension 1, and the domain of the "
                   "iteration is [5, 44]" +
                       fix);
}

// A condition on the step chooses a coordinate: each step reads one branch, in passes of several steps, too.
TEST(Iterate, ConditionsOnTheStepChooseCoordinates) {
    const Var x("x");
    for (const int tile : {0, 1, 2, 3}) {
        for (const int steps : {3, 4}) {
            Func initial("initial");
            initial(x) = x;
            Iterated f = iterate(steps, {{0, 10}}, initial, [&](const IterationStep &s) {
                Func next("next");
                next(x) = s.field()(select(s.t < steps, x, x + 100)) + s.field()(select(s.t == 1, 9 - x, x));
                return next;
            });
            if (tile > 0) {
                f.time_tile(tile);
            }
            expect_meaning<int>(f, {10}, "tile " + std::to_string(tile) + ", steps " + std::to_string(steps));
        }
    }
}

} // namespace
} // namespace fluorite::iterate_test
