// Passes in blocks call one step on parts of the domain: outputs are headers cropped to them.
//
// How far a step reads beyond such a part is asked of the step itself, by bounds queries, so it is known for every
// boundary condition. Where it is too far, the pass computes whole steps. In a periodic domain, bounds queries go to
// another form of the step, which does not wrap around.

#include "runtime/iterate_block_passes.h"

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/iterate.h"

#include <algorithm>

namespace fluorite_runtime::iterate {

/// Whether what a step reads may depend on its index.
static bool knows_step(const Tile &tile) {
    const auto has_step = [](const Call &call) {
        return std::any_of(call.args.begin(), call.args.end(),
                           [](const Argument &argument) { return argument.kind == Argument::Step; });
    };
    return has_step(tile.call) || (tile.reach && has_step(*tile.reach));
}

/// How far a step reads beyond a span that it computes, if that is known to be no more than `most`, and if the
/// step can compute the span alone: a schedule of the body's own may round it up.
std::optional<int64_t> BlockPasses::reach_of(const Tile &tile, const Iteration &iteration, const Dims &domain,
                                             const Span &span, int32_t step, int64_t most) {
    int64_t reach = 0;
    for (size_t f = 0; f < (iteration.has_before ? 2 : 1) * iteration.fields; f++) { // one by one: see set_dim
        const std::optional<Span> needed = needed_of(tile.call, tile, iteration, domain, span, step, f);
        const std::optional<Span> periodic =
            needed && tile.reach ? needed_of(*tile.reach, tile, iteration, domain, span, step, f) : needed;
        if (!periodic) {
            return std::nullopt;
        }
        if (!periodic->is_empty()) {
            reach = std::max({reach, span.begin - periodic->begin, periodic->end - span.end});
        }
        if (reach > most) {
            return std::nullopt;
        }
    }
    return reach;
}

/// What a step needs of a field, or of a field one step before, to compute a span, and nothing more than that.
std::optional<Span> BlockPasses::needed_of(const Call &call, const Tile &tile, const Iteration &iteration,
                                           const Dims &domain, const Span &span, int32_t step, size_t field) {
    const auto length = static_cast<int32_t>(span.end - span.begin);
    std::vector<Header> state = headers_of(iteration, domain, no_elements()), before = state;
    Header &asked = field < iteration.fields ? state[field] : before[field - iteration.fields];
    asked.buffer.host = nullptr;
    std::vector<Header> outputs = headers_of(iteration, domain, nullptr);
    for (Header &header : outputs) {
        header.dims[tile.dimension].min = static_cast<int32_t>(span.begin);
        header.dims[tile.dimension].extent = length;
    }
    Bound bound;
    bound.state = &state;
    bound.before = &before;
    bound.outputs = buffers_in(outputs);
    bound.step = step;
    if (calls_.call(call, bound, false) != 0) {
        return std::nullopt;
    }
    const bool is_exact = std::all_of(outputs.begin(), outputs.end(), [&](const Header &output) {
        const fluorite_dimension_t &dim = output.dims[tile.dimension];
        return dim.min == span.begin && dim.extent == length;
    });
    const fluorite_dimension_t &needed = asked.dims[tile.dimension];
    return is_exact ? std::optional(Span{needed.min, int64_t{needed.min} + needed.extent}) : std::nullopt;
}

/// The blocks of a pass that begins with a step, none of which reads farther than they allow; empty if steps read too
/// far.
std::vector<Phase> BlockPasses::phases_of_pass(const Pass &pass, const Iteration &iteration, const Dims &domain,
                                               int32_t first_step) {
    const Tile &tile = *pass.tile;
    const fluorite_dimension_t &cut = domain[tile.dimension];
    const Span whole{cut.min, int64_t{cut.min} + cut.extent};
    const int64_t slice = std::max<int64_t>(bytes_of(iteration, domain) / cut.extent, 1);
    const int64_t chosen = std::max<int64_t>(iteration.streaming_bytes / 2 / slice, 1); // two states in the cache
    const int64_t extent = tile.extent > 0                       ? tile.extent
                           : tile.shape == BlockShape::Wavefront ? chosen
                                                                 : std::min<int64_t>(chosen, (cut.extent + 7) / 8);
    // Spans depend on the reach, which depends on them where coordinates are no sums with constants.
    int64_t reach = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        std::vector<Phase> phases =
            phases_of(tile.shape, whole, extent, pass.steps, reach, tile.reach ? DomainEnds::Meet : DomainEnds::Apart);
        int64_t found = 0;
        for (const Phase &phase : phases) {
            for (const Trapezoid &block : phase) {
                for (size_t s = 0; s < block.size(); s++) {
                    for (const Span &span : parts_in(block[s], whole)) {
                        const auto of_span =
                            reach_of(tile, iteration, domain, span, first_step + static_cast<int32_t>(s), cut.extent);
                        if (!of_span || *of_span * pass.steps > cut.extent) {
                            return {};
                        }
                        found = std::max(found, *of_span);
                    }
                }
            }
        }
        if (found <= reach) {
            return phases;
        }
        reach = found;
    }
    return {};
}

