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

#include "language/derivative/update_reversal.h"

namespace fluorite::language::derivative {

namespace {

class Accumulation : public UpdateReversal {
  public:
    explicit Accumulation(const UpdateReversal &update) : UpdateReversal(update) {}

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

} // namespace

AdjointState reverse_update(const DifferentiableStage &stage, const AdjointState &after, const Target &target,
                            Prefixes &prefixes, std::vector<Func> &made, ContributionSink &sink,
                            const DerivativeSite &site) {
    const UpdateReversal update(stage, after, target, prefixes, made, sink, site);
    if (const Accumulation accumulation(update); accumulation.applies()) {
        return accumulation.run();
    }
    std::optional<AdjointState> before = reverse_in_order(update);
    return before ? *before : reverse_by_states(update);
}

} // namespace fluorite::language::derivative
