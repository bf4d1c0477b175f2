// tile({x, y}, {xo, yo}, {xi, yi}, {fx, fy}): splits each loop, then moves all inner loops inside all outer loops:
//   for y { for x }  -->  for yo { for xo { for yi { for xi } } }
// gpu_tile marks the outer loops as blocks and the inner ones as threads.
// Legal if the splits and the reorder are, and all lists have the same length.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

#include <functional>

namespace fluorite::schedule {

Verdict tile(const StageRef &stage, const std::vector<std::string> &previous, const std::vector<std::string> &outers,
             const std::vector<std::string> &inners, const std::vector<Expr> &factors, TailStrategy tail,
             Location location) {
    return tile(stage, previous, outers, inners, factors, std::vector<TailStrategy>(previous.size(), tail), location);
}

Verdict tile(const StageRef &stage, const std::vector<std::string> &previous, const std::vector<std::string> &outers,
             const std::vector<std::string> &inners, const std::vector<Expr> &factors,
             const std::vector<TailStrategy> &tails, Location location) {
    size_t rank = previous.size();
    if (tails.size() != rank) {
        return refused(
            stage, "tile-lists-differ",
            "tile with " + std::to_string(rank) + " loops and " + std::to_string(tails.size()) +
                " tail strategies; each loop takes one; pass lists of one length, or one TailStrategy for all",
            location);
    }
    if (rank == 0 || outers.size() != rank || inners.size() != rank || factors.size() != rank) {
        return refused(stage, "tile-lists-differ",
                       "tile with " + std::to_string(rank) + " loops, " + std::to_string(outers.size()) +
                           " outer and " + std::to_string(inners.size()) + " inner names and " +
                           std::to_string(factors.size()) +
                           " factors; each loop takes one of each; pass lists of one length",
                       location);
    }
    if (Verdict legal = require_scheduled(stage, "tile", location); !legal) {
        return legal;
    }
    StageEdit edit(stage, "tile", location);
    for (size_t d = 0; d < rank; d++) {
        if (Verdict legal = split(stage, previous[d], outers[d], inners[d], factors[d], tails[d], location); !legal) {
            return edit.undo(std::move(legal));
        }
    }
    std::vector<std::string> order = inners;
    order.insert(order.end(), outers.begin(), outers.end());
    Verdict legal = reorder(stage, order, location);
    return legal ? Verdict() : edit.undo(std::move(legal));
}

Verdict gpu_tile(const StageRef &stage, const std::vector<std::string> &previous,
                 const std::vector<std::string> &blocks, const std::vector<std::string> &threads,
                 const std::vector<Expr> &sizes, TailStrategy tail, Location location) {
    if (Verdict legal = require_scheduled(stage, "gpu_tile", location); !legal) {
        return legal;
    }
    StageEdit edit(stage, "gpu_tile", location);
    for (const auto &step :
         {std::function([&] { return schedule::tile(stage, previous, blocks, threads, sizes, tail, location); }),
          std::function([&] { return set_for_types(stage, blocks, ForType::GPUBlock, location); }),
          std::function([&] { return set_for_types(stage, threads, ForType::GPUThread, location); })}) {
        if (Verdict legal = step(); !legal) {
            return edit.undo(std::move(legal));
        }
    }
    return {};
}

// ---- Rows.

namespace {

using Tile = Verdict (*)(const StageRef &, const std::vector<std::string> &, const std::vector<std::string> &,
                         const std::vector<std::string> &, const std::vector<Expr> &, TailStrategy, Location);
template <Tile tile_by> Verdict apply_tile(DirectiveContext &context, const Directive &d) {
    return tile_by(context.stage(d), list(d, 0), list(d, 1), list(d, 2), exprs(context, d, 3), tail(d, 4),
                   context.location());
}

std::vector<ArgSpec> tile_args() {
    return {{ArgKind::Loop, Arity::List},
            {ArgKind::NewLoop, Arity::List},
            {ArgKind::NewLoop, Arity::List},
            {ArgKind::Expression, Arity::List},
            tail_strategy};
}

} // namespace

DirectiveRow row_of_tile() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = tile_args(),
            .apply = apply_tile<tile>,
            .meaning = rewrites,
            .example = "total.tile({x, y}, {xo, yo}, {xi, yi}, {8, 4}, GuardWithIf)"};
}

DirectiveRow row_of_gpu_tile() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = tile_args(),
            .apply = apply_tile<gpu_tile>,
            .meaning = uncovered(no_devices_in_terms),
            .example = "total.gpu_tile({x, y}, {xo, yo}, {xi, yi}, {8, 4}, GuardWithIf)"};
}

} // namespace fluorite::schedule
