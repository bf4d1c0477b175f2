// Iterations in the interpreter: the graphs are evaluated one after another, step by step.
//
// This is the meaning of an iteration (ir::Iteration): the initial fields over the domain, then each step's fields from
// those of the step before. Each evaluation is an Interpreter of its own, for which the states and the step replace
// Parameters. Relies on: the graphs of an iteration read the results of earlier ones only. Cost: that of all steps.

#include "interpret/iterate.h"

#include "support/check.h"

namespace fluorite::interpret {

/// A dense buffer.
class IterationResults::Field {
  public:
    Field(Type type, const Region &box) {
        int64_t stride = 1;
        for (size_t d = 0; d < box.min.size(); d++) {
            dims_.emplace_back(box.min[d], box.extent[d], static_cast<int32_t>(stride));
            stride *= std::max(box.extent[d], 0);
        }
        bytes_.resize(static_cast<size_t>(std::max<int64_t>(stride, 1)) * static_cast<size_t>(type.bytes()));
        buffer_.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        buffer_.host = bytes_.data();
        buffer_.dimensions = static_cast<int32_t>(dims_.size());
        buffer_.dim = dims_.data();
    }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;

    fluorite_buffer_t *buffer() { return &buffer_; }
    bool is_set() const { return bytes_[0] != 0; }

  private:
    std::vector<uint8_t> bytes_;
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t buffer_{};
};

IterationResults::IterationResults(const ir::Graph &graph, const std::vector<ExternFunction> &externs,
                                   const Replaced &outer)
    : externs_(externs), replaced_(outer) {
    for (const auto &iteration : graph.iterations) {
        run(*iteration);
    }
}

IterationResults::~IterationResults() = default;

/// The first `count` values of the outputs over the domain; values without dimensions are evaluated at their point.
IterationResults::Fields IterationResults::evaluate(const ir::Graph &graph, const Region &domain,
                                                    const Replaced &replaced, size_t count) const {
    Interpreter interpreter(graph, externs_, replaced);
    Fields fields;
    for (size_t output = 0; output < graph.outputs.size() && fields.size() < count; output++) {
        const ir::FuncDef &func = graph.func(graph.outputs[output]);
        const Region box = func.dimensions() == 0 ? Region() : domain;
        std::vector<fluorite_buffer_t *> destination;
        for (const Type type : func.types) {
            fields.push_back(std::make_unique<Field>(type, box));
            destination.push_back(fields.back()->buffer());
        }
        interpreter.evaluate(output, box, destination);
    }
    return fields;
}

void IterationResults::run(const ir::Iteration &iteration) {
    Interpreter control(*iteration.control, externs_, replaced_);
    const std::vector<uint64_t> numbers = control.evaluate_point(0, {});
    const auto number = [&](size_t i) { return static_cast<int32_t>(static_cast<uint32_t>(numbers[i])); };
    const int32_t steps = number(0);
    if (steps < 0) {
        throw RuntimeError("iterate-negative-steps",
                           concat("in ", iteration.name, ": it is to run ", steps,
                                  " steps; a number of steps is 0 or more; pass 0 or more"),
                           iteration.location);
    }
    Region domain;
    for (int d = 0; d < iteration.dimensions; d++) {
        const auto at = static_cast<size_t>(d);
        domain.min.push_back(number(1 + 2 * at));
        domain.extent.push_back(number(2 + 2 * at));
        if (domain.extent[at] < 0) {
            throw RuntimeError("iterate-negative-extent",
                               concat("in ", iteration.name, ": its domain has ", domain.extent[at],
                                      " points along dimension ", d,
                                      "; an extent is 0 or more; give a min and an extent, not a min and a max"),
                               iteration.location);
        }
    }
    const size_t count = iteration.states.size();
    Fields fields = evaluate(*iteration.initial, domain, replaced_, 2 * count), before;
    for (size_t i = count; i < fields.size(); i++) {
        before.push_back(std::move(fields[i]));
    }
    fields.resize(count);
    bool stopped = false;
    for (int32_t t = 0; t < steps && !stopped; t++) {
        Replaced replaced = replaced_;
        for (size_t i = 0; i < count; i++) {
            replaced.buffers[iteration.states[i].get()] = fields[i]->buffer();
            if (!iteration.before.empty()) {
                replaced.buffers[iteration.before[i].get()] = before[i]->buffer();
            }
        }
        replaced.steps[iteration.step.get()] = t;
        Fields next = evaluate(*iteration.body, domain, replaced, count + (iteration.stops ? 1 : 0));
        stopped = iteration.stops && next[count]->is_set();
        next.resize(count);
        before = std::move(fields);
        fields = std::move(next);
    }
    for (size_t i = 0; i < count; i++) {
        if (iteration.results[i]) {
            replaced_.buffers[iteration.results[i].get()] = fields[i]->buffer();
        }
    }
    kept_.push_back(std::move(fields));
}

} // namespace fluorite::interpret
