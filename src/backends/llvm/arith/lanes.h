#pragma once
// Lanes of vectors: taken apart, put together and reordered. Nothing here computes values, except for sums of lanes
// that need not move.

#include "backends/llvm/arith/values.h"
#include "machine/machine_model.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <unordered_map>
#include <vector>

namespace fluorite::backends {

/// The alias tag of a vector load of `bytes` bytes: a child of the buffer's tag, or a sibling if `tag` is already of
/// this kind. Such a load may alias the stores to the buffer but no load of another width. Otherwise GVN would replace
/// a load that is contained in a wider one by shifts of integers of hundreds of bits.
llvm::MDNode *tag_of_width(llvm::MDNode *tag, uint64_t bytes);

class Lanes {
  public:
    Lanes(llvm::IRBuilder<> &builder, const machine::MachineModel &machine)
        : b_(builder), has_vectors_(machine.has_vectors),
          is_x86_(machine.instruction_set == machine::InstructionSet::X86), has_ssse3_(machine.has_byte_shuffle),
          vector_bits_(machine.vector_bits), short_vector_bits_(machine.short_vector_bits),
          least_permuted_bits_(machine.least_permuted_bits) {}

    llvm::Value *broadcast(llvm::Value *scalar, int lanes);
    llvm::Value *concat(llvm::ArrayRef<llvm::Value *> vectors);
    llvm::Value *slice(llvm::Value *vector, int begin, int count, int step = 1);
    /// Applies an operation to slices of `width` lanes and concatenates the results.
    llvm::Value *by_pieces(llvm::Value *a, llvm::Value *b, int width,
                           const std::function<llvm::Value *(llvm::Value *, llvm::Value *)> &operation);

    /// The lanes `order` of the concatenation of the vectors; -1 stands for any value (shuffle.cpp).
    llvm::Value *shuffled(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// Whether one instruction permutes arbitrary lanes of two registers of such elements.
    bool has_permutes(llvm::Type *element) const;
    /// The vectors that a result of shuffled() consists of, each of a size that one store takes; empty if it is not
    /// known to consist of several.
    std::vector<llvm::Value *> stored_parts(llvm::Value *vector) const;
    /// Transposes a matrix whose `rows` rows are concatenated in a vector. Both dimensions are powers of two
    /// (transpose.cpp).
    llvm::Value *transposed(llvm::Value *matrix, int rows);

    // ---- Groups of lanes as one integer (group_lanes.cpp); each is null where it does not apply.

    /// The interleaving of vectors at least half of which are truncations: each group of lanes becomes one wider
    /// integer.
    llvm::Value *interleaved(llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    /// Extends a vector that consists of one lane of each group, if a group fits into an integer of 32 bits: a mask or
    /// shifts of these integers extract the lane, so no lane moves.
    llvm::Value *extended_in_place(llvm::Value *value, Type from, Type to);
    /// a + b, if some term of a and some term of b are the two lanes of each pair of a vector: these are added first.
    llvm::Value *sum_with_neighbours(llvm::Value *a, llvm::Value *b);

  private:
    /// A vector that contains one lane of each group of `lanes` lanes of the vector `all`: lane number `lane`. If that
    /// vector has been extended in place, `from` is its element type and `middle` the integer type that holds a group.
    struct GroupLane {
        llvm::Value *all = nullptr;
        int lanes = 0, lane = 0;
        Type from, middle;
    };

    llvm::IRBuilder<> &b_;
    bool has_vectors_;
    bool is_x86_;
    bool has_ssse3_;
    int vector_bits_;
    int short_vector_bits_;
    int least_permuted_bits_;
    std::unordered_map<llvm::Value *, GroupLane> group_lanes_;
    std::unordered_map<llvm::Value *, std::vector<llvm::Value *>>
        parts_; // vectors that consist of others in a way that concat() does not show

    llvm::Value *constant(Type type, int64_t value) { return constant_of(b_.getContext(), type, value); }
    std::vector<llvm::Value *> loads_of(llvm::LoadInst *wide);
    std::vector<llvm::Value *> parts_of(llvm::Value *vector);
    std::vector<llvm::Value *> packed(llvm::ArrayRef<llvm::Value *> parts, int lanes, std::vector<int> &starts);
    llvm::Value *joined(llvm::ArrayRef<llvm::Value *> vectors);
    void note_groups(llvm::Value *picked, llvm::ArrayRef<llvm::Value *> vectors, llvm::ArrayRef<int> order);
    llvm::Value *sum_of_neighbours(llvm::Value *a, llvm::Value *b);
};

} // namespace fluorite::backends
