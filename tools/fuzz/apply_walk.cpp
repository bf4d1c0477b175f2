// Schedules from walks over schedule trees: each step of the genome is an operator on one Func, whose numbers choose
// among what the tree contains at that moment. A step that the tree's rules refuse is skipped, so every walk ends in a
// legal tree.
//
// New loops are named after the number of their step. Vectors and unrolled loops are kept short to bound code size.
// Outputs are never written beyond their bounds, because the region of a loop inside a split cannot grow.

#include "apply_walk.h"

#include "language/freeze.h"
#include "schedule/directives/common.h"
#include "schedule/tree/tree.h"

#include <algorithm>
#include <optional>

namespace fluorite::fuzz {

namespace {

using schedule::Tree;
using schedule::TreeOp;
using schedule::TreeStep;

class Walk {
  public:
    Walk(const Genome &genome, const Program &program, const language::FrozenPipeline &frozen)
        : tree_(schedule::tree_of(std::make_shared<const ir::Graph>(frozen.pipeline.graph), frozen.pipeline.schedule,
                                  {})) {
        ids_.resize(genome.funcs.size());
        for (size_t i = 0; i < frozen.functions.size(); i++) {
            const FuncId id(i);
            const auto named = std::find_if(program.funcs.begin(), program.funcs.end(), [&](const Func &func) {
                return func.function().get() == frozen.functions[i];
            });
            if (named == program.funcs.end()) {
                helpers_.push_back(id);
            } else {
                ids_[static_cast<size_t>(named - program.funcs.begin())] = id;
            }
        }
    }

    /// Takes the step if it is legal; returns whether it was.
    bool take(const WalkStep &gene, int number) {
        number_ = std::to_string(number);
        const std::optional<TreeStep> step = step_of(gene);
        return step && (take(*step) || (step->op == TreeOp::Split && take(guarded(*step))));
    }
    const Tree &tree() const { return tree_; }

  private:
    static constexpr int64_t most_copies = 32;
    Tree tree_;
    std::vector<std::optional<FuncId>> ids_; // of the genome's Funcs; none: the Func is not read
    std::vector<FuncId> helpers_;
    std::string number_;

    bool take(const TreeStep &step) {
        try {
            tree_ = schedule::apply(tree_, step);
            return true;
        } catch (const CompileError &error) {
            if (error.slug() != "illegal-tree-step") {
                throw;
            }
            return false;
        }
    }

    static TreeStep guarded(TreeStep step) {
        step.tail = TailStrategy::GuardWithIf;
        return step;
    }

    std::optional<FuncId> func_of(const WalkStep &gene) const {
        if (gene.helper >= 0) {
            return helpers_.empty() ? std::nullopt
                                    : std::optional(helpers_[static_cast<size_t>(gene.helper) % helpers_.size()]);
        }
        return static_cast<size_t>(gene.func) < ids_.size() ? ids_[static_cast<size_t>(gene.func)] : std::nullopt;
    }

    std::optional<TreeStep> step_of(const WalkStep &gene) const {
        static constexpr TreeOp ops[] = {TreeOp::Split,        TreeOp::Fuse,         TreeOp::Reorder,
                                         TreeOp::LoopType,     TreeOp::HoistCompute, TreeOp::LowerCompute,
                                         TreeOp::HoistStorage, TreeOp::LowerStorage, TreeOp::Inline,
                                         TreeOp::Deinline,     TreeOp::Rename,       TreeOp::Skew};
        static_assert(std::size(ops) == walk_op_count);
        const std::optional<FuncId> func = func_of(gene);
        if (!func) {
            return std::nullopt;
        }
        TreeStep step{ops[static_cast<int>(gene.op)], {*func, 0}};
        if (!schedule::is_on_loops(step.op)) {
            return step;
        }
        const schedule::Schedule all = schedule::schedule_of(tree_);
        const std::vector<schedule::StageSchedule> &stages = all.func(*func).stages;
        step.stage.stage = gene.stage % static_cast<int>(stages.size());
        const schedule::StageSchedule &stage = stages[step.stage.index()];
        return stage.dims.empty() || !fill(step, gene, stage, all.func(*func)) ? std::nullopt : std::optional(step);
    }

