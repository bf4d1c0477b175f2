// Iterations of frozen graphs.
//
// An input that stands for the result of an iteration (language/iteration.h) brings in the iteration's graphs, which
// are frozen on their own. The inputs and parameters that these need become those of the surrounding graph.
//
// Which graph computes an iteration: the outermost one that has what its graphs read, that is, the body whose state it
// reads, or else the whole pipeline. Within a body, an iteration that reads no state of it has the same result in each
// step, so that the graph around it computes it once.

#include "language/freeze/iterations.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace fluorite::language {

std::shared_ptr<const FrozenIteration> Iterations::freeze(const Iteration &iteration, const FreezeOptions &options) {
    const auto found = frozen_.find(&iteration);
    if (found != frozen_.end()) {
        return found->second;
    }
    FreezeOptions of_part;
    of_part.contract_fma = options.contract_fma;
    of_part.target = options.target;
    std::vector<const ir::Parameter *> local = {iteration.step.get()};
    for (const auto *fields : {&iteration.states, &iteration.before}) {
        for (const RefPtr<ir::Parameter> &field : *fields) {
            local.push_back(field.get());
        }
    }
    auto result = std::make_shared<FrozenIteration>();
    const auto part = [&](const std::vector<RefPtr<Function>> &outputs, const Scope &scope) {
        auto pipeline = std::make_shared<const schedule::ScheduledGraph>(freeze_graph(outputs, of_part, scope));
        const auto need = [&](ir::Parameter *parameter) {
            const bool is_own = std::find(local.begin(), local.end(), parameter) != local.end();
            const bool is_listed =
                std::find(result->needs.begin(), result->needs.end(), parameter) != result->needs.end();
            const IterationResult *of = result_of(*parameter);
            const auto &computed = pipeline->graph.iterations;
            const bool is_inner =
                of && std::any_of(computed.begin(), computed.end(), [&](const auto &inner) {
                    return inner->results[std::min(of->field, inner->results.size() - 1)].get() == parameter;
                });
            if (!is_own && !is_listed && !is_inner) {
                result->needs.push_back(parameter);
            }
        };
        for (const ir::InputDef &input : pipeline->graph.inputs) {
            need(input.parameter.get());
        }
        for (const ir::ParamDef &param : pipeline->graph.params) {
            need(param.parameter.get());
        }
        return pipeline;
    };
    result->scheduled.control = part({iteration.control}, {*this, false, {}});
    result->scheduled.initial = part(iteration.initial, {*this, false, {}});
    result->scheduled.body = part(iteration.body, {*this, false, local});
    result->scheduled.tile = iteration.tile;
    return frozen_[&iteration] = result;
}

bool Scope::computes(const FrozenIteration &iteration, const FreezeOptions &options) const {
    return is_outermost ||
           std::any_of(iteration.needs.begin(), iteration.needs.end(), [&](const ir::Parameter *parameter) {
               if (std::find(local.begin(), local.end(), parameter) != local.end()) {
                   return true;
               }
               const IterationResult *result = result_of(*parameter);
               return result && computes(*iterations.freeze(*result->iteration, options), options);
           });
}

std::vector<ir::Parameter *> OwnIterations::note(const ir::Parameter &input) {
    const IterationResult *result = result_of(input);
    if (!result) {
        return {};
    }
    const auto frozen = scope_.iterations.freeze(*result->iteration, options_);
    if (!scope_.computes(*frozen, options_)) {
        return {};
    }
    own_.emplace(result->iteration.get(), frozen);
    return frozen->needs;
}

/// The iteration of the graph whose inputs these are.
static std::shared_ptr<const ir::Iteration> make_iteration(const Iteration &iteration,
                                                           const schedule::ScheduledIteration &scheduled,
                                                           const std::vector<ir::Parameter *> &inputs) {
    const auto graph_of = [](const std::shared_ptr<const schedule::ScheduledGraph> &pipeline) {
        return std::shared_ptr<const ir::Graph>(pipeline, &pipeline->graph);
    };
    auto frozen = std::make_shared<ir::Iteration>();
    frozen->name = iteration.name;
    frozen->dimensions = iteration.dimensions;
    frozen->results.resize(iteration.fields);
    for (ir::Parameter *other : inputs) {
        const IterationResult *of_other = result_of(*other);
        if (of_other && of_other->iteration.get() == &iteration) {
            frozen->results[of_other->field] = RefPtr<ir::Parameter>(other);
        }
    }
    frozen->states = iteration.states;
    frozen->before = iteration.before;
    frozen->step = iteration.step;
    frozen->control = graph_of(scheduled.control);
    frozen->initial = graph_of(scheduled.initial);
    frozen->body = graph_of(scheduled.body);
    frozen->stops = iteration.stops;
    frozen->location = iteration.location;
    return frozen;
}

void OwnIterations::add_to(schedule::ScheduledGraph &pipeline, const std::vector<ir::Parameter *> &inputs) const {
    std::unordered_set<const Iteration *> listed;
    const std::function<void(const ir::Parameter &)> add = [&](const ir::Parameter &input) {
        const IterationResult *result = result_of(input);
        const auto found = result ? own_.find(result->iteration.get()) : own_.end();
        if (found == own_.end() || !listed.insert(found->first).second) {
            return;
        }
        for (const ir::Parameter *needed : found->second->needs) {
            add(*needed);
        }
        const schedule::ScheduledIteration &scheduled = found->second->scheduled;
        pipeline.graph.iterations.push_back(make_iteration(*found->first, scheduled, inputs));
        pipeline.iterations.push_back(scheduled);
    };
    for (const ir::Parameter *input : inputs) {
        add(*input);
    }
}

} // namespace fluorite::language
