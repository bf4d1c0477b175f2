#include "language/serialize/reachable.h"

#include "language/iteration.h"

#include <algorithm>

namespace fluorite::language {

Reachable::Reachable(const PipelineContents &pipeline) {
    std::vector<const Function *> work, of_images;
    const auto add_wrappers = [&](const Function &function, const ir::Parameter *image) {
        for (const Wrapper &wrapper : function.wrappers) {
            wrapped_[wrapper.function.get()] = {image ? nullptr : &function, image, &wrapper};
            work.push_back(wrapper.function.get());
            if (image && std::find(of_images.begin(), of_images.end(), wrapper.function.get()) == of_images.end()) {
                of_images.push_back(wrapper.function.get());
            }
        }
    };
    for (const RefPtr<Function> &output : pipeline.outputs) {
        work.push_back(output.get());
    }
    while (!work.empty()) {
        const Function *next = work.back();
        work.pop_back();
        if (!by_object_.emplace(next, next).second) {
            continue;
        }
        for (const Function *callee : next->algorithm_callees()) {
            work.push_back(callee);
        }
        for (const ir::Parameter *image : next->images) {
            if (const Function *function = image_function(*image)) {
                add_wrappers(*function, image);
            }
            if (const IterationResult *result = result_of(*image)) {
                for (const RefPtr<Function> &part : result->iteration->functions()) {
                    work.push_back(part.get());
                }
            }
        }
        for (const RefPtr<ir::Parameter> &buffer : next->output_parameters) {
            outputs_[buffer.get()] = next;
        }
        add_wrappers(*next, nullptr);
    }
    for (const Function *wrapper : of_images) {
        const std::vector<ir::Symbol> &consumers = wrapped_[wrapper].wrapper->consumers;
        if (consumers.empty() || std::any_of(consumers.begin(), consumers.end(),
                                             [&](const ir::Symbol &consumer) { return find(consumer) != nullptr; })) {
            image_wrappers_.push_back(wrapper);
        }
    }
}

const Reachable::Wrapped *Reachable::wrapped_by(const Function &wrapper) const {
    const auto found = wrapped_.find(&wrapper);
    return found == wrapped_.end() ? nullptr : &found->second;
}

const Function *Reachable::find(const ir::Symbol &symbol) const {
    const auto found = by_object_.find(symbol.object()); // which may be gone: only its address counts
    return found == by_object_.end() ? nullptr : found->second;
}

const Function *Reachable::function_of_output(const ir::Parameter &buffer) const {
    const auto found = outputs_.find(&buffer);
    return found == outputs_.end() ? nullptr : found->second;
}

std::vector<const Function *> Reachable::needed_by(const Function &function) const {
    std::vector<const Function *> needed;
    if (const Wrapped *wrapped = wrapped_by(function)) {
        if (wrapped->function) {
            needed.push_back(wrapped->function);
        }
        for (const ir::Symbol &consumer : wrapped->wrapper->consumers) {
            const Function *known = find(consumer);
            if (known && wrapped_by(*known)) {
                needed.push_back(known);
            }
        }
        return needed;
    }
    for (const Function *callee : function.algorithm_callees()) {
        needed.push_back(callee);
    }
    return needed;
}

} // namespace fluorite::language
