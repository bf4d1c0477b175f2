#pragma once
// What time tiling assumes of processors and of domains whose sizes are not known when a program is compiled. No
// processor has numbers of its own yet: each comes from the measurement that stands beside it, or is said to be a
// guess.
//
// "SPR" is a processor of the Sapphire Rapids generation with AVX-512, "Zen 5" one of that generation; times are of
// float32 fields, and are the least of several runs by turns.

#include "machine/machine_model.h"

#include <cstdint>

namespace fluorite::machine {

struct TimeTileModel {
    // ---- How many steps a tile has.
    /// Of a dimension of a square whose extent is not a constant. SPR, a step of rows of 10,000: 12.8 ms in tiles of 4
    /// and of 5 steps, 14.0 in those of 8, whose windows exceed the second-level cache; rows of 4,096: 2.0 in any.
    int64_t assumed_extent = 10'000;
    /// Of a dimension of a cube. A guess.
    int64_t assumed_cube_extent = 512;
    /// A guess: a tile of more steps takes longer to compile than it gains.
    int most_steps = 8;
    /// Where reads are mirrored at edges. SPR, 9 points over 4000^2: 3.4 ms a step one by one, 2.9 in pairs, 2.8 in
    /// tiles of 4; 7 points over 300^3: 16.1, 11.2, and 9.7 in tiles of 3. Compiling takes 1.2, 2.0 and 3.5 s.
    int most_mirrored_steps = 2;
    /// By which part a tile may exceed the cache to replace tiles of two lengths, which compile twice as long. SPR,
    /// 512^3: 31.7 ms a step in tiles of 5, which need 1.4 times the cache, 27.5 in those of 3, 31.2 in those of 2.
    double tolerated_excess = 0.5;

    // ---- How the domain is cut.
    int64_t strips = 16;       // of a square, at least, where they have enough rows. A guess
    int64_t line_block = 8192; // points of a line that a task computes. A guess
    int64_t block_rows = 64;   // of a block of a cube: benchmarks/boundary_chains.cpp

    // ---- How many rows are computed together, because they share what they read (benchmarks/stencils.cpp).
    /// By a single step. Zen 5, whose copy takes 10.0 and 13.6 ms: 10000^2 in 9.6 ms with four rows and 12.5 with one,
    /// 512^3 in 17.7 and 20.6.
    int64_t most_shared_rows = 4;
    /// Planes of a cube; the other rows are of one plane. SPR, 512^3 in four runs: two rows in two planes 56, 55, 56,
    /// 66 ms of processor time; one row in four planes 62, 58, 65, 74; one in two 58, 55, 59, 66.
    int64_t most_shared_planes = 2;
    /// By all steps of a tile. SPR, five steps of 10000^2: 67.5 ms with one row, 55.5 with two, 53.4 with four, which
    /// compile 0.8 as long again as two; five steps of 512^3: 154 ms with one plane, 135 with two, 160 with two rows of
    /// one, 157 with two rows of two.
    int64_t most_shared_in_windows = 2;
};

/// The numbers for a processor: those of the defaults, as no other has been measured.
inline TimeTileModel time_tile_model(const MachineModel &) { return {}; }

} // namespace fluorite::machine
