// Pipelines cut at the Funcs whose values ranks exchange.
//
// Before: f, g and out, where g and out are computed at root:   g(x) = f(x) * 2,  out(x) = g(x - 1) + in(x)
// After:  segment 0 computes g from in:                          g(x) = f(x) * 2
//         segment 1 computes out from in and an input g.values:  out(x) = g.values(x - 1) + in(x)
//
// A segment is the whole graph with another output and with images in place of the calls of other segments' Funcs.
// Funcs that the output does not reach stay in the graph, where nothing computes them. So ids remain, and schedules
// hold as they are. A Func that is inlined, or computed inside of the Funcs of several segments, is in each of them.
//
// A rank has a part of a distributed input and of an output, but the program means the whole one when it asks for min
// and extent (as boundary conditions do): these fields become scalars, which the caller sets. Promises about such
// buffers hold for the whole and are left out. The memory of what segments compute is the caller's, so that directives
// on it have no object.
//
// Relies on: loops and inlining never cross a Func that is computed at root. Cost: a walk over the graph per segment.

#include "driver/distributed/cut.h"

#include "loopnest/inline/clone.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fluorite::driver {

using namespace ir;

namespace {

constexpr const char *field_words[] = {"min", "max", "extent", "stride"};

class Cutter {
  public:
    Cutter(const schedule::ScheduledGraph &pipeline, const std::vector<FuncId> &funcs,
           const std::vector<InputId> &distributed)
        : whole_(pipeline), funcs_(funcs.begin(), funcs.end()), distributed_(distributed.begin(), distributed.end()) {
        for (size_t i = 0; i < whole_.graph.inputs.size(); i++) {
            const InputDef &input = whole_.graph.inputs[i];
            result_.arrays.push_back({input.symbol.name(), input.type, input.dimensions, InputId(i), {}, 0});
        }
        for (const FuncId id : funcs) {
            const FuncDef &func = whole_.graph.func(id);
            for (size_t k = 0; k < func.types.size(); k++) {
                first_array_.try_emplace(id, result_.arrays.size());
                result_.arrays.push_back({func.name() + (func.types.size() > 1 ? "." + std::to_string(k) : ""),
                                          func.types[k],
                                          static_cast<int>(func.dimensions()),
                                          {},
                                          id,
                                          static_cast<int>(k)});
            }
        }
    }

    CutPipeline run(const std::vector<FuncId> &funcs) {
        for (const FuncId id : funcs) {
            result_.segments.push_back(segment_of(id));
        }
        return std::move(result_);
    }

  private:
    const schedule::ScheduledGraph &whole_;
    std::set<FuncId> funcs_;
    std::set<InputId> distributed_;
    CutPipeline result_;
    std::map<FuncId, size_t> first_array_;
    std::map<std::tuple<size_t, Field, int>, Symbol> fields_;
    std::vector<ParamDef> field_params_;

    /// The Funcs that are computed by the segment of `output`, itself included.
    std::vector<FuncId> members_of(FuncId output) const {
        std::set<FuncId> seen = {output};
        std::vector<FuncId> open = {output};
        for (size_t i = 0; i < open.size(); i++) {
            const auto note_callee = [&](const Expr &node) {
                if (node->kind() != ExprKind::Call) {
                    return;
                }
                const FuncId callee(node->symbol().owner().func);
                if (funcs_.count(callee) == 0 && seen.insert(callee).second) {
                    open.push_back(callee);
                }
            };
            for (const ir::Stage &stage : whole_.graph.func(open[i]).stages) {
                for (const Expr &expr : loopnest::stage_exprs(stage)) {
                    for_each_node(expr, note_callee);
                }
            }
        }
        return open;
    }

    /// Applies a change to all nodes of the expressions of a schedule.
    template <typename Change> static void change_exprs(schedule::FuncSchedule &func, const Change &change) {
        const auto apply = [&](Expr &expr) { expr = expr.defined() ? transform(expr, change) : expr; };
        for (std::vector<schedule::Bound> *bounds : {&func.bounds, &func.estimates}) {
            for (schedule::Bound &bound : *bounds) {
                for (Expr *expr : {&bound.min, &bound.extent, &bound.modulus, &bound.remainder}) {
                    apply(*expr);
                }
            }
        }
        for (schedule::StorageDim &dim : func.storage) {
            for (Expr *expr : {&dim.fold, &dim.alignment, &dim.bound}) {
                apply(*expr);
            }
        }
        apply(func.ring_extent);
        apply(func.eviction_key);
        for (schedule::StageSchedule &stage : func.stages) {
            schedule::for_each_variant(stage, [&](schedule::StageSchedule &variant) {
                for (schedule::Split &split : variant.splits) {
                    apply(split.factor);
                }
                for (schedule::Prefetch &prefetch : variant.prefetches) {
                    apply(prefetch.offset);
                }
                for (schedule::Specialization &specialization : variant.specializations) {
                    apply(specialization.condition);
                }
            });
        }
    }

