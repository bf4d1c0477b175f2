#pragma once
// The reference interpreter's values of small pieces of a pipeline's output.

#include "fluorite/func.h"
#include "picture.h"

namespace fluorite::demo {

/// Pieces of 24 x 16 pixels at the four corners and in the middle, evaluated by the interpreter.
class InterpretedCrops {
  public:
    /// `output` has two or three dimensions and the picture's width and height.
    InterpretedCrops(const Func &output, int width, int height, int channels);

    int64_t count() const { return static_cast<int64_t>(values_.number_of_elements()); }
    /// The number of the crops' values whose bits differ in the picture.
    int64_t count_differences(const Picture &picture) const;

  private:
    Buffer<int32_t, 1> left_, top_;
    Buffer<uint8_t, 4> values_; // x, y, channel, crop
};

} // namespace fluorite::demo
