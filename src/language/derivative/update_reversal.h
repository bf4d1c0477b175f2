#pragma once
// What the forms of reversed updates share (update_reversal.cpp).

#include "language/derivative/propagation.h"
#include "language/operands.h"

#include <algorithm>
#include <optional>

namespace fluorite::language::derivative {

inline size_t index_of_value(const Expr &read) { return static_cast<size_t>(value_of(read)); }

inline bool is_own(const Expr &read, const Function &function) {
    return read->kind() == ir::ExprKind::Call && function_of(read->symbol()) == &function;
}

inline bool equal_args(const std::vector<Expr> &a, const std::vector<Expr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Expr &x, const Expr &y) { return ir::equal(x, y); });
}

/// The parts that the forms share.
class UpdateReversal {
  public:
    UpdateReversal(const DifferentiableStage &stage, const AdjointState &after, const Target &target,
                   Prefixes &prefixes, std::vector<Func> &made, ContributionSink &sink, const DerivativeSite &site)
        : stage_(stage), function_(*stage.function), after_(after), target_(target), prefixes_(prefixes), made_(made),
          sink_(sink), site_(site), name_(shown_name(function_.name)) {
        for (const ir::Symbol &var : target.vars) {
            vars_.push_back(ir::make_var(Int(32), var));
        }
    }

  protected:
    const DifferentiableStage &stage_;
    Function &function_;
    const AdjointState &after_;
    const Target &target_;
    Prefixes &prefixes_;
    std::vector<Func> &made_;
    ContributionSink &sink_;
    const DerivativeSite &site_;
    std::string name_;
    std::vector<Expr> vars_;

    const std::vector<Type> &types() const { return function_.def.types; }
    bool calls_self(const Expr &expr) const { return expr.defined() && calls_itself(expr, function_); }
    bool calls_self(const std::vector<Expr> &exprs) const {
        return std::any_of(exprs.begin(), exprs.end(), [&](const Expr &expr) { return calls_self(expr); });
    }
    /// Whether what the reads contribute depends on values of the Func itself.
    bool needs_values() const {
        const bool by_reads = std::any_of(stage_.reads.begin(), stage_.reads.end(), [&](const ReadAdjoint &read) {
            return calls_self(read.adjoint) || calls_self(args_of(read.read));
        });
        return by_reads || calls_self(stage_.args) || calls_self(stage_.predicate);
    }

    ir::SymbolMap<Expr> seeded(const Values &adjoints) const {
        ir::SymbolMap<Expr> seeds;
        for (size_t i = 0; i < adjoints.size(); i++) {
            if (stage_.seeds[i].defined()) {
                seeds[stage_.seeds[i]->symbol()] = adjoints[i];
            }
        }
        return seeds;
    }

    std::vector<Expr> over(const std::vector<Expr> &exprs, const ir::SymbolMap<Expr> &values) const {
        std::vector<Expr> result;
        for (const Expr &expr : exprs) {
            result.push_back(ir::substitute(expr, values));
        }
        return result;
    }

    Expr with_values(const Expr &expr, const OwnCall &own) const {
        return expr.defined() ? with_own_calls(expr, function_, own) : expr;
    }
    std::vector<Expr> with_values(std::vector<Expr> exprs, const OwnCall &own) const {
        for (Expr &expr : exprs) {
            expr = with_values(expr, own);
        }
        return exprs;
    }

    /// Passes on what the update reads of others. `adjoints` are those of the values that an iteration writes.
    void contribute_to_others(const FreshSpace &space, const Values &adjoints, const OwnCall &own) const {
        const ir::SymbolMap<Expr> seeds = seeded(adjoints);
        for (const ReadAdjoint &read : stage_.reads) {
            if (!is_own(read.read, function_)) {
                const Expr adjoint = ir::substitute(with_values(read.adjoint, own), seeds);
                sink_.add(read.read,
                          space.contribution(with_values(args_of(read.read), own), value_of(read.read), adjoint));
            }
        }
    }

    AdjointState define_before(const Values &base, const std::vector<Contribution> &contributions) const {
        const bool is_zero =
            std::all_of(base.begin(), base.end(), [](const Expr &value) { return ir::is_zero(value); });
        if (is_zero && contributions.empty()) {
            return {};
        }
        const std::string name = concat("d_", name_, "_before_", stage_.index);
        AdjointState before{define_adjoint(name, target_, types(), base, contributions, site_.location)};
        made_.push_back(before.func);
        return before;
    }
};

/// The reverse by order, if each point is written at most once and all distances are known; see ordered_update.cpp.
std::optional<AdjointState> reverse_in_order(const UpdateReversal &update);
/// The reverse of any update; see state_update.cpp.
AdjointState reverse_by_states(const UpdateReversal &update);

} // namespace fluorite::language::derivative
