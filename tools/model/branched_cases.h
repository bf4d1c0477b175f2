#pragma once
// Pipelines with several hundred groupings that compile quickly: chains of small filters, and sizes that meet again.

#include "benchmarks/auto_user_cases.h"

namespace fluorite::model {

namespace branched {

using auto_cases::Func;
using auto_cases::user::Expr;
using auto_cases::user::ImageParam;
using auto_cases::user::Program;
using auto_cases::user::Var;

/// Five points along rows or columns, with weights that depend on the stage.
inline Expr filtered(const Func &from, const Var &x, const Var &y, bool is_row, float weight) {
    const auto at = [&](int k) { return is_row ? from(x + k, y) : from(x, y + k); };
    return (at(-2) + at(2)) * (0.1f * weight) + (at(-1) + at(1)) * (0.2f + 0.01f * weight) + at(0) * 0.35f;
}

/// Eleven passes along rows and columns by turns, the outer ones with a root or an absolute value.
struct Cascade : Program {
    explicit Cascade(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 2, "input");
        Func last = Halide::BoundaryConditions::repeat_edge(input);
        for (int pass = 0; pass < 11; pass++) {
            Func next(pass == 10 ? "output" : "pass" + std::to_string(pass));
            const Expr value = filtered(last, x, y, pass % 2 == 0, 1.0f + static_cast<float>(pass));
            next(x, y) = pass % 3 == 0 ? Halide::sqrt(Halide::abs(value)) : value;
            last = next;
        }
        output = last;
        inputs = {input};
    }
};

/// Rows and columns of five halvings, and the way back, on which each size is compared with its own.
struct Halvings : Program {
    explicit Halvings(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 2, "input");
        std::vector<Func> sizes{Halide::BoundaryConditions::repeat_edge(input)};
        for (int level = 1; level <= 4; level++) {
            Func rows("rows" + std::to_string(level)), both("both" + std::to_string(level));
            rows(x, y) =
                0.25f * (sizes.back()(2 * x - 1, y) + sizes.back()(2 * x + 1, y)) + 0.5f * sizes.back()(2 * x, y);
            both(x, y) = 0.25f * (rows(x, 2 * y - 1) + rows(x, 2 * y + 1)) + 0.5f * rows(x, 2 * y);
            sizes.push_back(both);
        }
        Func back = sizes.back();
        for (int level = 3; level >= 0; level--) {
            Func next(level == 0 ? "output" : "back" + std::to_string(level));
            const Expr coarse = 0.5f * (back(x / 2, y / 2) + back((x + 1) / 2, (y + 1) / 2));
            next(x, y) = coarse + 0.3f * Halide::abs(sizes[static_cast<size_t>(level)](x, y) - coarse);
            back = next;
        }
        output = back;
        inputs = {input};
    }
};

} // namespace branched

inline std::vector<auto_cases::Named> branched_cases(int shrink) {
    const int w = std::max(8, 4096 / shrink), h = std::max(8, 3072 / shrink);
    std::vector<auto_cases::Named> all;
    const auto add = [&](const char *name, const auto &make) {
        all.push_back({name, [=] {
                           return make(std::string(name), std::vector<int>{w, h},
                                       auto_cases::Buffer<>(auto_cases::random_buffer<float>({w, h}, 0, 1, 1)));
                       }});
    };
    using namespace branched;
    using auto_cases::Buffer;
    using Extents = std::vector<int>;
    add("cascade", [](const std::string &name, const Extents &extents, const Buffer<> &input) {
        return auto_cases::user::program<Cascade>(name, extents, {input});
    });
    add("halvings", [](const std::string &name, const Extents &extents, const Buffer<> &input) {
        return auto_cases::user::program<Halvings>(name, extents, {input});
    });
    return all;
}

} // namespace fluorite::model
