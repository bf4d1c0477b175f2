// Refusals are excused by name only. A refused case compares nothing, and a campaign that compares nothing finds
// nothing. So each permitted slug is in refusals.def, with a reason and the maximum percentage of cases that it may
// take. A slug that is not there fails the run, which names its first case; one that is too frequent fails a run with
// enough cases to tell, after allowing for random deviation.

#include "refusals.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fluorite::fuzz {

namespace {

constexpr uint64_t enough_cases = 500;
constexpr double deviations = 3; // standard deviations that chance may add

std::string percent_text(double percent) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%", percent);
    return text;
}

} // namespace

const char *refused_text(Refused kind) {
    static const char *texts[] = {"tame schedules", "wild schedules", "walked schedules", "single directives",
                                  "cases as a whole"};
    return texts[static_cast<size_t>(kind)];
}

const std::vector<AllowedRefusal> &allowed_refusals() {
    static const std::vector<AllowedRefusal> all = {
#define FUZZ_REFUSAL(slug, tame, wild, walked, single, whole, reason)                                                  \
    {slug, {tame, wild, walked, single, whole}, reason},
#include "refusals.def"
#undef FUZZ_REFUSAL
    };
    return all;
}

std::vector<std::string> complaints_of(const RefusalCounts &counts) {
    std::vector<std::string> complaints;
    for (size_t kind = 0; kind < refused_kinds; kind++) {
        const double cases = static_cast<double>(std::max<uint64_t>(counts.cases[kind], 1));
        const std::string what = refused_text(static_cast<Refused>(kind));
        for (const auto &[slug, count] : counts.slugs[kind]) {
            const auto allowed =
                std::find_if(allowed_refusals().begin(), allowed_refusals().end(),
                             [&, &name = slug](const AllowedRefusal &row) { return name == row.slug; });
            const double most = allowed == allowed_refusals().end() ? 0 : allowed->most[kind];
            if (most == 0) {
                const auto first = counts.first[kind].find(slug);
                const bool is_known = first != counts.first[kind].end();
                complaints.push_back("refusals of " + what + ": [" + slug + "] is not on the list (refusals.def)" +
                                     (is_known ? "; the first is case " + std::to_string(first->second) : ""));
                continue;
            }
            const double expected = most / 100 * cases;
            if (counts.cases[kind] >= enough_cases &&
                static_cast<double>(count) > expected + deviations * std::sqrt(expected)) {
                complaints.push_back("refusals of " + what + ": [" + slug + "] in " +
                                     percent_text(100 * static_cast<double>(count) / cases) + " of them, at most " +
                                     percent_text(most) + " (refusals.def)");
            }
        }
    }
    return complaints;
}

} // namespace fluorite::fuzz
