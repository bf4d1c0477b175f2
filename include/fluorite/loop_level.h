#pragma once
// LoopLevel: a position in the loop nest where a Func can be computed or stored.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/ref.h"
#include "fluorite/var.h"

#include <iosfwd>
#include <memory>
#include <string>

namespace fluorite {

class Func;

namespace language {
struct LevelState;
}

/// Inside a loop of a Func's stage, outside all loops (root), or nowhere (inlined). Copies share their value, so a
/// level can be used first and set later: everything scheduled with it follows.
class LoopLevel {
  public:
    /// An unset level. It must be set() before a pipeline that uses it is compiled (CompileError
    /// [undefined-loop-level]).
    LoopLevel(const Location &location = Location::current()); // NOLINT(google-explicit-constructor)
    /// Inside the loop over `var` of the Func, in the given stage. A negative stage means the one that uses the Func
    /// placed there.
    LoopLevel(const Func &func, const VarOrRVar &var, detail::Integer stage = -1);
    // Copies only: what is moved from is the same level still.
    LoopLevel(const LoopLevel &) = default;
    LoopLevel &operator=(const LoopLevel &) = default;
    /// The level of a Func that is computed where it is read, and the one outside of all loops.
    static LoopLevel inlined(const Location &location = Location::current());
    static LoopLevel root(const Location &location = Location::current());

    /// Sets this level and all its copies to the value of another.
    LoopLevel &set(const LoopLevel &other);

    /// This level: what it is set to is read when a pipeline is compiled, so there is nothing to lock.
    const LoopLevel &lock() const { return *this; }

    /// Whether it is set, and to which of the levels that are no loops.
    bool defined() const;
    bool is_inlined() const;
    bool is_root() const;
    /// The names of the Func and its loop; empty for root and inlined.
    std::string func_name() const;
    std::string var_name() const;
    std::string func() const { return func_name(); }
    /// The loop, whether it is named by an RVar, and the stage: -1 for the one that uses the Func placed there.
    VarOrRVar var() const;
    bool is_rvar() const;
    int get_stage_index() const;
    int stage_index() const { return get_stage_index(); }
    /// `inlined`, `root`, `undefined`, `f.x`, or `f.update(0).x` where a stage is named.
    std::string to_string() const;
    /// The location where it was created.
    const Location &location() const { return location_; }
    const std::shared_ptr<language::LevelState> &state() const { return state_; }

    bool operator==(const LoopLevel &other) const;
    bool operator!=(const LoopLevel &other) const { return !(*this == other); }

  private:
    std::shared_ptr<language::LevelState> state_;
    Location location_;
};

/// Prints to_string().
std::ostream &operator<<(std::ostream &stream, const LoopLevel &level);

} // namespace fluorite
