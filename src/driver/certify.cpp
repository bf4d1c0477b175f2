// certify(): freezes the pipeline and hands it to src/verify.

#include "fluorite/certify.h"

#include "language/freeze.h"
#include "support/large_stack.h"
#include "verify/certify.h"

namespace fluorite {

ScheduleCertificate certify(const Pipeline &pipeline, const CertifyOptions &options) {
    ScheduleCertificate result;
    on_large_stack([&] {
        const schedule::ScheduledGraph frozen = language::freeze(pipeline.outputs());
        verify::Certified found = verify::certify(frozen, {options.extents, options.keep_programs});
        result.text = std::move(found.text);
        result.reason = std::move(found.reason);
        result.reads_in_bounds = found.reads;
        result.unproved_read = std::move(found.no_reads);
        result.steps = found.steps;
        result.programs = std::move(found.programs);
        for (verify::Coverage &coverage : found.directives) {
            result.directives.push_back({coverage.func, coverage.directive, coverage.reason});
        }
    });
    return result;
}

ScheduleCertificate certify(const Func &output, const CertifyOptions &options) {
    return certify(Pipeline(output), options);
}

} // namespace fluorite
