#pragma once
// The verifier, and with it the specification of the IR. What is written here holds after every pass, is checked, and
// may be relied upon.
//
// EXPRESSIONS, in every phase
//   - Every node keeps the type rules of expr_kinds.def: operands agree where they must, and the node's type follows
//     from them. Constants are values of their type. Nothing has the void type.
//   - An expression is a graph: a node may be an operand of many. It has no cycles and no undefined operands.
//   - Let binds its symbol in its body, not in its value.
//
// SCOPES, in every phase
//   - A Variable means a binder around it: a For (its type is Int32), a LetStmt or Let (the type of its value), a
//     scalar argument (its type), or, as a Handle, a buffer argument or allocation (its address). Types agree exactly.
//   - No binder binds a symbol that is bound already where it stands (side by side, in two copies of a body, it may
//     be), but for a Realize, see phase Loops.
//   - A Let or LetStmt of a value that depends on memory (ExprNode::reads_memory) binds a symbol that says so
//     (let_symbol.h), so that all that is computed from it is known to wrap around. A Bound of a region is a
//     coordinate, as the variable of a loop is, whatever it is computed from.
//   - Call and Provide are inside a Realize of their Func, or of a Func that the surroundings give (an output). Number
//     and types of values and the number of coordinates are those of the Realize.
//   - Image is of an input or output of the surroundings; after splitting also of a realized buffer.
//   - Load and Store are inside an Allocate of their buffer, or of an argument, and have its element type.
//   - Nothing is stored to an input.
//   - Free is inside the Allocate of its buffer, with no loop and no branch between the two; nothing after it uses the
//     buffer, whose address nothing but a hint (memory.prefetch) has taken.
//   - BufferField is of an argument, and names one of its dimensions.
//   - Marks (produce, consume, atomic, prefetch) name what is realized or allocated around them, or what the
//     surroundings give: a Func in phase Loops, later a buffer. A prefetch may name an input, too; an atomic from phase
//     Plain on a buffer that is gone.
//
// STATEMENTS, in every phase
//   - Bodies are there; a Block has two or more statements, none of them a Block.
//   - Loop bounds, box bounds and extents of allocations are scalar Int32; conditions of if and assert are scalar Bool,
//     errors of asserts scalar Int32. A loop of extent <= 0 does not run.
//   - Predicates are Bool with the lanes of what they guard.
//   - What stands in an Atomic runs under a lock: stores to buffers of the Func that it names, no task begins in
//     it, and no further Atomic.
//
// PHASES, in order; each keeps the limits of those before it unless it says otherwise
//   Loops    Values live in Funcs: Realize, Provide, Call, Image; no Allocate, Store, Load. All types are scalar. No loop is
//            Forked. A Realize may stand in one of the same Func, of the same types and number of dimensions: then the outer one
//            takes memory only, each inner one says which box is stored, and all accesses stand in inner ones.
//   Split    Values live in buffers over boxes: Realize has one type and a Buffer symbol, Provide one value. No Call, no
//            Undef.
//   Laid     Boxes are those in memory: no Realize in one of its buffer, no Prefetch.
//   Flat     Values live in linear memory: Allocate, Store, Load; no Realize, Provide, Image. Vectors are allowed. A Forked loop
//            runs over [0, 2), its body is a branch by its variable.
//   Plain    No loop is Vectorized or Unrolled.
//   Lowered  No hints (Likely, LikelyIfInnermost). Extern nodes of names that no C function has are operations of
//            operations.def, with the operands that it says.
//   Outlined What a back end takes: the body of a Parallel or Forked loop is a Launch. Marks may name what is not known in
//            the function. Launches stand in this phase alone, and in no Atomic.
//
// A MODULE (ir/lowered.h) is in phase Outlined
//   - The first function is the entry, all others are tasks, and no two have one name.
//   - The free symbols of a task are its arguments, and its index where it has one: none is missing, none is idle.
//   - A Launch names a task further down in the module, so no function launches itself. The task has an index where the
//     Launch is the body of a Parallel or Forked loop, and else none.
//   - A Launch hands over one argument each: a value of the type, a buffer argument of the same kind, type and number of
//     dimensions, an allocation of the same type. That takes no address: the allocation may end early.
//   - The memory that a task has from the function around does not end in it.
//
// A graph (verify_graph) keeps the invariants listed in graph.h, and the rules about expressions; a Variable in a
// definition is one of the Func's pure Vars, a reduction variable of the stage, or a parameter.
//
// Not checked: that coordinates are inside of boxes, that a value was written before it is read, that parallel loops do
// not race.
// Cost: linear in distinct nodes per statement's expression, times nested Lets.

#include "ir/graph.h"
#include "ir/lowered.h"

#include <optional>
#include <string>

namespace fluorite::ir {

enum class Phase : uint8_t { Loops, Split, Laid, Flat, Plain, Lowered, Outlined };
const char *to_word(Phase phase);

/// What stands around a statement: arguments, and in phase Loops the Funcs that need no Realize (outputs).
struct Surroundings {
    struct OpenFunc {
        Symbol func;
        std::vector<Type> types;
        size_t dimensions = 0;
    };
    std::vector<LoweredArg> args;
    std::vector<OpenFunc> funcs;

    /// Inputs, parameters and output Funcs of a graph.
    static Surroundings of(const Graph &graph);
    /// Arguments, constants of the module for its entry, and the index of a task.
    static Surroundings of(const LoweredFunc &func, const LoweredModule &module = {});
};

/// The first violation, as `in <path>: <rule>: <text of the node>`; nothing where all rules hold.
std::optional<std::string> find_violation(const Stmt &stmt, Phase phase, const Surroundings &around = {});
/// A function before its tasks are outlined: in phase Lowered, inside its arguments.
std::optional<std::string> find_violation(const LoweredFunc &func);
/// `in <function>: ` stands before the path.
std::optional<std::string> find_violation(const LoweredModule &module);
std::optional<std::string> find_violation(const Graph &graph);

/// Throws InternalError with the first violation.
void verify(const Stmt &stmt, Phase phase, const Surroundings &around = {});
void verify(const LoweredFunc &func);
void verify(const LoweredModule &module);

} // namespace fluorite::ir
