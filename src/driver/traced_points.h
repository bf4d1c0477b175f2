#pragma once
// The points of Funcs that a traced run stores or loads.

#include "fluorite/jit.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace fluorite::driver {

using Point = std::vector<int64_t>;
using Points = std::map<std::string, std::set<Point>>; // by Func

inline std::set<Point> without(const std::set<Point> &points, const std::set<Point> &others) {
    std::set<Point> only;
    std::ranges::set_difference(points, others, std::inserter(only, only.end()));
    return only;
}

/// Collects the points of Funcs that a run reports, one kind of event.
struct Accesses : JITUserContext {
    const fluorite_trace_event_code_t kind;
    Points points;
    std::mutex mutex;

    explicit Accesses(fluorite_trace_event_code_t kind) : kind(kind) {
        handlers.custom_trace = [](JITUserContext *context, const fluorite_trace_event_t *event) -> int32_t {
            if (auto *accesses = static_cast<Accesses *>(context); event->event == accesses->kind) {
                accesses->add(*event);
            }
            return 1;
        };
    }
    void add(const fluorite_trace_event_t &event) {
        const std::lock_guard lock(mutex);
        const int lanes = event.type.lanes, dims = event.dimensions / lanes;
        for (int lane = 0; lane < lanes; lane++) {
            Point point;
            for (int d = 0; d < dims; d++) {
                point.push_back(event.coordinates[d * lanes + lane]);
            }
            points[event.func].insert(point);
        }
    }
};

inline std::string to_text(const Point &point) {
    std::string text = "(";
    for (size_t d = 0; d < point.size(); d++) {
        text += (d > 0 ? ", " : "") + std::to_string(point[d]);
    }
    return text + ")";
}

} // namespace fluorite::driver
