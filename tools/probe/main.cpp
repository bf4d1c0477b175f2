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
#include "support/command_line.h"
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
    bool instructions = false, processors = false, help = false;
    std::string path;
    const std::vector<fluorite::CommandOption> rows = {
        fluorite::flag("--instructions", "measures instructions that move lanes instead, of each width that there is",
                       instructions),
        fluorite::flag("--processors", "lists the processors for which the machine can be taken (FLUORITE_HOST)",
                       processors),
        fluorite::flag("--help", "prints this page", help)};
    try {
        fluorite::parse_command_line({argv + 1, argv + argc}, rows, [&](const std::string &word) {
            if (!path.empty()) {
                throw fluorite::BadCommandLine("'" + word + "' is a second file; there is one; leave it out");
            }
            path = word;
        });
    } catch (const fluorite::BadCommandLine &error) {
        std::fprintf(stderr, "fluorite_probe: %s\n", error.what());
        return 2;
    }
    if (help) {
        std::printf("usage: fluorite_probe [FILE]\n\nMeasures this machine for automatic schedules, in some "
                    "seconds, and writes a machine file, or prints it.\n\n%s",
                    fluorite::options_help(rows).c_str());
        return 0;
    }
    if (processors) {
        list_processors();
        return 0;
    }
    if (instructions) {
        std::fputs(probe::instruction_costs().c_str(), stdout);
        return 0;
    }
    const std::string text =
        fluorite::measure_machine([](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); });
    if (path.empty()) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    if (!fluorite::write_file(path, text)) {
        std::fprintf(stderr, "fluorite_probe: %s cannot be written; name a file in a folder that there is\n",
                     path.c_str());
        return 2;
    }
    return 0;
}
