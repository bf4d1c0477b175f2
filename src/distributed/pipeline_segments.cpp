// Pipelines cut at the Funcs whose values ranks exchange.
//
// Before: f, g and out, where g and out are computed at root:   g(x) = f(x) * 2,  out(x) = g(x - 1) + in(x)
// After:  segment 0 computes g from in:                          g(x) = f(x) * 2
//         segment 1 computes out from in and an input g.values:  out(x) = g.values(x - 1) + in(x)
//
// A segment is the whole graph with another output and with images in place of the calls of other segments' Funcs.
// Funcs that share loops (compute_with) are the outputs of one segment. Funcs that no output reaches stay in the graph,
// where nothing computes them. So ids remain, and schedules hold as they are. A Func that is inlined, or computed
// inside of the Funcs of several segments, is in each of them.
//
// A rank has a part of a distributed input and of an output, but the program means the whole one when it asks for min
// and extent (as boundary conditions do): these fields become scalars, which the caller sets. Promises about such
// buffers hold for the whole and are left out. The memory of what segments compute is the caller's, so that directives
// on it have no object, except for the order of dimensions: the caller allocates inner arrays in that order, and the
// images that stand for them promise it.
//
// BoundaryConditions::repeat_image reads the other end of the image beyond an edge. For a rank at an edge, the interval
// that contains both ends is the whole image. So such reads become reads of a view of the array, whose coordinates do
// not wrap, and the exchange fills what is beyond the edges:
//   out(x) = in(wrap(x - 1))   becomes   out(x) = in.repeated(x - 1).
//
// Relies on: loops and inlining never cross a Func that is computed at root. Cost: a walk over the graph per segment.

#include "distributed/pipeline_segments.h"

#include "analysis/func_ranges.h"
#include "distributed/periodic_reads.h"
#include "ir/parameter.h"
#include "loopnest/inline/clone.h"
#include "rewrite/simplify.h"
#include "schedule/rank_layout.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fluorite::distributed {

using namespace ir;

namespace {

constexpr const char *field_words[] = {"min", "max", "extent", "stride"};

class Segmenter {
  public:
    Segmenter(const schedule::ScheduledGraph &pipeline, const SegmentBoundaries &boundaries)
        : whole_(pipeline), funcs_(boundaries.funcs.begin(), boundaries.funcs.end()),
          distributed_(boundaries.distributed.begin(), boundaries.distributed.end()),
          parted_(boundaries.parted.begin(), boundaries.parted.end()) {
        for (size_t i = 0; i < whole_.graph.inputs.size(); i++) {
            const InputDef &input = whole_.graph.inputs[i];
            result_.arrays.push_back({input.symbol.name(), input.type, input.dimensions, InputId(i), {}, 0});
        }
        for (const FuncId id : boundaries.funcs) {
            const FuncDef &func = whole_.graph.func(id);
            for (size_t k = 0; k < func.types.size(); k++) {
                first_array_.try_emplace(id, result_.arrays.size());
                result_.arrays.push_back({func.name() + (func.types.size() > 1 ? "." + std::to_string(k) : ""),
                                          func.types[k],
                                          static_cast<int>(func.dimensions()),
                                          {},
                                          id,
                                          static_cast<int>(k),
                                          memory_order(func)});
            }
        }
    }

    SegmentedPipeline run(const std::vector<FuncId> &funcs) {
        std::vector<PipelineSegment> segments;
        for (const std::vector<FuncId> &outputs : groups_of(funcs)) {
            segments.push_back(segment_of(outputs));
        }
        put_in_order(std::move(segments));
        return std::move(result_);
    }

  private:
    const schedule::ScheduledGraph &whole_;
    analysis::FuncRanges ranges_{whole_.graph}; // of values that are images in the segments that read them
    std::set<FuncId> funcs_;
    std::set<InputId> distributed_;
    std::set<FuncId> parted_;
    SegmentedPipeline result_;
    std::map<FuncId, size_t> first_array_;
    std::map<std::tuple<size_t, Field, int>, Symbol> fields_;
    std::vector<ParamDef> field_params_;

