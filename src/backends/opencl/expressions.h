#pragma once
// Expressions as variables of OpenCL C: one for each lane of each distinct node.

#include "backends/c_text/function_text.h"
#include "backends/c_text/operators.h"

namespace fluorite::backends::opencl {

using namespace c_text; // NOLINT(google-build-using-namespace): the vocabulary of this module

class Expressions {
  public:
    /// `kernel` is for messages.
    Expressions(FunctionText &function, Operators &operators, std::string kernel)
        : f_(function), operators_(operators), kernel_(std::move(kernel)) {}

    /// Writes what computes the value. Throws CompileError [not-built] for what a kernel cannot compute.
    Value value(const Expr &expr) { return compute(expr, Overflow::Wraps); }
    /// The same of an index or a bound of a loop, in which arithmetic does not overflow, unless it is on data.
    Value coordinate(const Expr &expr) { return compute(expr, Overflow::Never); }

    /// Two lanes of a reduction as one.
    std::string joined(ir::ReduceOp op, Type type, const std::string &a, const std::string &b);

    FunctionText &function() { return f_; }
    Operators &operators() { return operators_; }

  private:
    Value compute(const Expr &expr, Overflow overflow);
    Value new_value(const Expr &expr, Overflow overflow);
    /// A variable for each lane, of the value that `text` makes of the number of the lane.
    template <typename Text> Value define(Type type, const Text &text);

    Value unary(const ir::ExprNode &node);
    Value binary(const ir::ExprNode &node, Overflow overflow);
    Value shift(const ir::ExprNode &node);
    Value fma(const ir::ExprNode &node);
    Value conversion(const ir::ExprNode &node, Overflow overflow);
    Value reinterpret(const ir::ExprNode &node);
    Value math(const ir::ExprNode &node);
    Value select(const ir::ExprNode &node, Overflow overflow);
    Value ramp(const ir::ExprNode &node, Overflow overflow);
    Value broadcast(const ir::ExprNode &node, Overflow overflow);
    Value shuffle(const ir::ExprNode &node, Overflow overflow);
    Value vector_reduce(const ir::ExprNode &node);
    Value let(const ir::ExprNode &node, Overflow overflow);
    Value load(const ir::ExprNode &node);
    Value dense_load(const ir::ExprNode &node, const Expr &first);
    Value random(const ir::ExprNode &node);
    Value call(const ir::ExprNode &node);
    [[noreturn]] void refuse(const std::string &what) const;

    FunctionText &f_;
    Operators &operators_;
    std::string kernel_;
};

/// How many of `lanes` neighbours an access of a vector type takes at once: 2, 4, 8 or 16, or 1 if there is none.
int lanes_at_once(int lanes);

} // namespace fluorite::backends::opencl
