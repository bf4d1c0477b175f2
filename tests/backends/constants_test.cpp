// Buffers of the program that become data of the module.

#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "ir/verify.h"
#include "language/pipeline_contents.h"

#include <gtest/gtest.h>

namespace fluorite::constants_test {
namespace {

TEST(Constants, AreKnownInTasks) {
    Buffer<int> table(8);
    table.for_each_element([&](int i) { table(i) = i * i; });
    table.set_min(-2);
    Func f("f");
    Var x("x"), y("y");
    f(x, y) = table(x) + table.dim(0).extent() * y;
    f.parallel(y);
    const Target target = get_host_target().with_feature(Target::JIT);
    ir::LoweredModule module = driver::lower_for(*Pipeline(f).contents(), target, "f");
    std::vector<ir::LoweredArg> &args = module.entry().args;
    ASSERT_EQ(args.size(), 3U); // the context, the table, the output
    module.constants.push_back(args[1]);
    args.erase(args.begin() + 1);
    EXPECT_EQ(ir::find_violation(module).value_or(""), "");

    const auto code = driver::backend_in_process(target).load(module, target, {});
    Buffer<int> out(4, 3);
    void *context = nullptr;
    void *values[] = {&context, out.raw_buffer()};
    ASSERT_EQ(code->run(values), 0);
    out.for_each_element([&](int i, int j) { EXPECT_EQ(out(i, j), (i + 2) * (i + 2) + 8 * j) << i << ' ' << j; });
}

} // namespace
} // namespace fluorite::constants_test
