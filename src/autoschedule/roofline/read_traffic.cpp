#include "autoschedule/roofline/read_traffic.h"

namespace fluorite::autoschedule {

namespace {

double bytes_of_dims(const StageGraph &graph, const Read &read, std::span<const int64_t> widths, size_t dims) {
    double points = 1;
    for (size_t dim = 0; dim < dims; ++dim) {
        const Footprint &footprint = read.footprint[dim];
        const int64_t extent = source_extent(graph, read, dim);
        int64_t width = extent;
        if (footprint.kind == Footprint::Kind::Affine) {
            const Rational &scale = footprint.scale;
            width = (widths[footprint.loop] - 1) * scale.numerator / scale.denominator + footprint.width();
        } else if (footprint.kind == Footprint::Kind::Constant) {
            width = footprint.width();
        }
        points *= static_cast<double>(std::min(width, extent));
    }
    return points * static_cast<double>(element_bytes(graph, read));
}

} // namespace

int64_t element_bytes(const StageGraph &graph, const Read &read) {
    return read.is_input ? graph.inputs[read.source].bytes : graph.stages[read.source].bytes;
}

int64_t source_extent(const StageGraph &graph, const Read &read, size_t dim) {
    return read.is_input ? graph.inputs[read.source].extents[dim] : graph.stages[read.source].loops[dim].extent;
}

double read_bytes(const StageGraph &graph, const Read &read, std::span<const int64_t> widths) {
    return bytes_of_dims(graph, read, widths, read.footprint.size());
}

double row_bytes_of(const StageGraph &graph, const Read &read, std::span<const int64_t> widths) {
    return bytes_of_dims(graph, read, widths, 1);
}

double rows_of(const StageGraph &graph, const Read &read, std::span<const int64_t> widths) {
    return read_bytes(graph, read, widths) / row_bytes_of(graph, read, widths);
}

double read_pages(const Group &group, const MemberWidths &members, const Read &read, std::span<const int64_t> widths,
                  int64_t page_bytes) {
    double row_bytes = static_cast<double>(element_bytes(group.graph, read)), pages = 1;
    for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
        const Footprint &footprint = read.footprint[dim];
        const auto extent = static_cast<double>(source_extent(group.graph, read, dim));
        const double width = footprint.kind == Footprint::Kind::Unbounded ? extent
                             : footprint.kind == Footprint::Kind::Constant
                                 ? static_cast<double>(footprint.width())
                                 : static_cast<double>(widths[footprint.loop]);
        const double apart = row_bytes / static_cast<double>(page_bytes);
        pages *= std::max(1.0, std::min(width, extent) * std::min(1.0, apart));
        row_bytes *= group.is_inside(read) ? static_cast<double>(members.of(group, read.source)[dim]) : extent;
    }
    return pages;
}

} // namespace fluorite::autoschedule
