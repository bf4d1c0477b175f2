#pragma once
// From frozen schedules back to those of the Functions that were frozen.

#include "language/freeze.h"

#include <string>

namespace fluorite::language {

/// Converts a frozen schedule back to the Functions' terms: anonymous loops and symbols of Funcs become the user's
/// again.
class Thaw {
  public:
    /// The frozen pipeline must outlive this object; its Functions are those whose terms are meant.
    explicit Thaw(const FrozenPipeline &frozen) : frozen_(frozen) {}

    schedule::FuncSchedule run(schedule::FuncSchedule schedule) const;

    void give_back(schedule::LoopLevel &level) const;
    void give_back(std::string &name) const;
    /// Sizes of outputs become those of the Functions' output buffers; Params and inputs are the user's already.
    void give_back(Expr &expr) const;

  private:
    const FrozenPipeline &frozen_;

    /// The user's symbol for the source of a frozen prefetch.
    ir::Symbol users_source(const ir::Symbol &source) const;
};

} // namespace fluorite::language