    /// The Funcs that share loops, and so a segment; in the order of the first of each.
    std::vector<std::vector<FuncId>> groups_of(const std::vector<FuncId> &funcs) const {
        std::vector<std::vector<FuncId>> groups;
        for (const FuncId id : funcs) {
            groups.push_back({id});
        }
        const auto group_with = [&](FuncId id) {
            return std::find_if(groups.begin(), groups.end(), [&](const std::vector<FuncId> &group) {
                return std::find(group.begin(), group.end(), id) != group.end();
            });
        };
        for (const FuncId id : funcs) {
            for (const schedule::StageSchedule &stage : whole_.schedule.func(id).stages) {
                if (!stage.with) {
                    continue;
                }
                auto one = group_with(id), other = group_with(stage.with->level.func.owner().func);
                if (one == other || other == groups.end()) { // a Func that is not at root has no loops to share
                    continue;
                }
                if (other < one) {
                    std::swap(one, other);
                }
                one->insert(one->end(), other->begin(), other->end());
                groups.erase(other);
            }
        }
        for (std::vector<FuncId> &group : groups) { // ids are in the order of the graph
            std::sort(group.begin(), group.end());
        }
        return groups;
    }

    /// Segments whose Funcs share loops may read what is computed between the Funcs: each runs when all is there that
    /// it reads.
    void put_in_order(std::vector<PipelineSegment> segments) {
        std::vector<bool> is_there(result_.arrays.size());
        for (size_t a = 0; a < is_there.size(); a++) {
            is_there[a] = result_.arrays[a].input.valid();
        }
        const auto is_ready = [&](const PipelineSegment &segment) {
            return std::all_of(segment.reads.begin(), segment.reads.end(), [&](size_t read) {
                return is_there[read < is_there.size() ? read : result_.views[read - is_there.size()].array];
            });
        };
        while (!segments.empty()) {
            const auto next = std::find_if(segments.begin(), segments.end(), is_ready);
            if (next == segments.end()) {
                refuse_order(segments);
            }
            for (const size_t a : next->writes) {
                is_there[a] = true;
            }
            result_.segments.push_back(std::move(*next));
            segments.erase(next);
        }
    }

    [[noreturn]] void refuse_order(const std::vector<PipelineSegment> &segments) const {
        for (const PipelineSegment &segment : segments) {
            for (const FuncId id : segment.pipeline.graph.outputs) {
                const schedule::FuncSchedule &func = whole_.schedule.func(id);
                for (size_t k = 0; k < func.stages.size(); k++) {
                    if (func.stages[k].with) {
                        const schedule::LoopLevel &with = func.stages[k].with->level;
                        throw CompileError(
                            "compute-with-dependent",
                            concat("in ", whole_.graph.func(id).name(), ", stage ", k, ": it is computed with ",
                                   whole_.graph.func(with.func.owner().func).name(),
                                   ", and one of the two, or of those that are computed with them, needs the other; "
                                   "loops that are shared compute both at once; use compute_at"),
                            with.location);
                    }
                }
            }
        }
        check(false, "segments without shared loops are in the order of the graph");
        throw;
    }

    /// What reorder_storage says of a Func; empty for outputs, whose memory is the caller's.
    std::vector<size_t> memory_order(const FuncDef &func) const {
        std::vector<size_t> order;
        if (whole_.graph.is_output(func.id())) {
            return order;
        }
        for (const std::string &name : whole_.schedule.func(func.id()).storage_order) {
            const auto at = std::find(func.arg_names.begin(), func.arg_names.end(), name);
            check(at != func.arg_names.end(), "dimensions in memory are those of the Func");
            order.push_back(position_in(func.arg_names, at));
        }
        return std::is_sorted(order.begin(), order.end()) ? std::vector<size_t>() : order;
    }

    /// Of the buffer that holds an array: its innermost dimension in memory is dense, any other has any stride.
    static std::vector<DimConstraint> constraints_of(const SegmentArray &array, const Symbol &buffer) {
        std::vector<DimConstraint> constraints;
        if (!array.order.empty()) {
            constraints.resize(array.order.size());
            constraints[0].stride = make_field(buffer, Field::Stride, 0);
            constraints[array.order[0]].stride = make_int(Int(32), 1);
        }
        return constraints;
    }

    /// Adds the Funcs that a Func calls and that its segment computes, except those that are there.
    void add_callees(const FuncDef &func, std::vector<FuncId> &members) const {
        const auto note_callee = [&](const Expr &node) {
            if (node->kind() != ExprKind::Call) {
                return;
            }
            const FuncId callee = node->symbol().owner().func;
            if (funcs_.count(callee) == 0 && std::find(members.begin(), members.end(), callee) == members.end()) {
                members.push_back(callee);
            }
        };
        for (const ir::Stage &stage : func.stages) {
            for (const Expr &expr : loopnest::stage_exprs(stage)) {
                for_each_node(expr, note_callee);
            }
        }
    }

