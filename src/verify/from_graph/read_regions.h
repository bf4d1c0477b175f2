#pragma once
// The regions of Funcs and inputs: the coordinates that their consumers read, from the outputs on, and what schedules
// compute beyond them.

#include "verify/from_graph/coordinates.h"

#include <map>
#include <string>
#include <vector>

namespace fluorite::verify {

/// The coordinates along each dimension, in the order of the definition.
using Region = std::vector<Interval>;

class ReadRegions {
  public:
    /// The conversion gets what is needed and read, and the facts that regions rest on.
    ReadRegions(const ir::Graph &graph, const ConvertOptions &options, Conversion &conversion, Coordinates &coordinates)
        : graph_(graph), options_(options), result_(conversion), coordinates_(coordinates),
          regions_(graph.funcs.size()) {}

    /// Names the extents of an output, or takes those that are given.
    void declare_output(size_t f);
    /// The regions of all Funcs that the outputs need. Throws Unsupported where a coordinate has no bounds.
    void find();

    const Region &of(size_t func) const { return regions_[func]; }
    /// By the number of the input; those that are read.
    const std::map<size_t, Region> &of_inputs() const { return input_regions_; }
    /// The bounds of the coordinates of a stage, which the coordinates know from then on.
    std::map<std::string, Interval> environment(size_t f, size_t stage);

  private:
    std::optional<Interval> interval(const Index &index, std::map<std::string, Interval> env) const;
    void widen_to_promise(size_t f);
    void widen_to_tails(size_t f);
    void add_regions_read_by(size_t f);
    void add_regions_read_by_stages(size_t f);
    void add_reads(const ir::FuncDef &func, const ir::Stage &stage, const Expr &expr,
                   const std::map<std::string, Interval> &env, bool scatters);
    void demand_within(const Region &all, const Region &region);
    void unite(Region &all, const Region &region) const;

    const ir::Graph &graph_;
    const ConvertOptions &options_;
    Conversion &result_;
    Coordinates &coordinates_;
    std::vector<Region> regions_; // as graph.funcs
    std::map<size_t, Region> input_regions_;
    std::vector<Region> own_reads_; // of the Func at hand, elsewhere than where it writes
};

} // namespace fluorite::verify
