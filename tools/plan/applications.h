#pragma once
// Plans and replays of compiled pipelines: the applications and simulations of apps/ranks.

#include "ranks/describe/description.h"

#include <string>
#include <vector>

namespace fluorite::plan {

/// Their names.
std::vector<std::string> application_names();

/// The report as text; the picture goes to `svg`. Throws RuntimeError [bad-replay] for sizes that do not fit.
std::string report(const distribute::PlanRequest &request, std::string *svg);

} // namespace fluorite::plan
