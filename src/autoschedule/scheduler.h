#pragma once
// One schedule of a pipeline: described, grouped, planned, written and judged.

#include "autoschedule/auto_schedule.h"
#include "autoschedule/costs.h"
#include "autoschedule/directive_writer.h"
#include "autoschedule/group_by_model.h"
#include "loopnest/loop_nests.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::autoschedule {

/// Funcs that are tried to be inlined after a search, each with a search of its own, in pipelines of so many stages.
inline constexpr size_t most_tried = costs::most_trials, most_stages_of_trials = costs::most_stages_of_trials;

class Scheduler {
  public:
    /// Searches groups. The pipeline and the request live longer than this.
    Scheduler(const schedule::ScheduledGraph &pipeline, const Request &request, const PlanOptions &options);

    double cycles() const;
    size_t stages() const { return described_.graph.stages.size(); }
    const StageGraph &graph() const { return described_.graph; }
    const RooflineCost &cost() const { return cost_; }
    const std::vector<PlannedGroup> &groups() const { return groups_; }

    /// Of the Funcs that stand alone and take longer to pass through memory than to compute, those that take longest.
    std::vector<FuncId> find_stored() const;
    /// Funcs without updates that stay in registers: inlined, they may share operands with what reads them, and rows
    /// of a block share their values nevertheless.
    std::vector<FuncId> find_registered() const;
    /// Stages of sums that gather, whose vectors may run along another loop.
    std::vector<Transposition> find_transpositions() const;
    /// Outputs whose stages may be one.
    const std::vector<FuncId> &fusable_outputs() const { return described_.fusable_outputs; }
    /// Whether outputs have short rows, whose points vectors store one by one if they run along another loop.
    bool has_short_rows() const { return described_.has_short_rows; }
    /// Of the Funcs that are inlined, copies that reductions read again and again, or that are read at several
    /// places that data or floats say: kept, what they copy lies together, and clamps are no part of such coordinates.
    std::vector<FuncId> find_copies() const;
    /// Of the Funcs that are inlined, those that only pass on what updates have computed: kept, they may be the last of
    /// a group, in whose tiles the updates run with their values in registers.
    std::vector<FuncId> find_results_of_updates() const;

    /// Takes these groups in place of those that were searched.
    void set_groups(const Grouping &grouping);

    /// The schedule of the groups; those that the rules of schedules refuse are changed until it is legal. Refused
    /// where the pipeline is refused with every stage alone.
    Result<FoundSchedule> run();

  private:
    const schedule::ScheduledGraph &input_;
    const Request &request_;
    const DescribedPipeline described_;
    RooflineCost cost_;
    const GroupingModel model_;
    loopnest::LoopNests nests_;
    std::optional<SearchResult> found_; // none where groups are given
    std::vector<PlannedGroup> groups_;
    std::vector<schedule::Directive> lines_;
    std::vector<std::string> notes_;
    size_t searches_ = 0;     // again, as windows do not slide
    bool has_readers_ = true; // stages alone may be computed in the loops of what reads them
    Verdict verdict_;         // of the pipeline, where no schedule is legal

    void search();
    void plan_groups(const Grouping &grouping);
    /// The stage and the loop that a stage alone is computed in.
    std::optional<Reader> find_reader(const PlannedGroup &group) const;
    const std::string &name(size_t stage) const { return described_.graph.stages[stage].name; }
    /// Funcs that are inlined, other than by hand. What is promised of their regions has no effect.
    std::vector<FuncId> inlined_here() const;

    // ---- Judging.

    bool try_apply(schedule::Schedule &schedule, const std::vector<schedule::Directive> &lines) const;
    /// Writes the groups and has them judged; false where a group was changed.
    bool is_accepted();
    /// Writes the groups into the schedule; false where a group was changed.
    bool is_written(schedule::Schedule &schedule);
    /// Changes groups of a schedule that is refused: first nothing is unrolled, then groups are taken apart. Where
    /// every stage stands alone, the refusal is that of the pipeline.
    void give_way(const Refusal &refusal);
    void take_apart(size_t index, const std::string &reason);
    /// Whether all members of a group keep windows as planned; notes the first one that does not.
    bool does_slide(const PlannedGroup &group, const loopnest::BoundedLoopNest &nest);
    /// Plans groups anew that do not slide as planned; false where there are some.
    bool do_windows_slide(const loopnest::BoundedLoopNest &nest);
    /// How many rows a block has along the loop that slides.
    int64_t rows_together(const PlannedGroup &group) const;
};

} // namespace fluorite::autoschedule
