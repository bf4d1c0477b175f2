// Runs of one compiled pipeline on ranks.
//
// The description says which Funcs are distributed, and how; this becomes their placements. An output without a
// placement takes that of the image that it is written to. So does an output that is cut along the same dimensions by
// the same grid, because where its parts begin was only a preference, for whole vectors and tiles. Other Funcs take the
// placement of their readers by the same rule. Where an output and its image still differ, and where the output is an
// ordinary buffer, a last segment copies the values, and the exchange before it redistributes them.
//
// Plans depend on domains, on placements (which may depend on Params), on the scalars that regions depend on, and on
// the ranks. They are kept, with their memory, for as many kinds of runs as `most_plans`: time loops alternate between
// two.
//
// Relies on: all ranks make the same calls in the same order. Cost of a run that is planned already: comparisons of a
// few boxes.

#include "ranks/compiled/program_runs.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_ranks.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/compiled/iteration_runs.h"
#include "ranks/compiled/periodic_views.h"
#include "ranks/plan/plan_alone.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>
#include <cstring>

namespace fluorite::distribute {

namespace {

constexpr size_t most_plans = 4;

/// Whether both cut the same dimensions by the same grid, wherever the parts begin.
bool has_same_partition(const Placement &a, const Placement &b) {
    return a.kind == Placement::Kind::Blocks && b.kind == a.kind && a.dimensions == b.dimensions && a.grid == b.grid &&
           a.most_ranks == b.most_ranks;
}

/// Funcs begin their parts where the first Func that reads them does, if both have the same partition: then ranks
/// exchange borders only. Tiles count from the begin of a part, so that nothing is lost.
void follow_readers(DistributedProgram &program) {
    std::vector<std::vector<size_t>> functions;
    for (const Segment &segment : program.segments) {
        const std::vector<std::vector<size_t>> own = written_functions(segment);
        functions.insert(functions.end(), own.begin(), own.end());
    }
    for (size_t f = functions.size(); f-- > 0;) {
        const std::vector<size_t> &writes = functions[f];
        const auto reader = std::find_if(program.segments.begin(), program.segments.end(), [&](const auto &segment) {
            return std::any_of(writes.begin(), writes.end(), [&](size_t a) {
                return std::find(segment.reads.begin(), segment.reads.end(), a) != segment.reads.end();
            });
        });
        Array &array = program.arrays[writes[0]];
        if (array.role != Array::Role::Inner || reader == program.segments.end()) {
            continue;
        }
        const auto next = std::find_if(reader->writes.begin(), reader->writes.end(), [&](size_t a) {
            return program.arrays[a].dimensions == array.dimensions &&
                   has_same_partition(array.placement, program.arrays[a].placement);
        });
        if (next != reader->writes.end()) {
            const Placement placement = program.arrays[*next].placement;
            for (const size_t a : writes) {
                program.arrays[a].placement = placement;
            }
        }
    }
}

/// Segment::functions: arrays of one function stand together, and know the first of them.
std::vector<size_t> functions_of(const DescribedSegment &segment, const std::vector<DescribedArray> &arrays) {
    std::vector<size_t> functions;
    for (const size_t a : segment.writes) {
        if (arrays[a].first == a) {
            functions.push_back(0);
        }
        functions.back()++;
    }
    return functions;
}

ArrayView with_memory(ArrayView view) {
    static char nothing[128];
    view.data = view.data ? view.data : empty(view.box) ? nothing : nullptr;
    return view;
}

Box domain_of(const BoundBuffer &bound) { return bound.part ? bound.part->domain : box_of(*bound.buffer); }

/// The placement of a Func whose layout is cut as the schedule says.
Placement placement_of(const DescribedArray &array, const std::vector<int64_t> &numbers) {
    if (array.cuts.empty()) {
        return array.placement;
    }
    const auto value_of = [&](const LayoutNumber &number) {
        const int64_t value = number.computed < 0 ? number.value : numbers.at(static_cast<size_t>(number.computed));
        if (value < 1) {
            throw RuntimeError(
                "bad-distribution",
                concat("in ", array.name, ": a number of ranks or the factor of a distributed loop is ", value,
                       "; it is 1 or more, and known before the run; give a positive number or a Param"));
        }
        return value;
    };
    Placement placement;
    placement.kind = Placement::Kind::Blocks;
    placement.most_ranks = array.most_ranks == LayoutNumber{0, -1} ? 0 : value_of(array.most_ranks);
    std::vector<int64_t> tiles(array.dimensions, 1);
    for (const DimensionPartition &cut : array.cuts) {
        placement.dimensions.push_back(cut.dimension);
        if (!cut.is_chosen) {
            placement.grid.push_back(value_of(cut.parts));
        }
        tiles[cut.dimension] = value_of(cut.tile);
    }
    if (std::any_of(tiles.begin(), tiles.end(), [](int64_t tile) { return tile != 1; })) {
        placement.tiles = tiles;
    }
    return placement;
}

int32_t field_of(const DescribedField &field, const BoundBuffer &bound, Array::Role role) {
    const Box domain = domain_of(bound);
    const Span &span = domain.at(field.dimension);
    switch (field.kind) {
    case DescribedField::Kind::Min:
        return static_cast<int32_t>(span.begin);
    case DescribedField::Kind::Max:
        return static_cast<int32_t>(span.last());
    case DescribedField::Kind::Extent:
        return static_cast<int32_t>(span.extent());
    case DescribedField::Kind::Stride:
        break;
    }
    if (!bound.part && role == Array::Role::Input) {
        return bound.buffer->dim[field.dimension].stride;
    }
    int64_t stride = 1; // of the whole in one dense memory
    for (size_t d = 0; d < field.dimension; d++) {
        stride *= domain[d].extent();
    }
    return static_cast<int32_t>(stride);
}

} // namespace

ProgramRuns::ProgramRuns(ProgramDescription description, std::vector<SegmentFunction> functions)
    : description_(std::move(description)), functions_(std::move(functions)), outputs_(description_.outputs()) {
    check(functions_.size() == description_.all_function_count(), "each segment has a function");
    auto next = functions_.begin() + static_cast<std::ptrdiff_t>(description_.function_count());
    for (const DescribedIteration &iteration : description_.iterations) {
        const auto end = next + static_cast<std::ptrdiff_t>(iteration.function_count());
        iterations_.push_back(std::make_unique<IterationRuns>(iteration, std::vector<SegmentFunction>(next, end)));
        next = end;
    }
}

ProgramRuns::~ProgramRuns() = default;

CallValues ProgramRuns::values_of(const ProgramCall &call, const Transport &transport) const {
    CallValues values;
    values.ranks = static_cast<int32_t>(transport.ranks());
    for (size_t a = 0; a < description_.arrays.size(); a++) {
        values.buffers.push_back(call.arrays[a].part ? nullptr : call.arrays[a].buffer);
    }
    values.scalars = call.scalars;
    values.context = call.context;
    for (const DescribedField &field : description_.fields) {
        values.fields.push_back(field_of(field, call.arrays[field.array], description_.arrays[field.array].role));
    }
    return values;
}

std::vector<uint64_t> ProgramRuns::region_values_of(const ProgramCall &call) const {
    std::vector<uint64_t> values;
    for (size_t i = 0; i < description_.arguments.size(); i++) {
        const DescribedArgument &argument = description_.arguments[i];
        if (argument.is_scalar && argument.affects_regions) {
            values.push_back(0);
            std::memcpy(&values.back(), call.scalars[i], static_cast<size_t>(argument.type.bytes()));
        }
    }
    for (size_t a = 0; a < description_.arrays.size(); a++) {
        const BoundBuffer &bound = call.arrays[a];
        if (!description_.arrays[a].affects_regions || bound.part || !bound.buffer) {
            continue;
        }
        for (int32_t d = 0; d < bound.buffer->dimensions; d++) {
            for (const int32_t number :
                 {bound.buffer->dim[d].min, bound.buffer->dim[d].extent, bound.buffer->dim[d].stride}) {
                values.push_back(static_cast<uint32_t>(number));
            }
        }
    }
    return values;
}

ProgramRuns::Layouts ProgramRuns::layouts_for(const ProgramCall &call, const CallValues &values,
                                              const Transport &transport) const {
    Layouts layouts;
    layouts.transport = &transport, layouts.rank = transport.rank(), layouts.ranks = transport.ranks();
    layouts.domains.resize(description_.arrays.size());
    layouts.region_values = region_values_of(call);
    const std::vector<int64_t> numbers =
        description_.number_count == 0 ? std::vector<int64_t>()
                                       : call_numbers(description_, functions_[description_.segments.size()], values);
    layouts.edges = edges_of_views(description_, numbers);
    std::vector<bool> is_cut;
    for (size_t a = 0; a < description_.arrays.size(); a++) {
        const DescribedArray &array = description_.arrays[a];
        const BoundBuffer &bound = call.arrays[a];
        layouts.placements.push_back(placement_of(array, numbers));
        is_cut.push_back(layouts.placements.back().kind == Placement::Kind::Blocks);
        layouts.has_part.push_back(array.role == Array::Role::Input && bound.part);
        if (!layouts.has_part.back()) {
            continue;
        }
        if (!array.may_have_parts) {
            throw RuntimeError("bad-distribution",
                               concat("in ", array.name, ": it is an image of which each rank has a part, and ",
                                      description_.name,
                                      " was compiled for a buffer that every rank has the whole of: "
                                      "the program promises its min, extent, stride or alignment; pass the whole, or "
                                      "compile without the promise"));
        }
        layouts.placements[a] = bound.part->placement;
        layouts.domains[a] = bound.part->domain;
    }
    place_outputs(call, is_cut, layouts);
    return layouts;
}

void ProgramRuns::place_outputs(const ProgramCall &call, const std::vector<bool> &is_cut, Layouts &layouts) const {
    for (const size_t a : outputs_) {
        const DescribedArray &array = description_.arrays[a];
        const std::optional<ImagePart> &part = call.arrays[a].part;
        layouts.domains[a] = domain_of(call.arrays[a]);
        if (layouts.domains[a].size() != array.dimensions) {
            throw RuntimeError("wrong-rank",
                               concat("in ", array.name, ": realize is given an image of ", layouts.domains[a].size(),
                                      " dimensions, the Func has ", array.dimensions,
                                      "; sizes and dimensions must agree; give one size for each dimension"));
        }
        layouts.wanted.push_back(part ? part->placement : Placement());
        if (array.first != a) { // values of one Func have one placement
            layouts.placements[a] = layouts.placements[array.first];
        } else if (part && (!is_cut[a] || has_same_partition(layouts.placements[a], part->placement))) {
            layouts.placements[a] = part->placement;
        }
    }
}

DistributedProgram ProgramRuns::program_for(const Layouts &layouts, const std::shared_ptr<const CallSlot> &slot) const {
    DistributedProgram program;
    program.name = description_.name;
    program.hash = description_.hash;
    program.schedule_hash = description_.schedule_hash;
    for (const uint64_t value : layouts.region_values) {
        program.values_hash = combine_hash(program.values_hash, value) | 1; // not 0, on any rank
    }
    for (const Box &edges : layouts.edges) {
        for (const Span &span : edges) {
            for (const int64_t edge : {span.begin, span.end}) {
                program.values_hash = combine_hash(program.values_hash, static_cast<uint64_t>(edge)) | 1;
            }
        }
    }
    for (size_t a = 0; a < description_.arrays.size(); a++) {
        const DescribedArray &array = description_.arrays[a];
        program.arrays.push_back({array.name, array.role, array.dimensions, array.type.bytes(), layouts.placements[a]});
        program.arrays.back().order = array.order;
    }
    const ViewedArrays viewed{description_, layouts.edges, layouts.has_part, slot};
    add_view_arrays(viewed, program);
    for (size_t a = 0; a < description_.arrays.size(); a++) {
        if (description_.arrays[a].role == Array::Role::Input) {
            add_view_copies(viewed, a, program);
        }
    }
    for (size_t s = 0; s < description_.segments.size(); s++) {
        const auto code = std::make_shared<const SegmentCall>(description_, s, functions_[s], layouts.has_part, slot);
        program.segments.push_back({description_.segments[s].name, code->reads(), description_.segments[s].writes,
                                    [code](const std::vector<Box> &writes) { return code->boxes(writes); },
                                    [code](const std::vector<ArrayView> &from, const std::vector<ArrayView> &to) {
                                        code->compute(from, to);
                                    }});
        program.segments.back().ignores_coordinates = description_.segments[s].ignores_coordinates;
        program.segments.back().functions = functions_of(description_.segments[s], description_.arrays);
        for (const size_t a : description_.segments[s].writes) {
            add_view_copies(viewed, a, program);
        }
    }
    return program;
}

ProgramRuns::Planned ProgramRuns::describe(Layouts layouts, const CallValues &values) const {
    Planned planned;
    planned.slot = std::make_shared<CallSlot>();
    const CallScope scope(*planned.slot, values);
    planned.program = program_for(layouts, planned.slot);
    planned.domains = layouts.domains;
    planned.domains.resize(planned.program.arrays.size());
    std::vector<Array> &arrays = planned.program.arrays;
    for (size_t k = 0; k < layouts.wanted.size(); k++) {
        const size_t a = outputs_[k];
        if (arrays[a].placement == layouts.wanted[k]) {
            planned.output_arrays.push_back(a);
            continue;
        }
        Array copy = arrays[a];
        copy.name += " (copy)";
        copy.placement = layouts.wanted[k];
        arrays[a].role = Array::Role::Inner;
        planned.output_arrays.push_back(arrays.size());
        planned.program.segments.push_back({copy.name,
                                            {a},
                                            {arrays.size()},
                                            [](const std::vector<Box> &writes) { return SegmentBoxes{writes, writes}; },
                                            [](const std::vector<ArrayView> &from, const std::vector<ArrayView> &to) {
                                                copy_box(from[0], to[0].box, to[0], to[0].box);
                                            }});
        arrays.push_back(std::move(copy));
        planned.domains.push_back(layouts.domains[a]);
        planned.domains[a] = Box(layouts.domains[a].size());
    }
    leave_out_views(description_, planned.program, planned.domains, planned.output_arrays);
    follow_readers(planned.program);
    planned.layouts = std::move(layouts);
    return planned;
}

ProgramRuns::Described ProgramRuns::describe_call(const ProgramCall &call, const Transport &transport) const {
    Described described;
    described.values = std::make_shared<const CallValues>(values_of(call, transport));
    Planned planned = describe(layouts_for(call, *described.values, transport), *described.values);
    planned.slot->values = described.values.get();
    described.program = std::move(planned.program);
    described.domains = std::move(planned.domains);
    described.output_arrays = std::move(planned.output_arrays);
    return described;
}

std::shared_ptr<ProgramRuns::Planned> ProgramRuns::plan(const ProgramCall &call, Transport &transport) {
    const CallValues values = values_of(call, transport);
    Layouts layouts = layouts_for(call, values, transport);
    {
        const std::lock_guard lock(mutex_);
        for (const std::shared_ptr<Planned> &known : planned_) {
            if (known->layouts == layouts) {
                return known;
            }
        }
    }
    const auto fresh = std::make_shared<Planned>(describe(std::move(layouts), values));
    const CallScope scope(*fresh->slot, values);
    fresh->run = std::make_unique<RankRun>(fresh->program, plan_rank(fresh->program, fresh->domains, transport));
    const std::lock_guard lock(mutex_);
    planned_.insert(planned_.begin(), fresh);
    const size_t most = most_plans * static_cast<size_t>(transport.ranks()); // ranks may be threads
    if (planned_.size() > most) {
        planned_.resize(most);
    }
    return fresh;
}

std::vector<ArrayView> ProgramRuns::memory_of(const Planned &planned, const ProgramCall &call) const {
    std::vector<ArrayView> views(planned.program.arrays.size());
    for (size_t a = 0; a < call.arrays.size(); a++) {
        if (planned.layouts.has_part[a]) {
            views[a] = with_memory(view_of(*call.arrays[a].buffer));
        }
    }
    for (size_t k = 0; k < outputs_.size(); k++) {
        views[planned.output_arrays[k]] = with_memory(view_of(*call.arrays[outputs_[k]].buffer));
    }
    return views;
}

void ProgramRuns::run_segments(const ProgramCall &call, Transport &transport) {
    const std::shared_ptr<Planned> planned = plan(call, transport);
    const CallValues values = values_of(call, transport);
    const CallScope scope(*planned->slot, values);
    planned->run->set_poison(description_.poisons || fluorite_poisons_memory());
    planned->run->run(memory_of(*planned, call), transport);
}

void ProgramRuns::run(const ProgramCall &call, Transport &transport) {
    if (iterations_.empty()) {
        return run_segments(call, transport);
    }
    ProgramCall with_results = call;
    std::vector<std::unique_ptr<FieldMemory>> results; // of all iterations so far
    for (size_t i = 0; i < iterations_.size(); i++) {
        const PassedArguments passed(description_, call, results);
        const Box domain = iterations_[i]->domain(passed, transport);
        bind_results(description_.iterations[i], domain, Placement(), with_results);
        const Placement placement = placement_of_iteration(i, passed, with_results, domain, transport);
        std::vector<std::unique_ptr<FieldMemory>> fields = iterations_[i]->run(passed, domain, placement, transport);
        for (size_t f = 0; f < fields.size(); f++) {
            if (description_.iterations[i].results[f] >= 0) {
                with_results.arrays[static_cast<size_t>(description_.iterations[i].results[f])] = fields[f]->bound();
            }
            results.push_back(std::move(fields[f]));
        }
    }
    run_segments(with_results, transport);
}

std::vector<ProgramRuns::PlannedPart> ProgramRuns::plan_parts(const ProgramCall &call, Transport &transport) {
    ProgramCall with_results = call;
    std::vector<PlannedPart> parts;
    std::vector<std::unique_ptr<FieldMemory>> results;
    for (size_t i = 0; i < iterations_.size(); i++) {
        const PassedArguments passed(description_, call, results);
        const Box domain = iterations_[i]->domain(passed, transport);
        bind_results(description_.iterations[i], domain, Placement(), with_results);
        const Placement placement = placement_of_iteration(i, passed, with_results, domain, transport);
        bind_results(description_.iterations[i], domain, placement, with_results, transport.rank(), transport.ranks());
        for (const fluorite_type_t type : description_.iterations[i].types) {
            results.push_back(std::make_unique<FieldMemory>(type, part_of(domain, placement, transport)));
        }
        parts.push_back(iterations_[i]->plan_steps(passed, domain, placement, transport));
    }
    const std::shared_ptr<Planned> planned = plan(with_results, transport);
    parts.push_back({"", {planned, &planned->program}, {planned, planned->run.get()}});
    return parts;
}

Placement ProgramRuns::placement_in_call(size_t array, const ProgramCall &call, const Transport &transport) const {
    return layouts_for(call, values_of(call, transport), transport).placements[array];
}

/// Where the fields of an iteration are: where its body says; else as what is computed from them first, or as an image
/// of as many dimensions, which are likely those of the domain.
Placement ProgramRuns::placement_of_iteration(size_t iteration, const PassedArguments &passed, const ProgramCall &call,
                                              const Box &domain, const Transport &transport) const {
    const DescribedIteration &described = description_.iterations[iteration];
    if (const std::optional<Placement> own = iterations_[iteration]->own_placement(passed, domain, transport)) {
        return *own;
    }
    for (const DescribedSegment &segment : description_.segments) {
        const bool reads_field = std::any_of(described.results.begin(), described.results.end(), [&](int64_t array) {
            return array >= 0 && std::find(segment.reads.begin(), segment.reads.end(), static_cast<size_t>(array)) !=
                                     segment.reads.end();
        });
        for (const size_t written : segment.writes) {
            if (reads_field && description_.arrays[written].dimensions == described.dimensions) {
                const Placement placement = placement_in_call(written, call, transport);
                if (placement.kind == Placement::Kind::Blocks) {
                    return placement;
                }
            }
        }
    }
    for (const BoundBuffer &bound : call.arrays) {
        if (bound.part && bound.part->placement.kind == Placement::Kind::Blocks &&
            bound.part->domain.size() == described.dimensions) {
            return bound.part->placement;
        }
    }
    return {};
}

std::vector<Box> ProgramRuns::memory_for(const ProgramCall &call, const Transport &transport) {
    ProgramCall with_results = call;
    std::vector<Box> memory(description_.arrays.size());
    std::vector<std::unique_ptr<FieldMemory>> results;
    for (size_t i = 0; i < iterations_.size(); i++) {
        const PassedArguments passed(description_, call, results);
        LoneTransport alone(transport.rank(), transport.ranks());
        const Box domain = iterations_[i]->domain(passed, alone);
        bind_results(description_.iterations[i], domain, Placement(), with_results);
        const Placement placement = placement_of_iteration(i, passed, with_results, domain, transport);
        bind_results(description_.iterations[i], domain, placement, with_results, transport.rank(), transport.ranks());
        for (const fluorite_type_t type : description_.iterations[i].types) {
            results.push_back(std::make_unique<FieldMemory>(type, part_of(domain, placement, transport)));
        }
        iterations_[i]->add_memory(passed, domain, placement, transport, memory);
    }
    const CallValues values = values_of(with_results, transport);
    const Planned planned = describe(layouts_for(with_results, values, transport), values);
    const CallScope scope(*planned.slot, values);
    const RankPlan plan = plan_regions(planned.program, planned.domains, transport.rank(), transport.ranks());
    const auto add = [&](size_t a, const Box &box) { memory[a] = memory[a].empty() ? box : hull(memory[a], box); };
    for (size_t a = 0; a < memory.size(); a++) {
        if (planned.layouts.has_part[a]) {
            add(a, plan.memory[a]);
        }
    }
    for (size_t k = 0; k < outputs_.size(); k++) {
        add(outputs_[k], plan.memory[planned.output_arrays[k]]);
    }
    return memory;
}

// Planning takes a time that grows with the square of the number: 1 s for 256 steps of a square, 16 s for 1024.
constexpr int64_t most_steps_per_exchange = 256;

void ProgramRuns::run_steps(const std::vector<StepField> &fields, const ProgramCall &call,
                            const TimeLoopOptions &options, int64_t steps_per_exchange, Transport &transport) {
    if (!iterations_.empty()) {
        throw RuntimeError("bad-distribution",
                           concat("in ", description_.name,
                                  ": a step of a time loop reads the result of iterate(), which is a time loop itself; "
                                  "ranks run one inside of no other; put all steps into iterate()"));
    }
    const std::shared_ptr<Planned> planned = plan(call, transport);
    const CallValues values = values_of(call, transport);
    const CallScope scope(*planned->slot, values);
    std::vector<Field> arrays;
    for (const StepField &field : fields) {
        arrays.push_back({field.input, planned->output_arrays[field.value]});
    }
    DeepHalos halos;
    halos.runs = std::min(steps_per_exchange, std::max<int64_t>(options.runs, 1)); // 0: chosen
    if (halos.runs > most_steps_per_exchange) {
        throw RuntimeError("bad-distribution",
                           concat("in ", description_.name, ": each exchange is to serve ", halos.runs,
                                  " steps; it serves at most ", most_steps_per_exchange,
                                  ", as every one makes halos wider and is planned; give fewer, or 0 to leave the "
                                  "number to the library"));
    }
    TimeLoop loop(planned->program, planned->domains, arrays, memory_of(*planned, call), halos, transport);
    loop.set_poison(description_.poisons || fluorite_poisons_memory());
    const auto memory = [&](size_t f) { return with_memory(view_of(*call.arrays[fields[f].input].buffer)); };
    const auto owned = [&](size_t f) { return call.arrays[fields[f].input].part->owned; };
    for (size_t f = 0; f < fields.size(); f++) {
        copy_box(memory(f), owned(f), loop.state(f), owned(f));
    }
    loop.run(options, transport);
    for (size_t f = 0; f < fields.size(); f++) {
        copy_box(loop.state(f), owned(f), memory(f), owned(f));
    }
}

} // namespace fluorite::distribute
