#pragma once
// Derivatives of pipelines in reverse mode: from the adjoint of an output to the adjoints of all that it depends on.
//
//     Derivative d = propagate_adjoints(loss);     // the Func loss has no dimensions
//     Func d_weights = d(weights);                 // the derivative of loss in each weight
//
// The adjoint of a value v is the derivative, in v, of the sum over the output's points of adjoint * output. Adjoints
// are ordinary Funcs, which are scheduled, compiled and differentiated like all others. The guide
// docs/guides/derivatives.md states the rule of each operation, and the order in which floats are added.
// Source: Li, Gharbi, Adams, Durand, Ragan-Kelley, "Differentiable Programming for Image Processing and Deep Learning
// in Halide", ACM Transactions on Graphics 37(4), 2018.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/func.h"
#include "fluorite/image_param.h"
#include "fluorite/param.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite {

namespace language::derivative {
struct Adjoints;
}

/// The partial derivatives of a function, one for each operand, from its operands and its result. An undefined Expr
/// says that a derivative is 0.
using PartialDerivatives = std::function<std::vector<Expr>(const std::vector<Expr> &operands, const Expr &result)>;

struct DerivativeOptions {
    /// The derivatives of pure C functions (fluorite/extern_functions.h), by the name of the function.
    std::map<std::string, PartialDerivatives> externs;
    /// Funcs that count as inputs: they have an adjoint, which is not propagated further. Extern stages whose inputs
    /// are not to be differentiated are named here.
    std::vector<Func> inputs;
};

/// The adjoints of all Funcs, buffers and parameters that an output depends on. Copies share them.
class Derivative {
  public:
    /// What propagate_adjoints has found.
    explicit Derivative(std::shared_ptr<language::derivative::Adjoints> adjoints) : adjoints_(std::move(adjoints)) {}

    /// The adjoint of the values that a stage of the Func leaves: of its pure definition (update_id = -1), or of the
    /// update with this index. It has the Func's dimensions, and one value for each of the Func's: in the Func's type
    /// for floats, and a float32 that is 0 for others. An undefined Func if the output does not depend on it through
    /// floats. Outside of the box that is read, `bounded` adjoints are 0; the others, which save a comparison at each
    /// point, are not to be read there. Throws CompileError [no-such-update] where there is no such update.
    Func operator()(const Func &func, int update_id = -1, bool bounded = true,
                    const Location &location = Location::current()) const;
    /// The adjoint of an input, with its dimensions; 0 where it is not read, and undefined as above.
    Func operator()(const ImageParam &image) const { return of_parameter(image.parameter().contents()); }
    template <typename T, int Dims>
    Func operator()(const Buffer<T, Dims> &buffer, const Location &location = Location::current()) const {
        return of_parameter(detail::parameter_of(Buffer<>(buffer), location));
    }
    /// The adjoint of a parameter: a Func without dimensions, or undefined as above.
    Func operator()(const detail::ParamBase &param) const { return of_parameter(param.parameter().contents()); }
    /// The adjoint of the Func, buffer or parameter of this name: of a Func, that of its pure definition.
    Func operator()(const std::string &name) const;

    /// All Funcs that propagate_adjoints has made, each after those that it reads: adjoints, and the values of Funcs
    /// between their updates. The comparisons of bounded adjoints are Funcs of their own, made when they are asked for.
    std::vector<Func> funcs() const;
    /// Computes each of them at root: no value is computed twice. They are not scheduled otherwise, so that a schedule
    /// by hand or auto_schedule can be applied.
    const Derivative &compute_root() const;

  private:
    std::shared_ptr<language::derivative::Adjoints> adjoints_;

    Func of_parameter(const detail::Ref<ir::Parameter> &parameter) const;
};

/// Propagates adjoints from the output to all that it depends on. `adjoint` has the dimensions, and the types, of
/// the output; it is read inside of `output_bounds`, one range for each dimension, and counts as 0 outside. Throws
/// CompileError [derivative-adjoint] for an adjoint or bounds that do not fit, [derivative-integer] for an output
/// without floats, [no-derivative] where an operation on the way has no derivative, and [derivative-bounds] where a
/// Func is read at coordinates of unknown range. Cost: linear in the expressions of the pipeline.
Derivative propagate_adjoints(const Func &output, const Func &adjoint, const Region &output_bounds,
                              const DerivativeOptions &options = {}, const Location &location = Location::current());
/// The same, where adjoint and bounds are those of a buffer, whose values are read when the adjoints are computed.
Derivative propagate_adjoints(const Func &output, const Buffer<void, -1> &adjoint,
                              const DerivativeOptions &options = {}, const Location &location = Location::current());
/// The derivative of a single number: the value of an output without dimensions, or else its value at coordinates 0.
Derivative propagate_adjoints(const Func &output, const DerivativeOptions &options = {},
                              const Location &location = Location::current());

} // namespace fluorite