    bool fill(TreeStep &step, const WalkStep &gene, const schedule::StageSchedule &stage,
              const schedule::FuncSchedule &func) const {
        std::vector<std::string> loops = schedule::loop_names(stage);
        const size_t at = static_cast<size_t>(gene.loop) % loops.size();
        switch (step.op) {
        case TreeOp::Split:
            fill_split(step, gene, stage, stage.dims[at]);
            return true;
        case TreeOp::Fuse:
            if (at + 1 == loops.size()) {
                return false;
            }
            step.vars = {loops[at], loops[at + 1], fused_name(stage, loops[at], loops[at + 1], gene.other % 2 == 0)};
            return true;
        case TreeOp::Reorder: {
            Random random(static_cast<uint64_t>(gene.loop * 16 + gene.other));
            for (size_t i = loops.size(); i > 1; i--) {
                std::swap(loops[i - 1], loops[static_cast<size_t>(random.in(0, static_cast<int>(i) - 1))]);
            }
            step.vars = loops;
            return loops.size() > 1;
        }
        case TreeOp::Rename:
            step.vars = {loops[at], "n" + number_};
            return true;
        case TreeOp::Skew:
            if (at + 1 == loops.size()) {
                return false;
            }
            step.vars = {loops[at], loops[at + 1], "k" + number_};
            step.factor = ir::make_int(Int(32), gene.other % 3 == 0 ? -1 : 1 + gene.other % 2);
            return true;
        default: // the operators that set the kind of a loop
            return fill_type(step, gene, stage, func);
        }
    }

    // The name that undoes a split, if there is one and the caller asks for it.
    std::string fused_name(const schedule::StageSchedule &stage, const std::string &inner, const std::string &outer,
                           bool undoes) const {
        for (const schedule::Split &split : stage.splits) {
            if (undoes && split.kind == schedule::Split::Kind::Split && split.inner == inner && split.outer == outer) {
                return split.old_var;
            }
        }
        return "t" + number_;
    }

    void fill_split(TreeStep &step, const WalkStep &gene, const schedule::StageSchedule &stage,
                    const schedule::LoopDim &dim) const {
        for (const schedule::Split &split : stage.splits) {
            if (split.kind == schedule::Split::Kind::Fuse && split.old_var == dim.var && gene.other % 2 == 0) {
                step.vars = {dim.var, split.outer, split.inner};
                return; // splits a fused loop back
            }
        }
        step.vars = {dim.var, gene.other % 3 == 0 ? dim.var : "o" + number_, "i" + number_};
        step.factor = ir::make_int(Int(32), std::min(gene.factor, 8));
        const bool is_guarded = gene.tail == TailStrategy::GuardWithIf || gene.tail == TailStrategy::Predicate;
        const bool must_be = dim.is_rvar || tree_.graph->is_output(step.stage.func);
        step.tail = must_be && !is_guarded ? TailStrategy::GuardWithIf : gene.tail;
    }

    bool fill_type(TreeStep &step, const WalkStep &gene, const schedule::StageSchedule &stage,
                   const schedule::FuncSchedule &func) const {
        static constexpr ForType types[] = {ForType::Serial, ForType::Parallel, ForType::Vectorized, ForType::Unrolled};
        static constexpr Partition partitions[] = {Partition::Auto, Partition::Auto, Partition::Never, Partition::Auto};
        step.type = types[gene.other % 4];
        step.partition = partitions[gene.factor % 4];
        const bool copies = step.type == ForType::Vectorized || step.type == ForType::Unrolled;
        int64_t all = 1;
        std::vector<std::pair<std::string, int64_t>> fit;
        for (const schedule::LoopDim &dim : stage.dims) {
            const std::optional<int64_t> extent =
                schedule::constant_extent(tree_.graph->func(step.stage.func), func, step.stage.stage, dim.var);
            const bool is_copied = dim.for_type == ForType::Vectorized || dim.for_type == ForType::Unrolled;
            all *= is_copied ? extent.value_or(most_copies) : 1;
            if (!copies || (extent && !is_copied)) {
                fit.emplace_back(dim.var, copies ? *extent : 1);
            }
        }
        std::erase_if(fit, [&](const auto &loop) { return copies && all * loop.second > most_copies; });
        if (fit.empty()) {
            return false;
        }
        step.vars = {fit[static_cast<size_t>(gene.loop) % fit.size()].first};
        return true;
    }
};

} // namespace

std::string pipeline_text(const Genome &genome) {
    std::string list;
    for (const OutputGene &output : genome.outputs) {
        list += (list.empty() ? "" : ", ") + genome.funcs[static_cast<size_t>(output.func)].name;
    }
    return "Pipeline({" + list + "})";
}

void apply_walk(const Genome &genome, Program &program) {
    if (genome.walk.empty()) {
        return;
    }
    Pipeline pipeline(program.outputs);
    Walk walk(genome, program, language::freeze_with_handles(*pipeline.contents()));
    for (size_t i = 0; i < genome.walk.size(); i++) {
        program.walked.push_back(walk.take(genome.walk[i], static_cast<int>(i)));
    }
    const Schedule schedule = ScheduleTree(std::make_shared<const Tree>(walk.tree())).schedule();
    pipeline.apply(schedule);
    program.schedule_text.push_back(pipeline_text(genome) + ".apply(Schedule::parse(R\"(" + schedule.text() + ")\"));");
}

} // namespace fluorite::fuzz
