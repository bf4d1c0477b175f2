// Sums that gather along the loop of their vectors, and would not along another.
//
// Method: a loop is possible if every Func that an update reads at coordinates that follow it is a definition without
// updates, one dimension of which follows the loop step by step, and no other one: stored with that dimension
// innermost, lanes along the loop read it densely. It is worth a trial if one of these reads is gathered today. The
// search compares costs.
//
// Does not transpose what an input or a reduction is read at. Cost: linear in the loops times the reads.
#include "autoschedule/from_graph/transpositions.h"

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/footprints.h"
#include "loopnest/regions/accesses.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

bool follows(const loopnest::Access &call, const Symbol &var) {
    return std::any_of(call.args.begin(), call.args.end(), [&](const Expr &arg) { return uses_symbol(arg, var); });
}

/// The dimension that follows the loop step by step, where no other one follows it.
std::optional<size_t> dimension_along(const FuncDef &func, const loopnest::Access &call, FootprintReader &reader,
                                      size_t loop) {
    std::optional<size_t> along;
    for (size_t d = 0; d < call.args.size(); ++d) {
        if (!uses_symbol(call.args[d], func.args[loop])) {
            continue;
        }
        const Footprint footprint = reader.of(call.args[d]);
        if (along || footprint.kind != Footprint::Kind::Affine || footprint.loop != loop ||
            !(footprint.scale == Rational()) || footprint.is_rounded) {
            return {};
        }
        along = d;
    }
    return along;
}

/// Whether lanes along the loop read elements one by one.
bool gathers(const FuncDef &func, const loopnest::Access &call, FootprintReader &reader, size_t loop,
             const StageWork &work) {
    for (size_t d = 0; d < call.args.size(); ++d) {
        if (uses_symbol(call.args[d], func.args[loop])) {
            const Footprint footprint = reader.of(call.args[d]);
            if (footprint.kind != Footprint::Kind::Affine || footprint.is_rounded || d != work.innermost(call.symbol)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::optional<Transposition> find_transposition(const Graph &graph, const FuncDef &func,
                                                const std::vector<LoopExtent> &loops, loopnest::NestValues &values,
                                                const StageWork &work, const std::vector<FuncId> &given) {
    const size_t vector = StageWork::vector_loop(loops);
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        if (loop == vector || loops[loop].is_constant || loops[loop].extent < costs::least_lanes_of_transposed_sums) {
            continue;
        }
        Transposition transposition{func.id(), loop, {}};
        bool is_possible = true, has_gathered = false;
        for (size_t k = 1; k < func.stages.size(); ++k) {
            const loopnest::StageAccesses accesses = loopnest::find_accesses(func.stages[k]);
            FootprintReader reader = reader_of(values, func, func.stages[k], &loops, accesses);
            is_possible = is_possible && accesses.images.empty();
            for (const loopnest::Access &call : accesses.calls) {
                const FuncId callee = call.symbol.owner().func;
                if (callee == func.id()) {
                    continue;
                }
                const std::optional<size_t> along = dimension_along(func, call, reader, loop);
                has_gathered = has_gathered || (along && gathers(func, call, reader, vector, work));
                const bool may_be_stored = graph.func(callee).stages.size() == 1 && !graph.is_output(callee) &&
                                           std::find(given.begin(), given.end(), callee) == given.end();
                is_possible = is_possible && (!follows(call, func.args[loop]) || (along && may_be_stored));
                if (along && std::find(transposition.stored.begin(), transposition.stored.end(),
                                       std::pair(callee, *along)) == transposition.stored.end()) {
                    transposition.stored.emplace_back(callee, *along);
                }
            }
        }
        if (is_possible && has_gathered) {
            return transposition;
        }
    }
    return std::nullopt;
}

} // namespace fluorite::autoschedule
