// Reductions that may be cut into partial ones (rfactor).
//
// What: an update of few points runs as one task, one step after the other, as a histogram or the sum of an image:
//   h(i) = 0;  h(in(r.x, r.y)) += 1
// Cut into bands of rows, it is partial results that are tasks, and their combination, which is short:
//   p(i, b) = 0;  p(in(r.x, row), b) += 1 for the rows of band b;  h(i) += p(i, b)
// Where an update has fewer points than a vector has lanes, or sums along rows, the innermost RVar is cut into some
// vectors as well, whose sums stay in registers.
//
// Method: bands are as many as tasks should be made. Which cut is taken is decided by a search of the pipeline that has
// it, as the partial results are a Func like any other.
//
// Relies on: reductions and loops of the stage graph; analysis/reduction.h for operators.
//
// Does not do: partial results inside of tiles; operators that round, even where the program allows it, because all
// schedules that are found compute the same bits. Cost: linear in the updates.
#include "autoschedule/partial_reductions.h"

#include "analysis/reduction.h"
#include "autoschedule/group_writer.h"

#include <algorithm>

namespace fluorite::autoschedule {

using schedule::Directive;

namespace {

/// Vectors of partial sums: additions to one wait for each other, those to others meanwhile do not.
constexpr int64_t vectors_of_partials = costs::partial_sum_vectors;

class PartialReductionWriter {
  public:
    PartialReductionWriter(const DescribedPipeline &pipeline, const RooflineCost &cost, const RooflineMachine &machine,
                           const PlannedGroup &group)
        : cost_(cost), machine_(machine), stage_(group.plan.last), node_(pipeline.graph.stages[stage_]),
          func_(pipeline.computed[stage_]), cycles_(group.plan.cycles) {}

    std::vector<PartialReduction> run() const {
        std::vector<PartialReduction> cuts;
        // The tasks alone take so long.
        if (node_.is_by_hand || cycles_ < 2 * machine_.caches.task_cycles) {
            return cuts;
        }
        for (size_t k = 1; k < func_.stages.size(); ++k) {
            add(cuts, k);
        }
        return cuts;
    }

  private:
    const RooflineCost &cost_;
    const RooflineMachine &machine_;
    const size_t stage_;
    const StageNode &node_;
    const ir::FuncDef &func_;
    const double cycles_;

    void add(std::vector<PartialReduction> &cuts, size_t k) const {
        const std::vector<int64_t> &extents = node_.reductions[k - 1];
        const analysis::ReductionMatch match = analysis::prove_reduction(func_, func_.stages[k]);
        if (extents.empty() || !match.op || match.op->split != analysis::Law::Exact) {
            return;
        }
        const bool commutes = match.op->commute == analysis::Law::Exact;
        const size_t last = extents.size() - 1;
        const int64_t tasks = tasks_of_a_thread * machine_.threads;
        const bool has_bands = machine_.threads > 1 && own_points(k) < tasks && extents[last] >= 2 * machine_.threads;
        const int64_t width = vectors_of_partials * cost_.lanes(stage_);
        const bool has_lanes = commutes && !is_scattered(k) &&
                               (own_points(k) < cost_.lanes(stage_) || reads_along_rvars()) &&
                               extents[0] >= 2 * width && (last > 0 || !has_bands || extents[0] >= 2 * width * tasks);
        const int64_t band = (extents[last] + tasks - 1) / tasks;
        if (has_bands && has_lanes) {
            cuts.push_back(partial_reduction(k, last > 0 ? band : (band + width - 1) / width, width));
        }
        if (has_bands) {
            cuts.push_back(partial_reduction(k, band, 0));
        }
        if (has_lanes) {
            cuts.push_back(partial_reduction(k, 0, width));
        }
    }

