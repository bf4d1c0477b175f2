// Serialized pipelines: content that is accepted is written as content that is accepted, and then does not change.
#include "fluorite/schedule.h"
#include "fluorite/serialization.h"
#include "language/serialize/pipeline_file.h"
#include "targets.h"

namespace fluorite::libfuzzer {

// The bytes are the content within the frame, whose hash mutations would never meet.
void serialized_pipeline(std::string_view bytes) {
    const language::Bytes content(bytes.begin(), bytes.end());
    try {
        const Pipeline pipeline = deserialize_pipeline(language::framed(language::pipeline_file, content));
        std::vector<uint8_t> once, twice;
        serialize_pipeline(pipeline, once);
        serialize_pipeline(deserialize_pipeline(once), twice);
        if (once != twice) {
            found("a pipeline is written in another way when it is read again", pipeline.schedule().text());
        }
    } catch (const CompileError &error) {
        if (error.slug() != "serialized-damaged" && error.slug() != "not-serializable") {
            found("an error of another kind", error.what());
        }
    }
}

} // namespace fluorite::libfuzzer
