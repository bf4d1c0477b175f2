// From a planned group to directives.
//
// The last stage: loops are split into vectors and unrolled blocks, then into tiles of these, and ordered with the
// vector innermost, then the block, the rest of the tile, the sliding loop outermost in it, and the loops over tiles.
// The outermost of these, joined until there are tasks for all threads, run in parallel. Stages in registers are
// computed for each block, the other stages in the innermost loop over tiles, or, sliding, stored there and computed in
// the sliding loop. Every stage has its vectors along the first dimension that is wide enough, which is then the
// innermost in memory too. Loops of constant extent are unrolled where that saves work; the extent is promised.
//
// Estimates promise nothing: tiles end with conditions, so that no size of the output asks for more of an input than
// its values need. Vectors and blocks may compute beyond the end where all reads of inputs are clamped (RoundUp, and
// PredicateStores for outputs): then all have one extent, and what is computed for them has constant extents too.
#include "autoschedule/directive_writer.h"

#include "autoschedule/from_graph/stage_work.h"
#include "loopnest/regions/accesses.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fluorite::autoschedule {

namespace {

using schedule::Directive;

/// Of tiles.
constexpr const char *tile_tail = "GuardWithIf";
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
            step.tile[*step.sliding] = block_sizes()[*step.sliding];
        }
        const std::vector<std::vector<int64_t>> widths = cost_.widths(group_.stages, step);
        for (const size_t stage : group_.stages) {
            if (stage == group_.plan.last) {
                continue;
            }
            if (is_in_registers(stage)) {
                write_in_registers(stage);
            } else if (const std::optional<size_t> owner = cost_.step_owner(group_.stages, group_.plan, stage)) {
                const ir::FuncDef &sums = func(*owner);
                add(stage, "compute_at", {{sums.name()}, {sums.stages[1].rvars[0].name}});
                write_loops(stage, widths[stage], false);
            } else {
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
    std::string tile_level_, slide_level_, block_level_; // loops of the last stage; empty: none
    std::set<std::pair<size_t, size_t>> promised_;       // extents of loops, by stage, that the lines promise
    std::vector<int> variant_;                           // of the last stage, whose loops are written

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
        result_.lines.back().variant = variant_;
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

    std::vector<int64_t> block_sizes() const {
        return group_.is_plain ? std::vector<int64_t>(group_.plan.tile.size(), 1) : cost_.block_sizes(group_.plan);
    }

    bool is_in_registers(size_t stage) const {
        return !group_.is_plain && !block_level_.empty() && group_.plan.in_registers.contains(stage);
    }

    /// Of vectors and blocks.
    const char *tail_of(size_t stage) const {
        const StageNode &node = graph_.stages[stage];
        if (stage == group_.plan.last && !variant_.empty()) {
            return "ShiftInwards";
        }
        return group_.is_plain || node.is_exact || node.updates > 0 ? "GuardWithIf"
               : node.is_output                                     ? "PredicateStores"
                                                                    : "RoundUp";
    }

    int64_t lanes_along(size_t stage, int64_t width) const {
        int64_t lanes = cost_.lanes(stage);
        while (lanes > width) {
            lanes /= 2;
        }
        return lanes;
    }

    /// Splits vectors off a loop of this width and returns the loop over their lanes; none if they have too few lanes.
    std::vector<std::string> vectorize_along(size_t stage, size_t loop, int64_t width) {
        const int64_t lanes = lanes_along(stage, width);
        if (lanes < least_lanes) {
            return {};
        }
        const std::vector<std::string> &args = func(stage).arg_names;
        const std::string lane = Names(args).fresh(args[loop] + "v");
        add(stage, "split", {{args[loop]}, {args[loop]}, {lane}, {std::to_string(lanes)}, {tail_of(stage)}});
        add(stage, "vectorize", {{lane}});
        return {lane};
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
        if (is_specialized()) {
            const std::string condition = size_condition();
            const bool is_base_written = !condition.empty();
            if (is_base_written) {
                add(stage, "specialize", {{condition}});
                write_tiles(stage, Marks::None);
                variant_ = {0};
            }
            write_tiles(stage, Marks::All);
            variant_.clear();
            return;
        }
        write_tiles(stage, Marks::All);
    }

    /// Whether blocks of one size are computed although values beyond the end may not be: only outputs that have the
    /// size of a block are, by blocks that move back inside.
    bool is_specialized() const {
        const StageNode &last = graph_.stages[group_.plan.last];
        bool has_sums = false;
        for (const size_t stage : group_.plan.in_registers) {
            has_sums = has_sums || !graph_.stages[stage].sums.empty();
        }
        return !group_.is_plain && last.is_exact && last.is_output && has_sums;
    }

    /// That the output is as large as a block.
    std::string size_condition() const {
        const size_t stage = group_.plan.last;
        const StageNode &node = graph_.stages[stage];
        const std::vector<int64_t> block = block_sizes();
        const size_t vector = cost_.vector_loop(stage, group_.plan.tile);
        const ir::Symbol &symbol = func(stage).symbol;
        ir::SymbolOwner owner = symbol.owner();
        owner.dim = 0;
        const std::string name = func(stage).types.size() == 1 ? func(stage).name() : func(stage).name() + ".0";
        Expr condition;
        for (size_t loop = 0; loop < block.size(); ++loop) {
            const int64_t lanes = loop == vector ? lanes_along(stage, group_.plan.tile[loop]) : 1;
            const int64_t unit = block[loop] * (lanes >= least_lanes ? lanes : 1);
            if (unit > 1 && !(node.loops[loop].is_constant && node.loops[loop].extent >= unit)) {
                const Expr extent =
                    ir::make_field({ir::SymbolKind::Buffer, name, owner}, ir::Field::Extent, static_cast<int>(loop));
                const Expr is_large = ir::less_equal(ir::int32(unit), extent);
                condition = condition.defined() ? ir::logical_and(condition, is_large) : is_large;
            }
        }
        return condition.defined() ? schedule::expression_text(condition) : "";
    }

    /// Whether loops are only cut and ordered, or run as vectors and blocks, too.
    enum class Marks : uint8_t { None, All };

    void write_tiles(size_t stage, Marks marks) {
        const StageNode &node = graph_.stages[stage];
        const std::vector<int64_t> &tile = group_.plan.tile;
        const std::vector<int64_t> block = block_sizes();
        const size_t vector = cost_.vector_loop(stage, tile);
        Names names(func(stage).arg_names);
        std::vector<std::string> inner(tile.size()), outer(tile.size()), order, unrolled;
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            const std::string &name = func(stage).arg_names[loop];
            const int64_t lanes = loop == vector ? lanes_along(stage, tile[loop]) : 1;
            int64_t unit = 1;
            if (block[loop] > 1 && loop != vector && node.loops[loop].is_constant) {
                unrolled.push_back(name);
                continue;
            }
            if (block[loop] > 1 && loop == vector && lanes >= least_lanes) {
                unit = block[loop] * lanes;
                const std::string row = names.fresh(name + "u"), part = names.fresh(name + "v");
                add(stage, "split", {{name}, {name}, {row}, {std::to_string(unit)}, {tail_of(stage)}});
                add(stage, "split", {{row}, {row}, {part}, {std::to_string(lanes)}, {tile_tail}});
                order.push_back(part);
                unrolled.push_back(row);
            } else if (block[loop] > 1 || lanes >= least_lanes) {
                unit = std::max(block[loop], lanes);
                const std::string part = names.fresh(name + (loop == vector ? "v" : "u"));
                add(stage, "split", {{name}, {name}, {part}, {std::to_string(unit)}, {tail_of(stage)}});
                (loop == vector ? order : unrolled).push_back(part);
            }
            const int64_t count = (tile[loop] + unit - 1) / unit;
            if (tile[loop] >= node.loops[loop].extent) {
                inner[loop] = name;
            } else if (count == 1) {
                outer[loop] = name;
            } else {
                inner[loop] = names.fresh(name + "i");
                outer[loop] = names.fresh(name + "o");
                add(stage, "split", {{name}, {outer[loop]}, {inner[loop]}, {std::to_string(count)}, {tile_tail}});
            }
        }
        const bool is_vector_split = !order.empty();
        if (is_vector_split && marks == Marks::All) {
            add(stage, "vectorize", {{order[0]}});
        }
        for (const std::string &name : unrolled) {
            if (marks == Marks::All) {
                add(stage, "unroll", {{name}});
            }
            order.push_back(name);
        }
        const size_t in_block = order.size();
        const std::optional<size_t> &sliding = group_.plan.sliding;
        const size_t first = group_.plan.along.value_or(vector);
        const auto add_inner = [&](size_t loop) {
            if (!inner[loop].empty() && loop != sliding) {
                order.push_back(inner[loop]);
            }
        };
        if (!tile.empty()) {
            add_inner(first);
        }
        if (!tile.empty() && vector != first) {
            add_inner(vector);
        }
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            if (loop != first && loop != vector) {
                add_inner(loop);
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
        if (is_specialized() && order.size() > in_block) {
            // Conditions around blocks of sums take no time, and parts of loops would multiply their code.
            add(stage, "never_partition", {{order.begin() + static_cast<long>(in_block), order.end()}});
        }
        if (variant_.empty()) {
            store_along(stage, vector);
        }
        const size_t inside = order.size() - tiles.size();
        write_tasks(stage, tiles, outer, names);
        block_level_ = in_block < inside ? order[in_block] : tile_level_;
        if (group_.plan.streams && is_vector_split && variant_.empty()) {
            result_.wishes.push_back({line(func(stage).name(), 0, "stream_stores")});
        }
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
        vector = graph_.stages[stage].innermost.value_or(vector);
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

    /// A member that is computed for each block of the last stage.
    void write_in_registers(size_t stage) {
        TilePlan block = group_.plan;
        block.tile = block_sizes();
        const size_t along = cost_.vector_loop(group_.plan.last, group_.plan.tile);
        block.tile[along] *= lanes_along(group_.plan.last, group_.plan.tile[along]);
        const std::vector<int64_t> widths = cost_.widths(group_.stages, block)[stage];
        add(stage, "compute_at", {{func(group_.plan.last).name()}, {block_level_}});
        const size_t vector = cost_.vector_loop(stage, widths);
        const std::vector<std::string> &args = func(stage).arg_names;
        const int64_t lanes = lanes_along(stage, widths[vector]);
        std::vector<std::string> order = vectorize_along(stage, vector, widths[vector]);
        const bool is_whole =
            is_specialized() || (!graph_.stages[group_.plan.last].is_exact && !graph_.stages[stage].is_exact);
        const bool unrolls = is_whole && is_steady(graph_, group_.stages, group_.plan.last, stage, block_sizes());
        for (const bool is_vector : {false, true}) {
            for (size_t loop = 0; loop < args.size(); ++loop) {
                if ((loop == vector) == is_vector) {
                    order.push_back(args[loop]);
                    const int64_t vectors = is_vector ? (widths[loop] + lanes - 1) / lanes : widths[loop];
                    if (unrolls && vectors > 1 && (!is_vector || lanes >= least_lanes)) {
                        add(stage, "unroll", {{args[loop]}});
                    }
                }
            }
        }
        if (order.size() > 1) {
            add(stage, "reorder", {order});
        }
        store_along(stage, vector);
        for (size_t k = 1; k < func(stage).stages.size(); ++k) {
            const std::vector<int64_t> block = graph_.stages[stage].innermost
                                                   ? cost_.sum_plan(stage, widths, false).block
                                               : unrolls ? widths
                                                         : std::vector<int64_t>(widths.size(), 1);
            write_sums(stage, k, widths, block, false);
        }
    }

    /// An update whose sums stay in registers while its RVars run, in blocks of points; by steps, RVars run outside of
    /// all loops.
    void write_sums(size_t stage, size_t k, const std::vector<int64_t> &widths, std::vector<int64_t> block,
                    bool is_root) {
        const ir::FuncDef &definition = func(stage);
        const bool is_by_steps = group_.plan.by_steps.contains(stage);
        const size_t vector = cost_.vector_loop(stage, widths);
        const int64_t lanes = lanes_along(stage, widths[vector]);
        const std::vector<std::string> &args = definition.arg_names;
        std::vector<std::string> taken = args, rvars, inside, outside;
        for (const ir::ReductionVar &rvar : definition.stages[k].rvars) {
            taken.push_back(rvar.name);
            rvars.push_back(rvar.name);
        }
        Names names(taken);
        std::vector<Directive> lines;
        const auto add_line = [&](const char *name, std::vector<std::vector<std::string>> line_args) {
            lines.push_back(line(definition.name(), static_cast<int>(k), name, std::move(line_args)));
        };
        const auto split = [&](const std::string &loop, const std::string &part, int64_t size, const char *tail) {
            add_line("split", {{loop}, {loop}, {part}, {std::to_string(size)}, {tail}});
        };
        // Under conditions, sums pass through memory. Values beyond the end may be computed where no input limits them.
        const StageNode &node = graph_.stages[stage];
        const char *tail = group_.is_plain || node.is_exact || node.is_output ? tile_tail : "RoundUp";
        std::vector<std::string> unrolled;
        std::vector<size_t> loops(args.size());
        std::iota(loops.begin(), loops.end(), size_t(0));
        if (!is_in_registers(stage) && !is_by_steps) {
            loops = cost_.sum_loops(group_.stages, group_.plan, stage, widths);
        }
        for (const size_t loop : loops) {
            const LoopExtent &extent = graph_.stages[stage].loops[loop];
            const bool is_constant = loop != vector && extent.is_constant && block[loop] == extent.extent;
            const bool is_whole = (is_in_registers(stage) && block == widths) || is_constant;
            if (is_constant && block[loop] > 1 && !is_in_registers(stage) && !extent.is_promised &&
                promised_.insert({stage, loop}).second) {
                add(stage, "bound", {{args[loop]}, {std::to_string(extent.min)}, {std::to_string(extent.extent)}});
            }
            if (loop == vector && lanes >= least_lanes) {
                const std::string part = names.fresh(args[loop] + "v");
                const int64_t vectors = is_whole ? (widths[loop] + lanes - 1) / lanes : block[loop];
                if (!is_whole && vectors > 1) {
                    const std::string row = names.fresh(args[loop] + "u");
                    split(args[loop], row, vectors * lanes, tail);
                    split(row, part, lanes, tile_tail);
                    unrolled.insert(unrolled.begin(), row);
                    outside.push_back(args[loop]);
                } else {
                    split(args[loop], part, lanes, tail);
                    (is_whole && vectors > 1 ? unrolled : outside).push_back(args[loop]);
                }
                inside.push_back(part);
            } else if (block[loop] > 1 && !is_whole) {
                const std::string row = names.fresh(args[loop] + "u");
                split(args[loop], row, block[loop], tail);
                unrolled.push_back(row);
                outside.push_back(args[loop]);
            } else {
                (block[loop] > 1 && is_whole ? unrolled : outside).push_back(args[loop]);
            }
        }
        if (!inside.empty()) {
            add_line("vectorize", {{inside[0]}});
        }
        for (const std::string &name : unrolled) {
            add_line("unroll", {{name}});
            inside.push_back(name);
        }
        std::vector<std::string> order = inside;
        order.insert(order.end(), is_by_steps ? outside.begin() : rvars.begin(),
                     is_by_steps ? outside.end() : rvars.end());
        order.insert(order.end(), is_by_steps ? rvars.begin() : outside.begin(),
                     is_by_steps ? rvars.end() : outside.end());
        if (order.size() > 1) {
            add_line("reorder", {order});
        }
        result_.lines.insert(result_.lines.end(), lines.begin(), lines.end());
        if (is_root && threads_ > 1 && !outside.empty()) {
            result_.wishes.push_back({line(definition.name(), static_cast<int>(k), "parallel", {{outside.back()}})});
        }
    }

    /// Loops of constant extent that are unrolled, with promises of their extents.
    std::vector<std::string> unroll_constants(size_t stage, const std::vector<int64_t> &widths) {
        std::vector<std::string> unrolled;
        const StageNode &node = graph_.stages[stage];
        if (group_.is_plain || node.constant_block >= node.blocks.size()) {
            return unrolled;
        }
        const std::vector<int64_t> &sizes = node.blocks[node.constant_block].sizes;
        for (size_t loop = 0; loop < sizes.size(); ++loop) {
            const std::string &name = func(stage).arg_names[loop];
            if (sizes[loop] > 1 && widths[loop] == sizes[loop]) {
                if (!node.loops[loop].is_promised && promised_.insert({stage, loop}).second) {
                    add(stage, "bound",
                        {{name}, {std::to_string(node.loops[loop].min)}, {std::to_string(sizes[loop])}});
                }
                add(stage, "unroll", {{name}});
                unrolled.push_back(name);
            }
        }
        return unrolled;
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
        const std::vector<std::string> &args = func(stage).arg_names;
        std::vector<std::string> order = vectorize_along(stage, vector, widths[vector]);
        const std::vector<std::string> unrolled = unroll_constants(stage, widths);
        order.insert(order.end(), unrolled.begin(), unrolled.end());
        // Blocks that are turned: as many rows as a vector of them has lanes.
        const size_t rows = graph_.stages[stage].innermost.value_or(vector);
        if (rows != vector && !group_.is_plain && !order.empty() && lanes_along(stage, widths[rows]) >= least_lanes &&
            std::find(unrolled.begin(), unrolled.end(), args[rows]) == unrolled.end()) {
            std::vector<std::string> taken = args;
            taken.insert(taken.end(), order.begin(), order.end());
            const std::string row = Names(taken).fresh(args[rows] + "u");
            add(stage, "split",
                {{args[rows]}, {args[rows]}, {row}, {std::to_string(cost_.lanes(stage))}, {tail_of(stage)}});
            add(stage, "unroll", {{row}});
            order.push_back(row);
        }
        order.push_back(args[vector]);
        for (size_t loop = 0; loop < args.size(); ++loop) {
            if (loop != vector && std::find(unrolled.begin(), unrolled.end(), args[loop]) == unrolled.end()) {
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
        const bool has_blocks = !group_.is_plain && !graph_.stages[stage].sums.empty();
        for (size_t k = 1; k < func(stage).stages.size(); ++k) {
            if (has_blocks) {
                const bool is_by_steps = group_.plan.by_steps.contains(stage);
                write_sums(stage, k, widths, cost_.sum_plan(stage, widths, is_by_steps).block, is_root);
            } else {
                write_update(stage, k, widths, is_root);
            }
        }
    }

    /// Whether an update reads the Func's own values at other points: then each step waits for the one before.
    static bool is_scan(const ir::FuncDef &definition, const ir::Stage &update) {
        bool is_found = false;
        for (const Expr &value : update.values) {
            ir::for_each_node(value, [&](const Expr &node) {
                is_found = is_found ||
                           (node->kind() == ir::ExprKind::Call && node->symbol() == definition.symbol &&
                            !std::equal(update.args.begin(), update.args.end(), node->args().begin(), ir::ExprEqual()));
            });
        }
        return is_found;
    }

    /// Vectors of a scan whose steps run together, so that a step does not wait for the one before and reads what lies
    /// together: a row, or, where it is the row that is shared among threads, a part of it. 0: it is no scan.
    int64_t band_of_scan(size_t stage, size_t k, const std::vector<size_t> &loops, size_t vector,
                         const std::vector<int64_t> &widths, bool is_root) const {
        const int64_t lanes = lanes_along(stage, widths[vector]), vectors = (widths[vector] + lanes - 1) / lanes;
        if (!is_scan(func(stage), func(stage).stages[k]) || vectors < 2) {
            return 0;
        }
        const bool has_tasks = !is_root || threads_ == 1 || std::any_of(loops.begin(), loops.end(), [&](size_t loop) {
            return loop != vector && widths[loop] >= threads_;
        });
        return has_tasks ? vectors : std::max((vectors + threads_ - 1) / threads_, cost_.vectors_of_scan());
    }

    /// Whether the points of an update along a loop load something in common, beside the Func's own values.
    static bool shares_loads(const ir::FuncDef &definition, const ir::Stage &update, size_t loop) {
        const loopnest::StageAccesses accesses = loopnest::find_accesses(update);
        const auto is_shared = [&](const loopnest::Access &access) {
            return !(access.symbol == definition.symbol) &&
                   std::none_of(access.args.begin(), access.args.end(),
                                [&](const Expr &arg) { return ir::uses_symbol(arg, definition.args[loop]); });
        };
        return std::any_of(accesses.calls.begin(), accesses.calls.end(), is_shared) ||
               std::any_of(accesses.images.begin(), accesses.images.end(), is_shared);
    }

    /// The pure loops of an update as vector and tasks; its reduction runs inside of them. Scans run over bands of
    /// vectors, so that a step does not wait for the one before, and reads what lies together.
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
        // Lanes that lie apart in memory are stored one by one, which may take longer than no vector.
        const bool is_scattered = loops.size() < definition.args.size();
        const std::optional<size_t> &own = graph_.stages[stage].update_lanes[k - 1];
        const size_t vector = !is_scattered ? cost_.vector_loop(stage, widths) : own ? *own : loops[0];
        const std::vector<std::string> &args = definition.arg_names;
        std::vector<std::string> taken = args;
        for (const ir::ReductionVar &rvar : update.rvars) {
            taken.push_back(rvar.name);
        }
        Names names(taken);
        const int64_t lanes = is_scattered && !own ? 1 : lanes_along(stage, widths[vector]);
        const int number = static_cast<int>(k);
        std::vector<Directive> lines;
        std::vector<std::string> order;
        if (lanes >= least_lanes) {
            const std::string name = names.fresh(args[vector] + "v");
            lines.push_back(line(definition.name(), number, "split",
                                 {{args[vector]}, {args[vector]}, {name}, {std::to_string(lanes)}, {tile_tail}}));
            order.push_back(name);
            if (const int64_t band = band_of_scan(stage, k, loops, vector, widths, is_root); band > 0) {
                if (band * lanes >= widths[vector]) {
                    order.push_back(args[vector]);
                } else {
                    const std::string inner = names.fresh(args[vector] + "b");
                    lines.push_back(
                        line(definition.name(), number, "split",
                             {{args[vector]}, {args[vector]}, {inner}, {std::to_string(band)}, {tile_tail}}));
                    order.push_back(inner);
                }
            }
            lines.push_back(line(definition.name(), number, "vectorize", {{name}}));
        }
        // What points of short loops share, as the place that data asks for, is computed once.
        const std::vector<LoopExtent> &extents = graph_.stages[stage].loops;
        const std::vector<int64_t> constants = StageWork::constant_sizes(extents);
        const auto is_unrolled = [&](size_t loop) {
            return !group_.is_plain && (loop != vector || lanes < least_lanes) && constants[loop] > 1 &&
                   widths[loop] == constants[loop] && shares_loads(definition, update, loop);
        };
        for (const size_t loop : loops) {
            if (is_unrolled(loop)) {
                if (!extents[loop].is_promised && promised_.insert({stage, loop}).second) {
                    add(stage, "bound",
                        {{args[loop]}, {std::to_string(extents[loop].min)}, {std::to_string(extents[loop].extent)}});
                }
                lines.push_back(line(definition.name(), number, "unroll", {{args[loop]}}));
                order.push_back(args[loop]);
            }
        }
        for (const ir::ReductionVar &rvar : update.rvars) {
            order.push_back(rvar.name);
        }
        if (!is_unrolled(vector) && std::find(order.begin(), order.end(), args[vector]) == order.end()) {
            order.push_back(args[vector]);
        }
        for (const size_t loop : loops) {
            if (loop != vector && !is_unrolled(loop)) {
                order.push_back(args[loop]);
            }
        }
        if (order.size() > 1) {
            lines.push_back(line(definition.name(), number, "reorder", {order}));
        }
        result_.wishes.push_back(lines);
        const bool is_pure = std::find(args.begin(), args.end(), order.back()) != args.end();
        if (is_root && threads_ > 1 && is_pure) {
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
