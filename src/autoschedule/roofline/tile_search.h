#pragma once
// The best tiles of a group.

#include "autoschedule/roofline/group_model.h"

#include <list>
#include <map>

namespace fluorite::autoschedule {

class TileSearch {
  public:
    /// The model lives longer than this. `most` says which windows may slide.
    TileSearch(const GroupModel &model, Slides most);

    TilePlan run();
    /// Rounds tiles to whole blocks, chooses whether they slide or run along columns, and prices them.
    void complete(TilePlan &plan) const;

  private:
    const GroupModel &model_;
    const Slides most_;
    std::vector<size_t> slides_; // loops that may slide

    /// What complete() found of tiles with one block and one set of stages in registers: two descents meet in one
    /// valley, and their rounds ask again.
    struct Priced {
        std::vector<int64_t> block;
        StageSet in_registers, by_steps;
        std::map<std::vector<int64_t>, double> cycles; // by tile
    };
    std::list<Priced> priced_;

    std::map<std::vector<int64_t>, double> &priced_with(const TilePlan &plan);
    std::vector<int64_t> candidates(size_t loop, size_t vector) const;
    /// Tries all sizes of all loops once.
    void improve(TilePlan &best, const std::vector<std::vector<int64_t>> &choices);
    void descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices);
};

} // namespace fluorite::autoschedule
