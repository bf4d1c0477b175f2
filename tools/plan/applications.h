#pragma once
// Answers to questions about compiled pipelines: the applications and simulations of apps/ranks.

#include "ranks/describe/description.h"

#include <string>
#include <vector>

namespace fluorite::plan {

/// What can be asked about.
std::vector<std::string> application_names();

/// The answer as text; the picture goes to `svg`. Throws RuntimeError [bad-replay] for sizes that do not fit.
std::string answer(const distribute::Question &question, std::string *svg);

} // namespace fluorite::plan
