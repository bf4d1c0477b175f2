// Iterated pipelines: the loop that calls a pipeline on its own results.
//
// What: the entry of a module with iterations (lowering/iterate) hands its arguments, the addresses of the parts of the
// module and a plan (iterate_plan.h) to fluorite_iterate. The parts are pipelines of their own, called in the form
// `_argv`:
//   control   how many steps, and the domain, as values without dimensions
//   initial   the fields at step 0 (and -1) over the domain
//   body      the fields one step later; the tiles, the same for several steps
//   rest      the outputs, from the results of the iterations; not called if passes write the outputs
//
// Method. A pass is one call of a body or a tile. It reads a state, and the one a step before if the body reads two
// past steps; it writes the next state, and the one a step before that if it is a tile of such a body. Which passes
// there are, and which buffers they use, is decided in advance (iterate_passes.h). What the last pass writes is the
// result, whose memory is given or allocated. The initial fields are computed into the buffers that pass 0 reads; where
// an initial field is an input of the pipeline, pass 0 reads that input itself, through a header cropped to the domain.
// A stop condition is evaluated by each pass; the state at which it holds is copied to the result if it is in another
// buffer.
//
// A pass in blocks (wavefronts, diamonds) calls one step on parts of the domain: outputs are headers cropped to them.
// How far a step reads beyond such a part is asked of the step itself, by bounds queries, so it is known for every
// boundary condition. Where it is too far, the pass computes whole steps. Where coordinates wrap around, the domain is
// a circle, and another form of the step answers, which does not wrap around.
//
// Bounds queries (buffers without memory) call each part as a query, with the domain as output; an input that several
// parts read gets the union of their regions.
//
// Relies on: every part checks its own arguments. Cost: a call and its checks for each pass, about a microsecond.

#include "fluorite/runtime_checks.h"
#include "fluorite/runtime_iterate.h"
#include "runtime/iterate_fields.h"
#include "runtime/iterate_passes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite_runtime::iterate {

namespace {

using Function = int (*)(void **);

/// An address for headers whose elements nobody accesses.
alignas(128) uint8_t nothing[128];

/// What the arguments of a call stand for, beside those of the entry and the results.
struct Bound {
    std::vector<Header> *state = nullptr, *before = nullptr;
    int32_t step = 0;
    std::vector<fluorite_buffer_t *> outputs, outputs_before;
};

class Run {
  public:
    Run(void *context, const Plan &plan, void *const *operands) : context_(context), plan_(plan), operands_(operands) {
        for (size_t i = 0; i < plan.args.size(); i++) {
            args_.push_back(operands[i]);
        }
    }

    int run() {
        for (size_t i = 0; i < args_.size(); i++) {
            if (plan_.args[i] != ArgKind::Scalar && args_[i] == nullptr) {
                return fluorite_error_buffer_argument_is_null(context_, "an iterated pipeline");
            }
        }
        is_query_ = find_query();
        if (is_query_) {
            start_queries();
        }
        for (size_t i = 0; i < plan_.iterations.size(); i++) {
            if (const int code = iterate(i); code != 0) {
                return code;
            }
        }
        return finish();
    }

  private:
    void *context_;
    const Plan &plan_;
    void *const *operands_;
    std::vector<void *> args_;                    // as the parts get them
    std::vector<std::unique_ptr<Header>> copies_; // of inputs without memory; null for the others
    std::vector<Header> results_;                 // fields of all iterations so far
    std::vector<Block> blocks_;                   // of results
    std::vector<bool> touched_;                   // inputs that have the region of a part
    std::map<std::pair<const Iteration *, int32_t>, std::vector<Phase>> phases_; // by number of steps
    bool is_query_ = false;
    bool outputs_done_ = false; // the iterations have written the outputs

    const char *name_of(const Iteration &iteration) const {
        return static_cast<const char *>(operands_[iteration.name]);
    }

    fluorite_buffer_t *argument(size_t i) const { return static_cast<fluorite_buffer_t *>(args_[i]); }

    // ---- Calls.

