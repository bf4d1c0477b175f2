#pragma once

namespace fluorite::certify_tool {

/// Prints what the certificates of a blur, of chains of stages and of a local Laplacian cost to produce and to check,
/// beside what they may cost; and for schedules of the blur the time of what is compiled from the schedule and from its
/// certificate. Returns the exit status: 1 if a certificate is rejected, or the two disagree in a value.
int print_speed();

} // namespace fluorite::certify_tool
