#include "ranks/plan/pieces.h"

#include "fluorite/runtime/division.h"

#include <tuple>

namespace fluorite::distribute {

namespace {

bool begins_before(const Box &a, const Box &b) {
    for (size_t d = a.size(); d-- > 0;) {
        if (a[d].begin != b[d].begin) {
            return a[d].begin < b[d].begin;
        }
    }
    return false;
}

} // namespace

std::pair<int64_t, int64_t> turns(const Axis &axis, Span need) {
    if (!axis.periodic || need.empty()) {
        return {0, 0};
    }
    const int64_t extent = axis.domain.extent();
    return {floor_div(need.begin - axis.domain.begin, extent), floor_div(need.last() - axis.domain.begin, extent)};
}

std::vector<Piece> pieces_of(const Axis &axis, Span need) {
    std::vector<Piece> pieces;
    const auto [first, last] = turns(axis, need);
    for (int64_t turn = first; turn <= last; turn++) {
        const int64_t shift = turn * axis.domain.extent();
        const Span wanted = intersect(shifted(need, -shift), axis.domain);
        for (int64_t at = wanted.begin; at < wanted.end;) {
            const int64_t part = axis.owner(at);
            const Span source = intersect(wanted, axis.part(part));
            pieces.push_back({part, shifted(source, shift), shift});
            at = source.end;
        }
    }
    return pieces;
}

Transfer transfer_of(size_t flow, const Box &destination, const std::vector<int64_t> &shift, int64_t bytes) {
    Transfer transfer{flow, destination, destination, 0, volume(destination) * bytes};
    for (size_t d = 0; d < shift.size(); d++) {
        transfer.source[d] = shifted(destination[d], -shift[d]);
    }
    return transfer;
}

std::vector<Routed> pieces_of(size_t flow, const Layout &have, const Box &need, int64_t bytes, int64_t rank) {
    std::vector<Routed> routed;
    if (empty(need)) {
        return routed;
    }
    std::vector<std::vector<Piece>> pieces;
    std::vector<size_t> counts;
    for (size_t d = 0; d < need.size(); d++) {
        pieces.push_back(pieces_of(have.axes[d], need[d]));
        counts.push_back(pieces.back().size());
    }
    std::vector<int64_t> cell(need.size()), shift(need.size());
    Box destination(need.size());
    for_each_combination(counts, [&](const std::vector<size_t> &at) {
        for (size_t d = 0; d < at.size(); d++) {
            const Piece &piece = pieces[d][at[d]];
            cell[d] = piece.part;
            shift[d] = piece.shift;
            destination[d] = piece.destination;
        }
        routed.push_back({have.replicated ? rank : have.rank_of(cell), transfer_of(flow, destination, shift, bytes)});
    });
    return routed;
}

std::vector<Message> merge_messages(std::vector<Routed> boxes, int64_t rank, int64_t ranks) {
    const auto distance = [&](int64_t peer) { return place_among_peers(peer, rank, ranks); };
    std::sort(boxes.begin(), boxes.end(), [&](const Routed &a, const Routed &b) {
        const auto key = [&](const Routed &box) { return std::tuple(distance(box.peer), box.transfer.flow); };
        return key(a) != key(b) ? key(a) < key(b) : begins_before(a.transfer.destination, b.transfer.destination);
    });
    std::vector<Message> messages;
    for (Routed &box : boxes) {
        if (messages.empty() || messages.back().peer != box.peer) {
            messages.push_back({box.peer, 0, {}});
        }
        Message &message = messages.back();
        box.transfer.offset = message.bytes;
        message.bytes += box.transfer.bytes;
        message.transfers.push_back(std::move(box.transfer));
    }
    return messages;
}

} // namespace fluorite::distribute
