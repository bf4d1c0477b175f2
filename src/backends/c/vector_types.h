#pragma once
// The vector types of a C file, and what moves their lanes.
//
//   8 Int32 for registers of 32 bytes   -->   FLUORITE_VECTOR(int32_t, fluorite_i32x8, 8, 8);
//   16 Int32                            -->   FLUORITE_PAIR(int32_t, fluorite_i32x16, 16, fluorite_i32x8, fluorite_i32x8);
//
// A vector that fits into a register of the target is one of the compiler's; a wider one is a pair of halves, because
// compilers take minutes for wide ones and make scalar code of comparisons. The low half has the largest power of two
// that is less than the lanes, so that the halves of two types with as many lanes have as many lanes. For compilers
// without vectors, each is a struct of lanes.
//
// A vector of Bools is a mask: integers of 0 or -1, of the width of what has been compared, so that no operator of a
// comparison or selection converts lanes. A 16-bit float is held as its bits.

#include "backends/c_text/helpers.h"
#include "fluorite/type.h"
#include "machine/machine_model.h"

#include <string>
#include <vector>

namespace fluorite::backends::c {

/// A vector: its type in the IR, the type of the lanes that hold it, and its text.
struct Vector {
    Type type;
    Type held;
    std::string text;
};

/// The type of the lanes that hold a type: the type itself for numbers, and a mask of 8 bits for Bools.
Type held_as(Type type);
/// The mask that has the width of the lanes of a type.
Type mask_of(Type held);
Type unsigned_of(Type type);

class VectorTypes {
  public:
    VectorTypes(c_text::Helpers &helpers, const machine::MachineModel &machine)
        : helpers_(helpers), machine_(machine) {}

    /// The C type of lanes that are held so.
    std::string name(Type held);
    /// Whether no register holds it, so that it is a pair of halves.
    bool is_pair(Type held) const;
    /// The halves of a type with more than one lane, whether it is a pair or not.
    static Type low(Type held);
    static Type high(Type held);

    // ---- Expressions. Those of halves are for compilers with vectors (FLUORITE_VECTORS).
    std::string low(Type held, const std::string &vector);
    std::string high(Type held, const std::string &vector);
    std::string joined(Type held, const std::string &low, const std::string &high);
    /// Lane i as it is held; one that the text of a number names.
    std::string lane(Type held, const std::string &vector, int i);
    /// The vector of these lanes.
    std::string of_lanes(Type held, const std::vector<std::string> &lanes);
    /// All lanes of one value.
    std::string broadcast(Type held, const std::string &value);
    /// The lanes, by index, of one vector or the concatenation of two that are held alike. -1: any.
    std::string shuffle(Type held, const std::vector<std::string> &sources, const std::vector<int32_t> &indices);
    /// Neighbours in memory, from the address on.
    std::string load(Type held, const std::string &address);
    std::string store(Type held, const std::string &address, const std::string &vector);

  private:
    /// The name of the function, which is made of its result, parameters and two bodies: for compilers with vectors and
    /// without.
    std::string function(const std::string &name, const std::string &head, const std::string &vectors,
                         const std::string &lanes);
    void define_halves(Type held);
    std::string shuffled_register(Type result, const std::vector<std::pair<Type, std::string>> &registers,
                                  const std::vector<std::pair<int, int>> &places);
    std::string shuffled(Type result, const std::vector<std::pair<Type, std::string>> &registers,
                         const std::vector<std::pair<int, int>> &places);
    void add_registers(Type held, const std::string &vector, std::vector<std::pair<Type, std::string>> &registers);

    c_text::Helpers &helpers_;
    const machine::MachineModel machine_;
};

} // namespace fluorite::backends::c
