// From a planned group to directives.
//
// The last stage: what a thread computes is split off as lanes (a vector) and rows (unrolled), then the threads, and
// what remains are blocks, of which the third loop is all outer ones fused:
//   f.split(x, x, lane, 2, PredicateStores).vectorize(lane).split(x, x, tx, 32).split(y, y, ty, 8)
//   f.reorder(lane, tx, ty, x, y).gpu_blocks(x, y).gpu_threads(tx, ty)
// Members in threads are computed at tx, all of their loops unrolled. Those that a block shares are computed at x, and
// take turns: loops over as many threads as the block has are outermost, so that neighbours are computed by neighbours.
//   g.compute_at(f, x).split(x, x, tx, 32).split(y, y, ty, 8).reorder(x, y, tx, ty).gpu_threads(tx, ty)
// An update is a kernel over its pure loops with RVars inside, or over RVars if steps do not depend on each other, or
// if they can be atomic.
//
// Estimates promise nothing: threads beyond the end are under conditions. Lanes and rows are computed as a whole where
// no input limits them (PredicateStores for outputs, else RoundUp), so that what threads keep has constant sizes.
#include "autoschedule/device/kernel_writer.h"

#include "analysis/reduction.h"
#include "autoschedule/costs.h"
#include "autoschedule/group_writer.h"

#include <algorithm>

namespace fluorite::autoschedule {

using schedule::Directive;

namespace {

/// Whether steps in any order give the same bits, one value at a time, of a type that devices update at once.
bool may_be_atomic(const ir::FuncDef &func, const ir::Stage &update) {
    const analysis::ReductionMatch match = analysis::prove_reduction(func, update);
    return func.types.size() == 1 && func.types[0].bits() >= costs::least_atomic_bits && match.op &&
           match.op->commute == analysis::Law::Exact;
}

/// Loops of one stage of a Func, by name, that a kernel runs in parallel, innermost first, and those inside of them.
struct KernelLoops {
    std::vector<std::string> inside; // of a thread, innermost first
    std::vector<std::string> parallel;
    std::optional<size_t> x, y; // in `parallel`: those whose iterations are threads
};

class KernelWriter {
  public:
    KernelWriter(const DescribedPipeline &pipeline, const DeviceCost &cost, const StageSet &group,
                 const DevicePlan &plan)
        : pipeline_(pipeline), graph_(pipeline.graph), group_(group), plan_(plan),
          in_block_(cost.widths(group, plan, false)), in_thread_(cost.widths(group, plan, true)) {}

    KernelLines run() {
        write_last();
        for (const size_t stage : group_) {
            if (stage == plan_.last) {
                continue;
            }
            if (plan_.in_threads.contains(stage)) {
                write_in_threads(stage);
            } else {
                write_shared(stage);
            }
        }
        return std::move(result_);
    }

  private:
    const DescribedPipeline &pipeline_;
    const StageGraph &graph_;
    const StageSet &group_;
    const DevicePlan &plan_;
    const std::vector<std::vector<int64_t>> in_block_, in_thread_;
    KernelLines result_;
    std::string block_level_, thread_level_;
    bool is_specialized_ = false; // where it is known that the exact loops have all lanes and rows

    const ir::FuncDef &func(size_t stage) const { return pipeline_.computed[stage]; }

    /// Appends lines for one stage of a Func.
    class Lines {
      public:
        Lines(std::vector<Directive> &to, const ir::FuncDef &func, size_t k, std::vector<int> variant = {})
            : to_(to), func_(func), k_(k), variant_(std::move(variant)) {}
        void operator()(const char *name, std::vector<std::vector<std::string>> args = {}) const {
            Directive line;
            line.func = func_.name();
            line.stage = static_cast<int>(k_);
            line.variant = variant_;
            line.name = name;
            line.args = std::move(args);
            to_.push_back(std::move(line));
        }
        void split(const std::string &loop, const std::string &inner, int64_t size, const char *tail) const {
            (*this)("split", {{loop}, {loop}, {inner}, {std::to_string(size)}, {tail}});
        }

      private:
        std::vector<Directive> &to_;
        const ir::FuncDef &func_;
        const size_t k_;
        const std::vector<int> variant_;
    };

