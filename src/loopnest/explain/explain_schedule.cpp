// The cost of a schedule, Func by Func, as text for users.
//
// schedule_cost.h computes the figures; this file phrases them. It says so where a size depends on an input that is not
// bound or on a Param without a value, or where too many iterations would have to be enumerated.
// Cost: that of the figures.

#include "loopnest/explain/explain_schedule.h"
#include "loopnest/explain/schedule_cost.h"
#include "loopnest/user_text.h"

#include "rewrite/simplify.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"

#include <cstdio>
#include <optional>
#include <sstream>

namespace fluorite::loopnest {

using namespace ir;

namespace {

using Number = std::optional<int64_t>;

class Explainer {
  public:
    Explainer(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes, const NestOptions &options)
        : original_(pipeline), cost_(pipeline, sizes, options), nest_(cost_.nest()), values_(cost_.values()) {}

    std::string run() {
        std::vector<bool> computed(nest_.graph.pipeline.graph.funcs.size());
        for (FuncId id : nest_.graph.order) {
            computed[id.index()] = true;
        }
        for (const FuncDef &func : original_.graph.funcs) {
            if (!computed[func.id().index()] || is_inline(func.id())) {
                describe_inlined(func);
            }
            for (FuncId id : nest_.graph.order) {
                if (id == func.id() || (!is_inline(func.id()) && is_in_further_stage(id, func))) {
                    describe(id);
                }
            }
        }
        return out_.str();
    }

  private:
    const schedule::ScheduledGraph &original_;
    ScheduleCost cost_;
    const BoundedLoopNest &nest_;
    NestValues &values_;
    std::ostringstream out_;

    bool is_in_further_stage(FuncId id, const FuncDef &func) const {
        const FuncDef &other = nest_.graph.func(id);
        return other.copy_reason == CopyReason::FurtherStage && other.copied_name == func.name();
    }

    bool is_inline(FuncId id) const {
        return id.index() < original_.graph.funcs.size() && !original_.graph.is_output(id) &&
               original_.schedule.func(id).compute.is_inlined();
    }

    void describe_inlined(const FuncDef &func) {
        std::string callers;
        for (const FuncDef &other : original_.graph.funcs) {
            bool calls = false;
            for (const Stage &stage : other.stages) {
                for (const Expr &expr : stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) {
                        calls = calls || (node->kind() == ExprKind::Call && node->symbol() == func.symbol);
                    });
                }
            }
            if (calls && other.id() != func.id()) {
                callers += (callers.empty() ? "" : ", ") + other.name();
            }
        }
        out_ << func.name() << ": computed inline in " << callers << "\n";
        if (func.stages.size() > 1) {
            out_ << "  with its updates, once for each value that is read\n";
        }
    }

    void describe(FuncId id) {
        const FuncDef &func = nest_.graph.func(id);
        if (!is_inline(id)) {
            out_ << func.name() << ": " << place_text(id) << "\n";
        }
        const FuncCost cost = cost_.of(id);
        describe_storage(id, cost);
        if (nest_.graph.schedule(id).marks.has(schedule::DirectiveName::stream_stores)) {
            out_ << "  stores: past the caches\n";
        }
        describe_work(id, cost);
        for (size_t k = 0; k < func.stages.size(); k++) {
            describe_loops({id, k});
            describe_prefetches(id, k);
        }
    }

    void describe_prefetches(FuncId id, size_t k) {
        for (const schedule::Prefetch &prefetch : nest_.graph.schedule(id).stages[k].prefetches) {
            out_ << "  prefetch: in each iteration of " << prefetch.at << ", of " << prefetch.source.name() << " for "
                 << prefetch.from << " + " << schedule::expression_text(prefetch.offset) << "\n";
        }
    }

