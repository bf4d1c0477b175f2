#pragma once
// A certificate's target as machine code, and what its runs check.

#include "driver/compiled.h"
#include "fluorite/certify.h"
#include "verify/terms/evaluate.h"

#include <memory>
#include <string>

namespace fluorite {

struct CertifiedPipeline::Contents {
    ScheduleCertificate certificate;
    schedule::ScheduledGraph frozen;
    verify::ScheduledTerm term;
    std::shared_ptr<const driver::CompiledPipeline> code;
    std::string loops;
};

namespace driver {

/// Throws CompileError [no-outputs] for a Pipeline that was constructed without outputs.
const PipelineContents &contents_of(const Pipeline &pipeline, const Location &location);
/// Throws CompileError [certify-option] for extents that the output cannot have.
void check_extents(const ir::Graph &graph, const std::vector<int64_t> &extents, const Location &location);

/// Throws CompileError [no-certificate, certify-option, certificate-rejected, certificate-not-checked].
std::shared_ptr<const CertifiedPipeline::Contents>
make_certified(const Pipeline &pipeline, const CertifyOptions &options, const Target &target, const Location &location);

/// The arguments of its code, in their order: what is bound to the inputs and parameters, and the outputs, one buffer
/// for each value of each.
std::vector<void *> bound_arguments(const CertifiedPipeline::Contents &pipeline,
                                    const std::vector<fluorite_buffer_t *> &outputs, const Location &location);

/// Of the arguments of its code, those of an output: of each output the buffer of its first value.
std::vector<const fluorite_buffer_t *> output_arguments(const CertifiedPipeline::Contents &pipeline,
                                                        const std::vector<void *> &args);

/// The integer that an expression of parameters and of fields of buffers is; of other arguments than those there may be
/// none yet.
int64_t value_of(const CompiledPipeline &code, const std::vector<void *> &args, const Expr &expr);

/// The values of the index names of its term for such arguments.
verify::Values index_values(const CertifiedPipeline::Contents &pipeline, const std::vector<void *> &args);

/// The first fact of the certificate that is false for these values; nothing if all hold.
std::optional<verify::Condition> false_fact(const CertifiedPipeline::Contents &pipeline, const verify::Values &values);

/// Runs with such arguments, after the checks. Throws RuntimeError.
void run(const CertifiedPipeline::Contents &pipeline, const std::vector<void *> &args, const Location &location);

} // namespace driver
} // namespace fluorite
