#pragma once
// Certificates and the checker's verdict on them.

#include "fluorite/certify.h"

namespace fluorite::driver {

/// Asks the checker as the options say, and sets `certificate.verdict`. `name` is the pipeline's. Throws CompileError
/// [certificate-not-checked] where it is required and cannot be asked.
void set_verdict(ScheduleCertificate &certificate, const CertifyOptions &options, const std::string &name,
                 const Location &location);

} // namespace fluorite::driver
