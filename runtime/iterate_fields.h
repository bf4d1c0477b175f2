#pragma once
// Memory of the fields of an iteration: headers over a domain, blocks that they point to, copies.

#include "fluorite/runtime_abi.h"
#include "runtime/iterate_plan.h"

#include <cstdint>
#include <vector>

namespace fluorite_runtime::iterate {

/// A header with dimensions of its own.
struct Header {
    fluorite_buffer_t buffer{};
    std::vector<fluorite_dimension_t> dims;

    fluorite_buffer_t *get() {
        buffer.dim = dims.data();
        buffer.dimensions = static_cast<int32_t>(dims.size());
        return &buffer;
    }
};

using Dims = std::vector<fluorite_dimension_t>;

/// Memory that is freed with its owner.
class Block {
  public:
    Block() = default;
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    Block(Block &&other) noexcept : context_(other.context_), host_(other.host_) { other.host_ = nullptr; }
    Block &operator=(Block &&other) noexcept;
    ~Block() { reset(); }

    /// False if there is no memory.
    bool allocate(void *context, size_t bytes);
    uint8_t *host() const { return host_; }

  private:
    void *context_ = nullptr;
    uint8_t *host_ = nullptr;

    void reset();
};

fluorite_type_t type_of(uint32_t type);

/// The bytes of one state: all fields over the domain.
int64_t bytes_of(const Iteration &iteration, const Dims &domain);

/// Dense headers of all fields over the domain.
std::vector<Header> headers_of(const Iteration &iteration, const Dims &domain, uint8_t *host);

/// Gives each header memory of its own, which the blocks own. Returns 0, or the code of an error that it reports under
/// this name.
int allocate(void *context, const char *name, std::vector<Header> &headers, std::vector<Block> &blocks);

/// The header of an input that is a field's initial value, cropped to the domain; false if it does not cover it, or if
/// its rows are not dense.
bool crop(const fluorite_buffer_t &input, const Dims &domain, Header &out);

/// Copies all elements. Both buffers have the same type, extents and mins.
void copy_elements(const fluorite_buffer_t &from, const fluorite_buffer_t &to);

} // namespace fluorite_runtime::iterate
