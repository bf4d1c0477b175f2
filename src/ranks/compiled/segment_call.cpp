// Calls of a segment's machine code.
//
// Which boxes a segment reads and writes for given ones is its own answer to a bounds query: headers without memory,
// which the code fills in; asked again until nothing changes, because the region of one input may depend on the fields
// of another. So whatever inference knows holds for what ranks exchange: sliding windows, tails that round up,
// pyramids.
//
// Segments have no state of their own and may run on several threads at once.

#include "ranks/compiled/segment_call.h"

#include "fluorite/errors.h"
#include "support/bounds_query_fixpoint.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>

namespace fluorite::distribute {

namespace {

alignas(128) char nothing[128]; // memory of headers whose elements nobody accesses

/// A header over a box, with or without memory. Its dimensions are inside of it, except for very many: plans ask
/// segments for boxes hundreds of times, and most of that was the time of allocations.
class Header {
  public:
    /// Without strides: those of dense memory, or the greatest; no elements are accessed then.
    Header(fluorite_type_t type, const Box &box, char *data = nullptr, const std::vector<int64_t> &strides = {})
        : more_(box.size() > few_.size() ? box.size() : 0) {
        constexpr int64_t most = std::numeric_limits<int32_t>::max();
        header_.type = type;
        header_.dimensions = static_cast<int32_t>(box.size());
        header_.dim = more_.empty() ? few_.data() : more_.data();
        header_.host = reinterpret_cast<uint8_t *>(data); // NOLINT
        int64_t stride = 1;
        for (size_t d = 0; d < box.size(); d++) {
            header_.dim[d].min = static_cast<int32_t>(box[d].begin);
            header_.dim[d].extent = static_cast<int32_t>(box[d].extent());
            header_.dim[d].stride = static_cast<int32_t>(strides.empty() ? stride : strides[d]);
            stride = std::min(stride * box[d].extent(), most);
        }
    }
    Header(const Header &) = delete;
    Header &operator=(const Header &) = delete;

    fluorite_buffer_t *get() { return &header_; }
    size_t dimensions() const { return static_cast<size_t>(header_.dimensions); }
    Span span(size_t d) const { return {header_.dim[d].min, int64_t{header_.dim[d].min} + header_.dim[d].extent}; }
    Box box() const {
        Box box(dimensions());
        for (size_t d = 0; d < box.size(); d++) {
            box[d] = span(d);
        }
        return box;
    }

