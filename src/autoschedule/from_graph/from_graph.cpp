// From a frozen pipeline to its stage graph.
//
// Method: what moves values is inlined, the others are measured at root, what costs no more inlined is inlined
// (inlining.cpp), and what remains is described with what was inlined into it.
//
// Cost: that of two loop nests without placement.
#include "autoschedule/from_graph/from_graph.h"

#include "analysis/interval.h"
#include "autoschedule/costs.h"
#include "autoschedule/from_graph/footprints.h"
#include "autoschedule/from_graph/held_inputs.h"
#include "autoschedule/from_graph/inlining.h"
#include "autoschedule/from_graph/transpositions.h"
#include "fluorite/errors.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <array>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

class Describer {
  public:
    /// The pipeline is measured without what is inlined.
    explicit Describer(AnalyzedPipeline &analyzed) : analyzed_(analyzed) {}

    DescribedPipeline describe() {
        DescribedPipeline result;
        std::map<FuncId, size_t> index;
        for (const InputDef &input : analyzed_.graph().inputs) {
            result.graph.inputs.push_back(describe_input(input));
        }
        result.fusable_outputs = analyzed_.fusable_outputs();
        const std::vector<FuncId> fused =
            analyzed_.options().fuses_outputs ? result.fusable_outputs : std::vector<FuncId>();
        for (FuncId id : analyzed_.nest().graph.order) {
            if (!holds(fused, id)) {
                index[id] = result.funcs.size();
                result.funcs.push_back(id);
            }
        }
        result.fused_outputs.resize(result.funcs.size());
        if (!fused.empty()) { // nobody reads them, so they may be last
            result.funcs.push_back(fused[0]);
            result.fused_outputs.emplace_back();
            for (size_t i = 1; i < fused.size(); ++i) {
                result.fused_outputs.back().push_back(analyzed_.func_of(fused[i]).name());
            }
        }
        if (result.funcs.size() > StageSet::capacity) {
            throw CompileError("auto-schedule-too-large",
                               concat("in the pipeline: after inlining it has ", result.funcs.size(),
                                      " Funcs to place; an automatic schedule is found for up to ", StageSet::capacity,
                                      "; schedule it by hand, or cut it into several pipelines"));
        }
        for (FuncId id : result.funcs) {
            const std::vector<std::string> &others = result.fused_outputs[result.computed.size()];
            result.computed.push_back(others.empty() ? analyzed_.func_of(id) : analyzed_.joint(fused));
            result.graph.stages.push_back(describe_stage(result.computed.back(), index, result.graph.stages));
            for (const std::string &other : others) {
                result.graph.stages.back().name += " and " + other;
            }
            result.graph.stages.back().results = 1 + others.size();
            result.extents.push_back(extents_of(analyzed_.func_of(id), result.graph.stages.back()));
            const StageNode &stage = result.graph.stages.back();
            result.has_short_rows = result.has_short_rows || (stage.is_output && analyzed_.has_short_rows(stage.loops));
            for (size_t d = 0; d < result.extents.back().size(); ++d) {
                result.graph.stages.back().loops[d].is_testable = result.extents.back()[d].defined();
            }
        }
        for (size_t i = 0; i < analyzed_.is_inlined.size(); ++i) {
            if (analyzed_.is_inlined[i]) {
                result.inlined.push_back(FuncId(i));
            }
        }
        set_unknown_extents(result.graph);
        check_stage_graph(result.graph);
        for (size_t stage = 0; stage < result.funcs.size(); ++stage) {
            const StageNode &node = result.graph.stages[stage];
            const bool may_transpose = !node.sums.empty() && !node.is_output && !node.is_by_hand;
            const std::optional<Transposition> transposition =
                may_transpose
                    ? find_transposition(analyzed_.graph(), analyzed_.graph().func(result.funcs[stage]), node.loops,
                                         analyzed_.values(), analyzed_.work(), analyzed_.given().funcs)
                    : std::nullopt;
            if (transposition) {
                result.transpositions.push_back(*transposition);
            }
        }
        return result;
    }

