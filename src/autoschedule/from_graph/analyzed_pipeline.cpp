// Sizes of a pipeline.
//
// Method: every Func that is not inlined is put at root, so that the regions of the bounded loop nest are all that is
// needed of each, and their extents are numbers at the sizes of the outputs.
//
// Cost: that of a loop nest without placement for each measure().
#include "autoschedule/from_graph/analyzed_pipeline.h"

#include "autoschedule/costs.h"
#include "fluorite/errors.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"

#include <set>

namespace fluorite::autoschedule {

using namespace ir;

namespace {} // namespace

bool is_loop(const Stage &stage, size_t dimension, const Symbol &var) {
    return stage.args[dimension]->kind() == ExprKind::Variable && stage.args[dimension]->symbol() == var;
}

bool writes_apart(const FuncDef &func, const Stage &update) {
    for (size_t d = 0; d < func.dimensions(); ++d) {
        if (!is_loop(update, d, func.args[d])) {
            return true;
        }
    }
    return false;
}

int64_t value_bytes(const FuncDef &func) {
    int64_t bytes = 0;
    for (const Type &type : func.types) {
        bytes += type.bytes();
    }
    return bytes;
}

AnalyzedPipeline::AnalyzedPipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes,
                                   const LoadCosts &costs, const PlanOptions &options, const GivenFuncs &given)
    : is_inlined(pipeline.graph.funcs.size()), pipeline_(std::move(pipeline)), sizes_(sizes), costs_(costs),
      options_(options), given_(given) {}

void AnalyzedPipeline::measure() {
    schedule::ScheduledGraph at_root = pipeline_;
    for (size_t i = 0; i < is_inlined.size(); ++i) {
        at_root.schedule.funcs[i].compute =
            is_inlined[i] ? schedule::LoopLevel::inlined() : schedule::LoopLevel::root();
        if (is_inlined[i]) {
            forget_region(at_root.schedule.funcs[i]);
        }
    }
    loopnest::NestOptions options;
    options.find_ranges = false;
    work_.reset();
    values_.reset();
    elsewhere_.reset();
    nest_.emplace(loopnest::make_loop_nest(at_root, options));
    values_.emplace(*nest_, sizes_);
    elsewhere_.emplace(*nest_, sizes_, costs::other_sizes);
    constants_.clear();
    work_.emplace(*values_, costs_, innermost());
}

std::map<FuncId, size_t> AnalyzedPipeline::innermost() const {
    std::map<FuncId, size_t> dimensions;
    for (const Transposition &transposition : options_.transpositions) {
        dimensions[transposition.func] = transposition.loop;
        for (const auto &[func, dimension] : transposition.stored) {
            dimensions[func] = dimension;
        }
    }
    return dimensions;
}

void AnalyzedPipeline::refuse(const std::string &func, const std::string &what, const Location &location) const {
    throw CompileError("auto-schedule-size",
                       "in " + func + ": " + what +
                           "; an automatic schedule is made for sizes; give estimates (set_estimates on outputs and "
                           "inputs, set_estimate on Params), bind the inputs, or pass sizes to auto_schedule",
                       location);
}

std::string AnalyzedPipeline::unknown_part(const Expr &expr) {
    std::string found;
    for_each_node(values_->expanded(expr), [&](const Expr &node) {
        if (!found.empty()) {
            return;
        }
        if (node->kind() == ExprKind::BufferField && !(*values_)(node)) {
            found = concat("it depends on dimension ", node->member().index, " of ", node->symbol().name(),
                           ", whose size is not known");
        } else if (node->kind() == ExprKind::Variable && !(*values_)(node)) {
            found = concat("it depends on ", node->symbol().name(), ", whose value is not known");
        }
    });
    return found.empty() ? "it depends on data" : found;
}

void AnalyzedPipeline::check_promise(const FuncDef &func, const std::string &var, int64_t extent) const {
    for (const schedule::Bound &bound : pipeline_.schedule.func(func.id()).bounds) {
        const std::optional<int64_t> promised =
            bound.var == var && bound.extent.defined() ? rewrite::constant_value(bound.extent) : std::nullopt;
        if (promised && *promised < extent) {
            throw CompileError("auto-schedule-size",
                               concat("in ", func.name(), ": sizes or estimates say that dimension ", var,
                                      " has the extent ", extent, ", and bound() promises ", *promised,
                                      "; no run has both; correct one of them"),
                               func.location);
        }
    }
}

void AnalyzedPipeline::check_outputs() const {
    for (FuncId output : pipeline_.graph.outputs) {
        const FuncDef &func = pipeline_.graph.func(output);
        for (size_t d = 0; d < std::min(sizes_.size(), func.dimensions()); d++) {
            check_promise(func, func.arg_names[d], sizes_[d]);
        }
        for (size_t d = sizes_.size(); d < func.dimensions(); ++d) {
            bool is_known = false;
            for (const schedule::Bound &estimate : pipeline_.schedule.func(output).estimates) {
                if (sizes_.empty() && estimate.extent.defined() && estimate.var == func.arg_names[d]) {
                    check_promise(func, estimate.var, loopnest::number_of(estimate.extent).value_or(0));
                }
                is_known = is_known || (sizes_.empty() && estimate.var == func.arg_names[d] &&
                                        estimate.extent.defined() && loopnest::number_of(estimate.extent));
            }
            if (!is_known) {
                refuse(func.name(), concat("the size of dimension ", func.arg_names[d], " of this output is not known"),
                       func.location);
            }
        }
    }
}

