#pragma once
// ScheduleTree: a schedule as the tree of its loops, and the ten operators that transform one legal tree into another.
//
// After the seventh chapter of J. Ragan-Kelley, "Decoupling Algorithms from the Organization of Computation for High
// Performance Image Processing" (MIT, 2014), with updates, tails and reductions added. docs/guides/schedules.md shows
// examples.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/schedule.h"
#include "fluorite/schedule_types.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite {

namespace schedule {
struct Tree;
struct TreeStep;
} // namespace schedule

/// An immutable legal tree; copies share it. Stages are named `f` and `f.update(0)`, Funcs and loops as in Schedule's
/// text. An operator that does not apply throws CompileError [illegal-tree-step] with the reason.
class ScheduleTree {
  public:
    /// Of a tree that the library has made; Pipeline::schedule_tree() returns one.
    explicit ScheduleTree(std::shared_ptr<const schedule::Tree> tree) : tree_(std::move(tree)) {}
    // Copies only: what is moved from is the same tree still.
    ScheduleTree(const ScheduleTree &) = default;
    ScheduleTree &operator=(const ScheduleTree &) = default;

    /// One line per node, children indented.
    std::string text() const;
    /// A self-contained SVG picture.
    std::string svg() const;
    /// Writes svg() to a file. Throws CompileError [schedule-file] where that fails.
    void save_svg(const std::string &path, const Location &location = Location::current()) const;
    /// The directives that produce this tree, as input of Pipeline::apply().
    Schedule schedule() const;
    bool operator==(const ScheduleTree &other) const;
    bool operator!=(const ScheduleTree &other) const { return !(*this == other); }

    // ---- The order of a stage's loops.
    /// loop var  -->  loop outer { loop inner }, with the former contents of var in inner. For a fused loop, with the
    /// names of its two former loops and a factor of 0, undoes the fusion.
    ScheduleTree split(const std::string &stage, const std::string &var, const std::string &outer,
                       const std::string &inner, int factor, TailStrategy tail = TailStrategy::Auto,
                       const Location &location = Location::current()) const;
    /// loop outer { loop inner }  -->  loop fused. Fusing both loops of one split under the name of the loop that was
    /// split undoes the split.
    ScheduleTree fuse(const std::string &stage, const std::string &inner, const std::string &outer,
                      const std::string &fused, const Location &location = Location::current()) const;
    /// Permutes the named loops, innermost first; kinds of loops and their contents keep their positions.
    ScheduleTree reorder(const std::string &stage, const std::vector<std::string> &vars,
                         const Location &location = Location::current()) const;
    /// Changes how the iterations of a loop run: serial, parallel, vectorized or unrolled.
    ScheduleTree loop_type(const std::string &stage, const std::string &var, ForType type,
                           const Location &location = Location::current()) const;

    // ---- Where Funcs are computed and stored.
    /// Moves the computation one level outward, not past the storage of the Func.
    ScheduleTree hoist_compute(const std::string &func, const Location &location = Location::current()) const;
    /// Moves the computation one level inward, towards the uses, if one level contains them all.
    ScheduleTree lower_compute(const std::string &func, const Location &location = Location::current()) const;
    /// Moves the storage one level outward: values are kept for longer, and windows may slide.
    ScheduleTree hoist_storage(const std::string &func, const Location &location = Location::current()) const;
    /// Moves the storage one level inward, not past the computation of the Func.
    ScheduleTree lower_storage(const std::string &func, const Location &location = Location::current()) const;
    /// Computes the Func where it is read and drops its loops, which must contain no other Func.
    ScheduleTree inline_func(const std::string &func, const Location &location = Location::current()) const;
    /// Stores and computes the Func at the innermost level that contains all uses, with default loops.
    ScheduleTree deinline(const std::string &func, const Location &location = Location::current()) const;

    /// All Funcs but the outputs inlined, loops in their initial order, all serial.
    ScheduleTree default_tree() const;
    /// A legal tree up to `steps` random operators away, deterministic in the seed. Splits of outputs and of Funcs that
    /// read inputs are guarded, so that the result runs for every size.
    ScheduleTree random_walk(uint64_t seed, int steps, const Location &location = Location::current()) const;

  private:
    std::shared_ptr<const schedule::Tree> tree_;

    ScheduleTree after(const schedule::TreeStep &step, const Location &location) const;
};

} // namespace fluorite
