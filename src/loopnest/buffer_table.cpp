// The symbols of buffers, created once for a graph.
//
// The owner of a symbol records the Func and the tuple element, so the way back is an array access. Names are for
// printing only: the buffers of two Funcs with one name have equal names and different owners.
// Cost: linear in the number of Funcs.

#include "loopnest/buffer_table.h"

#include "support/check.h"

namespace fluorite::loopnest {

using namespace ir;

Symbol buffer_of(const FuncDef &func, size_t element) {
    SymbolOwner owner;
    owner.func = func.symbol.owner().func;
    owner.dim = DimId(element);
    return {SymbolKind::Buffer, func.types.size() == 1 ? func.name() : concat(func.name(), ".", element), owner};
}

BufferTable::BufferTable(const Graph &graph) {
    for (const FuncDef &func : graph.funcs) {
        std::vector<Symbol> buffers;
        for (size_t element = 0; element < func.types.size(); element++) {
            buffers.push_back(buffer_of(func, element));
        }
        funcs_.push_back(std::move(buffers));
    }
}

const Symbol &BufferTable::of(FuncId func, size_t element) const {
    check(func.valid() && func.index() < funcs_.size(), "a buffer is asked for a Func that the pipeline does not have");
    const std::vector<Symbol> &buffers = funcs_[func.index()];
    check(element < buffers.size(), "a Func has no such value");
    return buffers[element];
}

} // namespace fluorite::loopnest
