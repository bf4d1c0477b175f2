// The reverse of an update: the adjoint D of a Func's values before it, from that after it.
//
// An iteration writes f(A) = E, where E reads values of f, at B, and others. Reversed, it takes v = D(A), sets D(A) to
// 0, and adds v * dE/df(B) to D(B), and likewise for what is read of others. Iterations are reversed in order. The
// forms, from the cheapest:
//
//   accumulation   f(A) = f(A) + e, where e reads nothing of f. D stays as it is: sums and histograms.
//   order          A writes each point at most once, and each B is at a fixed distance from A. An iteration then reads
//                  f as it is before the update, or as a former iteration has left it, which is how the update leaves
//                  it: a scan. If an iteration reads what a former one wrote, v is a scan in the reverse order:
//                    f(r) = f(r - 1) * a(r) + b(r)     -->   v(r) = D(r), then v(r) += v(r + 1) * a(r + 1), r falling
//                  The points of all reads are then gathered.
//   states         anything else: points that are written repeatedly (products, maxima, their coordinates), reads at
//                  coordinates that are data. The values of f before each iteration are a Func with a dimension more,
//                  computed where the derivatives depend on them; and so are the adjoints. Its size is that of f times
//                  that of the RDom. A product or a maximum of n numbers so takes n numbers.
//
// Relies on: coordinates at which an update keeps a pure Var are the same in reads of the Func itself (define_update).

#include "fluorite/ops.h"
#include "language/derivative/inversion.h"
#include "language/derivative/propagation.h"
#include "language/operands.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::language::derivative {

using ir::ExprKind;

