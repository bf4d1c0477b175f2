#include "verify/loops/shared_loops.h"

#include <algorithm>
#include <set>

namespace fluorite::verify {

static std::vector<std::string> all_of(const FusedWindows &group) {
    std::vector<std::string> all = group.nests.tensors;
    all.insert(all.end(), group.windows.begin(), group.windows.end());
    return all;
}

// Those of a group that slide, and the others.
static FusedWindows windows_and_nests_of(const FusedBindings &group, const std::vector<SlideRequest> &slides) {
    FusedWindows fused{{}, {{}, group.loops}};
    for (const std::string &tensor : group.tensors) {
        const bool is_window = std::ranges::any_of(slides, [&](const auto &one) { return one.tensor == tensor; });
        (is_window ? fused.windows : fused.nests.tensors).push_back(tensor);
    }
    return fused;
}

void SharedLoops::bring_together(Derivation &derivation, const std::map<size_t, std::vector<std::string>> &windows,
                                 const std::vector<SlideRequest> &slides, Certified &result) {
    const auto binding_of = [&](size_t f) {
        const auto found = windows.find(f);
        return found == windows.end() ? conversion_.funcs[f].name : found->second[0];
    };
    std::map<size_t, FusedBindings> groups; // by the Func whose loops they are
    for (size_t f = 0; f < graph_.funcs.size(); f++) {
        if (!conversion_.needed[f] || !schedule_.funcs[f].stages[0].with) {
            continue;
        }
        if (windows.contains(f) && windows.at(f).size() > 1) {
            result.directives.push_back({conversion_.funcs[f].name, "compute_with",
                                         "the loop around it is specialized, and each alternative has its own"});
            continue;
        }
        const schedule::LoopLevel &level = schedule_.funcs[f].stages[0].with->level;
        const size_t other = level.func.owner().func.index();
        const std::vector<schedule::LoopDim> &dims = schedule_.funcs[other].stages[size_t(level.stage)].dims;
        const auto at = std::ranges::find_if(dims, [&](const auto &dim) { return dim.var == level.var; });
        FusedBindings &group = groups[other];
        if (group.tensors.empty()) {
            group = {{binding_of(other)}, size_t(dims.end() - at)};
        }
        group.loops = std::min(group.loops, size_t(dims.end() - at));
        group.tensors.push_back(binding_of(f));
    }
    for (auto &[other, group] : groups) {
        FusedWindows fused = windows_and_nests_of(group, slides);
        FusedBindings &nests = fused.windows.empty() ? group : fused.nests;
        const std::string reason = nests.tensors.size() > 1 ? verify::bring_together(derivation, nests) : "";
        if (!reason.empty()) {
            note_group(group.tensors, reason, result);
        } else if (fused.windows.empty()) {
            fused_bindings_.push_back(group);
        } else {
            fused_windows_.push_back(fused);
        }
    }
}

void SharedLoops::note_group(const std::vector<std::string> &tensors, const std::string &reason,
                             Certified &result) const {
    for (const std::string &tensor : tensors) {
        if (schedule_.funcs[loops_.origins.at(tensor).func].stages[0].with) {
            result.directives.push_back({tensor, "compute_with", reason});
        }
    }
}

void SharedLoops::note_fused_bindings(const std::vector<StorePlan> &stores, CertificateParts &parts,
                                      Certified &result) {
    std::vector<std::string> texts;
    std::vector<FusedBindings> right;
    for (const FusedBindings &group : fused_bindings_) {
        try {
            texts.push_back(plan_fused_bindings(parts.target, stores, group));
            right.push_back(group);
            note_group(group.tensors, "", result);
        } catch (const Unsupported &unsupported) {
            note_group(group.tensors, unsupported.reason, result);
        }
    }
    fused_bindings_ = right;
    if (!texts.empty()) {
        parts.fused_bindings = texts;
    }
}

// Why the windows of the group do not slide along one loop; the number of the section that says that they do.
std::string SharedLoops::reason_against(const FusedWindows &group, const std::vector<SlideResult> &slides,
                                        size_t &sliding) const {
    std::set<size_t> slidings;
    for (const SlideResult &slide : slides) {
        if (std::ranges::find(group.windows, slide.tensor) != group.windows.end()) {
            if (!slide.reason.empty()) {
                return "its window does not slide: " + slide.reason;
            }
            slidings.insert(slide.group);
        }
    }
    if (slidings.size() != 1) {
        return "the Funcs are windows that slide along different loops";
    }
    sliding = *slidings.begin();
    return "";
}

void SharedLoops::note_fused_windows(const std::vector<StorePlan> &stores, const std::vector<SlideResult> &slides,
                                     CertificateParts &parts, Certified &result) const {
    std::vector<std::string> texts;
    for (const FusedWindows &group : fused_windows_) {
        size_t sliding = 0;
        std::string reason = reason_against(group, slides, sliding);
        try {
            if (reason.empty()) {
                texts.push_back(plan_fused_windows(parts.target, stores, group, sliding));
            }
        } catch (const Unsupported &unsupported) {
            reason = unsupported.reason;
        }
        note_group(all_of(group), reason, result);
    }
    if (!texts.empty()) {
        parts.fused_windows = texts;
    }
}

void SharedLoops::note_none(const std::string &reason, Certified &result) const {
    for (const FusedWindows &group : fused_windows_) {
        note_group(all_of(group), reason, result);
    }
    for (const FusedBindings &group : fused_bindings_) {
        note_group(group.tensors, reason, result);
    }
}

} // namespace fluorite::verify
