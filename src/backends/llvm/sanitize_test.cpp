// Sanitized code: in every build, the passes find the accesses; in a build with a sanitizer, planted faults of
// generated code end the process with the sanitizer's report.
#include "backends/llvm/machine.h"
#include "backends/llvm/sanitize.h"
#include "backends/llvm/test_support.h"

#include <gtest/gtest.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace fluorite::backends::sanitize_test {
namespace {

using namespace ir;

/// out[i * 16 ...] = in[...] + 1 for all i, a vector at a time, under a mask if one is given.
LoweredFunc vectors(const Expr &begin, const Expr &extent, const Expr &mask = {}) {
    const Expr at = dense(mul(loop_var("i"), Expr(16)), 16);
    const Expr one = make_broadcast(Expr(1), 16);
    const Stmt body = store("out", ir::add(load(Int(32, 16), "in", at, mask), one), at, mask);
    return {"vectors", {input_arg("in", Int(32), 1), output_arg("out", Int(32), 1)}, serial("i", begin, extent, body)};
}

/// Each task of the loop over t stores every element of the loop over i.
LoweredFunc tasks_that_meet() {
    const Stmt body = store("out", loop_var("t"), loop_var("i"));
    return {"tasks",
            {output_arg("out", Int(32), 1)},
            parallel("t", Expr(0), Expr(8), serial("i", Expr(0), Expr(1000), body))};
}

/// The text for a processor with masked stores: without them, lanes are stored one by one.
std::string sanitized(const LoweredFunc &func, Sanitizer sanitizer) {
    const Target target("x86-64-linux-avx2");
    llvm::LLVMContext context;
    Machine machine(target, /*for_jit=*/true);
    std::unique_ptr<llvm::Module> module = make_module(context, outlined(func, target), target);
    machine.prepare(*module);
    machine.optimize(*module);
    sanitize(*module, machine.get(), sanitizer);
    std::string text;
    llvm::raw_string_ostream stream(text);
    EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << text;
    stream << *module;
    return text;
}

bool mentions(const std::string &text, const std::string &word) { return text.find(word) != std::string::npos; }

TEST(Sanitize, FindsLoadsAndStores) {
    const std::string plain = sanitized(vectors(Expr(0), Expr(4)), Sanitizer::None);
    EXPECT_FALSE(mentions(plain, "__asan")) << plain;
    EXPECT_FALSE(mentions(plain, "__tsan")) << plain;
    const std::string addresses = sanitized(vectors(Expr(0), Expr(4)), Sanitizer::Address);
    EXPECT_TRUE(mentions(addresses, "@__asan_report_load_n(")) << addresses;
    EXPECT_TRUE(mentions(addresses, "@__asan_report_store_n(")) << addresses;
    EXPECT_FALSE(mentions(addresses, "asan.module_ctor")) << addresses;
    const std::string threads = sanitized(vectors(Expr(0), Expr(4)), Sanitizer::Thread);
    EXPECT_TRUE(mentions(threads, "call void @__tsan_read_range(")) << threads;
    EXPECT_TRUE(mentions(threads, "call void @__tsan_write_range(")) << threads;
    const std::string scalars = sanitized(tasks_that_meet(), Sanitizer::Thread);
    EXPECT_TRUE(mentions(scalars, "call void @__tsan_write4(")) << scalars;
}

TEST(Sanitize, FindsLanesOfMaskedAccesses) {
    const Expr lane = dense(Expr(0), 16);
    const Expr mask = less(lane, make_broadcast(make_field(buffer_symbol("in"), Field::Min, 0), 16));
    const std::string threads = sanitized(vectors(Expr(0), Expr(1), mask), Sanitizer::Thread);
    size_t stores = 0;
    for (size_t at = threads.find("@__tsan_write_range("); at != std::string::npos;
         at = threads.find("@__tsan_write_range(", at + 1)) {
        stores++;
    }
    EXPECT_GE(stores, 16U) << threads;
}

// The sanitizer's runtime watches the C functions; the names that its pass gives them are those of another one.
TEST(Sanitize, CallsWatchedFunctions) {
    const Expr n = make_field(buffer_symbol("out"), Field::Extent, 0);
    const Stmt fill = serial("i", Expr(0), n, store("out", Expr(0), loop_var("i")));
    const Stmt copy = serial("j", Expr(0), n, store("twin", load(Int(32), "in", loop_var("j")), loop_var("j")));
    const LoweredFunc func{"fills",
                           {input_arg("in", Int(32), 1), output_arg("out", Int(32), 1), output_arg("twin", Int(32), 1)},
                           Block::make({fill, copy})};
    const std::string threads = sanitized(func, Sanitizer::Thread);
    EXPECT_FALSE(mentions(threads, "@__tsan_mem")) << threads;
    EXPECT_TRUE(mentions(threads, "@memset(")) << threads;
    EXPECT_TRUE(mentions(threads, "@memcpy(") || mentions(threads, "@memmove(")) << threads;
}

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
TEST(SanitizeDeathTest, CatchesWhatIsStoredOutside) {
    TestBuffer in(Int(32), {80}), out(Int(32), {64});
    EXPECT_EQ(run(*compile_jit(vectors(Expr(0), Expr(4)), get_host_target()), {&in, &out}), 0);
    EXPECT_DEATH(run(*compile_jit(vectors(Expr(0), Expr(5)), get_host_target()), {&in, &out}),
                 "heap-buffer-overflow.*(\n.*)*WRITE of size 64");
    EXPECT_DEATH(run(*compile_jit(vectors(Expr(-1), Expr(1)), get_host_target()), {&out, &in}), "READ of size 64");
}
TEST(SanitizeDeathTest, CatchesWhatIsReadPastAnAllocation) {
    const LoweredArg count{LoweredArg::Kind::Scalar, Symbol(SymbolKind::Param, "n"), Int(32), 0};
    const Expr n = make_var(Int(32), count.symbol);
    const Stmt fill = serial("i", Expr(0), n, store("tmp", loop_var("i"), loop_var("i")));
    const Stmt use = store("out", load(Int(32), "tmp", n), Expr(0));
    const Stmt body = Allocate::make(buffer_symbol("tmp"), Int(32), MemoryType::Heap, {n}, Block::make({fill, use}));
    const auto code = compile_jit({"past", {count, output_arg("out", Int(32), 1)}, body}, get_host_target());
    TestBuffer out(Int(32), {1});
    int32_t size = 1000;
    void *args[] = {&size, out.header()};
    EXPECT_DEATH(code->run(args), "READ of size 4");
}
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
TEST(SanitizeDeathTest, CatchesTasksThatMeet) {
    EXPECT_DEATH(
        {
            TestBuffer out(Int(32), {1000});
            for (int i = 0; i < 50; i++) {
                run(*compile_jit(tasks_that_meet(), get_host_target()), {&out});
            }
            std::exit(0); // the report comes first, and changes the exit code
        },
        "data race");
}
#endif

} // namespace
} // namespace fluorite::backends::sanitize_test
