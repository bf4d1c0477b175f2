#pragma once
// The addresses of elements: linear forms of index expressions (linear_index.h) and pointers computed from them. Knows
// nothing of the accesses.

#include "backends/llvm/emit/linear_index.h"
#include "backends/llvm/emit/memory/buffers.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fluorite::backends {

class Expressions;

class Addresses {
  public:
    Addresses(const ModuleContext &m, const ValueCache &values, Buffers &buffers, Expressions &expressions)
        : m_(m), b_(m.b), values_(values), buffers_(buffers), expressions_(expressions) {}

    // ---- Linear forms.

    /// Of an integer scalar. Emits the values of its terms.
    LinearIndex linear(const Expr &expr);
    /// Of a vector, if its lanes are equally spaced.
    std::optional<RampIndex> ramp(const Expr &expr);
    llvm::Value *value_of(const LinearIndex &index);

    // ---- Pointers to elements of the LLVM type `element`.

    llvm::Value *address(const ir::Symbol &symbol, llvm::Type *element, const LinearIndex &index);
    /// A vector of the addresses of `type.lanes()` adjacent elements.
    llvm::Value *dense(Type type, llvm::Value *first);
    /// The parts of the addresses of any vector index: a pointer that all lanes share, and offsets of the lanes, Int32
    /// or Int64, counted in elements.
    std::pair<llvm::Value *, llvm::Value *> lane_offsets(const ir::Symbol &symbol, llvm::Type *element,
                                                         const Expr &index);
    /// A vector of the addresses of the lanes of any vector index.
    llvm::Value *lanes(const ir::Symbol &symbol, llvm::Type *element, const Expr &index);

  private:
    /// An index of lanes: the sum of vectors, each of which may be subtracted instead, and what is the same for all
    /// lanes.
    struct LaneTerm {
        Expr value;
        int sign = 1;
    };
    struct LaneSum {
        std::vector<LaneTerm> terms;
        LinearIndex uniform;
    };
    Expr without_lets(const Expr &index) const;
    LaneSum lane_sum(const Expr &index, int &steps);
    LaneSum lane_product(const Expr &index, int &steps);
    Expr joined(std::vector<LaneTerm> terms);
    Expr kept(const Expr &made);
    LinearIndex linear_within(const Expr &expr, int &steps);
    LinearIndex linear_leaf(const Expr &expr);
    void put_in_order(LinearIndex &index);
    llvm::Value *narrow_factor(llvm::Value *factor);
    llvm::Value *narrow_value_of(const LinearIndex &index);
    bool is_narrow(llvm::Type *element, const LinearIndex &index) const;
    llvm::Value *lsr_barrier(llvm::Value *value);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    const ValueCache &values_;
    Buffers &buffers_;
    Expressions &expressions_;
    /// Expressions of lanes, which the cache of values knows by their nodes, and their order.
    struct Kept {
        Expr node;
        size_t rank;
    };
    ir::ExprMap<Kept> kept_;
    std::unordered_map<llvm::Value *, int> ranks_; // an order of the factors of indices, by first use
};

} // namespace fluorite::backends
