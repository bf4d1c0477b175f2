#pragma once
// The loops of a Func over its regions: what the Funcs that it reads need to know of it.

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
    std::vector<std::shared_ptr<const StageNest>> nests; // by stage; with shared loops in place of those that it shares
    std::vector<Region> regions;                         // by stage
    ir::SymbolMap<RegionValue> values;                   // of its region symbols
};

} // namespace fluorite::loopnest
