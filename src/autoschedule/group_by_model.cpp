// Which groups and which tiles each model chooses. The own one: the exact search over the roofline's costs, and its
// plans. PolyMage+: the exact search over the published costs, and the tiles that its Algorithm 2 finds. Mullapudi et
// al.: pairs of groups are merged as long as one merger gains, over their own cost, with the tiles that it was found
// for.
//
// What the published schedulers fuse is limited to what directives can: one stage of a group is read from outside.
#include "autoschedule/group_by_model.h"

#include "autoschedule/costs.h"
#include "autoschedule/grouping/greedy.h"
#include "autoschedule/mullapudi/greedy_cost.h"
#include "autoschedule/polymage/polymage_cost.h"
#include "autoschedule/search_options.h"

#include <array>
#include <utility>

namespace fluorite::autoschedule {

namespace {

constexpr std::array<std::pair<Model, const char *>, 3> names = {
    {{Model::Roofline, "roofline"}, {Model::Polymage, "polymage"}, {Model::Mullapudi, "mullapudi"}}};

/// The published costs, of groups that directives can fuse.
class FusiblePolymageCost : public GroupCost {
  public:
    FusiblePolymageCost(const StageGraph &graph, const RooflineCost &plans, const RooflineMachine &machine)
        : cost_(graph, machine_of(machine)), plans_(plans) {}

    std::optional<Cost> of(const StageSet &group) const override {
        return plans_.last_stage(group) ? cost_.of(group) : std::nullopt;
    }
    bool is_hopeless(const StageSet &group) const override { return cost_.is_hopeless(group); }
    Cost share(size_t stage) const override { return cost_.share(stage); }
    std::optional<std::vector<int64_t>> tile(const StageSet &group, size_t last) const {
        return cost_.tile(group, last);
    }

  private:
    PolymageCost cost_;
    const RooflineCost &plans_;

    static PolymageMachine machine_of(const RooflineMachine &machine) {
        PolymageMachine published;
        published.l1_bytes = machine.caches.l1_bytes;
        published.l2_bytes = machine.caches.l2_bytes;
        published.cores = machine.threads;
        return published;
    }
};

MullapudiMachine greedy_machine(const RooflineMachine &machine) {
    MullapudiMachine published;
    published.cache_bytes = machine.caches.l2_bytes;
    published.cores = machine.threads;
    published.vector_lanes = machine.model.vector_bits / 32;
    return published;
}

} // namespace

const char *name_of(Model model) {
    for (const auto &[known, name] : names) {
        if (known == model) {
            return name;
        }
    }
    return "";
}

std::optional<Model> find_model(std::string_view name) {
    for (const auto &[model, known] : names) {
        if (known == name) {
            return model;
        }
    }
    return {};
}

struct GroupingModel::Published {
    FusiblePolymageCost polymage;
    MullapudiCost greedy;
};

GroupingModel::GroupingModel(Model model, const StageGraph &graph, const RooflineCost &cost,
                             const RooflineMachine &machine)
    : model_(model), graph_(graph), cost_(cost),
      published_(new Published{{graph, cost, machine}, {graph, cost, greedy_machine(machine)}}) {}

GroupingModel::~GroupingModel() = default;

SearchResult GroupingModel::search() const {
    const Precedence precedence = precedence_of(graph_);
    switch (model_) {
    case Model::Roofline:
        return search_grouping(precedence, cost_, search_limits(graph_));
    case Model::Polymage:
        return search_grouping(precedence, published_->polymage, search_limits(graph_));
    case Model::Mullapudi:
        break;
    }
    SearchResult result;
    result.grouping = merge_pairs(precedence, published_->greedy, StageSet::capacity);
    result.price = price_of(result.grouping, published_->greedy).value_or(Price());
    result.stages_of_a_group = graph_.stages.size();
    return result;
}

TilePlan GroupingModel::plan(const StageSet &group) const {
    const size_t last = cost_.last_stage(group).value();
    std::optional<std::vector<int64_t>> tile;
    if (graph_.stages[last].updates == 0 && model_ == Model::Polymage) {
        tile = published_->polymage.tile(group, last);
    } else if (graph_.stages[last].updates == 0 && model_ == Model::Mullapudi) {
        tile = published_->greedy.tile(group);
    }
    return tile ? cost_.plain_plan(group, last, *tile) : cost_.plan(group).value();
}

} // namespace fluorite::autoschedule
