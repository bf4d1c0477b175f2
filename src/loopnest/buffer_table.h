#pragma once
// The symbols of the buffers in which Funcs are stored.

#include "ir/graph.h"

#include <vector>

namespace fluorite::loopnest {

/// The buffer of a Func. It has the Func's name, or, for a Func with several values, the names `f.0`, `f.1`, ... The
/// owner of the symbol records the Func and (as dim) the tuple element. The buffer of an input is the symbol of its
/// InputDef.
ir::Symbol buffer_of(const ir::FuncDef &func, size_t element);

/// The buffers of all Funcs of a graph.
class BufferTable {
  public:
    explicit BufferTable(const ir::Graph &graph);
    const ir::Symbol &of(FuncId func, size_t element) const;
    /// The buffer of one value of the Func that a symbol names.
    const ir::Symbol &of(const ir::Symbol &func, size_t element) const { return of(func.owner().func, element); }

  private:
    std::vector<std::vector<ir::Symbol>> funcs_;
};

} // namespace fluorite::loopnest
