// Wrappers of one image that belong to several pipelines.

#include "fluorite/fluorite.h"
#include "fluorite/schedule.h"

#include <gtest/gtest.h>

namespace fluorite::image_wrappers_test {
namespace {

TEST(ImageWrappers, OfAnotherPipelineKeepTheirSchedules) {
    ImageParam in(UInt(8), 1, "in");
    Func f("f"), g("g");
    Var x("x");
    f(x) = in(x) + 1;
    g(x) = in(x) + 2;
    in.in(f).compute_root().vectorize(_0, 8);
    in.in(g).compute_root();
    const Schedule before = Pipeline(f).schedule();
    Pipeline(g).apply(Schedule());
    EXPECT_EQ(Pipeline(f).schedule(), before);
    EXPECT_TRUE(Pipeline(g).schedule().empty());
}

} // namespace
} // namespace fluorite::image_wrappers_test
