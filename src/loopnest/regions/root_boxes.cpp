// What the pipeline touches of the program's own buffers, as seen from root.
//
// The box of an input is what all stages read of it. That of an output is what its stages store and read back, tails
// included: the caller's buffer has to hold it.
//
// Refuses: coordinates without bounds (data-dependent and not clamped). Cost: linear in the accesses.

#include "loopnest/regions/root_boxes.h"

#include "loopnest/fault.h"
#include "loopnest/regions/access_union.h"
#include "loopnest/regions/infer_func.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using rewrite::simplify;

namespace {

void check_bounded(const SiteViews &views, const Box &box, FuncId func, int stage, const Access &image) {
    const FuncDef &reader = views.graph().func(func);
    for (size_t d = 0; d < box.size(); d++) {
        if (!box[d].is_bounded()) {
            throw CompileError("unbounded-access",
                               "in " + reader.name() + ", stage " + std::to_string(stage) + ": coordinate " +
                                   std::to_string(d) + " of input " + image.symbol.name() + " is " +
                                   text_for_user(image.args[d], views.graph().pipeline.graph) +
                                   ", which has no known bounds; an input is read over a finite region; wrap the "
                                   "coordinate in clamp(..., min, max)",
                               reader.stages[static_cast<size_t>(stage)].location);
        }
    }
}

void find_input_boxes(const SiteViews &views, Regions &out) {
    const size_t inputs = views.graph().pipeline.graph.inputs.size();
    out.input_boxes.resize(inputs);
    out.input_read.resize(inputs);
    std::vector<AccessUnion> read(inputs, AccessUnion(views, Site::root()));
    for (FuncId id : views.graph().order) {
        const int stages = static_cast<int>(views.graph().func(id).stages.size());
        for (int k = 0; k < stages; k++) {
            const StageAccesses &accesses = views.accesses(id, k);
            if (accesses.images.empty()) {
                continue;
            }
            BoundsFinder bounds = views.consumer_bounds(id, k, Site::root());
            for (const Access &image : accesses.images) {
                const size_t input = static_cast<size_t>(image.symbol.owner().input);
                const Box box = SiteViews::box_of(image, bounds);
                check_bounded(views, box, id, k, image);
                out.input_read[input] = true;
                read[input].add(id, k, box);
            }
        }
    }
    for (size_t input = 0; input < inputs; input++) {
        Box &box = out.input_boxes[input];
        read[input].merge_into(box);
        if (is_planted(Fault::Region) && out.input_read[input] && !box.empty()) {
            box.back().max = simplify(max_of(box.back().min, sub(box.back().max, int32(1))));
        }
    }
}

Box output_box(const SiteViews &views, FuncId id) {
    const FuncDef &func = views.graph().func(id);
    AccessUnion touched(views, Site::root());
    for (size_t k = 0; k < func.stages.size(); k++) {
        const int stage = static_cast<int>(k);
        BoundsFinder writes = views.consumer_bounds(id, stage, Site::root(), Touch::Write);
        touched.add(id, stage, SiteViews::box_of(write_of(func, k), writes));
        BoundsFinder reads = views.consumer_bounds(id, stage, Site::root());
        for (const Access &call : views.accesses(id, stage).calls) {
            if (call.symbol == func.symbol) {
                touched.add(id, stage, SiteViews::box_of(call, reads));
            }
        }
    }
    Box box;
    touched.merge_into(box);
    analysis::merge(box, symbols_of(views.loops(id)->regions.back()));
    return box;
}

} // namespace

void find_root_boxes(const SiteViews &views, Regions &out) {
    find_input_boxes(views, out);
    for (FuncId id : views.graph().pipeline.graph.outputs) {
        out.output_boxes.push_back(output_box(views, id));
    }
}

} // namespace fluorite::loopnest
