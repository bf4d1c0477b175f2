// Runs of an iteration on ranks.
//
// The parts of an iteration are programs for ranks like any other: the control, whose values every rank computes for
// itself; the initial fields; the body, which reads the fields as images of which each rank has a part and writes them
// into others. The loop calls the body, whose plan is made once, and takes the buffers in turn: two, or three where the
// body reads two past steps. What a step reads of other ranks is exchanged before it, halos and all; whether no step
// follows is a value of the body without dimensions, which every rank gets, so all ranks stop together.
//
// A time tile of k steps is a deep halo: the body's program is unrolled k times, so that ranks exchange once for k
// steps and compute the edges of their parts again. Without a time tile, k is as for other time loops what a model of
// the network finds fastest, from the plans of some numbers of steps. That is not done where values say after each step
// whether another one follows, where what a step reads depends on its number, and where periodic values depend on
// coordinates.
//
// Memory has room for what is received, as the body's own answers say, so fields are exchanged in place.
//
// Relies on: all ranks make the same calls in the same order. Cost: that of a run of the body for each step.

#include "ranks/compiled/iteration_runs.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_ranks.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/run/estimate.h"
#include "ranks/run/time_loop.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

alignas(128) char no_elements[128]; // memory of parts without points

constexpr size_t most_batches = 8; // that a rank keeps, with their memory

ProgramDescription program_of(const DescribedPart &part) {
    ProgramDescription program;
    static_cast<SegmentsDescription &>(program) = part.program;
    return program;
}

/// A buffer without dimensions that every rank has.
template <typename T> struct WholeValue {
    T value{};
    fluorite_buffer_t header{};

    explicit WholeValue(fluorite_type_t type) {
        header.type = type;
        header.host = reinterpret_cast<uint8_t *>(&value);
    }
};

} // namespace

ImagePart part_of(const Box &domain, const Placement &placement, const Transport &transport) {
    return {domain, placement, owned_by(domain, placement, transport.rank(), transport.ranks(), "a field")};
}

FieldMemory::FieldMemory(fluorite_type_t type, ImagePart part) : part_(std::move(part)) { header_.type = type; }

void FieldMemory::allocate(const Box &box, const std::string &name) {
    memory_ = OwnedArray(box, header_.type.bytes());
    dims_ = dense_dimensions(box, name);
    header_.dimensions = static_cast<int32_t>(dims_.size());
    header_.dim = dims_.data();
    header_.host = reinterpret_cast<uint8_t *>(memory_.view().data ? memory_.view().data : no_elements); // NOLINT
}

PassedArguments::PassedArguments(const ProgramDescription &program, const ProgramCall &call,
                                 const std::vector<std::unique_ptr<FieldMemory>> &fields)
    : program(program), scalars(call.scalars), context(call.context) {
    for (const DescribedArgument &argument : program.arguments) {
        buffers.push_back(argument.is_scalar ? BoundBuffer() : call.arrays[argument.array]);
    }
    for (const std::unique_ptr<FieldMemory> &field : fields) {
        results.push_back(field->bound());
    }
}

void bind_results(const DescribedIteration &iteration, const Box &domain, const Placement &placement, ProgramCall &call,
                  int64_t rank, int64_t ranks) {
    for (const int64_t array : iteration.results) {
        if (array >= 0) {
            call.arrays[static_cast<size_t>(array)] = {
                nullptr, ImagePart{domain, placement, owned_by(domain, placement, rank, ranks, iteration.name)}};
        }
    }
}

IterationRuns::IterationRuns(const DescribedIteration &iteration, std::vector<SegmentFunction> functions)
    : iteration_(iteration) {
    auto next = functions.begin();
    const auto runs_of = [&](const DescribedPart &part) {
        const auto end = next + static_cast<std::ptrdiff_t>(part.program.function_count());
        std::vector<SegmentFunction> own(next, end);
        next = end;
        return std::make_unique<ProgramRuns>(program_of(part), std::move(own));
    };
    control_ = runs_of(iteration.control);
    initial_ = runs_of(iteration.initial);
    body_ = runs_of(iteration.body);
}

