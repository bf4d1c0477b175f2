#pragma once
// Buffers of cases: regions in memory of any layout, filled with bits that depend only on the coordinates, between
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

/// A buffer that owns its memory; the bytes outside its elements have known values.
class GuardedBuffer {
  public:
    GuardedBuffer(Type type, const Box &box, Layout layout, uint8_t poison);

    Buffer<> &buffer() { return buffer_; }
    fluorite_buffer_t *raw() { return buffer_.raw_buffer(); }
    /// Whether no byte outside elements has changed.
    bool is_intact() const;
    /// Pseudorandom elements that depend only on the coordinates, not on the box or the layout.
    void fill(InputGene::Values values, uint64_t salt);
    /// Changes the elements outside the box.
    void fill_outside(const Box &box, InputGene::Values values, uint64_t salt);

  private:
    std::shared_ptr<std::vector<uint8_t>> memory_;
    Buffer<> buffer_;
    uint8_t poison_;
    size_t begin_ = 0; // the offset of the element at the min

    void fill_element(const std::vector<int> &position, size_t at, InputGene::Values values, uint64_t salt);
    template <typename Visit> void for_each_element(const Visit &visit) const;
};

} // namespace fluorite::fuzz
