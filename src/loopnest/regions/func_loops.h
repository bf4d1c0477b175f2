#pragma once
// The loops of a Func over its regions, as far as other Funcs depend on them.

#include "loopnest/regions/accesses.h"
#include "loopnest/regions/stage_nest.h"

#include <memory>
#include <vector>

namespace fluorite::loopnest {

/// The value of a region symbol: an end of a region, or a bound of the points to which an edge of an image reflects
/// reads.
struct RegionValue {
    Expr value;    // what the symbol is bound to
    Expr expanded; // in terms of loop variables and invariants; undefined if too large: the symbol is kept
    Site site;     // where it is bound: where its Func is computed, or stored
    /// For a reflected point: a value that it does not fall below (Side::Min) or exceed (Side::Max) if the loops inside
    /// the site read no further beyond the image than the neighbours of its points; undefined if none is known.
    Expr usual = {};
    ir::Side side = ir::Side::Min;
    /// Of a window that slides, and of a region that follows one: the end as if nothing slid, as `expanded`; undefined
    /// otherwise, or if too large. It names guarded points, which end with the loops that are split, so all windows
    /// together end there as seen from root.
    Expr unslid = {};
};

/// A loop along which the region of a Func is invariant: later iterations of the loop do not compute the Func.
struct InvariantLoop {
    Site loop;
    Expr is_first; // whether the iteration of the loop is the first, valid inside of it
};

struct FuncLoops {
    Site compute;
    std::vector<InvariantLoop> invariant_loops; // innermost first: the Func is computed in the first iterations of all
    std::vector<std::shared_ptr<const StageNest>> nests; // by stage; after share_loops, with the shared loops
    // by stage: the intervals of its variables seen from outside its loops, for reads
    std::vector<analysis::Scope> reads;
    std::vector<StageAccesses> accesses; // by stage
    std::vector<Region> regions;         // by stage
    ir::SymbolMap<RegionValue> values;   // of its region symbols
};

} // namespace fluorite::loopnest