ProgramCall IterationRuns::call_of(const DescribedPart &part, const PassedArguments &passed, const Bound &bound) const {
    using Kind = DescribedSource::Kind;
    ProgramCall call;
    call.arrays.resize(part.program.arrays.size());
    call.scalars.resize(part.program.arguments.size());
    call.context = passed.context;
    for (size_t i = 0; i < part.sources.size(); i++) {
        const DescribedArgument &argument = part.program.arguments[i];
        const DescribedSource &source = part.sources[i];
        if (argument.is_scalar) {
            call.scalars[i] = source.kind == Kind::Step ? bound.step : passed.scalars[source.index];
            continue;
        }
        BoundBuffer &array = call.arrays[argument.array];
        switch (source.kind) {
        case Kind::Argument:
            array = passed.buffers[source.index];
            break;
        case Kind::Result:
            array = passed.results[source.index];
            break;
        case Kind::State:
            array = bound.state.at(source.index);
            break;
        case Kind::Before:
            array = bound.before.at(source.index);
            break;
        case Kind::Output:
            array = bound.outputs.at(source.index);
            break;
        case Kind::Step:
            check(false, "the step is a scalar");
        }
    }
    return call;
}

std::vector<int32_t> IterationRuns::control_values(const PassedArguments &passed, Transport &transport) {
    std::vector<WholeValue<int32_t>> values(1 + 2 * iteration_.dimensions,
                                            WholeValue<int32_t>({fluorite_type_int, 32}));
    Bound bound;
    for (WholeValue<int32_t> &value : values) {
        value.header.host = reinterpret_cast<uint8_t *>(&value.value);
        bound.outputs.push_back({&value.header, std::nullopt});
    }
    control_->run(call_of(iteration_.control, passed, bound), transport);
    std::vector<int32_t> numbers;
    for (const WholeValue<int32_t> &value : values) {
        numbers.push_back(value.value);
    }
    return numbers;
}

Box IterationRuns::domain(const PassedArguments &passed, Transport &transport) {
    const std::vector<int32_t> values = control_values(passed, transport);
    Box domain;
    for (size_t d = 0; d < iteration_.dimensions; d++) {
        const int32_t min = values[1 + 2 * d], extent = values[2 + 2 * d];
        if (extent < 0) {
            throw RuntimeError("iterate-negative-extent",
                               concat("in ", iteration_.name, ": its domain has ", extent, " points along dimension ",
                                      d, "; an extent is 0 or more; give a min and an extent, not a min and a max"));
        }
        domain.push_back({min, int64_t{min} + extent});
    }
    return domain;
}

int64_t IterationRuns::steps(const PassedArguments &passed, Transport &transport) {
    const int32_t steps = control_values(passed, transport)[0];
    if (steps < 0) {
        throw RuntimeError("iterate-negative-steps", concat("in ", iteration_.name, ": it is to run ", steps,
                                                            " steps; a number of steps is 0 or more; pass 0 or more"));
    }
    return steps;
}

std::optional<Placement> IterationRuns::own_placement(const PassedArguments &passed, const Box &domain,
                                                      const Transport &transport) const {
    for (const bool is_body : {true, false}) {
        const SegmentsDescription &program = (is_body ? iteration_.body : iteration_.initial).program;
        const size_t field = program.outputs().at(0);
        if (program.arrays[field].placement.kind == Placement::Kind::Blocks) {
            const Fields like = fields(part_of(domain, {}, transport));
            return (is_body ? *body_ : *initial_)
                .placement_in_call(field, call_without_memory(is_body, passed, like), transport);
        }
    }
    return std::nullopt;
}

ProgramCall IterationRuns::call_without_memory(bool is_body, const PassedArguments &passed, const Fields &like) const {
    static WholeValue<uint8_t> stop({fluorite_type_uint, 1}); // neither read nor written
    static const int32_t step = 0;
    Bound bound = bound_to(like, like, like);
    bound.step = &step;
    if (is_body) {
        bound.outputs.push_back({&stop.header, std::nullopt});
    } else {
        bound.outputs.insert(bound.outputs.end(), bound.before.begin(), bound.before.end());
    }
    return call_of(is_body ? iteration_.body : iteration_.initial, passed, bound);
}