    /// The Funcs that are computed by the segment of `outputs`, these included.
    std::vector<FuncId> members_of(const std::vector<FuncId> &outputs) const {
        std::vector<FuncId> members = outputs;
        for (size_t i = 0; i < members.size(); i++) {
            add_callees(whole_.graph.func(members[i]), members);
        }
        return members;
    }

    /// Applies a change to all nodes of the expressions of a schedule.
    template <typename Change> static void change_exprs(schedule::FuncSchedule &func, const Change &change) {
        const auto apply = [&](Expr &expr) { expr = expr.defined() ? transform(expr, change) : expr; };
        schedule::for_each_expr(func, apply);
    }

    /// A segment that is being made.
    struct Making {
        std::vector<FuncId> outputs;
        PipelineSegment segment;
        PeriodicReads periodic;
        std::map<size_t, Symbol> images = {}; // by number in PipelineSegment::reads
        std::set<InputId> inputs = {};        // of the program, of which elements or fields are read
        FuncId func = {};                     // whose definitions are being changed
        const ir::Stage *stage = nullptr;
    };

    PipelineSegment segment_of(const std::vector<FuncId> &outputs) {
        Making making{outputs, {}, PeriodicReads(whole_.graph, outputs, members_of(outputs))};
        PipelineSegment &segment = making.segment;
        segment.pipeline.graph = whole_.graph;
        segment.pipeline.graph.iterations.clear(); // they run before all segments, which read the results
        segment.pipeline.schedule = whole_.schedule;
        Graph &graph = segment.pipeline.graph;
        graph.outputs = outputs;
        for (const FuncId id : funcs_) { // former outputs have loops without a compute level
            schedule::FuncSchedule &func = segment.pipeline.schedule.func(id);
            func.compute = schedule::LoopLevel::root(graph.func(id).location);
            func.store = func.hoist = schedule::LoopLevel::inlined();
            func.memory = MemoryType::Auto;
            func.storage.clear();
            if (whole_.graph.is_output(id)) { // memory of outputs has the caller's order, that of others this one
                func.storage_order.clear();
            }
            for (const auto name : {schedule::DirectiveName::ring_buffer, schedule::DirectiveName::async,
                                    schedule::DirectiveName::memoize, schedule::DirectiveName::agglomerate}) {
                func.marks.remove(name);
            }
            func.on_storage = {};
        }
        for (const FuncId output : outputs) {
            leave_out_bounds(graph.func(output), segment.pipeline.schedule.func(output));
        }
        std::vector<FuncId> members = outputs; // views take the place of some
        for (size_t i = 0; i < members.size(); i++) {
            change_reads(members[i], making);
            add_callees(graph.func(members[i]), members);
        }
        // A stage may prefetch what only a Func reads that is inlined into it, so all images are known before.
        for (const FuncId id : members) {
            for (schedule::StageSchedule &stage : segment.pipeline.schedule.func(id).stages) {
                retarget_prefetches(stage, making);
            }
        }
        const auto change_field = [&](const Expr &node) {
            return node->kind() == ExprKind::BufferField ? field_of(node, making.inputs) : node;
        };
        for (Expr &requirement : graph.requirements) {
            requirement = transform(requirement, change_field);
        }
        for (const InputId input : distributed_) {
            graph.inputs[input.index()].constraints.clear();
        }
        for (FuncDef &func : graph.funcs) {
            func.output_buffers.clear();
        }
        for (schedule::FuncSchedule &func : segment.pipeline.schedule.funcs) {
            change_exprs(func, change_field);
        }
        for (const InputId input : making.inputs) {
            segment.inputs_read.push_back(input.index());
        }
        graph.params.insert(graph.params.end(), field_params_.begin(), field_params_.end());
        for (const FuncId output : outputs) {
            for (size_t k = 0; k < graph.func(output).types.size(); k++) {
                segment.writes.push_back(first_array_.at(output) + k);
            }
        }
        return std::move(segment);
    }

    /// Promises of the region of a dimension that ranks divide are of the whole: a rank's part is less.
    static void leave_out_bounds(const FuncDef &func, schedule::FuncSchedule &schedule) {
        for (const schedule::RankDimension &cut : schedule::rank_layout(schedule, func.arg_names)) {
            std::erase_if(schedule.bounds, [&](const schedule::Bound &bound) {
                return bound.var == func.arg_names[cut.dimension] && !bound.modulus.defined();
            });
        }
    }

