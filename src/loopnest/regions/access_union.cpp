// The union of the boxes that several stages access.
//
// Boxes are collected by stage, or, seen from root, by the outermost enclosing stage that has alternatives.
// Alternatives are then joined, at root by a select on their conditions, and the results are merged.
// Cost: a simplification for each end of an interval that is merged; selects are simplified once, when all alternatives
// of a definition are joined, as each contains those before it.

#include "loopnest/regions/access_union.h"

#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using rewrite::simplify;

namespace {

// The box `one` if the condition holds, else `other`; not simplified.
Box either(const Expr &condition, const Box &one, const Box &other) {
    Box box;
    for (size_t d = 0; d < one.size(); d++) {
        const auto side = [&](const Expr &a, const Expr &b) {
            return a.defined() && b.defined() ? make_select(condition, a, b) : Expr();
        };
        box.push_back({side(one[d].min, other[d].min), side(one[d].max, other[d].max)});
    }
    return box;
}

Box simplified(Box box) {
    for (analysis::Interval &interval : box) {
        interval.min = interval.min.defined() ? simplify(interval.min) : Expr();
        interval.max = interval.max.defined() ? simplify(interval.max) : Expr();
    }
    return box;
}

} // namespace

void AccessUnion::add(StageId stage, const Box &box) {
    analysis::merge(parts_[site_.is_root() ? alternative(stage) : stage], box);
}

void AccessUnion::merge_into(Box &total) const {
    for (auto part = parts_.rbegin(); part != parts_.rend();) {
        const FuncId func = part->first.func;
        const int definition = views_.variant(part->first).definition;
        Box box = part->second;
        bool is_simple = true;
        while (++part != parts_.rend() && part->first.func == func &&
               views_.variant(part->first).definition == definition) {
            const Expr condition = views_.variant(part->first).condition;
            if (site_.is_root() && condition.defined()) {
                box = either(condition, part->second, box);
                is_simple = false;
            } else {
                analysis::merge(box, part->second);
            }
        }
        analysis::merge(total, is_simple ? box : simplified(box));
    }
}

StageId AccessUnion::alternative(StageId stage) const {
    StageId found = stage;
    while (true) {
        const auto [first, end] = views_.alternatives(stage);
        found = end - first > 1 ? stage : found;
        const Site around = views_.around({stage, LoopId(0)});
        if (around.is_root()) {
            return found;
        }
        stage = around.stage;
    }
}

} // namespace fluorite::loopnest
