#pragma once
// Tails that reach beyond a region, as texts for messages.

#include "loopnest/loop_nest.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Why more of a dimension may be read of an input, or written of an output, than is asked for.
struct WideTail {
    std::string text; // `loop x of g is split by 8 with TailStrategy::RoundUp`; empty if nothing does that
    Expr matters;     // whether it does so in this run, valid at entry; undefined: not known there
};

/// The tails of all inputs and outputs of a nest, which must outlive this object.
class WideTails {
  public:
    explicit WideTails(const BoundedLoopNest &nest);

    WideTail of_input(const ir::Symbol &input, size_t dimension);
    WideTail of_output(FuncId output, size_t dimension);

  private:
    /// A read of an input, or a call of a Func by another one.
    struct Read {
        StageId reader;
        std::vector<Expr> args;
    };
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    ir::SymbolMap<std::vector<Read>> reads_; // by input or Func, in the order of the graph
    std::map<std::pair<FuncId, size_t>, WideTail> of_regions_;

    WideTail of_coordinate(StageId stage, const Expr &coordinate, AccessKind access);
    WideTail of_variable(StageId stage, const ir::Symbol &variable, AccessKind access);
    WideTail of_split(FuncId func, const WideSplit &split) const;
    const WideTail &of_region(FuncId func, size_t d);
    WideTail of_reads(const ir::Symbol &read, size_t d);
};

} // namespace fluorite::loopnest
