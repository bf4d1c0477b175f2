#pragma once
// A check of serialization on every pipeline that a program compiles.

#include "language/pipeline_contents.h"

#include <utility>
#include <vector>

namespace fluorite::driver {

/// Whether FLUORITE_SERIALIZE is 1: every pipeline is then serialized before it is compiled, and what is compiled is
/// the pipeline that was read, with the parameters of the program.
bool serializes_pipelines();

/// The pipeline that was read, with the parameters of the program. While it lives, the wrappers of images are its own.
class SerializedPipeline {
  public:
    /// Throws InternalError if the pipeline is not serialized to the same bytes again, CompileError [not-serializable]
    /// for one that no file can hold.
    explicit SerializedPipeline(const PipelineContents &pipeline);
    ~SerializedPipeline();
    SerializedPipeline(const SerializedPipeline &) = delete;
    SerializedPipeline &operator=(const SerializedPipeline &) = delete;

    const PipelineContents &contents() const { return contents_; }

  private:
    std::vector<std::pair<RefPtr<ir::Parameter>, RefPtr<const RefCounted>>> images_;
    PipelineContents contents_;
};

} // namespace fluorite::driver
