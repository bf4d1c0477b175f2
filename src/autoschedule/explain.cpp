// Automatic schedules in words: what people read to judge a schedule before they run it.
//
// For each group: its tiles, what slides, what is computed together, what it takes under the model and of which parts
// that consists, what its stages would take apart, and the grouping that costs least of those that differ in one stage
// or one pair of groups.
//
// Cost: for each group, the runner-up asks for the costs of as many groups as there are stages and groups. It is left
// out where there are many stages.
#include "autoschedule/explain.h"

#include "autoschedule/scheduler.h"

#include <cstdio>
#include <sstream>

namespace fluorite::autoschedule {

namespace {

class Explanation {
  public:
    explicit Explanation(const Explained &schedule)
        : funcs_(schedule.graph), request_(schedule.request), described_(schedule.described), cost_(schedule.cost),
          groups_(schedule.groups), notes_(schedule.notes), search_(schedule.search), graph_(described_.graph) {}

    std::string text() const {
        std::ostringstream out;
        out << "automatic schedule by the model " << name_of(request_.model) << " for " << request_.machine.name << ", "
            << request_.threads << (request_.threads == 1 ? " thread" : " threads")
            << (request_.measured_as.empty() ? "" : ", as measured in " + request_.measured_as) << "\n";
        if (!described_.inlined.empty()) {
            out << "inlined:";
            for (const FuncId id : described_.inlined) {
                out << " " << funcs_.func(id).name();
            }
            out << "\n";
        }
        for (const PlannedGroup &group : groups_) {
            explain(out, group);
        }
        for (const std::string &note : notes_) {
            out << "note: " << note << "\n";
        }
        if (search_) {
            out << "search: " << search_->groups_costed << " groups costed, " << what_is_proved() << "\n";
        }
        return out.str();
    }

  private:
    const ir::Graph &funcs_;
    const Request &request_;
    const DescribedPipeline &described_;
    const RooflineCost &cost_;
    const std::vector<PlannedGroup> &groups_;
    const std::vector<std::string> &notes_;
    const SearchResult *const search_;
    const StageGraph &graph_;

    const std::string &name(size_t stage) const { return graph_.stages[stage].name; }

    static std::string kilocycles(Cost cost) {
        return short_number(static_cast<double>(cost) / cost_unit) + "k cycles";
    }

    std::string what_is_proved() const {
        if (request_.model == Model::Mullapudi) {
            return "groups were merged greedily";
        }
        if (search_->is_optimal()) {
            return "no grouping costs less";
        }
        return "not finished: this one costs " + kilocycles(search_->price.cost) + ", another may cost down to " +
               kilocycles(search_->bound) + "; groups of up to " + std::to_string(search_->stages_of_a_group) +
               " stages were searched, and put together in rounds";
    }

    /// Of the groupings that differ from the one that was found in one group, or in one that is joined with another,
    /// the one that costs least, in words; empty where groups were given, or another model has decided.
    std::string next_best(const PlannedGroup &group) const {
        const size_t stages = graph_.stages.size();
        if (!search_ || request_.model != Model::Roofline || stages < 2 || stages > most_stages_of_trials) {
            return "";
        }
        const Precedence precedence = precedence_of(graph_);
        double least = 0;
        std::string words;
        const auto offer = [&](double more, const std::string &what) {
            if (words.empty() || more < least) {
                least = more;
                words = what;
            }
        };
        const auto cycles_of = [&](const StageSet &set) -> std::optional<double> {
            const std::optional<Cost> cost = cost_.of(set);
            return cost ? std::optional(static_cast<double>(*cost) / cost_unit) : std::nullopt;
        };
        const double own = cycles_of(group.stages).value_or(0);
        for (const size_t stage : group.stages) {
            StageSet rest = group.stages;
            rest.erase(stage);
            std::vector<StageSet> groups{StageSet{stage}};
            if (group.stages.size() > 1) {
                groups.push_back(rest);
            }
            for (const PlannedGroup &other : groups_) {
                if (!(other.stages == group.stages)) {
                    groups.push_back(other.stages);
                }
            }
            const std::optional<double> without = group.stages.size() > 1 ? cycles_of(rest) : std::nullopt;
            if (without && make_grouping(precedence, groups)) {
                offer(*without + cycles_of({stage}).value_or(0) - own, name(stage) + " apart");
            }
        }
        for (const PlannedGroup &other : groups_) {
            if (other.stages == group.stages) {
                continue;
            }
            std::vector<StageSet> groups{group.stages | other.stages};
            for (const PlannedGroup &third : groups_) {
                if (!(third.stages == group.stages) && !(third.stages == other.stages)) {
                    groups.push_back(third.stages);
                }
            }
            const std::optional<double> both = precedence.is_linked(groups[0]) && make_grouping(precedence, groups)
                                                   ? cycles_of(groups[0])
                                                   : std::nullopt;
            if (both) {
                offer(*both - own - cycles_of(other.stages).value_or(0), "with the group of " + name(other.plan.last));
            }
        }
        return words.empty() ? "" : "; next best: " + words + ", " + short_number(least) + "k more";
    }

