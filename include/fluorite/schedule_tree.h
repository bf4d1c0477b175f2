#pragma once
// ScheduleTree: a schedule as the tree of its loops, and the ten operators that lead from one legal tree to another.
//
// After the seventh chapter of J. Ragan-Kelley, "Decoupling Algorithms from the Organization of Computation for High
// Performance Image Processing" (MIT, 2014), with updates, tails and reductions added. docs/guides/schedules.md shows
// it.

#include "fluorite/require_cxx20.h"

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
/// text. An operator that cannot be used throws CompileError [illegal-tree-step] with the reason.
class ScheduleTree {
  public:
    explicit ScheduleTree(std::shared_ptr<const schedule::Tree> tree) : tree_(std::move(tree)) {}

    /// One line a node, children indented.
    std::string text() const;
    /// A picture that needs no other file.
    std::string svg() const;
    void save_svg(const std::string &path, const Location &location = std::source_location::current()) const;
    /// The directives that make this tree; Pipeline::apply() takes them.
    Schedule schedule() const;
    bool operator==(const ScheduleTree &other) const;

    // ---- The order of a stage's loops.
    /// loop var  -->  loop outer { loop inner }, and what was in var is in inner. Of a fused loop, with the two names
    /// that it was
    /// made of and a factor of 0: takes it apart again.
    ScheduleTree split(const std::string &stage, const std::string &var, const std::string &outer,
                       const std::string &inner, int factor, TailStrategy tail = TailStrategy::Auto,
                       const Location &location = std::source_location::current()) const;
    /// loop outer { loop inner }  -->  loop fused. Two parts of one split, under the name that was split, become it
    /// again.
    ScheduleTree fuse(const std::string &stage, const std::string &inner, const std::string &outer,
                      const std::string &fused, const Location &location = std::source_location::current()) const;
    /// The named loops, innermost first, trade places; kinds of loops and what lies inside them stay where they are.
    ScheduleTree reorder(const std::string &stage, const std::vector<std::string> &vars,
                         const Location &location = std::source_location::current()) const;
    ScheduleTree loop_type(const std::string &stage, const std::string &var, ForType type,
                           const Location &location = std::source_location::current()) const;

    // ---- Where Funcs are computed and stored.
    /// One level outward, not past the storage of the Func.
    ScheduleTree hoist_compute(const std::string &func,
                               const Location &location = std::source_location::current()) const;
    /// One level inward, towards the uses, where one level holds them all.
    ScheduleTree lower_compute(const std::string &func,
                               const Location &location = std::source_location::current()) const;
    ScheduleTree hoist_storage(const std::string &func,
                               const Location &location = std::source_location::current()) const;
    /// One level inward, not past where the Func is computed.
    ScheduleTree lower_storage(const std::string &func,
                               const Location &location = std::source_location::current()) const;
    /// Computed where it is read; its loops are forgotten. Nothing else may be placed in them.
    ScheduleTree inline_func(const std::string &func, const Location &location = std::source_location::current()) const;
    /// Stored and computed at the innermost level that holds all uses, with default loops.
    ScheduleTree deinline(const std::string &func, const Location &location = std::source_location::current()) const;

    /// All but the outputs inlined, loops in their first order, all serial.
    ScheduleTree default_tree() const;
    /// A legal tree up to `steps` random operators from here; the same for the same seed. Splits of outputs and of what
    /// reads inputs are guarded, so that it runs for every size.
    ScheduleTree random_walk(uint64_t seed, int steps) const;

  private:
    std::shared_ptr<const schedule::Tree> tree_;

    ScheduleTree after(const schedule::TreeStep &step, const Location &location) const;
};

} // namespace fluorite
