#pragma once
// Extern stages: the values of a Func that a C function of the program computes, a whole box at once.
//
// In a graph, such a Func has one stage, whose value k is
//   extern.stage("name", k, operands...)
// An operand is an expression without pure Vars, which is passed by value; or extern.address(access), a buffer: the
// access is of a Func or an input, at coordinates extern.anywhere(operand, dimension), which stand for the box that the
// function asks for in a bounds query.

#include "ir/graph.h"

namespace fluorite::ir {

Expr make_extern_stage(Type type, const std::string &function, int element, std::span<const Expr> operands);
/// Coordinate `dimension` of operand `operand`.
Expr make_anywhere(int operand, int dimension);
/// The first value of an extern stage; null for other stages, and for a Func without one.
const ExprNode *find_extern_stage(const Stage &stage);
inline const ExprNode *find_extern_stage(const FuncDef &func) {
    return func.stages.empty() ? nullptr : find_extern_stage(func.stages[0]);
}
inline bool is_extern(const FuncDef &func) { return find_extern_stage(func) != nullptr; }

/// The name of the C function.
const std::string &extern_function(const ExprNode &stage);
/// The operands that are passed to the function, before the buffers of the outputs.
std::span<const Expr> extern_operands(const ExprNode &stage);
/// The access of an operand that is passed as a buffer; undefined for a value.
Expr extern_access(const Expr &operand);

/// The address of an element, and its distance in bytes from the begin of its buffer.
Expr make_address(const Expr &access);
Expr make_offset(const Expr &access);
/// Whether the node is one of these.
bool is_address(const Expr &expr);

/// min, extent and stride of one dimension of a header.
struct HeaderDim {
    Expr min, extent, stride;
};
/// A fluorite_buffer_t at `address` (undefined: null, as in a bounds query). Headers of one statement differ in
/// `number`.
Expr make_header(int number, const Expr &address, Type type, const std::vector<HeaderDim> &dims);
/// What a bounds query has left in a header.
Expr make_header_min(const Expr &header, int dim);
Expr make_header_extent(const Expr &header, int dim);
/// The C function, or the row of operations.def, that an Extern node calls.
const std::string &called_function(const ExprNode &node);
/// The result of the C function.
Expr make_extern_call(const std::string &function, std::vector<Expr> operands);

} // namespace fluorite::ir
