#pragma once
// Measured times over the two extents of tiles, as a picture and as a text.

#include <optional>
#include <string>
#include <vector>

namespace fluorite::view {

/// Another schedule that was measured beside the tiles. With extents, it is a tile as well, if not one of the map's.
struct Beside {
    std::string name;
    double seconds = 0;
    std::optional<int> x, y;
};

struct TileMap {
    std::string title;
    std::vector<std::string> notes; // lines below the picture
    std::vector<int> xs, ys;        // extents of tiles, in ascending order
    std::vector<double> seconds;    // of tile (xs[i], ys[j]): at [j * xs.size() + i]
    double gigabytes = 0;           // that a run accesses
    std::vector<Beside> beside;

    double at(size_t i, size_t j) const { return seconds[j * xs.size() + i]; }
    /// The position in `seconds` of the least time.
    size_t best() const;
};

/// A self-contained SVG: a cell for each tile, coloured by its speed and labelled with it in GB/s. The best one has a
/// frame; schedules beside the tiles have one, too, if their tile is in the map, and a line in any case.
std::string draw(const TileMap &map);

/// The speeds as a table, the best tile, and the schedules beside it as ratios to that.
std::string table(const TileMap &map);

} // namespace fluorite::view