    std::string place_text(FuncId id) const {
        if (nest_.graph.pipeline.graph.is_output(id)) {
            return "output, computed at root, stored by the caller";
        }
        const Site &compute = nest_.placement.compute[id.index()], &store = nest_.placement.store[id.index()];
        const bool is_memoized = nest_.graph.schedule(id).marks.has(schedule::DirectiveName::memoize);
        const bool is_async = nest_.graph.schedule(id).marks.has(schedule::DirectiveName::async);
        const std::string task = is_async ? " by a task of its own" + ahead_text(nest_.regions.func(id).ahead) : "";
        return "computed at " + describe_site(compute) + task + (is_memoized ? " unless memoized" : "") + ", stored " +
               (store == compute ? "there" : "at " + describe_site(store)) + slides_text(id);
    }
    std::string slides_text(FuncId id) const {
        std::string text;
        for (const SlidWindow &window : nest_.regions.func(id).slides) {
            text +=
                ", " + nest_.graph.func(id).arg_names[window.dimension] + " slides along " + describe_site(window.loop);
        }
        for (const InvariantLoop &invariant : nest_.regions.func(id).invariant_loops) {
            text += ", in the first iteration of " + describe_site(invariant.loop) + " only";
        }
        return text;
    }
    static std::string ahead_text(const Expr &ahead) {
        int64_t count = 0;
        if (!ahead.defined()) {
            return "";
        }
        if (!is_const_int(ahead, &count)) {
            return ", up to " + schedule::expression_text(ahead) + " iterations at once";
        }
        return count == 1   ? ", in step"
               : count == 2 ? ", an iteration ahead"
                            : ", " + std::to_string(count - 1) + " iterations ahead";
    }
    std::string describe_site(const Site &site) const { return loopnest::describe(nest_.graph, site); }

    // ---- Storage.

    std::string value_text(FuncId id) const {
        std::string text;
        for (const Type &type : nest_.graph.func(id).types) {
            text += (text.empty() ? "" : " and ") + to_string(type);
        }
        return text;
    }

    void describe_storage(FuncId id, const FuncCost &cost) {
        if (nest_.graph.pipeline.graph.is_output(id)) {
            return;
        }
        static const char *const memories[] = {"", " on the heap", " on the stack", " in registers"};
        const std::string memory = memories[index_of(nest_.graph.schedule(id).memory)];
        out_ << "  storage: ";
        if (cost.storage) {
            for (size_t d = 0; d < cost.storage->size(); d++) {
                out_ << (d ? " x " : "") << (*cost.storage)[d];
            }
            out_ << (cost.storage->empty() ? "one " : " ") << value_text(id) << ", " << *cost.storage_bytes()
                 << " bytes" << memory;
        } else {
            describe_symbolic(id, cost);
            out_ << memory;
        }
        describe_folds(id);
        describe_memory(id);
        out_ << "\n";
    }

    void describe_symbolic(FuncId id, const FuncCost &cost) {
        const std::vector<Expr> &extents = cost.storage_extents;
        Expr bytes = make_int(Int(32), cost.value_bytes);
        for (size_t d = 0; d < extents.size(); d++) {
            const Expr extent = values_.expanded(extents[d]);
            out_ << (d ? " x " : "") << "(" << schedule::expression_text(extent) << ")";
            bytes = mul(bytes, extent);
        }
        const Expr all = rewrite::simplify(bytes);
        out_ << " " << value_text(id) << ", ";
        out_ << (node_count(all) > 40 ? std::to_string(cost.value_bytes) + " bytes each"
                                      : schedule::expression_text(all) + " bytes");
    }

    void describe_memory(FuncId id) {
        const Site &store = nest_.placement.store[id.index()], &hoist = nest_.placement.hoist[id.index()];
        if (hoist != store) {
            out_ << ", taken at " << describe_site(hoist);
            if (const std::optional<Ring> &ring = nest_.regions.func(id).ring) {
                out_ << " for " << schedule::expression_text(ring->extent) << " iterations";
            }
        }
        for (const schedule::StorageDim &dim : nest_.graph.schedule(id).storage) {
            if (dim.alignment.defined()) {
                out_ << ", " << dim.var << " in multiples of " << schedule::expression_text(dim.alignment);
            }
        }
    }

    void describe_folds(FuncId id) {
        const std::vector<Expr> &folds = nest_.regions.func(id).folds;
        for (size_t d = 0; d < folds.size(); d++) {
            if (folds[d].defined()) {
                out_ << ", " << nest_.graph.func(id).arg_names[d] << " folded into "
                     << schedule::expression_text(folds[d]);
            }
        }
    }

