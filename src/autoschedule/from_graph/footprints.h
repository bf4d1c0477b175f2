#pragma once
// Which coordinates of a producer a stage reads, as footprints.

#include "autoschedule/stage_graph.h"
#include "loopnest/explain/nest_values.h"
#include "loopnest/regions/accesses.h"

#include <functional>
#include <optional>
#include <vector>

namespace fluorite::autoschedule {

/// What RVars are in coordinates: their domain, or, within one step of all of them, one value.
enum class RVars : uint8_t { Range, OneStep };

/// Reads the coordinates of one stage. Its loops are the pure Vars of its Func.
class FootprintReader {
  public:
    /// All of it lives longer than this. With the extents of the loops, the sum of a long and a short loop is the long
    /// one with the short one's range as offsets.
    FootprintReader(loopnest::NestValues &values, const ir::FuncDef &func, const ir::Stage &stage,
                    const std::vector<LoopExtent> *loops = nullptr);

    /// A value bound by a let around later coordinates.
    void let(const ir::Symbol &symbol, const Expr &value) { lets_[symbol] = value; }
    Footprint of(const Expr &coordinate, RVars rvars = RVars::Range);

  private:
    loopnest::NestValues &values_;
    const ir::FuncDef &func_;
    const ir::Stage &stage_;
    const std::vector<LoopExtent> *loops_;
    ir::SymbolMap<Expr> lets_;
    RVars rvars_ = RVars::Range;

    Footprint find(const Expr &coordinate);
    Footprint of_leaf(const Expr &expr);
    void flatten_short(std::vector<Footprint> &terms) const;
    Footprint of_variable(const Expr &variable);
    Footprint of_quotient(const Expr &expr);
    Footprint of_bound(const Expr &expr);
    Footprint of_rounded(const Expr &value);
};

/// A reader of the stage's coordinates that knows its lets. The accesses are those of the stage.
FootprintReader reader_of(loopnest::NestValues &values, const ir::FuncDef &func, const ir::Stage &stage,
                          const std::vector<LoopExtent> *loops, const loopnest::StageAccesses &accesses);

/// The footprint of `a + b`, `factor * a` for a factor that is not 0, and of both.
Footprint sum_of(const Footprint &a, const Footprint &b);
Footprint scaled(const Footprint &a, int64_t factor);
Footprint union_of(const Footprint &a, const Footprint &b);

} // namespace fluorite::autoschedule