    /// Calls a part. In a query, inputs of the entry without memory collect the regions that the part reads.
    int call(const Call &call, const Bound &bound, bool as_query) {
        std::vector<void *> argv;
        std::vector<std::pair<size_t, std::unique_ptr<Header>>> asked;
        int32_t step = bound.step;
        for (const Argument &arg : call.args) {
            const auto index = static_cast<size_t>(arg.index);
            switch (arg.kind) {
            case Argument::Context:
                argv.push_back(&context_);
                break;
            case Argument::Entry:
                argv.push_back(args_[index]);
                if (is_query_ && copies_[index]) {
                    asked.emplace_back(index, std::make_unique<Header>(*copies_[index]));
                    Header &header = *asked.back().second;
                    header.buffer.host = as_query ? nullptr : nothing;
                    argv.back() = header.get();
                }
                break;
            case Argument::Result:
                argv.push_back(results_[index].get());
                break;
            case Argument::State:
                argv.push_back((*bound.state)[index].get());
                break;
            case Argument::Before:
                argv.push_back((*bound.before)[index].get());
                break;
            case Argument::Step:
                argv.push_back(&step);
                break;
            case Argument::OutputBefore:
                argv.push_back(bound.outputs_before[index]);
                break;
            default:
                argv.push_back(bound.outputs[index]);
                break;
            }
        }
        const int code = reinterpret_cast<Function>(operands_[call.function])(argv.data());
        if (code == 0 && as_query) {
            for (auto &[index, header] : asked) {
                widen(*argument(index), *header);
            }
        }
        return code;
    }

    // ---- Queries.

    bool find_query() const {
        for (size_t i = 0; i < args_.size(); i++) {
            if (plan_.args[i] != ArgKind::Scalar && argument(i)->is_bounds_query()) {
                return true;
            }
        }
        return false;
    }

    /// Inputs without memory keep the fields that the caller gave in copies, and themselves become empty boxes.
    void start_queries() {
        for (size_t i = 0; i < args_.size(); i++) {
            copies_.push_back(nullptr);
            if (plan_.args[i] == ArgKind::Input && argument(i)->is_bounds_query()) {
                const fluorite_buffer_t &given = *argument(i);
                auto copy = std::make_unique<Header>();
                copy->buffer = given;
                copy->dims.assign(given.dim, given.dim + given.dimensions);
                copies_.back() = std::move(copy);
            }
        }
        touched_.resize(args_.size());
    }

    /// Extends an input's box by that of the answer to a query.
    void widen(fluorite_buffer_t &input, const Header &answer) {
        size_t at = 0;
        while (args_[at] != &input) {
            at++;
        }
        const bool is_empty = std::any_of(answer.dims.begin(), answer.dims.end(),
                                          [](const fluorite_dimension_t &dim) { return dim.extent <= 0; });
        if (is_empty && touched_[at]) {
            return;
        }
        int64_t stride = 1;
        for (size_t d = 0; d < answer.dims.size(); d++) {
            const fluorite_dimension_t &more = answer.dims[d];
            fluorite_dimension_t &dim = input.dim[d];
            int64_t min = more.min, end = min + more.extent;
            if (touched_[at]) {
                min = std::min<int64_t>(min, dim.min);
                end = std::max<int64_t>(end, int64_t{dim.min} + dim.extent);
            }
            dim.min = static_cast<int32_t>(min);
            dim.extent = static_cast<int32_t>(std::min<int64_t>(end - min, std::numeric_limits<int32_t>::max()));
            dim.stride = static_cast<int32_t>(std::min<int64_t>(stride, std::numeric_limits<int32_t>::max()));
            stride *= std::max(dim.extent, 1);
        }
        input.type = answer.buffer.type;
        touched_[at] = !is_empty;
    }

    // ---- One iteration.

    struct Control {
        int32_t steps = 0;
        Dims domain;
        bool is_empty = false;
    };

