#pragma once
// What the processor that code is made for has, and what that costs. Every number of the compiler that depends on the
// processor is a field here; passes ask the model and no feature bit.

#include "fluorite/target.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fluorite::machine {

/// Whether lanes at computed places are loaded by one gather, or one by one.
enum class Gathers : uint8_t {
    Never,    // there is none, or it is as slow as scalar loads
    OfTables, // where values are looked up in tables: the loop has much else to do, which a gather leaves room for
    Always,
};

/// Registers and instructions follow from the features of a target; costs belong to the processor that `name` names. A
/// number stands here when a pass reads it.
struct MachineModel {
    std::string_view name; // the processor, as LLVM names it; instructions are put into order for it

    // ---- Registers.
    int vector_bits = 128;       // of the widest vectors
    int short_vector_bits = 128; // of the widest vectors of 8- and 16-bit integers

    // ---- Instructions.
    int least_masked_bits = 0;    // the narrowest lane of dense loads and stores under a mask; 0: there are none
    int least_scattered_bits = 0; // the same of scatters
    int least_permuted_bits = 0;  // the narrowest lane that is permuted across two registers of any width; 0: none is
    int least_moved_bits = 0;     // the same across one register; words of 32 bits are moved from AVX2 on
    bool has_byte_shuffle = false;
    bool has_rounding = false; // to integers, of floats
    bool has_half_floats = false;
    bool has_fma = false;
    bool has_byte_products = false;         // sums of four products of an unsigned and a signed byte
    bool multiplies_bytes_by_fours = false; // and is wide enough that sums over lanes are made in this form

    // ---- Costs, in additions of whole vectors.
    Gathers gathers = Gathers::Never;
    int moved_word_cost = 3;   // a vector made of neighbouring elements of two: lanes of 32 bits and more
    int moved_narrow_cost = 3; // lanes of 8 and 16 bits

    // ---- Memory.
    int line_bytes = 64;
    int64_t stack_block_bytes = 16 * 1024;         // the largest temporary that is allocated on the stack
    int64_t wanted_stack_block_bytes = 512 * 1024; // the same where the program says store_in(Stack)
};

/// The model that a target means: that of its processor_tune, else the one that its features were measured on.
MachineModel machine_model(const Target &target);

/// The rows that models are made from, for tests and tables.
std::span<const MachineModel> processor_rows();

} // namespace fluorite::machine
