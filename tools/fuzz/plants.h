#pragma once
// Faults on request, to see that they would be found.

#include "ir/stmt.h"
#include "loopnest/fault.h"
#include "run.h"

#include <string>
#include <vector>

namespace fluorite::fuzz {

/// Faults to plant in the machine code, to see that they are found: "mod" (C remainder in place of Euclidean), "loop"
/// (the last iteration of every serial loop of more than four is lost), "max" (max takes its first operand in vectors),
/// "wait" (tasks do not wait for each other); "sliding", "fold", "halo" and "region" are made by the passes themselves
/// (loopnest/fault.h), and so is "binder", which no value shows, but the verifier. "refusal" gives refusals slugs that
/// nobody listed.
struct Plant {
    const char *name;
    int first; // of seed 1: from this case on,
    int cases; // it is found within so many
    int nodes; // and shrunk to so many; 0: the campaign complains; unshrunk: the case is large, and shrinking takes its time
    Outcome::Kind kind = Outcome::Kind::Mismatch;
};
constexpr int unshrunk = -1;
/// Where the generator changes, `--plant NAME --seed 1 --no-shrink` says where each is found now.
const std::vector<Plant> &plants();

/// The fault of this name that a pass makes itself.
loopnest::Fault fault_of(const std::string &plant);
/// The statement with the fault of this name, where it is one of machine code.
ir::Stmt with_fault(const ir::Stmt &stmt, const std::string &plant);

} // namespace fluorite::fuzz
