// The boxes of the program's own buffers that the pipeline accesses, seen from root.
//
// The box of an input is what all stages read of it, at mirrored coordinates no more than what lies near. The box of an
// output is what its stages store and read back, including tails: the caller's buffer must contain it.
//
// Refuses coordinates without bounds (data-dependent and not clamped). Cost: linear in the accesses.

#include "loopnest/regions/root_boxes.h"

#include "analysis/bounds_where.h"
#include "analysis/periodic_coordinate.h"
#include "loopnest/regions/access_union.h"
#include "loopnest/regions/infer_func.h"
#include "loopnest/regions/periodic_reads.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using rewrite::simplify;

namespace {

Verdict check_bounded(const SiteViews &views, const Box &box, StageId stage, const Access &image) {
    const FuncDef &reader = views.graph().func(stage.func);
    for (size_t d = 0; d < box.size(); d++) {
        if (!box[d].is_bounded()) {
            return Refusal{"unbounded-access",
                           "in " + reader.name() + ", stage " + std::to_string(stage.stage) + ": coordinate " +
                               std::to_string(d) + " of input " + image.symbol.name() + " is " +
                               text_for_user(image.args[d], views.graph().pipeline.graph) +
                               ", which has no known bounds; an input is read over a finite region; wrap the "
                               "coordinate in clamp(..., min, max)",
                           reader.stages[stage.index()].location};
        }
    }
    return {};
}

/// Narrows the box of a read whose coordinates are mirrored at edges that are known at entry: to what is read, and what
/// the edges reflect. (Otherwise the modulo of a mirrored coordinate makes it the whole image.)
void narrow_mirrored(const Access &image, BoundsFinder &bounds, Box &box) {
    for (size_t d = 0; d < box.size(); d++) {
        const std::optional<analysis::PeriodicCoordinate> mirrored = analysis::find_periodic(image.args[d]);
        if (!mirrored || !mirrored->is_mirrored() || !is_fixed(mirrored->min) || !is_fixed(mirrored->max)) {
            continue;
        }
        const analysis::Interval range = analysis::bounds_where(mirrored->inner, image.condition, bounds);
        if (range.is_bounded()) {
            const analysis::Interval near =
                mirrored->hull(range, mirrored->reflected_min(range), mirrored->reflected_max(range));
            box[d] = {simplify(near.min), simplify(near.max)};
        }
    }
}

using SharedReads = std::shared_ptr<const RootReads>;

Result<SharedReads> find_reads(const SiteViews &views, FuncId func) {
    RootReads reads;
    const size_t stages = views.graph().func(func).stages.size();
    for (size_t k = 0; k < stages; k++) {
        const StageId stage(func, k);
        const std::vector<Access> &images = views.accesses(stage).images;
        if (images.empty()) {
            continue;
        }
        BoundsFinder bounds = views.consumer_bounds(stage, Site::root());
        for (const Access &image : images) {
            Box box = views.read_box(stage, image, Site::root(), bounds);
            if (image.operand < 0) {
                narrow_mirrored(image, bounds, box);
            }
            if (const Verdict bounded = check_bounded(views, box, stage, image); !bounded) {
                return bounded.refusal();
            }
            reads.push_back({image.symbol.owner().input.index(), stage, box});
        }
    }
    return SharedReads(std::make_shared<const RootReads>(std::move(reads)));
}

Box merged(const SiteViews &views, size_t input, const InputReads &all) {
    AccessUnion read(views, Site::root());
    for (const auto &[func, reads] : all) {
        for (const RootRead &one : *reads) {
            if (one.input == input) {
                read.add(one.stage, one.box);
            }
        }
    }
    Box box;
    read.merge_into(box);
    return box;
}

Box output_box(const SiteViews &views, FuncId id) {
    const FuncDef &func = views.graph().func(id);
    AccessUnion touched(views, Site::root());
    for (size_t k = 0; k < func.stages.size(); k++) {
        const StageId stage(id, k);
        BoundsFinder writes = views.consumer_bounds(stage, Site::root(), AccessKind::Write);
        touched.add(stage, SiteViews::box_of(write_of(func, k), writes));
        BoundsFinder reads = views.consumer_bounds(stage, Site::root());
        for (const Access &call : views.accesses(stage).calls) {
            if (call.symbol == func.symbol) {
                touched.add(stage, SiteViews::box_of(call, reads));
            }
        }
    }
    Box box;
    touched.merge_into(box);
    analysis::merge(box, symbols_of(views.loops(id)->regions.back()));
    return box;
}

/// The stored answer for the query, or the result of `find`, which is then stored with the loops that it used.
/// Refusals are not stored.
template <typename Query, typename Answer, typename Find>
Result<Answer> remembered(LoopMemo<Query, Answer> *memo, const SiteViews &views, const Query &query, const Find &find) {
    if (!memo) {
        return find();
    }
    if (const Answer *known = memo->find(views, [&](const Query &then) { return then == query; })) {
        return *known;
    }
    views.begin_seen();
    Result<Answer> answer = find();
    if (answer) {
        memo->keep(query, views.seen(FuncId()), *answer);
    }
    return answer;
}

} // namespace

Verdict find_root_boxes(const SiteViews &views, Regions &out, RegionMemo *memo) {
    std::vector<InputReads> inputs(views.graph().pipeline.graph.inputs.size());
    for (FuncId func : views.graph().order) {
        const auto reads = remembered(memo ? &memo->reads[func] : nullptr, views, views.loops(func),
                                      [&] { return find_reads(views, func); });
        if (!reads) {
            return reads.refusal();
        }
        for (const RootRead &read : **reads) {
            InputReads &all = inputs[read.input];
            if (all.empty() || all.back().first != func) {
                all.emplace_back(func, *reads);
            }
        }
    }
    for (size_t input = 0; input < inputs.size(); input++) {
        out.input_read.push_back(!inputs[input].empty());
        out.input_boxes.push_back(*remembered(memo ? &memo->input_boxes[input] : nullptr, views, inputs[input],
                                              [&] { return Result<Box>(merged(views, input, inputs[input])); }));
    }
    for (FuncId output : views.graph().pipeline.graph.outputs) {
        out.output_boxes.push_back(*remembered(memo ? &memo->output_boxes[output] : nullptr, views, views.loops(output),
                                               [&] { return Result<Box>(output_box(views, output)); }));
    }
    return {};
}

} // namespace fluorite::loopnest
