#pragma once
// What the points of a stage cost, alone and in blocks that are unrolled.

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/work.h"
#include "autoschedule/stage_graph.h"
#include "loopnest/explain/nest_values.h"

#include <map>
#include <optional>
#include <utility>

namespace fluorite::autoschedule {

/// What loads cost on a processor, in additions of 32 bits.
struct LoadCosts {
    double gathered = costs::gathered_load; // one element whose address depends on data
    double lanes = costs::load_lanes;       // of 32 bits, of a vector
};

/// Whether an update reads the Func's own values at other points: then each step waits for the one before.
bool is_scan(const ir::FuncDef &definition, const ir::Stage &update);

class StageWork {
  public:
    /// The values live longer than this.
    StageWork(loopnest::NestValues &values, const LoadCosts &costs, std::map<FuncId, size_t> innermost = {})
        : values_(values), costs_(costs), innermost_(std::move(innermost)) {}

    /// The loop whose iterations are lanes: the first that is long.
    static size_t vector_loop(const std::vector<LoopExtent> &loops);
    /// The block that unrolls all short loops of constant extent.
    static std::vector<int64_t> constant_sizes(const std::vector<LoopExtent> &loops);

    /// The bytes of the type that decides how many lanes a vector has: the widest of a tuple's, or that of most
    /// operations where this is wider. One only if all operations are on bytes.
    static int64_t lane_bytes(const ir::FuncDef &func);
    /// Operations and loads of one point of a stage.
    double of_point(const ir::FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops);
    /// The same of the pure definition, where loops of constant extent are unrolled if that is less.
    double least_of_point(const ir::FuncDef &func, const std::vector<LoopExtent> &loops);
    /// Of a block of the pure definition.
    Work of_block(const ir::FuncDef &func, const std::vector<LoopExtent> &loops,
                  const std::vector<int64_t> &sizes) const;
    /// The dimension of a Func or an input whose neighbours lie together in memory.
    size_t innermost(const ir::Symbol &source) const;
    /// To turn vectors along one dimension into vectors along another, for a point of so many bytes.
    static double turning(int64_t bytes);
    /// The work of one point of an update that writes at coordinates of its own, one point after the other, and the
    /// loop whose lanes take less work; none: that of scalars is least.
    struct Scattered {
        double scalar = 0;
        std::optional<size_t> lanes;
        double together = 0; // in lanes, for one point, as of_point: with what is loaded and stored one by one
    };
    Scattered of_scattered(const ir::FuncDef &func, size_t stage, std::vector<LoopExtent> loops);
    double of_load(const ir::FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops, const Expr &load,
                   const std::vector<int64_t> &sizes = {});
    struct LoadsWork {
        std::vector<double> each;
        double addresses = 0; // that several gathers share, in values of 32 bits: they wait in registers
    };
    /// The same of the loads of one point or block. Gathers at a constant distance from one before share its addresses.
    LoadsWork of_loads(const ir::FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops,
                       const std::vector<Expr> &loads, const std::vector<int64_t> &sizes = {});

    /// What an update that runs over all loops does for each point, by the loops that values follow.
    UpdateWork of_update(const ir::FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops);

  private:
    loopnest::NestValues &values_;
    /// Whether lanes along a loop read rows of their own, and the next step of the innermost RVar the next element of
    /// each, for so many steps that a tile is worth its transposition.
    bool reads_rows_on(const ir::FuncDef &func, const ir::Stage &update, size_t vector, const Expr &load) const;

    const LoadCosts costs_;
    const std::map<FuncId, size_t> innermost_; // of Funcs where it is not dimension 0

    /// The values of Vars at the points of a block.
    static std::vector<ir::SymbolMap<Expr>> points_of(const ir::FuncDef &func, const std::vector<LoopExtent> &loops,
                                                      const std::vector<int64_t> &sizes);
    double sum_of(const ir::FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops, const Work &work);
};

} // namespace fluorite::autoschedule
