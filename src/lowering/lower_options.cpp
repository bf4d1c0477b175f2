// What a target says about lowering.
//
// A target names a machine, and has features that ask for checks or turn off optimizations beyond the schedule; the
// options of lowering have each of them on its own. What does not depend on the target (reports, budgets, the verifier)
// the caller sets. Cost: none to speak of.

#include "lowering/lower.h"

namespace fluorite::lowering {

std::vector<Target::Feature> left_out(const Target &target) {
    std::vector<Target::Feature> features;
    for (int i = Target::NoWidening; i <= Target::NoEarlyFrees; i++) {
        if (target.has_feature(static_cast<Target::Feature>(i))) {
            features.push_back(static_cast<Target::Feature>(i));
        }
    }
    return features;
}

LowerOptions options_for(const Target &target, const std::string &name) {
    LowerOptions options;
    options.name = name;
    options.machine = machine::machine_model(target);
    options.target = target.to_string();
    options.has_device = target.has_gpu_feature();
    options.asserts = !target.has_feature(Target::NoAsserts);
    options.bounds_query = !target.has_feature(Target::NoBoundsQuery);
    options.checked = target.has_feature(Target::Checked);
    options.profiling = target.has_feature(Target::ProfileByTimer) ? Profiling::ByTimer
                        : target.has_feature(Target::Profile)      ? Profiling::BySampling
                                                                   : Profiling::Off;
    options.without = left_out(target);
    return options;
}

} // namespace fluorite::lowering
