#pragma once
// From a camera's raw picture to colours: hot pixels are pulled to their neighbours, the Bayer mosaic is interpolated
// along the direction that changes least, colours are corrected by a matrix for the light's temperature, bent by a tone
// curve, and sharpened. The mosaic has rows G R and B G by turns, 10 bits. Outside the raw picture it is mirrored about
// the middle of its edge pixels, which keeps each site's colour.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct CameraPipe {
    Halide::ImageParam input{Halide::UInt(16), 2, "input"};
    Halide::Param<float> temperature{"temperature", 3700.0f}, gamma{"gamma", 2.0f}, contrast{"contrast", 50.0f},
        sharpness{"sharpness", 1.0f};
    Halide::Func output{"camera_pipe"};

    explicit CameraPipe(Schedule schedule) {
        using namespace Halide;
        const Func source = BoundaryConditions::mirror_interior(input);
        raw(x, y) = cast<int16_t>(source(x, y));
        denoised(x, y) = clamp(raw(x, y), 0, max(max(raw(x - 2, y), raw(x + 2, y)), max(raw(x, y - 2), raw(x, y + 2))));
        sites(x, y, c) = mux(c, {denoised(2 * x, 2 * y), denoised(2 * x + 1, 2 * y), denoised(2 * x, 2 * y + 1),
                                 denoised(2 * x + 1, 2 * y + 1)});
        demosaic();
        correct();
        sharpen();
        if (is_by_hand(schedule)) {
            schedule_by_hand();
        } else if (is_on_gpu(schedule)) {
            schedule_on_gpu();
        } else {
            curve.compute_root();
            curved.compute_root(); // inline, each pixel would demosaic nine
        }
    }

  private:
    static Halide::Expr mean(Halide::Expr a, Halide::Expr b) {
        using namespace Halide;
        return cast<int16_t>((cast<int32_t>(a) + cast<int32_t>(b) + 1) / 2);
    }

    /// What a green site `at` has of another colour: the mean of that colour at its two neighbours, plus how much
    /// greener the site is than they are.
    static Halide::Expr beside(Halide::Expr at, Halide::Expr color1, Halide::Expr color2, Halide::Expr green1,
                               Halide::Expr green2) {
        return at - mean(green1, green2) + mean(color1, color2);
    }

    void demosaic() {
        using namespace Halide;
        // The four sites of a cell: green beside red, red, blue, green beside blue.
        const auto gr = [&](Expr i, Expr j) { return sites(i, j, 0); };
        const auto r = [&](Expr i, Expr j) { return sites(i, j, 1); };
        const auto b = [&](Expr i, Expr j) { return sites(i, j, 2); };
        const auto gb = [&](Expr i, Expr j) { return sites(i, j, 3); };
        const auto smoother = [](Expr a1, Expr a2, Expr b1, Expr b2) {
            return select(absd(a1, a2) < absd(b1, b2), mean(a1, a2), mean(b1, b2));
        };
        green_at_red(x, y) = smoother(gr(x, y), gr(x + 1, y), gb(x, y - 1), gb(x, y));
        green_at_blue(x, y) = smoother(gb(x - 1, y), gb(x, y), gr(x, y), gr(x, y + 1));
        const Func &gar = green_at_red, &gab = green_at_blue;

        const Expr red_at_gr = beside(gr(x, y), r(x - 1, y), r(x, y), gar(x - 1, y), gar(x, y));
        const Expr blue_at_gr = beside(gr(x, y), b(x, y - 1), b(x, y), gab(x, y - 1), gab(x, y));
        const Expr red_at_gb = beside(gb(x, y), r(x, y), r(x, y + 1), gar(x, y), gar(x, y + 1));
        const Expr blue_at_gb = beside(gb(x, y), b(x, y), b(x + 1, y), gab(x, y), gab(x + 1, y));
        // Red at blue sites and blue at red sites along the diagonal that changes least.
        const Expr red_at_blue = select(absd(r(x, y), r(x - 1, y + 1)) < absd(r(x - 1, y), r(x, y + 1)),
                                        beside(gab(x, y), r(x, y), r(x - 1, y + 1), gar(x, y), gar(x - 1, y + 1)),
                                        beside(gab(x, y), r(x - 1, y), r(x, y + 1), gar(x - 1, y), gar(x, y + 1)));
        const Expr blue_at_red = select(absd(b(x, y), b(x + 1, y - 1)) < absd(b(x + 1, y), b(x, y - 1)),
                                        beside(gar(x, y), b(x, y), b(x + 1, y - 1), gab(x, y), gab(x + 1, y - 1)),
                                        beside(gar(x, y), b(x + 1, y), b(x, y - 1), gab(x + 1, y), gab(x, y - 1)));

        const auto cells = [&](Func &whole, Expr at_gr, Expr at_red, Expr at_blue, Expr at_gb) {
            Func cell(whole.name() + "_cell");
            cell(x, y, c) = mux(c, {at_gr, at_red, at_blue, at_gb});
            whole(x, y) = cell(x / 2, y / 2, x % 2 + 2 * (y % 2));
            cell_planes.push_back(cell);
        };
        cells(red, red_at_gr, r(x, y), red_at_blue, red_at_gb);
        cells(green, gr(x, y), gar(x, y), gab(x, y), gb(x, y));
        cells(blue, blue_at_gr, blue_at_red, b(x, y), blue_at_gb);
    }

    void correct() {
        using namespace Halide;
        // Matrices for two lights, 3000 and 6500 kelvin, interpolated by the reciprocal of the temperature; in units of
        // 1/256.
        const float warm[3][4] = {
            {1.62f, -0.41f, -0.21f, -12.0f}, {-0.38f, 1.49f, -0.11f, -12.0f}, {-0.12f, -0.92f, 2.04f, -12.0f}};
        const float cold[3][4] = {
            {1.95f, -0.62f, -0.33f, -12.0f}, {-0.29f, 1.47f, -0.18f, -12.0f}, {-0.04f, -0.55f, 1.59f, -12.0f}};
        const Expr share = (1.0f / temperature - 1.0f / 3000) / (1.0f / 6500 - 1.0f / 3000);
        const auto entry = [&](int row, int column) {
            return cast<int32_t>((cold[row][column] * share + warm[row][column] * (1.0f - share)) * 256.0f);
        };
        std::vector<Expr> entries;
        for (int i = 0; i < 12; i++) {
            entries.push_back(entry(i / 4, i % 4));
        }
        matrix(i) = mux(i, entries);
        std::vector<Expr> rows;
        for (int row = 0; row < 3; row++) {
            rows.push_back((matrix(4 * row) * cast<int32_t>(red(x, y)) +
                            matrix(4 * row + 1) * cast<int32_t>(green(x, y)) +
                            matrix(4 * row + 2) * cast<int32_t>(blue(x, y)) + matrix(4 * row + 3)) /
                           256);
        }
        corrected(x, y, c) = cast<int16_t>(mux(c, rows));
        matrix.compute_root();

        // The curve: gamma, then a share of an S.
        const Expr bent = pow(cast<float>(i) / 1023.0f, 1.0f / gamma);
        const Expr contrasted = lerp(bent, bent * bent * (3.0f - 2.0f * bent), contrast / 100.0f);
        curve(i) = cast<uint8_t>(clamp(contrasted * 255.0f + 0.5f, 0.0f, 255.0f));
        curved(x, y, c) = curve(clamp(cast<int32_t>(corrected(x, y, c)), 0, 1023));
    }

    void sharpen() {
        using namespace Halide;
        strength(i) = cast<int16_t>(cast<uint8_t>(clamp(sharpness * 32.0f, 0.0f, 127.0f)));
        strength.compute_root();
        const auto wide = [&](Expr i, Expr j) { return cast<uint16_t>(curved(i, j, c)); };
        down(x, y, c) = cast<uint8_t>((wide(x, y - 1) + 2 * wide(x, y) + wide(x, y + 1)) / 4);
        const auto row = [&](Expr i) { return cast<uint16_t>(down(i, y, c)); };
        blurred(x, y, c) = cast<uint8_t>((row(x - 1) + 2 * row(x) + row(x + 1)) / 4);
        const Expr mask = cast<int16_t>(curved(x, y, c)) - cast<int16_t>(blurred(x, y, c));
        output(x, y, c) = cast<uint8_t>(clamp(cast<int16_t>(curved(x, y, c)) + mask * strength(0) / 32, 0, 255));
    }

    void schedule_by_hand() {
        using namespace Halide;
        Var yi("yi"), pair("pair"), xi("xi"), yj("yj");
        const int vector = 16;
        curve.compute_root().vectorize(i, 8);
        output.split(y, y, yi, 64).split(yi, pair, yi, 2).bound(c, 0, 3);
        output.reorder(x, c, yi, pair, y).vectorize(x, 2 * vector).parallel(y);
        denoised.store_at(output, y).compute_at(output, pair).vectorize(x, 2 * vector);
        sites.store_at(output, y)
            .compute_at(output, pair)
            .reorder(c, x, y)
            .bound(c, 0, 4)
            .unroll(c)
            .vectorize(x, vector);
        green_at_red.store_at(output, y).compute_at(output, pair).vectorize(x, vector);
        green_at_blue.store_at(output, y).compute_at(output, pair).vectorize(x, vector);
        for (Func &cell : cell_planes) {
            cell.store_at(output, y)
                .compute_at(output, pair)
                .reorder(c, x, y)
                .bound(c, 0, 4)
                .unroll(c)
                .vectorize(x, vector);
        }
        curved.store_at(output, y).compute_at(output, pair).reorder(c, x, y).bound(c, 0, 3).unroll(c);
        curved.vectorize(x, vector);
        down.compute_at(output, c).vectorize(x, 2 * vector);
    }

    /// One kernel for the picture: blocks share what is demosaicked. A thread has cells of 2 x 2 sites, so that which
    /// colour a site has is known.
    void schedule_on_gpu() {
        using namespace Halide;
        Var xi("xi"), yi("yi");
        gpu_row_of(curve.compute_root(), i, 256);
        gpu_row_of(matrix, i, 16);
        gpu_row_of(strength, i, 1);
        output.bound(c, 0, 3).reorder(c, x, y).unroll(c);
        gpu_tiles(output, x, y, shifted({32, 8, 4, 4}));
        gpu_turns(denoised.compute_at(output, x), x, y);
        gpu_turns(green_at_red.compute_at(output, x), x, y);
        gpu_turns(green_at_blue.compute_at(output, x), x, y);
        curved.compute_at(output, x).align_bounds(x, 2).align_bounds(y, 2).bound(c, 0, 3);
        curved.tile(x, y, xi, yi, 2, 2, TailStrategy::RoundUp).reorder(c, xi, yi, x, y).unroll(c).unroll(xi).unroll(yi);
        gpu_turns(curved, x, y);
    }

    Halide::Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
    Halide::Func raw{"raw"}, denoised{"denoised"}, sites{"sites"}, green_at_red{"green_at_red"},
        green_at_blue{"green_at_blue"}, red{"red"}, green{"green"}, blue{"blue"}, matrix{"matrix"},
        corrected{"corrected"}, curve{"curve"}, curved{"curved"}, strength{"strength"}, down{"down"},
        blurred{"blurred"};
    std::vector<Halide::Func> cell_planes;
};

} // namespace apps
