#pragma once
// Ends of intervals that are bound to symbols at the sites from which they are seen.

#include "analysis/interval.h"
#include "loopnest/regions/func_loops.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// A symbol for an end of an interval, bound where the end is seen from.
struct LiftedEnd {
    ir::Symbol symbol;
    RegionValue known;
    std::string origin;                                 // the name of the symbol that was lifted first
    std::vector<std::shared_ptr<const LiftedEnd>> uses; // the lifted ends that the value names
};
using SharedEnd = std::shared_ptr<const LiftedEnd>;

class LiftedEnds {
  public:
    /// Null if the symbol is none of them.
    SharedEnd find(const ir::Symbol &symbol) const;
    /// The interval of a symbol, seen from a site, with symbols in place of long ends.
    analysis::Interval bind(const ir::Symbol &symbol, const Site &site, const analysis::Interval &interval);
    /// Adds an end that another object has made, and those that it uses.
    void adopt(const SharedEnd &end);
    /// The lifted ends that an expression names.
    std::vector<SharedEnd> named_in(const Expr &expr) const;

  private:
    ir::SymbolMap<SharedEnd> ends_;

    Expr bind_end(const ir::Symbol &lifted, const Site &site, ir::Side side, const Expr &value);
};

} // namespace fluorite::loopnest
