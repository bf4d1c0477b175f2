// The arguments of a call in memory that another process maps, and back.
//
// Method: the ranges of addresses of all buffers' elements are merged where they overlap, so that a buffer that is an
// output and an input, or two crops of one image, are also the same memory there. Each merged range is copied as a
// whole, gaps between rows included.
//
// Cost: a copy of the elements in each direction; those of inputs only there.

#include "backends/emulated/shared_call.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace fluorite::backends::emulated {

using ir::LoweredArg;

namespace {

constexpr uint64_t alignment = 128; // at least that of fluorite_malloc, on which code may rely

fluorite_buffer_t *buffer_of(const LoweredArg &arg, void *value) {
    return arg.kind == LoweredArg::Kind::Scalar ? nullptr : static_cast<fluorite_buffer_t *>(value);
}

uint64_t aligned(uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; }

} // namespace

SharedCall::SharedCall(const std::vector<LoweredArg> &args, void **values) : args_(args), values_(values) {
    find_spans();
    lay_out();
    write_args();
}

SharedCall::~SharedCall() {
    munmap(memory_, size_);
    close(file_);
}

void SharedCall::find_spans() {
    std::vector<Span> all;
    for (size_t i = 0; i < args_.size(); i++) {
        const fluorite_buffer_t *buffer = buffer_of(args_[i], values_[i]);
        if (buffer && buffer->host && !buffer->is_empty()) {
            const ptrdiff_t bytes = buffer->type.bytes();
            all.push_back({buffer->host + buffer->begin_offset() * bytes, buffer->host + buffer->end_offset() * bytes,
                           0, args_[i].kind == LoweredArg::Kind::OutputBuffer});
        }
    }
    std::sort(all.begin(), all.end(), [](const Span &a, const Span &b) { return a.begin < b.begin; });
    for (const Span &span : all) {
        if (!spans_.empty() && span.begin < spans_.back().end) {
            spans_.back().end = std::max(spans_.back().end, span.end);
            spans_.back().is_output = spans_.back().is_output || span.is_output;
        } else {
            spans_.push_back(span);
        }
    }
}

void SharedCall::lay_out() {
    uint64_t end = sizeof(fluorite_guest_call_t) + args_.size() * sizeof(fluorite_guest_arg_t);
    for (size_t i = 0; i < args_.size(); i++) {
        const fluorite_buffer_t *buffer = buffer_of(args_[i], values_[i]);
        end += buffer ? static_cast<uint64_t>(buffer->dimensions) * sizeof(fluorite_dimension_t) : 0;
    }
    for (Span &span : spans_) {
        span.offset = aligned(end) + reinterpret_cast<uintptr_t>(span.begin) % alignment;
        end = span.offset + static_cast<uint64_t>(span.end - span.begin);
    }
    size_ = aligned(end + alignment); // vectors may read to the end of a line
    file_ = memfd_create("fluorite-call", 0);
    void *memory = MAP_FAILED;
    if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(size_)) == 0) {
        memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    }
    if (memory == MAP_FAILED) {
        close(file_);
        throw RuntimeError("out-of-memory",
                           concat("in a call that an emulator runs: ", size_,
                                  " bytes for its arguments cannot be "
                                  "shared with it; a call needs its buffers twice; use smaller buffers"),
                           {});
    }
    memory_ = static_cast<uint8_t *>(memory);
}

uint64_t SharedCall::offset_of(const uint8_t *host) const {
    for (const Span &span : spans_) {
        if (host >= span.begin && host < span.end) {
            return span.offset + static_cast<uint64_t>(host - span.begin);
        }
    }
    return size_ - alignment; // of a buffer without elements
}

void SharedCall::write_args() {
    auto *header = at<fluorite_guest_call_t>(0);
    header->arg_count = static_cast<uint32_t>(args_.size());
    header->num_threads = fluorite_get_num_threads();
    auto *given = at<fluorite_guest_arg_t>(sizeof *header);
    uint64_t dims = sizeof *header + args_.size() * sizeof *given;
    for (size_t i = 0; i < args_.size(); i++) {
        if (args_[i].kind == LoweredArg::Kind::Scalar) {
            given[i].kind = fluorite_guest_scalar;
            if (!args_[i].type.is_handle()) { // addresses are those of this process
                std::memcpy(&given[i].scalar, values_[i], static_cast<size_t>(args_[i].type.bytes()));
            }
        } else if (const fluorite_buffer_t *buffer = buffer_of(args_[i], values_[i])) {
            given[i].kind = fluorite_guest_buffer;
            given[i].dimensions = buffer->dimensions;
            given[i].flags = buffer->flags;
            given[i].type = buffer->type;
            given[i].host = buffer->host ? offset_of(buffer->host) : 0;
            given[i].dim = dims;
            const auto count = static_cast<size_t>(buffer->dimensions);
            std::copy_n(buffer->dim, count, at<fluorite_dimension_t>(dims));
            dims += count * sizeof(fluorite_dimension_t);
        }
    }
    for (const Span &span : spans_) {
        std::copy(span.begin, span.end, memory_ + span.offset);
    }
}

void SharedCall::copy_back() const {
    const auto *given = at<fluorite_guest_arg_t>(sizeof(fluorite_guest_call_t));
    for (size_t i = 0; i < args_.size(); i++) {
        if (fluorite_buffer_t *buffer = buffer_of(args_[i], values_[i])) {
            buffer->flags = given[i].flags;
            buffer->type = given[i].type;
            std::copy_n(at<fluorite_dimension_t>(given[i].dim), static_cast<size_t>(buffer->dimensions), buffer->dim);
        }
    }
    for (const Span &span : spans_) {
        if (span.is_output) {
            std::copy_n(memory_ + span.offset, span.end - span.begin, span.begin);
        }
    }
}

} // namespace fluorite::backends::emulated
