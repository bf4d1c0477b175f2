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
// Relies on: every part checks its own arguments. Cost: a call and its checks for each pass, about a microsecond.

#include "fluorite/runtime/iterate.h"
#include "fluorite/runtime/checks.h"
#include "runtime/iterate_block_passes.h"
#include "runtime/iterate_calls.h"
#include "runtime/iterate_fields.h"
#include "runtime/iterate_passes.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace fluorite_runtime::iterate {

namespace {

class Run {
  public:
    Run(void *context, const Plan &plan, void *const *operands)
        : plan_(plan), calls_(context, plan, operands), blocks_(calls_) {}

    int run() {
        if (const int code = calls_.start(); code != 0) {
            return code;
        }
        for (size_t i = 0; i < plan_.iterations.size(); i++) {
            if (const int code = iterate(i); code != 0) {
                return code;
            }
        }
        return finish();
    }

  private:
    const Plan &plan_;
    Calls calls_;
    BlockPasses blocks_;
    std::vector<Block> memory_; // of results
    bool outputs_done_ = false; // the iterations have written the outputs

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
        if (const int code = calls_.call(iteration.control, bound, false); code != 0) {
            return code;
        }
        out.steps = values[0];
        if (out.steps < 0) {
            return fluorite_error_iterate_negative_steps(calls_.context(), calls_.name_of(iteration), out.steps);
        }
        int64_t stride = 1;
        for (size_t d = 0; d < iteration.rank; d++) {
            const int32_t min = values[1 + 2 * d], extent = values[2 + 2 * d];
            if (extent < 0) {
                return fluorite_error_iterate_negative_extent(calls_.context(), calls_.name_of(iteration),
                                                              static_cast<int32_t>(d), extent);
            }
            if (stride > std::numeric_limits<int32_t>::max()) {
                return fluorite_error_buffer_extents_too_large(calls_.context(), calls_.name_of(iteration), stride,
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
        for (size_t i = 0; i < calls_.argument_count(); i++) {
            if (plan_.args[i] != ArgKind::Output) {
                continue;
            }
            const fluorite_buffer_t &buffer = *calls_.argument(i);
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
            for (size_t k = 0; k < calls_.argument_count(); k++) { // `rest` reports what shares memory
                if (k != i && plan_.args[k] != ArgKind::Scalar &&
                    fluorite_buffers_overlap(&buffer, calls_.argument(k), 0) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Sets the host addresses and strides of the results to those of the outputs, as far as these are results.
    void take_outputs(std::vector<Header> &result, std::vector<bool> &is_given) {
        size_t output = 0;
        for (size_t i = 0; i < calls_.argument_count(); i++) {
            if (plan_.args[i] == ArgKind::Output) {
                const size_t field = plan_.outputs_are[output++].second;
                const fluorite_buffer_t &buffer = *calls_.argument(i);
                result[field].buffer.host = buffer.host;
                result[field].dims.assign(buffer.dim, buffer.dim + buffer.dimensions);
                is_given[field] = true;
            }
        }
    }

    int query_parts(const Iteration &iteration, const Dims &domain) {
        std::vector<Header> state = headers_of(iteration, domain, no_elements()), before = state;
        std::vector<Header> results = headers_of(iteration, domain, nullptr), older = results;
        Bound bound;
        bound.outputs = buffers_in(results);
        Bound of_initial = bound;
        for (Header &header : older) {
            of_initial.outputs.push_back(header.get());
        }
        if (const int code = calls_.call(iteration.initial, of_initial, true); code != 0) {
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
        return calls_.call(iteration.passes.back().call, bound, true);
    }

    int iterate(size_t index) {
        const Iteration &iteration = plan_.iterations[index];
        Control control;
        if (const int code = this->control(iteration, control); code != 0) {
            return code;
        }
        std::vector<Header> result = headers_of(iteration, control.domain, no_elements());
        if (calls_.is_query()) {
            if (const int code = query_parts(iteration, control.domain); code != 0) {
                return code;
            }
            calls_.add_results(result);
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
            if (const int code = allocate(calls_.context(), calls_.name_of(iteration), missing, memory_); code != 0) {
                return code;
            }
            for (size_t f = 0, next = 0; f < iteration.fields; f++) {
                if (!is_given[f]) {
                    result[f] = missing[next++];
                }
            }
            outputs_done_ = true;
        } else if (const int code = allocate(calls_.context(), calls_.name_of(iteration), result, memory_); code != 0) {
            return code;
        }
        if (const int code = passes(iteration, control, result); code != 0) {
            return code;
        }
        calls_.add_results(result);
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
                        : blocks_.run(iteration, used[k], control.domain, states, bound);
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
                if (const int code = allocate(calls_.context(), calls_.name_of(iteration), states[b], blocks);
                    code != 0) {
                    return code;
                }
            }
        }
        return 0;
    }

    int call_initial(const Iteration &iteration, States &states) {
        Bound bound;
        bound.outputs = buffers_in(states[0]);
        if (iteration.has_before) {
            const std::vector<fluorite_buffer_t *> before = buffers_in(states[1]);
            bound.outputs.insert(bound.outputs.end(), before.begin(), before.end());
        }
        return calls_.call(iteration.initial, bound, false);
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
        const int code = calls_.call(pass.call, bound, false);
        stops = stopped != 0;
        return code;
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
            if (arg < 0 || !crop(*calls_.argument(static_cast<size_t>(arg)), domain, inputs[f])) {
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
        for (size_t i = 0; i < calls_.argument_count(); i++) {
            if (plan_.args[i] == ArgKind::Output) {
                bound.outputs.push_back(calls_.argument(i));
            }
        }
        return calls_.call(plan_.rest, bound, calls_.is_query());
    }
};

} // namespace

} // namespace fluorite_runtime::iterate

extern "C" int fluorite_iterate(void *context, const char *plan, void *const *operands) {
    using namespace fluorite_runtime::iterate;
    const Plan read = read_plan(plan);
    return Run(context, read, operands).run();
}