IterationRuns::Fields IterationRuns::fields(const ImagePart &part) const {
    Fields fields;
    for (const fluorite_type_t type : iteration_.types) {
        fields.push_back(std::make_unique<FieldMemory>(type, part));
    }
    return fields;
}

IterationRuns::Bound IterationRuns::bound_to(const Fields &state, const Fields &before, const Fields &outputs) const {
    Bound bound;
    for (const auto &[from, to] :
         {std::pair(&state, &bound.state), {&before, &bound.before}, {&outputs, &bound.outputs}}) {
        for (const std::unique_ptr<FieldMemory> &field : *from) {
            to->push_back(field->bound());
        }
    }
    return bound;
}

std::vector<Field> IterationRuns::chainable_fields(const ProgramRuns::Planned &step) const {
    using Kind = DescribedSource::Kind;
    const DescribedPart &body = iteration_.body;
    const size_t count = iteration_.types.size();
    std::vector<std::optional<size_t>> inputs(count), before(count);
    for (size_t i = 0; i < body.sources.size(); i++) {
        const DescribedArgument &argument = body.program.arguments[i];
        const DescribedSource &source = body.sources[i];
        if (source.kind == Kind::Step && argument.affects_regions) {
            return {}; // plans differ from step to step
        }
        if (source.kind == Kind::State || source.kind == Kind::Before) {
            (source.kind == Kind::State ? inputs : before)[source.index] = argument.array;
        }
    }
    std::vector<Field> fields;
    for (size_t f = 0; f < count; f++) {
        if (!inputs[f] || (iteration_.has_before && !before[f]) || iteration_.stops) {
            return {};
        }
        fields.push_back({*inputs[f], step.output_arrays[f], before[f]});
    }
    return can_unroll(step.program, fields) ? fields : std::vector<Field>();
}

std::shared_ptr<IterationRuns::Batch> IterationRuns::batch_of(const std::shared_ptr<ProgramRuns::Planned> &step,
                                                              const std::vector<Field> &fields, int64_t steps,
                                                              Transport &transport) {
    {
        const std::lock_guard lock(mutex_);
        for (const std::shared_ptr<Batch> &known : batches_[transport.rank()]) {
            if (known->step == step && known->steps() == steps) {
                return known;
            }
        }
    }
    const std::shared_ptr<Batch> batch = make_batch(step, fields, steps, transport);
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Batch>> &own = batches_[transport.rank()]; // the same on all ranks, which agree
    own.insert(own.begin(), batch);
    own.resize(std::min(own.size(), most_batches));
    return batch;
}

int64_t IterationRuns::fastest_steps(const std::shared_ptr<ProgramRuns::Planned> &step,
                                     const std::vector<Field> &fields, int64_t most, Transport &transport) {
    {
        const std::lock_guard lock(mutex_);
        for (const Choice &known : choices_[transport.rank()]) {
            if (known.step == step && known.most == most) {
                return known.steps;
            }
        }
    }
    const LogGP network;
    const int64_t steps = fastest_runs(
        most,
        [&](int64_t runs) {
            const std::shared_ptr<Batch> batch = make_batch(step, fields, runs, transport);
            return estimated_seconds(batch->unrolled.program, batch->run->plan(), batch->run->actions(), network);
        },
        transport);
    const std::lock_guard lock(mutex_);
    std::vector<Choice> &own = choices_[transport.rank()];
    own.insert(own.begin(), {step, most, steps});
    own.resize(std::min(own.size(), most_batches));
    return steps;
}

std::shared_ptr<IterationRuns::Batch> IterationRuns::make_batch(const std::shared_ptr<ProgramRuns::Planned> &step,
                                                                const std::vector<Field> &fields, int64_t steps,
                                                                Transport &transport) const {
    auto batch = std::make_shared<Batch>();
    batch->step = step;
    batch->fields = fields;
    batch->unrolled = unrolled(step->program, fields, steps);
    DistributedProgram &program = batch->unrolled.program;
    for (size_t s = 0; s < program.segments.size(); s++) {
        Segment &segment = program.segments[s];
        const auto in_step = [own = batch.get(), run = batch->unrolled.runs[s]](const auto &call) {
            return [own, run, call](const auto &...args) {
                own->current = own->first + static_cast<int32_t>(run);
                return call(args...);
            };
        };
        segment.boxes = in_step(segment.boxes);
        segment.compute = in_step(segment.compute);
    }
    std::vector<Box> domains = step->domains;
    domains.resize(program.arrays.size());
    RunOptions options;
    options.slots = slots_of(batch->unrolled, fields);
    batch->run = std::make_unique<RankRun>(program, plan_rank(program, domains, transport), options);
    batch->run->set_poison(iteration_.body.program.poisons || fluorite_poisons_memory());
    return batch;
}

