// Growth of the dense box, and the hash table for scattered points.

#include "interpret/point_table.h"

#include <algorithm>
#include <limits>

namespace fluorite::interpret {

namespace {
constexpr uint64_t always_dense = 1 << 14;    // boxes of up to this many points are never hashed
constexpr uint64_t dense_for_each_point = 64; // each inserted point lets a dense box grow by this much
constexpr int64_t least_room = 1;
} // namespace

PointTable::PointTable(size_t rank, size_t width) : rank_(rank), width_(width), dims_(rank) {}

bool PointTable::in_box(const int32_t *point) const {
    if (present_.empty()) {
        return false;
    }
    for (size_t d = 0; d < rank_; d++) {
        if (static_cast<uint32_t>(point[d]) - static_cast<uint32_t>(dims_[d].min) >= dims_[d].extent) {
            return false;
        }
    }
    return true;
}

size_t PointTable::offset_of(const int32_t *point) const {
    size_t offset = 0;
    for (size_t d = 0; d < rank_; d++) {
        offset += (static_cast<uint32_t>(point[d]) - static_cast<uint32_t>(dims_[d].min)) * dims_[d].stride;
    }
    return offset;
}

/// The box extended to the point, with room for more points in that direction.
std::vector<PointTable::Dim> PointTable::box_with(const int32_t *point, bool with_room) const {
    constexpr int64_t lowest = std::numeric_limits<int32_t>::min(), highest = std::numeric_limits<int32_t>::max();
    std::vector<Dim> box(rank_);
    for (size_t d = 0; d < rank_; d++) {
        int64_t low = point[d], high = point[d];
        if (!present_.empty()) {
            const int64_t old_low = dims_[d].min, old_high = old_low + dims_[d].extent - 1;
            const int64_t room = with_room ? std::max<int64_t>(least_room, dims_[d].extent / 2) : 0;
            low = low < old_low ? std::max(low - room, lowest) : old_low;
            high = high > old_high ? std::min(high + room, highest) : old_high;
        }
        // An extent of 2^32 does not fit; fits() rejects such boxes anyway.
        const int64_t extent = std::min<int64_t>(high - low + 1, std::numeric_limits<uint32_t>::max());
        box[d] = {static_cast<int32_t>(low), static_cast<uint32_t>(extent), 0};
    }
    return box;
}

bool PointTable::fits(const std::vector<Dim> &box, size_t points) const {
    const double limit = static_cast<double>(always_dense + dense_for_each_point * points);
    double volume = 1;
    for (const Dim &dim : box) {
        volume *= dim.extent;
    }
    return volume <= limit;
}

template <typename Visit> void PointTable::for_each_present(const Visit &visit) const {
    std::vector<int32_t> point;
    for (const Dim &dim : dims_) {
        point.push_back(dim.min);
    }
    for (size_t offset = 0; offset < present_.size(); offset++) {
        if (present_[offset] != 0) {
            visit(offset, point.data());
        }
        // Offsets increase with the first coordinate fastest.
        for (size_t d = 0; d < rank_; d++) {
            const uint32_t next = static_cast<uint32_t>(point[d]) + 1;
            if (next - static_cast<uint32_t>(dims_[d].min) < dims_[d].extent) {
                point[d] = static_cast<int32_t>(next);
                break;
            }
            point[d] = dims_[d].min;
        }
    }
}

void PointTable::grow_to(std::vector<Dim> box) {
    size_t volume = 1;
    for (Dim &dim : box) {
        dim.stride = volume;
        volume *= dim.extent;
    }
    PointTable grown(rank_, width_);
    grown.dims_ = std::move(box);
    grown.present_.assign(volume, 0);
    grown.cells_.assign(volume * width_, 0);
    grown.count_ = count_;
    for_each_present([&](size_t offset, const int32_t *point) {
        const size_t to = grown.offset_of(point);
        grown.present_[to] = 1;
        std::copy_n(cells_.data() + offset * width_, width_, grown.cells_.data() + to * width_);
    });
    *this = std::move(grown);
}

void PointTable::reserve(const int32_t *min, const int32_t *extent) {
    if (count_ != 0 || hashed_) {
        return;
    }
    std::vector<Dim> box(rank_);
    size_t points = 1;
    for (size_t d = 0; d < rank_; d++) {
        box[d] = {min[d], static_cast<uint32_t>(extent[d]), 0};
        points *= box[d].extent;
    }
    if (points != 0) {
        grow_to(std::move(box));
    }
}

Cell *PointTable::insert(const int32_t *point) {
    if (hashed_) {
        return insert_hashed(point);
    }
    if (!in_box(point)) {
        std::vector<Dim> box = box_with(point, true);
        if (!fits(box, count_ + 1)) {
            box = box_with(point, false);
        }
        if (!fits(box, count_ + 1)) {
            turn_into_hash_table();
            return insert_hashed(point);
        }
        grow_to(std::move(box));
    }
    const size_t offset = offset_of(point);
    present_[offset] = 1;
    count_++;
    return cells_.data() + offset * width_;
}

// ---- Hashed.

size_t PointTable::hash(const int32_t *point) const {
    uint64_t h = 0;
    for (size_t d = 0; d < rank_; d++) {
        h = (h ^ static_cast<uint32_t>(point[d])) * 0x9E3779B97F4A7C15U;
        h ^= h >> 32;
    }
    return h;
}

/// The slot of a point, or the free slot for it.
size_t PointTable::find_slot(const int32_t *point) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash(point) & mask;
    while (slots_[slot] != 0 && !std::equal(point, point + rank_, keys_.data() + (slots_[slot] - 1) * rank_)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

Cell *PointTable::find_hashed(const int32_t *point) {
    const uint32_t row = slots_[find_slot(point)];
    return row == 0 ? nullptr : cells_.data() + (row - 1) * width_;
}

Cell *PointTable::insert_hashed(const int32_t *point) {
    if ((count_ + 1) * 2 > slots_.size()) {
        grow_slots();
    }
    slots_[find_slot(point)] = static_cast<uint32_t>(++count_);
    keys_.insert(keys_.end(), point, point + rank_);
    cells_.resize(cells_.size() + width_, 0);
    return cells_.data() + (count_ - 1) * width_;
}

void PointTable::grow_slots() {
    slots_.assign(slots_.size() * 2, 0);
    for (size_t row = 0; row < count_; row++) {
        slots_[find_slot(keys_.data() + row * rank_)] = static_cast<uint32_t>(row + 1);
    }
}

void PointTable::turn_into_hash_table() {
    PointTable table(rank_, width_);
    table.hashed_ = true;
    table.slots_.assign(64, 0);
    for_each_present([&](size_t offset, const int32_t *point) {
        std::copy_n(cells_.data() + offset * width_, width_, table.insert_hashed(point));
    });
    *this = std::move(table);
}

} // namespace fluorite::interpret
