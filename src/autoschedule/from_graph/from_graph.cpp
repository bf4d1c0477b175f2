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
#include "autoschedule/from_graph/held_inputs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/from_graph/turns.h"
#include "fluorite/errors.h"
#include "loopnest/inline/clone.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace fluorite::autoschedule {

using namespace ir;
using loopnest::BoundedLoopNest;
using loopnest::NestValues;

namespace {

/// To store a value of four bytes: once a cycle, while two additions are made.
constexpr double plain_store = 2;
/// Up to here a Func of one read that is no reduction moves values more than it computes them.
constexpr double trivial_work = 1;
/// Definitions of more nodes are not inlined; rows that may be computed together, and of them those of a stage that
/// reads no columns for its rows. Guesses.
constexpr size_t most_inlined_nodes = 5'000;
constexpr std::array<int64_t, 3> rows_together = {2, 4, 16};
constexpr int64_t most_plain_rows = 4;
/// Iterations of a loop whose lanes are a vector though others are longer.
constexpr int64_t least_short_row = 4;

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

/// Whether an update has coordinates of its own, along which it runs as a whole.
bool writes_apart(const FuncDef &func, const Stage &update) {
    for (size_t d = 0; d < func.dimensions(); ++d) {
        if (!is_loop(update, d, func.args[d])) {
            return true;
        }
    }
    return false;
}

class Describer {
  public:
    Describer(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes, const LoadCosts &costs,
              const Wishes &wishes, const GivenFuncs &given)
        : pipeline_(std::move(pipeline)), sizes_(sizes), costs_(costs), wishes_(wishes), given_(given),
          is_inlined_(pipeline_.graph.funcs.size()) {}

    DescribedPipeline run() {
        for (const FuncDef &func : pipeline_.graph.funcs) {
            is_inlined_[func.id().index()] = (may_inline(func) && is_trivial(func)) || holds(given_.inlined, func.id());
        }
        measure();
        const std::vector<bool> measured = is_inlined_;
        choose_inlined();
        if (is_inlined_ != measured) {
            measure();
        }
        return describe();
    }

  private:
    schedule::ScheduledGraph pipeline_;
    const std::vector<int32_t> &sizes_;
    const LoadCosts costs_;
    const Wishes &wishes_;
    const GivenFuncs &given_;
    std::vector<bool> is_inlined_;
    std::optional<BoundedLoopNest> nest_;
    std::optional<NestValues> values_;
    std::optional<StageWork> work_;

