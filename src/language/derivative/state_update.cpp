// Any update, by the states between its iterations (update_reversal.cpp).
//
//   f(i(r)) = f(i(r)) * a(r)
//   -->  s(x, 0) = f(x) before the update;  s(x, t + 1) = select(x == i(r(t)), s(i(r(t)), t) * a(r(t)), s(x, t))
//        d(x, n) = the adjoint after it;    d(x, t) = select(x == i(r(t)), d(i(r(t)), t + 1) * a(r(t)), d(x, t + 1))
//        the adjoint of a(r) is d(i(r), t(r) + 1) * s(i(r), t(r));  the adjoint before the update is d(x, 0)
//
// t numbers the iterations, innermost RVar first. Coordinates that the update keeps are those of s and d, and cost
// nothing. For the others, each iteration passes over the box of f. Where the derivatives depend on no value of f,
// there is no s.
//
// Cost: values and adjoints of the size of f times that of the RDom.

#include "fluorite/ops.h"
#include "language/derivative/update_reversal.h"
#include "rewrite/simplify.h"

namespace fluorite::language::derivative {

namespace {

class States : public UpdateReversal {
  public:
    explicit States(const UpdateReversal &update) : UpdateReversal(update) {
        for (size_t i = 0; i < stage_.args.size(); i++) {
            if (!stage_.is_pure[i]) {
                moved_.push_back(i);
            }
        }
        Expr size = ir::int32(1);
        const Expr step = ir::make_var(Int(32), step_);
        number_ = ir::int32(0);
        for (const SpaceDim &dim : stage_.dims) {
            if (dim.is_pure) {
                continue;
            }
            const Expr extent = rewrite::simplify(dim.max - dim.min + 1);
            rvars_[dim.symbol] = rewrite::simplify(dim.min + step / size % extent);
            number_ = number_ + (ir::make_var(Int(32), dim.symbol) - dim.min) * size;
            size = rewrite::simplify(size * extent);
        }
        count_ = size;
        number_ = rewrite::simplify(number_);
    }

    AdjointState run() {
        if (needs_values()) {
            states_ = define_states();
        }
        const Func adjoints = define_adjoints();
        const OwnCall own = state_at(number_);
        const FreshSpace space(stage_.dims, with_values(stage_.predicate, own));
        const std::vector<Expr> written = with_step(with_values(stage_.args, own), number_ + 1);
        contribute_to_others(space, Tuple(adjoints(written, site_.location)).as_vector(), own);
        return define_before(Tuple(adjoints(with_step(vars_, ir::int32(0)), site_.location)).as_vector(), {});
    }

  private:
    std::vector<size_t> moved_; // the coordinates that the update gives
    ir::Symbol step_{ir::SymbolKind::Var, anonymous_name("step")};
    ir::SymbolMap<Expr> rvars_; // over the step
    Expr count_;                // of iterations
    Expr number_;               // of an iteration, over the RVars
    Func states_;               // the values before each iteration; undefined if nothing depends on them

    static std::vector<Expr> with_step(std::vector<Expr> args, const Expr &step) {
        args.push_back(step);
        return args;
    }

    OwnCall state_at(const Expr &step) const {
        return [this, step](const Expr &call) {
            return Tuple(states_(with_step(args_of(call), step), site_.location))[value_of(call)];
        };
    }

    /// A loop over the iterations, and inside of it over all points in the dimensions that the update moves in.
    struct Loop {
        RDom domain;
        Expr counter;
        std::vector<Expr> point;
    };
    Loop make_loop() const {
        std::vector<SpaceDim> dims;
        for (const size_t i : moved_) {
            dims.push_back({target_.vars[i], target_.box[i].min, target_.box[i].max, false});
        }
        dims.push_back({step_, ir::int32(0), rewrite::simplify(count_ - 1), false});
        const Domain domain = make_domain(dims, site_.location);
        Loop loop{domain.domain, domain.rvars.at(step_), vars_};
        for (const size_t i : moved_) {
            loop.point[i] = domain.rvars.at(target_.vars[i]);
        }
        return loop;
    }

