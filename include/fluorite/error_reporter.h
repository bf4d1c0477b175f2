#pragma once
// A program's own way to learn of errors and warnings, in place of exceptions and of the print function.

#include "fluorite/require_cxx17.h"

namespace fluorite {

/// Receives what programs are told: each error that the library would throw (CompileError and RuntimeError, with the
/// text of what()), and warnings. It is called on the thread on which the library was called.
class CompileTimeErrorReporter {
  public:
    virtual ~CompileTimeErrorReporter() = default;
    /// May return.
    virtual void warning(const char *text) = 0;
    /// Must not return: it throws an exception of the program's own, or ends the process. If it returns all the same,
    /// the error is thrown as without a reporter. What an exception passes is left as after an error of the library.
    [[noreturn]] virtual void error(const char *text) = 0;
};

/// Installs a reporter for the process, which must outlive its use; null: errors are thrown, and warnings go to the
/// print function. Precondition: no other thread uses the library. Not reported are InternalError, errors that the
/// library itself handles, such as those of candidates in a search, and those that the program throws.
void set_custom_compile_time_error_reporter(CompileTimeErrorReporter *reporter);

} // namespace fluorite
