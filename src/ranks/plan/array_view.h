#pragma once
// A rank's memory of an array, and copies of boxes between such memory and messages.

#include "ranks/plan/box.h"
#include "ranks/transport/shared_memory.h"

#include <cstddef>
#include <vector>

namespace fluorite::distribute {

/// Memory of the elements of a box. Strides are in elements.
struct ArrayView {
    Box box;
    char *data = nullptr; // of the first element of the box, at the begins of all spans
    std::vector<int64_t> strides;
    int64_t bytes = 4; // of one element

    char *at(const std::vector<int64_t> &coordinates) const;
    /// The same memory, restricted. Precondition: the part is inside of the box.
    ArrayView cropped(const Box &part) const;
};

/// Memory of its own for a box, dense; the dimensions are given innermost first, or have their own order.
class OwnedArray {
  public:
    OwnedArray() = default;
    OwnedArray(const Box &box, int64_t bytes, const std::vector<size_t> &order = {}, Readers readers = Readers::Own);
    const ArrayView &view() const { return view_; }
    int64_t size() const { return size_; }

  private:
    MemoryBlock memory_;
    ArrayView view_;
    int64_t size_ = 0; // in bytes
};

/// Who reads the memory of an image: peers, if the rank receives a good part of it (where received boxes are computed
/// from as they lie in the sender's memory, the sender's part should be there, too).
Readers readers_of_image(const Box &memory, const Box &owned);

/// The strides of a box in dense memory, the first dimension innermost.
std::vector<int64_t> dense_strides(const Box &box, const std::vector<size_t> &order = {});
/// Copies a box of an array to or from dense memory, the first dimension innermost. Precondition: it is inside of the
/// array's box.
void pack(const ArrayView &from, const Box &box, char *to);
void unpack(const char *from, const ArrayView &to, const Box &box);
/// Copies a box between arrays. The boxes have the same extents.
void copy_box(const ArrayView &from, const Box &source, const ArrayView &to, const Box &destination);
/// Fills all elements with a pattern that no computation leaves by itself.
void poison(const ArrayView &array);
/// The same with all elements outside of a box.
void poison_around(const ArrayView &array, const Box &kept);

} // namespace fluorite::distribute
