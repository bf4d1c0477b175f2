// Bounded loop nests from texts: tests/loopnest/*/*.ir. `// show: loops` is the nest as users see it, `bounds f` the
// regions of a Func, `nest f: region, folds` the lines of a Func that begin with these words, of the complete nest, and
// `ranges` the values that are checked for overflow.
#include "loopnest/explain/nest_text.h"
#include "loopnest/explain/print_loop_nest.h"
#include "loopnest/loop_nest.h"
#include "schedule/test_pipeline_file.h"

namespace fluorite::loopnest::nests_test {
namespace {

/// The lines of the Func (and of its copies) whose first word is among the words.
std::string lines_of(const std::string &nest, const std::string &func, const std::string &words) {
    std::string text;
    bool is_inside = false;
    std::istringstream lines(nest);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream parts(line);
        std::string word, number, name;
        parts >> word >> number >> name;
        if (!line.starts_with(" ")) {
            is_inside = word == "func" && (name == func || name.starts_with(func + "$"));
        }
        if (is_inside && words.find(word) != std::string::npos) {
            text += line + "\n";
        }
    }
    return text;
}

/// What the entry checks: the lines that name a value.
std::string ranges_of(const BoundedLoopNest &nest) {
    std::string text;
    std::istringstream lines(nest.regions.ranges.text);
    for (std::string line; std::getline(lines, line);) {
        const size_t bar = line.find('|');
        text += bar == std::string::npos ? "" : line.substr(0, 1) + " " + line.substr(bar + 1) + "\n";
    }
    return text;
}

std::string show(const schedule::ScheduledGraph &pipeline, const std::string &what) {
    const size_t colon = std::min(what.find(':'), what.size());
    std::istringstream head(what.substr(0, colon));
    std::string view, func;
    head >> view >> func;
    if (view == "loops") {
        return loop_nest_text(pipeline);
    }
    if (view == "bounds") {
        return bounds_text(pipeline, func);
    }
    const BoundedLoopNest nest = make_loop_nest(pipeline);
    return view == "ranges" ? ranges_of(nest) : lines_of(to_text(nest), func, what.substr(colon));
}

TEST(LoopNestTexts, EveryFileGivesItsText) { schedule::expect_pipeline_files("tests/loopnest", 40, show); }

} // namespace
} // namespace fluorite::loopnest::nests_test
