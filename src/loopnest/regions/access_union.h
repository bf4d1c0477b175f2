#pragma once
// The union of the boxes that several stages access.

#include "loopnest/regions/site_views.h"

#include <map>
#include <utility>

namespace fluorite::loopnest {

/// Merges boxes of several stages. Of stages that are alternatives (specializations), and of everything computed inside
/// them, exactly one runs. Seen from root, where the program's own buffers are, the box is therefore selected by their
/// conditions, so that a specialization for large images requires nothing of small ones. Elsewhere the boxes are
/// united, because extents must remain constant.
class AccessUnion {
  public:
    AccessUnion(const SiteViews &views, const Site &site) : views_(views), site_(site) {}

    void add(StageId stage, const analysis::Box &box);
    void merge_into(analysis::Box &total) const;

  private:
    const SiteViews &views_;
    Site site_;
    std::map<StageId, analysis::Box> parts_; // by Func and stage, so that alternatives are adjacent

    /// The outermost stage that encloses this one and has alternatives; the stage itself if there is none.
    StageId alternative(StageId stage) const;
};

} // namespace fluorite::loopnest
