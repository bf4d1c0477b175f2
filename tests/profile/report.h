#pragma once
// The report of a run, as programs read it.

#include "fluorite/fluorite.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace fluorite::profile_test {

struct FuncReport {
    double milliseconds = -1;
    long long peak = 0, allocations = 0, average = 0, stack = 0, productions = 0;
    double recompute = 0;
};

struct Report {
    int runs = 0, allocations = -1;
    unsigned long long peak = 0;
    std::map<std::string, FuncReport> funcs;
    std::vector<std::string> order;
};

/// The texts that the profiler prints, in their order.
inline std::vector<std::string> &printed() {
    static std::vector<std::string> texts;
    return texts;
}
inline void keep_text(JITUserContext *, const char *text) { printed().emplace_back(text); }

inline long long number_after(const std::string &text, const char *word) {
    const size_t at = text.find(word);
    return at == std::string::npos ? 0 : std::atoll(text.c_str() + at + std::string(word).size());
}

/// Reads the forms that the peer's programs read with sscanf.
inline void read_text(const std::string &text, Report &report) {
    char name[100] = {};
    float ms = 0, percent = 0;
    if (std::sscanf(text.c_str(), "    %99[^:]: %fms (%f%%)", name, &ms, &percent) == 3) {
        FuncReport &func = report.funcs[name];
        report.order.emplace_back(name);
        func.milliseconds = static_cast<double>(ms);
        func.peak = number_after(text, " peak: ");
        func.allocations = number_after(text, " num: ");
        func.average = number_after(text, " avg: ");
        func.stack = number_after(text, " stack: ");
        func.productions = number_after(text, " runs: ");
        const size_t at = text.find(" recompute: ");
        func.recompute = at == std::string::npos ? 0 : std::atof(text.c_str() + at + 12);
        return;
    }
    report.runs = static_cast<int>(number_after(text, " runs: "));
    const size_t at = text.find(" heap allocations: ");
    if (at != std::string::npos) {
        std::sscanf(text.c_str() + at, " heap allocations: %d peak heap usage: %llu bytes", &report.allocations,
                    &report.peak);
    }
}

inline Target profiled(Target::Feature how = Target::Profile) {
    return get_jit_target_from_environment().with_feature(how);
}

/// Runs the Func into new buffers of these sizes, and gives the report of the run.
inline Report report_of(Func func, const std::vector<int32_t> &sizes, Target::Feature how = Target::Profile) {
    printed().clear();
    JITUserContext context;
    context.handlers.custom_print = keep_text;
    func.realize(&context, sizes, profiled(how));
    Report report;
    for (const std::string &text : printed()) {
        read_text(text, report);
    }
    return report;
}

} // namespace fluorite::profile_test
