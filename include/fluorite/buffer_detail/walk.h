#pragma once
// Traversal of the elements of one or several buffers of equal extents: dimensions are sorted by stride and merged
// where every buffer allows it, so that dense buffers become one flat loop. For use through fluorite/buffer.h.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer_detail/contents.h"

#include <array>
#include <cstddef>
#include <utility>

namespace fluorite::buffer_detail {

/// Sorts a short vector by a key; keeps the order of equal keys.
template <typename V, typename Key> void stable_sort_by(std::vector<V> &values, Key key) {
    for (size_t i = 1; i < values.size(); i++) {
        for (size_t k = i; k > 0 && key(values[k]) < key(values[k - 1]); k--) {
            std::swap(values[k], values[k - 1]);
        }
    }
}

template <size_t N> struct WalkDimension {
    int64_t extent;
    std::array<ptrdiff_t, N> strides; // in bytes
};

/// The loops, innermost first; empty if there are no elements.
template <size_t N> struct Walk {
    std::vector<WalkDimension<N>> loops;
    bool empty = false;
};

/// `dims[i]` are the dimensions of buffer i, with the extents of the first; `bytes[i]` is its element size.
template <size_t N> Walk<N> plan_walk(const std::array<const Dimensions *, N> &dims, const std::array<int, N> &bytes) {
    Walk<N> walk;
    for (size_t d = 0; d < dims[0]->size(); d++) {
        const int extent = (*dims[0])[d].extent;
        walk.empty |= extent <= 0;
        if (extent == 1) {
            continue;
        }
        WalkDimension<N> loop{extent, {}};
        for (size_t i = 0; i < N; i++) {
            loop.strides[i] = static_cast<ptrdiff_t>((*dims[i])[d].stride) * bytes[i];
        }
        walk.loops.push_back(loop);
    }
    stable_sort_by(walk.loops, [](const WalkDimension<N> &loop) { return std::abs(loop.strides[0]); });
    std::vector<WalkDimension<N>> merged;
    for (const WalkDimension<N> &loop : walk.loops) {
        bool continues = !merged.empty();
        for (size_t i = 0; i < N && continues; i++) {
            continues = loop.strides[i] == merged.back().strides[i] * merged.back().extent;
        }
        if (continues) {
            merged.back().extent *= loop.extent;
        } else {
            merged.push_back(loop);
        }
    }
    walk.loops = std::move(merged);
    return walk;
}

/// Calls run(pointers, count, strides) for each innermost run of elements.
template <size_t N, typename Run>
void walk_runs(const Walk<N> &walk, size_t level, std::array<uint8_t *, N> at, Run &run) {
    if (level == 0) {
        walk.loops.empty() ? run(at, int64_t{1}, std::array<ptrdiff_t, N>{})
                           : run(at, walk.loops[0].extent, walk.loops[0].strides);
        return;
    }
    const WalkDimension<N> &loop = walk.loops[level];
    for (int64_t k = 0; k < loop.extent; k++) {
        walk_runs(walk, level - 1, at, run);
        for (size_t i = 0; i < N; i++) {
            at[i] += loop.strides[i];
        }
    }
}

template <size_t N, typename Run> void walk_runs(const Walk<N> &walk, std::array<uint8_t *, N> at, Run &&run) {
    if (!walk.empty) {
        walk_runs(walk, walk.loops.empty() ? 0 : walk.loops.size() - 1, at, run);
    }
}

template <typename T>
void copy_run(uint8_t *to, const uint8_t *from, int64_t count, ptrdiff_t step, ptrdiff_t from_step) {
    for (int64_t k = 0; k < count; k++) {
        T value;
        std::memcpy(&value, from + k * from_step, sizeof(T));
        std::memcpy(to + k * step, &value, sizeof(T));
    }
}

inline void copy_run(int bytes, uint8_t *to, const uint8_t *from, int64_t count, ptrdiff_t step, ptrdiff_t from_step) {
    if (step == bytes && from_step == bytes) {
        std::memmove(to, from, static_cast<size_t>(count * bytes));
        return;
    }
    switch (bytes) {
    case 1:
        return copy_run<uint8_t>(to, from, count, step, from_step);
    case 2:
        return copy_run<uint16_t>(to, from, count, step, from_step);
    case 4:
        return copy_run<uint32_t>(to, from, count, step, from_step);
    case 8:
        return copy_run<uint64_t>(to, from, count, step, from_step);
    default:
        for (int64_t k = 0; k < count; k++) {
            std::memcpy(to + k * step, from + k * from_step, static_cast<size_t>(bytes));
        }
    }
}

/// Copies the elements at all coordinates that both contain. Precondition: both have the same type and rank and lie in
/// host memory.
inline void copy_overlap(Contents &target, Contents &source) {
    Dimensions to = target.dims();
    Dimensions from = source.dims();
    std::array<uint8_t *, 2> at{target.raw().host, source.raw().host};
    const int bytes = target.raw().type.bytes();
    for (size_t d = 0; d < to.size(); d++) {
        const int64_t min = std::max(to[d].min, from[d].min);
        const int64_t end = std::min(int64_t{to[d].min} + to[d].extent, int64_t{from[d].min} + from[d].extent);
        if (end <= min) {
            return;
        }
        at[0] += (min - to[d].min) * to[d].stride * bytes;
        at[1] += (min - from[d].min) * from[d].stride * bytes;
        to[d].extent = from[d].extent = static_cast<int>(end - min);
    }
    const Walk<2> walk = plan_walk<2>({&to, &from}, {bytes, bytes});
    walk_runs(walk, at, [bytes](const auto &p, int64_t count, const auto &steps) {
        copy_run(bytes, p[0], p[1], count, steps[0], steps[1]);
    });
}

/// Dense dimensions with the extents, mins and storage order of the given ones.
inline Dimensions compact(const Dimensions &dims, const std::string &name, const Location &place) {
    std::vector<int> order(dims.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = static_cast<int>(i);
    }
    stable_sort_by(order, [&](int d) { return std::abs(int64_t{dims[static_cast<size_t>(d)].stride}); });
    std::vector<int> sizes;
    for (const Dimension &dim : dims) {
        sizes.push_back(dim.extent);
    }
    Dimensions result = dense_dimensions(sizes, order, name, place);
    for (size_t d = 0; d < dims.size(); d++) {
        result[d].min = dims[d].min;
    }
    return result;
}

// The number of ints that a callable takes: the fewest (up to 16) with which it can be called, otherwise -1.
template <typename F, typename... Ints> constexpr int arity() {
    if constexpr (std::is_invocable_v<F, Ints...>) {
        return sizeof...(Ints);
    } else if constexpr (sizeof...(Ints) < 16) {
        return arity<F, Ints..., int>();
    } else {
        return -1;
    }
}

template <typename F, size_t... I> void call_with(F &&f, const int *position, std::index_sequence<I...>) {
    f(position[I]...);
}

/// Calls f at every coordinate of the first `rank` dimensions, dimension 0 innermost, with a `const int *` or with one
/// int for each.
template <typename F> void for_each_position(const Dimensions &dims, size_t rank, F &&f) {
    std::vector<int> position(rank);
    for (size_t d = 0; d < rank; d++) {
        if (dims[d].extent <= 0) {
            return;
        }
        position[d] = dims[d].min;
    }
    auto call = [&] {
        if constexpr (std::is_invocable_v<F, const int *> && !std::is_invocable_v<F, int>) {
            f(static_cast<const int *>(position.data()));
        } else {
            call_with(f, position.data(), std::make_index_sequence<static_cast<size_t>(arity<F>())>());
        }
    };
    if (rank == 0) {
        call();
        return;
    }
    size_t d = 0;
    while (d < rank) {
        for (int k = 0; k < dims[0].extent; k++) {
            position[0] = dims[0].min + k;
            call();
        }
        for (d = 1; d < rank; d++) {
            if (int64_t{position[d]} - dims[d].min < int64_t{dims[d].extent} - 1) {
                position[d]++;
                break;
            }
            position[d] = dims[d].min;
        }
    }
}

} // namespace fluorite::buffer_detail