    void change_reads(FuncId func, Making &making) {
        making.func = func;
        for (size_t k = 0; k < whole_.graph.func(func).stages.size(); k++) {
            making.stage = &whole_.graph.func(func).stages[k];
            const auto change = [&](const Expr &node) { return changed(node, making); };
            ir::Stage &stage = making.segment.pipeline.graph.funcs[func.index()].stages[k];
            for (Expr &arg : stage.args) {
                arg = ranges_.bounded(arg, func);
            }
            loopnest::change_exprs(stage, [&](const Expr &expr) {
                return transform(ranges_.with_bounded_coordinates(expr, func), change);
            });
        }
    }

    Expr changed(const Expr &node, Making &making) {
        switch (node->kind()) {
        case ExprKind::Call: {
            const FuncId callee = node->symbol().owner().func;
            if (std::find(making.outputs.begin(), making.outputs.end(), callee) != making.outputs.end()) {
                return node;
            }
            if (funcs_.count(callee) == 0) {
                const Expr read = read_by_alias(node);
                const Expr repeated = read.defined() ? read_through_view(read, array_of(read), making) : Expr();
                return repeated.defined() ? repeated : node;
            }
            const Expr repeated = read_through_view(node, array_of(node), making);
            return repeated.defined() ? repeated : image_read(node, array_of(node), making);
        }
        case ExprKind::Image: {
            const InputId input = node->symbol().owner().input;
            if (!input.is_below(whole_.graph.inputs.size())) {
                return node;
            }
            const Expr repeated = read_through_view(node, input.index(), making);
            if (repeated.defined()) {
                return repeated;
            }
            making.inputs.insert(input);
            return node;
        }
        case ExprKind::BufferField:
            return field_of(node, making.inputs);
        default: // kinds that name no Func and no input
            return node;
        }
    }

    Expr image_read(const Expr &node, size_t array, Making &making) const {
        return make_image(node.type(), image_of(array, making), {node->args().begin(), node->args().end()});
    }

    /// The array of a call of a Func that is a segment, or of a read of an input.
    size_t array_of(const Expr &read) const {
        return read->kind() == ExprKind::Image
                   ? read->symbol().owner().input.index()
                   : first_array_.at(read->symbol().owner().func) + read->member().position();
    }

    /// The read that a call of an inlined Func stands for, if the Func is nothing but an array under another name, as
    /// those are that boundary conditions make of images; otherwise undefined.
    Expr read_by_alias(const Expr &call) const {
        const FuncDef &alias = whole_.graph.func(call->symbol().owner().func);
        if (!whole_.schedule.func(alias.id()).compute.is_inlined() || alias.stages.size() != 1) {
            return {};
        }
        const Expr &value = alias.stages[0].values[call->member().position()];
        const bool is_call = value->kind() == ExprKind::Call;
        if ((!is_call && value->kind() != ExprKind::Image) || value->arg_count() != alias.args.size()) {
            return {};
        }
        for (size_t d = 0; d < alias.args.size(); d++) {
            if (value->arg(d)->kind() != ExprKind::Variable || !(value->arg(d)->symbol() == alias.args[d])) {
                return {};
            }
        }
        const Expr read = with_args(value, {call->args().begin(), call->args().end()});
        return is_call && funcs_.count(value->symbol().owner().func) == 0 ? read_by_alias(read) : read;
    }

    /// The same read of a view of the array; undefined where no coordinate wraps around, or nobody has parts of it.
    Expr read_through_view(const Expr &node, size_t array, Making &making) {
        const SegmentArray &viewed = result_.arrays[array];
        if (viewed.input.valid() ? distributed_.count(viewed.input) == 0 : parted_.count(viewed.func) == 0) {
            return {};
        }
        SegmentView view{array, {}};
        std::vector<Expr> args(node->args().begin(), node->args().end());
        for (size_t d = 0; d < args.size(); d++) {
            const auto wrap = making.periodic.find(args[d], making.func, *making.stage);
            if (wrap && is_known_before_runs(wrap->min) && is_known_before_runs(wrap->max)) {
                view.edges.push_back({static_cast<int>(d), wrap->min, wrap->max});
                args[d] = wrap->inner;
            }
        }
        if (view.edges.empty()) {
            return {};
        }
        return make_image(node.type(), image_of(result_.arrays.size() + number_of(view), making), args);
    }