    /// What nothing is found for in the loops of a Func by hand; empty if its loops say it all. Loops that ranks have
    /// parts of may be tasks and vectors, too.
    std::string what_stays(FuncId id) const {
        bool has_loops = false, has_tasks = false, has_lanes = false, has_ranks = false;
        for (const schedule::StageSchedule &stage : request_.hand.func(id).stages) {
            for_each_variant(stage, [&](const schedule::StageSchedule &variant) {
                for (const schedule::LoopDim &dim : variant.dims) {
                    has_loops = true;
                    has_tasks |= schedule::runs_on_threads(dim.for_type);
                    has_lanes |= dim.for_type == ForType::Vectorized || ir::is_of_device(dim.for_type);
                    has_ranks |= static_cast<bool>(dim.distributed);
                }
            });
        }
        const bool is_serial = !has_tasks && (has_ranks || !has_lanes);
        if (!has_loops || (has_lanes && !is_serial)) {
            return "";
        }
        const std::string loops = has_ranks ? "; of its part, each rank runs the loops " : "; its loops run ";
        const char *how = has_lanes ? "serially" : is_serial ? "serially, without vectors" : "without vectors";
        return loops + how + ", as nothing is found for a Func that has directives: " +
               (is_serial && !has_lanes ? "parallel() and vectorize()"
                : is_serial             ? "parallel()"
                                        : "vectorize()") +
               (is_serial && !has_lanes ? " by hand change that" : " by hand changes that");
    }

    void explain(std::ostringstream &out, const PlannedGroup &group) const {
        const TilePlan &plan = group.plan;
        const StageNode &last = graph_.stages[plan.last];
        if (last.is_by_hand) {
            out << last.name << ": as it is scheduled by hand" << what_stays(described_.funcs[plan.last]) << "\n";
            return;
        }
        out << "group of " << last.name << ":";
        double apart = 0;
        for (const size_t stage : group.stages) {
            out << (stage == plan.last ? "" : " " + name(stage));
            apart += cost_.plan({stage})->cycles;
        }
        out << (group.stages.size() > 1 ? "" : " alone") << "\n  tiles of";
        for (size_t loop = 0; loop < plan.tile.size(); ++loop) {
            out << (loop > 0 ? " x " : " ") << plan.tile[loop];
            if (plan.tile[loop] < last.loops[loop].extent) {
                out << "/" << last.loops[loop].extent;
            }
        }
        out << " (" << plan.tiles << ")";
        if (plan.sliding) {
            out << ", sliding along " << last.loops[*plan.sliding].name;
        }
        const std::vector<int64_t> block = cost_.block_sizes(plan);
        for (size_t loop = 0; loop < block.size(); ++loop) {
            if (block[loop] > 1) {
                out << ", " << block[loop] << " " << last.loops[loop].name << " together";
            }
        }
        for (const size_t stage : plan.in_registers) {
            out << ", " << name(stage) << " in registers";
        }
        out << "; " << short_number(static_cast<double>(plan.tile_bytes) / 1024) << " KB between uses\n  "
            << short_number(plan.cycles / 1000) << "k cycles: arithmetic " << short_number(plan.arithmetic / 1000)
            << "k, caches " << short_number(plan.caches / 1000) << "k, memory " << short_number(plan.memory / 1000)
            << "k of all threads; " << short_number(plan.recomputed * 100) << " % recomputed";
        if (group.stages.size() > 1) {
            out << "; apart " << short_number(apart / 1000) << "k";
        }
        out << next_best(group) << "\n";
    }
};

} // namespace

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2g" : "%.0f", value);
    return text;
}

std::string explain(const Explained &schedule) { return Explanation(schedule).text(); }

} // namespace fluorite::autoschedule
