// Time tiling: several steps of an iteration in one traversal of memory, and schedules for what has none.
//
// What: a tile of T steps is a pipeline of its own. The body's graph is copied T times (unroll_steps.cpp); copy j reads
// copy j - 1 where the body reads the state, and t + j where it reads the step. Its loops and windows are those of
// ordinary directives (schedule_tile.cpp):
//
//   next.split(y, y_strip, y_row, rows).parallel(y_strip).vectorize(x)
//   next_1.store_at(next, y_strip).compute_at(next, y_row), next_2 ...
//
// A thread computes a strip of rows; in three dimensions, a block of rows through all planes. Each step follows the one
// before at the distance that the stencil needs. What it reads is in circular buffers of a few rows, which stay in the
// cache. Strips overlap: at their ends, step j is computed T - j rows further out. No value depends on the schedule, so
// none depends on T.
//
// The result is required over the domain only, which the output promises. With this promise, bounds inference knows
// that mirrored and clamped reads stay inside. The last strip is rounded up, though, and so is what Funcs in rows of
// their own read without a boundary condition; then the last step's coordinate along the strips is clamped to the
// domain.
//
// How many steps a tile has by default: as many as keep their windows in the second-level cache, or near it, for rows
// or planes of the size that the domain states, or that the machine model guesses. At most two where the body is
// mirrored at edges. One where the body iterates, where it mirrors at edges by a formula of its own, and beyond three
// dimensions, for which the overlap has not been measured.
//
// Where the program gives extents of tiles, the dimensions that they cut are split as it says, and windows are kept in
// the innermost tile. Wavefronts and diamonds recompute nothing: their tile is one step, which the runtime calls again
// and again on blocks of the domain (runtime/iterate_blocks.cpp). They read and write whole fields, so their bodies may
// have schedules of the program.
//
// Tiles that never run are not made, as constants tell: those that stream, or do not, where the size of the domain is
// known; and single steps where the number of steps is a multiple of the tile's. Then the body only answers bounds
// queries.
//
// Does not do: choose wavefronts and diamonds, or cut the innermost dimension of squares and cubes, by itself.
// Cost: about T times that of lowering the body.

#include "autoschedule/time_tiling/plan_time_tiles.h"

#include "autoschedule/time_tiling/schedule_tile.h"
#include "autoschedule/time_tiling/unroll_steps.h"
#include "fluorite/errors.h"
#include "machine/cache_model.h"
#include "machine/time_tile_model.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string>

