#pragma once
// Certificates that a schedule keeps a pipeline's meaning, for the proved checker: docs/verify.md.

#include "fluorite/require_cxx20.h"

#include "fluorite/pipeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite {

struct CertifyOptions {
    /// Extents of the output, innermost dimension first; those that are missing stay symbolic, and the certificate
    /// holds for all sizes of at least one (and of at least a piece, where pieces move inwards).
    std::vector<int64_t> extents = {};
    /// Whether to return the program before and after each step.
    bool keep_programs = false;
};

/// What certify() found.
struct ScheduleCertificate {
    /// The certificate, as docs/certificates.md describes it; empty if there is none. Nothing vouches for it but the
    /// checker: `fluorite_check FILE`.
    std::string text;
    /// Why there is no certificate; empty if there is one.
    std::string reason;
    /// Whether the certificate shows that the scheduled program reads in bounds; if not, which read it could not show.
    bool reads_in_bounds = false;
    std::string unproved_read;

    /// Each directive of the schedule. Those that are not covered have a reason; the certificate then is about the
    /// schedule without them.
    struct Directive {
        std::string func, directive, reason;
        bool covered() const { return reason.empty(); }
    };
    std::vector<Directive> directives;
    size_t steps = 0;                  // of the derivation
    std::vector<std::string> programs; // with keep_programs

    bool defined() const { return !text.empty(); }
};

/// The certificate for the pipeline's current schedule: that the loops which its directives ask for compute what the
/// definitions say, at all sizes. Pipelines that it cannot express, as those with several outputs, give a reason
/// instead; none is an error. Costs a few milliseconds a stage. After: A. Liu, G. L. Bernstein, A. Chlipala, J.
/// Ragan-Kelley, "Verified Tensor-Program Optimization Via High-Level Scheduling Rewrites", POPL 2022.
ScheduleCertificate certify(const Pipeline &pipeline, const CertifyOptions &options = {});
ScheduleCertificate certify(const Func &output, const CertifyOptions &options = {});

} // namespace fluorite
