// Rows that are read as columns.
//
// A block of the last stage reads a few bytes of each of many rows, which lie as far apart as the array is wide. Where
// less than a line of a row is read, its rest should still be in a cache when the next block along the rows asks for
// it; but rows that are a multiple of a page apart share few sets of a cache, so that a cache of a thousand lines may
// hold eight of them. And each row lies on a page of its own, whose address has to be known. Both depend on the order
// of the loops around the blocks: along the rows that are read, few lines and pages are in use, but each block of the
// result begins lines of its own.
//
// Method: refetch.h, for the loops around the blocks. Cost: linear in the loops and reads of the last stage.
#include "autoschedule/roofline/column_reads.h"

#include "autoschedule/roofline/read_traffic.h"

namespace fluorite::autoschedule {

namespace {

/// Whether lanes along the loop `vector` read rows of an array, so that the array's own rows are columns.
bool is_column_read(const Read &read, size_t vector) {
    const auto follows = [&](const Footprint &f) { return f.kind == Footprint::Kind::Affine && f.loop == vector; };
    return !read.footprint.empty() && read.footprint[0].kind == Footprint::Kind::Affine &&
           read.footprint[0].loop != vector && std::any_of(read.footprint.begin() + 1, read.footprint.end(), follows);
}

/// Pages of the result that a box of the last stage stores to.
double stored_pages(const StageNode &last, const std::vector<int64_t> &box, int64_t page_bytes) {
    double row_bytes = static_cast<double>(last.bytes), pages = 1;
    for (size_t dim = 0; dim < box.size(); ++dim) {
        const double apart = row_bytes / static_cast<double>(page_bytes);
        pages *= std::max(1.0, static_cast<double>(box[dim]) * std::min(1.0, apart));
        row_bytes *= static_cast<double>(last.loops[dim].extent);
    }
    return pages;
}

StridedRows rows_read(const StageGraph &graph, const Read &read, const LoopBoxes &around, double line_bytes) {
    StridedRows rows;
    rows.pitch = source_extent(graph, read, 0) * element_bytes(graph, read);
    for (const std::vector<int64_t> &box : around.boxes) {
        rows.row_bytes.push_back(row_bytes_of(graph, read, box));
        rows.lines.push_back(rows_of(graph, read, box) * std::max(1.0, rows.row_bytes.back() / line_bytes));
    }
    return rows;
}

} // namespace

std::optional<size_t> column_loop(const GroupModel &model, const std::vector<int64_t> &tile) {
    const size_t vector = model.vector_loop(tile);
    for (const Read &read : model.group.last_node().reads) {
        if (is_column_read(read, vector)) {
            return read.footprint[0].loop;
        }
    }
    return {};
}

Traffic column_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members) {
    const StageNode &last = model.group.last_node();
    const machine::CacheModel &caches = model.caches();
    Traffic traffic;
    if (!column_loop(model, plan.tile)) {
        return traffic;
    }
    const size_t vector = model.vector_loop(plan.tile);
    const LoopBoxes around = model.loops_around_blocks(plan);
    std::vector<double> pages; // of reads and of the result
    for (const std::vector<int64_t> &box : around.boxes) {
        pages.push_back(stored_pages(last, box, caches.page_bytes));
        for (const Read &read : last.reads) {
            pages.back() +=
                is_column_read(read, vector) ? read_pages(model.group, members, read, box, caches.page_bytes) : 0;
        }
    }
    traffic.pages = lookup_cycles(pages, around.counts, caches);
    for (const Read &read : last.reads) {
        if (is_column_read(read, vector)) {
            const StridedRows rows = rows_read(model.group.graph, read, around, static_cast<double>(caches.line_bytes));
            for (const double cycles : refetch_cycles(rows, around.counts, caches)) {
                traffic.caches += cycles;
            }
        }
    }
    return traffic;
}

} // namespace fluorite::autoschedule