    int control(const Iteration &iteration, Control &out) {
        const size_t count = 1 + 2 * iteration.rank;
        std::vector<int32_t> values(count);
        std::vector<Header> headers(count);
        Bound bound;
        for (size_t i = 0; i < count; i++) {
            headers[i].buffer.host = reinterpret_cast<uint8_t *>(&values[i]);
            headers[i].buffer.type = {fluorite_type_int, 32, 1};
            bound.outputs.push_back(headers[i].get());
        }
        if (const int code = call(iteration.control, bound, false); code != 0) {
            return code;
        }
        out.steps = values[0];
        if (out.steps < 0) {
            return fluorite_error_iterate_negative_steps(context_, name_of(iteration), out.steps);
        }
        int64_t stride = 1;
        for (size_t d = 0; d < iteration.rank; d++) {
            const int32_t min = values[1 + 2 * d], extent = values[2 + 2 * d];
            if (extent < 0) {
                return fluorite_error_iterate_negative_extent(context_, name_of(iteration), static_cast<int32_t>(d),
                                                              extent);
            }
            if (stride > std::numeric_limits<int32_t>::max()) {
                return fluorite_error_buffer_extents_too_large(context_, name_of(iteration), stride,
                                                               std::numeric_limits<int32_t>::max());
            }
            fluorite_dimension_t dim{};
            dim.min = min;
            dim.extent = extent;
            dim.stride = static_cast<int32_t>(stride);
            out.domain.push_back(dim);
            out.is_empty = out.is_empty || extent == 0;
            stride *= std::max(extent, 1);
        }
        return 0;
    }

