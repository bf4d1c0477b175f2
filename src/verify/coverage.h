#pragma once
// What of a schedule has a certificate.

#include <string>

namespace fluorite::verify {

/// What became of one directive.
struct Coverage {
    std::string func, directive;
    std::string reason;             // why it is not covered; empty if it is
    std::string means_nothing = ""; // why values cannot depend on it, if so; it is covered
    bool covered() const { return reason.empty(); }
};

} // namespace fluorite::verify
