// From a frozen pipeline to its stage graph.
//
// Method: every Func is put at root, so that the regions of the bounded loop nest are all that is needed of each, and
// their extents are numbers. First those that only move or clamp coordinates are inlined, then, with extents, those
// whose recomputation costs no more than memory would. What remains is described with what was inlined into it.
//
// A Func is inlined where its consumers with its definition take no more operations and loads than it and they do
// apart, values that are read in several places of one expression counted once. So a value that is read once always is,
// and a boundary condition or a conversion of an input nearly always; a lookup in a table that is read nine times is
// not. Funcs are decided from the inputs on, each with what was inlined into it.
//
// Cost: that of three loop nests without placement.
#include "autoschedule/from_graph/from_graph.h"

#include "analysis/interval.h"
#include "autoschedule/from_graph/footprints.h"
#include "autoschedule/from_graph/work.h"
#include "fluorite/errors.h"
#include "loopnest/inline/clone.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

namespace fluorite::autoschedule {

using namespace ir;
using loopnest::BoundedLoopNest;
using loopnest::NestValues;

namespace {

/// A load of four bytes beside its neighbours, in additions: processors of this class load twice a cycle.
constexpr double plain_load = 0.5;
/// To store a value of four bytes: once a cycle, while two additions are made.
constexpr double plain_store = 2;
/// Up to here a Func of one read that is no reduction moves values more than it computes them.
constexpr double trivial_work = 1;
/// A load that steps over elements or along another dimension than the first, in loads of neighbours: guesses. A value
/// that all lanes share is loaded once for a vector.
constexpr double strided_load = 2, transposed_load = 4, shared_load = 0.125;
/// Extents and points up to which loops of constant extent are unrolled, and rows that are computed together: guesses,
/// as registers and code are limited. Definitions of more nodes are not inlined.
constexpr int64_t longest_unrolled = 8, most_points = 16;
constexpr std::array<int64_t, 2> rows_together = {2, 4};
constexpr size_t most_inlined_nodes = 5'000;

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

/// Whether a coordinate stays within bounds that do not depend on the stage's loops.
bool is_held(const FuncDef &func, const Expr &coordinate) {
    analysis::Scope scope;
    for (const Symbol &var : func.args) {
        scope[var] = analysis::Interval::everything();
    }
    return analysis::bounds_of(coordinate, scope).is_bounded();
}

class Describer {
  public:
    Describer(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes, const LoadCosts &costs)
        : pipeline_(std::move(pipeline)), sizes_(sizes), costs_(costs), is_inlined_(pipeline_.graph.funcs.size()) {}

    DescribedPipeline run() {
        for (const FuncDef &func : pipeline_.graph.funcs) {
            is_inlined_[func.id().index()] = may_inline(func) && is_trivial(func);
        }
        measure();
        choose_inlined();
        measure();
        return describe();
    }

  private:
    schedule::ScheduledGraph pipeline_;
    const std::vector<int32_t> &sizes_;
    const LoadCosts costs_;
    std::vector<bool> is_inlined_;
    std::optional<BoundedLoopNest> nest_;
    std::optional<NestValues> values_;

    bool may_inline(const FuncDef &func) const { return is_pure(func) && !pipeline_.graph.is_output(func.id()); }
    /// It moves one value, or clamps or converts it. What reads nothing is a table, which is computed once.
    static bool is_trivial(const FuncDef &func) {
        const Work work = work_of(func.stages[0]);
        return work.operations <= trivial_work && (work.loads.size() == 1 || work.operations == 0);
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
            const std::optional<int64_t> least = constant_of(region.exact_min[d]),
                                         most = constant_of(region.exact_max[d]);
            loops.push_back({func.arg_names[d], std::max<int64_t>(*max - *min + 1, 1), least && most && *least <= *most,
                             is_promised(func, d), *min});
        }
        return loops;
    }

