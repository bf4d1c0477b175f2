#pragma once
// The loops of Funcs: from the nests of the definition to those of the schedule, stage by stage, in the alternatives of
// each; and what the schedule says besides of a Func that stands in the term.
//
// Method: the stages before an update are bound as a nest of their own; the splits, fusions and orders of a stage are
// one step (new_loops.h, update_loops.h); marks follow. The loops of a scan stay those of the definition in the term
// (scans.h). What a directive comes to is reported where it is known.

#include "verify/certify.h"
#include "verify/rewrite/rewriter.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fluorite::verify {

/// The range that `bound` promises, if it is constant.
std::optional<PromisedRange> promise_of(const schedule::Bound &bound);
size_t dimension_of(const ir::FuncDef &func, const std::string &var);
/// Visits the specializations of a stage in the order in which their conditions are asked.
template <typename Visit> void for_each_condition(const schedule::StageSchedule &stage, const Visit &visit) {
    for (const schedule::Specialization &one : stage.specializations) {
        if (!one.fails()) {
            visit(one);
            for_each_condition(one.schedule, visit);
        }
    }
}

class FuncLoops {
  public:
    /// `operators` gets those that steps take for associative and commutative.
    FuncLoops(const ir::Graph &graph, const schedule::Schedule &schedule, const Conversion &conversion,
              Derivation &derivation, std::set<std::string> &operators);

    /// The nest at the path: of the Func, if `name` is its name, or of a window of it. `instance` stands behind the
    /// names of its loops.
    void schedule(Path path, size_t f, const std::string &name, bool is_output, Certified &result,
                  const std::string &instance = "");
    /// The names in terms of a loop of the schedule: one for each nest that has it.
    std::vector<std::string> words_of_loop(const std::string &func, int stage, const std::string &var) const;

    std::map<std::string, Origin> origins; // of bindings, by their names
    const std::vector<ScanLoops> &scans() const { return scans_; }

  private:
    // The nest of a stage: of the Func, or of a window of it, whose binding has the name. `instance` stands behind the
    // names of its loops.
    struct StageNest {
        size_t func = 0, stage = 0;
        std::string name, instance;
        bool is_output = false;
    };
    // An update without a reduction reads the element before once or more.
    bool continue_from(const Path &nest, size_t rank);
    // That sizes by which fused loops are divided are positive becomes a fact.
    bool assume_needs(const Path &path, const LoopPlan &plan);
    // The loops of a scan, of which the certificate speaks once all others are in place.
    void schedule_scan(const Path &path, const StageNest &stage, Certified &result);
    // The alternatives of a stage, each with its own loops.
    void schedule_stage(Path path, const StageNest &stage, const schedule::StageSchedule &schedule, Certified &result);
    // The condition of an alternative, with what the tails of its loops demand of sizes: where the condition alone
    // does not say so, that becomes a fact of the certificate.
    Condition with_tails(const Path &path, const StageNest &stage, const schedule::Specialization &one);
    // The fact that where the path is reached and the condition holds, another one does.
    Condition implied(const Path &path, const Condition &condition, const Condition &then) const;
    // That the pipeline does not fail, because one of the conditions holds, becomes a fact.
    std::string assume_one_of(const Path &path, const std::vector<Condition> &conditions);
    // The loops of the nest at the path, as the definition has them; nothing if it is none.
    std::optional<StageLoops> loops_of(const Path &path, const StageNest &stage) const;
    // The same of a scan, in whose term the loops of the reduction are outside of those over elements.
    std::optional<StageLoops> loops_of_scan(const Path &path, const StageNest &stage) const;
    // The user's names of the loops of the reduction, and the dimensions over which the stage has no loop.
    static void add_names(const ir::FuncDef &func, size_t stage, StageLoops &nest);
    void schedule_nest(const Path &path, const StageNest &stage, const schedule::StageSchedule &schedule,
                       Certified &result);
    static std::string mark_word(Term::Mark mark);
    // From the innermost loop on, so that paths of outer loops stay as they are.
    void mark_loops(const std::vector<PlannedLoop> &loops, const std::vector<Path> &paths, size_t k,
                    const std::string &name, Certified &result);
    // Iterations that add to one element may do so at once, by the laws of the operator.
    std::string mark_reduction_loop(const Path &path, Term::Mark mark);
    // Whether the tensor of the Func covers what is promised, and no more.
    bool keeps_promise(size_t f, const std::string &name, const schedule::Bound &bound) const;
    // Whether the tensor of the Func is no larger in memory than promised.
    bool fits(size_t f, const std::string &name, const schedule::StorageDim &dim) const;
    void note_directives_of_stage(const StageNest &nest, const schedule::StageSchedule &stage, Certified &result);
    void note_other_directives(size_t f, const std::string &name, Certified &result);
    const schedule::FuncSchedule &schedule_of(size_t f) const { return schedule_.funcs[f]; }

    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    const Conversion &conversion_;
    Derivation &derivation_;
    std::set<std::string> &operators_;
    std::vector<ScanLoops> scans_;
    std::map<std::string, std::vector<Index>> shapes_;           // of the tensors of Funcs, as origins
    std::map<std::string, std::vector<std::string>> loop_names_; // in terms, by the words of loops of the schedule
    std::map<const schedule::Specialization *, Condition> conditions_;
};

} // namespace fluorite::verify
