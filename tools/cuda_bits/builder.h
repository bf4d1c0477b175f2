#pragma once
// Makes cases from expressions.

#include "cases.h"

namespace fluorite::cuda_bits {

/// The same numbers on every machine.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next();
    /// In [low, high].
    int in(int low, int high) { return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1)); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    template <typename T> const T &of(const std::vector<T> &values) {
        return values[static_cast<size_t>(in(0, static_cast<int>(values.size()) - 1))];
    }

  private:
    uint64_t state_;
};

/// The parts of one case. A thread computes `lanes` elements.
class Builder {
  public:
    explicit Builder(int lanes);

    int lanes() const { return lanes_; }
    const Expr &thread() const { return thread_; }
    const Expr &block() const { return block_; }
    /// The first element of the thread.
    Expr first() const;
    /// Its elements, as an index.
    Expr own() const;
    /// Operand k, 0 to 3, of the elements.
    Expr operand(Type type, int k) const;
    Expr constant(Type type, int64_t value) const { return ir::make_const(type.with_lanes(lanes_), value); }
    Case finish(const std::string &name, const Expr &value) const;
    Case finish(const std::string &name, Type type, const ir::Symbol &out, const ir::Stmt &body) const;

  private:
    int lanes_;
    ir::Symbol block_index_, thread_index_;
    Expr block_, thread_;
};

/// The output of a case; each has another name.
ir::Symbol new_out();

} // namespace fluorite::cuda_bits
