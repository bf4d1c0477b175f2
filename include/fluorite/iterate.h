#pragma once
// iterate: a Func whose values result from applying a pipeline again and again, as in time steps of a simulation,
// sweeps of a solver, or generations of a cellular automaton.

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"
#include "fluorite/image_param.h"
#include "fluorite/schedule_types.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite {

namespace language {
struct Iteration;
void retain(const Iteration *iteration) noexcept;
void release(const Iteration *iteration) noexcept;
} // namespace language

/// What the body of an iteration reads: the fields after the steps so far. Each is an image over the domain, so it can
/// be called, and given to boundary conditions and stencils, like an ImageParam. Reads outside the domain are errors.
struct IterationStep {
    std::vector<ImageParam> fields; // after step t, one for each value of the initial Func
    std::vector<ImageParam> before; // after step t - 1; empty without IterateOptions::before
    Expr t;                         // the index of the step, from 0: Int32
    Region domain;                  // as the fields' own min and extent, innermost first

    /// Field i, and the same one step earlier. Throws CompileError [iterate-no-field] if there is none.
    const ImageParam &field(const LocatedIndex &i = LocatedIndex(0)) const;
    const ImageParam &past(const LocatedIndex &i = LocatedIndex(0)) const;
};

/// Defines the fields after one step, over the domain: a Func of as many values, types and dimensions as the initial
/// Func. It may call any Func, Param and input; it may also iterate.
using IterationBody = std::function<Func(const IterationStep &)>;

struct IterateOptions {
    /// The fields at step -1. With them, a step reads two past steps (leapfrog). Undefined: it reads one.
    Func before;
    /// Ends the iteration early: gets the step and the Func that the body returned for it, and returns a condition that
    /// uses no coordinates, for example of a sum over an RDom. If it holds after a step, no further one is run.
    std::function<Expr(const IterationStep &, const Func &)> until;
    /// The name of the resulting Func; empty: that of the Func which the body returns.
    std::string name;
};

/// The result of iterate(): a Func, and how its steps are run.
class Iterated : public Func {
  public:
    /// iterate() makes it.
    Iterated(const Func &func, const detail::Ref<language::Iteration> &iteration) : Func(func), iteration_(iteration) {}

    /// How many steps one pass over memory computes. A pass of several steps computes them one behind the other, in
    /// strips that overlap, from rows that stay in the cache; it needs a body whose Funcs have no schedule. 1 computes
    /// each step by itself. 0, the default, chooses by the sizes of the machine's caches. Values do not depend on it.
    /// In texts of schedules, the call is a line of the Func: `heat.time_tile(5)`.
    ///
    ///     for t < steps:            -->   for t < steps / 4:
    ///         for y, x: a step                for strips of y (parallel):
    ///                                             for y: step 1 of row y + 3, 2 of y + 2, 3 of y + 1, 4 of y
    ///
    /// Throws CompileError [iterate-time-tile] for a negative number, for a body whose Funcs have schedules, for an
    /// iteration that may stop early, and for one that reads two past steps and whose fields have updates.
    Iterated &time_tile(detail::Integer steps, const Location &location = Location::current());

    /// The same with tiles of these extents, innermost dimension first; 0 leaves a dimension whole. Overlapped tiles
    /// may cut any dimensions. Wavefronts and diamonds cut one, and recompute nothing; they run the body's own loops
    /// on parts of the domain, so the body may have a schedule. Without extents, the compiler chooses them.
    ///
    ///     time_tile(3, {0, 64}, TimeTileShape::Wavefront):    for tiles of y:
    ///                                                             for s < 3:
    ///                                                                 for y in the tile, moved by -s * reach: a step
    ///
    /// The tiles of a diamond are twice as wide as its steps reach, at least. Where coordinates wrap around, the domain
    /// is periodic. Where a step needs all of it, as with a sum over the domain, steps are computed one by one.
    ///
    /// Throws CompileError [iterate-time-tile] also for fewer than 2 steps, another number of extents than dimensions,
    /// negative extents, and wavefronts and diamonds that cut another number of dimensions than one.
    Iterated &time_tile(detail::Integer steps, const std::vector<int> &extents,
                        TimeTileShape shape = TimeTileShape::Overlapped,
                        const Location &location = Location::current());

  private:
    detail::Ref<language::Iteration> iteration_;
};

/// The values of `initial` after `steps` steps of `body`, over the domain: a box as one (min, extent) for each
/// dimension of `initial`, innermost first.
///
///     Func heat = iterate(steps, {{0, width}, {0, height}}, initial, [&](const IterationStep &s) {
///         Func u = BoundaryConditions::repeat_edge(s.field()), next("next");
///         next(x, y) = u(x, y) + k * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) - 4 * u(x, y));
///         return next;
///     });
///
/// The body is a pipeline of its own: its Funcs are scheduled as usual, but not at loops of Funcs outside of it. Two
/// buffers a field are used in turn (three for two past steps); the first step reads an initial Func that only copies
/// an input from that input, and the last one writes the output if the result is the output of the pipeline.
///
/// `steps` and the domain are Int32 values of Params, sizes of inputs and numbers. At run time, negative ones are
/// errors [iterate-negative-steps, iterate-negative-extent]; 0 steps give the initial values. Throws CompileError for
/// a body whose types or dimensions differ from the initial Func's [iterate-body-type], for a domain of another rank
/// [iterate-domain] and for a stop condition that is no Bool or uses coordinates [iterate-until].
Iterated iterate(const Expr &steps, const Region &domain, const Func &initial, const IterationBody &body,
                 const IterateOptions &options = {}, const Location &location = Location::current());

} // namespace fluorite
