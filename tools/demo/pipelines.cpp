// Five pipelines as a user would write them. The algorithm comes first and is the same for all schedules; the one
// under `if (schedule == Schedule::Good)` changes when and where values are computed, but no value.

#include "pipelines.h"

#include "fluorite/fluorite.h"

#include <algorithm>

namespace fluorite::demo {
namespace {

/// The lanes of a 16-bit vector, and tile sizes that fit the picture.
struct Sizes {
    explicit Sizes(const Picture &picture)
        : lanes(std::min(64, get_host_target().natural_vector_size<uint16_t>())), tile_width(lanes), tile_height(32) {
        while (tile_width < 256 && 2 * tile_width <= picture.width()) {
            tile_width *= 2;
        }
    }
    int lanes, tile_width, tile_height;
};

/// Brightness from 0 to 255.
Expr luma(const Func &image, const Expr &x, const Expr &y, int channels) {
    if (channels == 1) {
        return image(x, y, 0);
    }
    const Expr sum = 77 * cast<uint16_t>(image(x, y, 0)) + 150 * cast<uint16_t>(image(x, y, 1)) +
                     29 * cast<uint16_t>(image(x, y, 2));
    return cast<uint8_t>((sum + 128) / 256);
}

Expr to_byte(const Expr &value) { return cast<uint8_t>(clamp(value, 0, 255)); }

/// The mean of size x size pixels, rows first, then columns.
Func box_blur(const Picture &input, Schedule schedule, int size) {
    Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");
    Func padded = BoundaryConditions::repeat_edge(input);
    Func rows("rows"), blur("blur");
    const int radius = size / 2;

    Expr row_sum = cast<uint16_t>(padded(x - radius, y, c));
    for (int i = 1 - radius; i <= radius; i++) {
        row_sum += cast<uint16_t>(padded(x + i, y, c));
    }
    rows(x, y, c) = row_sum;
    Expr sum = rows(x, y - radius, c);
    for (int i = 1 - radius; i <= radius; i++) {
        sum += rows(x, y + i, c);
    }
    blur(x, y, c) = cast<uint8_t>((sum + size * size / 2) / (size * size));

    if (schedule == Schedule::Good) {
        const Sizes sizes(input);
        blur.tile(x, y, xi, yi, sizes.tile_width, sizes.tile_height).vectorize(xi, sizes.lanes).parallel(y);
        rows.compute_at(blur, x).vectorize(x, sizes.lanes);
    }
    return blur;
}

/// Spreads the brightness values so that each is about equally frequent; colour differences are kept.
Func equalize_histogram(const Picture &input, Schedule schedule) {
    Var x("x"), y("y"), c("c"), i("i"), xi("xi"), yi("yi");
    const int width = input.width(), height = input.height();
    Func image("image"), brightness("brightness"), row_histogram("row_histogram"), histogram("histogram");
    Func cumulative("cumulative"), table("table"), equalized("equalized");

    image(x, y, c) = input(x, y, c);
    brightness(x, y) = luma(image, x, y, input.channels());

    // A histogram for each row, so that rows are independent; then their sum.
    RDom column(0, width, "column"), row(0, height, "row"), level(1, 255, "level");
    row_histogram(i, y) = 0;
    row_histogram(cast<int32_t>(brightness(column, y)), y) += 1;
    histogram(i) = 0;
    histogram(i) += row_histogram(i, row);

    cumulative(i) = histogram(i);
    cumulative(level) = cumulative(level - 1) + histogram(level);
    const float scale = 255.0f / (static_cast<float>(width) * static_cast<float>(height));
    table(i) = cast<uint8_t>(clamp(cast<float>(cumulative(i)) * scale + 0.5f, 0.0f, 255.0f));

    const Expr shift = cast<int16_t>(table(cast<int32_t>(brightness(x, y)))) - cast<int16_t>(brightness(x, y));
    equalized(x, y, c) = to_byte(cast<int16_t>(image(x, y, c)) + shift);

    // Without these four, even the default schedule would recompute the histogram for every pixel.
    row_histogram.compute_root();
    histogram.compute_root();
    cumulative.compute_root();
    table.compute_root();
    if (schedule == Schedule::Good) {
        const Sizes sizes(input);
        row_histogram.vectorize(i, sizes.lanes).parallel(y);
        row_histogram.update().parallel(y);
        histogram.vectorize(i, sizes.lanes);
        histogram.update().reorder(i, row).vectorize(i, sizes.lanes);
        equalized.tile(x, y, xi, yi, sizes.tile_width, sizes.tile_height)
            .reorder(xi, yi, c, x, y)
            .vectorize(xi, sizes.lanes)
            .parallel(y);
    }
    return equalized;
}

/// Adds the detail that a Gaussian blur removes, in float; the correction is a factor, so hues are preserved.
Func unsharp_mask(const Picture &input, Schedule schedule) {
    Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");
    Func padded = BoundaryConditions::repeat_edge(input);
    Func gray("gray"), blur_y("blur_y"), blur_x("blur_x"), ratio("ratio"), sharp("sharp");
    const float kernel[] = {0.2666f, 0.2134f, 0.1096f, 0.0361f, 0.0076f}; // sigma 1.5; both sides add up to 1

    gray(x, y) = cast<float>(luma(padded, x, y, input.channels()));
    Expr vertical = kernel[0] * gray(x, y);
    for (int i = 1; i < 5; i++) {
        vertical += kernel[i] * (gray(x, y - i) + gray(x, y + i));
    }
    blur_y(x, y) = vertical;
    Expr horizontal = kernel[0] * blur_y(x, y);
    for (int i = 1; i < 5; i++) {
        horizontal += kernel[i] * (blur_y(x - i, y) + blur_y(x + i, y));
    }
    blur_x(x, y) = horizontal;
    const float amount = 1.5f;
    ratio(x, y) = (gray(x, y) + amount * (gray(x, y) - blur_x(x, y))) / max(gray(x, y), 1.0f);
    sharp(x, y, c) = cast<uint8_t>(clamp(cast<float>(padded(x, y, c)) * ratio(x, y) + 0.5f, 0.0f, 255.0f));

    if (schedule == Schedule::Good) {
        const Sizes sizes(input);
        const int lanes = std::max(1, sizes.lanes / 2);
        sharp.tile(x, y, xi, yi, sizes.tile_width, sizes.tile_height)
            .reorder(xi, yi, c, x, y)
            .vectorize(xi, lanes)
            .parallel(y);
        gray.compute_at(sharp, x).vectorize(x, lanes);
        blur_y.compute_at(sharp, x).vectorize(x, lanes);
        ratio.compute_at(sharp, x).vectorize(x, lanes);
    }
    return sharp;
}

/// The magnitude of the brightness gradient by Sobel's two 3 x 3 stencils.
Func sobel_edges(const Picture &input, Schedule schedule) {
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func padded = BoundaryConditions::repeat_edge(input);
    Func gray("gray"), edges("edges");

    gray(x, y) = cast<int16_t>(luma(padded, x, y, input.channels()));
    const Expr across = gray(x + 1, y - 1) + 2 * gray(x + 1, y) + gray(x + 1, y + 1) - gray(x - 1, y - 1) -
                        2 * gray(x - 1, y) - gray(x - 1, y + 1);
    const Expr down = gray(x - 1, y + 1) + 2 * gray(x, y + 1) + gray(x + 1, y + 1) - gray(x - 1, y - 1) -
                      2 * gray(x, y - 1) - gray(x + 1, y - 1);
    const Expr square = cast<float>(across) * cast<float>(across) + cast<float>(down) * cast<float>(down);
    edges(x, y) = cast<uint8_t>(min(sqrt(square), 255.0f));

    if (schedule == Schedule::Good) {
        const Sizes sizes(input);
        edges.tile(x, y, xi, yi, sizes.tile_width, sizes.tile_height).vectorize(xi, sizes.lanes).parallel(y);
        gray.compute_at(edges, x).vectorize(x, sizes.lanes);
    }
    return edges;
}

} // namespace

const std::vector<Example> &examples() {
    static const std::vector<Example> all = {
        {"box_blur_3x3", "box blur 3x3",
         "The mean of each pixel's 3 x 3 neighbours, rows first, then columns. Edge pixels are repeated beyond the "
         "edge.",
         "tiles on all cores; the rows' sums are computed per tile and stay in the cache; both in vectors",
         [](const Picture &picture, Schedule schedule) { return box_blur(picture, schedule, 3); }},
        {"box_blur_9x9", "box blur 9x9",
         "The same with 9 x 9 neighbours. Left to the default, all 81 are added up for every pixel; with the rows' "
         "sums "
         "kept, 18 are.",
         "as for 3 x 3", [](const Picture &picture, Schedule schedule) { return box_blur(picture, schedule, 9); }},
        {"histogram", "histogram equalization",
         "Counts how often each brightness occurs, adds the counts up, and maps brightnesses through the result, so "
         "that "
         "contrast goes where the pixels are. Under both schedules the counts are computed once, ahead of the picture.",
         "rows are counted on all cores; the last stage runs in tiles and vectors, with a gather from the table",
         equalize_histogram},
        {"unsharp_mask", "unsharp mask",
         "Subtracts a Gaussian blur of the brightness from itself and adds the difference back, one and a half times, "
         "in "
         "floating point.",
         "tiles on all cores; brightness, both blurs and the correction per tile; channels share the correction",
         unsharp_mask},
        {"sobel_edges", "Sobel edge map",
         "The length of the brightness' gradient, from Sobel's pair of 3 x 3 stencils: flat areas are black, edges "
         "white.",
         "tiles on all cores; brightness per tile; vectors", sobel_edges},
    };
    return all;
}

} // namespace fluorite::demo
