#pragma once
#include "apps/common/image.h"

#include <array>

namespace apps::reference {

/// Cells of five components with two ghost cells beyond each end of each dimension, to cells without ghosts. Channel
/// z + depth * component of an image is a layer of cells. A plane has `planar` true and one layer.
inline Image<double> minifluxdiv(const Image<double> &cells, bool planar) {
    constexpr int components = 5, ghosts = 2;
    const int depth_in = cells.channels / components, width = cells.width - 2 * ghosts,
              height = cells.height - 2 * ghosts, depth = planar ? 1 : depth_in - 2 * ghosts;
    Image<double> after(width, height, depth * components);
    const int shift = planar ? 0 : ghosts;
    for (int c = 0; c < components; c++) {
        for (int z = 0; z < depth; z++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    const auto cell = [&](int component, std::array<int, 3> by) {
                        return cells(x + ghosts + by[0], y + ghosts + by[1], z + shift + by[2] + depth_in * component);
                    };
                    double value = cell(c, {0, 0, 0});
                    for (int d = 0; d < (planar ? 2 : 3); d++) {
                        // On the face before the cell (side 0) and behind it (side 1).
                        const auto face = [&](int component, int side) {
                            std::array<int, 3> at = {0, 0, 0};
                            const auto along = [&](int i) {
                                at[static_cast<size_t>(d)] = i + side;
                                return cell(component, at);
                            };
                            return (7 * (along(-1) + along(0)) - (along(-2) + along(1))) / 12;
                        };
                        value += face(c, 1) * face(1 + d, 1) - face(c, 0) * face(1 + d, 0);
                    }
                    after(x, y, z + depth * c) = value;
                }
            }
        }
    }
    return after;
}

} // namespace apps::reference
