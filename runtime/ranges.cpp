// Reports the regions and coordinates that do not fit 32 bits.
//
// What: compiled code calls this with arguments that are too large, or too far from 0, to guarantee that all of its
// coordinate arithmetic stays in range, and with a program that computes the derived ranges (runtime/ranges.h). The
// first check that fails becomes an error. Cost: some 50 ns per line of the program.

#include "fluorite/runtime/ranges.h"
#include "fluorite/runtime/checks.h"
#include "runtime/text.h"

#include <algorithm>
#include <cmath>

using fluorite_runtime::RangeFailure;
using fluorite_runtime::RangeInterval;
using fluorite_runtime::RangeMachine;

namespace {

std::string integer_text(double value) {
    constexpr double most = 9.2e18;
    return fluorite_runtime::to_text(static_cast<int64_t>(std::clamp(value, -most, most)));
}

std::string range_text(const RangeInterval &range) {
    return range.lo == range.hi ? integer_text(range.lo)
                                : "[" + integer_text(range.lo) + ", " + integer_text(range.hi) + "]";
}

std::string text_of(const RangeFailure &failure) {
    const std::string range = range_text(failure.range);
    std::string text = "in " + failure.who + ": ";
    if (failure.is_region && !failure.is_part) {
        text += failure.what + " is " + range;
    } else if (failure.is_region) {
        text += failure.what + " is computed by way of " + range;
    } else {
        text += failure.what + (failure.is_part ? " is computed by way of " : " is ") + range;
    }
    constexpr double most = fluorite_runtime::largest_coordinate;
    text += failure.is_region
                ? "; regions and extents lie between " + integer_text(-most - 1) + " and " + integer_text(most)
                : "; coordinates are integers of 32 bits";
    return text + "; realize less, begin nearer to 0, or use coordinates that grow less [region-overflow]";
}

} // namespace

extern "C" int fluorite_check_ranges(void *context, const char *program, const double *arguments, int32_t count) {
    std::vector<RangeInterval> values;
    for (int32_t i = 0; i < count; i++) {
        values.push_back({arguments[i], arguments[i]});
    }
    const RangeFailure failure = RangeMachine(program, values.data()).run();
    return failure.found
               ? fluorite_error(context, fluorite_error_code_buffer_extents_too_large, text_of(failure).c_str())
               : 0;
}

extern "C" void fluorite_element_range(const fluorite_buffer_t *buffer, int64_t *range) {
    range[0] = 0;
    range[1] = 0;
    for (int32_t d = 0; d < buffer->dimensions; d++) {
        const fluorite_dimension_t &dim = buffer->dim[d];
        if (dim.extent <= 0) {
            range[0] = 0;
            range[1] = -1;
            return;
        }
        range[dim.stride < 0 ? 0 : 1] += int64_t{dim.stride} * (dim.extent - 1);
    }
}
