#pragma once
// The arithmetic of the language in LLVM instructions, for scalars and vectors alike. ir/expr_kinds.def defines the
// semantics.
//
// Representation in registers: a Bool is an i1, a 16-bit float is its bits in an i16, a handle is a ptr; every other
// type is LLVM's type of the same name.

#include "ir/expr_node.h"
#include "machine/machine_model.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <unordered_map>
#include <vector>

namespace fluorite::backends {

/// The LLVM type of a value in a register, and in memory (where a Bool takes a byte).
llvm::Type *value_type(llvm::LLVMContext &context, Type type);
llvm::Type *memory_type(llvm::LLVMContext &context, Type type);
/// The number of lanes of a value; 1 for a scalar.
inline int lanes_of(const llvm::Value *value) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return vector ? static_cast<int>(vector->getNumElements()) : 1;
}
/// Whether the type is a 16-bit float.
inline bool is_short_float(Type type) { return type.is_float() && type.bits() == 16; }

/// The alias tag of a vector load of `bytes` bytes: a child of the buffer's tag, or a sibling if `tag` is already of
/// this kind. Such a load may alias the stores to the buffer but no load of another width. Otherwise GVN would replace
/// a load that is contained in a wider one by shifts of integers of hundreds of bits.
llvm::MDNode *tag_of_width(llvm::MDNode *tag, uint64_t bytes);

class Arith {
  public:
    Arith(llvm::IRBuilder<> &builder, const machine::MachineModel &machine)
        : b_(builder), has_f16c_(machine.has_half_floats), has_vnni_(machine.has_byte_products),
          has_ssse3_(machine.has_byte_shuffle), vector_bits_(machine.vector_bits),
          short_vector_bits_(machine.short_vector_bits), least_permuted_bits_(machine.least_permuted_bits) {}

