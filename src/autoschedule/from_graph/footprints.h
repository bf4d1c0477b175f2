#pragma once
// Which coordinates of a producer a stage reads, as footprints.

#include "autoschedule/stage_graph.h"
#include "loopnest/explain/nest_values.h"

#include <functional>
#include <optional>
#include <vector>

namespace fluorite::autoschedule {

/// Reads the coordinates of one stage. Its loops are the pure Vars of its Func; RVars range over their domain.
class FootprintReader {
  public:
    /// All of it lives longer than this.
    FootprintReader(loopnest::NestValues &values, const ir::FuncDef &func, const ir::Stage &stage);

    /// A value bound by a let around later coordinates.
    void let(const ir::Symbol &symbol, const Expr &value) { lets_[symbol] = value; }
    Footprint of(const Expr &coordinate);

  private:
    loopnest::NestValues &values_;
    const ir::FuncDef &func_;
    const ir::Stage &stage_;
    ir::SymbolMap<Expr> lets_;

    Footprint of_leaf(const Expr &expr);
    Footprint of_variable(const Expr &variable);
    Footprint of_quotient(const Expr &expr);
    Footprint of_bound(const Expr &expr);
};

/// The footprint of `a + b`, `factor * a` for a factor that is not 0, and of both.
Footprint sum_of(const Footprint &a, const Footprint &b);
Footprint scaled(const Footprint &a, int64_t factor);
Footprint union_of(const Footprint &a, const Footprint &b);

} // namespace fluorite::autoschedule
