#pragma once
// Bindings of Funcs: a window that is bound inside of a loop, as large as what the loop's iteration reads, and the
// inlining of bindings that nobody needs any more.
//
//     let f = (gen x. a) in .. gen xo. e with f[xo*8 + i]
//     -->  let f = (gen x. a) in .. gen xo. let w = (gen i < 8. f[xo*8 + i]) in e with w[i]
//     -->  .. gen xo. let w = (gen i < 8. a with xo*8 + i for x) in e with w[i]

#include "verify/from_graph/convert.h"
#include "verify/rewrite/rewriter.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

/// Binds what the reads of the tensor below the site need as `window`, and gives its region, after `widen` at the place
/// where it is bound; nothing, and the reason, where there are no bounds or no witnesses. Throws Unsupported.
std::optional<std::vector<Interval>>
bind_window(Derivation &derivation, Path site, const Tensor &tensor, const std::string &window,
            const std::function<void(const Path &, std::vector<Interval> &)> &widen, std::string &reason);

/// Why a binding is not inlined because the program would become too large; empty if it may be.
std::string why_not_inlined(const Derivation &derivation, const Path &binding, const std::string &name);

/// The binding disappears; accesses of its loops become elements, behind a guard where they may leave them. Throws
/// Unsupported where a name would be captured, and beyond the limits of windows.cpp.
void inline_binding(Derivation &derivation, const Path &binding, const std::string &name);

} // namespace fluorite::verify
