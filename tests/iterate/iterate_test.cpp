// iterate(): the interpreter against loops over buffers, and compiled code against the interpreter.
#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "fluorite/stencil.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::iterate_test {
namespace {

/// Whether compiled code contracts products and sums.
bool contracts() { return get_jit_target_from_environment().has_feature(Target::FMA); }

enum class Rule : uint8_t { Edge, Zero, Constant, Wrap, Mirror, MirrorInterior };
constexpr Rule rules[] = {Rule::Edge, Rule::Zero, Rule::Constant, Rule::Wrap, Rule::Mirror, Rule::MirrorInterior};

StencilBoundary boundary_of(Rule rule, Type type) {
    switch (rule) {
    case Rule::Edge:
        return StencilBoundary::edge();
    case Rule::Zero:
        return StencilBoundary::zero();
    case Rule::Constant:
        return StencilBoundary::constant(cast(type, 3));
    case Rule::Wrap:
        return StencilBoundary::wrap();
    case Rule::Mirror:
        return StencilBoundary::mirror();
    case Rule::MirrorInterior:
        return StencilBoundary::mirror_interior();
    }
    return StencilBoundary::edge();
}

/// The origin, and the neighbours on both sides along each dimension.
std::vector<std::vector<int>> star(int dimensions) {
    std::vector<std::vector<int>> offsets = {std::vector<int>(static_cast<size_t>(dimensions), 0)};
    for (int d = 0; d < dimensions; d++) {
        for (int side : {-1, 1}) {
            offsets.push_back(offsets[0]);
            offsets.back()[static_cast<size_t>(d)] = side;
        }
    }
    return offsets;
}

Expr mean(const std::vector<Expr> &a) {
    Expr sum = a[0];
    for (size_t i = 1; i < a.size(); i++) {
        sum += a[i];
    }
    return sum / cast(sum.type(), static_cast<int>(a.size()));
}

/// Over the given domain, or, if there is none, that of the image.
Iterated sweeps(const ImageParam &image, const Expr &steps, Rule rule, Region domain = {}) {
    const int rank = image.dimensions();
    domain = domain.empty() ? BoundaryConditions::detail::region_of(image) : domain;
    return iterate(steps, domain, image, [&](const IterationStep &step) {
        return stencil(star(rank), mean, step.field(), boundary_of(rule, image.type()));
    });
}

/// The results of single sweeps, each a run of a pipeline that is compiled once.
template <typename T> class Looped {
  public:
    Looped(const Buffer<T> &from, Rule rule)
        : from_(from), now_(from.copy()), image_(from.type(), from.dimensions()),
          sweep_(stencil(star(from.dimensions()), mean, image_, boundary_of(rule, from.type()))) {}

    /// The result of so many sweeps, no fewer than before.
    Buffer<T> after(int steps) {
        for (; done_ < steps; done_++) {
            Buffer<T> next = from_.copy();
            image_.set(now_);
            sweep_.realize(next);
            now_ = next;
        }
        EXPECT_EQ(done_, steps);
        return now_;
    }

  private:
    const Buffer<T> from_;
    Buffer<T> now_;
    ImageParam image_;
    Func sweep_;
    int done_ = 0;
};

template <typename T> void expect_same(const Buffer<T> &a, const Buffer<T> &b, const std::string &what) {
    int differing = 0;
    a.for_each_element([&](const int *at) { differing += std::memcmp(&a(at), &b(at), sizeof(T)) != 0; });
    EXPECT_EQ(differing, 0) << what;
}

/// `tile` steps a pass; 0: as the compiler chooses, for a domain that it does not know.
template <typename T>
void expect_sweeps(const std::vector<int> &sizes, Rule rule, const std::vector<int> &counts, int tile) {
    const Buffer<T> input = random_buffer<T>(sizes, 7);
    ImageParam image(input.type(), static_cast<int>(sizes.size()), "image");
    image.set(input);
    Param<int> steps("steps");
    Region domain;
    for (int size : sizes) {
        domain.emplace_back(0, size);
    }
    Iterated f = sweeps(image, steps, rule, tile == 0 ? Region() : domain);
    f.time_tile(tile);
    Looped<T> looped(input, rule);
    for (int count : counts) {
        steps.set(count);
        const std::string what = concat(input.type(), " of rank ", sizes.size(), " and extent ", sizes[0], ", rule ",
                                        static_cast<int>(rule), ", ", count, " steps");
        const Buffer<T> expected = looped.after(count);
        Buffer<T> result(sizes), meaning(sizes);
        f.realize(result);
        expect_same(result, expected, what);
        interpret_into(f, {meaning.raw_buffer()}, contracts());
        expect_same(meaning, expected, what + ", interpreted");
    }
}

TEST(Iterate, EveryRule) {
    for (Rule rule : rules) {
        expect_sweeps<float>({19, 11}, rule, {0, 1, 2, 5, 7}, 3);
        expect_sweeps<float>({7, 5, 6}, rule, {5}, 2);
    }
}

TEST(Iterate, EveryRank) {
    expect_sweeps<float>({37}, Rule::Mirror, {0, 1, 2, 5, 7}, 3);
    expect_sweeps<float>({37}, Rule::Edge, {3}, 1);
    expect_sweeps<float>({4, 3, 2, 5}, Rule::Wrap, {0, 3}, 1);
    expect_sweeps<float>({4, 3, 2, 5}, Rule::Edge, {4}, 2);
}

TEST(Iterate, ChosenByTheCompiler) { expect_sweeps<float>({67, 140}, Rule::Edge, {0, 1, 2, 5, 7, 13}, 0); }

TEST(Iterate, TinyGrids) {
    expect_sweeps<float>({1}, Rule::Wrap, {0, 3}, 2);
    expect_sweeps<float>({1, 1}, Rule::MirrorInterior, {3}, 2);
    expect_sweeps<float>({2, 1, 3}, Rule::Mirror, {3}, 2);
    expect_sweeps<float>({1, 1, 1, 1}, Rule::Zero, {1}, 1);
}

/// One compiled program for sizes that it learns at run time: rows shorter than a vector, of whole vectors, and longer,
/// with numbers of rows that four at a time do not divide.
void expect_any_sizes(Rule rule, int rank, const std::vector<std::vector<int>> &sizes) {
    ImageParam image(Float(32), rank, "image"), before(Float(32), rank, "before");
    Param<int> steps("steps");
    Iterated f = sweeps(image, steps, rule);
    f.time_tile(3);
    Func sweep = stencil(star(rank), mean, before, boundary_of(rule, Float(32)));
    for (const std::vector<int> &size : sizes) {
        Buffer<float> expected = random_buffer<float>(size, 11);
        image.set(expected);
        for (int count = 1; count <= 13; count++) {
            before.set(expected);
            Buffer<float> next(size);
            sweep.realize(next);
            expected = next;
            if (count == 1 || count == 5 || count == 13) {
                steps.set(count);
                Buffer<float> result(size);
                f.realize(result);
                expect_same(result, expected, concat(size[0], " x ", size[1], ", ", count, " steps"));
            }
        }
    }
}

TEST(Iterate, SizesThatAreKnownAtRunTimeOnly) {
    expect_any_sizes(Rule::Edge, 2, {{1, 1}, {7, 3}, {15, 6}, {16, 5}, {17, 1}, {33, 21}, {64, 130}, {70, 67}});
    expect_any_sizes(Rule::Wrap, 2, {{15, 6}, {16, 5}, {31, 4}, {70, 67}});
    expect_any_sizes(Rule::Mirror, 3, {{5, 3, 2}, {16, 2, 3}, {19, 5, 7}, {33, 70, 5}});
}

TEST(Iterate, EveryType) {
    expect_sweeps<uint8_t>({23, 5}, Rule::Edge, {5}, 3);
    expect_sweeps<int8_t>({23, 5}, Rule::Wrap, {5}, 1);
    expect_sweeps<uint16_t>({23, 5}, Rule::Mirror, {5}, 1);
    expect_sweeps<int16_t>({23, 5}, Rule::Zero, {5}, 2);
    expect_sweeps<uint32_t>({23, 5}, Rule::Edge, {5}, 1);
    expect_sweeps<int32_t>({23, 5}, Rule::Constant, {5}, 1);
    expect_sweeps<uint64_t>({23, 5}, Rule::Edge, {5}, 1);
    expect_sweeps<int64_t>({23, 5}, Rule::MirrorInterior, {5}, 2);
    expect_sweeps<double>({23, 5}, Rule::Edge, {5}, 2);
}

/// Compares compiled code with the interpreter.
template <typename T> void expect_meaning(Func f, const std::vector<int> &sizes, const std::string &what) {
    Buffer<T> result(sizes), meaning(sizes);
    f.realize(result);
    interpret_into(f, {meaning.raw_buffer()}, contracts());
    expect_same(result, meaning, what);
}

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

void check_two_past_steps(int tile) {
    Var x("x"), y("y");
    Func pulse("pulse"), rest("rest");
    pulse(x, y) = exp(-0.1f * cast<float>((x - 8) * (x - 8) + (y - 5) * (y - 5)));
    rest(x, y) = 0.5f * pulse(x, y);
    const auto wave_from = [&](const Func &before, const Expr &steps) {
        IterateOptions options;
        options.before = before;
        Iterated wave = iterate(
            steps, {{0, 17}, {0, 11}}, pulse,
            [&](const IterationStep &s) {
                Func u = BoundaryConditions::constant_exterior(s.field(), 0), next("next");
                next(x, y) = 2 * u(x, y) - s.past()(x, y) +
                             0.2f * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) - 4 * u(x, y));
                return next;
            },
            options);
        wave.time_tile(tile);
        return wave;
    };
    const auto what = [&](int count) { return concat(count, " steps, at most ", tile, " a pass"); };
    Param<int> steps("steps");
    for (const Func &before : {pulse, rest}) {
        const Iterated wave = wave_from(before, steps);
        for (int count : {0, 1, 2, 3, 4, 6}) {
            steps.set(count);
            expect_meaning<float>(wave, {17, 11}, what(count));
        }
    }
    expect_meaning<float>(wave_from(rest, 4), {17, 11}, what(4) + ", known");
}

