#pragma once
// The parts of the emitter that access memory, as one: what functions of the host and kernels have in common.

#include "backends/llvm/emit/memory/loads.h"
#include "backends/llvm/emit/memory/stores.h"

namespace fluorite::backends {

class Accesses {
  public:
    /// `checks` is null where accesses are not checked.
    Accesses(const ModuleContext &m, FunctionFrame &frame, ValueCache &values, Buffers &buffers,
             Expressions &expressions, AccessChecks *checks)
        : addresses_(m, values, buffers, expressions), lanes_(m, frame, buffers), prefixes_(m, frame, buffers),
          spans_(m, frame, buffers, lanes_), gathers_(m, frame, values, buffers, lanes_),
          loads_(m, expressions, {frame, values, buffers, addresses_, lanes_, prefixes_, spans_, gathers_, checks}),
          stores_(m, expressions, {frame, values, buffers, addresses_, lanes_, prefixes_, checks}) {}
    Accesses(const Accesses &) = delete;

    Addresses &addresses() { return addresses_; }
    Loads &loads() { return loads_; }
    Stores &stores() { return stores_; }

  private:
    Addresses addresses_;
    LaneAccesses lanes_;
    PrefixAccesses prefixes_;
    LaneSpans spans_;
    Gathers gathers_;
    Loads loads_;
    Stores stores_;
};

} // namespace fluorite::backends
