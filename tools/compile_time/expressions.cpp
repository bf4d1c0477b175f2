// Growth of one stage: its expression, and the vectors, unrolled loops and splits of its loops.

#include "kinds.h"

#include <string>

namespace fluorite::compile_time::expressions {

namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");

Func source() {
    Func first("source");
    first(x, y) = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input"))(x, y);
    first.compute_root().vectorize(x, 8);
    return first;
}

Func stencil() {
    Func first = source(), f("f");
    f(x, y) = first(x - 1, y) + first(x, y) * 3 + first(x + 1, y + 1);
    return f;
}

Pipeline unrolled(int n) {
    Func f = stencil();
    f.split(x, xo, xi, n).unroll(xi);
    return Pipeline(f);
}
Pipeline unrolled_vectors(int n) {
    Func f = stencil();
    f.split(x, xo, x, 8 * n).split(x, x, xi, 8).vectorize(xi).unroll(x);
    return Pipeline(f);
}
Pipeline lanes(int n) {
    Func f = stencil();
    f.vectorize(x, n);
    return Pipeline(f);
}
/// Vectors of vectors: rows and columns of a tile.
Pipeline nested_vectors(int n) {
    Func f = stencil();
    Var yo("yo"), yi("yi");
    f.tile(x, y, xo, yo, xi, yi, 8, std::max(n / 8, 1)).vectorize(xi).vectorize(yi);
    return Pipeline(f);
}
/// Unrolled loops inside of unrolled loops: n copies.
Pipeline nested_unrolls(int n) {
    Func f = stencil();
    Var yo("yo"), yi("yi");
    f.tile(x, y, xo, yo, xi, yi, 8, std::max(n / 8, 1)).unroll(xi).unroll(yi);
    return Pipeline(f);
}
/// A loop that is split n times, which makes n + 1 loops.
Pipeline splits(int n) {
    Func f = stencil();
    Var outer("outer");
    for (int i = 0; i < n; i++) {
        f.split(y, y, Var("y" + std::to_string(i)), i % 8 ? 1 : 2, TailStrategy::GuardWithIf);
    }
    return Pipeline(f);
}

Pipeline selects(int n) {
    Func first = source(), f("f");
    Expr value = first(x, y);
    for (int i = 0; i < n; i++) {
        value = select(first(x, y) % (i + 2) == 0, i, value);
    }
    f(x, y) = value;
    f.vectorize(x, 8);
    return Pipeline(f);
}
/// Selects by the coordinate, each of which cuts the loop.
Pipeline likely_selects(int n) {
    Func first = source(), f("f");
    Expr value = first(x, y);
    for (int i = 0; i < n; i++) {
        value = select(x < i, i, likely(value + i));
    }
    f(x, y) = value;
    return Pipeline(f);
}
/// A chain of values, each used twice.
Pipeline lets(int n) {
    Func first = source(), f("f");
    Expr value = first(x, y);
    for (int i = 0; i < n; i++) {
        value = value * value + first(x + i % 3, y);
    }
    f(x, y) = value;
    f.vectorize(x, 8);
    return Pipeline(f);
}
/// One sum of n correlated terms of coordinates.
Pipeline correlated(int n) {
    ImageParam input(Int(32), 2, "input");
    Expr where = x;
    for (int i = 0; i < n; i++) {
        where = where + (i % 3 ? y : Expr(x)) * (i % 5) - (x + i) * (i % 2) + min(x, y + i) - min(x, y + i);
    }
    Func f("f");
    f(x, y) = input(where, y) + input(where + 1, y);
    return Pipeline(f);
}
Pipeline math_calls(int n) {
    Func f("f");
    Expr value = cast<float>(x);
    for (int i = 0; i < n; i++) {
        value = i % 3 == 0 ? sin(value) : i % 3 == 1 ? exp(value) : pow(value, 0.5f + cast<float>(y));
    }
    f(x, y) = value;
    f.vectorize(x, 8);
    return Pipeline(f);
}
/// Coordinates that are read from memory.
Pipeline gathers(int n) {
    ImageParam table(Int(32), 1, "table");
    Func f("f");
    Expr value = 0;
    for (int i = 0; i < n; i++) {
        value = value + table(clamp(table(clamp(x + i, 0, 99)), 0, 99));
    }
    f(x, y) = value;
    f.vectorize(x, 8);
    return Pipeline(f);
}
/// Clamps inside of clamps of a coordinate.
Pipeline clamps(int n) {
    ImageParam input(Int(32), 2, "input");
    Expr where = x;
    for (int i = 0; i < n; i++) {
        where = clamp(where + i % 3 - 1, 0, input.width() - 1 - i % 2);
    }
    Func f("f");
    f(x, y) = input(where, y);
    return Pipeline(f);
}

} // namespace

std::vector<Kind> kinds() {
    return {
        {"unroll", "copies", unrolled},
        {"unrolled vectors", "copies", unrolled_vectors},
        {"vectorize", "lanes", lanes, 1024},
        {"nested vectors", "lanes", nested_vectors, 1024},
        {"nested unrolls", "copies", nested_unrolls},
        {"splits of a loop", "splits", splits, 128},
        {"select chain", "selects", selects},
        {"select chain by coordinates", "selects", likely_selects},
        {"shared values", "values", lets},
        {"correlated sum", "terms", correlated},
        {"math", "calls", math_calls},
        {"gathers", "loads", gathers},
        {"clamps of a coordinate", "clamps", clamps},
    };
}

} // namespace fluorite::compile_time::expressions
