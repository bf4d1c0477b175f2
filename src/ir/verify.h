#pragma once
// The verifier, and with it the specification of the IR. These invariants hold after every pass, are checked, and may
// be relied on.
//
// EXPRESSIONS, in every phase
// - Every node obeys the type rules of expr_kinds.def: operands agree where they must, and the node's type follows from
//   them. Constants are values of their type. No expression has the void type.
// - An expression is a graph: a node may be an operand of many. It has no cycles and no undefined operands.
// - Let binds its symbol in its body, not in its value.
//
// SCOPES, in every phase
// - A Variable refers to an enclosing binder: a For (its type is Int32), a LetStmt or Let (the type of its value), a
//   scalar argument (its type), or, as a Handle, a buffer argument or allocation (its address). Types agree exactly.
// - No binder rebinds a symbol that is in scope, except a Realize, see phase Loops. Disjoint scopes, such as two copies
//   of a body, may bind the same symbol.
// - A Let or LetStmt whose value depends on memory (ExprNode::reads_memory) binds a symbol that records this
//   (let_symbol.h), so that everything computed from it is known to wrap. A Bound of a region is a coordinate, as a
//   loop variable is, whatever it is computed from.
// - Call and Provide are inside a Realize of their Func, or of a Func that the surroundings provide (an output). The
//   number and types of values and the number of coordinates are those of the Realize.
// - Image accesses an input or output of the surroundings; after splitting also a realized buffer.
// - Load and Store are inside an Allocate of their buffer, or access an argument, and have its element type.
// - Nothing is stored to an input.
// - Free is inside the Allocate of its buffer, with no loop and no branch between the two; nothing after it uses the
//   buffer. Unless it ends the body of the Allocate, only a hint (memory.prefetch) has taken the buffer's address.
// - BufferField names a dimension of an argument.
// - Marks (produce, consume, atomic, prefetch) name what is realized or allocated around them, or what the surroundings
//   provide: a Func in phase Loops, later a buffer. A prefetch may also name an input; from phase Plain on, an atomic
//   may name a buffer that no longer exists.
//
// STATEMENTS, in every phase
// - Bodies are defined; a Block has two or more statements, none of them a Block.
// - Loop bounds, box bounds and extents of allocations are scalar Int32; conditions of if and assert are scalar Bool,
//   errors of asserts scalar Int32. A loop of extent <= 0 does not run.
// - Predicates are Bool with the lanes of what they guard.
// - The body of an Atomic runs under a lock: it stores only to buffers of the Func that the Atomic names, starts no
//   task, and contains no further Atomic.
//
// PHASES, in order; each keeps the restrictions of those before it unless it says otherwise
//   Loops    Values are in Funcs: Realize, Provide, Call, Image; no Allocate, Store, Load. All types are scalar. No
//            loop is Forked. A Realize may be nested in one of the same Func, types and number of dimensions: the outer
//            one then only takes memory, each inner one defines the box that is stored, and all accesses are in inner ones.
//   Split    Values are in buffers over boxes: Realize has one type and a Buffer symbol, Provide one value. No Call, no
//            Undef.
//   Laid     Boxes are those in memory: no Realize inside one of its own buffer, no Prefetch.
//   Flat     Values are in linear memory: Allocate, Store, Load; no Realize, Provide, Image. Vectors are allowed. A
//            Forked loop runs over [0, 2), and its body is a branch on its variable.
//   Plain    No loop is Vectorized or Unrolled. Kernels may be functions of their own: a Launch then stands in their
//            place, as the whole body of one to three loops over blocks.
//   Lowered  No hints (Likely, LikelyIfInnermost). An Extern whose name no C function can have is an operation of
//            operations.def, with the operands given there.
//   Outlined The input of a back end: the body of a Parallel or Forked loop is a Launch, and so is that of a nest of
//            loops over blocks, each of which begins at 0; no loop is over threads. Marks may name symbols that are not
//            in scope. A Launch is in no Atomic. Of each allocation it is decided where its memory is: on the stack or
//            in registers, with extents that are constants, or on the heap; there it has a slot if and only if it is in
//            a loop of its function, and slots in use at the same time differ. Each allocation has exactly one Free.
//            In a kernel, memory is of a block (GPUShared) or of a thread, and ends with its scope: it has neither slot
//            nor Free.
//
// A MODULE (ir/lowered.h) is in phase Outlined
// - The first function is the entry, and no other is. The others are tasks, which a Launch runs, and callees, which are
//   called through their form `_argv` (function.address). The names are distinct.
// - The free symbols of a function are among its arguments and its index; those of the entry may also be constants of
//   the module. A task uses all its arguments. Only a task is required to have a body.
// - A kernel has at least one index of blocks, and at most three of blocks and of threads; its Launch is the whole body
//   of as many loops over blocks, and has as many numbers of threads. It contains no Free or Launch, its loops are serial,
//   and the error of an Assert is a call of fluorite_error with a constant code and text. Memory of a thread has a
//   constant size; the size of memory that a block shares is in terms of the arguments. Barriers are in kernels only.
// - A Launch names a later task or kernel of the module, so no function launches itself. The task has an index if and
//   only if the Launch is the body of a Parallel or Forked loop.
// - A Launch passes one operand per argument: a value of the type, a buffer argument of the same kind, type and number
//   of dimensions, or an allocation of the same type. This does not take the allocation's address, so it may end early.
// - A task does not end the lifetime of memory that it gets from the launching function.
//
// A graph (verify_graph) obeys the invariants listed in graph.h and the rules on expressions; a Variable in a
// definition is one of the Func's pure Vars, a reduction variable of the stage, or a parameter.
//
// Not checked: that coordinates are inside boxes, that a value is written before it is read, that parallel loops do not
// race. Cost: linear in distinct nodes per statement's expression, times nested Lets.

#include "ir/graph.h"
#include "ir/lowered.h"

#include <optional>
#include <string>

namespace fluorite::ir {

enum class Phase : uint8_t { Loops, Split, Laid, Flat, Plain, Lowered, Outlined };
const char *to_word(Phase phase);

/// The context of a statement: arguments, and in phase Loops the Funcs that need no Realize (outputs).
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
    /// The arguments; for an entry also the module's constants, for a task its index.
    static Surroundings of(const LoweredFunc &func, const LoweredModule &module = {});
};

/// The first violation, as `in <path>: <rule>: <text of the node>`; empty if all rules hold.
std::optional<std::string> find_violation(const Stmt &stmt, Phase phase, const Surroundings &around = {});
/// Checks a function before its tasks are outlined, with its arguments and indices in scope.
std::optional<std::string> find_violation(const LoweredFunc &func, Phase phase = Phase::Lowered);
/// `in <function>: ` precedes the path.
std::optional<std::string> find_violation(const LoweredModule &module);
std::optional<std::string> find_violation(const Graph &graph);

/// Throws InternalError with the first violation.
void verify(const Stmt &stmt, Phase phase, const Surroundings &around = {});
void verify(const LoweredFunc &func, Phase phase = Phase::Lowered);
void verify(const LoweredModule &module);

} // namespace fluorite::ir
