#pragma once
// What of a schedule has a certificate.

#include <string>

namespace fluorite::verify {

/// What became of one directive.
struct Coverage {
    std::string func, directive;
    std::string reason; // why it is not covered; empty if it is
    bool covered() const { return reason.empty(); }
};

} // namespace fluorite::verify
