#pragma once
// The directives on loops, shared by Func (its pure definition) and Stage (any definition).
//
// Each directive is checked when it is called: misuse throws CompileError with the line of the call. docs/directives
// has a page for each, with the loops before and after.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"
#include "fluorite/ref.h"
#include "fluorite/schedule_types.h"
#include "fluorite/var.h"

#include <string>
#include <utility>
#include <vector>

namespace fluorite {
class LoopLevel;
class Stage;
namespace schedule {
struct StageRef;
}
class Func;
class OutputImageParam;
class Parameter;
} // namespace fluorite

namespace fluorite::detail {

/// A definition of a Func, and the edits of its schedule: one function per directive, without chaining.
class StageHandle {
  public:
    StageHandle(Ref<language::Function> function, int stage, std::vector<int> variant = {})
        : function_(std::move(function)), stage_(stage), variant_(std::move(variant)) {}
    // Copies only: what is moved from is a handle to the same definition still.
    StageHandle(const StageHandle &) = default;
    StageHandle &operator=(const StageHandle &) = default;

    /// The Func, and which of its definitions this is: 0 for the pure one, k for update k - 1.
    const Ref<language::Function> &function() const { return function_; }
    int stage_index() const { return stage_; }
    /// The path of specializations of the stage, outermost first; empty for the stage itself.
    const std::vector<int> &variant() const { return variant_; }

  protected:
    void edit_split(const VarOrRVar &old, const VarOrRVar &outer, const VarOrRVar &inner, const LocatedExpr &factor,
                    TailStrategy tail);
    void edit_fuse(const VarOrRVar &inner, const VarOrRVar &outer, const VarOrRVar &fused);
    void edit_skew(const VarOrRVar &old, const VarOrRVar &by, const VarOrRVar &skewed, const LocatedExpr &factor);
    void edit_rename(const VarOrRVar &old, const VarOrRVar &renamed);
    void edit_reorder(const std::vector<VarOrRVar> &vars, const Location &location);
    void edit_for_type(const VarOrRVar &var, ForType type);
    void edit_device(const std::vector<VarOrRVar> &vars, ForType type, DeviceAPI api);
    void edit_gpu_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &blocks,
                       const std::vector<VarOrRVar> &threads, const std::vector<Expr> &sizes, TailStrategy tail,
                       DeviceAPI api);
    void edit_single_thread(DeviceAPI api, const Location &location);
    void refuse_api(const char *directive, DeviceAPI api, const Location &location) const;
    void edit_partition(const std::vector<VarOrRVar> &vars, Partition partition, const char *directive);
    void edit_partition_all(Partition partition, const char *directive, const Location &location);
    void edit_split_and_mark(const VarOrRVar &var, const VarOrRVar &inner, const LocatedExpr &factor, ForType type,
                             TailStrategy tail);
    void edit_vectorize(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail);
    void edit_unroll(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail);
    void edit_parallel(const VarOrRVar &var, const LocatedExpr &task_size, TailStrategy tail);
    void edit_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                   const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors, TailStrategy tail,
                   const Location &location);
    void edit_tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                   const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors,
                   const std::vector<TailStrategy> &tails, const Location &location);
    void edit_distribute(const std::vector<VarOrRVar> &vars, const std::vector<Expr> &parts, const Location &location);
    void edit_allow_race_conditions(const Location &location);
    void edit_atomic(bool override_associativity_test, const Location &location);
    void edit_unscheduled(const Location &location);
    void edit_compute_with(const LoopLevel &level, const std::vector<LoopAlignStrategy> &align);
    void edit_compute_with(const LoopLevel &level, const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align);
    void edit_compute_with(const StageHandle &with, const VarOrRVar &var,
                           const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align);
    void edit_compute_with(const StageHandle &with, const VarOrRVar &var, LoopAlignStrategy align);
    int edit_specialize(const LocatedExpr &condition);
    void edit_specialize_fail(const std::string &message, const Location &location);
    schedule::StageRef ref(const Location &location) const;
    void edit_prefetch(const Func &source, const VarOrRVar &at, const VarOrRVar &from, const LocatedExpr &offset,
                       PrefetchBoundStrategy strategy);
    void edit_prefetch(const Parameter &source, const VarOrRVar &at, const VarOrRVar &from, const LocatedExpr &offset,
                       PrefetchBoundStrategy strategy);
    void edit_prefetch(const OutputImageParam &source, const VarOrRVar &at, const VarOrRVar &from,
                       const LocatedExpr &offset, PrefetchBoundStrategy strategy);
    [[noreturn]] void refuse_device(const char *directive, const Location &location) const;

    Ref<language::Function> function_;
    int stage_;
    std::vector<int> variant_;
};

