#pragma once
// The buffers of the function under construction: arguments, allocations, and data of the module. Knows where their
// memory is and which accesses may alias; knows nothing of indices.

#include "backends/llvm/emit/function_frame.h"

#include <optional>

namespace fluorite::backends {

/// One buffer. Arguments have a header, from which the rest is loaded on demand.
struct Buffer {
    llvm::Value *header = nullptr; // the fluorite_buffer_t
    llvm::Value *host = nullptr;
    int scope = 0;                                 // of an argument, the control scope in which host is computed
    llvm::MDNode *alias = nullptr;                 // buffers with the same tag may share memory
    llvm::Value *first = nullptr, *last = nullptr; // the first and last valid element, in checked code
};

class Buffers {
  public:
    Buffers(const ModuleContext &m, FunctionFrame &frame, const ValueCache &values)
        : m_(m), b_(m.b), frame_(frame), values_(values) {}

    // ---- What the function can access.

    /// Adds a buffer until `restore`, which gets the result: the buffer that it hides.
    std::optional<Buffer> bind(const ir::Symbol &symbol, Buffer buffer);
    void restore(const ir::Symbol &symbol, const std::optional<Buffer> &outer);
    /// Adds a component of a buffer of the whole function.
    void add_header(const ir::Symbol &symbol, llvm::Value *header) { buffers_[symbol].header = header; }
    void add_host(const ir::Symbol &symbol, llvm::Value *host) { buffers_[symbol].host = host; }
    void add_last(const ir::Symbol &symbol, llvm::Value *last);
    /// In checked code: computes the elements of the arguments whose host pointers are known.
    void find_elements_of_arguments();

    // ---- Components. The symbol must be known; data of the module is added on its first use.

    bool contains(const ir::Symbol &symbol) const { return buffers_.contains(symbol); }
    /// Whether the buffer has a header: it is no allocation.
    bool is_argument(const ir::Symbol &symbol) { return at(symbol).header != nullptr; }
    /// The address of the element with index 0.
    llvm::Value *host(const ir::Symbol &symbol);
    /// Requires a buffer that is not an allocation.
    llvm::Value *header(const ir::Symbol &symbol);
    /// What a variable of type Handle stands for: the header, or the memory of an allocation.
    llvm::Value *handle(const ir::Symbol &symbol);
    /// The first and last valid element, in checked code.
    std::pair<llvm::Value *, llvm::Value *> elements(const ir::Symbol &symbol);
    /// Tells LLVM what a load or store may alias: accesses of this buffer. Returns the access.
    llvm::Instruction *tag(llvm::Instruction *access, const ir::Symbol &symbol);

  private:
    Buffer &at(const ir::Symbol &symbol);
    void find_elements(Buffer &argument);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    FunctionFrame &frame_;
    const ValueCache &values_;
    ir::SymbolMap<Buffer> buffers_;
};

} // namespace fluorite::backends
