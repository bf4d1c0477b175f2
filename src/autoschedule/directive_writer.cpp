// From a planned group to directives.
//
// The last stage: loops are split into tiles, ordered with the vector innermost, then the rest of the tile, the sliding
// loop outermost in it, then the loops over tiles, of which the outermost, joined until there are tasks for all
// threads, run in parallel. The other stages are computed in the innermost loop over tiles, or, sliding, stored there
// and computed in the sliding loop. Every stage has its vectors along the first dimension that is wide enough, which is
// then the innermost in memory too.
//
// Estimates promise nothing: tails are conditions, so that no size of the output asks for more of an input than its
// values need.
#include "autoschedule/directive_writer.h"

#include <algorithm>
#include <set>

namespace fluorite::autoschedule {

namespace {

using schedule::Directive;

/// Of all splits.
constexpr const char *tail = "GuardWithIf";
/// Below this many lanes a vector is not worth its loop.
constexpr int64_t least_lanes = 4;

class GroupWriter {
  public:
    GroupWriter(const DescribedPipeline &pipeline, const RooflineCost &cost, const PlannedGroup &group, int threads)
        : pipeline_(pipeline), graph_(pipeline.graph), cost_(cost), group_(group), threads_(threads) {}

    GroupLines run() {
        write_last();
        TilePlan step = group_.plan; // what one iteration around the other stages computes
        if (step.sliding) {
            step.tile[*step.sliding] = 1;
        }
        const std::vector<std::vector<int64_t>> widths = cost_.widths(group_.stages, step);
        for (const size_t stage : group_.stages) {
            if (stage != group_.plan.last) {
                place(stage);
                write_loops(stage, widths[stage], false);
            }
        }
        return std::move(result_);
    }

  private:
    const DescribedPipeline &pipeline_;
    const StageGraph &graph_;
    const RooflineCost &cost_;
    const PlannedGroup &group_;
    const int threads_;
    GroupLines result_;
    std::string tile_level_, slide_level_; // loops of the last stage; empty: none

    const ir::FuncDef &func(size_t stage) const { return pipeline_.computed[stage]; }
    static Directive line(const std::string &func, int stage, const char *name,
                          std::vector<std::vector<std::string>> args = {}) {
        Directive directive;
        directive.func = func;
        directive.stage = stage;
        directive.name = name;
        directive.args = std::move(args);
        return directive;
    }
    void add(size_t stage, const char *name, std::vector<std::vector<std::string>> args = {}) {
        result_.lines.push_back(line(func(stage).name(), 0, name, std::move(args)));
    }
    /// A name for a loop that no other loop or dimension of the stage has.
    class Names {
      public:
        explicit Names(const std::vector<std::string> &taken) : taken_(taken.begin(), taken.end()) {}
        std::string fresh(std::string name) {
            while (!taken_.insert(name).second) {
                name += "_";
            }
            return name;
        }

      private:
        std::set<std::string> taken_;
    };

    int64_t lanes_along(size_t stage, int64_t width) const {
        int64_t lanes = cost_.lanes(stage);
        while (lanes > width) {
            lanes /= 2;
        }
        return lanes;
    }

    // ---- The last stage.

    void write_last() {
        const size_t stage = group_.plan.last;
        const StageNode &node = graph_.stages[stage];
        if (!node.is_output) {
            add(stage, "compute_root");
        }
        if (func(stage).stages.size() > 1 || node.loops.empty()) {
            std::vector<int64_t> whole;
            for (const LoopExtent &loop : node.loops) {
                whole.push_back(loop.extent);
            }
            write_loops(stage, whole, true);
            return;
        }
        const std::vector<int64_t> &tile = group_.plan.tile;
        const size_t vector = cost_.vector_loop(stage, tile);
        Names names(func(stage).arg_names);
        std::vector<std::string> inner(tile.size()), outer(tile.size());
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            const std::string &name = func(stage).arg_names[loop];
            if (tile[loop] >= node.loops[loop].extent) {
                inner[loop] = name;
            } else if (tile[loop] == 1) {
                outer[loop] = name;
            } else {
                inner[loop] = names.fresh(name + "i");
                outer[loop] = names.fresh(name + "o");
                add(stage, "split", {{name}, {outer[loop]}, {inner[loop]}, {std::to_string(tile[loop])}, {tail}});
            }
        }
        std::vector<std::string> order;
        const int64_t lanes = inner[vector].empty() ? 1 : lanes_along(stage, tile[vector]);
        if (lanes >= least_lanes) {
            const std::string name = names.fresh(inner[vector] + "v");
            add(stage, "split", {{inner[vector]}, {inner[vector]}, {name}, {std::to_string(lanes)}, {tail}});
            add(stage, "vectorize", {{name}});
            order.push_back(name);
        }
        const std::optional<size_t> &sliding = group_.plan.sliding;
        for (const bool is_vector : {true, false}) {
            for (size_t loop = 0; loop < tile.size(); ++loop) {
                if (!inner[loop].empty() && (loop == vector) == is_vector && loop != sliding) {
                    order.push_back(inner[loop]);
                }
            }
        }
        if (sliding) {
            slide_level_ = inner[*sliding];
            order.push_back(slide_level_);
        }
        std::vector<size_t> tiles; // innermost first
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            if (!outer[loop].empty()) {
                order.push_back(outer[loop]);
                tiles.push_back(loop);
            }
        }
        if (order.size() > 1) {
            add(stage, "reorder", {order});
        }
        store_along(stage, vector);
        write_tasks(stage, tiles, outer, names);
    }

