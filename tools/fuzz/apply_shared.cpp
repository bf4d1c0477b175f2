// Several loop nests from one: loops that stages share (compute_with), and specializations, whose loops keep the names
// at which other Funcs are computed.

#include "applier.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

bool needs(const language::Function &function, const language::Function *other,
           std::set<const language::Function *> &seen) {
    if (&function == other) {
        return true;
    }
    return seen.insert(&function).second &&
           std::any_of(function.callees.begin(), function.callees.end(),
                       [&](const language::Function *callee) { return needs(*callee, other, seen); });
}

} // namespace

void Applier::compute_with(const Directive &d) {
    language::Function &function = *func_.function();
    const auto &own = function.schedule.stages[static_cast<size_t>(d.stage)];
    const auto is_in_stages = [](const language::Function &its) {
        return its.schedule.compute.is_at() && its.schedule.compute.stage < 0;
    };
    if (is_in_stages(function) || !function.wrappers.empty() || shares_.count(&function) ||
        !own.specializations.empty() || loops_.empty()) {
        return;
    }
    const size_t count = program_.funcs.size();
    for (size_t k = 0; k < count; k++) {
        Func &other = program_.funcs[(k + static_cast<size_t>(d.other)) % count];
        language::Function &theirs = *other.function();
        const size_t stage = static_cast<size_t>(d.consumer_stage) % theirs.schedule.stages.size();
        const auto &their = theirs.schedule.stages[stage];
        std::set<const language::Function *> seen, seen_too;
        const bool same_place = is_output(theirs) ? is_output(function) || function.schedule.compute.is_root()
                                                  : function.schedule.compute == theirs.schedule.compute ||
                                                        (is_output(function) && theirs.schedule.compute.is_root());
        const bool is_inlined = (theirs.schedule.compute.is_inlined() && !is_output(theirs)) ||
                                (function.schedule.compute.is_inlined() && !is_output(function));
        if (&theirs == &function || shares_.count(&theirs) || !theirs.wrappers.empty() || is_inlined || !same_place ||
            is_in_stages(theirs) || !their.specializations.empty() || needs(function, &theirs, seen) ||
            needs(theirs, &function, seen_too)) {
            continue;
        }
        size_t depth = 0;
        const size_t most = std::min(own.dims.size(), their.dims.size());
        while (depth < most &&
               own.dims[own.dims.size() - 1 - depth].var == their.dims[their.dims.size() - 1 - depth].var &&
               own.dims[own.dims.size() - 1 - depth].for_type == their.dims[their.dims.size() - 1 - depth].for_type) {
            depth++;
        }
        if (depth == 0) {
            continue;
        }
        const std::string at = own.dims[own.dims.size() - 1 - static_cast<size_t>(d.loop) % depth].var;
        static const LoopAlignStrategy aligns[] = {LoopAlignStrategy::Auto, LoopAlignStrategy::AlignStart,
                                                   LoopAlignStrategy::AlignEnd, LoopAlignStrategy::NoAlign};
        const LoopAlignStrategy align = aligns[d.factor2 % 4];
        const Stage with = stage == 0 ? Stage(other.function(), 0) : other.update(static_cast<int>(stage) - 1);
        this->stage(d).compute_with(with, Var(at), align);
        shares_.insert(&function);
        shares_.insert(&theirs);
        const std::string name = genome_.funcs[(k + static_cast<size_t>(d.other)) % count].name;
        note(on_ + ".compute_with(" +
             (stage == 0 ? name : name + ".update(" + number(static_cast<int>(stage) - 1) + ")") + ", " + quoted(at) +
             ", LoopAlignStrategy::" + schedule::align_word(align) + ");");
        return;
    }
}

std::pair<Expr, std::string> Applier::condition(const Directive &d) {
    const size_t params = genome_.params.size();
    if (params > 0 && d.other % 3 != 0) {
        const size_t i = static_cast<size_t>(d.loop) % params;
        const Expr &param = program_.params[i];
        const std::string value =
            "cast(" + genome_.params[i].name + ".type(), " + number(genome_.params[i].value) + ")";
        const Expr same = cast(param.type(), genome_.params[i].value);
        return d.other % 3 == 1 ? std::pair(param == same, genome_.params[i].name + " == " + value)
                                : std::pair(param < same, genome_.params[i].name + " < " + value);
    }
    const Func &output = program_.outputs[static_cast<size_t>(d.loop) % program_.outputs.size()];
    const std::string name =
        genome_.funcs[static_cast<size_t>(genome_.outputs[static_cast<size_t>(d.loop) % program_.outputs.size()].func)]
            .name;
    if (output.dimensions() == 0) {
        return {};
    }
    const int dim = d.consumer_stage % output.dimensions();
    // For a Func with several values, the buffer of the first.
    const Expr extent = Func(output).output_buffers()[0].dim(dim).extent();
    const std::string text = name + ".output_buffers()[0].dim(" + number(dim) + ").extent()";
    return d.other % 2 ? std::pair(extent >= d.factor, text + " >= " + number(d.factor))
                       : std::pair(extent % d.factor == 0, text + " % " + number(d.factor) + " == 0");
}

void Applier::specialize(const Directive &d) {
    const auto [when, when_text] = condition(d);
    if (!when.defined()) {
        return;
    }
    if (func_.function()->schedule.stages[static_cast<size_t>(d.stage)].with || shares_.count(func_.function().get())) {
        return;
    }
    Stage on = stage(d).specialize(when);
    const std::string text = on_ + ".specialize(" + when_text + ")";
    note(text + ";");
    if (loops_.empty()) {
        return;
    }
    // A specialization starts with the stage's current schedule.
    const bool lanes = d.factor2 % 2 == 0;
    const std::string a = loop(d, d.consumer_stage + d.loop, lanes);
    int &count = copies_.try_emplace({node_, d.stage}, 1).first->second;
    if (a.empty() || count * d.factor > most_copies || nested_copies(node_) * d.factor > most_nested_copies ||
        on.loops().size() != loops_.size()) {
        return; // the same condition again returns the same specialization, which has its own loops
    }
    count *= d.factor;
    const TailStrategy how = TailStrategy::GuardWithIf;
    lanes ? on.vectorize(var(a), d.factor, how) : on.unroll(var(a), d.factor, how);
    note(text + (lanes ? ".vectorize(" : ".unroll(") + quoted(a) + ", " + number(d.factor) + ", " + this->text(how) +
         ");");
}

} // namespace fluorite::fuzz