    /// Emits Add..Max, AbsDiff, comparisons, logical and bit operations, and shifts. `type` is that of the operands;
    /// `amount_type` is that of the second operand of a shift.
    llvm::Value *binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b, Type amount_type);
    /// Emits Not, BitNot, bit counts and Abs.
    llvm::Value *unary(ir::ExprKind kind, Type type, llvm::Value *a);
    llvm::Value *fma(Type type, llvm::Value *a, llvm::Value *b, llvm::Value *c);
    llvm::Value *cast(llvm::Value *value, Type from, Type to);
    llvm::Value *saturating_cast(llvm::Value *value, Type from, Type to);
    llvm::Value *reinterpret(llvm::Value *value, Type from, Type to);
    /// Reduces each group of adjacent lanes to one; `lanes` counts the groups. Adjacent pairs are combined as long as
    /// the size of a group is even, the rest in order.
    llvm::Value *reduce(ir::ReduceOp op, Type type, llvm::Value *value, int lanes);
    /// a op b.
    llvm::Value *combine(ir::ReduceOp op, Type type, llvm::Value *a, llvm::Value *b);

    /// Converts 16-bit floats to and from float32; other floats are returned unchanged.
    llvm::Value *widen_float(llvm::Value *value, Type type);
    llvm::Value *narrow_float(llvm::Value *value, Type type);
    /// The type in which values of a float type are computed.
    static Type compute_type(Type type) { return is_short_float(type) ? Float(32, type.lanes()) : type; }

    /// Converts between the representations of a value in a register and in memory.
    llvm::Value *from_memory(Type type, llvm::Value *value);
    llvm::Value *to_memory(Type type, llvm::Value *value);

    llvm::Value *constant(Type type, int64_t value);
    llvm::Value *broadcast(llvm::Value *scalar, int lanes);
    llvm::Value *concat(llvm::ArrayRef<llvm::Value *> vectors);
    llvm::Value *slice(llvm::Value *vector, int begin, int count, int step = 1);
    /// The lanes `order` of the concatenation of the vectors; -1 stands for any value (shuffle.cpp).
    llvm::Value *shuffled(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// The interleaving of vectors at least half of which are truncations: each group of lanes becomes one wider
    /// integer (group_lanes.cpp). Null for other shuffles.
    llvm::Value *interleaved(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// Whether one instruction permutes arbitrary lanes of two registers of such elements.
    bool has_permutes(llvm::Type *element) const;
    /// The vectors that a result of shuffled() consists of, each of a size that one store takes; empty if it is not
    /// known to consist of several.
    std::vector<llvm::Value *> stored_parts(llvm::Value *vector) const;
    /// Transposes a matrix whose `rows` rows are concatenated in a vector. Both dimensions are powers of two
    /// (transpose.cpp).
    llvm::Value *transposed(llvm::Value *matrix, int rows);

  private:
    llvm::Value *float_binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *compare(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *shift(bool left, Type type, llvm::Value *a, llvm::Value *amount, Type amount_type);
    llvm::Value *shift_by_unsigned(bool left, Type type, llvm::Value *a, llvm::Value *amount);
    // division.cpp
    llvm::Value *divide(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *divide_by_constant(ir::ExprKind kind, Type type, llvm::Value *a, const llvm::APInt &divisor);
    llvm::Value *divide_signed(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *unsigned_quotient(Type type, llvm::Value *a, llvm::Value *b);
    // shuffle.cpp, group_lanes.cpp
    std::vector<llvm::Value *> loads_of(llvm::LoadInst *wide);
    std::vector<llvm::Value *> parts_of(llvm::Value *vector);
    std::vector<llvm::Value *> packed(llvm::ArrayRef<llvm::Value *> parts, int lanes, std::vector<int> &starts);
    llvm::Value *joined(llvm::ArrayRef<llvm::Value *> vectors);
    void note_groups(llvm::Value *picked, llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    llvm::Value *extended_in_place(llvm::Value *value, Type from, Type to);
    llvm::Value *add_to_dot_products(llvm::Value *a, llvm::Value *b);
    llvm::Value *sum_with_neighbours(llvm::Value *a, llvm::Value *b);
    llvm::Value *sum_of_neighbours(llvm::Value *a, llvm::Value *b);
    // x86/dot_products.cpp, and an operation applied to slices of `width` lanes (lanes.cpp)
    llvm::Value *add_products(llvm::Value *value, int group);
    llvm::Value *before_extension(llvm::Value *value, bool &is_unsigned);
    llvm::Value *by_pieces(llvm::Value *a, llvm::Value *b, int width,
                           const std::function<llvm::Value *(llvm::Value *, llvm::Value *)> &operation);
    // x86/fixed_point.cpp, x86/float_to_int.cpp, short_floats.cpp
    llvm::Value *narrowed(llvm::Value *wide, int bits);
    llvm::Value *saturated(llvm::Value *value, unsigned bits, int64_t least, int64_t most, bool has_unsigned_limit);
    llvm::Value *high_half(llvm::Value *value, bool may_be_unsigned, bool may_be_signed);
    llvm::Value *rounded_high_half(llvm::Value *value, bool saturates);
    llvm::Value *narrow_difference(bool is_int, llvm::Value *a, llvm::Value *b);
    llvm::Value *add_bytes(llvm::Value *value);
    llvm::Value *float_to_int(llvm::Value *value, Type from, Type to);
    llvm::Value *convert_lanes(llvm::Value *value);
    llvm::Value *int_to_short_float(llvm::Value *value, Type from, Type to);
    llvm::Value *double_to_odd_float(llvm::Value *value);
    llvm::Value *float_to_bfloat(llvm::Value *value);
    llvm::Value *float_to_half(llvm::Value *value);
    llvm::Value *half_to_float(llvm::Value *bits);
    /// `type` with as many lanes as the value has.
    static Type with_lanes_of(Type type, llvm::Value *value) { return type.with_lanes(lanes_of(value)); }

    llvm::IRBuilder<> &b_;
    bool has_f16c_;
    bool has_vnni_;
    bool has_ssse3_;
    int vector_bits_;
    int short_vector_bits_;
    int least_permuted_bits_;
    /// A vector that contains one lane of each group of `lanes` lanes of the vector `all`: lane number `lane`. If that
    /// vector has been extended in place, `from` is its element type and `middle` the integer type that holds a group.
    struct GroupLane {
        llvm::Value *all = nullptr;
        int lanes = 0, lane = 0;
        Type from, middle;
    };
    std::unordered_map<llvm::Value *, GroupLane> group_lanes_;
    std::unordered_map<llvm::Value *, std::vector<llvm::Value *>>
        parts_; // vectors that consist of others in a way that concat() does not show
};

} // namespace fluorite::backends
