// When a Func is computed: concurrently with its consumers (async), or once for all runs (memoize). Tame directives
// meet the library's preconditions.

#include "applier.h"

#include <algorithm>
#include <functional>

namespace fluorite::fuzz {

namespace {

void for_each_callee(const language::Function &function, const std::function<void(const language::Function &)> &visit) {
    for (const ir::Stage &stage : function.def.stages) {
        for (const language::Function *callee : language::callees_of(stage, function)) {
            visit(*callee);
            for (const language::Wrapper &wrapper : callee->wrappers) {
                visit(*wrapper.function);
            }
        }
    }
}

using Seen = std::set<const language::Function *>; // a wrapper calls what it wraps
bool reads_unseen_inputs(const language::Function &function, Seen &seen) {
    if (!seen.insert(&function).second) {
        return false;
    }
    bool reads = !function.images.empty() || function.is_image;
    for_each_callee(function,
                    [&](const language::Function &callee) { reads = reads_unseen_inputs(callee, seen) || reads; });
    return reads;
}

bool reads_inputs(const language::Function &function) {
    Seen seen;
    return reads_unseen_inputs(function, seen);
}

bool callees_are_far(const language::Function &function, Seen seen) {
    bool far = true;
    for_each_callee(function, [&](const language::Function &callee) {
        const schedule::FuncSchedule &schedule = callee.schedule;
        const bool is_root = schedule.compute.is_root();
        const bool is_inlined =
            schedule.compute.is_inlined() && (!seen.insert(&callee).second || callees_are_far(callee, seen));
        far = far && (is_root || is_inlined);
    });
    return far;
}

} // namespace

bool Applier::is_outside_of_lanes(const Directive &d) const {
    if (output_of(d) || shares_.count(&*func_.function()) > 0) {
        return false;
    }
    const language::Function *at = &*func_.function();
    for (schedule::LoopLevel level = at->schedule.compute; !level.is_root(); level = at->schedule.compute) {
        if (level.is_inlined()) {
            return false;
        }
        at = language::function_of(level.func);
        if (!at) {
            return false;
        }
        for (const schedule::StageSchedule &stage : at->schedule.stages) {
            for (const schedule::LoopDim &dim : stage.dims) {
                if (dim.for_type == ForType::Vectorized) {
                    return false;
                }
            }
        }
        if (is_output(*at)) {
            return true;
        }
    }
    return true;
}

bool Applier::has_few_copies() const {
    int64_t all = 1;
    for (const auto &[stage, count] : copies_) {
        all = std::min<int64_t>(all * count, 1 << 20);
    }
    return all <= 4 * most_copies;
}

bool Applier::is_stored_whole(const Directive &d) const {
    const schedule::FuncSchedule &its = func_.function()->schedule;
    return is_outside_of_lanes(d) && its.store.is_inlined() && its.hoist.is_inlined() && its.storage.empty();
}

bool Applier::reads_no_siblings() const {
    const language::Function &function = *func_.function();
    return function.schedule.store.is_inlined() || callees_are_far(function, {&function});
}

void Applier::compute_when(const Directive &d) {
    if (d.op == Directive::Op::Memoize) {
        if (d.wild || (is_stored_whole(d) && !reads_inputs(*func_.function()))) {
            func_.memoize();
            note(name_ + ".memoize();");
        }
        return;
    }
    if (d.wild || (is_outside_of_lanes(d) && reads_no_siblings() && func_.function()->schedule.hoist.is_inlined() &&
                   has_few_copies())) {
        func_.async();
        note(name_ + ".async();");
    }
}

} // namespace fluorite::fuzz
