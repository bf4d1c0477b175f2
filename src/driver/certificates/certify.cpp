// certify() and compile_certified(): freeze the pipeline and hand it to src/verify; what that makes of it is run here.
//
// The code of a CertifiedPipeline checks nothing itself. What it relies on is checked before each run: the facts of the
// certificate at these sizes, the regions of the inputs that the certificate states, types, ranks, promised layouts.

#include "driver/asked_target.h"
#include "driver/certificates/certified.h"
#include "driver/certificates/check_certificate.h"

#include "fluorite/certify.h"
#include "fluorite/schedule.h"
#include "ir/bound_arguments.h"
#include "language/freeze.h"
#include "lowering/lower.h"
#include "support/check.h"
#include "support/large_stack.h"
#include "support/place.h"
#include "verify/remaining.h"
#include "verify/to_loop_ir/lower_term.h"

#include <sstream>

namespace fluorite {

namespace {

ScheduleCertificate to_public(const verify::Certified &found) {
    ScheduleCertificate result;
    result.text = found.text;
    result.reason = found.reason;
    result.reads_in_bounds = found.reads;
    result.unproved_read = found.no_reads;
    result.stores_once = found.no_stores.empty() && found.reason.empty();
    result.unproved_store = found.no_stores;
    result.reordered_operators.assign(found.reordered.begin(), found.reordered.end());
    result.reassociates = found.reassociates;
    result.steps = found.steps;
    result.programs = found.programs;
    for (const verify::Coverage &coverage : found.directives) {
        result.directives.push_back({coverage.func, coverage.directive, coverage.reason, coverage.means_nothing});
    }
    for (const verify::StorePlan &store : found.target ? found.target->stores : std::vector<verify::StorePlan>()) {
        if (!store.unproved.is_true()) {
            result.store_guards.push_back(to_text(store.unproved));
        }
    }
    return result;
}

} // namespace

ScheduleCertificate certify(const Pipeline &pipeline, const CertifyOptions &options, const Location &location) {
    ScheduleCertificate result;
    std::string name;
    (void)driver::contents_of(pipeline, location);
    on_large_stack([&] {
        const schedule::ScheduledGraph frozen = language::freeze(*pipeline.contents());
        driver::check_extents(frozen.graph, options.extents, location);
        verify::Certified found = verify::certify(frozen, {options.extents, options.keep_programs});
        verify::note_remaining(pipeline.schedule(location).directives(), frozen.graph, found);
        result = to_public(found);
        name = frozen.graph.func(frozen.graph.outputs[0]).name();
    });
    driver::set_verdict(result, options, name, location);
    return result;
}

ScheduleCertificate certify(const Func &output, const CertifyOptions &options, const Location &location) {
    return certify(Pipeline(output, location), options, location);
}

const CertifiedPipeline::Contents &CertifiedPipeline::needed(const Location &location) const {
    if (!contents_) {
        throw RuntimeError("no-certificate",
                           "in a CertifiedPipeline: it is empty; only compile_certified makes one that is not; call it",
                           location);
    }
    return *contents_;
}

const ScheduleCertificate &CertifiedPipeline::certificate(const Location &location) const {
    return needed(location).certificate;
}
const std::string &CertifiedPipeline::loops(const Location &location) const { return needed(location).loops; }

void CertifiedPipeline::realize(const RealizationArg &outputs, const Location &location) const {
    const std::vector<driver::OutputValue> &written = needed(location).code->outputs;
    const std::vector<fluorite_buffer_t *> buffers = outputs.raw_buffers(location);
    ir::check_output_count(written[0].name, buffers.size(), written.size(), location);
    driver::run(*contents_, driver::bound_arguments(*contents_, buffers, location), location);
}

Realization CertifiedPipeline::realize(const std::vector<int32_t> &sizes, const Location &location) const {
    std::vector<Buffer<>> outputs;
    for (const driver::OutputValue &value : needed(location).code->outputs) {
        driver::check_rank(value, sizes, "realize", location);
        outputs.push_back(driver::dense_buffer(value, sizes, {}, location));
    }
    realize(Realization(outputs), location);
    return Realization(outputs);
}

CertifiedPipeline compile_certified(const Pipeline &pipeline, const CertifyOptions &options, const Target &target,
                                    const Location &location) {
    const Target wanted = driver::asked_target(target, location);
    return with_place(location,
                      [&] { return CertifiedPipeline(driver::make_certified(pipeline, options, wanted, location)); });
}

CertifiedPipeline compile_certified(const Func &output, const CertifyOptions &options, const Target &target,
                                    const Location &location) {
    return compile_certified(Pipeline(output, location), options, target, location);
}

namespace driver {

const PipelineContents &contents_of(const Pipeline &pipeline, const Location &location) {
    if (!pipeline.defined()) {
        throw CompileError("no-outputs", "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs",
                           location);
    }
    return *pipeline.contents();
}

void check_extents(const ir::Graph &graph, const std::vector<int64_t> &extents, const Location &location) {
    size_t most = 0; // of several outputs, those with fewer dimensions have the first ones
    for (const FuncId id : graph.outputs) {
        most = std::max(most, graph.func(id).dimensions());
    }
    const ir::FuncDef &output = graph.func(graph.outputs[0]);
    if (extents.size() > most) {
        throw CompileError("certify-option",
                           concat("in ", output.name(), ": ", extents.size(),
                                  " extents are given for a certificate, and "
                                  "it has ",
                                  most,
                                  " dimensions; extents begin at the innermost dimension, and missing ones stay "
                                  "symbolic; give one for each dimension at most"),
                           location);
    }
    for (const int64_t extent : extents) {
        if (extent < 1 || extent > std::numeric_limits<int32_t>::max()) {
            throw CompileError("certify-option",
                               concat("in ", output.name(), ": the extent ", extent,
                                      " is given for a certificate; regions have 1 to 2147483647 points along a "
                                      "dimension; give such an extent"),
                               location);
        }
    }
}

std::shared_ptr<const CertifiedPipeline::Contents> make_certified(const Pipeline &pipeline,
                                                                  const CertifyOptions &options, const Target &target,
                                                                  const Location &location) {
    const schedule::ScheduledGraph frozen = freeze_for(contents_of(pipeline, location), target);
    check_extents(frozen.graph, options.extents, location);
    auto made = std::make_shared<CertifiedPipeline::Contents>();
    // What a certificate is about where directives have changed definitions, as rfactor does.
    made->frozen = frozen.rewritten ? schedule::ScheduledGraph(*frozen.rewritten) : frozen;
    const std::string name = made->frozen.graph.func(made->frozen.graph.outputs[0]).name();
    verify::Certified found;
    ir::Stmt loops;
    on_large_stack([&] {
        found = verify::certify(frozen, {options.extents, options.keep_programs});
        verify::note_remaining(pipeline.schedule(location).directives(), frozen.graph, found);
        std::string reason = !found.reason.empty()     ? found.reason
                             : !found.no_reads.empty() ? found.no_reads
                                                       : found.no_stores;
        try {
            if (found.target) {
                std::vector<verify::OutputBuffers> outputs;
                for (const FuncId id : made->frozen.graph.outputs) {
                    const ir::FuncDef &output = made->frozen.graph.func(id);
                    outputs.push_back({lowering::output_buffers(output), output.types});
                }
                loops = verify::lower_term(*found.target, outputs);
            }
        } catch (const verify::Unsupported &unsupported) {
            reason = unsupported.reason;
        }
        if (!loops.defined()) {
            throw CompileError("no-certificate",
                               concat("in ", name, ": its schedule has no certificate to compile: ", reason,
                                      "; only what certify() covers can be compiled from its certificate; compile the "
                                      "pipeline itself, or change the schedule"),
                               location);
        }
    });
    made->certificate = to_public(found);
    set_verdict(made->certificate, options, name, location);
    if (made->certificate.verdict.kind == CertificateVerdict::Kind::Rejected) {
        throw CompileError("certificate-rejected",
                           concat("in ", name, ": the checker rejects the certificate of its schedule, at ",
                                  made->certificate.verdict.text,
                                  "; only what it accepts is compiled, and the certificate is the compiler's mistake, "
                                  "not the program's; compile the pipeline itself, and report this one"),
                           location);
    }
    made->term = std::move(*found.target);
    std::ostringstream text;
    text << loops;
    made->loops = text.str();
    const Target jit = target.with_feature(Target::JIT);
    made->code = load_code(lower_loops(made->frozen, loops, jit, "certified"), made->frozen, jit);
    return made;
}

} // namespace driver
} // namespace fluorite
