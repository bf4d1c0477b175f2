#pragma once
// Puts directives of a genome on a program, one after the other. Inside of apply_directive.cpp; the members are defined
// where their topic is: apply_loops.cpp, apply_places.cpp, apply_shared.cpp, apply_memory.cpp, apply_promises.cpp,
// apply_when.cpp.

#include "language/function.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "sites.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::fuzz {

inline std::string quoted(const std::string &name) { return "Var(\"" + name + "\")"; }
inline std::string number(int value) { return std::to_string(value); }

class Applier {
  public:
    Applier(const Genome &genome, Program &program) : genome_(genome), program_(program), sites_(genome, program) {
        program_.wrappers.resize(program_.funcs.size());
        // A walk has placed Funcs where this model need not know; what follows it asks only whether they are.
        for (size_t f = 0; f < program_.funcs.size() && !genome.walk.empty(); f++) {
            if (!program_.funcs[f].function()->schedule.compute.is_inlined()) {
                sites_.place(static_cast<int>(f), Site());
            }
        }
    }

    /// Throws CompileError where the library refuses.
    void apply(const Directive &d);

  private:
    const Genome &genome_;
    Program &program_;
    SiteModel sites_;
    int fresh_ = 0;

    // What a directive is about.
    int node_ = 0;
    Func func_;
    std::string name_, on_; // the Func and the stage as C++
    std::vector<schedule::LoopDim> loops_;
    int rank_ = 0;

    // How often the body of a stage is written out or in how many lanes it runs, so that code stays small.
    std::map<std::pair<int, int>, int> copies_;
    static constexpr int most_copies = 64;
    // How often the loops are written out that a node is computed in: loops in loops multiply.
    std::map<int, int64_t> copies_around_;
    static constexpr int64_t most_nested_copies = 256;
    int64_t nested_copies(int node) const;
    std::set<int> bounded_;                       // outputs whose size is promised
    std::set<const language::Function *> shares_; // that share loops
    std::map<int, std::string> wrapper_text_;     // by node

    void note(const std::string &text) { program_.schedule_text.push_back(text); }

    /// Sets what a directive is about; false where the Func or stage is not there.
    bool select(const Directive &d);
    std::string node_name(int node);
    Stage stage(const Directive &d) { return d.stage == 0 ? Stage(func_.function(), 0) : func_.update(d.stage - 1); }
    static VarOrRVar var(const std::string &name) { return {name, false}; }
    std::string dimension(int i) { return func_.args()[static_cast<size_t>(i % rank_)].name(); }
    bool is_output(const language::Function &function) const;
    bool is_output() const { return is_output(*func_.function()); }
    const OutputGene *output_of(const Directive &d) const;

    // ---- Loops.

    /// A loop that is not marked yet and, for what runs iterations at once, whose iterations are independent.
    std::string loop(const Directive &d, int draw, bool at_once = false);
    /// Whether a split of the loop makes an output be written beyond its edge, whatever its size: loops inside of a
    /// split, and fused ones, have no region that could grow.
    bool overhangs(const Directive &d, const std::string &loop, int factor);
    TailStrategy tail(const Directive &d, const std::string &loop, int factor);
    static std::string text(TailStrategy tail) { return std::string("TailStrategy::") + schedule::tail_word(tail); }
    bool commutes(const Directive &d) { return schedule::commutes(func_.function()->stage_ref(d.stage, {})); }
    void apply_to_loop(const Directive &d);
    void split(const Directive &d, const std::string &old, const std::string &outer, const std::string &inner,
               int factor);
    void fuse(const Directive &d, const std::string &inner, const std::string &fresh);
    /// Two or more loops; those over dependent RVars keep their order unless the directive is wild.
    void reorder(const Directive &d);
    void tile(const Directive &d, const std::string &a, const std::string &b, const std::string &v,
              const std::string &w);

    // ---- Places, and Funcs that directives make.

    static std::string outermost(const Site &site) { return site.loop.empty() ? "__outermost" : site.loop; }
    LoopLevel level(const Site &site);
    std::string text(const Site &site);
    void place(const Directive &d);
    void place_wild(const Directive &d, bool store);
    void wrap(const Directive &d);
    void rfactor(const Directive &d);

    // ---- Several nests from one.

    /// With a Func at the same place that has an outer loop of the same name; only one each, so that no orders cross.
    void compute_with(const Directive &d);
    void specialize(const Directive &d);
    std::pair<Expr, std::string> condition(const Directive &d);

    // ---- Memory.

    void lay_out(const Directive &d);
    /// As a rule: registers need sizes that are small constants, which what the innermost loop of a consumer needs has.
    bool has_few_values() const;
    /// Small circles are refused where they are too small, or right.
    void fold(const Directive &d);
    void hoist(const Directive &d);
    /// Of hoisted memory; whether a loop lies between, the library says.
    void use_in_turn(const Directive &d);
    void prefetch(const Directive &d);
    /// The inputs that the stage itself reads.
    std::vector<int> inputs_of(const Directive &d) const;
    void stream(const Directive &d);

    // ---- Promises.

    void promise(const Directive &d);
    void bound(const Directive &d, const std::string &var_name);

    // ---- When it is computed.

    void compute_when(const Directive &d);
    /// Computed at root, or at a level of consumers none of which has vectorized loops.
    bool is_outside_of_lanes(const Directive &d) const;
    /// Each copy of what starts a task is a function of its own.
    bool has_few_copies() const;
    bool is_stored_whole(const Directive &d) const;
    /// Everything that it reads is computed at root, inlined from there, or inside of the Func; or it is stored where
    /// it is computed, so that there is one iteration.
    bool reads_no_siblings() const;
};

} // namespace fluorite::fuzz
