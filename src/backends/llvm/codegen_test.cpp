#include "backends/llvm/sanitize.h"
#include "backends/llvm/test_support.h"
#include "support/test_errors.h"
#include "support/test_text.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::backends::codegen_test {
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

// The text depends neither on what was compiled before on the same machine nor on the addresses of LLVM's values.
TEST(Codegen, GivesTheSameTextEachTime) {
    for (OutputKind kind : {OutputKind::LlvmText, OutputKind::Assembly}) {
        const std::string first = compile_to_text(blur(32), host(), kind);
        EXPECT_NE(first, compile_to_text(blur(16), host(), kind));
        for (int i = 0; i < 10; i++) {
            const std::string again = compile_to_text(blur(32), host(), kind);
            ASSERT_TRUE(first == again) << first << again;
        }
    }
}

TEST(Codegen, MakesNoSourceCode) {
    expect_error([] { compile_to_text(blur(8), host(), OutputKind::Source); }, "not-built",
                 "in blur: source code is asked of the back end llvm; it does not make that; compile to what it makes, "
                 "or for a target of another back end");
    EXPECT_EQ(llvm_backend().name(), "llvm");
    EXPECT_TRUE(llvm_backend().knows_function("sinf"));
    EXPECT_FALSE(llvm_backend().knows_function("no_such_function"));
}

// Checked code is compiled fast: nothing combines its instructions.
TEST(Codegen, CombinesNoInstructionsOfCheckedCode) {
    const Expr n = make_var(Int(32), Symbol(SymbolKind::Param, "n"));
    const LoweredFunc func{"f",
                           {{LoweredArg::Kind::Scalar, n->symbol(), Int(32), 0}, output_arg("out", Int(32), 1)},
                           serial("x", Expr(0), n, store("out", mul(n, Expr(8)), loop_var("x")))};
    LoweredModule module = outlined(func, host());
    module.funcs[0].body =
        parallel("y", Expr(0), n, Launch::make("rows", {n, make_var(Handle(), buffer_symbol("out"))}));
    module.funcs.push_back({"rows",
                            {{LoweredArg::Kind::Scalar, n->symbol(), Int(32), 0}, output_arg("out", Int(32), 1)},
                            store("out", mul(n, Expr(8)), loop_var("y")),
                            LoweredFunc::Kind::Task,
                            loop_symbol("y")});
    const std::string plain = llvm_backend().file(module, host(), OutputKind::LlvmText);
    const std::string checked = llvm_backend().file(module, host().with_feature(Target::Checked), OutputKind::LlvmText);
    EXPECT_NE(plain.find(" shl i32 "), std::string::npos) << plain;
    EXPECT_EQ(checked.find(" shl i32 "), std::string::npos) << checked;
    EXPECT_NE(checked.find(" mul i32 "), std::string::npos) << checked;
}

// Quick code differs in its instructions only, not in LLVM's IR. A build with a sanitizer makes no other.
TEST(Codegen, SelectsInstructionsOfQuickCodeWithoutOptimization) {
    const Target quick = host().with_feature(Target::QuickCode);
    const auto functions = [](const Target &target) {
        const std::string text = compile_to_text(blur(32), target, OutputKind::LlvmText);
        return text.substr(text.find("define ")); // the metadata before it has the target's name
    };
    EXPECT_EQ(functions(host()), functions(quick));
    if (sanitizer_of_build() == Sanitizer::None) {
        EXPECT_GT(compile_jit(blur(32), quick)->code_size(), compile_jit(blur(32), host())->code_size());
    }
}

TEST(Codegen, KeepsVectorsWhole) {
    const std::string text = compile_to_text(blur(32), host(), OutputKind::LlvmText);
    EXPECT_EQ(count(text, "load <32 x i16>"), 3U) << text;
    EXPECT_EQ(count(text, "store <32 x i16>"), 1U) << text;
    EXPECT_EQ(count(text, "insertelement <32 x i16>"), 0U) << text;
    const std::string assembly = compile_to_text(blur(32), host(), OutputKind::Assembly);
    EXPECT_GE(count(assembly, "mulhuw"), 1U) << assembly; // no division by a constant is left
    EXPECT_EQ(count(assembly, "div"), 0U) << assembly;
}

} // namespace
} // namespace fluorite::backends::codegen_test
