#pragma once
// The scalar and vector types of the language, as small values.

#include "fluorite/require_cxx17.h"

#include "fluorite/runtime_abi.h"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace fluorite {

class Expr;
struct float16_t;
struct bfloat16_t;

namespace detail {
/// Throws CompileError [bad-type].
[[noreturn]] void refuse_type(const char *what, int count, int most);
/// A number of bits or lanes that a Type has room for.
constexpr int checked_count(const char *what, int count, int most) {
    if (count < 0 || count > most) {
        refuse_type(what, count, most);
    }
    return count;
}
} // namespace detail

/// The interpretation of a scalar's bits: the code of the buffer ABI (`halide_type_code_t`), to and from which it
/// converts, under names that do not collide with the functions below.
class TypeCode {
  public:
    /// From and to the code of the ABI.
    constexpr TypeCode(fluorite_type_code_t code) : code_(code) {}    // NOLINT(google-explicit-constructor)
    constexpr operator fluorite_type_code_t() const { return code_; } // NOLINT(google-explicit-constructor)
    static const TypeCode Int, UInt, Float, Handle, BFloat;

  private:
    fluorite_type_code_t code_;
};
inline constexpr TypeCode TypeCode::Int = fluorite_type_int;
inline constexpr TypeCode TypeCode::UInt = fluorite_type_uint;
inline constexpr TypeCode TypeCode::Float = fluorite_type_float;
inline constexpr TypeCode TypeCode::Handle = fluorite_type_handle;
inline constexpr TypeCode TypeCode::BFloat = fluorite_type_bfloat;

/// A scalar type (`lanes() == 1`) or a vector of one. Bool is `UInt(1)` and is stored as one byte of 0 or 1.
class Type {
  public:
    /// The codes, under the names that programs use for those of a type.
    static constexpr TypeCode Int = TypeCode::Int, UInt = TypeCode::UInt, Float = TypeCode::Float,
                              Handle = TypeCode::Handle, BFloat = TypeCode::BFloat;

    constexpr Type() = default;
    /// Throws CompileError [bad-type] for more bits or lanes than fit; a definition with a type that has no values
    /// throws the same.
    constexpr Type(TypeCode code, int bits, int lanes = 1)
        : code_(code), bits_(static_cast<uint8_t>(detail::checked_count("bits", bits, 255))),
          lanes_(static_cast<uint16_t>(detail::checked_count("lanes", lanes, 65535))) {}

    /// From and to the type of the buffer ABI, which has no more than 255 bits and 65535 lanes either.
    constexpr Type(const fluorite_type_t &type) : Type(type.code, type.bits, type.lanes) {} // NOLINT
    constexpr operator fluorite_type_t() const { return {code_, bits_, lanes_}; }           // NOLINT

    /// The kind of number, the bits of one value, and the number of lanes, which is 1 for a scalar.
    constexpr TypeCode code() const { return code_; }
    constexpr int bits() const { return bits_; }
    constexpr int lanes() const { return lanes_; }
    /// The bytes of one lane in memory: bits rounded up to whole bytes.
    constexpr int bytes() const { return (bits_ + 7) / 8; }

    /// What kind of type it is.
    constexpr bool is_bool() const { return code_ == TypeCode::UInt && bits_ == 1; }
    constexpr bool is_int() const { return code_ == TypeCode::Int; }
    /// Unsigned integers, bool included.
    constexpr bool is_uint() const { return code_ == TypeCode::UInt; }
    constexpr bool is_int_or_uint() const { return is_int() || is_uint(); }
    /// IEEE binary floats and bfloat16.
    constexpr bool is_float() const { return code_ == TypeCode::Float || code_ == TypeCode::BFloat; }
    constexpr bool is_bfloat() const { return code_ == TypeCode::BFloat; }
    constexpr bool is_handle() const { return code_ == TypeCode::Handle; }
    constexpr bool is_scalar() const { return lanes_ == 1; }
    constexpr bool is_vector() const { return lanes_ > 1; }
    /// Whether Halide says that sums wrap which are no values of the type: it does of signed integers of up to 16 bits
    /// and of unsigned ones.
    constexpr bool can_overflow_int() const { return is_int() && bits_ <= 16; }
    constexpr bool can_overflow() const { return is_uint() || can_overflow_int(); }
    /// True for the default-constructed type of no bits.
    constexpr bool is_void() const { return bits_ == 0; }