    CutSegment segment_of(FuncId output) {
        CutSegment segment;
        segment.pipeline.graph = whole_.graph;
        segment.pipeline.schedule = whole_.schedule;
        Graph &graph = segment.pipeline.graph;
        graph.outputs = {output};
        for (const FuncId id : funcs_) { // former outputs have loops without a compute level
            schedule::FuncSchedule &func = segment.pipeline.schedule.func(id);
            func.compute = schedule::LoopLevel::root(graph.func(id).location);
            func.store = func.hoist = schedule::LoopLevel::inlined();
            func.memory = MemoryType::Auto;
            func.storage.clear();
            func.storage_order.clear();
            func.ring_buffer = func.async = func.memoize = func.on_storage = {};
        }
        std::map<size_t, Symbol> images; // by array
        std::set<InputId> inputs;
        for (const FuncId id : members_of(output)) {
            const auto change = [&](const Expr &node) { return changed(node, output, segment, images, inputs); };
            for (ir::Stage &stage : graph.funcs[id.index()].stages) {
                loopnest::change_exprs(stage, [&](const Expr &expr) { return transform(expr, change); });
            }
        }
        // A stage may prefetch what only a Func reads that is inlined into it, so all images are known before.
        for (const FuncId id : members_of(output)) {
            for (schedule::StageSchedule &stage : segment.pipeline.schedule.func(id).stages) {
                retarget_prefetches(stage, images);
            }
        }
        const auto change_field = [&](const Expr &node) {
            return node->kind() == ExprKind::BufferField ? field_of(node, inputs) : node;
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
        for (const InputId input : inputs) {
            segment.inputs_read.push_back(input.index());
        }
        graph.params.insert(graph.params.end(), field_params_.begin(), field_params_.end());
        for (size_t k = 0; k < graph.func(output).types.size(); k++) {
            segment.writes.push_back(first_array_.at(output) + k);
        }
        return segment;
    }

    Expr changed(const Expr &node, FuncId output, CutSegment &segment, std::map<size_t, Symbol> &images,
                 std::set<InputId> &inputs) {
        switch (node->kind()) {
        case ExprKind::Call: {
            const FuncId callee(node->symbol().owner().func);
            if (callee == output || funcs_.count(callee) == 0) {
                return node;
            }
            const size_t array = first_array_.at(callee) + static_cast<size_t>(node->member().index);
            const Symbol image = image_of(array, segment, images);
            const std::vector<Expr> args(node->args().begin(), node->args().end());
            return make_image(node.type(), image, args);
        }
        case ExprKind::Image:
            if (node->symbol().owner().input < static_cast<int32_t>(whole_.graph.inputs.size())) {
                inputs.insert(InputId(node->symbol().owner().input));
            }
            return node;
        case ExprKind::BufferField:
            return field_of(node, inputs);
        default:
            return node;
        }
    }

    Symbol image_of(size_t array, CutSegment &segment, std::map<size_t, Symbol> &images) const {
        const auto known = images.find(array);
        if (known != images.end()) {
            return known->second;
        }
        const CutArray &read = result_.arrays[array];
        std::vector<InputDef> &inputs = segment.pipeline.graph.inputs;
        RefPtr<Parameter> parameter(new Parameter);
        parameter->name = read.name;
        parameter->type = read.type;
        parameter->is_buffer = true;
        parameter->dimensions = read.dimensions;
        SymbolOwner owner;
        owner.input = static_cast<int32_t>(inputs.size());
        const Symbol symbol(SymbolKind::Buffer, read.name + ".values", owner, parameter.get());
        inputs.push_back({symbol, read.type, read.dimensions, parameter, {}, false});
        segment.reads.push_back(array);
        images.emplace(array, symbol);
        return symbol;
    }

    /// A field of an input that all ranks have stays; then the segment needs the input.
    Expr field_of(const Expr &node, std::set<InputId> &inputs) {
        const InputId input(node->symbol().owner().input);
        const FuncId func(node->symbol().owner().func);
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
        const std::string name =
            concat(result_.arrays[array].name, ".", field_words[static_cast<size_t>(field)], ".", dimension);
        RefPtr<Parameter> parameter(new Parameter);
        parameter->name = name;
        parameter->type = Int(32);
        const Symbol symbol(SymbolKind::Param, name, {}, parameter.get());
        field_params_.push_back({symbol, Int(32), parameter, {}, {}});
        result_.fields.push_back({array, field, dimension, parameter});
        fields_.emplace(key, symbol);
        return make_var(Int(32), symbol);
    }

    void retarget_prefetches(schedule::StageSchedule &stage, const std::map<size_t, Symbol> &images) const {
        schedule::for_each_variant(stage, [&](schedule::StageSchedule &variant) {
            for (schedule::Prefetch &prefetch : variant.prefetches) {
                for (const auto &[array, image] : images) {
                    const FuncId func = result_.arrays[array].func;
                    if (func.valid() && prefetch.source == whole_.graph.func(func).symbol) {
                        prefetch.source = image;
                    }
                }
            }
        });
    }
};

} // namespace

CutPipeline cut(const schedule::ScheduledGraph &pipeline, const std::vector<FuncId> &funcs,
                const std::vector<InputId> &distributed) {
    return Cutter(pipeline, funcs, distributed).run(funcs);
}

} // namespace fluorite::driver
