// Runs of one distributed pipeline.
//
// What a schedule says of ranks becomes placements: distributed loops are slices, compute_rank is `as needed`, and what
// is merely computed at root is computed as a whole by every rank. An output without a placement takes that of the
// image that it is written to, and so does one that is cut alike, along the same dimensions by the same grid: where its
// parts begin is a wish that vectors and tiles of its loops make. Other Funcs follow their readers likewise. Where
// placements still differ, and where the output is an ordinary buffer, a last segment copies the values, so that the
// exchange before it redistributes them.
//
// Plans depend on domains, on placements (which may depend on Params) and on the ranks. They are kept, with their
// memory, for as many kinds of runs as `most_plans`: time loops alternate between two.
//
// Relies on: all ranks make the same calls in the same order. Cost of a run that is planned already: comparisons of a
// few boxes.

#include "driver/distributed/distributed_runs.h"

#include "driver/distributed/image_of_ranks.h"
#include "driver/distributed/ranks.h"
#include "driver/distributed/run_scope.h"
#include "ir/parameter.h"
#include "support/check.h"
#include "support/place.h"

#include <algorithm>

namespace fluorite::driver {

using distribute::Array;
using distribute::ArrayView;
using distribute::Box;
using distribute::Placement;
using schedule::FuncSchedule;

namespace {

constexpr size_t most_plans = 4;

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

/// The first directive that has no meaning for values that ranks exchange, or an empty one.
schedule::AppliedDirective directive_without_object(const FuncSchedule &func) {
    for (const schedule::AppliedDirective *directive :
         {&func.on_storage, &func.memoize, &func.async, &func.ring_buffer}) {
        if (*directive) {
            return *directive;
        }
    }
    for (const schedule::StageSchedule &stage : func.stages) {
        if (stage.with) {
            return {"compute_with", stage.with->level.location};
        }
    }
    return {};
}

/// The placements that the schedule gives. Grids are filled in later, where they depend on Params.
Distribution distribution_of(const schedule::ScheduledGraph &pipeline) {
    Distribution distribution;
    for (const ir::FuncDef &func : pipeline.graph.funcs) {
        const FuncSchedule &schedule = pipeline.schedule.func(func.id());
        const bool is_output = pipeline.graph.is_output(func.id()), is_cut = has_distributed_loops(schedule);
        if (!is_output && !is_cut && !schedule.compute.is_root()) {
            continue;
        }
        if (const schedule::AppliedDirective directive = directive_without_object(schedule)) {
            throw CompileError("distributed-func",
                               concat("in ", func.name(), ": ", directive.name,
                                      " is applied to it, and its values are exchanged between ranks; their memory "
                                      "and the time of their computation belong to the distributed run; remove ",
                                      directive.name, ", or compute the Func inside of a consumer"),
                               directive.location);
        }
        Placement &placement = distribution.funcs[func.name()];
        placement.kind = is_cut                                ? Placement::Kind::Blocks
                         : schedule.compute_rank && !is_output ? Placement::Kind::Rank
                                                               : Placement::Kind::Everywhere;
    }
    for (const ir::InputDef &input : pipeline.graph.inputs) {
        if (input.parameter && distributed_input(*input.parameter)) {
            distribution.inputs[input.symbol.name()].kind = Placement::Kind::Blocks;
        }
    }
    return distribution;
}

/// Whether both cut the same dimensions by the same grid, wherever the parts begin.
bool is_cut_alike(const Placement &a, const Placement &b) {
    return a.kind == Placement::Kind::Blocks && b.kind == a.kind && a.dimensions == b.dimensions && a.grid == b.grid;
}

/// Funcs begin their parts where the first Func that reads them does, if both are cut alike: then ranks exchange
/// borders only. Tiles count from the begin of a part, so that nothing is lost.
void follow_readers(distribute::DistributedProgram &program) {
    for (size_t s = program.segments.size(); s-- > 0;) {
        const std::vector<size_t> &writes = program.segments[s].writes;
        const auto reader = std::find_if(program.segments.begin(), program.segments.end(), [&](const auto &segment) {
            return std::any_of(writes.begin(), writes.end(), [&](size_t a) {
                return std::find(segment.reads.begin(), segment.reads.end(), a) != segment.reads.end();
            });
        });
        Array &array = program.arrays[writes[0]];
        if (array.role != Array::Role::Inner || reader == program.segments.end()) {
            continue;
        }
        const Array &next = program.arrays[reader->writes[0]];
        if (array.dimensions == next.dimensions && is_cut_alike(array.placement, next.placement)) {
            for (const size_t a : writes) {
                program.arrays[a].placement = next.placement;
            }
        }
    }
}

ArrayView with_memory(ArrayView view) {
    static char nothing[128];
    view.data = view.data ? view.data : distribute::empty(view.box) ? nothing : nullptr;
    return view;
}

} // namespace

bool is_distributed(const schedule::ScheduledGraph &pipeline) {
    const auto by_schedule = [](const FuncSchedule &func) { return func.compute_rank || has_distributed_loops(func); };
    const auto by_input = [](const ir::InputDef &input) {
        return input.parameter && distributed_input(*input.parameter);
    };
    return std::any_of(pipeline.schedule.funcs.begin(), pipeline.schedule.funcs.end(), by_schedule) ||
           std::any_of(pipeline.graph.inputs.begin(), pipeline.graph.inputs.end(), by_input);
}

DistributedRuns::DistributedRuns(const schedule::ScheduledGraph &pipeline, const Target &target,
                                 const Location &location)
    : pipeline_(pipeline, target, distribution_of(pipeline), location), poisons_(target.has_feature(Target::Checked)) {
    for (const CutArray &array : pipeline_.arrays()) {
        layouts_.emplace_back();
        inputs_.push_back(nullptr);
        if (array.func.valid()) {
            layouts_.back() =
                schedule::rank_layout(pipeline.schedule.func(array.func), pipeline.graph.func(array.func).arg_names);
        } else if (const ir::Parameter *parameter = pipeline.graph.inputs[array.input.index()].parameter.get();
                   distributed_input(*parameter)) {
            inputs_.back() = parameter;
        }
    }
}

DistributedRuns::Layouts DistributedRuns::layouts_for(const std::vector<OutputOfRanks> &outputs,
                                                      const distribute::Transport &transport,
                                                      const Location &location) const {
    const distribute::DistributedProgram &program = pipeline_.program();
    Layouts layouts;
    layouts.transport = &transport, layouts.rank = transport.rank(), layouts.ranks = transport.ranks();
    layouts.domains.resize(program.arrays.size());
    for (size_t a = 0; a < program.arrays.size(); a++) {
        const Array &array = program.arrays[a];
        layouts.placements.push_back(array.placement);
        if (!layouts_[a].empty()) {
            layouts.placements[a] = placement_of(layouts_[a], array.dimensions, array.name, location);
        } else if (inputs_[a]) {
            DistributedInput &input = *distributed_input(*inputs_[a]);
            layouts.placements[a] = input.part().placement;
            layouts.domains[a] = input.domain;
        }
    }
    for (size_t k = 0; k < outputs.size(); k++) {
        const size_t a = pipeline_.array_of_output(k);
        const Array &array = program.arrays[a];
        if (outputs[k].domain.size() != array.dimensions) {
            throw RuntimeError("wrong-rank",
                               concat("in ", array.name, ": realize is given an image of ", outputs[k].domain.size(),
                                      " dimensions, the Func has ", array.dimensions,
                                      "; sizes and dimensions must agree; give one size for each dimension"),
                               location);
        }
        layouts.domains[a] = outputs[k].domain;
        layouts.wanted.push_back(outputs[k].placement.value_or(Placement()));
        const size_t first = pipeline_.first_value(a); // of its Func, whose values have one placement
        if (first != a) {
            layouts.placements[a] = layouts.placements[first];
        } else if (outputs[k].placement &&
                   (layouts_[a].empty() || is_cut_alike(layouts.placements[a], *outputs[k].placement))) {
            layouts.placements[a] = *outputs[k].placement;
        }
    }
    return layouts;
}

DistributedRuns::Planned DistributedRuns::describe(Layouts layouts) const {
    Planned planned;
    planned.program = pipeline_.program();
    planned.domains = layouts.domains;
    std::vector<Array> &arrays = planned.program.arrays;
    for (size_t a = 0; a < arrays.size(); a++) {
        arrays[a].placement = layouts.placements[a];
    }
    follow_readers(planned.program);
    for (size_t k = 0; k < layouts.wanted.size(); k++) {
        const size_t a = pipeline_.array_of_output(k);
        if (arrays[a].placement == layouts.wanted[k]) {
            planned.output_arrays.push_back(a);
            continue;
        }
        Array copy = arrays[a];
        copy.name += " (copy)";
        copy.placement = layouts.wanted[k];
        arrays[a].role = Array::Role::Inner;
        planned.output_arrays.push_back(arrays.size());
        planned.program.segments.push_back(
            {copy.name,
             {a},
             {arrays.size()},
             [](const std::vector<Box> &writes) { return distribute::SegmentBoxes{writes, writes}; },
             [](const std::vector<ArrayView> &from, const std::vector<ArrayView> &to) {
                 distribute::copy_box(from[0], to[0].box, to[0], to[0].box);
             }});
        arrays.push_back(std::move(copy));
        planned.domains.push_back(layouts.domains[a]);
        planned.domains[a] = Box(layouts.domains[a].size());
    }
    planned.layouts = std::move(layouts);
    return planned;
}

void DistributedRuns::set_domains(const Layouts &layouts) {
    for (size_t a = 0; a < inputs_.size(); a++) {
        if (inputs_[a]) {
            pipeline_.set_domain(a, layouts.domains[a]);
        }
    }
    for (const size_t a : pipeline_.outputs()) {
        pipeline_.set_domain(a, layouts.domains[a]);
    }
}

std::shared_ptr<DistributedRuns::Planned> DistributedRuns::plan(const std::vector<OutputOfRanks> &outputs,
                                                                const Location &location) {
    for (const ir::Parameter *parameter : inputs_) {
        if (parameter && !distributed_input(*parameter)->part().is_allocated) {
            throw RuntimeError("bad-distribution",
                               concat("in ", parameter->name,
                                      ": the image has no memory yet; a run reads images that are allocated; call "
                                      "allocate() after placement()"),
                               location);
        }
    }
    distribute::Transport &transport = current_transport(location);
    Layouts layouts = layouts_for(outputs, transport, location);
    {
        const std::lock_guard lock(mutex_);
        set_domains(layouts);
        for (const std::shared_ptr<Planned> &known : planned_) {
            if (known->layouts == layouts) {
                return known;
            }
        }
    }
    const auto fresh = std::make_shared<Planned>(describe(std::move(layouts)));
    fresh->run =
        std::make_unique<distribute::RankRun>(fresh->program, plan_rank(fresh->program, fresh->domains, transport));
    fresh->run->set_poison(poisons_);
    const std::lock_guard lock(mutex_);
    planned_.insert(planned_.begin(), fresh);
    const size_t most = most_plans * static_cast<size_t>(transport.ranks()); // ranks may be threads
    if (planned_.size() > most) {
        planned_.resize(most);
    }
    return fresh;
}

std::vector<ArrayView> DistributedRuns::bound(const Planned &planned, const std::vector<OutputOfRanks> &outputs) const {
    std::vector<ArrayView> views(planned.program.arrays.size());
    for (size_t a = 0; a < inputs_.size(); a++) {
        if (inputs_[a]) {
            views[a] = with_memory(view_of(*distributed_input(*inputs_[a])->part().memory.raw_buffer()));
        }
    }
    for (size_t k = 0; k < outputs.size(); k++) {
        views[planned.output_arrays[k]] = with_memory(outputs[k].memory);
    }
    return views;
}

void DistributedRuns::run(const std::vector<OutputOfRanks> &outputs, const RunContext &context,
                          const Location &location) {
    with_place(location, [&] {
        const RunScope scope(context);
        try {
            const std::shared_ptr<Planned> planned = plan(outputs, location);
            planned->run->run(bound(*planned, outputs), current_transport(location));
        } catch (const HandledError &) { // the program's handler has it
        }
    });
}

Box DistributedRuns::memory_for(const ir::Parameter &input, const std::vector<OutputOfRanks> &outputs,
                                const Location &location) {
    return with_place(location, [&]() -> Box {
        const distribute::Transport &transport = current_transport(location);
        const std::lock_guard lock(mutex_);
        Layouts layouts = layouts_for(outputs, transport, location);
        set_domains(layouts);
        const Planned planned = describe(std::move(layouts));
        const distribute::RankPlan plan =
            distribute::plan_regions(planned.program, planned.domains, transport.rank(), transport.ranks());
        for (size_t a = 0; a < inputs_.size(); a++) {
            if (inputs_[a] == &input) {
                return plan.memory[a];
            }
        }
        return Box(static_cast<size_t>(input.dimensions)); // the pipeline does not read it
    });
}

void DistributedRuns::run_steps(const std::vector<StepOfField> &fields, const std::vector<OutputOfRanks> &outputs,
                                const distribute::TimeLoopOptions &options, int64_t steps_per_exchange,
                                const RunContext &context, const Location &location) {
    with_place(location, [&] {
        const RunScope scope(context);
        try {
            distribute::Transport &transport = current_transport(location);
            const std::shared_ptr<Planned> planned = plan(outputs, location);
            std::vector<distribute::Field> arrays;
            std::vector<PartOfImage *> images;
            for (const StepOfField &field : fields) {
                const auto a = std::find(inputs_.begin(), inputs_.end(), field.input);
                if (a == inputs_.end()) {
                    throw RuntimeError("bad-distribution",
                                       concat("in ", field.input->name,
                                              ": it is a field of the time steps, and no step reads it; a field is "
                                              "read and written; name an image that the pipeline reads"),
                                       location);
                }
                images.push_back(&distributed_input(**a)->part());
                arrays.push_back({static_cast<size_t>(a - inputs_.begin()), planned->output_arrays[field.output]});
            }
            std::vector<ArrayView> views = bound(*planned, outputs);
            distribute::DeepHalos halos;
            halos.runs = steps_per_exchange;
            distribute::TimeLoop loop(planned->program, planned->domains, arrays, views, halos, transport);
            loop.set_poison(poisons_);
            for (size_t f = 0; f < images.size(); f++) {
                distribute::copy_box(with_memory(view_of(*images[f]->memory.raw_buffer())), images[f]->owned,
                                     loop.state(f), images[f]->owned);
            }
            loop.run(options, transport);
            for (size_t f = 0; f < images.size(); f++) {
                distribute::copy_box(loop.state(f), images[f]->owned,
                                     with_memory(view_of(*images[f]->memory.raw_buffer())), images[f]->owned);
            }
        } catch (const HandledError &) { // the program's handler has it
        }
    });
}

} // namespace fluorite::driver
