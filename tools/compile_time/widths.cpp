// Growth in width: Funcs with many consumers, producers, values, taps, updates, specializations or dimensions.

#include "kinds.h"

#include <string>

namespace fluorite::compile_time::widths {

namespace {

const Var x("x"), y("y");

std::string numbered(const char *name, int i) { return name + std::to_string(i); }

Func source() {
    Func first("source");
    first(x, y) = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input"))(x, y);
    first.compute_root().vectorize(x, 8);
    return first;
}

/// One Func with n consumers, which a chain of sums brings together.
Pipeline fan_out(int n) {
    Func first = source(), sum("sum");
    sum(x, y) = first(x, y);
    sum.compute_root();
    for (int i = 1; i <= n; i++) {
        Func reader(numbered("reader", i)), next(numbered("sum", i));
        reader(x, y) = first(x - i % 5, y) * i;
        reader.compute_root().vectorize(x, 8);
        next(x, y) = sum(x, y) + reader(x, y);
        next.compute_root().vectorize(x, 8);
        sum = next;
    }
    return Pipeline(sum);
}

/// One Func that reads n Funcs at root.
Pipeline fan_in(int n) {
    Func first = source(), all("all");
    Expr sum = 0;
    for (int i = 1; i <= n; i++) {
        Func part(numbered("part", i));
        part(x, y) = first(x, y) * i;
        part.compute_root().vectorize(x, 8);
        sum = sum + part(x + i % 3, y);
    }
    all(x, y) = sum;
    all.vectorize(x, 8);
    return Pipeline(all);
}

/// One Func that computes n Funcs at its rows.
Pipeline fan_in_at_rows(int n) {
    Func first = source(), all("all");
    std::vector<Func> parts;
    Expr sum = 0;
    for (int i = 1; i <= n; i++) {
        Func part(numbered("part", i));
        part(x, y) = first(x, y) * i;
        parts.push_back(part);
        sum = sum + part(x, y - 1) + part(x, y + 1);
    }
    all(x, y) = sum;
    for (Func &part : parts) {
        part.store_root().compute_at(all, y);
    }
    return Pipeline(all);
}

/// A Func of n values that the next one reads all.
Pipeline tuple(int n) {
    Func first = source(), values("values"), all("all");
    std::vector<Expr> each;
    for (int i = 0; i < n; i++) {
        each.push_back(first(x, y) + i);
    }
    values(x, y) = Tuple(each);
    values.compute_root().vectorize(x, 8);
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum + values(x, y)[static_cast<size_t>(i)];
    }
    all(x, y) = sum;
    return Pipeline(all);
}

Expr taps(const Func &f, int n) {
    constexpr int width = 25;
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum + f(x + i % width, y + i / width) * (i + 1);
    }
    return sum;
}
Pipeline offsets(int n) {
    Func first = source(), all("all");
    all(x, y) = taps(first, n);
    all.vectorize(x, 8);
    return Pipeline(all);
}
/// The taps of a source that is inlined, so each has a clamp of its own.
Pipeline offsets_beyond_edges(int n) {
    Func first = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input")), all("all");
    all(x, y) = taps(first, n);
    all.vectorize(x, 8);
    return Pipeline(all);
}

Pipeline updates(int n) {
    Func first = source(), f("f");
    f(x, y) = 0;
    for (int i = 0; i < n; i++) {
        f(x, y) = f(x, y) * 3 + first(x + i % 5, y);
        f.update(i).vectorize(x, 8);
    }
    f.compute_root();
    return Pipeline(f);
}
/// Updates of single columns over a reduction.
Pipeline reductions(int n) {
    Func first = source(), f("f");
    f(x, y) = 0;
    for (int i = 0; i < n; i++) {
        RDom r(0, 10 + i % 7, numbered("r", i));
        f(i, y) += first(r, y) * i;
    }
    f.compute_root();
    return Pipeline(f);
}

