// DistributedImage::allocate: the memory of an image, and of those that are read to compute it.
//
// What a rank receives in a run follows from the compiled pipeline and the placement of its output. An input that is
// allocated for a pipeline before the pipeline's output waits for it: then its memory grows.

#include "distributed/image_of_ranks.h"
#include "distributed/pipeline_on_ranks.h"
#include "driver/compiled.h"

namespace fluorite {

using detail::ImageOfRanks;

namespace {

/// Makes the memory of an input large enough for what this rank receives in a run of the pipeline into `output`.
void grow_for(ImageOfRanks &input, const Func &pipeline, const ImageOfRanks &output, const Location &location) {
    const Pipeline whole = pipeline.pipeline(location);
    const auto code = driver::compiled_for(*whole.contents(), Target(), location, driver::Runs::OnRanks);
    const distributed::PipelineOnRanks::Outputs outputs(
        code->outputs.size(),
        {nullptr, distribute::ImagePart{output.input->domain, output.input->part().placement, {}}});
    input.grow(code->distributed->memory_for(*input.parameter.parameter().contents(), outputs, location), location);
}

void allocate_with_readers(ImageOfRanks &image, const Location &location) {
    image.allocate(location);
    distributed::PartOfImage &part = image.input->part();
    for (const distributed::PartOfImage::Reader &reader : part.readers) {
        if (const std::shared_ptr<ImageOfRanks> input = reader.image.lock()) {
            grow_for(*input, reader.pipeline, image, location);
        }
    }
    part.readers.clear();
}

} // namespace

void detail::DistributedImageBase::allocate(const Location &location) {
    allocate_with_readers(needed("allocate()", location), location);
}

void detail::DistributedImageBase::allocate(const Func &pipeline, const DistributedImageBase &output,
                                            const Location &location) {
    ImageOfRanks &image = needed("allocate()", location), &target = output.needed("allocate()", location);
    allocate_with_readers(image, location);
    if (target.input->part().is_allocated) {
        grow_for(image, pipeline, target, location);
    } else {
        target.input->part().readers.push_back({image_, pipeline});
    }
}

} // namespace fluorite
