#pragma once
// Dense ids that cannot be confused: FuncId, StageId and so on are distinct types around an int.

#include <compare>
#include <cstdint>
#include <functional>

namespace fluorite {

/// An index into the array that owns things of one kind. Negative means none.
template <typename Tag> struct TypedId {
    int32_t value = -1;

    constexpr TypedId() = default;
    constexpr explicit TypedId(int32_t index) : value(index) {}
    constexpr explicit TypedId(size_t index) : value(static_cast<int32_t>(index)) {}
    constexpr bool valid() const { return value >= 0; }
    constexpr size_t index() const { return static_cast<size_t>(value); }
    constexpr auto operator<=>(const TypedId &other) const = default;
};

using FuncId = TypedId<struct FuncTag>;
using InputId = TypedId<struct InputTag>;
using ParamId = TypedId<struct ParamTag>;

} // namespace fluorite

template <typename Tag> struct std::hash<fluorite::TypedId<Tag>> {
    size_t operator()(const fluorite::TypedId<Tag> &id) const { return static_cast<size_t>(id.value); }
};