    bool is_promised(const FuncDef &func, size_t d) const {
        const std::vector<schedule::Bound> &bounds = pipeline_.schedule.func(func.id()).bounds;
        return std::any_of(bounds.begin(), bounds.end(),
                           [&](const schedule::Bound &bound) { return bound.var == func.arg_names[d]; });
    }

    /// A value that no size changes.
    std::optional<int64_t> constant_of(const Expr &expr) const {
        return rewrite::constant_value(values_->expanded(expr));
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

    /// A Func with what was inlined into it.
    struct Candidate {
        FuncDef func;
        std::vector<LoopExtent> loops;
        double points = 1;
        double work = 0; // of all its points
    };

    void choose_inlined() {
        check_outputs();
        std::map<FuncId, Candidate> candidates;
        for (FuncId id : nest_->graph.order) {
            Candidate candidate{func_of(id), loops_of(func_of(id)), 1, 0};
            for (const LoopExtent &loop : candidate.loops) {
                candidate.points *= static_cast<double>(loop.extent);
            }
            candidate.work = whole_work(candidate);
            candidates.emplace(id, std::move(candidate));
        }
        for (FuncId id : nest_->graph.order) {
            const Candidate &producer = candidates.at(id);
            if (!may_inline(producer.func)) {
                continue;
            }
            double kept = producer.work +
                          producer.points * plain_store * static_cast<double>(value_bytes(producer.func)) / 4,
                   inlined = 0;
            std::map<FuncId, Candidate> changed;
            bool is_small = true;
            for (auto &[consumer, candidate] : candidates) {
                if (consumer == id || !is_read_in(candidate.func, producer.func.symbol)) {
                    continue;
                }
                Candidate with = candidate;
                inline_into(with.func, producer.func);
                is_small = is_small && is_small_enough(with.func);
                with.work = is_small ? whole_work(with) : 0;
                kept += candidate.work;
                inlined += with.work;
                changed.emplace(consumer, std::move(with));
            }
            if (is_small && inlined <= kept) {
                is_inlined_[id.index()] = true;
                for (auto &[consumer, with] : changed) {
                    candidates.at(consumer) = std::move(with);
                }
                candidates.erase(id);
            }
        }
    }

    static bool is_read_in(const FuncDef &func, const Symbol &symbol) {
        return std::any_of(func.stages.begin(), func.stages.end(), [&](const Stage &stage) {
            const std::vector<loopnest::Access> calls = loopnest::find_accesses(stage).calls;
            return std::any_of(calls.begin(), calls.end(),
                               [&](const loopnest::Access &call) { return call.symbol == symbol; });
        });
    }

    static void inline_into(FuncDef &consumer, const FuncDef &producer) {
        for (Stage &stage : consumer.stages) {
            loopnest::change_exprs(stage, [&](const Expr &expr) {
                return transform(expr, [&](const Expr &node) {
                    if (node->kind() != ExprKind::Call || !(node->symbol() == producer.symbol)) {
                        return node;
                    }
                    SymbolMap<Expr> args;
                    for (size_t d = 0; d < producer.args.size(); ++d) {
                        args[producer.args[d]] = node->arg(d);
                    }
                    return substitute(producer.stages[0].values[static_cast<size_t>(node->member().index)], args);
                });
            });
        }
    }

    static bool is_small_enough(const FuncDef &func) {
        return std::all_of(func.stages.begin(), func.stages.end(), [](const Stage &stage) {
            return std::none_of(stage.values.begin(), stage.values.end(),
                                [](const Expr &value) { return has_more_nodes(value, most_inlined_nodes); });
        });
    }

    double whole_work(const Candidate &candidate) {
        const FuncDef &func = candidate.func;
        double all = 0;
        for (size_t k = 1; k < func.stages.size(); ++k) {
            all += update_points(func, func.stages[k], candidate.loops) * single_work(func, k, candidate.loops);
        }
        const double once = single_work(func, 0, candidate.loops);
        const std::vector<int64_t> unrolled = constant_sizes(candidate.loops);
        const double together = is_pure(func) && unrolled != std::vector<int64_t>(unrolled.size(), 1)
                                    ? sum_of_work(func, block_of(func, candidate.loops, unrolled), candidate.loops) /
                                          static_cast<double>(std::accumulate(unrolled.begin(), unrolled.end(),
                                                                              int64_t(1), std::multiplies<>()))
                                    : once;
        return all + candidate.points * std::min(once, together);
    }

    // ---- Work.

    /// The loop whose iterations are lanes: the first that is long.
    static size_t vector_loop(const std::vector<LoopExtent> &loops) {
        size_t longest = 0;
        for (size_t loop = 0; loop < loops.size(); ++loop) {
            if (loops[loop].extent >= 16 && !loops[loop].is_constant) {
                return loop;
            }
            longest = loops[loop].extent > loops[longest].extent ? loop : longest;
        }
        return longest;
    }

    /// The block that unrolls all short loops of constant extent.
    static std::vector<int64_t> constant_sizes(const std::vector<LoopExtent> &loops) {
        std::vector<int64_t> sizes(loops.size(), 1);
        int64_t points = 1;
        for (size_t loop = 0; loop < loops.size(); ++loop) {
            const int64_t extent = loops[loop].extent;
            if (loop != vector_loop(loops) && loops[loop].is_constant && extent <= longest_unrolled &&
                points * extent <= most_points) {
                sizes[loop] = extent;
                points *= extent;
            }
        }
        return sizes;
    }

    static Work block_of(const FuncDef &func, const std::vector<LoopExtent> &loops, const std::vector<int64_t> &sizes) {
        std::vector<SymbolMap<Expr>> points(1);
        for (size_t loop = 0; loop < loops.size(); ++loop) {
            std::vector<SymbolMap<Expr>> next;
            for (const SymbolMap<Expr> &point : points) {
                for (int64_t i = 0; i < sizes[loop]; ++i) {
                    SymbolMap<Expr> one = point;
                    if (sizes[loop] > 1) {
                        const Expr var = make_var(Int(32), func.args[loop]);
                        one[func.args[loop]] =
                            loops[loop].is_constant ? int32(loops[loop].min + i) : add(var, int32(i));
                    }
                    next.push_back(std::move(one));
                }
            }
            points = std::move(next);
        }
        return work_of(func.stages[0], points);
    }

    double sum_of_work(const FuncDef &func, const Work &work, const std::vector<LoopExtent> &loops, size_t k = 0) {
        FootprintReader reader(*values_, func, func.stages[k]);
        double sum = work.operations;
        for (const Expr &load : work.loads) {
            sum += load_cost(func, load, reader, vector_loop(loops));
        }
        return sum;
    }

    /// Of one point of a stage, with its loads.
    double single_work(const FuncDef &func, size_t k, const std::vector<LoopExtent> &loops) {
        Stage stage = func.stages[k];
        for (Expr &value : stage.values) {
            value = expand_lets(value);
        }
        return sum_of_work(func, work_of(stage), loops, k);
    }

    double load_cost(const FuncDef &func, const Expr &load, FootprintReader &reader, size_t vector) const {
        bool is_shared = true, is_transposed = false;
        double steps = 1;
        for (size_t d = 0; d < load->args().size(); ++d) {
            const Expr &arg = load->arg(d);
            const bool is_lane = !func.args.empty() && uses_symbol(arg, func.args[vector]);
            is_shared = is_shared && !is_lane;
            const Footprint footprint = reader.of(arg);
            if (is_lane && footprint.kind == Footprint::Kind::Unbounded) {
                return costs_.gathered;
            }
            if (is_lane && footprint.kind == Footprint::Kind::Affine) {
                is_transposed = is_transposed || d != 0;
                steps = footprint.scale == Rational() ? steps : strided_load;
            }
        }
        const double plain = plain_load * load.type().bytes() / 4.0;
        return plain * (is_shared ? shared_load : is_transposed ? transposed_load : steps);
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
            const double work = runs * single_work(func, k, stage.loops);
            stage.arithmetic += work;
            FootprintReader reader(*values_, func, func.stages[k]);
            const loopnest::StageAccesses accesses = loopnest::find_accesses(func.stages[k]);
            for (const auto &[symbol, value] : accesses.lets) {
                reader.let(symbol, value);
            }
            for (const loopnest::Access &call : accesses.calls) {
                const FuncId callee(call.symbol.owner().func);
                if (callee != func.id()) {
                    add_read(stage, {false, index.at(callee), {}, 1}, call, reader);
                }
            }
            for (const loopnest::Access &image : accesses.images) {
                stage.is_exact = stage.is_exact || !std::all_of(image.args.begin(), image.args.end(),
                                                                [&](const Expr &arg) { return is_held(func, arg); });
                add_read(stage, {true, static_cast<size_t>(image.symbol.owner().input), {}, 1}, image, reader);
            }
            const bool has_loop = std::any_of(func.args.begin(), func.args.end(), [&](const Symbol &var) {
                return is_loop(func.stages[k], static_cast<size_t>(&var - func.args.data()), var);
            });
            stage.serial += has_loop ? 0 : work;
        }
        if (is_pure(func) && func.dimensions() > 0) {
            add_blocks(stage, func, index);
        }
        return stage;
    }

