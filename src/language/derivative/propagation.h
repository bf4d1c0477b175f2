#pragma once
// The state of a propagation: what is known of each Func and input while the pipeline is walked from its output.

#include "language/derivative/gather.h"
#include "language/derivative/local_adjoints.h"
#include "language/function.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fluorite::language::derivative {

/// The adjoints that propagate_adjoints has found.
struct Adjoints {
    struct OfFunction {
        detail::Ref<Function> function; // keeps it alive
        std::vector<Func> stages;       // by stage; an undefined Func: 0 everywhere
        analysis::Box box;              // where they are valid
        std::map<int, Func> bounded;    // made when they are asked for
    };
    struct OfParameter {
        detail::Ref<ir::Parameter> parameter;
        Func adjoint;
    };
    std::vector<OfFunction> functions; // from the output to what it depends on
    std::vector<OfParameter> parameters;
    std::vector<Func> made; // each after those that it reads
};

/// One value for each value of a Func.
using Values = std::vector<Expr>;

/// The type of the adjoint of a value.
inline Type adjoint_type(Type type) { return type.is_float() ? type : Float(32); }

/// The adjoint of a Func's values after a stage. A default-constructed state is 0 everywhere.
struct AdjointState {
    Func func; // undefined: 0
    bool is_zero() const { return !func.defined(); }
    Values at(const std::vector<Expr> &args, const std::vector<Type> &types, const Location &location) const;
};

/// The values of Funcs between their updates.
class Prefixes {
  public:
    Prefixes(std::vector<Func> &made, const DerivativeSite &site) : made_(made), site_(site) {}
    /// A Func with the values that the stages up to and including this one leave: the Func itself after the last one.
    Func after(Function &function, size_t stage);

  private:
    std::vector<Func> &made_;
    const DerivativeSite &site_;
    std::map<std::pair<Function *, size_t>, Func> funcs_;
};

/// The coordinates of a read, and which value of the Func it is.
inline std::vector<Expr> args_of(const Expr &read) { return {read->args().begin(), read->args().end()}; }
inline int value_of(const Expr &read) { return read->kind() == ir::ExprKind::Call ? read->member().index : 0; }

/// What replaces a call of the Func itself in a copy of an expression.
using OwnCall = std::function<Expr(const Expr &call)>;
Expr with_own_calls(const Expr &expr, const Function &function, const OwnCall &replace);
bool calls_itself(const Expr &expr, const Function &function);

/// Throws CompileError [no-derivative] if the expression contains random numbers, which are others in a copy.
void check_repeatable(const Expr &expr, const DerivativeSite &site);

/// RDom of these dims, and the RVars in place of their symbols.
struct Domain {
    RDom domain;
    ir::SymbolMap<Expr> rvars;
};
Domain make_domain(const std::vector<SpaceDim> &dims, const Location &location);

/// A Func of these dims: base (undefined: 0) plus the terms of the contributions.
Func define_adjoint(const std::string &name, const Target &target, const std::vector<Type> &types, const Values &base,
                    const std::vector<Contribution> &contributions, const Location &location);

/// A stage in its own symbols, as it is differentiated.
struct DifferentiableStage {
    Function *function = nullptr;
    size_t index = 0;
    std::vector<Expr> args;
    Values values, seeds;           // seeds: Variables that stand for the adjoints of the values
    std::vector<ReadAdjoint> reads; // adjoints over the seeds
    std::vector<SpaceDim> dims;     // pure Vars that the stage keeps, and RVars
    std::vector<bool> is_pure;      // by coordinate
    Expr predicate;
};

/// Where contributions go.
class ContributionSink {
  public:
    virtual ~ContributionSink() = default;
    /// The read is of another Func, an input or a Param.
    virtual void add(const Expr &read, Contribution contribution) = 0;
};

/// The adjoint before an update from that after it; what the update reads of others goes to the sink. See
/// update_reversal.cpp.
AdjointState reverse_update(const DifferentiableStage &stage, const AdjointState &after, const Target &target,
                            Prefixes &prefixes, std::vector<Func> &made, ContributionSink &sink,
                            const DerivativeSite &site);

/// A copy of a stage's space with symbols of its own.
struct FreshSpace {
    std::shared_ptr<const IterationSpace> space;
    ir::SymbolMap<Expr> symbols; // from those of the stage

    FreshSpace(const std::vector<SpaceDim> &dims, const Expr &predicate);
    Contribution contribution(const std::vector<Expr> &args, int value, const Expr &adjoint,
                              const Expr &condition = Expr()) const;
};

/// The name of the adjoint of what has this name.
std::string adjoint_name(const std::string &name);

/// The adjoints of all that the output depends on; the adjoint and the bounds fit the output (derivative.cpp).
std::shared_ptr<Adjoints> propagate(Function &output, const Func &adjoint, const Region &bounds,
                                    const DerivativeOptions &options, const Location &location);

} // namespace fluorite::language::derivative
