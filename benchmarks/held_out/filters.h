#pragma once
// Filters of pictures, as users write them.

#include "benchmarks/held_out/pipeline.h"

namespace held_out {

/// Weights of 7 x 7 pixels by distance and by difference, each an exponential.
inline Made bilateral_filter() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", floats({768, 512}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    Func sums("sums"), output("output");
    RDom r(-3, 7, -3, 7, "r");
    const Expr value = source(x + r.x, y + r.y), apart = value - source(x, y);
    const Expr weight = Halide::exp(cast<float>(r.x * r.x + r.y * r.y) * -0.06f - apart * apart * 18.0f);
    sums(x, y) = Tuple(0.0f, 0.0f);
    sums(x, y) = Tuple(sums(x, y)[0] + weight * value, sums(x, y)[1] + weight);
    output(x, y) = sums(x, y)[0] / sums(x, y)[1];
    return {output, {input}, {768, 512}, false, 1e-4};
}

/// Means of 9 x 9 pixels of a guide, a picture and their products; the picture as a linear function of the guide.
inline Made guided_filter() {
    Var x("x"), y("y");
    ImageParam guide = input_of("guide", floats({1024, 768}, 1)), input = input_of("input", floats({1024, 768}, 2));
    const Func g = Halide::BoundaryConditions::repeat_edge(guide), p = Halide::BoundaryConditions::repeat_edge(input);
    const auto mean = [&](const Func &of, const std::string &name) {
        Func rows(name + "_rows"), both(name);
        RDom r(-4, 9, name + "_r");
        rows(x, y) = Halide::sum(of(x, y + r));
        both(x, y) = Halide::sum(rows(x + r, y)) / 81.0f;
        return both;
    };
    Func gp("gp"), gg("gg"), slope("slope"), rest("rest"), output("output");
    gp(x, y) = g(x, y) * p(x, y);
    gg(x, y) = g(x, y) * g(x, y);
    const Func mean_g = mean(g, "mean_g"), mean_p = mean(p, "mean_p"), mean_gp = mean(gp, "mean_gp"),
               mean_gg = mean(gg, "mean_gg");
    slope(x, y) = (mean_gp(x, y) - mean_g(x, y) * mean_p(x, y)) / (mean_gg(x, y) - mean_g(x, y) * mean_g(x, y) + 0.01f);
    rest(x, y) = mean_p(x, y) - slope(x, y) * mean_g(x, y);
    output(x, y) = mean(slope, "mean_slope")(x, y) * g(x, y) + mean(rest, "mean_rest")(x, y);
    return {output, {guide, input}, {1024, 768}, false, 1e-4};
}

/// The median of 3 x 3 bytes by a sorting network.
inline Made median_3x3() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({2048, 1536}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    std::vector<Expr> v;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            v.push_back(source(x + dx, y + dy));
        }
    }
    const int pairs[][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2}, {4, 5}, {7, 8}, {0, 3},
                            {5, 8}, {4, 7}, {3, 6}, {1, 4}, {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
    for (const auto &[first, second] : pairs) {
        const Expr least = Halide::min(v[first], v[second]), most = Halide::max(v[first], v[second]);
        v[first] = least;
        v[second] = most;
    }
    Func output("output");
    output(x, y) = v[4];
    return {output, {input}, {2048, 1536}};
}

/// The length of the gradient of bytes.
inline Made sobel_magnitude() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({2048, 1536}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    Func wide("wide"), across("across"), down("down"), output("output");
    wide(x, y) = cast<int16_t>(source(x, y));
    across(x, y) = wide(x + 1, y - 1) - wide(x - 1, y - 1) + cast<int16_t>(2) * (wide(x + 1, y) - wide(x - 1, y)) +
                   wide(x + 1, y + 1) - wide(x - 1, y + 1);
    down(x, y) = wide(x - 1, y + 1) - wide(x - 1, y - 1) + cast<int16_t>(2) * (wide(x, y + 1) - wide(x, y - 1)) +
                 wide(x + 1, y + 1) - wide(x + 1, y - 1);
    const Expr dx = cast<float>(across(x, y)), dy = cast<float>(down(x, y));
    output(x, y) = cast<uint8_t>(Halide::min(Halide::sqrt(dx * dx + dy * dy), 255.0f));
    return {output, {input}, {2048, 1536}, false, 0, 1};
}

/// The mean of 17 x 17 pixels by differences of prefix sums, first along rows, then along columns.
inline Made box_blur_by_sums() {
    Var x("x"), y("y");
    const int w = 1536, h = 1024;
    ImageParam input = input_of("input", bytes({w, h}, 1));
    const Func source = Halide::BoundaryConditions::constant_exterior(input, cast<uint8_t>(0));
    Func across("across"), rows("rows"), down("down"), output("output");
    RDom along_x(0, input.width() + 16, "along_x"), along_y(0, input.height() + 16, "along_y");
    across(x, y) = cast<uint32_t>(0);
    across(along_x, y) = across(along_x - 1, y) + cast<uint32_t>(source(along_x - 8, y));
    rows(x, y) = across(x + 16, y) - across(x - 1, y);
    down(x, y) = cast<uint32_t>(0);
    down(x, along_y) = down(x, along_y - 1) + rows(x, along_y - 8);
    output(x, y) = cast<uint8_t>((down(x, y + 16) - down(x, y - 1)) / 289);
    return {output, {input}, {w, h}};
}