    bool may_inline(const FuncDef &func) const {
        return is_pure(func) && !pipeline_.graph.is_output(func.id()) && !holds(wishes_.kept, func.id()) &&
               !holds(given_.funcs, func.id());
    }
    static bool holds(const std::vector<FuncId> &funcs, FuncId id) {
        return std::find(funcs.begin(), funcs.end(), id) != funcs.end();
    }
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
                forget_region(at_root.schedule.funcs[i]);
            }
        }
        loopnest::NestOptions options;
        options.find_ranges = false;
        work_.reset();
        values_.reset();
        nest_.emplace(loopnest::make_loop_nest(at_root, options));
        values_.emplace(*nest_, sizes_);
        work_.emplace(*values_, costs_, innermost());
    }

    /// Of Funcs, the dimension that is innermost in memory, if it is turned.
    std::map<FuncId, size_t> innermost() const {
        std::map<FuncId, size_t> dimensions;
        for (const Turn &turn : wishes_.turned) {
            dimensions[turn.func] = turn.loop;
            for (const auto &[func, dimension] : turn.stored) {
                dimensions[func] = dimension;
            }
        }
        return dimensions;
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

    /// Refuses an extent beyond what bound() promises.
    void check_promise(const FuncDef &func, const std::string &var, int64_t extent) const {
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

    void check_outputs() const {
        for (FuncId output : pipeline_.graph.outputs) {
            const FuncDef &func = pipeline_.graph.func(output);
            for (size_t d = 0; d < std::min(sizes_.size(), func.dimensions()); d++) {
                check_promise(func, func.arg_names[d], sizes_[d]);
            }
            for (size_t d = sizes_.size(); d < func.dimensions(); ++d) {
                bool is_known = false;
                for (const schedule::Bound &estimate : pipeline_.schedule.func(output).estimates) {
                    if (sizes_.empty() && estimate.extent.defined() && estimate.var == func.arg_names[d]) {
                        check_promise(func, estimate.var, rewrite::constant_value(estimate.extent).value_or(0));
                    }
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
            const bool is_constant = least && most && *least <= *most && is_same_in_updates(func, d, *least, *most);
            loops.push_back(
                {func.arg_names[d], std::max<int64_t>(*max - *min + 1, 1), is_constant, is_promised(func, d), *min});
        }
        for (const Turn &turn : wishes_.turned) {
            if (turn.func == func.id()) {
                loops[turn.loop].is_lanes = true;
            }
        }
        if (wishes_.short_rows && has_short_rows(loops)) {
            loops[0].is_lanes = true;
        }
        return loops;
    }

    /// Whether a vector has all iterations of the first loop, and its lanes run along another one.
    static bool has_short_rows(const std::vector<LoopExtent> &loops) {
        return !loops.empty() && loops[0].is_constant && loops[0].extent >= least_short_row &&
               StageWork::vector_loop(loops) != 0;
    }

    /// Whether every update runs over the same constant interval of a dimension as the definition. Where one runs over
    /// less, because nobody reads the rest, a promised extent would make it larger, and its inputs with it.
    bool is_same_in_updates(const FuncDef &func, size_t d, int64_t min, int64_t max) const {
        const std::vector<loopnest::Region> &regions = nest_->regions.regions[func.id().index()];
        return std::all_of(regions.begin(), regions.end(), [&](const loopnest::Region &region) {
            return constant_of(region.exact_min[d]) == min && constant_of(region.exact_max[d]) == max;
        });
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

    /// The extents of an update's RVars.
    std::vector<int64_t> reduction_of(const FuncDef &func, const Stage &stage) {
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

    /// How many points an update runs over.
    double update_points(const FuncDef &func, const Stage &stage, const std::vector<LoopExtent> &loops) {
        double points = 1;
        for (size_t d = 0; d < loops.size(); ++d) {
            points *= is_loop(stage, d, func.args[d]) ? static_cast<double>(loops[d].extent) : 1;
        }
        for (const int64_t extent : reduction_of(func, stage)) {
            points *= static_cast<double>(extent);
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
        std::map<FuncId, std::set<FuncId>> readers;
        // Outputs that are one stage share what is inlined into them.
        const std::vector<FuncId> joined = wishes_.joins_outputs ? alike_outputs() : std::vector<FuncId>();
        for (FuncId id : nest_->graph.order) {
            const bool is_joined = holds(joined, id);
            if (is_joined && id != joined[0]) {
                continue;
            }
            Candidate candidate{is_joined ? joint(joined) : func_of(id), loops_of(func_of(id)), 1, 0};
            for (const LoopExtent &loop : candidate.loops) {
                candidate.points *= static_cast<double>(loop.extent);
            }
            candidate.work = whole_work(candidate);
            for (const Stage &stage : candidate.func.stages) {
                for (const loopnest::Access &call : loopnest::find_accesses(stage).calls) {
                    readers[FuncId(call.symbol.owner().func)].insert(id);
                }
            }
            candidates.emplace(id, std::move(candidate));
        }
        for (FuncId id : nest_->graph.order) {
            if (!may_inline(func_of(id))) {
                continue;
            }
            const Candidate &producer = candidates.at(id);
            double kept = producer.work +
                          producer.points * plain_store * static_cast<double>(value_bytes(producer.func)) / 4,
                   inlined = 0;
            std::map<FuncId, Candidate> changed;
            bool is_small = true;
            for (const FuncId consumer : readers[id]) {
                const Candidate &candidate = candidates.at(consumer);
                Candidate with = candidate;
                inline_into(with.func, producer.func);
                is_small = is_small && is_small_enough(with.func);
                with.work = is_small ? whole_work(with) : 0;
                kept += candidate.work;
                inlined += with.work;
                changed.emplace(consumer, std::move(with));
            }
            const bool is_asked =
                std::find(wishes_.inlined.begin(), wishes_.inlined.end(), id) != wishes_.inlined.end();
            if (is_small && (inlined <= kept || is_asked)) {
                is_inlined_[id.index()] = true;
                for (auto &[producers, consumers] : readers) {
                    if (consumers.erase(id) > 0) {
                        consumers.insert(readers[id].begin(), readers[id].end());
                    }
                }
                for (auto &[consumer, with] : changed) {
                    candidates.at(consumer) = std::move(with);
                }
                candidates.erase(id);
            }
        }
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
            const double points = update_points(func, func.stages[k], candidate.loops);
            if (!writes_apart(func, func.stages[k])) {
                all += points * work_->of_point(func, k, candidate.loops);
                continue;
            }
            const StageWork::Scattered scattered = work_->of_scattered(func, k, candidate.loops);
            all += points * (scattered.lanes ? scattered.together : scattered.scalar * costs_.lanes);
        }
        return all + candidate.points * work_->least_of_point(func, candidate.loops);
    }

    // ---- The graph.

    DescribedPipeline describe() {
        DescribedPipeline result;
        std::map<FuncId, size_t> index;
        for (const InputDef &input : pipeline_.graph.inputs) {
            result.graph.inputs.push_back(describe_input(input));
        }
        result.alike = alike_outputs();
        const std::vector<FuncId> joined = wishes_.joins_outputs ? result.alike : std::vector<FuncId>();
        for (FuncId id : nest_->graph.order) {
            if (!holds(joined, id)) {
                index[id] = result.funcs.size();
                result.funcs.push_back(id);
            }
        }
        result.joined.resize(result.funcs.size());
        if (!joined.empty()) { // nobody reads them, so they may be last
            result.funcs.push_back(joined[0]);
            result.joined.emplace_back();
            for (size_t i = 1; i < joined.size(); ++i) {
                result.joined.back().push_back(func_of(joined[i]).name());
            }
        }
        if (result.funcs.size() > StageSet::capacity) {
            throw CompileError("auto-schedule-too-large",
                               concat("in the pipeline: after inlining it has ", result.funcs.size(),
                                      " Funcs to place; an automatic schedule is found for up to ", StageSet::capacity,
                                      "; schedule it by hand, or cut it into several pipelines"));
        }
        for (FuncId id : result.funcs) {
            const std::vector<std::string> &others = result.joined[result.computed.size()];
            result.computed.push_back(others.empty() ? func_of(id) : joint(joined));
            result.graph.stages.push_back(describe_stage(result.computed.back(), index, result.graph.stages));
            for (const std::string &other : others) {
                result.graph.stages.back().name += " and " + other;
            }
            result.graph.stages.back().results = 1 + others.size();
            result.extents.push_back(extents_of(func_of(id)));
            const StageNode &stage = result.graph.stages.back();
            result.has_short_rows = result.has_short_rows || (stage.is_output && has_short_rows(stage.loops));
            for (size_t d = 0; d < result.extents.back().size(); ++d) {
                result.graph.stages.back().loops[d].is_testable = result.extents.back()[d].defined();
            }
        }
        for (size_t i = 0; i < is_inlined_.size(); ++i) {
            if (is_inlined_[i]) {
                result.inlined.push_back(FuncId(static_cast<int32_t>(i)));
            }
        }
        check_stage_graph(result.graph);
        for (size_t stage = 0; stage < result.funcs.size(); ++stage) {
            const StageNode &node = result.graph.stages[stage];
            const bool may_turn = !node.sums.empty() && !node.is_output && !node.is_by_hand;
            const std::optional<Turn> turn = may_turn
                                                 ? find_turn(pipeline_.graph, pipeline_.graph.func(result.funcs[stage]),
                                                             node.loops, *values_, *work_, given_.funcs)
                                                 : std::nullopt;
            if (turn) {
                result.turns.push_back(*turn);
            }
        }
        return result;
    }

    /// One Func of the values of several that have the same loops.
    FuncDef joint(const std::vector<FuncId> &funcs) const {
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

    /// Outputs without updates that nobody reads and that have the loops of the first of them; none: there is one.
    std::vector<FuncId> alike_outputs() {
        std::set<FuncId> read;
        for (const FuncId id : nest_->graph.order) {
            for (const Stage &stage : func_of(id).stages) {
                for (const loopnest::Access &call : loopnest::find_accesses(stage).calls) {
                    read.insert(FuncId(call.symbol.owner().func));
                }
            }
        }
        std::vector<FuncId> alike;
        for (const FuncId id : pipeline_.graph.outputs) {
            const FuncDef &func = func_of(id);
            const bool may_share = is_pure(func) && func.dimensions() > 0 && !read.contains(id) &&
                                   !holds(given_.funcs, id) && !holds(alike, id);
            if (may_share && (alike.empty() || has_loops_of(func_of(alike[0]), func))) {
                alike.push_back(id);
            }
        }
        return alike.size() > 1 ? alike : std::vector<FuncId>();
    }

    bool has_loops_of(const FuncDef &a, const FuncDef &b) {
        const std::vector<LoopExtent> of_a = loops_of(a), of_b = loops_of(b);
        return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                          [](const LoopExtent &one, const LoopExtent &other) {
                              return one.name == other.name && one.extent == other.extent && one.min == other.min &&
                                     one.is_constant == other.is_constant && one.is_promised == other.is_promised;
                          });
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

    /// Whether conditions may have such a node: a size, a Param, a constant, or integer arithmetic.
    static bool is_of_sizes(const Expr &node) {
        switch (node->kind()) {
        case ExprKind::IntImm:
        case ExprKind::BufferField:
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Mul:
        case ExprKind::Div:
        case ExprKind::Min:
        case ExprKind::Max:
            return node.type() == Int(32);
        case ExprKind::Variable:
            return node->symbol().kind() == SymbolKind::Param;
        default:
            return false;
        }
    }

    /// Extents as expressions of sizes and Params; undefined where they are long, or ask for data.
    std::vector<Expr> extents_of(const FuncDef &func) const {
        constexpr size_t most_nodes = 24;
        const loopnest::Region &region = nest_->regions.regions[func.id().index()][0];
        std::vector<Expr> extents(func.dimensions());
        for (size_t d = 0; d < extents.size(); ++d) {
            const Expr least = values_->expanded(region.exact_min[d]), most = values_->expanded(region.exact_max[d]);
            const Expr extent = rewrite::simplify(add(sub(most, least), int32(1)));
            bool is_known = !has_more_nodes(extent, most_nodes);
            for_each_node(extent, [&](const Expr &node) { is_known = is_known && is_of_sizes(node); });
            extents[d] = is_known ? extent : Expr();
        }
        return extents;
    }

    StageNode describe_stage(const FuncDef &func, const std::map<FuncId, size_t> &index,
                             const std::vector<StageNode> &before) {
        StageNode stage;
        stage.name = func.name();
        stage.loops = loops_of(func);
        stage.bytes = value_bytes(func);
        stage.lane_bytes = StageWork::lane_bytes(func);
        stage.is_output = pipeline_.graph.is_output(func.id());
        stage.is_by_hand = holds(given_.funcs, func.id());
        stage.code = code_of(func, func.stages[0]);
        const std::map<FuncId, size_t> turned = innermost();
        if (const auto found = turned.find(func.id()); found != turned.end()) {
            stage.innermost = found->second;
            stage.turning = found->second == StageWork::vector_loop(stage.loops) ? 0 : StageWork::turning(stage.bytes);
        }
        stage.arithmetic = 0;
        for (size_t k = 0; k < func.stages.size(); ++k) {
            const double runs =
                k == 0 ? 1 : update_points(func, func.stages[k], stage.loops) / static_cast<double>(stage.points());
            stage.updates += k == 0 ? 0 : runs;
            const bool is_scattered = k > 0 && writes_apart(func, func.stages[k]);
            double work = runs * work_->of_point(func, k, stage.loops);
            std::optional<size_t> lanes;
            if (is_scattered) {
                const StageWork::Scattered scattered = work_->of_scattered(func, k, stage.loops);
                lanes = scattered.lanes;
                work = runs * (lanes ? scattered.together : scattered.scalar);
                stage.serial += lanes ? 0 : work;
            }
            if (k > 0) {
                stage.update_lanes.push_back(lanes);
                stage.reductions.push_back(reduction_of(func, func.stages[k]));
            }
            stage.arithmetic += work;
            const bool is_initial = k == 0 && !is_pure(func);
            const loopnest::StageAccesses accesses = loopnest::find_accesses(func.stages[k]);
            FootprintReader reader = reader_of(*values_, func, func.stages[k], &stage.loops, accesses);
            for (const loopnest::Access &call : accesses.calls) {
                const FuncId callee(call.symbol.owner().func);
                if (callee == func.id()) {
                    continue;
                }
                const std::vector<LoopExtent> &read = before[index.at(callee)].loops;
                for (size_t d = 0; d < call.args.size(); ++d) {
                    note_exact(stage, func, read[d].is_exact, without_lets(call.args[d], accesses));
                }
                add_read(stage, {false, index.at(callee), {}, 1, {}, is_initial}, call, reader);
            }
            for (const loopnest::Access &image : accesses.images) {
                const InputDef &input = pipeline_.graph.inputs[static_cast<size_t>(image.symbol.owner().input)];
                for (size_t d = 0; d < image.args.size(); ++d) {
                    const Expr coordinate = without_lets(image.args[d], accesses);
                    note_exact(stage, func, !is_held(func, input, d, coordinate), coordinate);
                }
                add_read(stage, {true, static_cast<size_t>(image.symbol.owner().input), {}, 1, {}, is_initial}, image,
                         reader);
            }
            for (size_t d = 0; d < func.dimensions(); ++d) {
                stage.loops[d].is_whole = stage.loops[d].is_whole || !is_loop(func.stages[k], d, func.args[d]);
            }
        }
        if (is_pure(func) && func.dimensions() > 0) {
            add_blocks(stage, func, index);
        } else if (func.dimensions() > 0) {
            add_sums(stage, func);
        }
        return stage;
    }

    /// Loops along which a coordinate moves that may not go beyond what is needed.
    static void note_exact(StageNode &stage, const FuncDef &func, bool is_exact, const Expr &coordinate) {
        for (size_t loop = 0; loop < stage.loops.size() && is_exact; ++loop) {
            stage.loops[loop].is_exact = stage.loops[loop].is_exact || uses_symbol(coordinate, func.args[loop]);
        }
    }

    void add_sums(StageNode &stage, const FuncDef &func) {
        stage.initial = work_->of_point(func, 0, stage.loops);
        for (size_t k = 1; k < func.stages.size(); ++k) {
            if (writes_apart(func, func.stages[k])) {
                stage.sums.clear();
                return;
            }
            stage.sums.push_back(work_->of_update(func, k, stage.loops));
        }
    }

    /// Whether rows of the stage are columns of what it reads: a block of them is read as vectors and transposed.
    bool is_transposed(const StageNode &stage, size_t row) const {
        const std::map<FuncId, size_t> turned = innermost();
        return std::any_of(stage.reads.begin(), stage.reads.end(), [&](const Read &read) {
            if (read.footprint.empty()) {
                return false;
            }
            const auto found = read.is_input ? turned.end() : turned.find(nest_->graph.order[read.source]);
            const Footprint &footprint = read.footprint[found == turned.end() ? 0 : found->second];
            return footprint.kind == Footprint::Kind::Affine && footprint.loop == row && footprint.scale == Rational();
        });
    }

    /// The blocks that may be unrolled: constant loops, rows, and both.
    void add_blocks(StageNode &stage, const FuncDef &func, const std::map<FuncId, size_t> &index) {
        const std::vector<int64_t> one(stage.loops.size(), 1), constants = StageWork::constant_sizes(stage.loops);
        add_block(stage, func, index, one);
        if (constants != one) {
            add_block(stage, func, index, constants);
            const BlockWork &block = stage.blocks.back();
            const double work = block.work() / static_cast<double>(block.points());
            if (stage.blocks.size() > 1 && work < stage.arithmetic) {
                stage.constant_block = 1;
                stage.arithmetic = work;
            }
        }
        size_t row = StageWork::vector_loop(stage.loops) + 1;
        while (row < stage.loops.size() && constants[row] > 1) {
            row++;
        }
        for (const bool with_constants : {false, true}) {
            for (const int64_t rows : rows_together) {
                if (rows > most_plain_rows && !is_transposed(stage, row)) {
                    continue;
                }
                if (row < stage.loops.size() && stage.loops[row].extent >= rows &&
                    (!with_constants || constants != one)) {
                    std::vector<int64_t> sizes = with_constants ? constants : one;
                    sizes[row] = rows;
                    add_block(stage, func, index, sizes);
                    note_columns(stage, sizes, rows > most_plain_rows && with_constants == (stage.constant_block > 0));
                }
            }
        }
    }

    static void note_columns(StageNode &stage, const std::vector<int64_t> &sizes, bool reads_columns) {
        const BlockWork &block = stage.blocks.back();
        if (reads_columns && !stage.innermost && block.sizes == sizes &&
            block.work() / static_cast<double>(block.points()) < stage.arithmetic) {
            stage.column_block = stage.blocks.size() - 1;
        }
    }

    void add_block(StageNode &stage, const FuncDef &func, const std::map<FuncId, size_t> &index,
                   const std::vector<int64_t> &sizes) {
        BlockWork block;
        block.sizes = sizes;
        const bool is_long = stage.code * static_cast<double>(block.points()) > StageWork::most_code;
        if (block.points() > StageWork::most_points || (is_long && block.points() > 1)) {
            return;
        }
        const Work work = work_->of_block(func, stage.loops, sizes);
        block.operations = work.operations;
        block.shared = work.shared;
        block.widest = std::max(work.widest, static_cast<double>(func.types[0].bits()) / 32);
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
            known->cost += work_->of_load(func, 0, stage.loops, load, sizes);
        }
        stage.blocks.push_back(std::move(block));
    }

    void add_read(StageNode &stage, Read read, const loopnest::Access &access, FootprintReader &reader) {
        for (const Expr &arg : access.args) {
            read.footprint.push_back(reader.of(arg));
            read.step.push_back(reader.of(arg, RVars::OneStep));
        }
        for (Read &known : stage.reads) {
            const auto is_alike = [](const Footprint &a, const Footprint &b) {
                return a.kind == b.kind &&
                       (a.kind != Footprint::Kind::Affine || (a.loop == b.loop && a.scale == b.scale));
            };
            if (known.is_input == read.is_input && known.source == read.source && known.is_initial == read.is_initial &&
                std::equal(known.step.begin(), known.step.end(), read.step.begin(), read.step.end(), is_alike) &&
                std::equal(known.footprint.begin(), known.footprint.end(), read.footprint.begin(), read.footprint.end(),
                           is_alike)) {
                for (size_t d = 0; d < known.footprint.size(); ++d) {
                    known.footprint[d].min = std::min(known.footprint[d].min, read.footprint[d].min);
                    known.footprint[d].max = std::max(known.footprint[d].max, read.footprint[d].max);
                    known.step[d].min = std::min(known.step[d].min, read.step[d].min);
                    known.step[d].max = std::max(known.step[d].max, read.step[d].max);
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
                                    const LoadCosts &costs, const Wishes &wishes, const GivenFuncs &given) {
    return Describer(std::move(pipeline), sizes, costs, wishes, given).run();
}

} // namespace fluorite::autoschedule
