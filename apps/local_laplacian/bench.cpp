#include "apps/common/bench.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/local_laplacian/reference.h"

namespace {

/// A picture without pixels that lie on the edge between two entries of the table of remapped brightness (256 for each
/// of the 7 steps): there the last bit of the luminance decides which entry is taken, and that bit is each program's
/// own.
apps::Image<std::uint16_t> picture_between_entries(int width, int height) {
    auto picture = apps::random_image<std::uint16_t>(width, height, 3);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            std::uint16_t &green = picture(x, y, 1);
            const auto part = [&] {
                const double entry =
                    (0.299 * picture(x, y, 0) + 0.587 * green + 0.114 * picture(x, y, 2)) / 65535 * (7 * 256);
                return entry - std::floor(entry);
            };
            while (std::fabs(part() - 0.5) > 0.49) {
                green = static_cast<std::uint16_t>(green < 32768 ? green + 1 : green - 1);
            }
        }
    }
    return picture;
}

} // namespace

int main(int argc, char **argv) {
    using namespace apps;
    // The last step cuts the fraction off, so a value on the edge between two integers becomes either.
    const Tolerance tolerance = {0, 1};
    return measure_filter<LocalLaplacian>("local_laplacian", {argc, argv}, {12, 3, tolerance},
                                          picture_between_entries(1536, 2560),
                                          [](const auto &input) { return reference::local_laplacian(input); });
}
