#pragma once
// Applies the directives of a genome to a program, one after the other. Internal to apply_*.cpp; each file defines the
// members of its topic: apply_loops.cpp, apply_places.cpp, apply_shared.cpp, apply_memory.cpp, apply_promises.cpp,
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
        // A walk may have placed Funcs at sites that this model does not track; later directives only ask whether they
        // are placed.
        for (size_t f = 0; f < program_.funcs.size() && !genome.walk.empty(); f++) {
            if (!program_.funcs[f].function()->schedule.compute.is_inlined()) {
                sites_.place(static_cast<int>(f), Site());
            }
        }
    }

    /// Throws CompileError if the library refuses.
    void apply(const Directive &d);

  private:
    const Genome &genome_;
    Program &program_;
    SiteModel sites_;
    int fresh_ = 0;

    // The subject of the current directive.
    int node_ = 0;
    Func func_;
    std::string name_, on_; // C++ text of the Func and of the stage
    std::vector<schedule::LoopDim> loops_;
    int rank_ = 0;

    // How many copies of a stage's body are made by unrolling and lanes, a bound on code size.
    std::map<std::pair<int, int>, int> copies_;
    static constexpr int most_copies = 64;
    // How many copies of a node are made by the unrolled loops around it; nested loops multiply.
    std::map<int, int64_t> copies_around_;
    static constexpr int64_t most_nested_copies = 256;
    int64_t nested_copies(int node) const;
    std::set<int> bounded_;                       // outputs whose size is promised
    std::set<const language::Function *> shares_; // Funcs that share loops
    std::map<int, std::string> wrapper_text_;     // by node

    void note(const std::string &text) { program_.schedule_text.push_back(text); }

    /// Selects the subject of a directive; false if the Func or stage does not exist.
    bool select(const Directive &d);
    std::string node_name(int node);
    Stage stage(const Directive &d) { return d.stage == 0 ? Stage(func_.function(), 0) : func_.update(d.stage - 1); }
    static VarOrRVar var(const std::string &name) { return {name, false}; }
    std::string dimension(int i) { return func_.args()[static_cast<size_t>(i % rank_)].name(); }
    bool is_output(const language::Function &function) const;
    bool is_output() const { return is_output(*func_.function()); }
    const OutputGene *output_of(const Directive &d) const;

    // ---- Loops.

    /// A loop that is not marked yet and, if its iterations are to run concurrently, whose iterations are independent.
    std::string loop(const Directive &d, int draw, bool at_once = false);
    /// Whether splitting the loop could write an output beyond its bounds, whatever its size: the region of a loop
    /// inside a split, or of a fused loop, cannot grow.
    bool overhangs(const Directive &d, const std::string &loop, int factor);
    TailStrategy tail(const Directive &d, const std::string &loop, int factor);
    static std::string text(TailStrategy tail) { return std::string("TailStrategy::") + schedule::tail_word(tail); }
    bool commutes(const Directive &d) { return schedule::commutes(func_.function()->stage_ref(d.stage, {})); }
    void apply_to_loop(const Directive &d);
    void partition_all(const Directive &d);
    void update_atomically(const Directive &d);
    void split(const Directive &d, const std::string &old, const std::string &outer, const std::string &inner,
               int factor);
    void fuse(const Directive &d, const std::string &inner, const std::string &fresh);
    void skew(const Directive &d, const std::string &old, const std::string &by, const std::string &fresh);
    /// Reorders two or more loops; loops over dependent RVars keep their order unless the directive is wild.
    void reorder(const Directive &d);
    void tile(const Directive &d, const std::string &a, const std::string &b, const std::string &v,
              const std::string &w);

    // ---- Placement, and Funcs that directives make.

    static std::string outermost(const Site &site) { return site.loop.empty() ? "__outermost" : site.loop; }
    LoopLevel level(const Site &site);
    std::string text(const Site &site);
    void place(const Directive &d);
    void place_wild(const Directive &d, bool store);
    void wrap(const Directive &d);
    void rfactor(const Directive &d);

    // ---- Several loop nests from one.

    /// Fuses with a Func at the same site that has an outer loop of the same name; each Func is fused once, so that
    /// orders do not conflict.
    void compute_with(const Directive &d);
    void specialize(const Directive &d);
    std::pair<Expr, std::string> condition(const Directive &d);

    // ---- Memory.

    void lay_out(const Directive &d);
    /// A heuristic: registers need small constant sizes, as the footprint of a consumer's innermost loop has.
    bool has_few_values() const;
    /// Small circular buffers are either refused as too small, or correct.
    void fold(const Directive &d);
    void hoist(const Directive &d);
    /// Applies to hoisted memory; the library decides whether there is a loop between the two sites.
    void use_in_turn(const Directive &d);
    void prefetch(const Directive &d);
    /// The inputs that the stage itself reads.
    std::vector<int> inputs_of(const Directive &d) const;
    void stream(const Directive &d);

    // ---- Promises.

    void promise(const Directive &d);
    void bound(const Directive &d, const std::string &var_name);

    // ---- When a Func is computed.

    void compute_when(const Directive &d);
    /// Whether it is computed at root, or at a level of consumers without vectorized loops.
    bool is_outside_of_lanes(const Directive &d) const;
    /// Each copy of code that starts a task is a separate function.
    bool has_few_copies() const;
    bool is_stored_whole(const Directive &d) const;
    /// Whether everything it reads is computed at root, inlined from there, or inside the Func; or whether it is stored
    /// where it is computed, so that there is one iteration.
    bool reads_no_siblings() const;
};

} // namespace fluorite::fuzz