void IterationRuns::allocate(Loop &loop, const ImagePart &part, const std::vector<std::shared_ptr<Batch>> &batches) {
    const Fields like = fields(part);
    const std::vector<Box> needed = body_->memory_for(call_without_memory(true, loop.passed, like), loop.transport);
    std::vector<Box> boxes(like.size(), part.owned);
    for (size_t i = 0; i < iteration_.body.sources.size(); i++) {
        const DescribedSource &source = iteration_.body.sources[i];
        const bool is_field = source.kind == DescribedSource::Kind::State ||
                              source.kind == DescribedSource::Kind::Before ||
                              (source.kind == DescribedSource::Kind::Output && source.index < like.size());
        if (is_field) {
            boxes[source.index] = hull(boxes[source.index], needed[iteration_.body.program.arguments[i].array]);
        }
    }
    for (const std::shared_ptr<Batch> &batch : batches) {
        for (size_t f = 0; f < boxes.size(); f++) {
            for (const size_t array : batch->unrolled.levels[f]) {
                boxes[f] = hull(boxes[f], batch->run->plan().memory[array]);
            }
            if (batch->fields[f].before) {
                boxes[f] = hull(boxes[f], batch->run->plan().memory[*batch->fields[f].before]);
            }
        }
    }
    for (Fields &buffer : loop.buffers) {
        for (size_t f = 0; f < buffer.size(); f++) {
            buffer[f]->allocate(boxes[f], iteration_.name);
        }
    }
}

bool IterationRuns::run_step(Loop &loop, int64_t t) {
    const Fields none;
    const size_t next = loop.after(1), before = loop.after(loop.buffers.size() - 1);
    Bound bound =
        bound_to(loop.buffers[loop.state], iteration_.has_before ? loop.buffers[before] : none, loop.buffers[next]);
    WholeValue<uint8_t> stop({fluorite_type_uint, 1});
    bound.outputs.push_back({&stop.header, std::nullopt});
    const auto step = static_cast<int32_t>(t);
    bound.step = &step;
    body_->run(call_of(iteration_.body, loop.passed, bound), loop.transport);
    loop.state = next;
    return stop.value != 0;
}

void IterationRuns::run_batch(Loop &loop, Batch &batch, int64_t t) {
    const Fields &state = loop.buffers[loop.state];
    Bound bound = bound_to(state, state, state);
    bound.step = &batch.current;
    batch.first = static_cast<int32_t>(t);
    const ProgramCall call = call_of(iteration_.body, loop.passed, bound);
    std::vector<ArrayView> views = body_->memory_of(*batch.step, call);
    views.resize(batch.unrolled.program.arrays.size());
    for (size_t f = 0; f < state.size(); f++) {
        const std::vector<size_t> &levels = batch.unrolled.levels[f];
        for (size_t level = 0; level < levels.size(); level++) {
            views[levels[level]] = loop.buffers[loop.after(level)][f]->view();
        }
        if (batch.fields[f].before) {
            views[*batch.fields[f].before] = loop.buffers[loop.after(loop.buffers.size() - 1)][f]->view();
        }
    }
    const CallValues values = body_->values_of(call, loop.transport);
    const CallScope scope(*batch.step->slot, values);
    batch.run->run(views, loop.transport);
    loop.state = loop.after(static_cast<size_t>(batch.steps()));
}

