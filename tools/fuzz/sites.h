#pragma once
// Where Funcs may legally be computed and stored: the fuzzer's own model, independent of the library, so that the
// library's refusals can be checked.

#include "build.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// A site inside a loop of a stage; an empty loop: inside the stage but outside its loops; node < 0: root; stage < 0:
/// inside every stage that uses the Func placed there.
struct Site {
    int node = -1, stage = 0;
    std::string loop;
    bool is_parallel = false, is_vectorized = false;
    bool is_root() const { return node < 0; }
    bool operator==(const Site &other) const {
        return node == other.node && stage == other.stage && loop == other.loop;
    }
};

/// Nodes of the call graph: the program's Funcs, then wrappers.
class SiteModel {
  public:
    SiteModel(const Genome &genome, const Program &program);

    /// Adds a node between a Func and the given consumers (empty: all); returns it.
    int add_wrapper(int func, const std::vector<int> &consumers, const Func &wrapper);
    /// Adds a node that computes the same for one consumer; returns it.
    int add_clone(int func, int consumer, const Func &clone);
    /// Whether a Func calls another directly, outside inline reductions.
    bool calls(int consumer, int func) const;
    /// Adds a node that computes partial results of a stage, which the stage then combines; returns it.
    int add_partial(int func, int stage, const Func &partial);
    /// The wrapper, or partial result, number `wrapper` (modulo their number) of a Func; -1 if there is none.
    int node_of_wrapper(int func, int wrapper) const;

    void place_inline(int node) { computed_[static_cast<size_t>(node)].clear(); }
    void place(int node, const Site &site) { computed_[static_cast<size_t>(node)] = {site}; }
    void store(int node, const Site &site) { stored_[node] = site; }
    bool is_placed(int node) const { return !computed_[static_cast<size_t>(node)].empty(); }

    /// The sites around every use of the node, from root inward.
    std::vector<Site> compute_sites(int node) const;
    /// The loops of several stages of one Func, if only these use the node: it may be computed in each of them.
    std::vector<Site> stage_sites(int node) const;
    /// The sites where the node may be stored, given where it is computed.
    std::vector<Site> store_sites(int node) const;
    /// The sites where its memory may be allocated, given where it is stored.
    std::vector<Site> hoist_sites(int node) const;
    /// The nodes that a stage calls and whose values are stored outside one of its loops.
    std::vector<int> stored_outside(int node, int stage, const std::string &loop) const;

    const Func &func(int node) const { return funcs_[static_cast<size_t>(node)]; }

  private:
    struct Call {
        int node = 0, stage = 0, callee = 0, original = 0;
        bool in_helper = false; // inside an inline reduction, which a wrapper for the consumer does not affect
    };
    std::vector<Func> funcs_;
    std::vector<Call> calls_;
    std::vector<std::vector<Site>> computed_; // empty: inlined
    std::map<int, Site> stored_;              // only where it differs from the compute site
    std::vector<std::vector<int>> wrappers_;

    std::vector<Site> path(int node, int stage) const;
};

} // namespace fluorite::fuzz
