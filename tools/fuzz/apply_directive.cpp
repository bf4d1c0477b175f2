// Translates each directive of a genome into calls of the public API, on the loops and sites that exist at that moment.
// A tame directive takes the nearest legal meaning of its numbers; a wild one takes them as they are.

#include "apply_directive.h"

#include "applier.h"

#include <algorithm>

namespace fluorite::fuzz {

bool Applier::select(const Directive &d) {
    if (d.func < 0 || d.func >= static_cast<int>(genome_.funcs.size())) {
        return false;
    }
    node_ = d.func;
    if (d.wrapper >= 0) {
        node_ = sites_.node_of_wrapper(d.func, d.wrapper);
        if (node_ < 0) {
            return false;
        }
    }
    func_ = sites_.func(node_);
    name_ = node_name(node_);
    on_ = d.stage == 0 ? name_ : name_ + ".update(" + number(d.stage - 1) + ")";
    const auto &stages = func_.function()->schedule.stages;
    if (static_cast<size_t>(d.stage) >= stages.size()) {
        return false;
    }
    loops_ = stages[static_cast<size_t>(d.stage)].dims;
    rank_ = func_.dimensions();
    return true;
}

std::string Applier::node_name(int node) {
    size_t index = static_cast<size_t>(node);
    return index < genome_.funcs.size() ? genome_.funcs[index].name : wrapper_text_[node];
}

bool Applier::is_output(const language::Function &function) const {
    return std::any_of(program_.outputs.begin(), program_.outputs.end(),
                       [&](const Func &output) { return output.function().get() == &function; });
}

const OutputGene *Applier::output_of(const Directive &d) const {
    for (const OutputGene &output : genome_.outputs) {
        if (output.func == d.func && d.wrapper < 0) {
            return &output;
        }
    }
    return nullptr;
}

void Applier::apply(const Directive &d) {
    // After a walk, a Func without loops is one that the walk left inlined.
    if (!select(d) || (!genome_.walk.empty() && !d.wild && !is_output() && !sites_.is_placed(node_))) {
        return;
    }
    switch (d.op) {
#define FUZZ_DIRECTIVE(id, name, weight, function)                                                                     \
    case Directive::Op::id:                                                                                            \
        return function(d);
#include "directive_ops.def"
#undef FUZZ_DIRECTIVE
    }
}

void apply_schedule(const Genome &genome, Program &program) {
    Applier applier(genome, program);
    for (const Directive &directive : genome.schedule) {
        Refusal refusal;
        const size_t before = program.schedule_text.size();
        try {
            applier.apply(directive);
        } catch (const CompileError &error) {
            refusal = {error.slug(), error.what()};
        }
        program.accepted.push_back(refusal.slug.empty() && program.schedule_text.size() > before);
        program.refusals.push_back(refusal);
    }
}

} // namespace fluorite::fuzz
