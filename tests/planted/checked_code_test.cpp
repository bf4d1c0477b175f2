// Mistakes in checked code: an access outside of memory is named, and values that were not computed are recognizable.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/planted/plant.h"

#include <gtest/gtest.h>

namespace fluorite::checked_code_test {
namespace {

using planted::Fault;
using planted::PlantedFault;

class PlantedInChecked : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    const Target checked = get_host_target().with_feature(Target::Checked);
};

TEST_F(PlantedInChecked, MemoryThatIsTooSmallIsNamed) {
    const PlantedFault planted(Fault::Storage);
    for (const bool vectors : {false, true}) {
        Func a("a"), b("b");
        a(x, y) = x + y;
        b(x, y) = a(x, y) + a(x + 1, y);
        a.compute_root();
        vectors ? static_cast<void>(a.vectorize(x, 8)) : static_cast<void>(a.parallel(y));
        expect_error<RuntimeError>(
            [&] { (void)b.realize({31, 10}, checked); }, "bad-access",
            vectors ? "in a: element 288 of its memory is touched, which has elements 0 to 287; compiled "
                      "code touches no memory but its own; report this: it is a fault of the compiler, "
                      "where no promise of the program is broken"
                    : "in a: element 288 of its memory is touched, which has elements 0 to 287; compiled "
                      "code touches no memory but its own; report this: it is a fault of the compiler, "
                      "where no promise of the program is broken");
    }
}

/// Mistakes without an invalid address: in checked code they give values that are recognizable.
TEST_F(PlantedInChecked, ValuesThatWereNotComputedShow) {
    Func a("a"), b("b");
    a(x, y) = x + y;
    b(x, y) = a(x, y - 1) + a(x, y + 1);
    a.store_root().compute_at(b, y);
    const Buffer<int> expected = b.realize({10, 10}, checked);
    EXPECT_EQ(expected(3, 4), 14);
    for (const Fault fault : {Fault::Sliding, Fault::Fold}) {
        const PlantedFault planted(fault);
        Func c("c"), d("d");
        c(x, y) = x + y;
        d(x, y) = c(x, y - 1) + c(x, y + 1);
        c.store_root().compute_at(d, y);
        const Buffer<int> seen = d.realize({10, 10}, checked);
        EXPECT_NE(seen(3, 4), 14);
    }
}

} // namespace
} // namespace fluorite::checked_code_test
