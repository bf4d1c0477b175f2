// Calls of the parts of a module with iterations.
//
// A part is a function in the form `_argv`; the plan says for each of its arguments what it stands for: an argument of
// the entry, the result of an iteration, a field of the state, the number of the step, or an output.
//
// Queries. If the entry is asked for regions, each part is asked in turn, with the domain as its output; an input that
// several parts read gets the union of their regions. Calls that are no queries get an address for inputs without
// memory, so that they compute what controls the iteration.

#include "runtime/iterate_calls.h"

#include "fluorite/runtime/checks.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace fluorite_runtime::iterate {

namespace {

using Function = int (*)(void **);

} // namespace

uint8_t *no_elements() {
    alignas(128) static uint8_t nothing[128];
    return nothing;
}

std::vector<fluorite_buffer_t *> buffers_in(std::vector<Header> &headers) {
    std::vector<fluorite_buffer_t *> buffers;
    for (Header &header : headers) {
        buffers.push_back(header.get());
    }
    return buffers;
}

Calls::Calls(void *context, const Plan &plan, void *const *operands)
    : context_(context), plan_(plan), operands_(operands) {
    for (size_t i = 0; i < plan.args.size(); i++) {
        args_.push_back(operands[i]);
    }
}

int Calls::start() {
    for (size_t i = 0; i < args_.size(); i++) {
        if (plan_.args[i] != ArgKind::Scalar && args_[i] == nullptr) {
            return fluorite_error_buffer_argument_is_null(context_, "an iterated pipeline");
        }
    }
    is_query_ = find_query();
    if (is_query_) {
        start_queries();
    }
    return 0;
}

void Calls::add_results(const std::vector<Header> &fields) {
    results_.insert(results_.end(), fields.begin(), fields.end());
}

const char *Calls::name_of(const Iteration &iteration) const {
    return static_cast<const char *>(operands_[iteration.name]);
}

int Calls::call(const Call &call, const Bound &bound, bool as_query) {
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
                header.buffer.host = as_query ? nullptr : no_elements();
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

bool Calls::find_query() const {
    for (size_t i = 0; i < args_.size(); i++) {
        if (plan_.args[i] != ArgKind::Scalar && argument(i)->is_bounds_query()) {
            return true;
        }
    }
    return false;
}

/// Inputs without memory keep the fields that the caller gave in copies, and themselves become empty boxes.
void Calls::start_queries() {
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
void Calls::widen(fluorite_buffer_t &input, const Header &answer) {
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

} // namespace fluorite_runtime::iterate