  private:
    AnalyzedPipeline &analyzed_;

    InputImage describe_input(const InputDef &input) {
        InputImage image{input.symbol.name(), {}, input.type.bytes()};
        const size_t id = input.symbol.owner().input.index();
        const analysis::Box &box = analyzed_.nest().regions.input_boxes[id];
        for (int d = 0; d < input.dimensions; ++d) {
            std::optional<int64_t> extent;
            if (const auto at = static_cast<size_t>(d); at < box.size() && box[at].is_bounded()) {
                extent = analyzed_.values()(analysis::extent_of(box[at]));
            }
            extent = extent ? extent : analyzed_.values()(make_field(input.symbol, Field::Extent, d));
            image.extents.push_back(extent ? std::max<int64_t>(*extent, 1) : 0);
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
        default: // of any other kind, no extent is kept
            return false;
        }
    }

    /// Of loops that may not run beyond their ends, for conditions: extents as expressions of sizes and Params;
    /// undefined where they are long, or ask for data.
    std::vector<Expr> extents_of(const FuncDef &func, const StageNode &stage) const {
        const loopnest::Region &region = analyzed_.nest().regions.func(func.id()).regions[0];
        std::vector<Expr> extents(func.dimensions());
        for (size_t d = 0; d < extents.size(); ++d) {
            if (!stage.loops[d].is_exact) {
                continue;
            }
            const Expr least = analyzed_.values().expanded(region.exact_min[d]),
                       most = analyzed_.values().expanded(region.exact_max[d]);
            const Expr extent = rewrite::simplify(add(sub(most, least), int32(1)));
            bool is_known = !has_more_nodes(extent, costs::most_condition_nodes);
            for_each_node(extent, [&](const Expr &node) { is_known = is_known && is_of_sizes(node); });
            extents[d] = is_known ? extent : Expr();
        }
        return extents;
    }

