// Memory of the fields of an iteration.
//
// What: a state of an iteration is one dense buffer for each field, over the domain. The loop (iterate.cpp) decides how
// many states there are and which memory is given; this file makes their headers and blocks, restricts inputs to the
// domain, and copies a state.
//
// Memory comes from the context's fluorite_malloc, like that of generated code. Cost: a copy moves rows that are dense
// on both sides as a whole.

#include "runtime/iterate_fields.h"

#include "fluorite/runtime/checks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fluorite_runtime::iterate {

Block &Block::operator=(Block &&other) noexcept {
    std::swap(context_, other.context_);
    std::swap(host_, other.host_);
    return *this;
}

bool Block::allocate(void *context, size_t bytes) {
    reset();
    context_ = context;
    host_ = static_cast<uint8_t *>(fluorite_malloc(context, std::max<size_t>(bytes, 1)));
    return host_ != nullptr;
}

void Block::reset() {
    if (host_ != nullptr) {
        fluorite_free(context_, host_);
        host_ = nullptr;
    }
}

fluorite_type_t type_of(uint32_t type) {
    return {static_cast<fluorite_type_code_t>(type & 0xFF), static_cast<uint8_t>(type >> 8),
            static_cast<uint16_t>(type >> 16)};
}

int64_t bytes_of(const Iteration &iteration, const Dims &domain) {
    int64_t bytes = 0;
    for (const uint32_t type : iteration.types) {
        bytes += type_of(type).bytes();
    }
    for (const fluorite_dimension_t &dim : domain) {
        bytes *= dim.extent;
    }
    return bytes;
}

std::vector<Header> headers_of(const Iteration &iteration, const Dims &domain, uint8_t *host) {
    std::vector<Header> headers(iteration.fields);
    for (size_t f = 0; f < iteration.fields; f++) {
        headers[f].buffer.type = type_of(iteration.types[f]);
        headers[f].buffer.host = host;
        headers[f].dims = domain;
    }
    return headers;
}

int allocate(void *context, const char *name, std::vector<Header> &headers, std::vector<Block> &blocks) {
    for (Header &header : headers) {
        Block block;
        uint64_t bytes = static_cast<uint64_t>(header.buffer.type.bytes());
        for (const fluorite_dimension_t &dim : header.dims) {
            bytes *= static_cast<uint64_t>(dim.extent);
        }
        if (!block.allocate(context, bytes)) {
            return fluorite_error_out_of_memory(context, name, bytes);
        }
        header.buffer.host = block.host();
        blocks.push_back(std::move(block));
    }
    return 0;
}

bool crop(const fluorite_buffer_t &input, const Dims &domain, Header &out) {
    if (input.dimensions != static_cast<int32_t>(domain.size()) || input.host == nullptr ||
        (input.dimensions > 0 && input.dim[0].stride != 1)) {
        return false;
    }
    std::vector<int> first;
    Dims dims = domain;
    for (size_t d = 0; d < domain.size(); d++) {
        const fluorite_dimension_t &dim = input.dim[d];
        if (domain[d].min < dim.min || int64_t{domain[d].min} + domain[d].extent > int64_t{dim.min} + dim.extent) {
            return false;
        }
        first.push_back(domain[d].min);
        dims[d].stride = dim.stride;
    }
    out.buffer.host = input.address_of(first.data());
    out.dims = dims;
    return true;
}

/// Copies the dimensions up to `dim`.
static void copy_dims(const fluorite_buffer_t &from, const fluorite_buffer_t &to, const uint8_t *source,
                      uint8_t *target, int32_t dim) {
    const auto bytes = static_cast<size_t>(from.type.bytes());
    if (dim < 0) {
        std::memcpy(target, source, bytes);
        return;
    }
    const fluorite_dimension_t &a = from.dim[dim], &b = to.dim[dim];
    if (dim == 0 && a.stride == 1 && b.stride == 1) {
        std::memcpy(target, source, bytes * static_cast<size_t>(a.extent));
        return;
    }
    for (int32_t i = 0; i < a.extent; i++) {
        copy_dims(from, to, source + ptrdiff_t{i} * a.stride * static_cast<ptrdiff_t>(bytes),
                  target + ptrdiff_t{i} * b.stride * static_cast<ptrdiff_t>(bytes), dim - 1);
    }
}

void copy_elements(const fluorite_buffer_t &from, const fluorite_buffer_t &to) {
    copy_dims(from, to, from.host, to.host, from.dimensions - 1);
}

} // namespace fluorite_runtime::iterate