std::vector<LoopExtent> AnalyzedPipeline::loops_of(const FuncDef &func) {
    std::vector<LoopExtent> loops;
    const loopnest::Region &region = nest_->regions.func(func.id()).regions[0];
    for (size_t d = 0; d < func.dimensions(); ++d) {
        const std::optional<int64_t> min = (*values_)(region.exact_min[d]), max = (*values_)(region.exact_max[d]);
        if (!min || !max) {
            refuse(func.name(),
                   concat("the extent of dimension ", func.arg_names[d],
                          " is not known: ", unknown_part(min ? region.exact_max[d] : region.exact_min[d])),
                   func.location);
        }
        const std::optional<int64_t> least = constant_of(region.exact_min[d]), most = constant_of(region.exact_max[d]);
        const bool is_constant = least && most && *least <= *most && is_same_in_updates(func, d, *least, *most);
        loops.push_back(
            {func.arg_names[d], std::max<int64_t>(*max - *min + 1, 1), is_constant, is_promised(func, d), *min});
    }
    for (const Transposition &transposition : options_.transpositions) {
        if (transposition.func == func.id()) {
            loops[transposition.loop].is_lanes = true;
        }
    }
    if (options_.short_rows && has_short_rows(loops)) {
        loops[0].is_lanes = true;
    }
    return loops;
}

bool AnalyzedPipeline::has_short_rows(const std::vector<LoopExtent> &loops) {
    return !loops.empty() && loops[0].is_constant && loops[0].extent >= costs::least_short_row &&
           StageWork::vector_loop(loops) != 0;
}

bool AnalyzedPipeline::is_same_in_updates(const FuncDef &func, size_t d, int64_t min, int64_t max) {
    const std::vector<loopnest::Region> &regions = nest_->regions.func(func.id()).regions;
    return std::all_of(regions.begin(), regions.end(), [&](const loopnest::Region &region) {
        return constant_of(region.exact_min[d]) == min && constant_of(region.exact_max[d]) == max;
    });
}

bool AnalyzedPipeline::is_promised(const FuncDef &func, size_t d) const {
    const std::vector<schedule::Bound> &bounds = pipeline_.schedule.func(func.id()).bounds;
    return std::any_of(bounds.begin(), bounds.end(),
                       [&](const schedule::Bound &bound) { return bound.var == func.arg_names[d]; });
}

std::optional<int64_t> AnalyzedPipeline::constant_of(const Expr &expr) {
    const auto [known, is_new] = constants_.try_emplace(expr);
    if (is_new) {
        // Most are no constants, which two values show in less time than a long expression of sizes.
        const std::optional<int64_t> here = (*values_)(expr), elsewhere = (*elsewhere_)(expr);
        const bool varies = here && elsewhere && *here != *elsewhere;
        known->second = varies ? std::nullopt : rewrite::constant_value(values_->expanded(expr));
    }
    return known->second;
}

std::vector<int64_t> AnalyzedPipeline::reduction_of(const FuncDef &func, const Stage &stage) {
    std::vector<int64_t> extents;
    for (const ReductionVar &rvar : stage.rvars) {
        const std::optional<int64_t> extent = (*values_)(rvar.extent);
        if (!extent) {
            refuse(func.name(), concat("the extent of ", rvar.name, " is not known: ", unknown_part(rvar.extent)),
                   func.location);
        }
        extents.push_back(std::max<int64_t>(*extent, 1));
    }
    return extents;
}

double AnalyzedPipeline::update_points(const FuncDef &func, const Stage &stage, const std::vector<LoopExtent> &loops) {
    double points = 1;
    for (size_t d = 0; d < loops.size(); ++d) {
        points *= is_loop(stage, d, func.args[d]) ? static_cast<double>(loops[d].extent) : 1;
    }
    for (const int64_t extent : reduction_of(func, stage)) {
        points *= static_cast<double>(extent);
    }
    return points;
}

FuncDef AnalyzedPipeline::joint(const std::vector<FuncId> &funcs) const {
    FuncDef all = func_of(funcs[0]);
    for (size_t i = 1; i < funcs.size(); ++i) {
        const FuncDef &func = func_of(funcs[i]);
        SymbolMap<Expr> args;
        for (size_t d = 0; d < func.dimensions(); ++d) {
            args[func.args[d]] = make_var(Int(32), all.args[d]);
        }
        all.types.insert(all.types.end(), func.types.begin(), func.types.end());
        for (const Expr &value : func.stages[0].values) {
            all.stages[0].values.push_back(substitute(value, args));
        }
    }
    return all;
}

std::vector<FuncId> AnalyzedPipeline::fusable_outputs() {
    std::set<FuncId> read;
    for (const FuncId id : nest_->graph.order) {
        for (const Stage &stage : func_of(id).stages) {
            for (const loopnest::Access &call : loopnest::find_accesses(stage).calls) {
                read.insert(call.symbol.owner().func);
            }
        }
    }
    std::vector<FuncId> fusable;
    for (const FuncId id : pipeline_.graph.outputs) {
        const FuncDef &func = func_of(id);
        const bool may_share = is_pure(func) && func.dimensions() > 0 && !read.contains(id) &&
                               !holds(given_.funcs, id) && !holds(fusable, id);
        if (may_share && (fusable.empty() || has_loops_of(func_of(fusable[0]), func))) {
            fusable.push_back(id);
        }
    }
    return fusable.size() > 1 ? fusable : std::vector<FuncId>();
}

bool AnalyzedPipeline::has_loops_of(const FuncDef &a, const FuncDef &b) {
    const std::vector<LoopExtent> of_a = loops_of(a), of_b = loops_of(b);
    return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                      [](const LoopExtent &one, const LoopExtent &other) {
                          return one.name == other.name && one.extent == other.extent && one.min == other.min &&
                                 one.is_constant == other.is_constant && one.is_promised == other.is_promised;
                      });
}

} // namespace fluorite::autoschedule
