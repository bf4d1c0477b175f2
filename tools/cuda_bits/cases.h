#pragma once
// Kernels that say what a device must compute: every kind of expression in every type, statements, and random terms.

#include "ir/lowered.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fluorite::cuda_bits {

/// The elements of an output, and half the elements between two operands of a case.
constexpr int elements = 1024;
/// Of each input: four operands of `elements` elements.
constexpr int input_elements = 4 * elements;
/// The threads of most blocks.
constexpr int block_threads = 32;

const std::vector<Type> &all_types();
/// The input buffer of the type.
ir::Symbol input_of(Type type);

/// One kernel. It writes the buffer `out` of `elements` elements of the type.
struct Case {
    std::string name;
    Type type;
    ir::Symbol out;
    ir::Stmt body;
    std::vector<ir::Symbol> blocks, threads; // the indices that the body uses, the innermost first
    std::vector<int32_t> grid, block;        // as many blocks and threads
    std::map<std::string, Expr> scalars;     // constants that are passed, by the names of their symbols
};

/// Each kind of expression in each type, alone.
std::vector<Case> expression_cases();
/// Accesses, memory, control.
std::vector<Case> statement_cases();
/// Random terms.
std::vector<Case> random_cases(uint64_t seed, int count);

/// The pipeline that launches the kernels of the cases one after the other. Its arguments are the inputs in the order
/// of all_types(), then the outputs.
ir::LoweredModule module_of(const std::vector<Case> &cases);

} // namespace fluorite::cuda_bits
