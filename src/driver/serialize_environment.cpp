// Whether FLUORITE_SERIALIZE asks to write and read every pipeline that is compiled.

#include "driver/serialize_environment.h"

#include "fluorite/serialization.h"
#include "language/serialize/pipeline_file.h"

#include <cstdlib>
#include <memory>
#include <string_view>

namespace fluorite::driver {

bool serializes_pipelines() {
    const char *text = std::getenv("FLUORITE_SERIALIZE");
    return text && std::string_view(text) == "1";
}

SerializedPipeline::SerializedPipeline(const PipelineContents &pipeline) {
    std::vector<uint8_t> bytes, again, once_more; // the first has places of directives that the normal form leaves out
    serialize_pipeline(Pipeline(std::make_shared<PipelineContents>(pipeline)), bytes);
    serialize_pipeline(deserialize_pipeline(bytes), again);
    serialize_pipeline(deserialize_pipeline(again), once_more);
    if (again != once_more) {
        throw InternalError("a pipeline that was serialized is serialized again to other bytes");
    }
    language::NumberedParameters parameters;
    const language::Bytes content = language::write_pipeline(pipeline, {}, {}, &parameters);
    for (const auto &[number, parameter] : parameters) {
        images_.emplace_back(parameter, std::exchange(parameter->function, nullptr));
    }
    contents_ = language::read_pipeline(content, "a serialized pipeline", {}, {}, parameters).contents;
}

SerializedPipeline::~SerializedPipeline() {
    for (const auto &[parameter, function] : images_) {
        parameter->function = function;
    }
}

} // namespace fluorite::driver
