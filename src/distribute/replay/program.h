#pragma once
// Distributed programs as a list of phases: what ranks exchange and then compute. A compiled pipeline has such a list,
// and so has a description made by hand.

#include "distribute/halo_plan.h"

namespace fluorite::distribute {

/// Points that every rank computes: its slice of a layout, grown by some coordinates on each side (what deep halos and
/// recomputation add), within the domain where that is not periodic.
struct Computation {
    Layout layout;
    std::vector<int64_t> grown; // by dimension; empty: by nothing
    double cost = 1;            // of one point, relative to the model's point

    Box region(int64_t rank) const;
    int64_t points(int64_t rank) const { return volume(region(rank)); }
};

/// An exchange, then what is computed from it.
struct Phase {
    std::string name;
    ExchangePoint exchange; // without flows, nothing is exchanged
    std::vector<Computation> computations;
    bool overlaps = false; // the part of the first computation that needs nothing of others runs during the exchange
};

struct Program {
    std::string name;
    int64_t ranks = 1;
    std::vector<Phase> phases;
    int64_t rounds = 1;          // the phases are run this many times, one round after the other
    std::vector<Phase> epilogue; // then these, once

    /// Throws RuntimeError [bad-replay] where a phase does not fit the program.
    void validate() const;
};

/// Points of the phase's first computation that a rank can compute before the exchange: those whose needs it has, by
/// every flow whose consumer is the computation's layout.
int64_t interior_points(const Phase &phase, int64_t rank);

/// k sweeps of a stencil of this radius for each exchange: the halo is k times as deep, and sweep j recomputes
/// (k - j) * radius points of the neighbours on each side. `cost` is that of one point of one sweep.
Phase deep_halo_phase(const std::string &name, const Layout &layout, const std::vector<int64_t> &radius, int64_t sweeps,
                      int64_t bytes, double cost);

/// Points that are computed by more than one rank, counted once for each rank beyond the first: what is computed minus
/// the sizes of the domains.
int64_t redundant_points(const Phase &phase);

} // namespace fluorite::distribute