namespace fluorite::autoschedule::time_tiling {

using namespace ir;
using schedule::Directive;
using schedule::PlannedTile;
using schedule::ScheduledGraph;
using schedule::ScheduledIteration;
using schedule::TimeTileBlocks;
using schedule::TimeTilePlan;

namespace {

/// The dimensions along which a tile of several steps does not compute the whole domain at once: those that are cut,
/// and that along which windows slide.
std::vector<size_t> slid_dimensions(size_t rank, const std::vector<int64_t> &extents) {
    std::vector<size_t> dimensions = cuts_of(rank, extents);
    if (rank > 0 && (dimensions.empty() || dimensions.back() + 1 < rank)) {
        dimensions.push_back(rank - 1);
    }
    return dimensions;
}

/// The periodic dimensions among these; nothing if it is unknown how one of them wraps around.
std::optional<std::vector<PeriodicDimension>>
periodic_dimensions(const Iteration &iteration, const std::vector<size_t> &dimensions, const std::set<int32_t> &rows) {
    std::vector<PeriodicDimension> periodic;
    for (const size_t dimension : dimensions) {
        PeriodicDimension along(iteration, dimension);
        const bool is_unknown =
            along.wraparound() == Wraparound::Unknown ||
            (along.wraparound() == Wraparound::Periodic &&
             std::any_of(rows.begin(), rows.end(), [&](int32_t func) { return along.keeps_definition(func); }));
        if (is_unknown) {
            return std::nullopt;
        }
        if (along.wraparound() == Wraparound::Periodic) {
            periodic.push_back(std::move(along));
        }
    }
    return periodic;
}

ScheduledGraph tile_of(const Iteration &iteration, int steps, const std::vector<int64_t> &extents,
                       const std::vector<PeriodicDimension> &periodic, const machine::MachineModel &machine,
                       const Form &form) {
    ScheduledGraph unrolled =
        unroll_steps(iteration, steps, cuts_of(static_cast<size_t>(iteration.dimensions), extents), periodic);
    const BodyShape shape = shape_of(*iteration.body);
    const auto copies = static_cast<int32_t>(iteration.body->funcs.size());
    std::set<int32_t> rows, at_root;
    for (int32_t step = 0; step < steps; step++) {
        for (const int32_t id : shape.rows) {
            rows.insert(step * copies + id);
        }
        for (const int32_t id : shape.at_root) {
            at_root.insert(step * copies + id);
        }
        for (const FuncId output : iteration.body->outputs) {
            if (step + 1 < steps) {
                rows.insert(step * copies + static_cast<int32_t>(output.index()));
            }
        }
    }
    schedule_unrolled_steps(unrolled, iteration, rows, at_root, steps, extents, machine, form);
    return unrolled;
}

/// A state may be a part of the domain: nothing is promised of its box, with which bounds queries would answer.
void leave_out_promises(const Iteration &iteration, ScheduledGraph &body) {
    const auto is_state = [&](const InputDef &input) {
        return std::any_of(iteration.states.begin(), iteration.states.end(),
                           [&](const auto &state) { return state.get() == input.parameter.get(); }) ||
               std::any_of(iteration.before.begin(), iteration.before.end(),
                           [&](const auto &state) { return state.get() == input.parameter.get(); });
    };
    const auto without_promises = [&](Graph &graph) {
        for (InputDef &input : graph.inputs) {
            if (is_state(input)) {
                input.constraints.clear();
            }
        }
    };
    without_promises(body.graph);
    if (body.rewritten) {
        auto rewritten = std::make_shared<ScheduledGraph>(*body.rewritten);
        without_promises(rewritten->graph);
        body.rewritten = rewritten;
    }
}

/// One step as wavefronts and diamonds call it: on parts of the domain, of which it needs a part of the state only. So
/// the state is not promised to have the domain's box, which bounds queries would answer with.
PlannedTile blocks_of(const Iteration &iteration, const schedule::ScheduledIteration &scheduled, bool is_scheduled,
                      const machine::MachineModel &machine, const Form &form, int least_row) {
    TimeTileBlocks blocks;
    blocks.are_diamonds = scheduled.tile.shape == TimeTileShape::Diamond;
    blocks.dimension = static_cast<size_t>(iteration.dimensions) - 1;
    for (size_t d = 0; d < scheduled.tile.extents.size(); d++) {
        if (scheduled.tile.extents[d] > 0) {
            blocks.dimension = d;
            blocks.extent = scheduled.tile.extents[d];
        }
    }
    const bool cuts_rows = blocks.dimension == 0;
    ScheduledGraph body = *scheduled.body;
    if (is_scheduled) {
        body = *time_tiling::scheduled(
            body, &iteration, machine,
            {Stores::Cached, cuts_rows ? Rows::Any : form.rows, cuts_rows ? Part::OfRows : Part::Slabs});
    }
    leave_out_promises(iteration, body);
    if (const PeriodicDimension along(iteration, blocks.dimension); along.wraparound() == Wraparound::Periodic) {
        blocks.reach = periodic_extension(iteration, along);
        leave_out_promises(iteration, *blocks.reach);
    }
    return {scheduled.tile.steps, false, is_scheduled && !cuts_rows ? least_row : 0, std::move(body), blocks};
}

// ---- How many steps.

/// The greatest number of steps whose windows fit in the cache, or exceed it by such a part of it.
int steps_for(const Iteration &iteration, const machine::MachineModel &machine, double excess = 0) {
    const BodyShape shape = shape_of(*iteration.body);
    if (!shape.at_root.empty() || shape.has_unknown_mirrors || iteration.dimensions == 0 || iteration.dimensions > 3) {
        return 1;
    }
    int64_t bytes = 0;
    for (const RefPtr<Parameter> &state : iteration.states) {
        bytes += state->type.bytes();
    }
    bytes *= 1 + static_cast<int64_t>(shape.rows.size());
    const machine::TimeTileModel model = machine::time_tile_model(machine);
    const machine::CacheModel caches = machine::cache_model(machine);
    const int64_t window = 2 * shape.reach + 2;
    const int most = shape.has_mirrors ? model.most_mirrored_steps : model.most_steps;
    if (iteration.dimensions == 1) {
        return most;
    }
    const bool is_square = iteration.dimensions == 2;
    const int64_t cache = is_square ? caches.l2_bytes : caches.window_bytes;
    const int64_t row = bytes * extent_of(iteration, 0, is_square ? model.assumed_extent : model.assumed_cube_extent);
    int steps = 1;
    int64_t rows_of_square = 0;
    while (steps < most) {
        // A step before the last keeps what the first rows of the last one need of it, in a circular buffer of a power
        // of two.
        rows_of_square += static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * shape.reach * steps + 2)));
        const int64_t rows =
            is_square ? rows_of_square : (steps + 1) * window * (model.block_rows + 2 * shape.reach * steps);
        if (static_cast<double>(rows * row) > (1 + excess) * static_cast<double>(cache)) {
            break;
        }
        steps++;
    }
    return steps;
}

