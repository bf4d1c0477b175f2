// Mistakes in kernels that a run on a device may hide: the executor shows them.

#include "fluorite/fluorite.h"
#include "support/check.h"
#include "support/test_errors.h"
#include "tests/planted/plant.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace fluorite::planted_kernels_test {
namespace {

using planted::Fault;
using planted::PlantedFault;

class PlantedInKernels : public testing::Test {
  protected:
    void SetUp() override {
        before_ = std::getenv("FLUORITE_BACK_END") ? std::getenv("FLUORITE_BACK_END") : "";
        setenv("FLUORITE_BACK_END", "executor", 1);
    }
    void TearDown() override {
        before_.empty() ? unsetenv("FLUORITE_BACK_END") : setenv("FLUORITE_BACK_END", before_.c_str(), 1);
    }

    Var x{"x"}, y{"y"};

    /// Row r.y of a triangle, which depends on row r.y - 1. Nothing is stored before the loop over rows, so no barrier
    /// that what comes before it needs is at the start of its body.
    Func triangle(const std::string &name) {
        Func f(name + "_rows"), g(name);
        RDom r(0, 16, 1, 15, "r");
        f(x, y) = undef<int>();
        f(r.x, r.y) = select(r.y == 1 || r.x == 0 || r.x == 15, r.x, f(r.x - 1, r.y - 1) + f(r.x + 1, r.y - 1));
        g(x, y) = f(x, y + 1);
        g.gpu_blocks(y).gpu_threads(x);
        f.compute_at(g, y).gpu_threads(x);
        f.update().gpu_threads(r.x);
        return g;
    }

    /// a is read in each iteration of a loop in which b and c follow each other.
    Func rotation(const std::string &name) {
        Func a(name + "_a"), b(name + "_b"), c(name + "_c"), g(name + "_g"), h(name);
        RDom s(0, 3, "s");
        a(x) = x * 7 + 1;
        b(x, y) = a(x) + y;
        c(x, y) = b(31 - x, y) * 2;
        g(x, y) = 0;
        g(x, y) += c(31 - x, s);
        h(x, y) = g(x, y);
        h.bound(x, 0, 32).gpu_blocks(y).gpu_threads(x);
        g.compute_at(h, y).gpu_threads(x);
        g.update().reorder(x, s).gpu_threads(x);
        a.compute_at(h, y).bound_extent(x, 32).gpu_threads(x);
        b.compute_at(g, s).bound_extent(x, 32).gpu_threads(x);
        c.compute_at(g, s).bound_extent(x, 32).gpu_threads(x);
        return h;
    }
    int one_of_rotation(int at) const {
        int sum = 0;
        for (int s = 0; s < 3; s++) {
            sum += (at * 7 + 1 + s) * 2;
        }
        return sum;
    }

  private:
    std::string before_;
};

TEST_F(PlantedInKernels, WaitingForTheIterationBefore) {
    (void)triangle("right").realize({16, 15});
    const PlantedFault planted(Fault::Carried);
    try {
        (void)triangle("wrong").realize({16, 15});
        ADD_FAILURE() << "no race is reported";
    } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("data race in "), std::string::npos) << error.what();
    }
}

TEST_F(PlantedInKernels, MemoryThatTheNextIterationReads) {
    const Buffer<int> right = rotation("right").realize({32, 2});
    EXPECT_EQ(right(5, 1), one_of_rotation(5));
    const PlantedFault planted(Fault::Reuse);
    try {
        const Buffer<int> seen = rotation("wrong").realize({32, 2});
        EXPECT_NE(seen(5, 1), one_of_rotation(5));
    } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("data race in "), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace fluorite::planted_kernels_test
