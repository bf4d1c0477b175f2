#pragma once

#include <string>

namespace fluorite::certify_tool {

/// Makes the certificates of the examples of the literature, has them checked, and runs those that are pipelines beside
/// their schedules. Prints a line for each; writes the certificates to the folder, if one is named. Returns the exit
/// status: 1 if a certificate is missing or rejected, or if values differ. `runs` is how often each is run for its
/// time.
int print_examples(const std::string &folder, int runs);

} // namespace fluorite::certify_tool
