#pragma once
// The arithmetic of the language in LLVM instructions, for scalars and vectors alike. ir/expr_kinds.def defines the
// semantics.

#include "backends/llvm/arith/lanes.h"
#include "ir/expr_node.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

class Arith {
  public:
    Arith(llvm::IRBuilder<> &builder, Lanes &lanes, const machine::MachineModel &machine)
        : b_(builder), lanes_(lanes), has_f16c_(machine.has_half_floats),
          has_half_arithmetic_(machine.has_half_arithmetic), has_vnni_(machine.has_byte_products),
          has_ssse3_(machine.has_byte_shuffle), has_rounding_(machine.has_rounding), has_fma_(machine.has_fma),
          has_dot_products_(machine.has_byte_dot_products),
          is_x86_(machine.instruction_set == machine::InstructionSet::X86),
          is_arm_(machine.instruction_set == machine::InstructionSet::Arm), has_vectors_(machine.has_vectors),
          vector_bits_(machine.vector_bits) {}

    /// Emits Add..Max, AbsDiff, comparisons, logical and bit operations, and shifts. `type` is that of the operands;
    /// `amount_type` is that of the second operand of a shift.
    llvm::Value *binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b, Type amount_type);
    /// Emits Not, BitNot, bit counts and Abs.
    llvm::Value *unary(ir::ExprKind kind, Type type, llvm::Value *a);
    llvm::Value *select(llvm::Value *condition, llvm::Value *yes, llvm::Value *no);
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
    /// The value, in each lane.
    llvm::Value *constant(Type type, int64_t value) { return constant_of(b_.getContext(), type, value); }

  private:
    llvm::Value *float_extremum(bool is_min, llvm::Value *a, llvm::Value *b);
    llvm::Value *float_binary(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *compare(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *shift(bool left, Type type, llvm::Value *a, llvm::Value *amount, Type amount_type);
    llvm::Value *shift_by_unsigned(bool left, Type type, llvm::Value *a, llvm::Value *amount);
    // division.cpp
    std::pair<llvm::Value *, llvm::Value *> safe_divisor(Type type, llvm::Value *b);
    llvm::Value *divide(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *divide_by_constant(ir::ExprKind kind, Type type, llvm::Value *a, const llvm::APInt &divisor);
    bool is_small_dividend(Type type, llvm::Value *a);
    llvm::Value *small_quotient(llvm::Value *a, uint64_t divisor);
    llvm::Value *divide_signed(ir::ExprKind kind, Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *unsigned_quotient(Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *divide_floats(Type type, llvm::Value *a, llvm::Value *b);
    llvm::Value *multiply_by_reciprocal(llvm::Value *a, llvm::Value *b, double high, double low, double least);
    // idioms/dot_products.cpp
    llvm::Value *add_to_dot_products(llvm::Value *a, llvm::Value *b);
    llvm::Value *add_products(llvm::Value *value, int group);
    llvm::Value *dot_products(llvm::Value *a, llvm::Value *b, bool is_unsigned, int group);
    llvm::Value *before_extension(llvm::Value *value, bool &is_unsigned);
    // idioms/fixed_point.cpp, idioms/float_to_int.cpp, short_floats.cpp
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
    llvm::Value *convert_half(bool widens, llvm::Value *value, llvm::Type *to, bool allows_half_arithmetic = true);
    llvm::Value *half_to_float(llvm::Value *bits, bool allows_half_arithmetic = true);
    llvm::Value *widen_to_compare(llvm::Value *value, Type type);
    /// `type` with as many lanes as the value has.
    static Type with_lanes_of(Type type, llvm::Value *value) { return type.with_lanes(lanes_of(value)); }

    llvm::IRBuilder<> &b_;
    Lanes &lanes_;
    bool has_f16c_;
    bool has_half_arithmetic_;
    bool has_vnni_;
    bool has_ssse3_;
    bool has_rounding_;
    bool has_fma_;
    bool has_dot_products_;
    bool is_x86_;
    bool is_arm_;
    bool has_vectors_; // false: no idiom of several lanes is an instruction
    int vector_bits_;
};

} // namespace fluorite::backends