Pipeline specializations(int n) {
    Func first = source(), f("f");
    Param<int> p("p");
    f(x, y) = first(x, y) * p;
    for (int i = 0; i < n; i++) {
        f.specialize(p == i).vectorize(x, 4 << i % 3);
    }
    return Pipeline(f);
}

Pipeline dimensions(int n) {
    std::vector<Var> vars;
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        vars.emplace_back(numbered("v", i));
        sum = sum + vars.back() * (i + 1);
    }
    Func f("f"), g("g");
    std::vector<Expr> moved(vars.begin(), vars.end());
    moved[0] = moved[0] + 1;
    f(vars) = sum;
    f.compute_root();
    g(vars) = f(moved) + f(vars);
    return Pipeline(g);
}

Pipeline outputs(int n) {
    Func first = source();
    std::vector<Func> all;
    for (int i = 0; i < n; i++) {
        Func f(numbered("f", i));
        f(x, y) = first(x, y) * (i + 1);
        f.vectorize(x, 8);
        all.push_back(f);
    }
    return Pipeline(all);
}

Pipeline inputs(int n) {
    Func all("all");
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum + ImageParam(Int(32), 2, numbered("input", i))(x, y) * Param<int>(numbered("p", i));
    }
    all(x, y) = sum;
    all.vectorize(x, 8);
    return Pipeline(all);
}

/// Iterations of iterations' results, each in time tiles.
Pipeline iterations(int n) {
    Param<int> steps("steps");
    ImageParam input(Float(32), 2, "input");
    const Region box = {{0, input.width()}, {0, input.height()}};
    Func before("before");
    before(x, y) = input(x, y);
    for (int i = 0; i < n; i++) {
        Iterated heat = iterate(steps, box, before, [&](const IterationStep &step) {
            Func u = BoundaryConditions::repeat_edge(step.field()), next(numbered("next", i));
            next(x, y) = u(x, y) + 0.2f * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) - 4 * u(x, y));
            return next;
        });
        heat.time_tile(4);
        before = heat;
    }
    return Pipeline(before);
}

/// n steps in one time tile.
Pipeline time_tile(int n) {
    Param<int> steps("steps");
    ImageParam input(Float(32), 2, "input");
    const Region box = {{0, input.width()}, {0, input.height()}};
    Iterated heat = iterate(steps, box, input, [&](const IterationStep &step) {
        Func u = BoundaryConditions::repeat_edge(step.field()), next("next");
        next(x, y) = u(x, y) + 0.2f * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) - 4 * u(x, y));
        return next;
    });
    heat.time_tile(n);
    return Pipeline(heat);
}

/// A step of n stages, four steps a time tile.
Pipeline time_tile_of_stages(int n) {
    Param<int> steps("steps");
    ImageParam input(Float(32), 2, "input");
    const Region box = {{0, input.width()}, {0, input.height()}};
    Iterated result = iterate(steps, box, input, [&](const IterationStep &step) {
        Func u = BoundaryConditions::repeat_edge(step.field());
        for (int i = 0; i < n; i++) {
            Func next(numbered("next", i));
            next(x, y) = u(x, y) * 0.5f + u(x, y + 1);
            u = next;
        }
        return u;
    });
    result.time_tile(4);
    return Pipeline(result);
}

} // namespace

std::vector<Kind> kinds() {
    return {
        {"fan-out", "consumers", fan_out},
        {"fan-in at root", "producers", fan_in},
        {"fan-in at rows", "producers", fan_in_at_rows},
        {"tuple", "values", tuple},
        {"offsets", "taps", offsets},
        {"offsets beyond edges", "taps", offsets_beyond_edges},
        {"updates", "stages", updates},
        {"reductions", "stages", reductions},
        {"specializations", "conditions", specializations},
        {"dimensions", "dimensions", dimensions, 64},
        {"outputs", "outputs", outputs},
        {"inputs and Params", "inputs", inputs},
        {"iterate: pipelines", "iterations", iterations, 256},
        {"iterate: time tile", "steps", time_tile, 64},
        {"iterate: stages of a step", "stages", time_tile_of_stages, 64},
    };
}

} // namespace fluorite::compile_time::widths