/// Whether the fields may be so large; a domain of constants says.
bool may_stream(const Iteration &iteration, int64_t least) {
    int64_t bytes = 0;
    for (const RefPtr<Parameter> &state : iteration.states) {
        bytes += state->type.bytes();
    }
    for (int d = 0; d < iteration.dimensions && bytes < least; d++) {
        bytes *= extent_of(iteration, static_cast<size_t>(d), least);
    }
    return bytes >= least;
}

bool has_constant_extents(const Iteration &iteration) {
    bool are_constant = true;
    for (int d = 0; d < iteration.dimensions; d++) {
        are_constant = are_constant && extent_of(iteration, static_cast<size_t>(d), 0) > 0;
    }
    return are_constant;
}

/// A body that answers bounds queries only: it compiles fast.
ScheduledGraph body_for_queries(const ScheduledGraph &body) {
    ScheduledGraph result = body;
    const BodyShape shape = shape_of(result.graph);
    std::set<int32_t> at_root = shape.rows;
    at_root.insert(shape.at_root.begin(), shape.at_root.end());
    std::vector<Directive> lines;
    for (const int32_t id : at_root) {
        Directive line;
        line.func = result.graph.funcs[static_cast<size_t>(id)].name();
        line.name = "compute_root";
        lines.push_back(std::move(line));
    }
    schedule::apply_directives(result.graph, result.schedule, lines, Location()).or_raise();
    return result;
}

/// The length from which on rows fill vectors, where it is known at run time only whether they do; else 0.
int least_row_for_vectors(const Iteration &iteration, const machine::MachineModel &machine) {
    const bool is_known = iteration.dimensions < 2 || extent_of(iteration, 0, 0) > 0;
    const int lanes = is_known ? 1 : least_row_of(*iteration.body, machine);
    return lanes > 1 ? lanes : 0;
}

/// The number of steps if it is a constant.
std::optional<int64_t> constant_steps(const Iteration &iteration) {
    int64_t steps = 0;
    const FuncDef &control = iteration.control->func(iteration.control->outputs[0]);
    return is_const_int(control.stages[0].values[0], &steps) ? std::optional(steps) : std::nullopt;
}

/// The numbers of steps of tiles, greatest first: for a constant number of steps in all, tiles of about equal length;
/// else also half of the length, for what remains.
std::vector<int> lengths_of(int most, bool is_chosen, const std::optional<int64_t> &steps) {
    std::set<int, std::greater<>> lengths;
    if (steps) {
        int64_t length = std::min<int64_t>(most, *steps);
        if (is_chosen && length > 0) {
            const int64_t tiles = (*steps + length - 1) / length;
            length = (*steps + tiles - 1) / tiles;
        }
        if (length > 1) {
            lengths.insert(static_cast<int>(length));
            lengths.insert(static_cast<int>(*steps % length));
        }
    } else {
        lengths = {most, most / 2};
    }
    std::vector<int> result;
    std::copy_if(lengths.begin(), lengths.end(), std::back_inserter(result), [](int length) { return length > 1; });
    return result;
}

/// The lengths that the compiler chooses. Where tiles of two lengths would be needed for a constant number of steps,
/// one tile is made that exceeds the cache by little: it takes half of the time to compile.
std::vector<int> chosen_lengths(const Iteration &iteration, const machine::MachineModel &machine) {
    const std::optional<int64_t> steps = constant_steps(iteration);
    std::vector<int> lengths = lengths_of(steps_for(iteration, machine), true, steps);
    if (lengths.size() > 1 && steps &&
        *steps <= steps_for(iteration, machine, machine::time_tile_model(machine).tolerated_excess)) {
        lengths = {static_cast<int>(*steps)};
    }
    return lengths;
}

} // namespace

StepOnParts step_on_parts(const Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                          const machine::MachineModel &machine) {
    const Form parts{Stores::Cached, Rows::Any, Part::OfRows};
    StepOnParts step{*scheduled.initial, *scheduled.body};
    if (auto initial = time_tiling::scheduled(step.initial, nullptr, machine)) {
        step.initial = std::move(*initial);
    }
    if (auto body = time_tiling::scheduled(step.body, &iteration, machine, parts)) {
        step.body = std::move(*body);
    }
    leave_out_promises(iteration, step.body);
    return step;
}

