#pragma once
// Stage: one definition of a Func, with all directives on its loops.

#include "fluorite/loop_directives.h"

namespace fluorite {

/// The pure definition (index 0) or an update of a Func. `f(x) = ...`, `f(x) += ...` and f.update(i) give one.
class Stage : public detail::LoopDirectives<Stage> {
  public:
    using LoopDirectives::LoopDirectives;

    /// `f` for the pure definition, `f.update(k)` for updates.
    std::string name() const;
    int index() const { return stage_index(); }
    /// The loops, innermost first, as the schedule stands.
    std::vector<std::string> loops() const;
};

} // namespace fluorite
