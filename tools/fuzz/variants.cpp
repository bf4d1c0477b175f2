// Variants of a case. A schedule that is refused as a whole tests nothing in the pipeline, so the case is retried with
// all placements at root and without a walk or an automatic schedule, which place Funcs for each other, then with
// nothing but these placements: without them, Funcs with updates are inlined in each other, which takes time that is
// exponential in their number. Sizes are divided to tell slow cases from endless ones (campaign.cpp); where they are
// nearly 1, the factors of splits are divided, too: a vector of 32 lanes asks for 32 values where one is wanted, and
// its producers for multiples of that in each dimension.

#include "variants.h"

#include <algorithm>
#include <type_traits>

namespace fluorite::fuzz {

Genome relaxed(const Genome &genome, int retry) {
    Genome result = genome;
    result.walk.clear();
    result.automatic.clear();
    result.device = retry == 2 ? 0 : result.device;
    std::erase_if(result.schedule, [&](const Directive &d) { return retry == 2 || d.op <= Directive::Op::CloneIn; });
    for (size_t f = 0; f < result.funcs.size(); f++) {
        Directive root;
        root.func = static_cast<int>(f);
        if (!result.is_output(root.func)) {
            result.schedule.push_back(root);
        }
    }
    return result;
}

namespace {

/// Sizes are at most 100 in one dimension, 47 in two and 16 in three (make_genome.cpp): a few at this divisor.
constexpr int first_divisor_of_factors = 16;

/// Whether the region that a Func is asked for grows to a multiple of the directive's factor.
bool has_split_factor(Directive::Op op) {
    return op == Directive::Op::Split || op == Directive::Op::Tile || op == Directive::Op::Vectorize ||
           op == Directive::Op::Unroll;
}

} // namespace

std::pair<Genome, bool> divided(const Genome &genome, int divisor) {
    Genome result = genome;
    bool is_larger = false;
    const auto divide = [&](auto &size) {
        size = std::max<std::decay_t<decltype(size)>>(size / divisor, 1);
        is_larger = is_larger || size > 1;
    };
    for (OutputGene &output : result.outputs) {
        std::for_each(output.extent.begin(), output.extent.end(), divide);
    }
    for (FuncGene &func : result.funcs) {
        for (Update &update : func.updates) {
            for (Axis &axis : update.domain) {
                axis.extent = axis.param < 0 ? axis.extent : result.params[static_cast<size_t>(axis.param)].value;
                axis.param = -1;
                divide(axis.extent);
            }
        }
    }
    for (Term *term : all_terms(result)) {
        if (term->is_reduction()) {
            divide(term->number);
            if (term->second > 0) {
                divide(term->second);
            }
        }
    }
    const auto divide_factor = [&](int &factor) {
        factor = std::max(factor / std::max(divisor / first_divisor_of_factors, 1), std::min(factor, 2));
        is_larger = is_larger || factor > 2;
    };
    for (Directive &directive : result.schedule) {
        if (has_split_factor(directive.op)) {
            divide_factor(directive.factor);
            divide_factor(directive.factor2);
        }
    }
    for (WalkStep &step : result.walk) {
        divide_factor(step.factor);
    }
    return {result, is_larger};
}

Tried try_case(const Genome &genome, const Options &options, const OnPhase &on_phase) {
    Tried tried{run_case(genome, options, on_phase), genome, 0, ""};
    tried.slug = tried.outcome.slug;
    if (!is_refused(tried.outcome.kind)) {
        tried.slug.clear();
    }
    while (is_refused(tried.outcome.kind) && tried.retries < 2) {
        tried.retries++;
        tried.genome = relaxed(genome, tried.retries);
        tried.outcome = run_case(tried.genome, options, on_phase);
    }
    return tried;
}

} // namespace fluorite::fuzz
