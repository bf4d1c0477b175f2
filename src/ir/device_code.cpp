#include "ir/device_code.h"

#include "ir/memory.h"

#include <algorithm>

namespace fluorite::ir {

const SharedLayout::Part *SharedLayout::find(const Symbol &buffer) const {
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part &part) { return part.buffer == buffer; });
    return at == parts.end() ? nullptr : &*at;
}

namespace {

Expr int64_const(int64_t value) { return make_const(Int(64), value); }

/// The bytes of an allocation, rounded up to the alignment.
Expr padded_bytes(const Allocate &allocate) {
    constexpr int64_t alignment = SharedLayout::alignment;
    const int64_t element = allocate.type.bytes();
    if (const std::optional<int64_t> elements = constant_elements(allocate)) {
        return int64_const((*elements * element + alignment - 1) / alignment * alignment);
    }
    Expr bytes = int64_const(element);
    for (const Expr &extent : allocate.extents) {
        bytes = mul(bytes, make_cast(Int(64), max_of(extent, make_const(extent.type(), 0))));
    }
    return mul(div(add(bytes, int64_const(alignment - 1)), int64_const(alignment)), int64_const(alignment));
}

Expr sum(const Expr &a, const Expr &b) {
    int64_t left = 0, right = 0;
    return is_const_int(a, &left) && is_const_int(b, &right) ? int64_const(left + right) : add(a, b);
}

class SharedAllocations : public Visitor {
  public:
    SharedLayout layout{{}, int64_const(0)};
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *allocate = stmt.as<Allocate>(); allocate && allocate->memory == MemoryType::GPUShared) {
            layout.parts.push_back({allocate->buffer, layout.bytes});
            layout.bytes = sum(layout.bytes, padded_bytes(*allocate));
        }
        recurse(stmt);
    }
};

} // namespace

SharedLayout shared_layout(const LoweredFunc &kernel) {
    SharedAllocations allocations;
    if (kernel.body.defined()) {
        allocations.visit(kernel.body);
    }
    return std::move(allocations.layout);
}

} // namespace fluorite::ir