  private:
    std::array<fluorite_dimension_t, 8> few_{};
    std::vector<fluorite_dimension_t> more_;
    fluorite_buffer_t header_{};
};

/// The argument for an operand that is no buffer.
void *scalar_of(const DescribedOperand &operand, const CallValues &values) {
    switch (operand.kind) {
    case DescribedOperand::Kind::Scalar:
        return const_cast<void *>(values.scalars[operand.index]); // NOLINT: only read
    case DescribedOperand::Kind::Field:
        return const_cast<int32_t *>(&values.fields[operand.index]); // NOLINT: only read
    case DescribedOperand::Kind::Ranks:
        return const_cast<int32_t *>(&values.ranks); // NOLINT: only read
    default:
        return nullptr;
    }
}

/// Segments take 32-bit strides.
void check_strides(const DescribedArray &array, const ArrayView &view) {
    for (size_t d = 0; d < view.strides.size(); d++) {
        if (std::abs(view.strides[d]) > std::numeric_limits<int32_t>::max()) {
            throw RuntimeError("buffer-too-large",
                               concat("in ", array.name, ": this rank's memory of ", to_string(view.box),
                                      " has a stride of ", view.strides[d], " elements along dimension ", d,
                                      "; strides are 32-bit; use more ranks, or cut other dimensions"));
        }
    }
}

void require_success(int code) {
    if (code != 0) {
        throw SegmentFailed{code};
    }
}

} // namespace

/// The headers of a call, by operand.
class SegmentCall::Headers : public std::vector<std::optional<Header>> {
  public:
    using vector::vector;
};

SegmentCall::SegmentCall(const SegmentsDescription &program, size_t segment, const SegmentFunction &function,
                         const std::vector<bool> &has_part, std::shared_ptr<const CallSlot> slot)
    : program_(program), segment_(program.segments[segment]), function_(function), slot_(std::move(slot)) {
    const auto contains = [](const std::vector<size_t> &arrays, size_t array) {
        return std::find(arrays.begin(), arrays.end(), array) != arrays.end();
    };
    for (const size_t array : segment_.reads) {
        if (program.is_view(array) || program.arrays[array].role != Array::Role::Input || has_part[array]) {
            reads_.push_back(array);
        }
    }
    for (size_t i = 0; i < segment_.operands.size(); i++) {
        if (segment_.operands[i].kind != DescribedOperand::Kind::Array) {
            continue;
        }
        const size_t array = segment_.operands[i].index;
        const auto place_in = [&](const std::vector<size_t> &arrays) {
            return static_cast<size_t>(std::find(arrays.begin(), arrays.end(), array) - arrays.begin());
        };
        if (contains(segment_.writes, array)) {
            write_buffers_.push_back({i, place_in(segment_.writes), array});
        } else if (contains(reads_, array)) {
            read_buffers_.push_back({i, place_in(reads_), array});
        } else if (!contains(segment_.reads, array)) {
            unused_buffers_.push_back({i, 0, array});
        }
    }
}

SegmentBoxes SegmentCall::boxes(const std::vector<Box> &writes) const {
    SegmentBoxes found{std::vector<Box>(reads_.size()), writes};
    Headers headers(segment_.operands.size());
    for (const Buffer &write : write_buffers_) {
        headers[write.operand].emplace(program_.arrays[write.array].type, writes[write.index]);
    }
    for (const Buffer &read : read_buffers_) {
        const DescribedArray &array = program_.array_of(read.array);
        headers[read.operand].emplace(array.type, Box(array.dimensions));
    }
    const auto ask = [&] {
        call(headers, true);
        return true;
    };
    const auto regions = [&] {
        Box all; // of all headers, one after the other
        for (const std::optional<Header> &header : headers) {
            for (size_t d = 0; header && d < header->dimensions(); d++) {
                all.push_back(header->span(d));
            }
        }
        return all;
    };
    bounds_query_fixpoint(segment_.name, ask, regions, {});
    for (const Buffer &read : read_buffers_) {
        found.reads[read.index] = headers[read.operand]->box();
    }
    for (const Buffer &write : write_buffers_) {
        found.writes[write.index] = headers[write.operand]->box();
    }
    return found;
}

void SegmentCall::compute(const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) const {
    Headers headers(segment_.operands.size());
    const auto add_header = [&](const Buffer &buffer, const ArrayView &view) {
        const DescribedArray &array = program_.array_of(buffer.array);
        check_strides(array, view);
        char *data = view.data || !empty(view.box) ? view.data : nothing;
        headers[buffer.operand].emplace(array.type, view.box, data, view.strides);
    };
    for (const Buffer &read : read_buffers_) {
        add_header(read, reads[read.index]);
    }
    for (const Buffer &write : write_buffers_) {
        add_header(write, writes[write.index]);
    }
    call(headers, false);
}

void SegmentCall::call(Headers &headers, bool is_query) const {
    check(slot_->values != nullptr, "segments run within a call of their pipeline");
    const CallValues &values = *slot_->values;
    for (const Buffer &unused : unused_buffers_) { // inputs of other segments
        const DescribedArray &array = program_.array_of(unused.array);
        headers[unused.operand].emplace(array.type, Box(array.dimensions), nothing);
    }
    std::vector<void *> args;
    args.reserve(segment_.operands.size());
    for (size_t i = 0; i < segment_.operands.size(); i++) {
        const DescribedOperand &operand = segment_.operands[i];
        args.push_back(operand.kind != DescribedOperand::Kind::Array ? scalar_of(operand, values)
                       : headers[i]                                  ? headers[i]->get()
                                                                     : values.buffers[operand.index]);
    }
    require_success(function_(std::move(args), is_query, values.context));
}

std::vector<int64_t> call_numbers(const SegmentsDescription &program, const SegmentFunction &function,
                                  const CallValues &values) {
    std::vector<int32_t> numbers(program.number_count);
    Header header(fluorite_type_t(fluorite_type_int, 32), {{0, static_cast<int64_t>(numbers.size())}},
                  reinterpret_cast<char *>(numbers.data())); // NOLINT
    std::vector<void *> args;
    for (const DescribedOperand &operand : program.number_operands) {
        args.push_back(operand.kind == DescribedOperand::Kind::Numbers ? header.get() : scalar_of(operand, values));
    }
    require_success(function(std::move(args), false, values.context));
    return {numbers.begin(), numbers.end()};
}

} // namespace fluorite::distribute
