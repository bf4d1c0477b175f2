#pragma once
// Code that is profiled: marks in its functions, and an entry that runs them as an instance of the profiler.

#include "ir/graph.h"
#include "ir/lowered.h"
#include "lowering/lower.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::lowering {

/// The Funcs of a module, by name: those of all its parts (lower/iterate). Numbers are those of the profiler.
class ProfiledFuncs {
  public:
    explicit ProfiledFuncs(Profiling profiling) : profiling(profiling) {}
    const Profiling profiling;

    /// The number of a Func, which is new if it was not asked for before.
    int number_of(const std::string &name);
    /// How many points a production of a Func computes: a number; or what counts them. Returns whether this is how all
    /// productions of the Func are noted.
    static constexpr int64_t counted = 0, unknown = -1;
    bool note_points(int number, int64_t points);
    /// A function allocates so many bytes on the stack for the Func at one time.
    void note_stack(int number, int64_t bytes);
    /// The lines of a description that list the Funcs (fluorite/runtime/profile.h).
    std::string lines() const;

  private:
    struct Func {
        std::string name;
        int64_t stack = 0;
        std::optional<int64_t> points = {}; // of a production; or counted or unknown
    };
    std::vector<Func> funcs_;
    std::map<std::string, int> numbers_;
};

/// Marks in the functions of the host which Func is computed, and what memory it gets. `graph` is that of the module.
ir::LoweredModule mark_profile(ir::LoweredModule module, const ir::Graph &graph, ProfiledFuncs &funcs);
/// Makes the entry a callee, and a new entry that runs it. Precondition: all functions are marked.
ir::LoweredModule run_profiled(ir::LoweredModule module, const ProfiledFuncs &funcs);

} // namespace fluorite::lowering