    // ---- Work.

    void describe_work(FuncId id, const FuncCost &cost) {
        if (!values_.know_outputs() || nest_.graph.pipeline.graph.is_output(id) || is_inline(id)) {
            return;
        }
        if (!cost.values_computed || !cost.values_needed || *cost.values_needed == 0) {
            out_ << "  work: "
                 << (cost.has_too_many_pieces ? "too many different pieces to count"
                                              : "depends on values not known here")
                 << "\n";
            return;
        }
        char ratio[40];
        std::snprintf(ratio, sizeof ratio, "%.2f",
                      static_cast<double>(*cost.values_computed) / static_cast<double>(*cost.values_needed));
        out_ << "  work: " << *cost.values_computed << " values computed, " << *cost.values_needed
             << " needed: " << ratio << " times each\n";
    }

    // ---- Loops.

    std::string stage_text(StageId stage) const {
        return schedule::stage_text(nest_.graph.func(stage.func).name(), stage.stage);
    }

    std::string count_text(const Expr &extent) {
        const Number number = values_(extent);
        return number ? std::to_string(*number) : "(" + schedule::expression_text(values_.expanded(extent)) + ")";
    }

    static const char *iterations_as(ForType type) {
        switch (type) {
        case ForType::Parallel:
            return " tasks over ";
        case ForType::Vectorized:
            return " lanes over ";
        case ForType::Unrolled:
            return " copies of ";
        case ForType::GPUBlock:
            return " blocks over ";
        case ForType::GPUThread:
            return " threads over ";
        case ForType::GPULane:
            return " lanes of a warp over ";
        case ForType::Serial:
        case ForType::Forked:
            break;
        }
        unreachable("the kind of a loop that a directive has marked");
    }

    void describe_loops(StageId id) {
        const FuncDef &func = nest_.graph.func(id.func);
        const StageNest &nest = nest_.regions.nest(id);
        const LoopsAround place = loops_around(nest_, nest_.placement.compute[id.func.index()]);
        for (const NestLoop *loop : place.loops) { // as in the first iteration of the enclosing loops
            if (const Number min = values_(loop->min)) {
                values_.set_loop(loop->var, *min);
            }
        }
        std::vector<std::string> parts;
        if (nest_.graph.schedule(id).marks.has(schedule::DirectiveName::gpu_single_thread)) {
            parts.emplace_back("one thread of a device");
        }
        for (size_t i = nest.loops().size(); i-- > 0;) {
            const NestLoop &loop = nest.loops()[i];
            if (loop.for_type != ForType::Serial) {
                parts.push_back(count_text(loop.extent) + iterations_as(loop.for_type) + loop.name);
            }
        }
        for (size_t i = 0; i < place.loops.size(); i++) {
            if (place.loops[i]->for_type == ForType::Parallel) {
                parts.push_back("in each of the " + count_text(place.loops[i]->extent) + " tasks of " +
                                stage_text(place.stages[i]) + "." + place.loops[i]->name);
            }
        }
        const Variant variant = nest_.graph.variant(id);
        out_ << "  "
             << (nest_.graph.has_updates(id.func) ? schedule::stage_text(func.name(), variant.definition) : "loops");
        const auto [first, end] = nest_.graph.alternatives(id);
        if (end - first > 1) {
            out_ << (variant.condition.defined()
                         ? " where " + text_for_user(variant.condition, nest_.graph.pipeline.graph)
                         : " otherwise");
        }
        out_ << ": ";
        if (!variant.failure.empty()) {
            out_ << "the pipeline fails: " << variant.failure << "\n";
            return;
        }
        for (size_t i = 0; i < parts.size(); i++) {
            out_ << (i ? ", " : "") << parts[i];
        }
        out_ << (parts.empty() ? "serial" : "") << "\n";
    }
};

} // namespace

std::string explain_schedule_text(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes,
                                  const NestOptions &options) {
    return Explainer(pipeline.rewritten ? *pipeline.rewritten : pipeline, sizes, options).run();
}

} // namespace fluorite::loopnest
