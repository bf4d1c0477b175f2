#pragma once
// The loops of a Func over its regions, as far as other Funcs depend on them.

#include "loopnest/regions/accesses.h"
#include "loopnest/regions/stage_nest.h"

#include <memory>
#include <vector>

namespace fluorite::loopnest {

/// The value of a region symbol: a side of a region, or the point to which an image's edge reflects what is read.
struct RegionValue {
    Expr value;    // what the symbol is bound to
    Expr expanded; // in terms of loop variables and invariants; undefined if too large: the symbol is kept
    Site site;     // where it is bound: where its Func is computed, or stored
    /// Of a reflected point: what it does not fall below (Side::Min) or exceed (Side::Max) while the loops inside of
    /// the site read no further beyond the image than neighbours of its points; undefined where that is not known.
    Expr usual = {};
    ir::Side side = ir::Side::Min;
};

struct FuncLoops {
    Site compute;
    std::vector<std::shared_ptr<const StageNest>> nests; // by stage; after share_loops, with the shared loops
    // by stage: the intervals of its variables seen from outside its loops, for reads
    std::vector<analysis::Scope> reads;
    std::vector<StageAccesses> accesses; // by stage
    std::vector<Region> regions;         // by stage
    ir::SymbolMap<RegionValue> values;   // of its region symbols
};

} // namespace fluorite::loopnest
