#pragma once
// How fast the questions of a search over schedules are answered.

namespace fluorite::compile_time {

/// Prints questions a second, and the milliseconds of a nest after a change.
void measure_searches();

} // namespace fluorite::compile_time