    /// Whether lanes and rows run as vectors and unrolled loops.
    enum class Marks : uint8_t { None, All };

    static LoopNames names_of(const ir::FuncDef &func, size_t k) {
        std::vector<std::string> taken = func.arg_names;
        for (const ir::ReductionVar &rvar : func.stages[k].rvars) {
            taken.push_back(rvar.name);
        }
        return LoopNames(taken);
    }
    static std::vector<std::string> rvars_of(const ir::FuncDef &func, size_t k) {
        std::vector<std::string> names;
        for (const ir::ReductionVar &rvar : func.stages[k].rvars) {
            names.push_back(rvar.name);
        }
        return names;
    }
    /// Whether an update runs over a loop of the pure definition.
    static bool is_own(const ir::FuncDef &func, size_t k, size_t loop) {
        const Expr &arg = func.stages[k].args[loop];
        return k == 0 || (arg->kind() == ir::ExprKind::Variable && arg->symbol() == func.args[loop]);
    }

    const char *tail_of(size_t stage, size_t loop) const {
        const StageNode &node = graph_.stages[stage];
        if (node.loops[loop].is_exact) {
            return is_specialized_ ? "ShiftInwards" : tile_tail;
        }
        if (node.is_output && node.updates > 0) {
            return tile_tail;
        }
        return node.is_output ? "PredicateStores" : "RoundUp";
    }

    void promise_extent(size_t stage, size_t loop) {
        const LoopExtent &extent = graph_.stages[stage].loops[loop];
        if (!extent.is_promised) {
            Lines(result_.lines, func(stage),
                  0)("bound",
                     {{func(stage).arg_names[loop]}, {std::to_string(extent.min)}, {std::to_string(extent.extent)}});
        }
    }

    /// Cuts parallel loops into blocks and threads, and orders all.
    void write_grid(const Lines &add, LoopNames &names, KernelLoops loops, bool is_last_pure) {
        std::vector<std::string> order = loops.inside, threads, blocks;
        for (const auto &[loop, size] : {std::pair(loops.x, plan_.threads_x), std::pair(loops.y, plan_.threads_y)}) {
            if (loop) {
                const std::string thread = names.fresh(threads.empty() ? "thread_x" : "thread_y");
                add.split(loops.parallel[*loop], thread, size, tile_tail);
                threads.push_back(thread);
                blocks.push_back(loops.parallel[*loop]);
            }
        }
        for (size_t i = 0; i < loops.parallel.size(); ++i) {
            if (i != loops.x && i != loops.y) {
                blocks.push_back(loops.parallel[i]);
            }
        }
        order.insert(order.end(), threads.begin(), threads.end());
        order.insert(order.end(), blocks.begin(), blocks.end());
        add("reorder", {order});
        while (blocks.size() > 3) {
            const std::string joined = names.fresh("blocks");
            add("fuse", {{blocks[2]}, {blocks[3]}, {joined}});
            blocks[2] = joined;
            blocks.erase(blocks.begin() + 3);
        }
        add("gpu_blocks", {blocks});
        add("gpu_threads", {threads});
        if (is_last_pure) {
            block_level_ = blocks[0];
            thread_level_ = threads[0];
        }
    }

    // ---- The last stage.

    void write_last() {
        const size_t stage = plan_.last;
        if (!graph_.stages[stage].is_output) {
            Lines(result_.lines, func(stage), 0)("compute_root");
        }
        write_pure(stage);
        for (size_t k = 1; k < func(stage).stages.size(); ++k) {
            result_.updates.push_back({stage, static_cast<int>(k), ways_of(stage, k)});
        }
    }

    /// Blocks that move back inside need as many iterations as a thread computes: that is a specialization, and smaller
    /// sizes take the same loops point by point.
    void write_pure(size_t stage) {
        const StageNode &node = graph_.stages[stage];
        bool is_limited = false;
        for (size_t loop = 0; loop < node.loops.size(); ++loop) {
            const bool is_cut = loop == plan_.loops.x || loop == plan_.loops.y;
            is_limited = is_limited || (is_cut && node.loops[loop].is_exact && plan_.together[loop] > 1);
        }
        if (!is_limited) {
            write_over_loops(stage, 0, result_.lines, {}, Marks::All);
            return;
        }
        std::vector<int64_t> least(node.loops.size(), 1);
        least[plan_.loops.x] = plan_.lanes;
        if (plan_.loops.y) {
            least[*plan_.loops.y] = plan_.rows;
        }
        const std::string condition = condition_of_sizes(pipeline_, stage, least);
        if (!condition.empty()) {
            Lines(result_.lines, func(stage), 0)("specialize", {{condition}});
            write_over_loops(stage, 0, result_.lines, {}, Marks::None);
        }
        is_specialized_ = true;
        write_over_loops(stage, 0, result_.lines, condition.empty() ? std::vector<int>() : std::vector<int>{0},
                         Marks::All);
        is_specialized_ = false;
    }

