#include "distribute/need.h"

#include "fluorite/errors.h"
#include "support/check.h"

namespace fluorite::distribute {

namespace {

__extension__ using Wide = __int128; // products of coordinates and scales

constexpr int64_t far = int64_t{1} << 60;        // beyond every coordinate
constexpr int64_t max_offset = int64_t{1} << 32; // of a footprint
constexpr int64_t max_scale = int64_t{1} << 20;
constexpr size_t max_steps = 256;

int64_t limited(Wide value) { return static_cast<int64_t>(std::clamp<Wide>(value, -far, far)); }

/// floor(a / b), b > 0.
int64_t floor_divided(Wide a, Wide b) { return limited(a / b - (a % b < 0 ? 1 : 0)); }
int64_t ceil_divided(Wide a, Wide b) { return limited(a / b + (a % b > 0 ? 1 : 0)); }

// A span as its first and last coordinate.
struct Ends {
    int64_t first, last;
};

Ends mapped(Ends ends, const Scale &step) {
    const int64_t a = floor_divided(Wide{ends.first} * step.numerator, step.denominator);
    const int64_t b = floor_divided(Wide{ends.last} * step.numerator, step.denominator);
    return step.numerator > 0 ? Ends{a, b} : Ends{b, a};
}
Ends mapped(Ends ends, const Grow &step) {
    return {limited(Wide{ends.first} + step.min), limited(Wide{ends.last} + step.max)};
}
Ends mapped(Ends ends, const Clamp &step) {
    return {std::clamp(ends.first, step.range.begin, step.range.last()),
            std::clamp(ends.last, step.range.begin, step.range.last())};
}

// The inverses: which spans (f, l) become, by the step, spans with l >= last_from and f <= begin_to. Conditions that
// always or never hold are thresholds at the far end, which stay there.
bool is_far(int64_t value) { return value <= -far || value >= far; }

/// The x with floor(x * n / d) >= t are those from this on; n > 0.
int64_t scaled_from(int64_t t, int64_t n, int64_t d) { return is_far(t) ? t : ceil_divided(Wide{t} * d, n); }
/// The x with floor(x * n / d) <= t are those up to this; n > 0.
int64_t scaled_to(int64_t t, int64_t n, int64_t d) { return is_far(t) ? t : floor_divided((Wide{t} + 1) * d - 1, n); }

Reach inverted(Reach reach, const Scale &step) {
    const int64_t n = step.numerator, d = step.denominator;
    if (n > 0) {
        return {scaled_from(reach.last_from, n, d), scaled_to(reach.begin_to, n, d)};
    }
    // The last comes from the first: floor(-m f / d) >= t for f <= -t d / m, and floor(-m l / d) <= t for the others.
    return {-scaled_to(reach.begin_to, -n, d), -scaled_from(reach.last_from, -n, d)};
}
Reach inverted(Reach reach, const Grow &step) {
    return {is_far(reach.last_from) ? reach.last_from : limited(Wide{reach.last_from} - step.max),
            is_far(reach.begin_to) ? reach.begin_to : limited(Wide{reach.begin_to} - step.min)};
}
Reach inverted(Reach reach, const Clamp &step) {
    const int64_t low = step.range.begin, high = step.range.last();
    const auto [from, to] = reach;
    return {from <= low ? -far : from > high ? far : from, to >= high ? far : to < low ? -far : to};
}

[[noreturn]] void refuse_need(const std::string &name, const std::string &text) {
    throw RuntimeError("bad-distribution", concat("in the need of ", name, ": ", text));
}

void validate_step(const std::string &name, const Step &step) {
    if (const auto *scale = std::get_if<Scale>(&step)) {
        if (scale->numerator == 0 || std::abs(scale->numerator) > max_scale || scale->denominator < 1 ||
            scale->denominator > max_scale) {
            refuse_need(name, concat("a scale of ", scale->numerator, "/", scale->denominator,
                                     "; a scale is not 0, its denominator is positive, and both are at most ",
                                     max_scale, "; reduce it, or let the dimension follow nothing"));
        }
    } else if (const auto *grow = std::get_if<Grow>(&step)) {
        if (grow->min > grow->max || grow->min < -max_offset || grow->max > max_offset) {
            refuse_need(name, concat("a footprint from ", grow->min, " to ", grow->max, "; it goes upwards, from ",
                                     -max_offset, " to ", max_offset, " at most; order and limit its ends"));
        }
    } else if (std::get<Clamp>(step).range.empty()) {
        refuse_need(name,
                    "coordinates are clamped to an empty range; there has to be a nearest coordinate; clamp to the "
                    "domain");
    }
}

} // namespace

AxisNeed AxisNeed::then(Step step) const {
    AxisNeed result = *this;
    result.steps.push_back(step);
    return result;
}

Span AxisNeed::of(Span slice) const {
    if (slice.empty()) {
        return {};
    }
    const Span from = follows ? slice : fixed;
    if (from.empty()) {
        return {};
    }
    Ends ends{from.begin, from.last()};
    for (const Step &step : steps) {
        ends = std::visit([&](const auto &s) { return mapped(ends, s); }, step);
    }
    return {ends.first, ends.last + 1};
}

Reach AxisNeed::reach(Span target) const {
    check(follows.has_value(), "only a need that follows a dimension is inverted");
    Reach reach{target.begin, target.last()};
    for (size_t i = steps.size(); i-- > 0;) {
        reach = std::visit([&](const auto &s) { return inverted(reach, s); }, steps[i]);
    }
    return reach;
}

Span AxisNeed::inside(Span slice, Span target) const {
    if (!follows) {
        const Span need = of(slice);
        return need.begin >= target.begin && need.end <= target.end ? slice : Span{};
    }
    // A point needs something below the target, or above it: both are reaches, of a half line each. One point is both
    // the first and the last of its span, and the points of such a reach lie at one end.
    const Reach below = reach({-far, target.begin}), above = reach({target.end, far + 1});
    const auto without = [&](Reach outside) {
        // All of [last_from, begin_to] is outside.
        const Span out{outside.last_from, outside.begin_to + 1};
        if (intersect(slice, out).empty()) {
            return;
        }
        if (out.begin <= slice.begin) {
            slice.begin = out.end;
        } else {
            slice.end = out.begin;
        }
    };
    without(below);
    without(above);
    return slice.empty() ? Span{} : slice;
}

void validate(const Need &need, const std::string &name, size_t producer_dimensions, size_t consumer_dimensions) {
    if (need.size() != producer_dimensions) {
        refuse_need(name, concat(need.size(), " dimensions of an array of ", producer_dimensions,
                                 "; every dimension is needed somewhere; use AxisNeed::all for whole dimensions"));
    }
    for (const AxisNeed &axis : need) {
        if (axis.follows && *axis.follows >= consumer_dimensions) {
            refuse_need(name, concat("dimension ", *axis.follows, " of the consumer is followed, which has ",
                                     consumer_dimensions, "; a need follows a dimension that there is; count from 0"));
        }
        if (axis.steps.size() > max_steps) {
            refuse_need(name, concat(axis.steps.size(), " steps; there are at most ", max_steps, "; combine some"));
        }
        for (const Step &step : axis.steps) {
            validate_step(name, step);
        }
    }
}

} // namespace fluorite::distribute
