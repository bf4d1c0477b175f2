#pragma once
// The frozen pipeline graph: the algorithm as plain data with dense ids. language/ builds it from the user's handles;
// interpret/ defines its meaning; lowering/ turns it, together with a Schedule, into loops.
//
// Invariants (checked by verify_graph):
// - funcs are in topological order: a Func calls only itself (in updates) and Funcs before it.
// - A Call's symbol is funcs[i].symbol with owner.func == i; an Image's symbol is inputs[i].symbol with owner.input ==
//   i; scalar parameters are Variables with params[i].symbol.
// - The args of stage 0 are the distinct Variables funcs[i].args. In updates, an argument that is a pure Var is at that
//   Var's own position, and self-calls use the Var unchanged at that position.
// - All symbols have distinct names, chosen by freezing (`f`, `f.x`, `f.s1.r$x`). Schedules name loops by the user's
//   names, which FuncDef::arg_names and ReductionVar::name hold. RVars are Variables with symbols of kind RVar.

#include "fluorite/errors.h"
#include "ir/expr_node.h"
#include "ir/parameter.h"
#include "support/typed_id.h"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::ir {

struct ReductionVar {
    Symbol var; // kind RVar
    Expr min, extent;
    std::string name; // the user's name; schedules name the loop by it
};

/// Stage 0 is the pure definition, stage k the k-th update.
struct Stage {
    std::vector<Expr> args;
    std::vector<Expr> values;        // one per tuple element
    std::vector<ReductionVar> rvars; // innermost first
    Expr predicate;                  // of RDom::where: undefined if none
    Location location;
};

/// What the program promises about the buffer of one output value, in the graph's symbols.
struct OutputBuffer {
    std::vector<DimConstraint> dims;
    int host_alignment = 0;
};

/// Why a Func is a copy that the compiler has made.
enum class CopyReason : uint8_t {
    None,         // it is no copy
    FurtherStage, // it is computed in more than one stage of its consumer
    Alternative,  // a consumer around it has alternatives, which specializations make
    TimeStep,     // of an iteration whose steps run in one loop nest
};

struct FuncDef {
    Symbol symbol;                      // kind Func, owner.func = its FuncId
    std::vector<Symbol> args;           // pure Vars, dimension order; symbol names are unique in the graph (`f.x`)
    std::vector<std::string> arg_names; // the user's names (`x`); schedules name dimensions and loops by them
    std::vector<Type> types;            // one per tuple element
    std::vector<Stage> stages;          // never empty
    bool trace_loads = false, trace_stores = false, trace_realizations = false;
    std::vector<std::string> trace_tags;      // texts for readers of traces
    std::string debug_file;                   // to which its values are written; empty: to none
    bool is_profiled = true;                  // else its time is that of the Func around it
    bool reassociates = false;                // schedules may reassociate the rounded operations of its updates
    std::vector<OutputBuffer> output_buffers; // one per value; empty: no promises
    Location location;
    CopyReason copy_reason = CopyReason::None; // of the last copy, if copies are copied
    std::string copied_name;                   // of a copy: the name of the program's Func

    FuncId id() const { return symbol.owner().func; }
    const std::string &name() const { return symbol.name(); }
    /// The name in the program. To the user, all copies are one Func.
    const std::string &user_name() const { return copy_reason == CopyReason::None ? name() : copied_name; }
    size_t dimensions() const { return args.size(); }
};

struct InputDef {
    Symbol symbol; // kind Buffer, owner.input = its InputId; object = Parameter
    Type type;
    int dimensions = 0;
    RefPtr<Parameter> parameter;
    std::vector<DimConstraint> constraints; // the parameter's, in the graph's symbols; empty: no promises
    bool trace_loads = false;
    std::vector<std::string> trace_tags;
};

struct ParamDef {
    Symbol symbol; // kind Param, object = Parameter
    Type type;
    RefPtr<Parameter> parameter;
    Expr min_value, max_value; // the parameter's, in the graph's symbols
};

struct Graph;

/// A value that is computed by running a pipeline again and again (fluorite/iterate.h). A graph reads it as inputs, one
/// for each field, which no caller passes. All fields have the same box of coordinates, the domain.
///
/// Meaning: over the domain, the fields at step 0 are the values of `initial`; those at step t + 1 are the values of
/// `body`, whose inputs `states` are the fields at step t, `before` those at step t - 1, and whose parameter `step` is
/// t. The result is the fields after `steps` steps, or after the first step at which the body's stop condition holds.
///
/// Inputs and parameters of the three graphs that are not listed here are those of the surrounding graph, which are
/// identified by their Parameter; they may be results of iterations that the surrounding graph computes earlier.
struct Iteration {
    std::string name; // for messages
    int dimensions = 0;
    std::vector<RefPtr<Parameter>> results; // one for each field
    std::vector<RefPtr<Parameter>> states;  // inputs of the body: the fields at step t
    std::vector<RefPtr<Parameter>> before;  // ... and at step t - 1; empty: the body reads one past step
    RefPtr<Parameter> step;                 // t, an Int32 parameter of the body
    /// One Func without dimensions, of Int32 values: the number of steps, then min and extent of each dimension of the
    /// domain. It reads parameters and fields of buffers, no elements.
    std::shared_ptr<const Graph> control;
    /// Values of the outputs in order: the fields at step 0, then, if there are `before`, at step -1.
    std::shared_ptr<const Graph> initial;
    /// Values of the outputs in order: the fields, then, if it stops, a Bool without dimensions.
    std::shared_ptr<const Graph> body;
    bool stops = false;
    Location location;
};

struct Graph {
    std::vector<FuncDef> funcs;
    std::vector<FuncId> outputs;
    std::vector<InputDef> inputs;
    std::vector<ParamDef> params;
    std::vector<std::shared_ptr<const Iteration>> iterations; // computed in this order, before everything else
    std::vector<Expr> requirements;                           // Require nodes to check at entry
    bool trace_pipeline = false;

    const FuncDef &func(FuncId id) const { return funcs[id.index()]; }
    const Stage &stage(StageId id) const { return func(id.func).stages[id.index()]; }
    bool is_output(FuncId id) const {
        for (FuncId output : outputs) {
            if (output == id) {
                return true;
            }
        }
        return false;
    }
};

/// Throws InternalError naming the first broken invariant.
void verify_graph(const Graph &graph);
std::ostream &operator<<(std::ostream &stream, const Graph &graph);

} // namespace fluorite::ir
