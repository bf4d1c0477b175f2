#include "backends/executor/function_builder.h"

#include "support/check.h"

namespace fluorite::backends::executor {

Slot FunctionBuilder::new_slot(int lanes) {
    const Slot slot{static_cast<uint32_t>(function_.initial.size()), lanes};
    function_.initial.resize(function_.initial.size() + static_cast<size_t>(lanes));
    return slot;
}

Slot FunctionBuilder::constant(Cell value) {
    const Slot slot = new_slot(1);
    function_.initial[slot.first] = value;
    return slot;
}

size_t FunctionBuilder::new_label() {
    function_.labels.push_back(SIZE_MAX);
    return function_.labels.size() - 1;
}

const Slot *FunctionBuilder::find_value(const ir::Symbol &symbol) const {
    const auto found = values_.find(symbol);
    return found == values_.end() ? nullptr : &found->second;
}

size_t FunctionBuilder::bind_buffer(const ir::Symbol &symbol) { return buffers_[symbol] = function_.buffer_count++; }

size_t FunctionBuilder::buffer(const ir::Symbol &symbol) const {
    const auto found = buffers_.find(symbol);
    check(found != buffers_.end(), concat("the buffer '", symbol.name(), "' is in scope"));
    return found->second;
}

const Slot *FunctionBuilder::find_known(const Expr &expr) const {
    for (size_t k = known_.size(); k-- > 0;) {
        const auto found = known_[k].find(expr.get());
        if (found != known_[k].end()) {
            return &found->second;
        }
    }
    return nullptr;
}

} // namespace fluorite::backends::executor