TimeTilePlan plan_time_tiles(const Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                             const machine::MachineModel &machine) {
    TimeTilePlan plan;
    plan.initial = time_tiling::scheduled(*scheduled.initial, nullptr, machine);
    plan.body = time_tiling::scheduled(*scheduled.body, &iteration, machine);
    const schedule::TimeTile &asked = scheduled.tile;
    const bool is_overlapped = asked.shape == TimeTileShape::Overlapped;
    const bool is_tileable = plan.body && may_unroll_steps(iteration);
    if (is_overlapped && !is_tileable && asked.steps > 1) {
        const bool has_own_loops = !plan.body || !iteration.body->iterations.empty();
        throw CompileError("iterate-time-tile",
                           concat("in ", iteration.name, ": a pass is to compute ", asked.steps, " steps, and ",
                                  has_own_loops ? "the Funcs of the body have schedules, or iterate; the compiler "
                                                  "schedules overlapped tiles itself; leave the body unscheduled, ask "
                                                  "for wavefronts or diamonds"
                                                : "the fields have updates, which cannot store the two steps that the "
                                                  "next pass reads; read updated Funcs in fields without updates",
                                  ", or give 1"),
                           iteration.location);
    }
    if (!is_overlapped && !iteration.body->iterations.empty()) {
        throw CompileError("iterate-time-tile",
                           concat("in ", iteration.name, ": a pass is to compute ", asked.steps,
                                  " steps in parts of the domain, and the body iterates itself; an iteration computes "
                                  "its whole domain; give 1"),
                           iteration.location);
    }
    plan.streaming_bytes = machine::cache_model(machine).llc_bytes / 2; // as much is read as written
    const bool streams = plan.body && may_stream(iteration, plan.streaming_bytes);
    const bool always_streams = streams && has_constant_extents(iteration);
    const int least_row = plan.body ? least_row_for_vectors(iteration, machine) : 0;
    const Rows rows = least_row > 0 ? Rows::FillVectors : Rows::Any;
    const auto add_single = [&] {
        for (const Stores stores : {Stores::Streamed, Stores::Cached}) {
            if (stores == Stores::Streamed ? streams : least_row > 0 && !always_streams) {
                auto body = time_tiling::scheduled(*scheduled.body, &iteration, machine, {stores, rows});
                plan.tiles.push_back({1, stores == Stores::Streamed, least_row, *body, {}});
            }
        }
        if (always_streams && least_row == 0) {
            plan.body = body_for_queries(*scheduled.body);
        }
    };
    if (!is_overlapped) {
        plan.tiles.push_back(
            blocks_of(iteration, scheduled, plan.body.has_value(), machine, {Stores::Cached, rows}, least_row));
    }
    if (!is_overlapped || !is_tileable || asked.steps == 1) {
        add_single();
        return plan;
    }
    const auto periodic =
        periodic_dimensions(iteration, slid_dimensions(static_cast<size_t>(iteration.dimensions), asked.extents),
                            shape_of(*iteration.body).rows);
    if (!periodic) { // each point of a tile would compute whole steps
        add_single();
        return plan;
    }
    const bool is_chosen = asked.steps == 0;
    const std::vector<int> lengths =
        is_chosen ? chosen_lengths(iteration, machine) : lengths_of(asked.steps, false, constant_steps(iteration));
    for (const int steps : lengths) {
        if (streams && steps == lengths.front()) { // shorter ones are for what remains
            plan.tiles.push_back(
                {steps,
                 true,
                 least_row,
                 tile_of(iteration, steps, asked.extents, *periodic, machine, {Stores::Streamed, rows}),
                 {}});
        }
        if (!always_streams || steps != lengths.front()) {
            plan.tiles.push_back({steps,
                                  false,
                                  least_row,
                                  tile_of(iteration, steps, asked.extents, *periodic, machine, {Stores::Cached, rows}),
                                  {}});
        }
    }
    const auto count = constant_steps(iteration);
    if (!count || lengths.empty() || *count % lengths.front() == 1) {
        add_single();
    } else if (least_row == 0) { // tiles compute all steps
        plan.body = body_for_queries(*scheduled.body);
    }
    return plan;
}

ScheduledGraph with_time_tiles(ScheduledGraph pipeline, const machine::MachineModel &machine) {
    const auto planned = [&](std::shared_ptr<const ScheduledGraph> &part) {
        if (!part->iterations.empty()) {
            part = std::make_shared<ScheduledGraph>(with_time_tiles(*part, machine));
        }
    };
    for (size_t i = 0; i < pipeline.iterations.size(); i++) {
        ScheduledIteration &scheduled = pipeline.iterations[i];
        planned(scheduled.control);
        planned(scheduled.initial);
        planned(scheduled.body);
        scheduled.plan =
            std::make_shared<TimeTilePlan>(plan_time_tiles(*pipeline.graph.iterations[i], scheduled, machine));
    }
    return pipeline;
}

} // namespace fluorite::autoschedule::time_tiling
