#include "backends/executor/function_builder.h"

#include "support/check.h"

namespace fluorite::backends::executor {

void FunctionBuilder::emit(Instruction instruction) {
    function_.code.push_back(std::move(instruction));
    function_.exits.push_back(exit_);
}

void FunctionBuilder::open_block(const ir::Symbol &buffer) {
    exits_.open(buffer);
    find_exit();
}

void FunctionBuilder::close_block(const ir::Symbol &buffer) {
    exits_.close(buffer);
    find_exit();
}

void FunctionBuilder::find_exit() {
    exit_ = exits_.here();
    for (size_t k = function_.paths.size(); k < exits_.paths().size(); k++) {
        function_.paths.emplace_back(buffer(exits_.paths()[k].freed), exits_.paths()[k].next);
    }
}

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
