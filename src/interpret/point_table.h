#pragma once
// A map from integer points to rows of cells: the memory of one Func (or of one of its stages).
//
// Points are kept in a dense box that grows geometrically towards new points. When the box would become much larger
// than its number of points, the table becomes a hash table permanently, so scattered points do not cost memory.

#include "interpret/scalar.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fluorite::interpret {

class PointTable {
  public:
    /// Points have `rank` coordinates; rows have `width` cells, at least one.
    PointTable(size_t rank, size_t width);

    /// The row of a point, or null. Rows move when a point is inserted.
    Cell *find(const int32_t *point) {
        if (hashed_) {
            return find_hashed(point);
        }
        size_t offset = 0;
        for (size_t d = 0; d < rank_; d++) {
            const uint32_t at = static_cast<uint32_t>(point[d]) - static_cast<uint32_t>(dims_[d].min);
            if (at >= dims_[d].extent) {
                return nullptr;
            }
            offset += at * dims_[d].stride;
        }
        return offset < present_.size() && present_[offset] != 0 ? cells_.data() + offset * width_ : nullptr;
    }

    /// Adds an absent point with a zeroed row.
    Cell *insert(const int32_t *point);

    /// Reserves space for a box of points that will be inserted (extents not negative).
    void reserve(const int32_t *min, const int32_t *extent);

    size_t size() const { return count_; }
    bool is_hashed() const { return hashed_; }

  private:
    struct Dim {
        int32_t min = 0;
        uint32_t extent = 0;
        size_t stride = 0;
    };

    bool in_box(const int32_t *point) const;
    size_t offset_of(const int32_t *point) const;
    std::vector<Dim> box_with(const int32_t *point, bool with_room) const;
    bool fits(const std::vector<Dim> &box, size_t points) const;
    void grow_to(std::vector<Dim> box);
    template <typename Visit> void for_each_present(const Visit &visit) const;

    Cell *find_hashed(const int32_t *point);
    Cell *insert_hashed(const int32_t *point);
    size_t hash(const int32_t *point) const;
    size_t find_slot(const int32_t *point) const;
    void turn_into_hash_table();
    void grow_slots();

    size_t rank_, width_;
    size_t count_ = 0;
    bool hashed_ = false;
    std::vector<Cell> cells_; // dense: by offset in the box; hashed: by order of insertion

    // Dense representation.
    std::vector<Dim> dims_;
    std::vector<uint8_t> present_;

    // Hashed representation: open addressing; a slot holds 1 + the row, or 0.
    std::vector<int32_t> keys_;
    std::vector<uint32_t> slots_;
};

} // namespace fluorite::interpret
