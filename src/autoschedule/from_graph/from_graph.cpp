// From a frozen pipeline to its stage graph.
//
// Method: every Func is put at root, so that the regions of the bounded loop nest are all that is needed of each, and
// their extents are numbers. First those that only move or clamp coordinates are inlined, then, with extents, those
// whose recomputation costs no more than memory would. What remains is described with what was inlined into it.
//
// A Func is inlined where the values that its consumers ask for, counted each time, take no more operations than the
// values computed once and kept. A value that is read once by one consumer always is; a boundary condition or a
// conversion of an input nearly always.
//
// Cost: that of three loop nests without placement.
#include "autoschedule/from_graph/from_graph.h"

#include "autoschedule/from_graph/footprints.h"
#include "autoschedule/from_graph/work.h"
#include "fluorite/errors.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace fluorite::autoschedule {

using namespace ir;
using loopnest::BoundedLoopNest;
using loopnest::NestValues;

namespace {

/// A load of four bytes beside its neighbours, in additions: processors of this class load twice a cycle.
constexpr double plain_load = 0.5;
/// To store a value and load it again, in additions: what inlining saves.
constexpr double keeping = 3;
/// Up to here a Func that is no reduction moves values more than it computes them.
constexpr double trivial_work = 1;
/// A load whose address depends on data, or that steps over elements, in loads of neighbours.
constexpr double gathered_load = 8, strided_load = 2;

bool is_pure(const FuncDef &func) { return func.stages.size() == 1; }

int64_t value_bytes(const FuncDef &func) {
    int64_t bytes = 0;
    for (const Type &type : func.types) {
        bytes += type.bytes();
    }
    return bytes;
}

/// Whether the stage has a loop over the pure Var.
bool is_loop(const Stage &stage, size_t dimension, const Symbol &var) {
    return stage.args[dimension]->kind() == ExprKind::Variable && stage.args[dimension]->symbol() == var;
}

/// Whether a coordinate stands still or is held within bounds.
bool is_clamped(const Expr &coordinate) {
    bool moves = false, is_held = false;
    for_each_node(coordinate, [&](const Expr &node) {
        is_held = is_held || node->kind() == ExprKind::Min || node->kind() == ExprKind::Max;
        moves = moves || (node->kind() == ExprKind::Variable && node->symbol().kind() != SymbolKind::Param) ||
                node->reads_memory();
    });
    return is_held || !moves;
}

class Describer {
  public:
    Describer(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes)
        : pipeline_(std::move(pipeline)), sizes_(sizes), is_inlined_(pipeline_.graph.funcs.size()) {}

    DescribedPipeline run() {
        for (const FuncDef &func : pipeline_.graph.funcs) {
            is_inlined_[func.id().index()] =
                may_inline(func) && work_of(func.stages[0]) <= trivial_work && !is_table(func);
        }
        measure();
        choose_inlined();
        measure();
        return describe();
    }

  private:
    schedule::ScheduledGraph pipeline_;
    const std::vector<int32_t> &sizes_;
    std::vector<bool> is_inlined_;
    std::optional<BoundedLoopNest> nest_;
    std::optional<NestValues> values_;

    bool may_inline(const FuncDef &func) const { return is_pure(func) && !pipeline_.graph.is_output(func.id()); }
    /// Its values depend on no input and no other Func: computed once, it is a table.
    static bool is_table(const FuncDef &func) {
        return std::none_of(func.stages[0].values.begin(), func.stages[0].values.end(),
                            [](const Expr &value) { return value->reads_memory(); }) &&
               work_of(func.stages[0]) > 0;
    }

    /// The nest of all that is not inlined, at root.
    void measure() {
        schedule::ScheduledGraph at_root = pipeline_;
        for (size_t i = 0; i < is_inlined_.size(); ++i) {
            at_root.schedule.funcs[i].compute =
                is_inlined_[i] ? schedule::LoopLevel::inlined() : schedule::LoopLevel::root();
            if (is_inlined_[i]) {
                at_root.schedule.funcs[i].bounds.clear();
            }
        }
        loopnest::NestOptions options;
        options.find_ranges = false;
        values_.reset();
        nest_.emplace(loopnest::make_loop_nest(at_root, options));
        values_.emplace(*nest_, sizes_);
    }

    const FuncDef &func_of(FuncId id) const { return nest_->graph.func(id); }

    // ---- Sizes.

    [[noreturn]] void refuse(const std::string &func, const std::string &what, const Location &location) const {
        throw CompileError(
            "auto-schedule-size",
            "in " + func + ": " + what +
                "; an automatic schedule is made for sizes; give estimates (set_estimates on outputs and "
                "inputs, set_estimate on Params), bind the inputs, or pass sizes to auto_schedule",
            location);
    }

