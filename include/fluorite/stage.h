#pragma once
// Stage: one definition of a Func, with all directives on its loops.

#include "fluorite/require_cxx17.h"

#include "fluorite/loop_directives.h"

#include <string>
#include <utility>
#include <vector>

namespace fluorite {

class Func;

/// What Stage::get_schedule() gives: a copy, which later directives do not change.
class StageSchedule {
  public:
    struct Dim {
        std::string var;
    };
    struct ReductionVariable {
        std::string var;
        Expr min, extent;
    };
    /// Of loops and reduction variables.
    StageSchedule(std::vector<Dim> dims, std::vector<ReductionVariable> rvars)
        : dims_(std::move(dims)), rvars_(std::move(rvars)) {}
    /// The loops of the current schedule, innermost first, behind which there is one named `__outermost`.
    const std::vector<Dim> &dims() const { return dims_; }
    /// The reduction variables of the definition, dimension 0 first.
    const std::vector<ReductionVariable> &rvars() const { return rvars_; }

  private:
    std::vector<Dim> dims_;
    std::vector<ReductionVariable> rvars_;
};

/// The pure definition (index 0) or an update of a Func. `f(x) = ...`, `f(x) += ...` and f.update(i) return one.
class Stage : public detail::LoopDirectives<Stage> {
  public:
    using LoopDirectives::LoopDirectives;

    /// `f` for the pure definition, `f.update(k)` for updates.
    std::string name() const;
    /// 0 for the pure definition, k + 1 for update k.
    int index() const { return stage_index(); }
    /// The loops of the current schedule, innermost first.
    std::vector<std::string> loops() const;

    /// `Vars: x.xi x.x y __outermost` and a line break: the loops, innermost first.
    std::string dump_argument_list() const;

    /// The loops and reduction variables by name, for programs that schedule what they did not write:
    /// `Var x(f.get_schedule().dims()[0].var)`.
    StageSchedule get_schedule() const;

    /// Splits the reduction into partial ones, one for each iteration of the loop over `rvar`. The returned Func holds
    /// the partial results along its dimension `var`, and this update combines them. See docs/directives/rfactor.md.
    Func rfactor(const VarOrRVar &rvar, const Var &var);
    /// As above for several loops, each with its own dimension.
    Func rfactor(const std::vector<std::pair<RVar, Var>> &preserved, const Location &location = Location::current());
};

template <typename Derived> Stage detail::LoopDirectives<Derived>::specialize(const LocatedExpr &condition) {
    std::vector<int> variant = variant_;
    variant.push_back(edit_specialize(condition));
    return Stage(function_, stage_, std::move(variant));
}

} // namespace fluorite