    /// Whether the operands of an expression are Params, fields of the whole among them, and constants.
    static bool is_known_before_runs(const Expr &expr) {
        bool known = true;
        for_each_node(expr, [&](const Expr &node) {
            const bool is_param = node->kind() == ExprKind::Variable && parameter_of(node->symbol()) != nullptr;
            known = known && (node->arg_count() > 0 || is_param || rewrite::constant_value(node));
        });
        return known;
    }

    size_t number_of(const SegmentView &view) {
        const auto same_edges = [](const SegmentView::Edges &a, const SegmentView::Edges &b) {
            return a.dimension == b.dimension && equal(a.min, b.min) && equal(a.max, b.max);
        };
        const auto known = std::find_if(result_.views.begin(), result_.views.end(), [&](const SegmentView &other) {
            return view.array == other.array &&
                   std::equal(view.edges.begin(), view.edges.end(), other.edges.begin(), other.edges.end(), same_edges);
        });
        const auto number = position_in(result_.views, known);
        if (known == result_.views.end()) {
            result_.views.push_back(view);
        }
        return number;
    }

    Symbol image_of(size_t read, Making &making) const {
        const auto known = making.images.find(read);
        if (known != making.images.end()) {
            return known->second;
        }
        const SegmentArray &array = result_.read(read);
        std::vector<InputDef> &inputs = making.segment.pipeline.graph.inputs;
        RefPtr<ir::Parameter> parameter(new ir::Parameter);
        parameter->name = array.name;
        parameter->type = array.type;
        parameter->is_buffer = true;
        parameter->dimensions = array.dimensions;
        SymbolOwner owner;
        owner.input = InputId(inputs.size());
        const bool is_view = read >= result_.arrays.size();
        const Symbol symbol(SymbolKind::Buffer, array.name + (is_view ? ".repeated" : ".values"), owner,
                            parameter.get());
        inputs.push_back({symbol, array.type, array.dimensions, parameter, constraints_of(array, symbol), false});
        making.segment.reads.push_back(read);
        making.images.emplace(read, symbol);
        return symbol;
    }

    /// A field of an input that all ranks have stays; then the segment needs the input.
    Expr field_of(const Expr &node, std::set<InputId> &inputs) {
        const InputId input = node->symbol().owner().input;
        const FuncId func = node->symbol().owner().func;
        const Field field = node->member().field;
        if (input.valid() && distributed_.count(input) == 0) {
            inputs.insert(input);
            return node;
        }
        const size_t array = input.valid() ? input.index() : first_array_.at(func);
        const int dimension = node->member().index;
        const auto key = std::tuple(array, field, dimension);
        const auto known = fields_.find(key);
        if (known != fields_.end()) {
            return make_var(Int(32), known->second);
        }
        const std::string name = concat(result_.arrays[array].name, ".", field_words[index_of(field)], ".", dimension);
        RefPtr<ir::Parameter> parameter(new ir::Parameter);
        parameter->name = name;
        parameter->type = Int(32);
        const Symbol symbol(SymbolKind::Param, name, {}, parameter.get());
        field_params_.push_back({symbol, Int(32), parameter, {}, {}});
        result_.fields.push_back({array, field, dimension, parameter});
        fields_.emplace(key, symbol);
        return make_var(Int(32), symbol);
    }

    /// Prefetches of Funcs, and of inputs of which only views are read, become those of images.
    void retarget_prefetches(schedule::StageSchedule &stage, const Making &making) const {
        schedule::for_each_variant(stage, [&](schedule::StageSchedule &variant) {
            for (schedule::Prefetch &prefetch : variant.prefetches) {
                const Symbol source = prefetch.source;
                for (const auto &[read, image] : making.images) { // arrays before their views
                    const SegmentArray &array = result_.read(read);
                    const bool is_source = array.func.valid()
                                               ? source == whole_.graph.func(array.func).symbol
                                               : making.inputs.count(array.input) == 0 &&
                                                     source == whole_.graph.inputs[array.input.index()].symbol;
                    if (is_source) {
                        prefetch.source = image;
                        break;
                    }
                }
            }
        });
    }
};

} // namespace

SegmentedPipeline split_into_segments(const schedule::ScheduledGraph &pipeline, const SegmentBoundaries &boundaries) {
    return Segmenter(pipeline, boundaries).run(boundaries.funcs);
}

} // namespace fluorite::distributed