int BlockPasses::run_block(void *, int index, uint8_t *closure) {
    const PhaseContext &phase_context = *reinterpret_cast<const PhaseContext *>(closure);
    return phase_context.passes->compute(phase_context, (*phase_context.phase)[static_cast<size_t>(index)]);
}

/// Computes one block: each step on its span.
int BlockPasses::compute(const PhaseContext &phase_context, const Trapezoid &block) {
    Bound bound;
    bound.state = phase_context.state;
    bound.before = phase_context.before;
    bound.step = phase_context.step;
    const fluorite_dimension_t &cut = (*phase_context.domain)[phase_context.pass->tile->dimension];
    for (size_t s = 0; s < block.size(); s++) {
        std::vector<Header> &next = (*phase_context.states)[phase_context.pass->steps_in[s]];
        for (const Span &span : parts_in(block[s], {cut.min, int64_t{cut.min} + cut.extent})) {
            std::vector<Header> part = next;
            for (Header &header : part) {
                fluorite_dimension_t &dim = header.dims[phase_context.pass->tile->dimension];
                header.buffer.host += (span.begin - dim.min) * dim.stride * header.buffer.type.bytes();
                dim.min = static_cast<int32_t>(span.begin);
                dim.extent = static_cast<int32_t>(span.end - span.begin);
            }
            bound.outputs = buffers_in(part);
            if (const int code = calls_.call(phase_context.pass->tile->call, bound, false); code != 0) {
                return code;
            }
        }
        bound.before = bound.state;
        bound.state = &next;
        bound.step++;
    }
    return 0;
}

int BlockPasses::run(const Iteration &iteration, const Pass &pass, const Dims &domain, States &states,
                     const Bound &bound) {
    const auto [at, is_new] = phases_.try_emplace({&iteration, pass.steps});
    if (is_new || knows_step(*pass.tile)) {
        at->second = phases_of_pass(pass, iteration, domain, bound.step);
    }
    const std::vector<Phase> &found = at->second;
    const fluorite_dimension_t &cut = domain[pass.tile->dimension];
    const Span whole{cut.min, int64_t{cut.min} + cut.extent};
    const std::vector<Phase> whole_steps = {{Trapezoid(static_cast<size_t>(pass.steps), whole)}};
    for (const Phase &phase : found.empty() ? whole_steps : found) {
        PhaseContext phase_context{this, &pass, &domain, &states, bound.state, bound.before, bound.step, &phase};
        const int code =
            phase.size() == 1
                ? compute(phase_context, phase[0])
                : fluorite_do_par_for(calls_.context(), run_block, 0, static_cast<int>(phase.size()),
                                      reinterpret_cast<uint8_t *>(&phase_context), calls_.name_of(iteration));
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

} // namespace fluorite_runtime::iterate
