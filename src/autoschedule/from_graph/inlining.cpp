// Which Funcs are inlined.
//
// Before sizes are known, those that only move or clamp coordinates; with sizes, those whose recomputation costs no
// more than memory would: a Func is inlined where its consumers with its definition take no more operations and loads
// than it and they do apart, values that are read in several places of one expression counted once. So a value that is
// read once always is, and a boundary condition or a conversion of an input nearly always; a lookup in a table that is
// read nine times is not. Funcs are decided from the inputs on, each with what was inlined into it.
//
// Cost: linear in definitions with what is inlined into them, which are limited.
#include "autoschedule/from_graph/inlining.h"

#include "autoschedule/costs.h"
#include "loopnest/inline/clone.h"
#include "loopnest/regions/accesses.h"

#include <set>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

bool may_inline(const AnalyzedPipeline &pipeline, const FuncDef &func) {
    return is_pure(func) && !pipeline.graph().is_output(func.id()) && !holds(pipeline.options().kept, func.id()) &&
           !holds(pipeline.given().funcs, func.id());
}

/// It moves one value, or clamps or converts it. What reads nothing is a table, which is computed once.
bool is_trivial(const FuncDef &func) {
    const Work work = work_of(func.stages[0], Boundaries::AreWork);
    return work.operations <= costs::trivial_work && (work.loads.size() == 1 || work.operations == 0);
}

class Inliner {
  public:
    explicit Inliner(AnalyzedPipeline &analyzed) : analyzed_(analyzed) {}

    void run() {
        analyzed_.check_outputs();
        std::map<FuncId, Candidate> candidates;
        std::map<FuncId, std::set<FuncId>> readers;
        // Outputs that are one stage share what is inlined into them.
        const std::vector<FuncId> fused =
            analyzed_.options().fuses_outputs ? analyzed_.fusable_outputs() : std::vector<FuncId>();
        for (FuncId id : analyzed_.nest().graph.order) {
            const bool is_fused = holds(fused, id);
            if (is_fused && id != fused[0]) {
                continue;
            }
            Candidate candidate{is_fused ? analyzed_.joint(fused) : analyzed_.func_of(id),
                                analyzed_.loops_of(analyzed_.func_of(id)), 1, 0};
            for (const LoopExtent &loop : candidate.loops) {
                candidate.points *= static_cast<double>(loop.extent);
            }
            candidate.work = whole_work(candidate);
            for (const Stage &stage : candidate.func.stages) {
                for (const loopnest::Access &call : loopnest::find_accesses(stage).calls) {
                    readers[call.symbol.owner().func].insert(id);
                }
            }
            candidates.emplace(id, std::move(candidate));
        }
        for (FuncId id : analyzed_.nest().graph.order) {
            if (!may_inline(analyzed_, analyzed_.func_of(id))) {
                continue;
            }
            const Candidate &producer = candidates.at(id);
            double kept = producer.work + producer.points * costs::store_operations *
                                              static_cast<double>(value_bytes(producer.func)) / 4,
                   inlined = 0;
            std::map<FuncId, Candidate> changed;
            bool is_small = true;
            for (const FuncId consumer : readers[id]) {
                const Candidate &candidate = candidates.at(consumer);
                Candidate with = candidate;
                inline_into(with.func, producer.func);
                is_small = is_small && is_small_enough(with.func);
                with.work = is_small ? whole_work(with) : 0;
                kept += candidate.work;
                inlined += with.work;
                changed.emplace(consumer, std::move(with));
            }
            if (is_small && (inlined <= kept || holds(analyzed_.options().inlined, id))) {
                analyzed_.is_inlined[id.index()] = true;
                for (auto &[producers, consumers] : readers) {
                    if (consumers.erase(id) > 0) {
                        consumers.insert(readers[id].begin(), readers[id].end());
                    }
                }
                for (auto &[consumer, with] : changed) {
                    candidates.at(consumer) = std::move(with);
                }
                candidates.erase(id);
            }
        }
    }

  private:
    AnalyzedPipeline &analyzed_;

    /// A Func with what was inlined into it.
    struct Candidate {
        FuncDef func;
        std::vector<LoopExtent> loops;
        double points = 1;
        double work = 0; // of all its points
    };

    static void inline_into(FuncDef &consumer, const FuncDef &producer) {
        for (Stage &stage : consumer.stages) {
            loopnest::change_exprs(stage, [&](const Expr &expr) {
                return transform(expr, [&](const Expr &node) {
                    if (node->kind() != ExprKind::Call || !(node->symbol() == producer.symbol)) {
                        return node;
                    }
                    SymbolMap<Expr> args;
                    for (size_t d = 0; d < producer.args.size(); ++d) {
                        args[producer.args[d]] = node->arg(d);
                    }
                    return substitute(producer.stages[0].values[node->member().position()], args);
                });
            });
        }
    }

    static bool is_small_enough(const FuncDef &func) {
        return std::all_of(func.stages.begin(), func.stages.end(), [](const Stage &stage) {
            return std::none_of(stage.values.begin(), stage.values.end(),
                                [](const Expr &value) { return has_more_nodes(value, costs::most_inlined_nodes); });
        });
    }

    double whole_work(const Candidate &candidate) {
        const FuncDef &func = candidate.func;
        double all = 0;
        for (size_t k = 1; k < func.stages.size(); ++k) {
            const double points = analyzed_.update_points(func, func.stages[k], candidate.loops);
            if (!writes_apart(func, func.stages[k])) {
                all += points * analyzed_.work().of_point(func, k, candidate.loops);
                continue;
            }
            const StageWork::Scattered scattered = analyzed_.work().of_scattered(func, k, candidate.loops);
            all += points * (scattered.lanes ? scattered.together : scattered.scalar * analyzed_.costs().lanes);
        }
        return all + candidate.points * analyzed_.work().least_of_point(func, candidate.loops);
    }
};

} // namespace

void inline_trivial(AnalyzedPipeline &pipeline) {
    for (const FuncDef &func : pipeline.graph().funcs) {
        pipeline.is_inlined[func.id().index()] =
            (may_inline(pipeline, func) && is_trivial(func)) || holds(pipeline.given().inlined, func.id());
    }
}

void choose_inlined(AnalyzedPipeline &pipeline) { Inliner(pipeline).run(); }

} // namespace fluorite::autoschedule
