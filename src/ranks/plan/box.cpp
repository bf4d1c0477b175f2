#include "ranks/plan/box.h"

#include "support/check.h"

namespace fluorite::distribute {

bool empty(const Box &box) {
    return std::any_of(box.begin(), box.end(), [](Span span) { return span.empty(); });
}

int64_t volume(const Box &box) {
    int64_t points = 1;
    for (Span span : box) {
        points *= span.extent();
    }
    return points;
}

Box intersect(const Box &a, const Box &b) {
    check(a.size() == b.size(), "boxes that are intersected have the same number of dimensions");
    Box result(a.size());
    for (size_t d = 0; d < a.size(); d++) {
        result[d] = intersect(a[d], b[d]);
    }
    return result;
}

bool contains(const Box &outer, const Box &inner) { return empty(inner) || intersect(outer, inner) == inner; }

Box hull(const Box &a, const Box &b) {
    if (empty(a) || empty(b)) {
        return empty(a) ? b : a;
    }
    Box box = a;
    for (size_t d = 0; d < box.size(); d++) {
        box[d] = {std::min(a[d].begin, b[d].begin), std::max(a[d].end, b[d].end)};
    }
    return box;
}

std::string to_string(Span span) { return concat("[", span.begin, ", ", span.end, ")"); }

std::string to_string(const Box &box) {
    if (empty(box)) {
        return "nothing";
    }
    std::string text;
    for (Span span : box) {
        text += (text.empty() ? "" : " x ") + to_string(span);
    }
    return text;
}

} // namespace fluorite::distribute
