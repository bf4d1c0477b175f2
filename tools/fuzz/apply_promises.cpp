// Promises about the sizes of Funcs: bounds, alignments, estimates. Tame promises about outputs hold and do not
// contradict each other.

#include "applier.h"

#include <algorithm>

namespace fluorite::fuzz {

void Applier::bound(const Directive &d, const std::string &var_name) {
    const OutputGene *output = output_of(d);
    size_t i = static_cast<size_t>(d.loop % rank_);
    // The exact region for a single output; for other Funcs usually a region that is larger than needed.
    if (output && (genome_.outputs.size() > 1 || !genome_.funcs[static_cast<size_t>(d.func)].updates.empty()) &&
        !d.wild) {
        return;
    }
    if (!output && rank_ > 1) {
        return;
    }
    int min = output ? output->min[i] : -40, extent = output ? output->extent[i] : 90;
    if (!output && !d.wild && d.other > 3) {
        return;
    }
    if (output && !d.wild) {
        for (const schedule::StageSchedule &stage : func_.function()->schedule.stages) {
            if (!stage.splits.empty()) {
                return;
            }
        }
        bounded_.insert(node_);
    }
    if (d.op == Directive::Op::BoundExtent) {
        if (!output) {
            return;
        }
        func_.bound_extent(Var(var_name), extent);
        note(name_ + ".bound_extent(" + quoted(var_name) + ", " + number(extent) + ");");
        return;
    }
    func_.bound(Var(var_name), min, extent);
    note(name_ + ".bound(" + quoted(var_name) + ", " + number(min) + ", " + number(extent) + ");");
}

void Applier::promise(const Directive &d) {
    if (rank_ == 0) {
        return;
    }
    using Op = Directive::Op;
    std::string x = dimension(d.loop);
    bool aligns = d.op == Op::AlignBounds || d.op == Op::AlignExtent;
    bool bounds = d.op == Op::Bound || d.op == Op::BoundExtent;
    if (!d.wild && ((aligns && bounded_.count(node_)) || (bounds && !func_.function()->schedule.bounds.empty()))) {
        return; // they would contradict each other
    }
    const std::vector<schedule::Bound> &promised = func_.function()->schedule.bounds;
    const bool is_aligned = std::any_of(promised.begin(), promised.end(), [&](const schedule::Bound &bound) {
        return bound.var == x && bound.modulus.defined();
    });
    if (!d.wild && aligns && is_aligned) {
        return;
    }
    switch (d.op) {
    case Op::Bound:
    case Op::BoundExtent:
        bound(d, x);
        return;
    case Op::AlignBounds: {
        int remainder = d.other % std::max(d.factor, 1);
        func_.align_bounds(Var(x), d.factor, remainder);
        note(name_ + ".align_bounds(" + quoted(x) + ", " + number(d.factor) + ", " + number(remainder) + ");");
        return;
    }
    case Op::AlignExtent:
        func_.align_extent(Var(x), d.factor);
        note(name_ + ".align_extent(" + quoted(x) + ", " + number(d.factor) + ");");
        return;
    case Op::SetEstimate:
        func_.set_estimate(Var(x), d.loop, d.factor);
        note(name_ + ".set_estimate(" + quoted(x) + ", " + number(d.loop) + ", " + number(d.factor) + ");");
        return;
    default:
        unreachable("Applier::apply passes directives that promise");
    }
}

} // namespace fluorite::fuzz
