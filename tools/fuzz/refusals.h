#pragma once
// Which refusals a campaign may meet, and how many of each.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// What was refused.
enum class Refused : uint8_t {
    Tame,   // the schedule of a case with tame directives, the nearest legal ones
    Wild,   // the schedule of a case with wild directives, exactly as drawn
    Walked, // the schedule of a case that walks over the schedule tree
    Single, // a directive, at its call
    Whole   // every variant of a case, in the end without any directive: it was not compared at all
};
constexpr size_t refused_kinds = 5;
const char *refused_text(Refused kind);

struct RefusalCounts {
    std::array<uint64_t, refused_kinds> cases{}; // the number of cases of each kind
    std::array<std::map<std::string, uint64_t>, refused_kinds> slugs;
    std::array<std::map<std::string, uint64_t>, refused_kinds> first; // the first case that was refused, by slug

    void note(Refused kind, const std::string &slug, uint64_t number) {
        slugs[static_cast<size_t>(kind)][slug]++;
        first[static_cast<size_t>(kind)].emplace(slug, number);
    }
};

/// The permitted refusals, the maximum percentage of the cases of each kind (0: never), and the reason.
struct AllowedRefusal {
    const char *slug;
    std::array<double, refused_kinds> most;
    const char *reason;
};
const std::vector<AllowedRefusal> &allowed_refusals();

/// A complaint for each slug that is not on the list, or too frequent in a campaign of enough cases.
std::vector<std::string> complaints_of(const RefusalCounts &counts);

} // namespace fluorite::fuzz
