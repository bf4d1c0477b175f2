#pragma once
// Coordinates that are the parts of one fused loop.

#include "ir/expr_node.h"

#include <cstdint>
#include <span>
#include <vector>

namespace fluorite::lowering {

/// Knows the lets that take fused loops apart, and puts their variables together again in addresses.
class FusedCoordinates {
  public:
    /// A let around what follows.
    void learn(const ir::Symbol &symbol, const Expr &value);
    /// Coordinates of the same address: where one has a term n / d and another one n % d, whose strides make them n,
    /// they are replaced by n. Strides that are no constants join nothing.
    std::vector<Expr> joined(std::span<const Expr> coordinates, std::span<const Expr> strides) const;

  private:
    /// The value whole / divisor + rest, or whole % divisor + rest.
    struct Part {
        Expr whole, rest;
        int64_t divisor = 1;
        bool is_quotient = false;
    };
    /// A part that a coordinate contains so many times.
    struct Use {
        size_t dimension = 0;
        int64_t times = 0;
        Expr variable;
        const Part *part = nullptr;
    };

    ir::SymbolMap<Part> parts_;

    std::vector<Use> uses_in(std::span<const Expr> coordinates) const;
};

} // namespace fluorite::lowering
