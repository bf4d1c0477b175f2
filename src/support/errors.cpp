// Texts of the error classes: location, message, slug.

#include "fluorite/errors.h"

#include "support/reporting.h"

namespace fluorite {

std::string to_string(const Location &location) {
    if (!location.known()) {
        return "";
    }
    return std::string(location.file) + ":" + std::to_string(location.line);
}

namespace {
std::string full_text(const std::string &slug, const std::string &message, const Location &location) {
    std::string text = location.known() ? to_string(location) + ": " : "";
    return text + message + " [" + slug + "]";
}
} // namespace

Error::Error(const std::string &slug, const std::string &message, const Location &location)
    : std::runtime_error(full_text(slug, message, location)), slug_(slug), message_(message), location_(location) {
    report_error(*this);
}

} // namespace fluorite
