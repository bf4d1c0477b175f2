#pragma once
// The language's arithmetic in LLVM instructions; scalars and vectors alike. Semantics: ir/expr_kinds.def.
//
// Values in registers: bool is i1; 16-bit floats are their bits in an i16; handles are ptr; the rest is LLVM's type of
// the same name.

#include "ir/expr_node.h"
#include "machine/machine_model.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <unordered_map>
#include <vector>

namespace fluorite::backends {

/// The type of a value in a register, and in memory (where bool takes a byte).
llvm::Type *value_type(llvm::LLVMContext &context, Type type);
llvm::Type *memory_type(llvm::LLVMContext &context, Type type);
/// Whether values of the type are 16-bit floats.
inline bool is_short_float(Type type) { return type.is_float() && type.bits() == 16; }

/// The alias tag of a vector load of so many bytes: below the buffer's own (or beside another of this kind), so that
/// stores meet it, and loads of other widths do not. GVN would take a load that lies within a wider one from that by
/// shifts of integers of hundreds of bits.
llvm::MDNode *tag_of_width(llvm::MDNode *tag, uint64_t bytes);

class Arith {
  public:
    Arith(llvm::IRBuilder<> &builder, const machine::MachineModel &machine)
        : b_(builder), has_f16c_(machine.has_half_floats), has_vnni_(machine.has_byte_products),
          has_ssse3_(machine.has_byte_shuffle), vector_bits_(machine.vector_bits),
          short_vector_bits_(machine.short_vector_bits), least_permuted_bits_(machine.least_permuted_bits) {}

    /// Add..Max, AbsDiff, comparisons, logic, bits, shifts: `type` is that of the operands; `amount_type` that of the
    /// second operand of a shift.
    llvm::Value *binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b, Type amount_type);
    /// Not, BitNot, counts, Abs.
    llvm::Value *unary(ir::ExprKind kind, Type type, llvm::Value *a);
    llvm::Value *fma(Type type, llvm::Value *a, llvm::Value *b, llvm::Value *c);
    llvm::Value *cast(llvm::Value *value, Type from, Type to);
    llvm::Value *saturating_cast(llvm::Value *value, Type from, Type to);
    llvm::Value *reinterpret(llvm::Value *value, Type from, Type to);
    /// Groups of adjacent lanes to one lane each. Floats are added as a tree of adjacent pairs.
    llvm::Value *reduce(ir::ReduceOp op, Type type, llvm::Value *value, int lanes);
    /// a op b.
    llvm::Value *add_products(llvm::Value *value, int group);
    llvm::Value *before_extension(llvm::Value *value, bool &is_unsigned);
    llvm::Value *by_pieces(llvm::Value *a, llvm::Value *b, int width,
                           const std::function<llvm::Value *(llvm::Value *, llvm::Value *)> &operation);
    llvm::Value *combine(ir::ReduceOp op, Type type, llvm::Value *a, llvm::Value *b);

    /// 16-bit floats to and from float32; other floats as they are.
    llvm::Value *widen_float(llvm::Value *value, Type type);
    llvm::Value *narrow_float(llvm::Value *value, Type type);
    /// The type in which a float type computes.
    static Type compute_type(Type type) { return is_short_float(type) ? Float(32, type.lanes()) : type; }

    llvm::Value *constant(Type type, int64_t value);
    llvm::Value *broadcast(llvm::Value *scalar, int lanes);
    llvm::Value *concat(llvm::ArrayRef<llvm::Value *> vectors);
    llvm::Value *slice(llvm::Value *vector, int begin, int count, int step = 1);
    /// Lanes of the vectors, taken as one, in another order; -1: any. `shuffle.cpp`
    llvm::Value *shuffled(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// Vectors that were narrowed, interleaved: each group of their lanes as one wider integer. Null for other
    /// shuffles.
    llvm::Value *interleaved(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// Whether any lanes of two registers of such elements are one instruction away.
    bool has_permutes(llvm::Type *element) const;
    /// What a result of shuffled() was put together from: vectors that one store takes each; empty where it is one.
    std::vector<llvm::Value *> stored_parts(llvm::Value *vector) const;
    /// The matrix whose `rows` rows follow each other in a vector, row after row of the transpose. Powers of two.
    llvm::Value *transposed(llvm::Value *matrix, int rows);

  private:
    llvm::Value *float_binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *compare(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *divide(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *divide_by_constant(ir::ExprKind kind, Type type, llvm::Value *a, const llvm::APInt &divisor);
    llvm::Value *divide_signed(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *unsigned_quotient(Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *shift(bool left, Type type, llvm::Value *a, llvm::Value *amount, Type amount_type);
    llvm::Value *shift_by_unsigned(bool left, Type type, llvm::Value *a, llvm::Value *amount);
    // shuffle.cpp
    std::vector<llvm::Value *> loads_of(llvm::LoadInst *wide);
    std::vector<llvm::Value *> parts_of(llvm::Value *vector);
    std::vector<llvm::Value *> packed(llvm::ArrayRef<llvm::Value *> parts, int lanes, std::vector<int> &starts);
    llvm::Value *joined(llvm::ArrayRef<llvm::Value *> vectors);
    void note_groups(llvm::Value *picked, llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    llvm::Value *extended_in_place(llvm::Value *value, Type from, Type to);
    llvm::Value *add_to_dot_products(llvm::Value *a, llvm::Value *b);
    llvm::Value *sum_with_neighbours(llvm::Value *a, llvm::Value *b);
    llvm::Value *sum_of_neighbours(llvm::Value *a, llvm::Value *b);
    // fixed_point.cpp
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
    /// The type with the lanes of a value.
    static Type with_lanes_of(Type type, llvm::Value *value);

    llvm::IRBuilder<> &b_;
    bool has_f16c_;
    bool has_vnni_;
    bool has_ssse3_;
    int vector_bits_;
    int short_vector_bits_;
    int least_permuted_bits_;
    /// One lane of each group of a vector: the vector, the lanes of a group, which of them; and how it was extended.
    struct GroupLane {
        llvm::Value *all = nullptr;
        int lanes = 0, lane = 0;
        Type from, middle;
    };
    std::unordered_map<llvm::Value *, GroupLane> group_lanes_;
    std::unordered_map<llvm::Value *, std::vector<llvm::Value *>>
        parts_; // of vectors that concat() does not make visible
};

} // namespace fluorite::backends