    /// The points of the pure loops.
    int64_t own_points(size_t k) const {
        int64_t points = 1;
        for (size_t loop = 0; loop < node_.loops.size(); ++loop) {
            points *= is_own(k, loop) ? node_.loops[loop].extent : 1;
        }
        return points;
    }
    bool is_own(size_t k, size_t loop) const {
        const Expr &arg = func_.stages[k].args[loop];
        return arg->kind() == ir::ExprKind::Variable && arg->symbol() == func_.args[loop];
    }
    bool is_scattered(size_t k) const {
        for (size_t loop = 0; loop < node_.loops.size(); ++loop) {
            if (!is_own(k, loop)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a step reads the next element of a row, and a vector elements of several rows.
    bool reads_along_rvars() const {
        return std::any_of(node_.reads.begin(), node_.reads.end(), [](const Read &read) {
            return !read.is_initial && !read.footprint.empty() && !read.step.empty() &&
                   read.footprint[0].kind == Footprint::Kind::Constant && read.footprint[0].width() > 1 &&
                   read.step[0] != read.footprint[0];
        });
    }

    /// Bands of so many iterations of the outermost RVar, and so many lanes of the innermost one; 0: none.
    PartialReduction partial_reduction(size_t k, int64_t band, int64_t width) const {
        const std::vector<ir::ReductionVar> &rvars = func_.stages[k].rvars;
        std::vector<std::string> taken = func_.arg_names;
        for (const ir::ReductionVar &rvar : rvars) {
            taken.push_back(rvar.name);
        }
        LoopNames names(taken);
        PartialReduction result;
        std::vector<std::string> kept, vars;
        const auto line = [&](const char *name, std::vector<std::vector<std::string>> args) {
            Directive directive;
            directive.func = func_.name();
            directive.stage = static_cast<int>(k);
            directive.name = name;
            directive.args = std::move(args);
            result.lines.push_back(std::move(directive));
        };
        std::string first = rvars.front().name, outer = rvars.back().name;
        if (width > 0) {
            const std::string rest = names.fresh("run"), lane = names.fresh("lane");
            line("split", {{first}, {rest}, {lane}, {std::to_string(width)}, {tile_tail}});
            kept.push_back(lane);
            result.lanes = names.fresh("part");
            vars.push_back(result.lanes);
            outer = rvars.size() == 1 ? rest : outer;
            result.what = concat(width, " of ", first);
        }
        if (band > 0) {
            const std::string bands = names.fresh("bands"), row = names.fresh("row");
            line("split", {{outer}, {bands}, {row}, {std::to_string(band)}, {tile_tail}});
            kept.push_back(bands);
            vars.push_back(names.fresh("band"));
            result.what += concat(width > 0 ? " and " : "", "bands of ", band, " ", outer);
        }
        line("rfactor", {kept, vars});
        result.what = concat("partial results of ", func_.name(), " for ", result.what);
        return result;
    }
};

} // namespace

std::vector<PartialReduction> find_partial_reductions(const DescribedPipeline &pipeline, const RooflineCost &cost,
                                                      const std::vector<PlannedGroup> &groups,
                                                      const RooflineMachine &machine) {
    std::vector<PlannedGroup> longest; // each stage with updates that is not computed for each of several tiles
    for (const PlannedGroup &group : groups) {
        for (const size_t stage : group.stages) {
            if (pipeline.graph.stages[stage].updates > 0 && (stage == group.plan.last || group.plan.tiles == 1)) {
                longest.push_back({{stage}, *cost.plan({stage}), false});
            }
        }
    }
    std::stable_sort(longest.begin(), longest.end(),
                     [](const PlannedGroup &a, const PlannedGroup &b) { return a.plan.cycles > b.plan.cycles; });
    std::vector<PartialReduction> cuts;
    for (const PlannedGroup &stage : longest) {
        const std::vector<PartialReduction> own = PartialReductionWriter(pipeline, cost, machine, stage).run();
        cuts.insert(cuts.end(), own.begin(), own.end());
    }
    return cuts;
}

} // namespace fluorite::autoschedule
