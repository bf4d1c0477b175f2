#pragma once
// The loops of a Func over its regions: what other Funcs see of it.

#include "loopnest/regions/accesses.h"
#include "loopnest/regions/stage_nest.h"

#include <memory>
#include <vector>

namespace fluorite::loopnest {

/// What a region symbol stands for.
struct RegionValue {
    Expr value;    // what it is bound to, where its Func is computed
    Expr expanded; // over loop variables and what stands still; undefined: too large, it stays a symbol
};

struct FuncLoops {
    Site compute;
    std::vector<std::shared_ptr<const StageNest>> nests; // by stage; with shared loops in place of those that it shares
    std::vector<analysis::Scope> reads;  // by stage: its variables seen from outside of its loops, as it reads
    std::vector<StageAccesses> accesses; // by stage
    std::vector<Region> regions;         // by stage
    ir::SymbolMap<RegionValue> values;   // of its region symbols
};

} // namespace fluorite::loopnest
