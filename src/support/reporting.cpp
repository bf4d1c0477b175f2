#include "support/reporting.h"

#include "fluorite/error_reporter.h"

#include <atomic>

namespace fluorite {

namespace {

std::atomic<CompileTimeErrorReporter *> installed{nullptr};
thread_local int silent = 0;

/// The reporter's contract is that this does not return; a reporter that breaks it must not end the program.
void tell(CompileTimeErrorReporter &reporter, const char *text) {
    void (CompileTimeErrorReporter::*error)(const char *) = &CompileTimeErrorReporter::error;
    (reporter.*error)(text);
}

} // namespace

NoReports::NoReports() { silent++; }
NoReports::~NoReports() { silent--; }

bool has_reporter() { return installed.load() != nullptr; }

void report_error(const Error &error) {
    CompileTimeErrorReporter *reporter = installed.load();
    if (reporter && silent == 0 && error.slug() != "user-error") {
        tell(*reporter, error.what());
    }
}

bool report_warning(const char *text) {
    CompileTimeErrorReporter *reporter = installed.load();
    if (reporter) {
        reporter->warning(text);
    }
    return reporter != nullptr;
}

void set_custom_compile_time_error_reporter(CompileTimeErrorReporter *reporter) { installed = reporter; }

} // namespace fluorite
