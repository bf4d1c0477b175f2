#pragma once
// From a frozen graph to a tensor term: what the pipeline means before any schedule.
//
// Each Func is a binding whose loops run over the region that its consumers need, shifted to begin at zero; the output
// is the body. The indices of a tensor are the dimensions of its Func in the order of memory. Coordinates become index
// expressions; everything computed from elements becomes an operator whose name has the kind and the type of the node
// (`+.f32`), of which nothing is assumed. A constant is `(unit c.f32.0.5)`. A coordinate that is used as a value x is
// the fold of x ones, whose value it is for x >= 0; where x may be negative, the fold of -x ones is subtracted, of
// which one is empty. An update is an `iter` over its reduction variables for each element; where it writes elsewhere
// than at its pure variables, a step changes the element if it is the one that is written. If such an update also reads
// other elements of its Func, it is an `iter` of tensors, each of which is the one before but for the element that is
// written. A coordinate that depends on elements, or is computed in other types than integers of 32 bits, is bound to a
// name (`bind`), of which nothing is known but what minima and maxima around it say, among them the bounds that
// analysis/interval.h gives it whatever the coordinates are. The elements of a tuple are one element, `op2 tuple..`,
// whose parts are `op1 part.0..`.
//
// Of several outputs, each is a binding, and the body is the tensor of all of them: `gen output k. if output = 0 then
// (a copy of the first) else ..`. What is said of its elements is said of the elements of each output.
//
// Not converted, with the reason: effects (prints, requirements).

#include "ir/graph.h"
#include "verify/rewrite/rewriter.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::verify {

/// Why a pipeline, or a part of its schedule, has no certificate.
struct Unsupported {
    std::string reason;
};

struct Interval {
    Index low, high;
    bool is_bounded = true; // if not, the name may be any integer, and the bounds say nothing
    static Interval unbounded() { return {0, 0, false}; }
};

/// A dimension of a Func in the term, or of an input: coordinates from `min` on.
struct Dimension {
    std::string loop; // empty for inputs
    Index min = 0, extent = 0;
    size_t dimension = 0; // of the Func or the input
};
struct Tensor {
    std::string name;
    std::vector<Dimension> dims; // as in the term: the outermost one in memory first
    ir::Symbol symbol = {};      // of the Func, the input or the parameter
    Type type = {};              // of its elements
};

struct Conversion {
    Term program = Term::number(0);
    Facts facts;               // sizes are positive
    std::vector<Tensor> funcs; // as graph.funcs; those that the output does not need have no dimensions
    std::vector<bool> needed;  // as graph.funcs
    /// Of Funcs of which more is computed than is read, in a dimension: what is read.
    std::map<std::pair<size_t, size_t>, Interval> read;
    std::vector<size_t> outputs; // which of them, in the order of the pipeline
    std::vector<Tensor> inputs;  // images and scalar parameters, as the program names them
    /// What each word of an operator or constant stands for: a node of that kind and of these types, whatever its
    /// operands. No two operators have one word.
    std::map<std::string, Expr> operators;
    /// What the index names that the program leaves free stand for, except for the extents of the output: fields of
    /// inputs and parameters.
    std::map<std::string, Expr> names;
    /// Of each output, the first dimension first: names, or what was given.
    std::vector<std::vector<Index>> output_extents;
    /// What tuples are, by their words (`tuple.int32.float32`).
    std::map<std::string, std::vector<Type>> tuples;
    /// As ConvertOptions::conditions. One that is no comparison of indices is that a name is 1, which stands for it.
    std::vector<Condition> conditions;

    bool is_output(size_t func) const { return std::ranges::find(outputs, func) != outputs.end(); }
    /// Whether the body of the program is the definition of the Func, which is the only output and no binding.
    bool is_body(size_t func) const { return outputs.size() == 1 && outputs[0] == func; }
};

/// Whether a stage has a loop over a dimension: an update has none where it writes at a place that it computes.
bool is_loop(const ir::FuncDef &func, size_t stage, size_t dimension);
/// Whether an update writes elsewhere than at its pure variables, as a histogram does.
bool writes_elsewhere(const ir::FuncDef &func, size_t stage);
/// Whether it then also reads other elements of its own Func than the one that it writes, as a scan does.
bool reads_other_elements(const ir::FuncDef &func, size_t stage);
/// Whether one of its updates does.
bool is_scan(const ir::FuncDef &func);
/// The index name of the extent of a dimension of the output.
std::string output_size(const std::string &output, size_t dimension);

/// What is known, and how to have more of it.
struct Assumptions {
    const Facts &facts;
    /// Makes the condition a fact of the certificate, if it does not contradict others; says whether it did.
    std::function<bool(const Condition &)> assume;
};

/// The coordinates of a dimension that the schedule promises to compute, all of them and no others.
struct PromisedRange {
    int64_t min = 0, max = 0;
};
struct ConvertOptions {
    /// By output, the first dimension first; 0, or missing: a name.
    std::map<size_t, std::vector<int64_t>> extents;
    /// Of Funcs, by their number and the dimension. Those that do not hold what is read are left out.
    std::map<std::pair<size_t, size_t>, PromisedRange> promised;
    /// Whether inputs whose sizes the program asks for begin at 0, which becomes a fact.
    bool inputs_at_zero = false;
    /// What the loops of an output demand of the extent of a dimension; may be empty.
    std::function<Facts(size_t output, size_t dimension, const Index &extent)> output_facts = {};
    /// What is computed of a dimension of a Func, where that is more than is read; may be empty.
    std::function<Interval(size_t func, size_t dimension, const Interval &read, const Assumptions &assumptions)> widen =
        {};
    /// The dimensions of Funcs in the order of their memory, innermost first, where it is not that of the definition.
    std::map<size_t, std::vector<size_t>> storage_order = {};
    /// Over parameters and the sizes of buffers, as specialize has them; to be converted with the program.
    std::vector<Expr> conditions = {};
};
/// Throws Unsupported.
Conversion convert(const ir::Graph &graph, const ConvertOptions &options);

// ---- Intervals.

/// Bounds of an index expression where the names of `env` are within theirs; nothing where it multiplies names, or
/// divides by them, or has no bounds. Throws nothing.
std::optional<Interval> interval_of(const Index &index, const std::map<std::string, Interval> &env, const Facts &facts);
/// The smaller one if the facts tell, else their minimum; the same for the greater one.
Index smaller_of(const Index &a, const Index &b, const Facts &facts);
Index greater_of(const Index &a, const Index &b, const Facts &facts);

} // namespace fluorite::verify
