#pragma once
// Certificates that a schedule keeps a pipeline's meaning, for the proved checker: docs/verify.md.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/pipeline.h"
#include "fluorite/realization.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fluorite {

/// Whether the proved checker, the program `fluorite_check`, is asked about a certificate.
enum class CertificateCheck : uint8_t {
    Never,
    IfPossible, // where the program is there, and its result says why not where it is not
    Required,   // throws CompileError [certificate-not-checked] where it cannot be asked
};

/// What the checker says of a certificate.
struct CertificateVerdict {
    enum class Kind : uint8_t { NotChecked, Accepted, Rejected };
    Kind kind = Kind::NotChecked;
    /// Accepted: what holds, and under which laws. Rejected: line, column and reason. NotChecked: why.
    std::string text;
    bool checked() const { return kind != Kind::NotChecked; }
    bool accepted() const { return kind == Kind::Accepted; }
};

struct CheckOptions {
    /// The path of the program. Empty: what FLUORITE_CHECK names, or else `fluorite_check` where the library was built
    /// or installed.
    std::string program;
    int seconds = 60; // that it may take
};

/// Asks the checker, a process of its own, about the text of a certificate. Whatever prevents it (the program is not
/// there, as where the library was built without OCaml) is the text of the verdict. Costs 1 to 40 ms for most.
CertificateVerdict check_certificate(const std::string &text, const CheckOptions &options = {});

struct CertifyOptions {
    /// Extents of each output, innermost dimension first; those that are missing stay symbolic, and the certificate
    /// holds for all sizes of at least one (of at least a piece, where pieces move inwards, and of multiples, where
    /// those of the output are rounded up). Throws CompileError [certify-option] for more extents than dimensions, and
    /// for one below 1 or beyond an int32.
    std::vector<int64_t> extents = {};
    /// Whether to return the program before and after each step.
    bool keep_programs = false;
    /// Whether the checker is asked; its answer is ScheduleCertificate::verdict.
    CertificateCheck check = CertificateCheck::IfPossible;
    CheckOptions checker = {};
};

/// What certify() found.
struct ScheduleCertificate {
    /// The certificate, as docs/certificates.md describes it; empty if there is none. Nothing vouches for it but the
    /// checker, whose verdict follows; `fluorite_check FILE` asks it again.
    std::string text;
    CertificateVerdict verdict;
    /// Why there is no certificate; empty if there is one.
    std::string reason;
    /// Whether the certificate shows that the scheduled program reads in bounds; if not, which read it could not show.
    bool reads_in_bounds = false;
    std::string unproved_read;
    /// Whether it says where each iteration stores: every element of a tensor is stored once, by the iteration that the
    /// term says, in whatever order the iterations run; if not, why.
    bool stores_once = false;
    std::string unproved_store;
    /// Store guards that lowering keeps because no proof removes them: `loop: condition`. Iterations that compute again
    /// what another one stores do not store.
    std::vector<std::string> store_guards;

    /// Operators, each with the types of its operands (`add.uint16`), that loops of reductions in another order, or as
    /// vectors, take for associative and commutative. With none of them, the certificate holds for every arithmetic,
    /// bit for bit.
    std::vector<std::string> reordered_operators;
    /// Whether one of them is so up to rounding only, as sums of floats are. If not, the scheduled program gives the
    /// bits of the definitions: sums of integers, minima and maxima of them may be taken in any order.
    bool reassociates = false;

    /// Each directive of the schedule, with what became of it: it is a part of the certificate; or values cannot depend
    /// on it, for which `means_nothing` has the reason; or it is not covered, for which `reason` has one, and the
    /// certificate is about the schedule without it. `loops` stands for all directives on the loops of a stage.
    struct Directive {
        std::string func, directive, reason;
        std::string means_nothing = "";
        /// Whether it is a part of the certificate, or values cannot depend on it.
        bool covered() const { return reason.empty(); }
    };
    std::vector<Directive> directives;
    size_t steps = 0;                  // of the derivation
    std::vector<std::string> programs; // with keep_programs

    /// Whether there is a certificate.
    bool defined() const { return !text.empty(); }
};

/// The certificate for the pipeline's current schedule: that the loops which its directives ask for compute what the
/// definitions say, at all sizes. Pipelines that it cannot express, as those that print or iterate, give a reason
/// instead; none is an error. A certificate that the checker rejects is returned with this verdict. Costs a few
/// milliseconds a stage, and the checker. After: A. Liu, G. L. Bernstein, A. Chlipala, J.
/// Ragan-Kelley, "Verified Tensor-Program Optimization Via High-Level Scheduling Rewrites", POPL 2022.
ScheduleCertificate certify(const Pipeline &pipeline, const CertifyOptions &options = {},
                            const Location &location = Location::current());
