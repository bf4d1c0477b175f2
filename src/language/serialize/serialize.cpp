// serialize_pipeline and deserialize_pipeline: bytes, files and streams.
//
// What has been written is read again and compared: the graph as the program states it and as directives have rewritten
// it, those of iterations, and the schedule. So a pipeline that the file does not describe is refused when it is
// written, not when it computes something else.

#include "fluorite/serialization.h"

#include "fluorite/schedule.h"
#include "ir/print.h"
#include "language/freeze.h"
#include "language/serialize/pipeline_file.h"
#include "schedule/text/pipeline_text.h"
#include "support/check.h"
#include "support/reporting.h"

#include <istream>
#include <iterator>

namespace fluorite {

using namespace language;

namespace {

/// The graphs of a frozen pipeline, and the schedules of those that are lowered.
std::string description(const schedule::ScheduledGraph &pipeline) {
    std::string text = ir::to_text(pipeline.graph);
    text += pipeline.rewritten ? description(*pipeline.rewritten) : schedule::schedule_text(pipeline);
    for (const schedule::ScheduledIteration &iteration : pipeline.iterations) {
        for (const auto &part : {iteration.control, iteration.initial, iteration.body}) {
            text += description(*part);
        }
    }
    return text;
}

/// The line on which two texts differ first, in both.
std::string difference(const std::string &a, const std::string &b) {
    size_t begin = 0, at = 0;
    for (; at < std::min(a.size(), b.size()) && a[at] == b[at]; at++) {
        begin = a[at] == '\n' ? at + 1 : begin;
    }
    return "`" + a.substr(begin, a.find('\n', at) - begin) + "` is read as `" +
           b.substr(begin, b.find('\n', at) - begin) + "`";
}

const PipelineContents &written_contents(const Pipeline &pipeline, const Location &location) {
    if (!pipeline.defined() || pipeline.contents()->outputs.empty()) {
        fail("no-outputs", "a Pipeline", "it is serialized and has no outputs; a Pipeline has one or more; give Funcs",
             location);
    }
    return *pipeline.contents();
}

ReadPipeline read_framed(std::span<const uint8_t> bytes, const std::string &name, const ExternalParameters &given,
                         const Location &location) {
    return read_pipeline(unframed(pipeline_file, bytes, name, location), name, given, location);
}

void check_complete(const PipelineContents &pipeline, const Bytes &bytes, const Location &location) {
    const std::string written = description(freeze(pipeline));
    std::string found;
    try {
        const NoReports guard;
        found = description(freeze(read_framed(bytes, "a serialized pipeline", {}, location).contents));
    } catch (const CompileError &error) {
        found = error.what();
    }
    if (found != written) {
        fail("not-serializable", "a Pipeline",
             difference(written, found) + " from its file; a file describes the whole pipeline; build this part after "
                                          "reading",
             location);
    }
}

Pipeline pipeline_of(ReadPipeline read) {
    return Pipeline(std::make_shared<PipelineContents>(std::move(read.contents)));
}

Bytes rest_of(std::istream &in) { return {std::istreambuf_iterator<char>(in), {}}; }

} // namespace

void serialize_pipeline(const Pipeline &pipeline, std::vector<uint8_t> &data, const SerializeOptions &options,
                        const Location &location) {
    const PipelineContents &contents = written_contents(pipeline, location);
    Bytes bytes = framed(pipeline_file, write_pipeline(contents, options, location));
    check_complete(contents, bytes, location);
    data = std::move(bytes);
}

void serialize_pipeline(const Pipeline &pipeline, const std::string &filename, const SerializeOptions &options,
                        const Location &location) {
    Bytes bytes;
    serialize_pipeline(pipeline, bytes, options, location);
    write_bytes(filename, bytes, location);
}

void serialize_pipeline(const Pipeline &pipeline, std::vector<uint8_t> &data, ExternalParameters &params,
                        const SerializeOptions &options, const Location &location) {
    serialize_pipeline(pipeline, data, options, location);
    const ir::Graph graph = freeze(*pipeline.contents()).graph;
    params.clear();
    for (const ir::InputDef &input : graph.inputs) {
        if (!input.parameter->is_bound_buffer && !input.parameter->iteration) {
            params[input.parameter->name] = Parameter(detail::Ref<ir::Parameter>(input.parameter.get()));
        }
    }
    for (const ir::ParamDef &param : graph.params) {
        params[param.parameter->name] = Parameter(detail::Ref<ir::Parameter>(param.parameter.get()));
    }
}

void serialize_pipeline(const Pipeline &pipeline, const std::string &filename, ExternalParameters &params,
                        const SerializeOptions &options, const Location &location) {
    Bytes bytes;
    serialize_pipeline(pipeline, bytes, params, options, location);
    write_bytes(filename, bytes, location);
}

Pipeline deserialize_pipeline(const std::vector<uint8_t> &data, const ExternalParameters &user_params,
                              const Location &location) {
    return pipeline_of(read_framed(data, "a serialized pipeline", user_params, location));
}

Pipeline deserialize_pipeline(std::istream &in, const ExternalParameters &user_params, const Location &location) {
    return pipeline_of(read_framed(rest_of(in), "a serialized pipeline", user_params, location));
}

Pipeline deserialize_pipeline(const std::string &filename, const ExternalParameters &user_params,
                              const Location &location) {
    return pipeline_of(read_framed(read_bytes(filename, location), filename, user_params, location));
}

ExternalParameters deserialize_parameters(const std::vector<uint8_t> &data, const Location &location) {
    return read_framed(data, "a serialized pipeline", {}, location).parameters;
}

ExternalParameters deserialize_parameters(std::istream &in, const Location &location) {
    return read_framed(rest_of(in), "a serialized pipeline", {}, location).parameters;
}

ExternalParameters deserialize_parameters(const std::string &filename, const Location &location) {
    return read_framed(read_bytes(filename, location), filename, {}, location).parameters;
}

} // namespace fluorite