    void write_tasks(size_t stage, const std::vector<size_t> &tiles, const std::vector<std::string> &outer,
                     Names &names) {
        if (tiles.empty()) {
            return;
        }
        const auto count = [&](size_t loop) {
            const int64_t extent = graph_.stages[stage].loops[loop].extent, size = group_.plan.tile[loop];
            return (extent + size - 1) / size;
        };
        size_t first = tiles.size() - 1;
        std::string level = outer[tiles[first]];
        int64_t tasks = count(tiles[first]);
        while (first > 0 && tasks < tasks_of_a_thread * threads_) {
            first--;
            const std::string joined = names.fresh("tiles");
            add(stage, "fuse", {{outer[tiles[first]]}, {level}, {joined}});
            level = joined;
            tasks *= count(tiles[first]);
        }
        if (tasks > 1 && threads_ > 1) {
            add(stage, "parallel", {{level}});
        }
        tile_level_ = first == 0 ? level : outer[tiles[0]];
    }

    // ---- The other stages.

    void place(size_t stage) {
        const std::string &last = func(group_.plan.last).name();
        if (!slide_level_.empty()) {
            if (tile_level_.empty()) {
                add(stage, "store_root");
            } else {
                add(stage, "store_at", {{last}, {tile_level_}});
            }
            add(stage, "compute_at", {{last}, {slide_level_}});
        } else if (!tile_level_.empty()) {
            add(stage, "compute_at", {{last}, {tile_level_}});
        } else {
            add(stage, "compute_root");
        }
    }

    /// Values that one vector holds lie side by side.
    void store_along(size_t stage, size_t vector) {
        if (vector == 0 || graph_.stages[stage].is_output) {
            return;
        }
        std::vector<std::string> order{func(stage).arg_names[vector]};
        for (size_t loop = 0; loop < func(stage).arg_names.size(); ++loop) {
            if (loop != vector) {
                order.push_back(func(stage).arg_names[loop]);
            }
        }
        add(stage, "reorder_storage", {order});
    }

    /// Loops of a Func that is not tiled.
    void write_loops(size_t stage, const std::vector<int64_t> &widths, bool is_root) {
        if (widths.empty()) {
            for (size_t k = 1; k < func(stage).stages.size(); ++k) {
                write_update(stage, k, {}, is_root);
            }
            return;
        }
        const size_t vector = cost_.vector_loop(stage, widths);
        const int64_t lanes = lanes_along(stage, widths[vector]);
        const std::vector<std::string> &args = func(stage).arg_names;
        Names names(args);
        std::vector<std::string> order;
        if (lanes >= least_lanes) {
            const std::string name = names.fresh(args[vector] + "v");
            add(stage, "split", {{args[vector]}, {args[vector]}, {name}, {std::to_string(lanes)}, {tail}});
            add(stage, "vectorize", {{name}});
            order.push_back(name);
        }
        order.push_back(args[vector]);
        for (size_t loop = 0; loop < args.size(); ++loop) {
            if (loop != vector) {
                order.push_back(args[loop]);
            }
        }
        if (order.size() > 1) {
            add(stage, "reorder", {order});
        }
        store_along(stage, vector);
        if (is_root && threads_ > 1 && args.size() > 1 && widths[vector == args.size() - 1 ? 0 : args.size() - 1] > 1 &&
            graph_.stages[stage].points() > 4096) {
            add(stage, "parallel", {{order.back()}});
        }
        for (size_t k = 1; k < func(stage).stages.size(); ++k) {
            write_update(stage, k, widths, is_root);
        }
    }

    /// The pure loops of an update as vector and tasks; its reduction runs inside of them.
    void write_update(size_t stage, size_t k, const std::vector<int64_t> &widths, bool is_root) {
        const ir::FuncDef &definition = func(stage);
        const ir::Stage &update = definition.stages[k];
        std::vector<size_t> loops;
        for (size_t loop = 0; loop < definition.args.size(); ++loop) {
            if (update.args[loop]->kind() == ir::ExprKind::Variable &&
                update.args[loop]->symbol() == definition.args[loop]) {
                loops.push_back(loop);
            }
        }
        if (loops.empty()) {
            return;
        }
        size_t vector = cost_.vector_loop(stage, widths);
        if (std::find(loops.begin(), loops.end(), vector) == loops.end()) {
            vector = loops[0];
        }
        const std::vector<std::string> &args = definition.arg_names;
        std::vector<std::string> taken = args;
        for (const ir::ReductionVar &rvar : update.rvars) {
            taken.push_back(rvar.name);
        }
        Names names(taken);
        const int64_t lanes = lanes_along(stage, widths[vector]);
        const int number = static_cast<int>(k);
        std::vector<Directive> lines;
        std::vector<std::string> order;
        if (lanes >= least_lanes) {
            const std::string name = names.fresh(args[vector] + "v");
            lines.push_back(line(definition.name(), number, "split",
                                 {{args[vector]}, {args[vector]}, {name}, {std::to_string(lanes)}, {tail}}));
            lines.push_back(line(definition.name(), number, "vectorize", {{name}}));
            order.push_back(name);
        }
        for (const ir::ReductionVar &rvar : update.rvars) {
            order.push_back(rvar.name);
        }
        order.push_back(args[vector]);
        for (const size_t loop : loops) {
            if (loop != vector) {
                order.push_back(args[loop]);
            }
        }
        if (order.size() > 1) {
            lines.push_back(line(definition.name(), number, "reorder", {order}));
        }
        result_.wishes.push_back(lines);
        if (is_root && threads_ > 1) {
            result_.wishes.push_back({line(definition.name(), number, "parallel", {{order.back()}})});
        }
    }
};

} // namespace

GroupLines lines_of(const DescribedPipeline &pipeline, const RooflineCost &cost, const PlannedGroup &group,
                    int threads) {
    return GroupWriter(pipeline, cost, group, threads).run();
}

} // namespace fluorite::autoschedule
