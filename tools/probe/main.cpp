// fluorite_probe: measures this machine for automatic schedules.
//
//   fluorite_probe FILE              writes the machine file; without FILE it prints it
//   fluorite_probe --instructions    prints what instructions that move lanes cost, of each width that there is
//   fluorite_probe --processors      lists the names that FLUORITE_HOST takes, each with what this machine lacks for it
//
// FLUORITE_JIT_TARGET makes it measure this machine as one with fewer features.
//
// Exit code: 0, or 2 for unusable arguments.

#include "fluorite/measure_machine.h"
#include "instruction_costs.h"
#include "ir/host_target.h"
#include "support/write_file.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

void list_processors() {
    using fluorite::Target;
    for (const fluorite::ir::NamedProcessor &each : fluorite::ir::named_processors()) {
        const Target::Feature missing =
            fluorite::ir::find_missing_feature(Target(std::string(each.target)), fluorite::ir::real_host_target());
        const std::string lacks = missing == Target::FeatureEnd ? "" : " " + Target::feature_to_name(missing);
        std::printf("%s%s\n", std::string(each.name).c_str(), lacks.c_str());
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words == std::vector<std::string>{"--processors"}) {
        list_processors();
        return 0;
    }
    if (words == std::vector<std::string>{"--instructions"}) {
        std::fputs(probe::instruction_costs().c_str(), stdout);
        return 0;
    }
    if (words.size() > 1 || (!words.empty() && words[0].starts_with("-"))) {
        std::fputs(
            "usage: fluorite_probe [FILE]            measures this machine for automatic schedules, in some seconds\n"
            "       fluorite_probe --instructions    measures instructions that move lanes\n"
            "       fluorite_probe --processors      lists the processors for which it can be taken\n",
            stderr);
        return 2;
    }
    const std::string text =
        fluorite::measure_machine([](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); });
    if (words.empty()) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    if (!fluorite::write_file(words[0], text)) {
        std::fprintf(stderr, "fluorite_probe: %s cannot be written; name a file in a folder that there is\n",
                     words[0].c_str());
        return 2;
    }
    return 0;
}