    /// The blocks that may be unrolled: constant loops, rows, and both.
    void add_blocks(StageNode &stage, const FuncDef &func, const std::map<FuncId, size_t> &index) {
        const std::vector<int64_t> one(stage.loops.size(), 1), constants = constant_sizes(stage.loops);
        add_block(stage, func, index, one);
        if (constants != one) {
            add_block(stage, func, index, constants);
            const BlockWork &block = stage.blocks.back();
            const double work = block.work() / static_cast<double>(block.points());
            if (work < stage.arithmetic) {
                stage.constant_block = 1;
                stage.arithmetic = work;
            }
        }
        size_t row = vector_loop(stage.loops) + 1;
        while (row < stage.loops.size() && constants[row] > 1) {
            row++;
        }
        for (const bool with_constants : {false, true}) {
            for (const int64_t rows : rows_together) {
                if (row < stage.loops.size() && stage.loops[row].extent >= rows &&
                    (!with_constants || constants != one)) {
                    std::vector<int64_t> sizes = with_constants ? constants : one;
                    sizes[row] = rows;
                    add_block(stage, func, index, sizes);
                }
            }
        }
    }

    void add_block(StageNode &stage, const FuncDef &func, const std::map<FuncId, size_t> &index,
                   const std::vector<int64_t> &sizes) {
        BlockWork block;
        block.sizes = sizes;
        if (block.points() > most_points) {
            return;
        }
        const Work work = block_of(func, stage.loops, sizes);
        block.operations = work.operations;
        FootprintReader reader(*values_, func, func.stages[0]);
        for (const Expr &load : work.loads) {
            const bool is_input = load->kind() == ExprKind::Image;
            const size_t source = is_input ? static_cast<size_t>(load->symbol().owner().input)
                                           : index.at(FuncId(load->symbol().owner().func));
            auto known = std::find_if(block.loads.begin(), block.loads.end(), [&](const BlockWork::Loads &loads) {
                return loads.is_input == is_input && loads.source == source;
            });
            if (known == block.loads.end()) {
                block.loads.push_back({is_input, source, 0});
                known = block.loads.end() - 1;
            }
            known->cost += load_cost(func, load, reader, vector_loop(stage.loops));
        }
        stage.blocks.push_back(std::move(block));
    }

    void add_read(StageNode &stage, Read read, const loopnest::Access &access, FootprintReader &reader) {
        for (const Expr &arg : access.args) {
            read.footprint.push_back(reader.of(arg));
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
                return;
            }
        }
        stage.reads.push_back(std::move(read));
    }
};

} // namespace

DescribedPipeline describe_pipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes,
                                    const LoadCosts &costs) {
    return Describer(std::move(pipeline), sizes, costs).run();
}

} // namespace fluorite::autoschedule
