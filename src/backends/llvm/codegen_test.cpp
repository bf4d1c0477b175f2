#include "backends/llvm/codegen.h"
#include "backends/llvm/test_support.h"

#include <chrono>
#include <gtest/gtest.h>
#include <numeric>

namespace fluorite::backends {
namespace {

using namespace ir;

Target host() { return get_host_target(); }

/// out(x, y) = (in(x, y) + in(x+1, y) + in(x+2, y)) / 3 over uint16, a row at a time.
LoweredFunc blur(int lanes) {
    const Expr x = loop_var("x"), y = loop_var("y");
    const Expr row = mul(y, make_field(buffer_symbol("in"), Field::Stride, 1));
    const Type type = UInt(16, lanes);
    Expr sum;
    for (int i = 0; i < 3; i++) {
        const Expr tap = load(type, "in", dense(add(add(mul(x, Expr(lanes)), Expr(i)), row), lanes));
        sum = sum.defined() ? add(sum, tap) : tap;
    }
    const Expr at = dense(add(mul(x, Expr(lanes)), mul(y, make_field(buffer_symbol("out"), Field::Stride, 1))), lanes);
    const Expr width = make_field(buffer_symbol("out"), Field::Extent, 0),
               height = make_field(buffer_symbol("out"), Field::Extent, 1);
    const Stmt body = store("out", div(sum, make_int(type, 3)), at);
    return {"blur",
            {input_arg("in", UInt(16), 2), output_arg("out", UInt(16), 2)},
            parallel("y", Expr(0), height, serial("x", Expr(0), div(width, Expr(lanes)), body))};
}

TEST(Codegen, BlursInParallelRows) {
    const auto code = compile_jit(blur(32), host());
    TestBuffer in(UInt(16), {130, 17}), out(UInt(16), {128, 17});
    for (size_t i = 0; i < 130 * 17; i++) {
        in.data<uint16_t>()[i] = static_cast<uint16_t>(i * 7919);
    }
    ASSERT_EQ(run(*code, {&in, &out}), 0);
    for (size_t y = 0; y < 17; y++) {
        for (size_t x = 0; x < 128; x++) {
            const uint16_t *p = in.data<uint16_t>() + y * 130 + x;
            ASSERT_EQ(out.data<uint16_t>()[y * 128 + x], static_cast<uint16_t>(p[0] + p[1] + p[2]) / 3)
                << x << ' ' << y;
        }
    }
}

TEST(Codegen, CompilesSmallKernelsFast) {
    compile_jit(blur(32), host());
    double best = 1e9;
    for (int i = 0; i < 20; i++) {
        const auto begin = std::chrono::steady_clock::now();
        compile_jit(blur(32), host());
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    RecordProperty("milliseconds", std::to_string(best));
    if (std::getenv("FLUORITE_TEST_VERBOSE")) {
        std::puts(compile_to_text(blur(32), host(), OutputKind::LlvmText).c_str());
        std::puts(compile_to_text(blur(32), host(), OutputKind::Assembly).c_str());
        std::printf("%.2f ms\n", best);
    }
}

} // namespace
} // namespace fluorite::backends
