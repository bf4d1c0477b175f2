#pragma once
// When errors are told to the program's reporter (fluorite/error_reporter.h).
//
// An error is told where it is made, which is where it is thrown, unless the library may still handle it: then where it
// leaves the library. `NoReports` marks the code whose errors are caught, per thread.

#include "fluorite/errors.h"

namespace fluorite {

/// While one lives on a thread, errors that are made there are not told.
class NoReports {
  public:
    NoReports();
    ~NoReports();
    NoReports(const NoReports &) = delete;
    NoReports &operator=(const NoReports &) = delete;
};

/// Tells the reporter, if there is one and no NoReports lives on this thread. Leaves by the exception of the reporter.
void report_error(const Error &error);
/// Tells the reporter; false if there is none.
bool report_warning(const char *text);
/// Whether there is one.
bool has_reporter();

} // namespace fluorite
