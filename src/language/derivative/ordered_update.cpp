// Updates whose iterations read points at a fixed distance from the one that they write (update_reversal.cpp).
//
//   f(r) = f(r - 1) * a(r) + f(r + 1)          D: the adjoint after it, v: that of what an iteration writes
//   -->  v(r) = D(r), then v(r) += v(r + 1) * a(r + 1) for r falling        f(r - 1) is read as an iteration left it
//        before(y) = D(y) where no iteration writes y, plus v(y - 1), as f(y) was read as it was before the update,
//        plus v(y + 1) * a(y + 1) where no iteration has written f(y)
//
// The last RVar is outermost: the sign of a distance is that of its last component that is not 0. Values of f itself in
// the derivatives are those after the update for points of former iterations, and those before it for all others.
//
// Relies on: each point is written by one iteration at most (preimage_of).

#include "fluorite/ops.h"
#include "language/derivative/inversion.h"
#include "language/derivative/update_reversal.h"
#include "rewrite/simplify.h"

namespace fluorite::language::derivative {

namespace {

/// Which values of the Func an iteration reads.
enum class Seen : uint8_t {
    Before, // those before the update: of its own point, of one that a later iteration writes, or that none writes
    After   // those after the update: of a point that a former iteration has written, if any has
};

class Ordered : public UpdateReversal {
  public:
    explicit Ordered(const UpdateReversal &update) : UpdateReversal(update), space_(stage_.dims, stage_.predicate) {}

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
            other.clamped[dim.symbol] = into_range(value, dim.min, dim.max);
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

} // namespace

std::optional<AdjointState> reverse_in_order(const UpdateReversal &update) {
    Ordered ordered(update);
    return ordered.applies() ? std::optional(ordered.run()) : std::nullopt;
}

} // namespace fluorite::language::derivative
