#pragma once
// The registers and instructions of the target processor, and what passes and back ends assume of their costs; they
// query the model, never a feature bit. What memory and threads cost is in cache_model.h, what time tiling assumes in
// time_tile_model.h; the costs of the automatic scheduler's operations stand beside it (autoschedule/roofline/).

#include "fluorite/target.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fluorite::machine {

/// Whether lanes at computed addresses are loaded by one gather or one by one.
enum class Gathers : uint8_t {
    Never,    // the processor has no gather, or it is as slow as scalar loads
    OfTables, // for table lookups: the loop has much other work, with which a gather overlaps
    Always,
};

/// Whose instructions a processor has, which idioms of a back end select.
enum class InstructionSet : uint8_t {
    X86,
    Arm, // of 64 bits, with NEON
    RiscV,
    Device, // of a GPU: instructions work on scalars
};

/// Registers and instructions follow from a target's features; costs belong to the processor that `name` names. A
/// number is a field here only if a pass reads it.
struct MachineModel {
    std::string_view name; // the processor, as LLVM names it; instructions are scheduled for it

    InstructionSet instruction_set = InstructionSet::X86;

    // ---- Registers.
    bool has_vectors = true;     // false: each lane of a vector has a register of its own and is computed alone
    int vector_bits = 128;       // of the widest vectors
    int short_vector_bits = 128; // of the widest vectors of 8- and 16-bit integers

    // ---- Instructions.
    int least_masked_bits = 0;    // the narrowest lane of masked dense loads and stores; 0: there are none
    int least_scattered_bits = 0; // the same for scatters
    int least_permuted_bits = 0;  // the narrowest lane of permutes across two registers of any width; 0: there are none
    int least_moved_bits = 0;     // the same across one register; from AVX2 on, words of 32 bits
    bool has_byte_shuffle = false;
    bool has_rounding = false;        // floats, to integers
    bool has_half_floats = false;     // conversions from and to them
    bool has_half_arithmetic = false; // and operations on them
    bool has_fma = false;
    bool has_byte_products = false;         // sums of four products of an unsigned and a signed byte
    bool has_byte_dot_products = false;     // the same of two bytes that are both signed, or both unsigned
    bool multiplies_bytes_by_fours = false; // and is wide enough that reductions over lanes use this form

    // ---- Costs, in additions of whole vectors.
    Gathers gathers = Gathers::Never;
    int moved_word_cost = 3;   // a vector of neighbouring elements of two vectors: lanes of 32 bits and more
    int moved_narrow_cost = 3; // lanes of 8 and 16 bits

    // ---- Memory.
    int line_bytes = 64;
    int64_t stack_block_bytes = 16 * 1024;         // the largest temporary that is allocated on the stack
    int64_t wanted_stack_block_bytes = 512 * 1024; // the same where the program says store_in(Stack)
};

/// The model of a target: that of its processor_tune, else the one on which its features were measured.
MachineModel machine_model(const Target &target);

/// What kernels are lowered for: what the devices have in common on which blocks and threads run. A thread works on
/// scalars and on vectors of the width of its widest loads.
MachineModel device_model();

/// The table that models are made from, for tests and documentation.
std::span<const MachineModel> processor_rows();

} // namespace fluorite::machine