    /// A kernel over pure loops.
    void write_over_loops(size_t stage, size_t k, std::vector<Directive> &lines, const std::vector<int> &variant,
                          Marks marks) {
        const Lines add(lines, func(stage), k, variant);
        LoopNames names = names_of(func(stage), k);
        const std::vector<std::string> &args = func(stage).arg_names;
        KernelLoops loops;
        std::vector<std::string> unrolled;
        std::vector<int64_t> widths;
        for (size_t loop = 0; loop < args.size(); ++loop) {
            const int64_t together = plan_.together[loop];
            const bool is_cut = loop == plan_.loops.x || loop == plan_.loops.y;
            if (!is_own(func(stage), k, loop)) {
                continue;
            }
            if (together > 1 && !is_cut) {
                promise_extent(stage, loop);
                unrolled.push_back(args[loop]);
                continue;
            }
            if (loop == plan_.loops.x && together > 1) {
                const std::string lane = names.fresh("lane");
                add.split(args[loop], lane, together, tail_of(stage, loop));
                if (marks == Marks::All) {
                    add("vectorize", {{lane}});
                }
                loops.inside.insert(loops.inside.begin(), lane);
            } else if (loop == plan_.loops.y && together > 1) {
                const std::string row = names.fresh("row");
                add.split(args[loop], row, together, tail_of(stage, loop));
                unrolled.push_back(row);
            }
            loops.x = loop == plan_.loops.x ? std::optional(loops.parallel.size()) : loops.x;
            loops.y = loop == plan_.loops.y ? std::optional(loops.parallel.size()) : loops.y;
            loops.parallel.push_back(args[loop]);
        }
        if (!loops.x) {
            loops.x = loops.y ? std::exchange(loops.y, std::nullopt) : std::optional<size_t>(0);
        }
        for (const std::string &name : unrolled) {
            if (marks == Marks::All) {
                add("unroll", {{name}});
            }
            loops.inside.push_back(name);
        }
        const std::vector<std::string> rvars = rvars_of(func(stage), k);
        loops.inside.insert(loops.inside.end(), rvars.begin(), rvars.end());
        write_grid(add, names, loops, k == 0);
    }

    std::vector<std::vector<Directive>> ways_of(size_t stage, size_t k) {
        double own = 1;
        bool has_own = false;
        for (size_t loop = 0; loop < func(stage).args.size(); ++loop) {
            const bool is_loop = is_own(func(stage), k, loop) &&
                                 (plan_.together[loop] == 1 || loop == plan_.loops.x || loop == plan_.loops.y);
            has_own = has_own || is_loop;
            own *= is_loop ? static_cast<double>(graph_.stages[stage].loops[loop].extent) : 1;
        }
        const bool has_rvars = !func(stage).stages[k].rvars.empty();
        std::vector<std::vector<Directive>> ways;
        if (has_own) {
            write_over_loops(stage, k, ways.emplace_back(), {}, Marks::All);
        }
        if (has_rvars) {
            ways.push_back(over_rvars(stage, k, false));
            if (may_be_atomic(func(stage), func(stage).stages[k])) {
                ways.push_back(over_rvars(stage, k, true));
            }
            if (has_own && own < static_cast<double>(costs::least_own_points)) {
                std::rotate(ways.begin(), ways.begin() + 1, ways.end());
            }
        }
        return ways;
    }

