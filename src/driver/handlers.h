#pragma once
// Whether the program has taken over error reports.

namespace fluorite::driver {

bool has_error_handler();

} // namespace fluorite::driver