    /// This type with another kind, width or number of lanes; its scalar; twice or half as wide.
    constexpr Type with_code(TypeCode code) const { return {code, bits_, lanes_}; }
    constexpr Type with_bits(int bits) const { return {code_, bits, lanes_}; }
    constexpr Type with_lanes(int lanes) const { return {code_, bits_, lanes}; }
    constexpr Type element_of() const { return with_lanes(1); }
    constexpr Type widen() const { return with_bits(bits_ * 2); }
    constexpr Type narrow() const { return with_bits(bits_ / 2); }

    /// Whether every value of `other` is a value of this type.
    bool can_represent(Type other) const;
    /// Whether this integer value (or its exact float image) is a value of this type.
    bool can_represent(int64_t value) const;
    bool can_represent(uint64_t value) const;
    bool can_represent(double value) const;
    bool is_max(int64_t value) const;
    bool is_min(int64_t value) const;
    /// The least and greatest value as an Expr of this type; the infinities for floats.
    Expr min() const;
    Expr max() const;

    constexpr bool operator==(const Type &other) const { return key() == other.key(); }
    constexpr bool operator!=(const Type &other) const { return key() != other.key(); }
    constexpr bool operator==(const fluorite_type_t &other) const { return *this == Type(other); }
    constexpr bool operator!=(const fluorite_type_t &other) const { return !(*this == other); }
    /// A total order over types, for use as a key only.
    constexpr bool operator<(const Type &other) const { return key() < other.key(); }
    constexpr uint32_t key() const {
        return static_cast<uint32_t>(code_) << 24 | static_cast<uint32_t>(bits_) << 16 | lanes_;
    }

  private:
    TypeCode code_ = TypeCode::UInt;
    uint8_t bits_ = 0;
    uint16_t lanes_ = 0;
};

/// Signed and unsigned integers of 8, 16, 32 or 64 bits, IEEE floats of 16, 32 or 64, bfloat16, Bool (a UInt of one
/// bit), and pointers, which algorithms pass on only.
constexpr Type Int(int bits, int lanes = 1) { return {TypeCode::Int, bits, lanes}; }
constexpr Type UInt(int bits, int lanes = 1) { return {TypeCode::UInt, bits, lanes}; }
constexpr Type Float(int bits, int lanes = 1) { return {TypeCode::Float, bits, lanes}; }
constexpr Type BFloat(int bits, int lanes = 1) { return {TypeCode::BFloat, bits, lanes}; }
constexpr Type Bool(int lanes = 1) { return UInt(1, lanes); }
constexpr Type Handle(int lanes = 1) { return {TypeCode::Handle, 64, lanes}; }

/// The type of a C++ scalar; pointers are handles. Cv-qualifiers are ignored.
template <typename T> constexpr Type type_of() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, bool>) {
        return Bool();
    } else if constexpr (std::is_pointer_v<U>) {
        return Handle();
    } else if constexpr (std::is_same_v<U, float16_t>) {
        return Float(16);
    } else if constexpr (std::is_same_v<U, bfloat16_t>) {
        return BFloat(16);
    } else if constexpr (std::is_floating_point_v<U>) {
        return Float(static_cast<int>(sizeof(U)) * 8);
    } else if constexpr (std::is_signed_v<U>) {
        return Int(static_cast<int>(sizeof(U)) * 8);
    } else {
        static_assert(std::is_unsigned_v<U>, "fluorite::type_of: not a scalar of the language");
        return UInt(static_cast<int>(sizeof(U)) * 8);
    }
}

/// `int32`, `uint8`, `bool`, `float16`, `bfloat16`, `float32x8`, `handle`.
std::string to_string(Type type);
std::ostream &operator<<(std::ostream &stream, Type type);

} // namespace fluorite

template <> struct std::hash<fluorite::Type> {
    /// Types are keys of unordered containers.
    size_t operator()(const fluorite::Type &type) const { return type.key(); }
};
