#pragma once
// Distributed programs from a few words: what plans and replays are asked about until a compiled pipeline is at hand.

#include "distribute/replay/replay.h"

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
    int64_t bytes = 4, radius = 1, steps = 1;
    int64_t sweeps = 1; // 0: as many as are fastest on the network
    int64_t levels = 4;
    std::optional<int64_t> coarse_from; // the first level that fewer ranks have
    int64_t coarse_ranks = 1;           // 0: all ranks have all of these levels
    double cost = 1;                    // of one point
    bool overlaps = false;
};

Program describe(const Description &description, const LogGP &model);

/// What a command line asks for.
struct Question {
    Description description;
    LogGP model;
    int64_t rank = 0; // whose plan is printed
    std::string svg;  // the file to draw it to
    std::optional<Scaling> scaling;
    int64_t scaling_from = 1; // by doubling, up to the description's ranks
};

/// Reads `stencil --size 1000x1000 --ranks 64 ...`. Throws RuntimeError [bad-replay] that names the word.
Question parse_question(const std::vector<std::string> &words);

/// The page that explains the words.
std::string question_help();

/// The answer as text; the picture, if one is asked for, goes to `svg`.
std::string answer(const Question &question, std::string *svg);

} // namespace fluorite::distribute
