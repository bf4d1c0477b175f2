// Which ranks compute what, as schedules say it: distributed loops are slices, compute_rank is `as needed`, and what is
// merely computed at root is computed as a whole by every rank.

#include "distributed/distribution.h"

#include "distributed/image_of_ranks.h"
#include "distributed/rank_count.h"
#include "ir/parameter.h"
#include "schedule/directives/table.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::distributed {

using distribute::Placement;
using schedule::DirectiveName;
using schedule::FuncSchedule;

namespace {

bool has_distributed_loops(const FuncSchedule &func) {
    bool found = false;
    for (const schedule::StageSchedule &stage : func.stages) {
        schedule::for_each_variant(stage, [&](const schedule::StageSchedule &variant) {
            found = found || std::any_of(variant.dims.begin(), variant.dims.end(), [](const schedule::LoopDim &dim) {
                        return static_cast<bool>(dim.distributed);
                    });
        });
    }
    return found;
}

/// A directive on the memory of a Func, which ranks allocate; of inner Funcs, they keep to the order of dimensions.
schedule::AppliedDirective directive_on_memory(const FuncSchedule &func, bool is_output) {
    std::string name;
    for (const schedule::StorageDim &dim : func.storage) {
        name = dim.fold.defined() ? "fold_storage" : dim.alignment.defined() ? "align_storage" : "bound_storage";
    }
    name = func.memory != MemoryType::Auto                                           ? "store_in"
           : func.marks.has(DirectiveName::stream_stores)                            ? "stream_stores"
           : !func.hoist.is_inlined() && !func.marks.has(DirectiveName::ring_buffer) ? "hoist_storage"
           : name.empty() && is_output && !func.storage_order.empty()                ? "reorder_storage"
                                                                                     : name;
    return name.empty() ? schedule::AppliedDirective() : schedule::AppliedDirective{name, func.on_storage.location};
}

/// The first directive that has no meaning for values that ranks exchange, or an empty one.
schedule::AppliedDirective directive_without_object(const FuncSchedule &func, bool is_output) {
    if (const schedule::AppliedDirective on_memory = directive_on_memory(func, is_output)) {
        return on_memory;
    }
    for (const schedule::Mark &mark : func.marks.all()) {
        if (schedule::row_of(mark.name).subject == schedule::Subject::Time) {
            return schedule::applied(mark);
        }
    }
    return {};
}

void check_agglomerate(const ir::FuncDef &func, const FuncSchedule &schedule, bool is_cut) {
    if (schedule.marks.has(DirectiveName::agglomerate) && !is_cut) {
        throw CompileError("distributed-func",
                           concat("in ", func.name(),
                                  ": agglomerate is applied to it, and no loop of it is distributed; what is left to "
                                  "few ranks are its parts; call distribute() as well"),
                           schedule.marks.location(DirectiveName::agglomerate));
    }
}

/// Whether the program promises something of the whole buffer, which would not hold for a part of it.
bool has_promises(const ir::Parameter &parameter) {
    return parameter.host_alignment > 0 ||
           std::any_of(parameter.dims.begin(), parameter.dims.end(), [](const ir::DimConstraint &dim) {
               return dim.min.defined() || dim.extent.defined() || dim.stride.defined();
           });
}

bool may_have_parts(const ir::Parameter &parameter, PartedInputs inputs) {
    return distributed_input(parameter) ||
           (inputs == PartedInputs::Parameters && !parameter.is_bound_buffer && !has_promises(parameter));
}

} // namespace

bool is_distributed(const schedule::ScheduledGraph &written) {
    const schedule::ScheduledGraph &pipeline = computed(written);
    const auto by_schedule = [](const FuncSchedule &func) {
        return func.marks.has(DirectiveName::compute_rank) || func.marks.has(DirectiveName::agglomerate) ||
               has_distributed_loops(func);
    };
    const auto by_param = [](const ir::ParamDef &param) { return param.parameter == rank_count(); };
    const auto by_input = [](const ir::InputDef &input) {
        return input.parameter && distributed_input(*input.parameter);
    };
    return std::any_of(pipeline.schedule.funcs.begin(), pipeline.schedule.funcs.end(), by_schedule) ||
           std::any_of(pipeline.graph.inputs.begin(), pipeline.graph.inputs.end(), by_input) ||
           std::any_of(pipeline.graph.params.begin(), pipeline.graph.params.end(), by_param);
}

Distribution distribution_of(const schedule::ScheduledGraph &written, PartedInputs inputs) {
    const schedule::ScheduledGraph &pipeline = computed(written);
    Distribution distribution;
    for (const ir::FuncDef &func : pipeline.graph.funcs) {
        const FuncSchedule &schedule = pipeline.schedule.func(func.id());
        const bool is_output = pipeline.graph.is_output(func.id()), is_cut = has_distributed_loops(schedule);
        if (!is_output && !is_cut && !schedule.compute.is_root()) {
            check_agglomerate(func, schedule, false);
            continue;
        }
        if (const schedule::AppliedDirective directive = directive_without_object(schedule, is_output)) {
            throw CompileError("distributed-func",
                               concat("in ", func.name(), ": ", directive.name,
                                      " is applied to it, and its values are exchanged between ranks; their memory "
                                      "and the time of their computation belong to the distributed run; remove ",
                                      directive.name, ", or compute the Func inside of a consumer"),
                               directive.location);
        }
        check_agglomerate(func, schedule, is_cut);
        Placement &placement = distribution.funcs[func.name()];
        placement.kind = is_cut                                                          ? Placement::Kind::Blocks
                         : schedule.marks.has(DirectiveName::compute_rank) && !is_output ? Placement::Kind::Rank
                                                                                         : Placement::Kind::Everywhere;
    }
    for (const ir::InputDef &input : pipeline.graph.inputs) {
        if (input.parameter && may_have_parts(*input.parameter, inputs)) {
            distribution.inputs[input.symbol.name()].kind = Placement::Kind::Blocks;
        }
    }
    return distribution;
}

} // namespace fluorite::distributed