template <typename Derived> class LoopDirectives : public StageHandle {
  public:
    using StageHandle::StageHandle;

    /// Replaces the loop over `old` by loops over `outer` and, inside it, `inner` of extent `factor`.
    Derived &split(const VarOrRVar &old, const VarOrRVar &outer, const VarOrRVar &inner, const LocatedExpr &factor,
                   TailStrategy tail = TailStrategy::Auto) {
        edit_split(old, outer, inner, factor, tail);
        return self();
    }
    /// Fuses two adjacent loops into one over all pairs.
    Derived &fuse(const VarOrRVar &inner, const VarOrRVar &outer, const VarOrRVar &fused) {
        edit_fuse(inner, outer, fused);
        return self();
    }
    /// Replaces the loop over `old` by one over `skewed` = old + factor * by inside of the loop over `by`, which stays.
    /// Iterations of `by` inside of it are then those of one diagonal. The factor is a constant integer other than 0.
    Derived &skew(const VarOrRVar &old, const VarOrRVar &by, const VarOrRVar &skewed, const LocatedExpr &factor = 1) {
        edit_skew(old, by, skewed, factor);
        return self();
    }
    /// Renames a loop.
    Derived &rename(const VarOrRVar &old, const VarOrRVar &renamed) {
        edit_rename(old, renamed);
        return self();
    }
    /// Orders the named loops, innermost first; other loops keep their positions.
    Derived &reorder(const std::vector<VarOrRVar> &vars, const Location &location = Location::current()) {
        edit_reorder(vars, location);
        return self();
    }
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, VarOrRVar> && ...), int> = 0>
    Derived &reorder(const VarOrRVar &first, const VarOrRVar &second, const Rest &...rest) {
        edit_reorder({first, second, VarOrRVar(rest)...}, first.location());
        return self();
    }
    /// Splits `x` and `y` and orders the four loops as xi, yi, xo, yo (innermost first).
    Derived &tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &xo, const VarOrRVar &yo, const VarOrRVar &xi,
                  const VarOrRVar &yi, const LocatedExpr &x_factor, const LocatedExpr &y_factor,
                  TailStrategy tail = TailStrategy::Auto) {
        edit_tile({x, y}, {xo, yo}, {xi, yi}, {x_factor.expr, y_factor.expr}, tail, x.location());
        return self();
    }
    /// As above; the outer loops keep the names x and y.
    Derived &tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &xi, const VarOrRVar &yi,
                  const LocatedExpr &x_factor, const LocatedExpr &y_factor, TailStrategy tail = TailStrategy::Auto) {
        edit_tile({x, y}, {x, y}, {xi, yi}, {x_factor.expr, y_factor.expr}, tail, x.location());
        return self();
    }
    /// Tiling of any rank.
    Derived &tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                  const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors,
                  TailStrategy tail = TailStrategy::Auto, const Location &location = Location::current()) {
        edit_tile(previous, outers, inners, factors, tail, location);
        return self();
    }
    Derived &tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &outers,
                  const std::vector<VarOrRVar> &inners, const std::vector<Expr> &factors,
                  const std::vector<TailStrategy> &tails, const Location &location = Location::current()) {
        edit_tile(previous, outers, inners, factors, tails, location);
        return self();
    }
    Derived &tile(const std::vector<VarOrRVar> &previous, const std::vector<VarOrRVar> &inners,
                  const std::vector<Expr> &factors, TailStrategy tail = TailStrategy::Auto,
                  const Location &location = Location::current()) {
        edit_tile(previous, previous, inners, factors, tail, location);
        return self();
    }
    /// Runs the loop's iterations sequentially (the default).
    Derived &serial(const VarOrRVar &var) {
        edit_for_type(var, ForType::Serial);
        return self();
    }
    /// Runs the loop's iterations in parallel on all threads.
    Derived &parallel(const VarOrRVar &var) {
        edit_for_type(var, ForType::Parallel);
        return self();
    }
    /// As above, with `task_size` iterations per task.
    Derived &parallel(const VarOrRVar &var, const LocatedExpr &task_size, TailStrategy tail = TailStrategy::Auto) {
        edit_parallel(var, task_size, tail);
        return self();
    }
    /// Computes all iterations of a loop of constant extent as one vector.
    Derived &vectorize(const VarOrRVar &var) {
        edit_for_type(var, ForType::Vectorized);
        return self();
    }
    /// Splits by `factor` and vectorizes the inner loop.
    Derived &vectorize(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail = TailStrategy::Auto) {
        edit_vectorize(var, factor, tail);
        return self();
    }
    /// As above, and names the inner loop.
    Derived &vectorize(const VarOrRVar &var, const VarOrRVar &inner, const LocatedExpr &factor,
                       TailStrategy tail = TailStrategy::Auto) {
        edit_split_and_mark(var, inner, factor, ForType::Vectorized, tail);
        return self();
    }
    /// Unrolls a loop of constant extent completely.
    Derived &unroll(const VarOrRVar &var) {
        edit_for_type(var, ForType::Unrolled);
        return self();
    }
    Derived &unroll(const VarOrRVar &var, const LocatedExpr &factor, TailStrategy tail = TailStrategy::Auto) {
        edit_unroll(var, factor, tail);
        return self();
    }
    Derived &unroll(const VarOrRVar &var, const VarOrRVar &inner, const LocatedExpr &factor,
                    TailStrategy tail = TailStrategy::Auto) {
        edit_split_and_mark(var, inner, factor, ForType::Unrolled, tail);
        return self();
    }
    /// Sets whether the loop is split into boundary and interior pieces.
    Derived &partition(const VarOrRVar &var, Partition policy) {
        edit_partition({var}, policy, "partition");
        return self();
    }
    /// partition with Partition::Never, or Partition::Always, for these loops, or for all loops of the stage.
    Derived &never_partition(const std::vector<VarOrRVar> &vars) {
        edit_partition(vars, Partition::Never, "never_partition");
        return self();
    }
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, VarOrRVar> && ...), int> = 0>
    Derived &never_partition(const VarOrRVar &first, const Rest &...rest) {
        edit_partition({first, VarOrRVar(rest)...}, Partition::Never, "never_partition");
        return self();
    }
    Derived &never_partition_all(const Location &location = Location::current()) {
        edit_partition_all(Partition::Never, "never_partition_all", location);
        return self();
    }
    Derived &always_partition(const std::vector<VarOrRVar> &vars) {
        edit_partition(vars, Partition::Always, "always_partition");
        return self();
    }
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, VarOrRVar> && ...), int> = 0>
    Derived &always_partition(const VarOrRVar &first, const Rest &...rest) {
        edit_partition({first, VarOrRVar(rest)...}, Partition::Always, "always_partition");
        return self();
    }
    Derived &always_partition_all(const Location &location = Location::current()) {
        edit_partition_all(Partition::Always, "always_partition_all", location);
        return self();
    }
    /// In each iteration of loop `at`, prefetches into the caches what iteration `from + offset` will read of the Func
    /// or ImageParam. `from` is `at` or a loop around it.
    Derived &prefetch(const Func &source, const VarOrRVar &at, const VarOrRVar &from, const LocatedExpr &offset = 1,
                      PrefetchBoundStrategy strategy = PrefetchBoundStrategy::GuardWithIf) {
        edit_prefetch(source, at, from, offset, strategy);
        return self();
    }
    Derived &prefetch(const Parameter &source, const VarOrRVar &at, const VarOrRVar &from,
                      const LocatedExpr &offset = 1,
                      PrefetchBoundStrategy strategy = PrefetchBoundStrategy::GuardWithIf) {
        edit_prefetch(source, at, from, offset, strategy);
        return self();
    }
    Derived &prefetch(const OutputImageParam &source, const VarOrRVar &at, const VarOrRVar &from,
                      const LocatedExpr &offset = 1,
                      PrefetchBoundStrategy strategy = PrefetchBoundStrategy::GuardWithIf) {
        edit_prefetch(source, at, from, offset, strategy);
        return self();
    }
    /// Gives each rank of a distributed run a contiguous part of the loop (see docs/directives/distribute.md). The loop
    /// runs over a dimension of the Func, or is the outer part of splits of such a loop.
    Derived &distribute(const VarOrRVar &var) {
        edit_distribute({var}, {}, var.location());
        return self();
    }
    /// Gives each rank a part of both loops: of a grid of p x q ranks, rank r has part r % p of `x` and part r / p of
    /// `y`. The numbers are ints or expressions of Params. Ranks beyond the grid compute nothing.
    Derived &distribute(const VarOrRVar &x, const VarOrRVar &y, const LocatedExpr &p, const LocatedExpr &q) {
        edit_distribute({x, y}, {p.expr, q.expr}, x.location());
        return self();
    }
    /// As above for three loops, of a grid of p x q x r ranks.
    Derived &distribute(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z, const LocatedExpr &p,
                        const LocatedExpr &q, const LocatedExpr &r) {
        edit_distribute({x, y, z}, {p.expr, q.expr, r.expr}, x.location());
        return self();
    }
    /// As above; the grid is chosen when the pipeline runs, so that no rank idles: 10 ranks give 2 x 5.
    Derived &distribute(const VarOrRVar &x, const VarOrRVar &y) {
        edit_distribute({x, y}, {}, x.location());
        return self();
    }
    Derived &distribute(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z) {
        edit_distribute({x, y, z}, {}, x.location());
        return self();
    }
    /// As above for any number of loops. `parts` has one number for each, or none.
    Derived &distribute(const std::vector<VarOrRVar> &vars, const std::vector<Expr> &parts = {},
                        const Location &location = Location::current()) {
        edit_distribute(vars, parts, location);
        return self();
    }
    /// Promises that racing iterations are harmless.
    Derived &allow_race_conditions(const Location &location = Location::current()) {
        edit_allow_race_conditions(location);
        return self();
    }
    /// Computes the stage in the loops of another one, from the outermost down to `var`, which both must have. The
    /// result is one nest, whose innermost shared loop runs the other stage's iteration first and then this one's. See
    /// docs/directives/compute_with.md.
    template <typename Other>
    Derived &compute_with(const LoopDirectives<Other> &with, const VarOrRVar &var,
                          LoopAlignStrategy align = LoopAlignStrategy::Auto) {
        edit_compute_with(with, var, align);
        return self();
    }
    /// As above, with an alignment for some of the shared loops; the others are not aligned.
    template <typename Other>
    Derived &compute_with(const LoopDirectives<Other> &with, const VarOrRVar &var,
                          const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align) {
        edit_compute_with(with, var, align);
        return self();
    }
    Derived &compute_with(const LoopLevel &level, LoopAlignStrategy align = LoopAlignStrategy::Auto) {
        edit_compute_with(level, std::vector<LoopAlignStrategy>{align});
        return self();
    }
    Derived &compute_with(const LoopLevel &level, const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> &align) {
        edit_compute_with(level, align);
        return self();
    }
    /// Adds another schedule of the stage for the case that the condition holds, initially a copy of the present one,
    /// and returns it as a Stage. The condition is over Params and sizes of buffers. Conditions are tested in the order
    /// of the calls. See docs/directives/specialize.md.
    Stage specialize(const LocatedExpr &condition);
    /// If no earlier condition holds, the pipeline fails with the message. No further specialization can follow.
    Derived &specialize_fail(const std::string &message, const Location &location = Location::current()) {
        edit_specialize_fail(message, location);
        return self();
    }
    /// Declares that this stage keeps its default loops on purpose; refused if a directive is applied to it.
    Derived &unscheduled(const Location &location = Location::current()) {
        edit_unscheduled(location);
        return self();
    }
    /// Makes updates of one point atomic, so that RVar loops may run in parallel. The update must commute, or the
    /// caller takes responsibility for the order (`override_associativity_test`).
    template <typename Flag = bool, std::enable_if_t<std::is_same_v<Flag, bool>, int> = 0>
    Derived &atomic(Flag override_associativity_test = false, const Location &location = Location::current()) {
        edit_atomic(override_associativity_test, location);
        return self();
    }

    // ---- Loops over the blocks and threads of a GPU. What is inside of the loops over blocks becomes a kernel; loops
    // over threads inside of them, of all stages that are computed there, are the threads of a block. Inner loops come
    // first, as in reorder(). Code for a target without a GPU refuses them: CompileError [not-built]. A pipeline runs
    // on the device that its target names, whether a loop names CUDA, OpenCL or neither; other APIs are refused.

    /// Runs the iterations of the loops as the blocks of a grid.
    Derived &gpu_blocks(const VarOrRVar &x, DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x}, ForType::GPUBlock, api);
        return self();
    }
    Derived &gpu_blocks(const VarOrRVar &x, const VarOrRVar &y, DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x, y}, ForType::GPUBlock, api);
        return self();
    }
    Derived &gpu_blocks(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z,
                        DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x, y, z}, ForType::GPUBlock, api);
        return self();
    }
    /// Runs the iterations of the loops as the threads of a block.
    Derived &gpu_threads(const VarOrRVar &x, DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x}, ForType::GPUThread, api);
        return self();
    }
    Derived &gpu_threads(const VarOrRVar &x, const VarOrRVar &y, DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x, y}, ForType::GPUThread, api);
        return self();
    }
    Derived &gpu_threads(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z,
                         DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x, y, z}, ForType::GPUThread, api);
        return self();
    }
    /// Runs the iterations of the loop as threads of one warp.
    Derived &gpu_lanes(const VarOrRVar &x, DeviceAPI api = DeviceAPI::Default_GPU) {
        edit_device({x}, ForType::GPULane, api);
        return self();
    }
    /// Runs all loops of the stage, serially, on one thread of one block. For stages without loops, and for updates
    /// that finish what many threads have begun.
    Derived &gpu_single_thread(DeviceAPI api = DeviceAPI::Default_GPU, const Location &location = Location::current()) {
        edit_single_thread(api, location);
        return self();
    }
    /// gpu_blocks of the first half of the loops, and gpu_threads of the second.
    Derived &gpu(const VarOrRVar &block_x, const VarOrRVar &thread_x, DeviceAPI api = DeviceAPI::Default_GPU) {
        return gpu_blocks(block_x, api).gpu_threads(thread_x, api);
    }
    Derived &gpu(const VarOrRVar &block_x, const VarOrRVar &block_y, const VarOrRVar &thread_x,
                 const VarOrRVar &thread_y, DeviceAPI api = DeviceAPI::Default_GPU) {
        return gpu_blocks(block_x, block_y, api).gpu_threads(thread_x, thread_y, api);
    }
    Derived &gpu(const VarOrRVar &block_x, const VarOrRVar &block_y, const VarOrRVar &block_z,
                 const VarOrRVar &thread_x, const VarOrRVar &thread_y, const VarOrRVar &thread_z,
                 DeviceAPI api = DeviceAPI::Default_GPU) {
        return gpu_blocks(block_x, block_y, block_z, api).gpu_threads(thread_x, thread_y, thread_z, api);
    }
    /// Splits each loop by its size, brings the inner parts together, and makes the outer ones blocks and the inner
    /// ones threads. Without names of outer parts these keep the names of the loops.
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &bx, const VarOrRVar &tx, const LocatedExpr &x_size,
                      TailStrategy tail = TailStrategy::Auto, DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x}, {bx}, {tx}, {x_size.expr}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &tx, const LocatedExpr &x_size,
                      TailStrategy tail = TailStrategy::Auto, DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x}, {x}, {tx}, {x_size.expr}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &bx, const VarOrRVar &by,
                      const VarOrRVar &tx, const VarOrRVar &ty, const LocatedExpr &x_size, const LocatedExpr &y_size,
                      TailStrategy tail = TailStrategy::Auto, DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y}, {bx, by}, {tx, ty}, {x_size.expr, y_size.expr}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &tx, const VarOrRVar &ty,
                      const LocatedExpr &x_size, const LocatedExpr &y_size, TailStrategy tail = TailStrategy::Auto,
                      DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y}, {x, y}, {tx, ty}, {x_size.expr, y_size.expr}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z, const VarOrRVar &bx,
                      const VarOrRVar &by, const VarOrRVar &bz, const VarOrRVar &tx, const VarOrRVar &ty,
                      const VarOrRVar &tz, const LocatedExpr &x_size, const LocatedExpr &y_size,
                      const LocatedExpr &z_size, TailStrategy tail = TailStrategy::Auto,
                      DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y, z}, {bx, by, bz}, {tx, ty, tz}, {x_size.expr, y_size.expr, z_size.expr}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z, const VarOrRVar &tx,
                      const VarOrRVar &ty, const VarOrRVar &tz, const LocatedExpr &x_size, const LocatedExpr &y_size,
                      const LocatedExpr &z_size, TailStrategy tail = TailStrategy::Auto,
                      DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y, z}, {x, y, z}, {tx, ty, tz}, {x_size.expr, y_size.expr, z_size.expr}, tail, api);
    }

    /// The spelling of 2014: threads without names, which Var::gpu_threads() stands for.
    Derived &gpu_tile(const VarOrRVar &x, int x_size, TailStrategy tail = TailStrategy::Auto,
                      DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x}, {x}, {thread_of(x)}, {x_size}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, int x_size, int y_size,
                      TailStrategy tail = TailStrategy::Auto, DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y}, {x, y}, {thread_of(x), thread_of(y)}, {x_size, y_size}, tail, api);
    }
    Derived &gpu_tile(const VarOrRVar &x, const VarOrRVar &y, const VarOrRVar &z, int x_size, int y_size, int z_size,
                      TailStrategy tail = TailStrategy::Auto, DeviceAPI api = DeviceAPI::Default_GPU) {
        return tile_device({x, y, z}, {x, y, z}, {thread_of(x), thread_of(y), thread_of(z)}, {x_size, y_size, z_size},
                           tail, api);
    }

    // ---- Directives that exist so that programs that select by target compile, and throw CompileError [not-built].
    /// Throws CompileError [not-built].
    Derived &hexagon(const VarOrRVar &first) { refuse_device("hexagon", first.location()); }
    Derived &hexagon(const Location &location = Location::current()) { refuse_device("hexagon", location); }

  private:
    Derived &self() { return static_cast<Derived &>(*this); }
    static VarOrRVar thread_of(const VarOrRVar &loop) { return {loop.name() + "_thread", loop.is_rvar()}; }
    Derived &tile_device(const std::vector<VarOrRVar> &loops, const std::vector<VarOrRVar> &blocks,
                         const std::vector<VarOrRVar> &threads, const std::vector<Expr> &sizes, TailStrategy tail,
                         DeviceAPI api) {
        edit_gpu_tile(loops, blocks, threads, sizes, tail, api);
        return self();
    }
};

} // namespace fluorite::detail
