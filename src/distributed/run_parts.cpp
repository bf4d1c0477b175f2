#include "distributed/run_parts.h"

#include "ranks/compiled/buffer_view.h"

namespace fluorite::distributed {

using distribute::Box;
using distribute::ImagePart;
using distribute::Placement;

namespace {

/// Fresh memory of a box, filled with a pattern.
Buffer<> poisoned(const fluorite_buffer_t &like, const Box &box, const std::string &name) {
    const auto contents = std::make_shared<buffer_detail::Contents>(type_from_abi(like.type),
                                                                    distribute::dense_dimensions(box, name), name);
    contents->allocate({});
    Buffer<> buffer(contents);
    if (!distribute::empty(box)) {
        distribute::poison(distribute::view_of(*buffer.raw_buffer()));
    }
    return buffer;
}

} // namespace

RankParts run_parts(PipelineOnRanks &pipeline, const Distribution &distribution,
                    const std::vector<const fluorite_buffer_t *> &wholes, distribute::Transport &transport) {
    distribute::ProgramCall call = pipeline.call({});
    std::vector<Buffer<>> memory;
    const auto part_of = [&](const fluorite_buffer_t &whole, const Placement &placement) {
        const Box domain = distribute::box_of(whole);
        return ImagePart{domain, placement,
                         distribute::owned_by(domain, placement, transport.rank(), transport.ranks(), "a part")};
    };
    for (const auto &[name, placement] : distribution.inputs) {
        distribute::BoundBuffer &bound = call.arrays[pipeline.array_of_input(name)];
        const fluorite_buffer_t &whole = *bound.buffer;
        bound.part = part_of(whole, placement);
        memory.push_back(poisoned(whole, bound.part->owned, name));
        bound.buffer = memory.back().raw_buffer();
        distribute::copy_box(distribute::view_of(whole), bound.part->owned, distribute::view_of(*bound.buffer),
                             bound.part->owned);
    }
    RankParts result;
    for (size_t k = 0; k < wholes.size(); k++) {
        const size_t a = pipeline.array_of_output(k);
        const auto &arrays = pipeline.runs().description().arrays;
        const ImagePart part = part_of(*wholes[k], arrays[arrays[a].first].placement);
        result.outputs.push_back(poisoned(*wholes[k], part.owned, arrays[a].name));
        call.arrays[a] = {result.outputs.back().raw_buffer(), part};
    }
    result.plan = pipeline.runs().plan_parts(call, transport).back().run->plan();
    pipeline.runs().run(call, transport);
    return result;
}

} // namespace fluorite::distributed