namespace {

size_t index_of_value(const Expr &read) { return static_cast<size_t>(value_of(read)); }

bool is_own(const Expr &read, const Function &function) {
    return read->kind() == ExprKind::Call && function_of(read->symbol()) == &function;
}

bool equal_args(const std::vector<Expr> &a, const std::vector<Expr> &b) {
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

class Accumulation : public UpdateReversal {
  public:
    using UpdateReversal::UpdateReversal;

    bool applies() const {
        if (needs_values()) {
            return false;
        }
        std::vector<bool> is_kept(types().size());
        for (const ReadAdjoint &read : stage_.reads) {
            if (is_own(read.read, function_)) {
                const size_t value = index_of_value(read.read);
                if (!equal_args(args_of(read.read), stage_.args) || !ir::equal(read.adjoint, stage_.seeds[value])) {
                    return false;
                }
                is_kept[value] = true;
            }
        }
        for (size_t i = 0; i < types().size(); i++) {
            if (types()[i].is_float() && !is_kept[i]) {
                return false;
            }
        }
        return true;
    }

    AdjointState run() const {
        const FreshSpace space(stage_.dims, stage_.predicate);
        contribute_to_others(space, after_.at(stage_.args, types(), site_.location),
                             [](const Expr &call) { return call; });
        return after_;
    }
};

/// Which values of the Func an iteration reads.
enum class Seen : uint8_t {
    Before, // those before the update: of its own point, of one that a later iteration writes, or that none writes
    After   // those after the update: of a point that a former iteration has written, if any has
};

class Ordered : public UpdateReversal {
  public:
    Ordered(const DifferentiableStage &stage, const AdjointState &after, const Target &target, Prefixes &prefixes,
            std::vector<Func> &made, ContributionSink &sink, const DerivativeSite &site)
        : UpdateReversal(stage, after, target, prefixes, made, sink, site), space_(stage.dims, stage.predicate) {}

    bool applies() {
        if (calls_self(stage_.args) || calls_self(stage_.predicate)) {
            return false;
        }
        written_ = preimage_of(over(stage_.args, space_.symbols), *space_.space, target_);
        bool all_known = written_.has_value();
        for (const Expr &value : stage_.values) {
            ir::for_each_node(value, [&](const Expr &node) {
                if (all_known && is_own(node, function_)) {
                    all_known = !calls_self(args_of(node)) && find_distance(node);
                }
            });
        }
        return all_known;
    }

    AdjointState run() {
        Func v = after_.func;
        if (const std::vector<const ReadAdjoint *> former = reads_of_former(); !former.empty()) {
            v = define_scan(former);
        }
        const Values adjoints = Tuple(v(stage_.args, site_.location)).as_vector();
        const OwnCall own = [&](const Expr &call) { return value_seen(call); };
        contribute_to_others(space_, adjoints, own);
        return define_before(kept(), own_contributions(adjoints, own));
    }

  private:
    struct Distance {
        Seen seen = Seen::Before;
        ir::SymbolMap<int64_t> shift; // by RVar: the point that is read is the one that r + shift writes
    };
    FreshSpace space_;
    std::optional<Preimage> written_;
    ir::ExprMap<Distance> distances_; // by call

    // ---- Distances.

    bool has_rvars() const {
        return std::any_of(stage_.dims.begin(), stage_.dims.end(), [](const SpaceDim &dim) { return !dim.is_pure; });
    }

    bool find_distance(const Expr &call) {
        if (distances_.contains(call)) {
            return true;
        }
        Distance distance;
        if (has_rvars() && !is_never_written(call)) {
            for (size_t i = 0; i < stage_.args.size(); i++) {
                const Expr apart = rewrite::simplify(call->arg(i) - stage_.args[i]);
                int64_t constant = 0;
                if (!ir::is_const_int(apart, &constant) || !add_shift(stage_.args[i], constant, distance)) {
                    return false;
                }
            }
            distance.seen = reads_former(distance) ? Seen::After : Seen::Before;
        }
        distances_[call] = distance;
        return true;
    }

    /// Whether it differs from all points that are written in a coordinate that no iteration moves.
    bool is_never_written(const Expr &call) const {
        for (size_t i = 0; i < stage_.args.size(); i++) {
            int64_t apart = 0;
            if (!moves(stage_.args[i]) && ir::is_const_int(rewrite::simplify(call->arg(i) - stage_.args[i]), &apart) &&
                apart != 0) {
                return true;
            }
        }
        return false;
    }

    bool moves(const Expr &arg) const {
        return std::any_of(stage_.dims.begin(), stage_.dims.end(),
                           [&](const SpaceDim &dim) { return !dim.is_pure && ir::uses_symbol(arg, dim.symbol); });
    }

    /// Takes a shift of one coordinate into account; false where no iteration is at this distance in this coordinate
    /// alone.
    bool add_shift(const Expr &arg, int64_t apart, Distance &distance) const {
        std::optional<AffineCoordinate> form;
        const SpaceDim *mover = nullptr;
        for (const SpaceDim &dim : stage_.dims) {
            if (!dim.is_pure && ir::uses_symbol(arg, dim.symbol)) {
                if (mover) {
                    return false;
                }
                mover = &dim;
                form = affine_in(arg, dim.symbol);
            }
        }
        if (!mover) {
            return apart == 0;
        }
        if (!form || form->divisor != 1 || apart % form->scale != 0 || distance.shift.contains(mover->symbol)) {
            return false;
        }
        distance.shift[mover->symbol] = apart / form->scale;
        return true;
    }

    /// Whether the shift is to an earlier iteration; the last dimension is outermost.
    bool reads_former(const Distance &distance) const {
        for (size_t i = stage_.dims.size(); i-- > 0;) {
            const auto shift = distance.shift.find(stage_.dims[i].symbol);
            if (shift != distance.shift.end() && shift->second != 0) {
                return shift->second < 0;
            }
        }
        return false;
    }

    Seen seen_by(const Expr &call) const { return distances_.at(call).seen; }

    Expr value_seen(const Expr &call) const {
        const size_t stage = seen_by(call) == Seen::After ? stage_.index : stage_.index - 1;
        return Tuple(prefixes_.after(function_, stage)(args_of(call), site_.location))[value_of(call)];
    }

    std::vector<const ReadAdjoint *> reads_of_former() const {
        std::vector<const ReadAdjoint *> result;
        for (const ReadAdjoint &read : stage_.reads) {
            if (is_own(read.read, function_) && seen_by(read.read) == Seen::After) {
                result.push_back(&read);
            }
        }
        return result;
    }

    // ---- Points that a former iteration may have written.

    /// The RVars of the iteration `sign` shifts away, and whether it is one: in its ranges, and by the predicate.
    struct Other {
        ir::SymbolMap<Expr> clamped;
        Expr exists;
    };
    Other iteration_at(const Distance &distance, int sign, const ir::SymbolMap<Expr> &here) const {
        Other other{{}, ir::make_bool(true)};
        for (const SpaceDim &dim : stage_.dims) {
            if (dim.is_pure) {
                continue;
            }
            const auto shift = distance.shift.find(dim.symbol);
            const Expr rvar = here.contains(dim.symbol) ? here.at(dim.symbol) : ir::make_var(Int(32), dim.symbol);
            if (shift == distance.shift.end() || shift->second == 0) {
                other.clamped[dim.symbol] = rvar;
                continue;
            }
            const Expr value = rvar + ir::int32(sign * shift->second);
            other.exists = other.exists && value >= dim.min && value <= dim.max;
            other.clamped[dim.symbol] = clamp(likely(value), dim.min, dim.max);
        }
        if (stage_.predicate.defined()) {
            other.exists = other.exists && ir::substitute(stage_.predicate, other.clamped);
        }
        other.exists = rewrite::simplify(other.exists);
        return other;
    }

    // ---- The adjoints of what iterations write.

    Func define_scan(const std::vector<const ReadAdjoint *> &former) {
        Func v(concat("d_", name_, "_in_", stage_.index));
        v(vars_, site_.location) = Tuple(after_.at(vars_, types(), site_.location));
        std::vector<SpaceDim> rvars;
        std::copy_if(stage_.dims.begin(), stage_.dims.end(), std::back_inserter(rvars),
                     [](const SpaceDim &dim) { return !dim.is_pure; });
        Domain domain = make_domain(rvars, site_.location);
        ir::SymbolMap<Expr> here; // from the last iteration to the first
        for (const SpaceDim &dim : rvars) {
            here[dim.symbol] = rewrite::simplify(dim.min + dim.max - domain.rvars.at(dim.symbol));
        }
        if (stage_.predicate.defined()) {
            domain.domain.where(ir::substitute(stage_.predicate, here), site_.location);
        }
        const std::vector<Expr> args = over(stage_.args, here);
        Values values = Tuple(v(args, site_.location)).as_vector();
        for (const ReadAdjoint *read : former) {
            const Other other = iteration_at(distances_.at(read->read), -1, here);
            const Values later = Tuple(v(over(stage_.args, other.clamped), site_.location)).as_vector();
            const Expr plain = with_values(read->adjoint, [&](const Expr &call) { return value_seen(call); });
            check_repeatable(plain, site_);
            const Expr adjoint = ir::substitute(ir::substitute(plain, other.clamped), seeded(later));
            Expr &value = values[index_of_value(read->read)];
            value = value + guarded(other.exists, likely(adjoint));
        }
        v(args, site_.location) = Tuple(values);
        made_.push_back(v);
        return v;
    }

    // ---- The adjoint before the update.

    /// The adjoint of points that the update does not write.
    Values kept() const {
        if (!written_->condition.defined()) {
            return AdjointState().at({}, types(), site_.location);
        }
        Values values = after_.at(vars_, types(), site_.location);
        for (Expr &value : values) {
            value = guarded(!written_->condition, value);
        }
        return values;
    }

    std::vector<Contribution> own_contributions(const Values &adjoints, const OwnCall &own) const {
        std::vector<Contribution> contributions;
        const ir::SymbolMap<Expr> seeds = seeded(adjoints);
        for (const ReadAdjoint &read : stage_.reads) {
            if (!is_own(read.read, function_)) {
                continue;
            }
            Expr condition; // what a former iteration wrote is no value before the update
            if (seen_by(read.read) == Seen::After) {
                condition = !iteration_at(distances_.at(read.read), 1, {}).exists;
            }
            const Expr adjoint = ir::substitute(with_values(read.adjoint, own), seeds);
            check_repeatable(adjoint, site_);
            contributions.push_back(space_.contribution(args_of(read.read), value_of(read.read), adjoint, condition));
        }
        return contributions;
    }
};

class States : public UpdateReversal {
  public:
    States(const DifferentiableStage &stage, const AdjointState &after, const Target &target, Prefixes &prefixes,
           std::vector<Func> &made, ContributionSink &sink, const DerivativeSite &site)
        : UpdateReversal(stage, after, target, prefixes, made, sink, site) {
        for (size_t i = 0; i < stage.args.size(); i++) {
            if (!stage.is_pure[i]) {
                moved_.push_back(i);
            }
        }
        Expr size = ir::int32(1);
        const Expr step = ir::make_var(Int(32), step_);
        number_ = ir::int32(0);
        for (const SpaceDim &dim : stage.dims) {
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

AdjointState reverse_update(const DifferentiableStage &stage, const AdjointState &after, const Target &target,
                            Prefixes &prefixes, std::vector<Func> &made, ContributionSink &sink,
                            const DerivativeSite &site) {
    const Accumulation accumulation(stage, after, target, prefixes, made, sink, site);
    if (accumulation.applies()) {
        return accumulation.run();
    }
    Ordered ordered(stage, after, target, prefixes, made, sink, site);
    if (ordered.applies()) {
        return ordered.run();
    }
    return States(stage, after, target, prefixes, made, sink, site).run();
}

} // namespace fluorite::language::derivative
