#pragma once

namespace fluorite::certify_tool {

/// Prints, for schedules of a 3x3 blur and of other examples, the time of what is compiled from the schedule and of
/// what is compiled from its certificate. Returns the exit status: 1 if the two disagree in a value.
int print_speed();

} // namespace fluorite::certify_tool
