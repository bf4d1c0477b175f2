// fluorite_plan: what ranks of a distributed program send each other, and how long it takes in a model of a network.
//
//   fluorite_plan stencil --size 1000x1000 --ranks 64 --radius 2 --svg plan.svg
//   fluorite_plan interpolate --size 1000000x1000000 --ranks 16384
//
// Exit code: 0, or 2 for unusable arguments.

#include "applications.h"

#include "fluorite/errors.h"
#include "ranks/describe/description.h"
#include "support/write_file.h"

#include <cstdio>

using namespace fluorite;
using namespace fluorite::distribute;

int main(int argc, char **argv) {
    const std::vector<std::string> words(argv + 1, argv + argc), applications = plan::application_names();
    if (words.empty() || words[0] == "--help" || words[0] == "help") {
        std::fputs(plan_request_help(applications).c_str(), words.empty() ? stderr : stdout);
        return words.empty() ? 2 : 0;
    }
    try {
        const PlanRequest request = parse_plan_request(words, applications);
        std::string svg;
        const std::string text = request.applications.empty() ? report(request, &svg) : plan::report(request, &svg);
        std::fputs(text.c_str(), stdout);
        if (!request.svg.empty() && !write_file(request.svg, svg)) {
            std::fprintf(stderr, "fluorite_plan: %s cannot be written; name a file in a folder that there is\n",
                         request.svg.c_str());
            return 2;
        }
    } catch (const Error &error) {
        std::fprintf(stderr, "fluorite_plan: %s\n", error.what());
        return 2;
    }
    return 0;
}
