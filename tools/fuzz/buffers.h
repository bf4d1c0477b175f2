#pragma once
// Buffers of cases: regions in memory of any layout, filled with bits that depend on the coordinates alone, between
// guards.

#include "fluorite/fluorite.h"
#include "genome.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fluorite::fuzz {

/// A box of coordinates.
struct Box {
    std::vector<int> min, extent;
    int64_t size() const;
};

/// A buffer over memory of its own, whose bytes outside of elements are known.
class GuardedBuffer {
  public:
    GuardedBuffer(Type type, const Box &box, Layout layout, uint8_t poison);

    Buffer<> &buffer() { return buffer_; }
    fluorite_buffer_t *raw() { return buffer_.raw_buffer(); }
    /// No byte outside of elements has changed.
    bool is_intact() const;
    /// Pseudorandom elements: the same at the same coordinates, whatever the box and the layout.
    void fill(InputGene::Values values, uint64_t salt);
    /// The elements outside of the box become others.
    void fill_outside(const Box &box, InputGene::Values values, uint64_t salt);

  private:
    std::shared_ptr<std::vector<uint8_t>> memory_;
    Buffer<> buffer_;
    uint8_t poison_;
    size_t begin_ = 0; // of the element at the min

    void fill_element(const std::vector<int> &position, size_t at, InputGene::Values values, uint64_t salt);
    template <typename Visit> void for_each_element(const Visit &visit) const;
};

} // namespace fluorite::fuzz
