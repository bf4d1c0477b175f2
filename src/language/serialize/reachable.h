#pragma once
// The Functions that a pipeline is written as: what its outputs reach, with the definitions that the program wrote.

#include "language/pipeline_contents.h"

#include <unordered_map>
#include <vector>

namespace fluorite::language {

/// What the outputs of a pipeline reach through calls, wrappers and iterations. It refers to the pipeline's objects.
class Reachable {
  public:
    explicit Reachable(const PipelineContents &pipeline);

    /// What in() or clone_in() was called of.
    struct Wrapped {
        const Function *function = nullptr; // null where `image` is not
        const ir::Parameter *image = nullptr;
        const Wrapper *wrapper = nullptr;
    };
    /// Null for a Function that is no wrapper.
    const Wrapped *wrapped_by(const Function &wrapper) const;
    /// The wrappers of images that stand for all consumers, or for one that is reached, in the order of the program.
    const std::vector<const Function *> &image_wrappers() const { return image_wrappers_; }
    /// Null for one that is not reached.
    const Function *find(const ir::Symbol &symbol) const;
    /// The Function with this output buffer; null if there is none.
    const Function *function_of_output(const ir::Parameter &buffer) const;
    /// The Functions that are written before this one: those that its definitions call, or what it wraps.
    std::vector<const Function *> needed_by(const Function &function) const;

  private:
    std::unordered_map<const RefCounted *, const Function *> by_object_;
    std::unordered_map<const Function *, Wrapped> wrapped_;
    std::unordered_map<const ir::Parameter *, const Function *> outputs_;
    std::vector<const Function *> image_wrappers_;
};

} // namespace fluorite::language
