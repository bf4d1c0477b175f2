// All crops are evaluated together: a Func `probe(x, y, c, crop)` reads the output at the crop's offset, which comes
// from a small buffer. The interpreter computes points on demand and keeps them, so values that all crops share, such
// as the histogram of the whole picture, are computed once.

#include "interpreted_crops.h"

#include "fluorite/fluorite.h"
#include "interpret/interpret.h"
#include "language/freeze.h"

namespace fluorite::demo {
namespace {

constexpr int crop_width = 24, crop_height = 16, crops = 5;

Buffer<int32_t, 1> offsets(int extent, int crop, const std::vector<int> &halves, const char *name) {
    Buffer<int32_t, 1> result(crops, name);
    for (int i = 0; i < crops; i++) {
        result(i) = (extent - crop) * halves[static_cast<size_t>(i)] / 2;
    }
    return result;
}

} // namespace

InterpretedCrops::InterpretedCrops(const Func &output, int width, int height, int channels)
    : left_(offsets(width, crop_width, {0, 2, 0, 2, 1}, "left")),
      top_(offsets(height, crop_height, {0, 0, 2, 2, 1}, "top")), values_(crop_width, crop_height, channels, crops) {
    Var x("x"), y("y"), c("c"), crop("crop");
    Func probe("probe");
    const Expr at_x = x + left_(crop), at_y = y + top_(crop);
    probe(x, y, c, crop) = output.dimensions() == 2 ? Expr(output(at_x, at_y)) : Expr(output(at_x, at_y, c));

    language::FreezeOptions options; // the options with which the machine code's program was frozen
    options.contract_fma = get_jit_target_from_environment().has_feature(Target::FMA);
    const ir::Graph graph = language::freeze({probe}, options).graph;
    interpret::evaluate(graph, 0, {{0, 0, 0, 0}, {crop_width, crop_height, channels, crops}}, {values_.raw_buffer()});
}

int64_t InterpretedCrops::count_differences(const Picture &picture) const {
    int64_t different = 0;
    values_.for_each_element([&](int x, int y, int c, int crop) {
        different += picture(x + left_(crop), y + top_(crop), c) != values_(x, y, c, crop);
    });
    return different;
}

} // namespace fluorite::demo
