#pragma once
// Calls of a segment's machine code.

#include "ranks/compiled/description.h"

#include <functional>
#include <memory>

namespace fluorite::distribute {

/// A function of compiled code: `args` are buffers themselves and the addresses of scalars, and null where it takes the
/// context. Buffers without memory are questions if `is_query`. `context` is that of the call of the pipeline. Returns
/// 0 or the code of an error that has been reported, or throws.
using SegmentFunction = std::function<int(std::vector<void *> args, bool is_query, void *context)>;

/// A function has failed, and the error has been reported.
struct SegmentFailed {
    int code;
};

/// What the arguments of the call of a pipeline stand for while its segments run.
struct CallValues {
    std::vector<fluorite_buffer_t *> buffers; // by array: inputs that all ranks have; null for others
    std::vector<const void *> scalars;        // by argument; null for buffers
    std::vector<int32_t> fields;              // by field
    int32_t ranks = 1;
    void *context = nullptr; // of the call
};

/// Where the segments of one program find the values of the call that runs. A program is kept from call to call, and
/// each rank has its own.
struct CallSlot {
    const CallValues *values = nullptr;
};

/// During its lifetime, the segments of a program run with these values. Scopes nest.
class CallScope {
  public:
    CallScope(CallSlot &slot, const CallValues &values) : slot_(slot), outer_(slot.values) { slot.values = &values; }
    ~CallScope() { slot_.values = outer_; }
    CallScope(const CallScope &) = delete;
    CallScope &operator=(const CallScope &) = delete;

  private:
    CallSlot &slot_;
    const CallValues *outer_;
};

/// A segment with its code. `has_part` is by array: whether it is an input of which each rank has a part. The program
/// and the function outlive it. Calls throw SegmentFailed, or what the function throws; they need values in the slot.
class SegmentCall {
  public:
    SegmentCall(const SegmentsDescription &program, size_t segment, const SegmentFunction &function,
                const std::vector<bool> &has_part, std::shared_ptr<const CallSlot> slot);

    /// The arrays and views that ranks exchange, of those that the segment reads.
    const std::vector<size_t> &reads() const { return reads_; }
    /// Like Segment::boxes and Segment::compute, over reads() and the arrays that the segment writes.
    SegmentBoxes boxes(const std::vector<Box> &writes) const;
    void compute(const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) const;

  private:
    const SegmentsDescription &program_;
    const DescribedSegment &segment_;
    const SegmentFunction &function_;
    std::shared_ptr<const CallSlot> slot_;
    std::vector<size_t> reads_;
    struct Buffer {
        size_t operand, index, array; // index: in the reads or writes
    };
    std::vector<Buffer> read_buffers_, write_buffers_, unused_buffers_;

    class Headers;
    void call(Headers &headers, bool is_query) const;
};

/// The numbers that the function of numbers gives. Throws like SegmentCall.
std::vector<int64_t> call_numbers(const SegmentsDescription &program, const SegmentFunction &function,
                                  const CallValues &values);

} // namespace fluorite::distribute