/// Sums over all pixels above and to the left.
inline Made integral_image() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({1536, 1024}, 1));
    Func rows("rows"), output("output");
    RDom along_x(1, input.width() - 1, "along_x"), along_y(1, input.height() - 1, "along_y");
    rows(x, y) = cast<int>(input(x, y));
    rows(along_x, y) += rows(along_x - 1, y);
    output(x, y) = rows(x, y);
    output(x, along_y) += output(x, along_y - 1);
    return {output, {input}, {1536, 1024}};
}

/// The fourth level of a pyramid, each of half the size, by weights 1 3 3 1 along both dimensions.
inline Made gaussian_pyramid() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", floats({2048, 1536}, 1));
    Func level = Halide::BoundaryConditions::repeat_edge(input);
    for (int k = 1; k <= 4; k++) {
        Func rows("rows" + std::to_string(k)), next("level" + std::to_string(k));
        rows(x, y) =
            (level(2 * x - 1, y) + 3.0f * (level(2 * x, y) + level(2 * x + 1, y)) + level(2 * x + 2, y)) / 8.0f;
        next(x, y) = (rows(x, 2 * y - 1) + 3.0f * (rows(x, 2 * y) + rows(x, 2 * y + 1)) + rows(x, 2 * y + 2)) / 8.0f;
        level = next;
    }
    return {level, {input}, {128, 96}};
}

/// Bytes of three channels, sharpened by their difference to a blur of 5 x 5 pixels.
inline Made unsharp_bytes() {
    Var x("x"), y("y"), c("c");
    ImageParam input = input_of("input", bytes({1536, 1024, 3}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    Func wide("wide"), rows("rows"), blurred("blurred"), output("output");
    wide(x, y, c) = cast<int>(source(x, y, c));
    rows(x, y, c) =
        wide(x, y - 2, c) + 4 * wide(x, y - 1, c) + 6 * wide(x, y, c) + 4 * wide(x, y + 1, c) + wide(x, y + 2, c);
    blurred(x, y, c) =
        (rows(x - 2, y, c) + 4 * rows(x - 1, y, c) + 6 * rows(x, y, c) + 4 * rows(x + 1, y, c) + rows(x + 2, y, c)) /
        256;
    output(x, y, c) = cast<uint8_t>(Halide::clamp(2 * wide(x, y, c) - blurred(x, y, c), 0, 255));
    return {output, {input}, {1536, 1024, 3}};
}

/// An opening and then a closing by 5 x 5 pixels.
inline Made open_close() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({1536, 1024}, 1));
    const Func source = Halide::BoundaryConditions::repeat_edge(input);
    const auto end = [&](const Func &of, bool is_least, const std::string &name) {
        Func rows(name + "_rows"), both(name);
        RDom r(-2, 5, name + "_r");
        rows(x, y) = is_least ? Halide::minimum(of(x + r, y)) : Halide::maximum(of(x + r, y));
        both(x, y) = is_least ? Halide::minimum(rows(x, y + r)) : Halide::maximum(rows(x, y + r));
        return both;
    };
    const Func opened = end(end(source, true, "eroded"), false, "opened");
    return {end(end(opened, false, "dilated"), true, "closed"), {input}, {1536, 1024}};
}

/// A normalization by mean and deviation of 7 x 7 pixels.
inline Made local_contrast() {
    Var x("x"), y("y");
    ImageParam input = input_of("input", bytes({1536, 1024}, 1));
    const Func source = Halide::BoundaryConditions::mirror_interior(input);
    Func value("value"), mean("mean"), square("square"), output("output");
    RDom r(-3, 7, -3, 7, "r");
    value(x, y) = cast<int>(source(x, y));
    mean(x, y) += value(x + r.x, y + r.y);
    square(x, y) += value(x + r.x, y + r.y) * value(x + r.x, y + r.y);
    const Expr m = cast<float>(mean(x, y)) / 49.0f, v = cast<float>(square(x, y)) / 49.0f - m * m;
    output(x, y) = (cast<float>(value(x, y)) - m) / (Halide::sqrt(Halide::max(v, 0.0f)) + 1.0f);
    return {output, {input}, {1536, 1024}, false, 1e-3};
}

inline std::vector<Named> filters() {
    return {{"bilateral_filter", bilateral_filter},
            {"guided_filter", guided_filter},
            {"median_3x3", median_3x3},
            {"sobel_magnitude", sobel_magnitude},
            {"box_blur_by_sums", box_blur_by_sums},
            {"integral_image", integral_image},
            {"gaussian_pyramid", gaussian_pyramid},
            {"unsharp_bytes", unsharp_bytes},
            {"open_close", open_close},
            {"local_contrast", local_contrast}};
}

} // namespace held_out
