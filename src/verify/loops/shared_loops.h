#pragma once
// The groups of Funcs that share loops (`compute_with`): which bindings of the term they are, and what the certificate
// says of each group. A group without windows that slide is brought together (fused_bindings.h); one with them stays
// where its bindings are, and its windows have their rows computed while nests of the loop, or other windows of it,
// run.

#include "verify/certificate.h"
#include "verify/certify.h"
#include "verify/loops/slides.h"
#include "verify/loops/stage_loops.h"
#include "verify/rewrite/rewriter.h"

#include <map>
#include <string>
#include <vector>

namespace fluorite::verify {

class SharedLoops {
  public:
    SharedLoops(const ir::Graph &graph, const schedule::Schedule &schedule, const Conversion &conversion,
                const FuncLoops &loops)
        : graph_(graph), schedule_(schedule), conversion_(conversion), loops_(loops) {}

    /// Brings the bindings together whose Funcs share loops. `windows` are those of Funcs that are computed inside of
    /// loops, `slides` those whose rows a loop adds.
    void bring_together(Derivation &derivation, const std::map<size_t, std::vector<std::string>> &windows,
                        const std::vector<SlideRequest> &slides, Certified &result);
    /// The sections of the certificate, and what became of each directive.
    void note_fused_bindings(const std::vector<StorePlan> &stores, CertificateParts &parts, Certified &result);
    void note_fused_windows(const std::vector<StorePlan> &stores, const std::vector<SlideResult> &slides,
                            CertificateParts &parts, Certified &result) const;
    /// The certificate says of no group that it shares loops.
    void note_none(const std::string &reason, Certified &result) const;
    /// Those of which it says so; windows that slide are none of them.
    const std::vector<FusedBindings> &fused_bindings() const { return fused_bindings_; }

  private:
    void note_group(const std::vector<std::string> &tensors, const std::string &reason, Certified &result) const;
    std::string reason_against(const FusedWindows &group, const std::vector<SlideResult> &slides,
                               size_t &sliding) const;

    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    const Conversion &conversion_;
    const FuncLoops &loops_;
    std::vector<FusedBindings> fused_bindings_;
    std::vector<FusedWindows> fused_windows_;
};

} // namespace fluorite::verify
