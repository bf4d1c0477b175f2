#pragma once
// The semantics of every operator on scalars of every type, as functions on 64-bit cells.
//
// A cell holds one scalar: signed integers sign-extended, unsigned integers and bool zero-extended, floats of any width
// as their bits, zero-extended. All functions here take and return cells in that form.

#include "ir/expr_node.h"

#include <cstdint>

namespace fluorite::interpret {

using Cell = uint64_t;
using Unary = Cell (*)(Cell);
using Binary = Cell (*)(Cell, Cell);
using Ternary = Cell (*)(Cell, Cell, Cell);

// Each lookup returns null where the operator is not defined on the type.

/// Not, BitNot, Abs, the bit counts, Likely, LikelyIfInnermost on an operand of the type.
Unary find_unary(ir::ExprKind kind, Type type);
/// Arithmetic, comparisons, logic and bit operators on two operands of the type (shifts: see find_shift).
Binary find_binary(ir::ExprKind kind, Type type);
/// ShiftLeft and ShiftRight; the amount may be signed or unsigned.
Binary find_shift(ir::ExprKind kind, Type type, Type amount);
/// Fma on floats.
Ternary find_fma(Type type);

/// Cast: integers wrap; conversion to bool is `!= 0`; float to integer truncates, saturates and maps NaN to 0;
/// conversion to float rounds once, to nearest even.
Unary find_cast(Type from, Type to);
/// SaturatingCast: conversion to an integer (bool: 0 or 1) clamps to its range and maps NaN to 0; conversion to a float
/// is the plain cast.
Unary find_saturating_cast(Type from, Type to);
/// Reinterpret between types of the same number of bits.
Unary find_reinterpret(Type from, Type to);

/// Math functions of one and of two operands.
Unary find_math_unary(ir::MathOp op, Type type);
Binary find_math_binary(ir::MathOp op, Type type);

/// The value of Random in the type, given a hash of its operands.
Cell random_value(uint32_t hash, Type type);

/// Reads the cell of an element from its `type.bytes()` bytes in memory.
using Loader = Cell (*)(const void *);
Loader find_loader(Type type);
/// Writes an element's bytes.
void store_element(void *address, Type type, Cell cell);
/// The bits of the element in memory, zero-extended.
uint64_t element_bits(Cell cell, Type type);

/// The cell of a literal.
Cell cell_of_int(Type type, int64_t value);
Cell cell_of_uint(Type type, uint64_t value);
Cell cell_of_float(Type type, double value);

} // namespace fluorite::interpret
