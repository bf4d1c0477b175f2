#pragma once
// Predicted against measured times, as a picture.

#include "rank_correlation.h"

namespace fluorite::model {

struct Panel {
    std::string title;
    std::vector<Sample> samples; // the first has a ring: the search's own
};

/// A self-contained SVG with a panel for each application, both axes logarithmic; measured times run upwards.
std::string draw(const std::vector<Panel> &panels, const std::string &caption);

} // namespace fluorite::model
