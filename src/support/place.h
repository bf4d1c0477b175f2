#pragma once
// An error found deep inside, where no location in the user's program is known, points to the call that led there.

#include "fluorite/errors.h"
#include "support/reporting.h"

#include <utility>

namespace fluorite {

/// Returns what `run` returns. Errors that it throws without a location get this one.
template <typename Run> auto with_place(const Location &location, Run &&run) -> decltype(run()) {
    try {
        const NoReports guard;
        return std::forward<Run>(run)();
    } catch (const CompileError &error) {
        if (error.location().known()) {
            report_error(error);
            throw;
        }
        throw CompileError(error.slug(), error.message(), location);
    } catch (const RuntimeError &error) {
        if (error.location().known()) {
            report_error(error);
            throw;
        }
        throw RuntimeError(error.slug(), error.message(), location);
    }
}

} // namespace fluorite
