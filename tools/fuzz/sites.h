#pragma once
// Where Funcs may legally be computed and stored: the fuzzer's own model, so that what the library refuses can be
// judged.

#include "build.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// Inside a loop of a stage; an empty loop: inside the stage, outside of its loops; node < 0: root. stage < 0: of every
/// stage that uses what is placed there.
struct Site {
    int node = -1, stage = 0;
    std::string loop;
    bool is_parallel = false, is_vectorized = false;
    bool is_root() const { return node < 0; }
    bool operator==(const Site &other) const {
        return node == other.node && stage == other.stage && loop == other.loop;
    }
};

/// Funcs of the program, then wrappers, as nodes of the graph of calls.
class SiteModel {
  public:
    SiteModel(const Genome &genome, const Program &program);

    /// Puts a node of its own between a Func and the given consumers (empty: all); returns it.
    int add_wrapper(int func, const std::vector<int> &consumers, const Func &wrapper);
    /// Lets a consumer call a node of its own that computes the same; returns it.
    int add_clone(int func, int consumer, const Func &clone);
    /// Whether a Func calls another itself, not in an inline reduction.
    bool calls(int consumer, int func) const;
    /// Lets a node of its own compute what a stage of a Func computed, for the stage to combine; returns it.
    int add_partial(int func, int stage, const Func &partial);
    /// The wrapper, or partial result, number `wrapper` (modulo how many there are) of a Func; -1 where there is none.
    int node_of_wrapper(int func, int wrapper) const;

    void place_inline(int node) { computed_[static_cast<size_t>(node)].clear(); }
    void place(int node, const Site &site) { computed_[static_cast<size_t>(node)] = {site}; }
    void store(int node, const Site &site) { stored_[node] = site; }
    bool is_placed(int node) const { return !computed_[static_cast<size_t>(node)].empty(); }

    /// The sites around every use of the node, from root inward.
    std::vector<Site> compute_sites(int node) const;
    /// The loops of several stages of one Func, where only these use the node: it may be computed in each of them.
    std::vector<Site> stage_sites(int node) const;
    /// Of the sites of the node, those where it may be stored when it is computed where it is placed.
    std::vector<Site> store_sites(int node) const;
    /// Where its memory may be taken when it is stored where it is.
    std::vector<Site> hoist_sites(int node) const;
    /// The nodes that a stage calls whose values lie outside of one of its loops.
    std::vector<int> stored_outside(int node, int stage, const std::string &loop) const;

    const Func &func(int node) const { return funcs_[static_cast<size_t>(node)]; }

  private:
    struct Call {
        int node = 0, stage = 0, callee = 0, original = 0;
        bool in_helper = false; // inside of an inline reduction, which a wrapper for the consumer does not see
    };
    std::vector<Func> funcs_;
    std::vector<Call> calls_;
    std::vector<std::vector<Site>> computed_; // none: inlined
    std::map<int, Site> stored_;              // where that is not where it is computed
    std::vector<std::vector<int>> wrappers_;

    std::vector<Site> path(int node, int stage) const;
};

} // namespace fluorite::fuzz