    /// Whether all outputs are results whose buffers have exactly the domain, so that passes may write them.
    bool may_write_outputs(size_t index, const Dims &domain) const {
        if (plan_.outputs_are.empty()) {
            return false;
        }
        for (size_t i = 0; i < plan_.outputs_are.size(); i++) { // a field is written once
            if (std::count(plan_.outputs_are.begin(), plan_.outputs_are.end(), plan_.outputs_are[i]) > 1) {
                return false;
            }
        }
        size_t output = 0;
        for (size_t i = 0; i < args_.size(); i++) {
            if (plan_.args[i] != ArgKind::Output) {
                continue;
            }
            const fluorite_buffer_t &buffer = *argument(i);
            if (plan_.outputs_are[output++].first != index ||
                buffer.dimensions != static_cast<int32_t>(domain.size())) {
                return false;
            }
            for (size_t d = 0; d < domain.size(); d++) {
                const fluorite_dimension_t &dim = buffer.dim[d];
                if (dim.min != domain[d].min || dim.extent != domain[d].extent || (d == 0 && dim.stride != 1)) {
                    return false;
                }
            }
            for (size_t k = 0; k < args_.size(); k++) { // `rest` reports what shares memory
                if (k != i && plan_.args[k] != ArgKind::Scalar &&
                    fluorite_buffers_overlap(&buffer, argument(k), 0) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Sets the host addresses and strides of the results to those of the outputs, as far as these are results.
    void take_outputs(std::vector<Header> &result, std::vector<bool> &is_given) {
        size_t output = 0;
        for (size_t i = 0; i < args_.size(); i++) {
            if (plan_.args[i] == ArgKind::Output) {
                const size_t field = plan_.outputs_are[output++].second;
                const fluorite_buffer_t &buffer = *argument(i);
                result[field].buffer.host = buffer.host;
                result[field].dims.assign(buffer.dim, buffer.dim + buffer.dimensions);
                is_given[field] = true;
            }
        }
    }

    int query_parts(const Iteration &iteration, const Dims &domain) {
        std::vector<Header> state = headers_of(iteration, domain, nothing), before = state;
        std::vector<Header> results = headers_of(iteration, domain, nullptr), older = results;
        Bound bound;
        bound.outputs = buffers_in(results);
        Bound of_initial = bound;
        for (Header &header : older) {
            of_initial.outputs.push_back(header.get());
        }
        if (const int code = call(iteration.initial, of_initial, true); code != 0) {
            return code;
        }
        results = headers_of(iteration, domain, nullptr);
        for (size_t f = 0; f < results.size(); f++) {
            bound.outputs[f] = results[f].get();
        }
        Header stop;
        stop.buffer.type = {fluorite_type_uint, 1, 1};
        bound.outputs.push_back(stop.get());
        bound.state = &state;
        bound.before = &before;
        return call(iteration.passes.back().call, bound, true);
    }

    int iterate(size_t index) {
        const Iteration &iteration = plan_.iterations[index];
        Control control;
        if (const int code = this->control(iteration, control); code != 0) {
            return code;
        }
        std::vector<Header> result = headers_of(iteration, control.domain, nothing);
        if (is_query_) {
            if (const int code = query_parts(iteration, control.domain); code != 0) {
                return code;
            }
            results_.insert(results_.end(), result.begin(), result.end());
            return 0;
        }
        if (may_write_outputs(index, control.domain)) {
            std::vector<bool> is_given(iteration.fields);
            take_outputs(result, is_given);
            std::vector<Header> missing;
            for (size_t f = 0; f < iteration.fields; f++) {
                if (!is_given[f]) {
                    missing.push_back(result[f]);
                }
            }
            if (const int code = allocate(context_, name_of(iteration), missing, blocks_); code != 0) {
                return code;
            }
            for (size_t f = 0, next = 0; f < iteration.fields; f++) {
                if (!is_given[f]) {
                    result[f] = missing[next++];
                }
            }
            outputs_done_ = true;
        } else if (const int code = allocate(context_, name_of(iteration), result, blocks_); code != 0) {
            return code;
        }
        if (const int code = passes(iteration, control, result); code != 0) {
            return code;
        }
        results_.insert(results_.end(), result.begin(), result.end());
        return 0;
    }

    /// Runs all passes, the last of which writes `result`.
    int passes(const Iteration &iteration, const Control &control, std::vector<Header> &result) {
        const Dims &domain = control.domain;
        const int32_t row = domain.empty() ? 0 : domain[0].extent;
        const std::vector<Pass> used = control.is_empty
                                           ? std::vector<Pass>()
                                           : passes_of(iteration, control.steps, row, bytes_of(iteration, domain));
        std::vector<Header> inputs = headers_of(iteration, control.domain, nullptr);
        const bool from_inputs = !used.empty() && take_inputs(iteration, control.domain, inputs);
        const size_t last = used.empty() ? 0 : used.back().next;
        States states(most_buffers);
        std::vector<Block> blocks;
        states[last] = result;
        if (const int code = allocate_states(iteration, control, used, from_inputs, states, blocks); code != 0) {
            return code;
        }
        if (!from_inputs) {
            if (const int code = call_initial(iteration, states); code != 0) {
                return code;
            }
        }
        Bound bound;
        for (size_t k = 0; k < used.size(); k++) {
            bound.state = k == 0 && from_inputs ? &inputs : &states[used[k].state];
            bound.before = &states[used[k].before];
            bool stops = false;
            if (const int code =
                    used[k].tile->shape == BlockShape::None
                        ? call_pass(*used[k].tile, states[used[k].next], states[used[k].next_before], bound, stops)
                        : run_blocks(iteration, used[k], control.domain, states, bound);
                code != 0) {
                return code;
            }
            bound.step += used[k].steps;
            if (stops) {
                copy_state(states[used[k].next], states[last]);
                break;
            }
        }
        return 0;
    }

    using States = std::vector<std::vector<Header>>; // by number of the buffer; empty: nobody writes it

    /// Gives memory to the states that the initial pipeline and the passes write, but the one that has it.
    int allocate_states(const Iteration &iteration, const Control &control, const std::vector<Pass> &used,
                        bool from_inputs, States &states, std::vector<Block> &blocks) {
        std::vector<bool> is_written(most_buffers);
        is_written[0] = !from_inputs;
        is_written[1] = !from_inputs && iteration.has_before;
        for (const Pass &pass : used) {
            is_written[pass.next] = true;
            is_written[pass.next_before] = true;
            for (const size_t buffer : pass.steps_in) {
                is_written[buffer] = true;
            }
        }
        for (size_t b = 0; b < most_buffers; b++) {
            if (is_written[b] && states[b].empty()) {
                states[b] = headers_of(iteration, control.domain, nullptr);
                if (const int code = allocate(context_, name_of(iteration), states[b], blocks); code != 0) {
                    return code;
                }
            }
        }
        return 0;
    }

    static std::vector<fluorite_buffer_t *> buffers_in(std::vector<Header> &state) {
        std::vector<fluorite_buffer_t *> buffers;
        for (Header &header : state) {
            buffers.push_back(header.get());
        }
        return buffers;
    }

    int call_initial(const Iteration &iteration, States &states) {
        Bound bound;
        bound.outputs = buffers_in(states[0]);
        if (iteration.has_before) {
            const std::vector<fluorite_buffer_t *> before = buffers_in(states[1]);
            bound.outputs.insert(bound.outputs.end(), before.begin(), before.end());
        }
        return call(iteration.initial, bound, false);
    }

    int call_pass(const Tile &pass, std::vector<Header> &next, std::vector<Header> &next_before, Bound &bound,
                  bool &stops) {
        Header stop;
        uint8_t stopped = 0;
        stop.buffer.host = &stopped;
        stop.buffer.type = {fluorite_type_uint, 1, 1};
        bound.outputs = buffers_in(next);
        bound.outputs.push_back(stop.get());
        bound.outputs_before = buffers_in(next_before);
        const int code = call(pass.call, bound, false);
        stops = stopped != 0;
        return code;
    }

    // ---- Blocks.

    /// How far a step reads beyond a span that it computes, if that is known to be no more than `most`, and if the
    /// step can compute the span alone: a schedule of the body's own may round it up.
    std::optional<int64_t> reach_of(const Tile &tile, const Iteration &iteration, const Dims &domain, const Span &span,
                                    int64_t most) {
        int64_t reach = 0;
        for (size_t f = 0; f < (iteration.has_before ? 2 : 1) * iteration.fields; f++) { // one by one: see set_dim
            const std::optional<Span> needed = needed_of(tile.call, tile, iteration, domain, span, f);
            const std::optional<Span> on_circle =
                needed && tile.reach ? needed_of(*tile.reach, tile, iteration, domain, span, f) : needed;
            if (!on_circle) {
                return std::nullopt;
            }
            if (!on_circle->is_empty()) {
                reach = std::max({reach, span.begin - on_circle->begin, on_circle->end - span.end});
            }
            if (reach > most) {
                return std::nullopt;
            }
        }
        return reach;
    }

    /// What a step needs of a field, or of a field one step before, to compute a span, and nothing more than that.
    std::optional<Span> needed_of(const Call &step, const Tile &tile, const Iteration &iteration, const Dims &domain,
                                  const Span &span, size_t field) {
        const auto length = static_cast<int32_t>(span.end - span.begin);
        std::vector<Header> state = headers_of(iteration, domain, nothing), before = state;
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
        if (call(step, bound, false) != 0) {
            return std::nullopt;
        }
        const bool is_exact = std::all_of(outputs.begin(), outputs.end(), [&](const Header &output) {
            const fluorite_dimension_t &dim = output.dims[tile.dimension];
            return dim.min == span.begin && dim.extent == length;
        });
        const fluorite_dimension_t &needed = asked.dims[tile.dimension];
        return is_exact ? std::optional(Span{needed.min, int64_t{needed.min} + needed.extent}) : std::nullopt;
    }

    static std::vector<Span> parts_of(const Trapezoid &block, const Span &domain) {
        std::vector<Span> parts;
        for (const Span &span : block) {
            const std::vector<Span> of_span = parts_in(span, domain);
            parts.insert(parts.end(), of_span.begin(), of_span.end());
        }
        return parts;
    }

    /// The blocks of a pass, none of which reads farther than they allow; empty if steps read too far.
    std::vector<Phase> phases_of_pass(const Pass &pass, const Iteration &iteration, const Dims &domain) {
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
            std::vector<Phase> phases = phases_of(tile.shape, whole, extent, pass.steps, reach,
                                                  tile.reach ? DomainEnds::Meet : DomainEnds::Apart);
            int64_t found = 0;
            for (const Phase &phase : phases) {
                for (const Trapezoid &block : phase) {
                    for (const Span &span : parts_of(block, whole)) {
                        const auto of_span = reach_of(tile, iteration, domain, span, cut.extent);
                        if (!of_span || *of_span * pass.steps > cut.extent) {
                            return {};
                        }
                        found = std::max(found, *of_span);
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

    struct Turn {
        Run *run;
        const Pass *pass;
        const Dims *domain;
        States *states;
        std::vector<Header> *state, *before;
        int32_t step;
        const Phase *phase;
    };

    static int run_block(void *, int index, uint8_t *closure) {
        const Turn &turn = *reinterpret_cast<const Turn *>(closure);
        return turn.run->compute(turn, (*turn.phase)[static_cast<size_t>(index)]);
    }

    /// Computes one block: each step on its span.
    int compute(const Turn &turn, const Trapezoid &block) {
        Bound bound;
        bound.state = turn.state;
        bound.before = turn.before;
        bound.step = turn.step;
        const fluorite_dimension_t &cut = (*turn.domain)[turn.pass->tile->dimension];
        for (size_t s = 0; s < block.size(); s++) {
            std::vector<Header> &next = (*turn.states)[turn.pass->steps_in[s]];
            for (const Span &span : parts_in(block[s], {cut.min, int64_t{cut.min} + cut.extent})) {
                std::vector<Header> part = next;
                for (Header &header : part) {
                    fluorite_dimension_t &dim = header.dims[turn.pass->tile->dimension];
                    header.buffer.host += (span.begin - dim.min) * dim.stride * header.buffer.type.bytes();
                    dim.min = static_cast<int32_t>(span.begin);
                    dim.extent = static_cast<int32_t>(span.end - span.begin);
                }
                bound.outputs = buffers_in(part);
                if (const int code = call(turn.pass->tile->call, bound, false); code != 0) {
                    return code;
                }
            }
            bound.before = bound.state;
            bound.state = &next;
            bound.step++;
        }
        return 0;
    }

    /// Runs a pass in blocks, or as whole steps where these read too far.
    int run_blocks(const Iteration &iteration, const Pass &pass, const Dims &domain, States &states,
                   const Bound &bound) {
        const auto [at, is_new] = phases_.try_emplace({&iteration, pass.steps});
        if (is_new) {
            at->second = phases_of_pass(pass, iteration, domain);
        }
        const std::vector<Phase> &found = at->second;
        const fluorite_dimension_t &cut = domain[pass.tile->dimension];
        const Span whole{cut.min, int64_t{cut.min} + cut.extent};
        const std::vector<Phase> whole_steps = {{Trapezoid(static_cast<size_t>(pass.steps), whole)}};
        for (const Phase &phase : found.empty() ? whole_steps : found) {
            Turn turn{this, &pass, &domain, &states, bound.state, bound.before, bound.step, &phase};
            const int code = phase.size() == 1
                                 ? compute(turn, phase[0])
                                 : fluorite_do_par_for(context_, run_block, 0, static_cast<int>(phase.size()),
                                                       reinterpret_cast<uint8_t *>(&turn), name_of(iteration));
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    static void copy_state(std::vector<Header> &from, std::vector<Header> &to) {
        for (size_t f = 0; f < from.size() && from[f].buffer.host != to[f].buffer.host; f++) {
            copy_elements(*from[f].get(), *to[f].get());
        }
    }

    bool take_inputs(const Iteration &iteration, const Dims &domain, std::vector<Header> &inputs) const {
        if (iteration.has_before) {
            return false;
        }
        for (size_t f = 0; f < iteration.fields; f++) {
            const int32_t arg = iteration.initial_args[f];
            if (arg < 0 || !crop(*argument(static_cast<size_t>(arg)), domain, inputs[f])) {
                return false;
            }
        }
        return true;
    }

    // ---- The outputs.

    int finish() {
        if (outputs_done_) {
            return 0;
        }
        Bound bound;
        for (size_t i = 0; i < args_.size(); i++) {
            if (plan_.args[i] == ArgKind::Output) {
                bound.outputs.push_back(argument(i));
            }
        }
        return call(plan_.rest, bound, is_query_);
    }
};

} // namespace

} // namespace fluorite_runtime::iterate

extern "C" int fluorite_iterate(void *context, const char *plan, void *const *operands) {
    using namespace fluorite_runtime::iterate;
    const Plan read = read_plan(plan);
    return Run(context, read, operands).run();
}