ScheduleCertificate certify(const Func &output, const CertifyOptions &options = {},
                            const Location &location = Location::current());

/// The loops that a certificate is about, as machine code: its target is lowered to loop IR, by a way of its own that
/// looks at no schedule, and goes through the same passes and the same back end as everything else. A guard of a store
/// is left out only where the certificate proves that it always holds.
///
///     CertifiedPipeline blur = compile_certified(down);
///     blur.realize(output); // reads the buffers that the ImageParams are bound to
class CertifiedPipeline {
  public:
    CertifiedPipeline() = default;
    /// Whether compile_certified() made it; everything else throws RuntimeError [no-certificate] where it did not.
    bool defined() const { return static_cast<bool>(contents_); }
    /// The certificate whose loops these are, with the verdict of the checker.
    const ScheduleCertificate &certificate(const Location &location = Location::current()) const;
    /// The loops before any pass, as loop IR.
    const std::string &loops(const Location &location = Location::current()) const;

    /// Computes the whole buffers, whose mins are 0. Throws RuntimeError: [certificate-fact] where the sizes are not
    /// what the certificate assumes, and as a run of a Pipeline does for arguments that do not fit.
    /// One buffer for each value of each output.
    void realize(const RealizationArg &outputs, const Location &location = Location::current()) const;
    /// Of these sizes, whatever the output.
    Realization realize(const std::vector<int32_t> &sizes, const Location &location = Location::current()) const;

    struct Contents;
    /// Of contents that the library has made.
    explicit CertifiedPipeline(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  private:
    std::shared_ptr<const Contents> contents_;

    /// Throws RuntimeError [no-certificate].
    const Contents &needed(const Location &location) const;
};

struct ValidateOptions {
    std::vector<int64_t> extents = {}; // as of CertifyOptions
    int runs = 4;                      // at random sizes that the certificate allows; 1 or more
    uint64_t seed = 1;                 // of sizes and inputs
    int64_t largest = 40;              // size of an output, unless `extents` gives it; 1 to 65536
};

/// What comparing a pipeline's loops with its certificate has found.
struct ScheduleValidation {
    int runs = 0;
    size_t stores = 0; // that were compared
    /// What differs, in words, with the sizes: values of the output, and the points of each Func that are stored.
    std::vector<std::string> differences;
    /// Points of Funcs other than the output that the pipeline stores and the certificate does not: time, no mistake. A
    /// directive that is not covered does that (regions that are rounded up), and regions that are larger than needed.
    std::vector<std::string> beyond;
    bool passed() const { return differences.empty() && runs > 0; }
};

/// Compares what the loops that lowering makes for the schedule compute and store with what the certificate's target
/// says, at random sizes and on random inputs: the values of the output with those of the target (compile_certified),
/// and for each Func the set of the points that are stored. This is a test of the lowering of this one program, as no
/// proof speaks of it; a wrong tail, a halo that is too small, a truncated loop show. Parameters that are set keep
/// their values, others and all inputs get random ones. Runs the pipeline with traces, hence slowly. Errors as
/// compile_certified.
ScheduleValidation validate_schedule(const Pipeline &pipeline, const ValidateOptions &options = {},
                                     const Target &target = {}, const Location &location = Location::current());
ScheduleValidation validate_schedule(const Func &output, const ValidateOptions &options = {}, const Target &target = {},
                                     const Location &location = Location::current());

/// Certifies the current schedule and compiles what the certificate says; the pipeline's later edits do not count.
/// Throws CompileError [no-certificate] where there is none, or one that does not say where iterations read and store,
/// and [certificate-rejected] where the checker rejects it. Without the checker, the code is that of a certificate
/// nobody has checked, which `certificate().verdict` says, unless the options require it.
/// Directives without a certificate (ScheduleCertificate::directives) have no effect. An empty target means that of the
/// environment. Errors as compile_jit.
CertifiedPipeline compile_certified(const Pipeline &pipeline, const CertifyOptions &options = {},
                                    const Target &target = {}, const Location &location = Location::current());
CertifiedPipeline compile_certified(const Func &output, const CertifyOptions &options = {}, const Target &target = {},
                                    const Location &location = Location::current());

} // namespace fluorite