    StageNode describe_stage(const FuncDef &func, const std::map<FuncId, size_t> &index,
                             const std::vector<StageNode> &before) {
        StageNode stage;
        stage.name = func.name();
        stage.loops = analyzed_.loops_of(func);
        stage.bytes = value_bytes(func);
        stage.lane_bytes = StageWork::lane_bytes(func);
        stage.is_output = analyzed_.graph().is_output(func.id());
        stage.is_by_hand = holds(analyzed_.given().funcs, func.id());
        stage.code = code_of(func, func.stages[0]);
        const std::map<FuncId, size_t> transposed = analyzed_.innermost();
        if (const auto found = transposed.find(func.id()); found != transposed.end()) {
            stage.innermost = found->second;
            stage.turning = found->second == StageWork::vector_loop(stage.loops) ? 0 : StageWork::turning(stage.bytes);
        }
        stage.arithmetic = 0;
        for (size_t k = 0; k < func.stages.size(); ++k) {
            const double runs = k == 0 ? 1
                                       : analyzed_.update_points(func, func.stages[k], stage.loops) /
                                             static_cast<double>(stage.points());
            stage.updates += k == 0 ? 0 : runs;
            const bool is_scattered = k > 0 && writes_apart(func, func.stages[k]);
            double work = runs * analyzed_.work().of_point(func, k, stage.loops);
            std::optional<size_t> lanes;
            if (is_scattered) {
                const StageWork::Scattered scattered = analyzed_.work().of_scattered(func, k, stage.loops);
                lanes = scattered.lanes;
                work = runs * (lanes ? scattered.together : scattered.scalar);
                stage.serial += lanes ? 0 : work;
            }
            if (k > 0) {
                stage.update_lanes.push_back(lanes);
                stage.reductions.push_back(analyzed_.reduction_of(func, func.stages[k]));
            }
            stage.arithmetic += work;
            const bool is_initial = k == 0 && !is_pure(func);
            const loopnest::StageAccesses accesses = loopnest::find_accesses(func.stages[k]);
            FootprintReader reader = reader_of(analyzed_.values(), func, func.stages[k], &stage.loops, accesses);
            for (const loopnest::Access &call : accesses.calls) {
                const FuncId callee = call.symbol.owner().func;
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
                const InputDef &input = analyzed_.graph().inputs[image.symbol.owner().input.index()];
                for (size_t d = 0; d < image.args.size(); ++d) {
                    const Expr coordinate = without_lets(image.args[d], accesses);
                    note_exact(stage, func, !is_held(func, input, d, coordinate), coordinate);
                }
                add_read(stage, {true, image.symbol.owner().input.index(), {}, 1, {}, is_initial}, image, reader);
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
        stage.initial = analyzed_.work().of_point(func, 0, stage.loops);
        for (size_t k = 1; k < func.stages.size(); ++k) {
            if (writes_apart(func, func.stages[k])) {
                stage.sums.clear();
                return;
            }
            stage.sums.push_back(analyzed_.work().of_update(func, k, stage.loops));
        }
    }

    /// Whether rows of the stage are columns of what it reads: a block of them is read as vectors and transposed.
    bool is_transposed(const StageNode &stage, size_t row) const {
        const std::map<FuncId, size_t> transposed = analyzed_.innermost();
        return std::any_of(stage.reads.begin(), stage.reads.end(), [&](const Read &read) {
            if (read.footprint.empty()) {
                return false;
            }
            const auto found =
                read.is_input ? transposed.end() : transposed.find(analyzed_.nest().graph.order[read.source]);
            const Footprint &footprint = read.footprint[found == transposed.end() ? 0 : found->second];
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
            for (const int64_t rows : costs::rows_together) {
                if (rows > costs::most_plain_rows && !is_transposed(stage, row)) {
                    continue;
                }
                if (row < stage.loops.size() && stage.loops[row].extent >= rows &&
                    (!with_constants || constants != one)) {
                    std::vector<int64_t> sizes = with_constants ? constants : one;
                    sizes[row] = rows;
                    add_block(stage, func, index, sizes);
                    note_columns(stage, sizes,
                                 rows > costs::most_plain_rows && with_constants == (stage.constant_block > 0));
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
        const bool is_long = stage.code * static_cast<double>(block.points()) > costs::most_plain_block_nodes;
        if (block.points() > costs::most_block_points || (is_long && block.points() > 1)) {
            return;
        }
        const Work work = analyzed_.work().of_block(func, stage.loops, sizes);
        block.operations = work.operations;
        block.shared = work.shared;
        block.widest = std::max(work.widest, static_cast<double>(func.types[0].bits()) / 32);
        const StageWork::LoadsWork loaded = analyzed_.work().of_loads(func, 0, stage.loops, work.loads, sizes);
        block.shared += loaded.addresses;
        for (size_t i = 0; i < work.loads.size(); ++i) {
            const Expr &load = work.loads[i];
            const bool is_input = load->kind() == ExprKind::Image;
            const size_t source =
                is_input ? load->symbol().owner().input.index() : index.at(load->symbol().owner().func);
            auto known = std::find_if(block.loads.begin(), block.loads.end(), [&](const BlockWork::Loads &loads) {
                return loads.is_input == is_input && loads.source == source;
            });
            if (known == block.loads.end()) {
                block.loads.push_back({is_input, source, 0});
                known = block.loads.end() - 1;
            }
            known->cost += loaded.each[i];
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
                                    const LoadCosts &costs, const PlanOptions &options, const GivenFuncs &given) {
    AnalyzedPipeline analyzed(std::move(pipeline), sizes, costs, options, given);
    inline_trivial(analyzed);
    analyzed.measure();
    const std::vector<bool> before = analyzed.is_inlined;
    choose_inlined(analyzed);
    if (analyzed.is_inlined != before) {
        analyzed.measure();
    }
    return Describer(analyzed).describe();
}

} // namespace fluorite::autoschedule
