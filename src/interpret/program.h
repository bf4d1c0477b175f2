#pragma once
// Expressions as flat programs over registers, compiled once and run for every point.
//
// A program writes each distinct node of its expressions into its own register. Variables and constants are registers
// too, filled before the program runs. Code is straight-line except for jumps around values that a Select does not
// choose.

#include "interpret/bindings.h"
#include "interpret/extern_call.h"
#include "interpret/scalar.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::interpret {

using Register = uint32_t;

/// The number of cells in a row of this many elements: the elements, then one bit for each that tells whether it is
/// defined.
inline size_t row_width_of(size_t elements) { return elements + (elements + 63) / 64; }
inline bool is_defined(const Cell *row, size_t elements, size_t element) {
    return (row[elements + element / 64] >> element % 64 & 1) != 0;
}

/// The operands of an instruction with many operands, and the object to which it refers.
struct Reference {
    std::vector<Register> operands;            // coordinates; arguments; text parts
    std::vector<Type> types;                   // of the operands
    std::vector<bool> literal;                 // Fail, Print: the operand is a text
    Type type;                                 // of the result
    size_t func = 0;                           // CallFunc, CallSelf: index in the graph
    size_t element = 0;                        // CallFunc, CallSelf: the tuple element
    BoundInput input;                          // Image
    std::shared_ptr<const CFunction> function; // Extern
    std::string text;                          // Extern: its name; Fail: the condition
    // Scratch space for one evaluation; programs never run within themselves.
    std::vector<int32_t> point;
    std::vector<Cell> row;
};

enum class Code : uint8_t {
    Unary,       // dest = unary(a)
    Binary,      // dest = binary(a, b)
    Ternary,     // dest = ternary(a, b, c)
    Select,      // dest = a ? b : c, both already computed
    Copy,        // dest = a
    Jump,        // to target
    JumpIfFalse, // to target where a is 0
    JumpIfTrue,
    Random,   // dest = hash of the operands
    Extern,   // dest = C function of the operands
    Image,    // dest = input at the operands
    CallFunc, // dest = element of an earlier Func at the operands
    CallSelf, // dest = element of this Func, as the update has left it
    Fail,     // throws: a requirement, with the operands as text
    Print,    // prints the operands
};

struct Instruction {
    Code code;
    Register dest = 0, a = 0, b = 0, c = 0;
    union {
        Unary unary;
        Binary binary;
        Ternary ternary;
        size_t target;
        size_t reference; // index into Program::references
    };
};

using Instructions = std::vector<Instruction>;

/// The registers and references shared by the code of one stage.
struct Program {
    std::vector<Cell> registers;
    std::vector<Reference> references;
    std::vector<Expr> kept; // owns the texts to which registers point
};

/// A value and a flag whether it is defined.
struct Root {
    Register value = 0;
    bool always_defined = true;
    Register defined = 0; // valid unless always_defined
};

/// Compiles expressions into a program. Variables must be declared before use.
class ProgramBuilder {
  public:
    /// Calls of `self`, the Func whose stage is compiled, become CallSelf. SIZE_MAX means none.
    ProgramBuilder(Bindings &bindings, Program &program, size_t self = SIZE_MAX);

    Register declare(const ir::Symbol &variable);
    Register constant(Cell value);
    /// Appends code that computes all expressions; after it has run, the returned registers hold their values.
    std::vector<Register> compile(const std::vector<Expr> &roots, Instructions &code);
    /// The same for values that may contain Undef.
    std::vector<Root> compile_values(const std::vector<Expr> &roots, Instructions &code);

  private:
    friend class CodeBuilder;
    Bindings &bindings_;
    Program &program_;
    size_t self_;
    ir::SymbolMap<Register> variables_;
};

/// The text of a value in print and require: as the runtime appends them.
std::string text_of(Cell value, Type type);
/// The concatenated texts of the operands.
std::string text_of(const Program &program, const Reference &reference);

} // namespace fluorite::interpret
