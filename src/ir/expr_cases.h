#pragma once
// The case labels of each class of expression kinds (ir/expr_traits.h), for switches that name every kind:
//
//     switch (expr->kind()) {
//     case ExprKind::Add:
//         ...
//     case FLUORITE_CONSTANTS:
//     case FLUORITE_NAMES:
//         return other;
//     }
//
// A class of one kind has no macro. FLUORITE_BINARY has the operators of two operands, FLUORITE_BINARY_ARITHMETIC those
// of them that are arithmetic, and FLUORITE_NOT_BINARY all other kinds; FLUORITE_NOT_OPERATORS are those of the latter
// that belong to no class of operators, and are no hints.
// expr_traits.cpp checks the labels against the columns of expr_kinds.def: a kind that is added to the table is added
// here too, and then no switch that names its class needs to change.

#include "ir/expr_node.h"

#define FLUORITE_KIND(kind) ::fluorite::ir::ExprKind::kind

// clang-format off
#define FLUORITE_CONSTANTS                                                                                             \
    FLUORITE_KIND(IntImm): case FLUORITE_KIND(UIntImm): case FLUORITE_KIND(FloatImm):                                  \
    case FLUORITE_KIND(StringImm)
#define FLUORITE_NAMES FLUORITE_KIND(Variable): case FLUORITE_KIND(BufferField)
#define FLUORITE_CONVERSIONS                                                                                           \
    FLUORITE_KIND(Cast): case FLUORITE_KIND(SaturatingCast): case FLUORITE_KIND(Reinterpret)
#define FLUORITE_BINARY_ARITHMETIC                                                                                     \
    FLUORITE_KIND(Add): case FLUORITE_KIND(Sub): case FLUORITE_KIND(Mul): case FLUORITE_KIND(Div):                     \
    case FLUORITE_KIND(Mod): case FLUORITE_KIND(Quotient): case FLUORITE_KIND(Remainder):                              \
    case FLUORITE_KIND(Min): case FLUORITE_KIND(Max): case FLUORITE_KIND(AbsDiff)
#define FLUORITE_ARITHMETIC                                                                                            \
    FLUORITE_BINARY_ARITHMETIC: case FLUORITE_KIND(Fma): case FLUORITE_KIND(Abs)
#define FLUORITE_COMPARISONS                                                                                           \
    FLUORITE_KIND(EQ): case FLUORITE_KIND(NE): case FLUORITE_KIND(LT): case FLUORITE_KIND(LE):                         \
    case FLUORITE_KIND(GT): case FLUORITE_KIND(GE)
#define FLUORITE_LOGIC FLUORITE_KIND(And): case FLUORITE_KIND(Or): case FLUORITE_KIND(Not)
#define FLUORITE_BITS                                                                                                  \
    FLUORITE_KIND(BitAnd): case FLUORITE_KIND(BitOr): case FLUORITE_KIND(BitXor):                                      \
    case FLUORITE_KIND(BitNot): case FLUORITE_KIND(ShiftLeft): case FLUORITE_KIND(ShiftRight):                         \
    case FLUORITE_KIND(CountOnes): case FLUORITE_KIND(CountLeadingZeros):                                              \
    case FLUORITE_KIND(CountTrailingZeros)
#define FLUORITE_HINTS FLUORITE_KIND(Likely): case FLUORITE_KIND(LikelyIfInnermost)
#define FLUORITE_FUNCTIONS FLUORITE_KIND(Math): case FLUORITE_KIND(Extern): case FLUORITE_KIND(Random)
#define FLUORITE_VECTORS                                                                                               \
    FLUORITE_KIND(Ramp): case FLUORITE_KIND(Broadcast): case FLUORITE_KIND(Shuffle):                                   \
    case FLUORITE_KIND(VectorReduce)
#define FLUORITE_ACCESSES FLUORITE_KIND(Call): case FLUORITE_KIND(Image): case FLUORITE_KIND(Load)
#define FLUORITE_EFFECTS FLUORITE_KIND(Require): case FLUORITE_KIND(Print)

#define FLUORITE_BINARY                                                                                                \
    FLUORITE_COMPARISONS: case FLUORITE_BINARY_ARITHMETIC:                                                             \
    case FLUORITE_KIND(And): case FLUORITE_KIND(Or): case FLUORITE_KIND(BitAnd): case FLUORITE_KIND(BitOr):            \
    case FLUORITE_KIND(BitXor): case FLUORITE_KIND(ShiftLeft): case FLUORITE_KIND(ShiftRight)
#define FLUORITE_NOT_OPERATORS                                                                                         \
    FLUORITE_CONSTANTS: case FLUORITE_NAMES: case FLUORITE_CONVERSIONS: case FLUORITE_FUNCTIONS:                       \
    case FLUORITE_VECTORS: case FLUORITE_KIND(Let): case FLUORITE_ACCESSES: case FLUORITE_KIND(Undef):                 \
    case FLUORITE_EFFECTS: case FLUORITE_KIND(MemoizeTag)
#define FLUORITE_NOT_BINARY                                                                                            \
    FLUORITE_NOT_OPERATORS: case FLUORITE_HINTS: case FLUORITE_KIND(Fma): case FLUORITE_KIND(Abs):                     \
    case FLUORITE_KIND(Not): case FLUORITE_KIND(BitNot): case FLUORITE_KIND(CountOnes):                                \
    case FLUORITE_KIND(CountLeadingZeros): case FLUORITE_KIND(CountTrailingZeros): case FLUORITE_KIND(Select)
// clang-format on
