#pragma once
// The checks that no output shares memory with another argument, except where it may be computed in place.

#include "loopnest/lowering_graph.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// Which Funcs read an input, in the order in which they are computed.
class InputReaders {
  public:
    explicit InputReaders(const loopnest::LoweringGraph &graph);
    const std::vector<FuncId> &of(const ir::Symbol &input) const;

  private:
    ir::SymbolMap<std::vector<FuncId>> readers_;
    std::vector<FuncId> nobody_;
};

/// A buffer argument of the pipeline.
struct SharedBuffer {
    ir::Symbol symbol;
    std::string name;
    int dimensions = 0;
    bool is_output = false;
    FuncId func; // of an output
};

/// Inputs first, then outputs.
std::vector<ir::Stmt> make_sharing_checks(const std::vector<SharedBuffer> &buffers,
                                          const loopnest::LoweringGraph &graph, const InputReaders &readers);

} // namespace fluorite::lowering