    /// Whether the coordinates are those of the point; undefined: always.
    Expr is_at(const std::vector<Expr> &args, const Loop &loop) const {
        Expr same;
        for (const size_t i : moved_) {
            const Expr here = loop.point[i] == args[i];
            same = same.defined() ? same && here : here;
        }
        return same;
    }

    /// An expression of the stage at an iteration. Pure Vars are those of the adjoint.
    Expr at_iteration(const Expr &expr, const Expr &step) const {
        check_repeatable(expr, site_);
        const Expr over_step = ir::substitute(with_values(expr, state_at(ir::make_var(Int(32), step_))), rvars_);
        return ir::substitute(over_step, {{step_, step}});
    }
    std::vector<Expr> at_iteration(std::vector<Expr> exprs, const Expr &step) const {
        for (Expr &expr : exprs) {
            expr = at_iteration(expr, step);
        }
        return exprs;
    }

    Func define_states() {
        states_ = Func(concat(name_, "_in_", stage_.index));
        const Func start = prefixes_.after(function_, stage_.index - 1);
        states_(with_step(vars_, ir::make_var(Int(32), step_)), site_.location) = Tuple(start(vars_, site_.location));
        const Loop loop = make_loop();
        Expr writes = is_at(at_iteration(stage_.args, loop.counter), loop);
        if (stage_.predicate.defined()) {
            const Expr runs = at_iteration(stage_.predicate, loop.counter);
            writes = writes.defined() ? runs && writes : runs;
        }
        Values values = at_iteration(stage_.values, loop.counter);
        const Values old = Tuple(states_(with_step(loop.point, loop.counter), site_.location)).as_vector();
        for (size_t i = 0; i < values.size(); i++) {
            values[i] = writes.defined() ? choose(writes, values[i], old[i]) : values[i];
        }
        states_(with_step(loop.point, loop.counter + 1), site_.location) = Tuple(values);
        made_.push_back(states_);
        return states_;
    }

    Func define_adjoints() {
        Func adjoints(concat("d_", name_, "_in_", stage_.index));
        adjoints(with_step(vars_, ir::make_var(Int(32), step_)), site_.location) =
            Tuple(after_.at(vars_, types(), site_.location));
        const Loop loop = make_loop();
        const Expr step = rewrite::simplify(count_ - 1 - loop.counter);
        const Values old = Tuple(adjoints(with_step(loop.point, step + 1), site_.location)).as_vector();
        const std::vector<Expr> written_args = at_iteration(stage_.args, step);
        const Values written = Tuple(adjoints(with_step(written_args, step + 1), site_.location)).as_vector();
        const Expr writes = is_at(written_args, loop);
        Values values = old;
        for (Expr &value : values) {
            value = writes.defined() ? guarded(!writes, value) : ir::make_zero(value.type());
        }
        for (const ReadAdjoint &read : stage_.reads) {
            if (!is_own(read.read, function_)) {
                continue;
            }
            const Expr adjoint = ir::substitute(at_iteration(read.adjoint, step), seeded(written));
            const Expr here = is_at(at_iteration(args_of(read.read), step), loop);
            Expr &value = values[index_of_value(read.read)];
            const Expr summand = here.defined() ? guarded(here, adjoint) : adjoint;
            value = ir::is_zero(value) ? summand : value + summand;
        }
        if (stage_.predicate.defined()) {
            const Expr runs = at_iteration(stage_.predicate, step);
            for (size_t i = 0; i < values.size(); i++) {
                values[i] = choose(runs, values[i], old[i]);
            }
        }
        adjoints(with_step(loop.point, step), site_.location) = Tuple(values);
        made_.push_back(adjoints);
        return adjoints;
    }
};

} // namespace

AdjointState reverse_by_states(const UpdateReversal &update) { return States(update).run(); }

} // namespace fluorite::language::derivative
