#pragma once
// The arguments of a call in memory that another process maps, and back.

#include "ir/lowered.h"

#include "fluorite/runtime/guest_call.h"

#include <string>
#include <vector>

namespace fluorite::backends::emulated {

/// The memory of one call (fluorite/runtime/guest_call.h): a file without a name, which a process that is started
/// inherits. Buffers that share elements share them there, too, and addresses have the same remainders by 128.
class SharedCall {
  public:
    /// Copies the arguments, which have the forms of Executable::run. Throws RuntimeError [out-of-memory] if there is
    /// no memory for the elements.
    SharedCall(const std::vector<ir::LoweredArg> &args, void **values);
    ~SharedCall();
    SharedCall(const SharedCall &) = delete;
    SharedCall &operator=(const SharedCall &) = delete;

    int file() const { return file_; }
    const fluorite_guest_call_t &header() const { return *reinterpret_cast<const fluorite_guest_call_t *>(memory_); }
    /// Copies the elements of outputs, and the fields of all buffers, back into the arguments.
    void copy_back() const;

  private:
    struct Span {
        uint8_t *begin = nullptr, *end = nullptr; // in this process
        uint64_t offset = 0;                      // in the shared memory
        bool is_output = false;
    };

    const std::vector<ir::LoweredArg> &args_;
    void **values_;
    std::vector<Span> spans_; // of elements, in the order of their addresses, disjoint
    int file_ = -1;
    uint8_t *memory_ = nullptr;
    uint64_t size_ = 0;

    void find_spans();
    void lay_out();
    void write_args();
    uint64_t offset_of(const uint8_t *host) const;
    template <typename T> T *at(uint64_t offset) const { return reinterpret_cast<T *>(memory_ + offset); }
};

} // namespace fluorite::backends::emulated
