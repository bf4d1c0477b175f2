#pragma once
// What stages touch, merged.

#include "loopnest/regions/site_views.h"

#include <map>
#include <utility>

namespace fluorite::loopnest {

/// Of stages that are alternatives (specializations), with all that is computed inside of them, one runs: seen from
/// root, where the program's own buffers are, the box is that of this one, so that a specialization for large images
/// asks nothing of small ones. Further in it is that of all, because extents have to stay constants.
class AccessUnion {
  public:
    AccessUnion(const SiteViews &views, const Site &site) : views_(views), site_(site) {}

    void add(FuncId func, int stage, const analysis::Box &box);
    void merge_into(analysis::Box &total) const;

  private:
    const SiteViews &views_;
    Site site_;
    std::map<std::pair<FuncId, int>, analysis::Box> parts_; // by Func and stage: alternatives side by side

    Variant variant_of(const std::pair<FuncId, int> &stage) const;
    /// The outermost stage around this one that has alternatives, or itself.
    std::pair<FuncId, int> alternative(FuncId func, int stage) const;
};

} // namespace fluorite::loopnest
