// The interface of back ends suffices for a back end written from CONTRIBUTING.md alone.

#include "toy_backend.h"

#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "language/pipeline_contents.h"

#include <gtest/gtest.h>

namespace fluorite::toy_backend_test {
namespace {

using backends::OutputKind;

class ToyBackend : public testing::Test {
  protected:
    const Target target{"x86-64-linux-avx2-no_asserts-no_bounds_query"};
    Var x{"x"}, y{"y"};
    ImageParam in{UInt(8), 2, "in"};
    Func g{"g"}, f{"f"};

    ir::LoweredModule lowered() const { return driver::lower_for(*Pipeline(f).contents(), target, "filter"); }
    std::string loops() const { return backends::toy_backend().file(lowered(), target, OutputKind::Source); }
};

TEST_F(ToyBackend, SeesTheTasksOfParallelLoops) {
    g(x, y) = in(x, y) + in(x, y + 1);
    f(x, y) = g(x, y) + g(x, y + 1);
    f.vectorize(x, 16).parallel(y);
    g.compute_root().vectorize(x, 16);
    f.bound(x, 0, 64).bound(y, 0, 48);
    EXPECT_EQ(loops(), R"(loops for vectors of 32 bytes
entry filter(__user_context, in, f)
  run filter.work.0
task filter.work.0(f, in)
  allocate g
  loop g.s0.y over 49
    loop g.s0.x.wide.t1 over 2
      store g: 32 lanes of uint8
  parallel f.s0.y over 48
    run filter.par_for.f.s0.y.1
task filter.par_for.f.s0.y.1(f, g) of f.s0.y
  loop f.s0.x.wide.t1 over 2
    store f: 32 lanes of uint8
)");
}

TEST_F(ToyBackend, SeesTasksInTasks) {
    Var yo("yo"), yi("yi");
    g(x, y) = in(x, y) + in(x, y + 1);
    f(x, y) = g(x, y) + g(x, y + 1);
    f.split(y, yo, yi, 8).parallel(yo);
    g.compute_at(f, yo).parallel(y);
    f.bound(x, 0, 64).bound(y, 0, 64);
    EXPECT_EQ(loops(), R"(loops for vectors of 32 bytes
entry filter(__user_context, in, f)
  parallel f.s0.yo over 8
    run filter.par_for.f.s0.yo.0
task filter.par_for.f.s0.yo.0(f, in) of f.s0.yo
  allocate g
  parallel g.s0.y over 9
    run filter.par_for.g.s0.y.1
  loop f.s0.yi over 8
    loop f.s0.x over 64
      store f: 1 lanes of uint8
task filter.par_for.g.s0.y.1(f.s0.y.base, g, in) of g.s0.y
  loop g.s0.x over 64
    store g: 1 lanes of uint8
)");
}

TEST_F(ToyBackend, RefusesWhatItDoesNotMake) {
    f(x, y) = in(x, y);
    const ir::LoweredModule module = lowered();
    const auto refused = [&](const auto &make, const std::string &text) {
        try {
            make();
            ADD_FAILURE() << "no error";
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "not-built");
            EXPECT_EQ(error.message(), text);
        }
    };
    const std::string rule = "; it does not make that; compile to what it makes, or for a target of another back end";
    refused([&] { backends::toy_backend().load(module, target, {}); },
            "in filter: code in memory is asked of the back end toy" + rule);
    refused([&] { backends::toy_backend().file(module, target, OutputKind::Object); },
            "in filter: object code is asked of the back end toy" + rule);
    refused([&] { driver::backend_for(target).file(module, target, OutputKind::Source); },
            "in filter: source code is asked of the back end llvm" + rule);
}

} // namespace
} // namespace fluorite::toy_backend_test
