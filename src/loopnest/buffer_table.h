#pragma once
// The symbols of memory.

#include "ir/graph.h"

#include <vector>

namespace fluorite::loopnest {

/// The buffer of a Func with one value has the Func's name; of several, `f.0`, `f.1`, ...; its owner
/// says func and (as dim) the tuple element. An input's buffer is its InputDef's symbol.
ir::Symbol buffer_of(const ir::FuncDef &func, int element);

/// The buffers of all Funcs, made once.
class BufferTable {
  public:
    explicit BufferTable(const ir::Graph &graph);
    const ir::Symbol &of(FuncId func, int element) const;
    /// The buffer of a value of a Func named by its symbol.
    const ir::Symbol &of(const ir::Symbol &func, int element) const { return of(FuncId(func.owner().func), element); }

  private:
    std::vector<std::vector<ir::Symbol>> funcs_;
};

} // namespace fluorite::loopnest