    /// A kernel over RVars and pure loops.
    std::vector<Directive> over_rvars(size_t stage, size_t k, bool is_atomic) {
        std::vector<Directive> lines;
        const Lines add(lines, func(stage), k);
        LoopNames names = names_of(func(stage), k);
        KernelLoops loops;
        loops.parallel = rvars_of(func(stage), k);
        loops.x = 0;
        loops.y = loops.parallel.size() > 1 && plan_.threads_y > 1 ? std::optional<size_t>(1) : std::nullopt;
        for (size_t loop = 0; loop < func(stage).args.size(); ++loop) {
            if (is_own(func(stage), k, loop)) {
                loops.parallel.push_back(func(stage).arg_names[loop]);
            }
        }
        if (is_atomic) {
            add("atomic");
        }
        write_grid(add, names, loops, false);
        return lines;
    }

    // ---- Members.

    void write_in_threads(size_t stage) {
        const std::vector<std::string> &args = func(stage).arg_names;
        const std::vector<int64_t> &widths = in_thread_[stage];
        Lines(result_.lines, func(stage), 0)("compute_at", {{func(plan_.last).name()}, {thread_level_}});
        for (size_t k = 0; k < func(stage).stages.size(); ++k) {
            const Lines add(result_.lines, func(stage), k);
            std::vector<std::string> order;
            for (size_t loop = 0; loop < args.size(); ++loop) {
                if (!is_own(func(stage), k, loop)) {
                    continue;
                }
                order.push_back(args[loop]);
                if (widths[loop] > 1) {
                    add(loop == 0 && widths[loop] == plan_.lanes ? "vectorize" : "unroll", {{args[loop]}});
                }
            }
            const std::vector<std::string> rvars = rvars_of(func(stage), k);
            order.insert(order.end(), rvars.begin(), rvars.end());
            if (order.size() > 1 && !rvars.empty()) {
                add("reorder", {order});
            }
        }
    }

    void write_shared(size_t stage) {
        Lines(result_.lines, func(stage), 0)("compute_at", {{func(plan_.last).name()}, {block_level_}});
        for (size_t k = 0; k < func(stage).stages.size(); ++k) {
            std::vector<Directive> lines = turns_of(stage, k);
            if (k == 0) {
                result_.lines.insert(result_.lines.end(), lines.begin(), lines.end());
            } else if (!lines.empty()) {
                result_.updates.push_back({stage, static_cast<int>(k), {std::move(lines)}});
            }
        }
    }

    /// The points of a member, by turns of the block's threads.
    std::vector<Directive> turns_of(size_t stage, size_t k) {
        std::vector<Directive> lines;
        const StageNode &node = graph_.stages[stage];
        const std::vector<std::string> &args = func(stage).arg_names;
        const std::vector<int64_t> together = constants_together(node);
        const ThreadLoops loops = thread_loops(node, in_block_[stage], together);
        const Lines add(lines, func(stage), k);
        LoopNames names = names_of(func(stage), k);
        std::vector<std::string> unrolled, rest, threads;
        for (size_t loop = 0; loop < args.size(); ++loop) {
            if (!is_own(func(stage), k, loop)) {
                continue;
            }
            if (k == 0 && together[loop] > 1) {
                promise_extent(stage, loop);
                unrolled.push_back(args[loop]);
                continue;
            }
            rest.push_back(args[loop]);
        }
        for (const auto &[loop, size] :
             {std::pair(std::optional(loops.x), plan_.threads_x), std::pair(loops.y, plan_.threads_y)}) {
            if (loop && size > 1 && is_own(func(stage), k, *loop)) {
                const std::string thread = names.fresh(loop == loops.x ? "thread_x" : "thread_y");
                add.split(args[*loop], thread, size, tile_tail);
                threads.push_back(thread);
            }
        }
        if (threads.empty()) {
            return {};
        }
        for (const std::string &name : unrolled) {
            add("unroll", {{name}});
        }
        std::vector<std::string> order = rvars_of(func(stage), k);
        for (const std::vector<std::string> *part : {&unrolled, &rest, &threads}) {
            order.insert(order.end(), part->begin(), part->end());
        }
        add("reorder", {order});
        add("gpu_threads", {threads});
        return lines;
    }
};

} // namespace

KernelLines kernel_lines_of(const DescribedPipeline &pipeline, const DeviceCost &cost, const StageSet &group,
                            const DevicePlan &plan) {
    return KernelWriter(pipeline, cost, group, plan).run();
}

} // namespace fluorite::autoschedule