TEST(Iterate, TwoPastSteps) { check_two_past_steps(0); }
TEST(Iterate, TwoPastStepsOneByOne) { check_two_past_steps(1); }
TEST(Iterate, TwoPastStepsInPassesOfTwo) { check_two_past_steps(2); }
TEST(Iterate, TwoPastStepsInPassesOfThree) { check_two_past_steps(3); }

// The buffers of two past steps change their roles after each pass; passes of 3, 1 and 1 steps of several fields.
TEST(Iterate, TwoPastStepsOfSeveralFields) {
    Var x("x"), y("y"), z("z");
    Func pulse("pulse");
    pulse(x, y, z) = Tuple(cast<float>(x * 3 + y * 5 - z), cast<int>(x + y - z * 2));
    IterateOptions options;
    Func rest("rest");
    rest(x, y, z) = Tuple(cast<float>(x - y), cast<int>(y * z));
    options.before = rest;
    Param<int> steps("steps");
    const Iterated wave = iterate(
        steps, {{-2, 9}, {1, 7}, {0, 5}}, pulse,
        [&](const IterationStep &s) {
            const Func u = BoundaryConditions::mirror_image(s.field(0), s.domain), v = s.field(1), old_v = s.past(1);
            Func old_u = BoundaryConditions::repeat_edge(s.past(0), s.domain), next("next");
            next(x, y, z) = Tuple(2 * u(x, y, z) - old_u(x - 1, y + 1, z) + 0.25f * u(x, y - 1, z + 1),
                                  old_v(x, y, z) * 3 - v(x, y, z) + s.t);
            return next;
        },
        options);
    const std::vector<int> tiles = {0, 1, 2, 3, 5};
    for (const int tile : tiles) {
        Iterated(wave).time_tile(tile);
        for (const int count : {0, 1, 2, 3, 4, 5, 8, 11}) {
            steps.set(count);
            Buffer<float> u(9, 7, 5), mu(9, 7, 5);
            Buffer<int> v(9, 7, 5), mv(9, 7, 5);
            for (Buffer<> b : {Buffer<>(u), Buffer<>(mu), Buffer<>(v), Buffer<>(mv)}) {
                b.set_min(-2, 1, 0);
            }
            Func(wave).realize({u, v});
            interpret_into(wave, {mu.raw_buffer(), mv.raw_buffer()}, contracts());
            expect_same(u, mu, concat("field 0, ", count, " steps, at most ", tile, " a pass"));
            expect_same(v, mv, concat("field 1, ", count, " steps, at most ", tile, " a pass"));
        }
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
