#pragma once
// Dense ids that cannot be confused: FuncId, LoopId and so on are distinct types around an int, and StageId is a pair.
// An id is the index of what it names; index_of and position_in give the indices of enumerators and iterators.

#include <compare>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace fluorite {

/// An index into the array that owns things of one kind. Negative means none.
template <typename Tag> struct TypedId {
    int32_t value = -1;

    constexpr TypedId() = default;
    constexpr explicit TypedId(int32_t index) : value(index) {}
    constexpr explicit TypedId(size_t index) : value(static_cast<int32_t>(index)) {}
    constexpr bool valid() const { return value >= 0; }
    constexpr size_t index() const { return static_cast<size_t>(value); }
    /// Whether it is one of the first `count` ids.
    constexpr bool is_below(size_t count) const { return valid() && index() < count; }
    constexpr auto operator<=>(const TypedId &other) const = default;
};

using FuncId = TypedId<struct FuncTag>;
using InputId = TypedId<struct InputTag>;
using ParamId = TypedId<struct ParamTag>;
/// A dimension of a Func, an input or a stage's region; of reduction variables, the position in the stage's list; of
/// the buffers of a tuple, its element.
using DimId = TypedId<struct DimTag>;
/// A loop of a stage, by its position: 0 is innermost. The number of loops stands for the place outside all of them.
using LoopId = TypedId<struct LoopTag>;
/// The loop that is so many loops further out.
constexpr LoopId outward(LoopId loop, int32_t loops = 1) { return LoopId(loop.value + loops); }

/// A stage of a Func: 0 is its pure definition, k its k-th update. Negative: no stage, or any stage.
struct StageId {
    FuncId func;
    int32_t stage = -1;

    constexpr StageId() = default;
    constexpr StageId(FuncId of, int32_t number) : func(of), stage(number) {}
    constexpr StageId(FuncId of, size_t number) : func(of), stage(static_cast<int32_t>(number)) {}
    constexpr bool is_update() const { return stage > 0; }
    /// Of the stage, in the list of its Func.
    constexpr size_t index() const { return static_cast<size_t>(stage); }
    constexpr auto operator<=>(const StageId &) const = default;
};

/// The index of an enumerator in a table with one entry for each.
template <typename Enum>
    requires std::is_enum_v<Enum>
constexpr size_t index_of(Enum value) {
    return static_cast<size_t>(value);
}

/// The index of the element that an iterator of the range refers to; the number of elements for its end.
template <typename Range, typename Iterator> constexpr size_t position_in(const Range &range, Iterator found) {
    return static_cast<size_t>(found - std::begin(range));
}

} // namespace fluorite

template <typename Tag> struct std::hash<fluorite::TypedId<Tag>> {
    size_t operator()(const fluorite::TypedId<Tag> &id) const { return static_cast<size_t>(id.value); }
};