std::vector<std::shared_ptr<IterationRuns::Batch>>
IterationRuns::batches_for(const PassedArguments &passed, const ImagePart &part, int64_t count, Transport &transport) {
    const int64_t asked = iteration_.steps_per_exchange;
    std::vector<std::shared_ptr<Batch>> batches;
    if (asked != 1 && count > 1 && transport.ranks() > 1) {
        const Fields like = fields(part);
        const ProgramCall call = call_without_memory(true, passed, like);
        const std::shared_ptr<ProgramRuns::Planned> step = body_->plan(call, transport);
        const std::vector<Field> chained = chainable_fields(*step);
        const CallValues values = body_->values_of(call, transport);
        const CallScope scope(*step->slot, values);
        const int64_t most = std::min(count, asked > 0 ? asked : DeepHalos().most_runs);
        const int64_t together = chained.empty() || asked > 0 ? most : fastest_steps(step, chained, most, transport);
        for (const int64_t length : {together, count % together}) {
            if (!chained.empty() && length > 1) {
                batches.push_back(batch_of(step, chained, length, transport));
            }
        }
    }
    return batches;
}

ProgramRuns::PlannedPart IterationRuns::plan_steps(const PassedArguments &passed, const Box &domain,
                                                   const Placement &placement, Transport &transport) {
    const ImagePart part = part_of(domain, placement, transport);
    const int64_t count = std::max<int64_t>(1, steps(passed, transport));
    const std::vector<std::shared_ptr<Batch>> batches = batches_for(passed, part, count, transport);
    if (!batches.empty()) {
        const std::shared_ptr<Batch> &batch = batches.front();
        return {concat(batch->steps(), " steps of ", iteration_.name),
                {batch, &batch->unrolled.program},
                {batch, batch->run.get()}};
    }
    const Fields like = fields(part);
    const std::shared_ptr<ProgramRuns::Planned> step = body_->plan(call_without_memory(true, passed, like), transport);
    return {concat("one step of ", iteration_.name), {step, &step->program}, {step, step->run.get()}};
}

IterationRuns::Fields IterationRuns::run(const PassedArguments &passed, const Box &domain, const Placement &placement,
                                         Transport &transport) {
    const ImagePart part = part_of(domain, placement, transport);
    const int64_t count = empty(domain) ? 0 : steps(passed, transport);
    Loop loop{passed, transport, {}};
    for (size_t b = 0; b < (iteration_.has_before ? 3 : 2); b++) {
        loop.buffers.push_back(fields(part));
    }
    const std::vector<std::shared_ptr<Batch>> batches = batches_for(passed, part, count, transport);
    allocate(loop, part, batches);
    Bound initial = bound_to({}, {}, loop.buffers[0]);
    if (iteration_.has_before) {
        const Bound older = bound_to({}, {}, loop.buffers.back());
        initial.outputs.insert(initial.outputs.end(), older.outputs.begin(), older.outputs.end());
    }
    initial_->run(call_of(iteration_.initial, passed, initial), transport);
    int64_t done = 0;
    for (const std::shared_ptr<Batch> &batch : batches) {
        for (; done + batch->steps() <= count; done += batch->steps()) {
            run_batch(loop, *batch, done);
        }
    }
    for (; done < count; done++) {
        if (run_step(loop, done)) {
            break;
        }
    }
    return std::move(loop.buffers[loop.state]);
}

void IterationRuns::add_memory(const PassedArguments &passed, const Box &domain, const Placement &placement,
                               const Transport &transport, std::vector<Box> &memory) {
    const Fields like = fields(part_of(domain, placement, transport));
    for (const DescribedPart *part : {&iteration_.initial, &iteration_.body}) {
        const bool is_body = part == &iteration_.body;
        ProgramRuns &runs = is_body ? *body_ : *initial_;
        const std::vector<Box> needed = runs.memory_for(call_without_memory(is_body, passed, like), transport);
        for (size_t i = 0; i < part->sources.size(); i++) {
            if (part->sources[i].kind != DescribedSource::Kind::Argument || part->program.arguments[i].is_scalar) {
                continue;
            }
            const Box &box = needed[part->program.arguments[i].array];
            Box &all = memory[passed.program.arguments[part->sources[i].index].array];
            if (!box.empty()) {
                all = all.empty() ? box : hull(all, box);
            }
        }
    }
}

} // namespace fluorite::distribute
