#pragma once
// Distributed programs from a few words: what plans and replays are asked about until a compiled pipeline is at hand.
// They are programs like those of pipelines, whose segments do not compute, so one planner plans both.

#include "ranks/replay/replay_program.h"

#include <optional>

namespace fluorite::distribute {

/// What the words say. Sizes are those of the arrays at full resolution.
struct Description {
    enum class Kind : uint8_t {
        Stencil,   // `steps` sweeps over one array, `sweeps` for each exchange
        Pyramid,   // `levels` levels down by halves and up again, each sample from four below or nine above
        Transpose, // the first dimension becomes the second
    };
    Kind kind = Kind::Stencil;
    std::vector<int64_t> size;
    int64_t ranks = 1;
    std::vector<int64_t> grid; // empty: chosen
    std::vector<bool> periodic;
    int64_t bytes = 4, radius = 1;
    int64_t steps = 0;  // 0: those for one exchange
    int64_t sweeps = 1; // 0: as many as are fastest on the network
    int64_t levels = 4;
    std::optional<int64_t> coarse_from; // the first level that fewer ranks have
    int64_t coarse_ranks = 1;           // 0: all ranks have all of these levels
    int64_t coarse_share = 0;           // of applications: one of so many ranks has them; 0: coarse_ranks
    double cost = 1;                    // of one point
    bool overlaps = false;
};

/// The program. Throws RuntimeError [bad-replay] where the words do not fit together.
ProgramOnRanks describe(const Description &description);

/// A command line for plans and replays.
struct PlanRequest {
    std::vector<std::string> applications; // compiled pipelines, whoever knows them; empty: the description
    bool by_rows = false;                  // images of applications are cut by rows
    bool is_measured = true;               // what the segments of applications cost, unless --point is given
    Description description;
    LogGP model;
    int64_t rank = 0; // whose plan is printed
    std::string svg;  // the file to draw it to
    std::optional<Scaling> scaling;
    int64_t scaling_from = 1; // by doubling, up to the description's ranks
};

/// Reads `stencil --size 1000x1000 --ranks 64 ...`. `applications` are the names of compiled pipelines that may be
/// asked for instead, several with commas in between. Throws RuntimeError [bad-replay] that names the word.
PlanRequest parse_plan_request(const std::vector<std::string> &words,
                               const std::vector<std::string> &applications = {});

/// The page that explains the words.
std::string plan_request_help(const std::vector<std::string> &applications = {});

/// The report as text; the picture, if one is asked for, goes to `svg`. Precondition: no applications are asked for.
std::string report(const PlanRequest &request, std::string *svg);

/// What the table is about, for pictures.
std::string scaling_title(const PlanRequest &request);
/// The numbers of ranks in the rows of a table.
std::vector<int64_t> ranks_of_table(const PlanRequest &request);
/// The size for so many ranks in a table: the whole, or that of one rank in each of a grid, which `grid` is.
std::vector<int64_t> scaled_size(const PlanRequest &request, const std::vector<int64_t> &grid);

} // namespace fluorite::distribute