    /// Of an expression without a value.
    std::string unknown_part(const Expr &expr) {
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

    void check_outputs() const {
        for (FuncId output : pipeline_.graph.outputs) {
            const FuncDef &func = pipeline_.graph.func(output);
            for (size_t d = sizes_.size(); d < func.dimensions(); ++d) {
                bool is_known = false;
                for (const schedule::Bound &estimate : pipeline_.schedule.func(output).estimates) {
                    is_known = is_known || (sizes_.empty() && estimate.var == func.arg_names[d] &&
                                            estimate.extent.defined() && rewrite::constant_value(estimate.extent));
                }
                if (!is_known) {
                    refuse(func.name(),
                           concat("the size of dimension ", func.arg_names[d], " of this output is not known"),
                           func.location);
                }
            }
        }
    }

    std::vector<LoopExtent> loops_of(const FuncDef &func) {
        std::vector<LoopExtent> loops;
        const loopnest::Region &region = nest_->regions.regions[func.id().index()][0];
        for (size_t d = 0; d < func.dimensions(); ++d) {
            const std::optional<int64_t> min = (*values_)(region.exact_min[d]), max = (*values_)(region.exact_max[d]);
            if (!min || !max) {
                refuse(func.name(),
                       concat("the extent of dimension ", func.arg_names[d],
                              " is not known: ", unknown_part(min ? region.exact_max[d] : region.exact_min[d])),
                       func.location);
            }
            loops.push_back({func.arg_names[d], std::max<int64_t>(*max - *min + 1, 1)});
        }
        return loops;
    }

    /// How many points an update runs over.
    double update_points(const FuncDef &func, const Stage &stage, const std::vector<LoopExtent> &loops) {
        double points = 1;
        for (size_t d = 0; d < loops.size(); ++d) {
            points *= is_loop(stage, d, func.args[d]) ? static_cast<double>(loops[d].extent) : 1;
        }
        for (const ReductionVar &rvar : stage.rvars) {
            const std::optional<int64_t> extent = (*values_)(rvar.extent);
            if (!extent) {
                refuse(func.name(), concat("the extent of ", rvar.name, " is not known: ", unknown_part(rvar.extent)),
                       func.location);
            }
            points *= static_cast<double>(std::max<int64_t>(*extent, 1));
        }
        return points;
    }

    // ---- Inlining.

    void choose_inlined() {
        check_outputs();
        std::map<FuncId, double> asked; // values, counted each time
        std::map<FuncId, double> points;
        std::map<FuncId, loopnest::StageAccesses> accesses; // of pure definitions
        for (FuncId id : nest_->graph.order) {
            const FuncDef &func = func_of(id);
            const std::vector<LoopExtent> loops = loops_of(func);
            double all = 1;
            for (const LoopExtent &loop : loops) {
                all *= static_cast<double>(loop.extent);
            }
            points[id] = all;
            for (size_t k = 0; k < func.stages.size(); ++k) {
                const double runs = k == 0 ? all : update_points(func, func.stages[k], loops);
                loopnest::StageAccesses found = loopnest::find_accesses(func.stages[k]);
                for (const loopnest::Access &call : found.calls) {
                    asked[FuncId(call.symbol.owner().func)] += runs;
                }
                if (k == 0) {
                    accesses.emplace(id, std::move(found));
                }
            }
        }
        // From the producers on: what is inlined makes its consumers more work.
        std::map<FuncId, double> work;
        for (FuncId id : nest_->graph.order) {
            const FuncDef &func = func_of(id);
            double own = work_of(func.stages[0]);
            for (const loopnest::Access &call : accesses.at(id).calls) {
                const FuncId callee(call.symbol.owner().func);
                own += is_inlined_[callee.index()] ? work[callee] : plain_load;
            }
            own += plain_load * static_cast<double>(accesses.at(id).images.size());
            work[id] = own;
            if (may_inline(func)) {
                is_inlined_[id.index()] = asked[id] * own <= points[id] * (own + keeping);
            }
        }
    }

    // ---- The graph.

    DescribedPipeline describe() {
        DescribedPipeline result;
        std::map<FuncId, size_t> index;
        for (const InputDef &input : pipeline_.graph.inputs) {
            result.graph.inputs.push_back(describe_input(input));
        }
        for (FuncId id : nest_->graph.order) {
            index[id] = result.funcs.size();
            result.funcs.push_back(id);
        }
        if (result.funcs.size() > StageSet::capacity) {
            throw CompileError("auto-schedule-too-large",
                               concat("in the pipeline: after inlining it has ", result.funcs.size(),
                                      " Funcs to place; an automatic schedule is found for up to ", StageSet::capacity,
                                      "; schedule it by hand, or cut it into several pipelines"));
        }
        for (FuncId id : result.funcs) {
            result.computed.push_back(func_of(id));
            result.graph.stages.push_back(describe_stage(func_of(id), index));
            StageNode &stage = result.graph.stages.back();
            for (const Read &read : stage.reads) {
                stage.is_exact = stage.is_exact || (!read.is_input && result.graph.stages[read.source].is_exact);
            }
        }
        for (size_t i = 0; i < is_inlined_.size(); ++i) {
            if (is_inlined_[i]) {
                result.inlined.push_back(FuncId(static_cast<int32_t>(i)));
            }
        }
        check_stage_graph(result.graph);
        return result;
    }

    InputImage describe_input(const InputDef &input) {
        InputImage image{input.symbol.name(), {}, input.type.bytes()};
        const size_t id = static_cast<size_t>(input.symbol.owner().input);
        const analysis::Box &box = nest_->regions.input_boxes[id];
        for (int d = 0; d < input.dimensions; ++d) {
            std::optional<int64_t> extent;
            if (const auto at = static_cast<size_t>(d); at < box.size() && box[at].is_bounded()) {
                extent = (*values_)(analysis::extent_of(box[at]));
            }
            extent = extent ? extent : (*values_)(make_field(input.symbol, Field::Extent, d));
            image.extents.push_back(std::max<int64_t>(extent.value_or(1), 1));
        }
        return image;
    }

    StageNode describe_stage(const FuncDef &func, const std::map<FuncId, size_t> &index) {
        StageNode stage;
        stage.name = func.name();
        stage.loops = loops_of(func);
        stage.bytes = value_bytes(func);
        stage.is_output = pipeline_.graph.is_output(func.id());
        stage.arithmetic = 0;
        for (size_t k = 0; k < func.stages.size(); ++k) {
            const double runs =
                k == 0 ? 1 : update_points(func, func.stages[k], stage.loops) / static_cast<double>(stage.points());
            stage.updates += k == 0 ? 0 : runs;
            const double before = stage.arithmetic;
            stage.arithmetic += runs * work_of(func.stages[k]);
            FootprintReader reader(*values_, func, func.stages[k]);
            const loopnest::StageAccesses accesses = loopnest::find_accesses(func.stages[k]);
            for (const auto &[symbol, value] : accesses.lets) {
                reader.let(symbol, value);
            }
            for (const loopnest::Access &call : accesses.calls) {
                const FuncId callee(call.symbol.owner().func);
                if (callee != func.id()) {
                    stage.arithmetic += runs * add_read(stage, {false, index.at(callee), {}, 1}, call, reader,
                                                        func_of(callee).types[0].bytes());
                } else {
                    stage.arithmetic += runs * static_cast<double>(func.types[0].bytes()) / 4.0;
                }
            }
            for (const loopnest::Access &image : accesses.images) {
                stage.is_exact = stage.is_exact || !std::all_of(image.args.begin(), image.args.end(), is_clamped);
                const size_t input = static_cast<size_t>(image.symbol.owner().input);
                stage.arithmetic += runs * add_read(stage, {true, input, {}, 1}, image, reader,
                                                    static_cast<int>(pipeline_.graph.inputs[input].type.bytes()));
            }
            const bool has_loop = std::any_of(func.args.begin(), func.args.end(), [&](const Symbol &var) {
                return is_loop(func.stages[k], static_cast<size_t>(&var - func.args.data()), var);
            });
            stage.serial += has_loop ? 0 : stage.arithmetic - before;
        }
        return stage;
    }

    /// Gives what one load costs, in additions.
    double add_read(StageNode &stage, Read read, const loopnest::Access &access, FootprintReader &reader, int bytes) {
        double cost = plain_load * bytes / 4.0;
        for (size_t d = 0; d < access.args.size(); ++d) {
            const Footprint footprint = reader.of(access.args[d]);
            read.footprint.push_back(footprint);
            if (d == 0 && footprint.kind == Footprint::Kind::Affine &&
                (footprint.loop != 0 || !(footprint.scale == Rational()))) {
                cost *= strided_load;
            }
            if (footprint.kind == Footprint::Kind::Unbounded) {
                cost = gathered_load;
            }
        }
        for (Read &known : stage.reads) {
            const auto is_alike = [](const Footprint &a, const Footprint &b) {
                return a.kind == b.kind &&
                       (a.kind != Footprint::Kind::Affine || (a.loop == b.loop && a.scale == b.scale));
            };
            if (known.is_input == read.is_input && known.source == read.source &&
                std::equal(known.footprint.begin(), known.footprint.end(), read.footprint.begin(), read.footprint.end(),
                           is_alike)) {
                for (size_t d = 0; d < known.footprint.size(); ++d) {
                    known.footprint[d].min = std::min(known.footprint[d].min, read.footprint[d].min);
                    known.footprint[d].max = std::max(known.footprint[d].max, read.footprint[d].max);
                }
                known.loads++;
                return cost;
            }
        }
        stage.reads.push_back(std::move(read));
        return cost;
    }
};

} // namespace

DescribedPipeline describe_pipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes) {
    return Describer(std::move(pipeline), sizes).run();
}

} // namespace fluorite::autoschedule
