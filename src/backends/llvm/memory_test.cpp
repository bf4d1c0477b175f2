// Loads, stores, allocations, tasks and failures as machine code.

#include "backends/llvm/test_support.h"
#include "fluorite/errors.h"
#include "ir/test_targets.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <mutex>

namespace fluorite::backends::memory_test {
namespace {

using namespace ir;
using ir::add; // not of linear indices

std::vector<Target> targets() {
    const Target plain(Target::Linux, Target::X86, 64);
    return that_run_here({plain.with_feature(Target::Checked),
                          plain.with_feature(Target::AVX2).with_feature(Target::Checked),
                          get_host_target().with_feature(Target::Checked)});
}

constexpr int lanes = 8;
constexpr int size = 64; // elements of each buffer

/// lane -> element, and the index expression for it.
struct Pattern {
    const char *name;
    Expr index;
    std::array<int, lanes> element{};
};

Pattern ramp_pattern(const char *name, int base, int stride) {
    Pattern pattern{name, make_ramp(add(loop_var("i"), Expr(base)), Expr(stride), lanes), {}};
    for (int l = 0; l < lanes; l++) {
        pattern.element[static_cast<size_t>(l)] = base + stride * l; // i is 0
    }
    return pattern;
}

std::vector<Pattern> patterns() {
    std::vector<Pattern> list{ramp_pattern("dense", 3, 1),    ramp_pattern("reversed", 30, -1),
                              ramp_pattern("same", 5, 0),     ramp_pattern("stride 2", 1, 2),
                              ramp_pattern("stride 3", 2, 3), ramp_pattern("stride 4", 0, 4),
                              ramp_pattern("stride 5", 7, 5), ramp_pattern("stride -3", 40, -3)};
    // The last element that a strided load touches is the last of the buffer.
    list.push_back(ramp_pattern("stride 2 at the end", size - 15, 2));
    list.push_back(ramp_pattern("stride 4 at the end", size - 29, 4));
    const Expr forward = make_ramp(add(loop_var("i"), Expr(-3)), Expr(1), lanes);
    const Expr backward = make_ramp(sub(Expr(4), loop_var("i")), Expr(-1), lanes);
    const auto at_most = [](const Expr &a, int b) { return min_of(a, make_broadcast(Expr(b), lanes)); };
    const auto at_least = [](const Expr &a, int b) { return max_of(a, make_broadcast(Expr(b), lanes)); };
    list.push_back({"clamped", at_most(at_least(forward, 0), 2), {0, 0, 0, 0, 1, 2, 2, 2}});
    list.push_back({"clamped at the end",
                    at_most(add(forward, make_broadcast(Expr(size - 2), lanes)), size - 1),
                    {59, 60, 61, 62, 63, 63, 63, 63}});
    list.push_back(
        {"clamped to one", at_most(at_least(forward, size - 1), size - 1), {63, 63, 63, 63, 63, 63, 63, 63}});
    list.push_back({"falling and clamped", at_least(backward, 1), {4, 3, 2, 1, 1, 1, 1, 1}});
    list.push_back({"every element twice",
                    div(make_ramp(add(loop_var("i"), Expr(5)), Expr(1), lanes), make_broadcast(Expr(2), lanes)),
                    {2, 3, 3, 4, 4, 5, 5, 6}});
    Pattern gathered{"gather", load(Int(32, lanes), "table", dense(loop_var("i"), lanes)), {9, 2, 2, 63, 0, 17, 5, 9}};
    list.push_back(gathered);
    Pattern nested{"ramp of ramps",
                   make_ramp(make_ramp(Expr(4), Expr(1), 4), make_broadcast(Expr(20), 4), 2),
                   {4, 5, 6, 7, 24, 25, 26, 27}};
    list.push_back(nested);
    Pattern wide{"int64",
                 make_ramp(make_cast(Int(64), add(loop_var("i"), Expr(6))), Expr(int64_t{1}), lanes),
                 {6, 7, 8, 9, 10, 11, 12, 13}};
    list.push_back(wide);
    Pattern sum{"sum of a ramp and a broadcast",
                add(make_ramp(Expr(0), Expr(2), lanes), make_broadcast(add(loop_var("i"), Expr(3)), lanes)),
                {3, 5, 7, 9, 11, 13, 15, 17}};
    list.push_back(sum);
    return list;
}

struct Mask {
    const char *name;
    Expr predicate;
    std::array<bool, lanes> on{};
};

std::vector<Mask> masks() {
    Mask all{"all", make_bool(true, lanes), {true, true, true, true, true, true, true, true}};
    Mask none{"none", make_broadcast(less(loop_var("i"), Expr(0)), lanes), {}};
    Mask uniform{"uniform", make_broadcast(less(loop_var("i"), Expr(1)), lanes), all.on};
    Mask tail{
        "tail", less(dense(loop_var("i"), lanes), make_broadcast(Expr(5), lanes)), {true, true, true, true, true}};
    return {all, none, uniform, tail};
}

class EveryAccess : public testing::TestWithParam<Type> {
  protected:
    static void fill(TestBuffer &buffer, Type type, uint64_t seed) {
        for (size_t i = 0; i < buffer.size(); i++) {
            buffer.data<uint8_t>()[i] = static_cast<uint8_t>(type.is_bool() ? (i * 5 + seed) % 3 == 0 : i * 37 + seed);
        }
    }
    static void fill_table(TestBuffer &table, const Pattern &pattern) {
        std::copy(pattern.element.begin(), pattern.element.end(), table.data<int32_t>());
    }
};

TEST_P(EveryAccess, LoadsTakeTheirLanes) {
    const Type type = GetParam();
    const size_t bytes = static_cast<size_t>(type.bytes());
    for (const Target &target : targets()) {
        for (const Pattern &pattern : patterns()) {
            for (const Mask &mask : masks()) {
                const Stmt body = store("out", load(type.with_lanes(lanes), "in", pattern.index, mask.predicate),
                                        dense(loop_var("i"), lanes));
                const LoweredFunc func{
                    "loads",
                    {input_arg("in", type, 1), input_arg("table", Int(32), 1), output_arg("out", type, 1)},
                    serial("i", Expr(0), Expr(1), body)};
                TestBuffer in(type, {size}), table(Int(32), {lanes}), out(type, {lanes});
                fill(in, type, 1);
                fill_table(table, pattern);
                ASSERT_EQ(run(*compile_jit(func, target), {&in, &table, &out}), 0);
                for (size_t l = 0; l < lanes; l++) {
                    std::vector<uint8_t> expected(bytes);
                    if (mask.on[l]) {
                        std::memcpy(expected.data(),
                                    in.data<uint8_t>() + static_cast<size_t>(pattern.element[l]) * bytes, bytes);
                    }
                    ASSERT_EQ(std::memcmp(expected.data(), out.data<uint8_t>() + l * bytes, bytes), 0)
                        << pattern.name << ", " << mask.name << ", lane " << l << " of " << to_string(type);
                }
            }
        }
    }
}

TEST_P(EveryAccess, StoresPutTheirLanes) {
    const Type type = GetParam();
    const size_t bytes = static_cast<size_t>(type.bytes());
    for (const Target &target : targets()) {
        for (const Pattern &pattern : patterns()) {
            for (const Mask &mask : masks()) {
                const Expr value = load(type.with_lanes(lanes), "in", dense(loop_var("i"), lanes));
                const Stmt body = store("out", value, pattern.index, mask.predicate);
                const LoweredFunc func{
                    "stores",
                    {input_arg("in", type, 1), input_arg("table", Int(32), 1), output_arg("out", type, 1)},
                    serial("i", Expr(0), Expr(1), body)};
                TestBuffer in(type, {lanes}), table(Int(32), {lanes}), out(type, {size}), expected(type, {size});
                fill(in, type, 3);
                fill(out, type, 4);
                fill(expected, type, 4);
                fill_table(table, pattern);
                for (size_t l = 0; l < lanes; l++) { // in order: the last lane wins
                    if (mask.on[l]) {
                        std::memcpy(expected.data<uint8_t>() + static_cast<size_t>(pattern.element[l]) * bytes,
                                    in.data<uint8_t>() + l * bytes, bytes);
                    }
                }
                ASSERT_EQ(run(*compile_jit(func, target), {&in, &table, &out}), 0);
                ASSERT_EQ(std::memcmp(expected.data<uint8_t>(), out.data<uint8_t>(), out.size()), 0)
                    << pattern.name << ", " << mask.name << " of " << to_string(type) << " on " << target.to_string();
            }
        }
    }
}

class EveryTranspose : public testing::TestWithParam<Type> {};

TEST_P(EveryTranspose, PutsRowsWhereColumnsWere) {
    const Type type = GetParam();
    const size_t bytes = static_cast<size_t>(type.bytes());
    constexpr int most = 32;
    const int most_elements = std::min(512, 1024 / type.bytes()); // sixteen registers of 512 bits
    for (const Target &target : targets()) {
        std::vector<Stmt> stores;
        std::vector<std::pair<int, int>> shapes; // rows, elements of a row
        for (int rows = 2; rows <= most; rows *= 2) {
            for (int row = 2; row <= most && rows * row <= most_elements; row *= 2) {
                Indices order;
                for (int k = 0; k < rows * row; k++) {
                    order.push_back(k % rows * row + k / rows);
                }
                const Expr all = load(type.with_lanes(rows * row), "in", dense(Expr(0), rows * row));
                const Expr turned = make_shuffle({&all, 1}, order);
                const int at = static_cast<int>(shapes.size()) * 1024;
                stores.push_back(store("out", turned, dense(Expr(at), rows * row)));
                // Row 1 of the transpose by itself.
                Indices second;
                for (int k = rows; k < 2 * rows; k++) {
                    second.push_back(k);
                }
                stores.push_back(store("out", make_shuffle({&turned, 1}, second), dense(Expr(at + 512), rows)));
                shapes.emplace_back(rows, row);
            }
        }
        const LoweredFunc func{
            "transposes", {input_arg("in", type, 1), output_arg("out", type, 1)}, Block::make(stores)};
        TestBuffer in(type, {512}), out(type, {1024 * static_cast<int>(shapes.size())});
        for (size_t i = 0; i < in.size(); i++) {
            in.data<uint8_t>()[i] = static_cast<uint8_t>(i / bytes * 7 + i % bytes * 31 + i / bytes / 256);
        }
        ASSERT_EQ(run(*compile_jit(func, target), {&in, &out}), 0);
        for (size_t s = 0; s < shapes.size(); s++) {
            const auto [rows, row] = shapes[s];
            const auto is_element = [&, width = row](int i, int j, int at) {
                return std::memcmp(in.data<uint8_t>() + static_cast<size_t>(i * width + j) * bytes,
                                   out.data<uint8_t>() + (s * 1024 + static_cast<size_t>(at)) * bytes, bytes) == 0;
            };
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < row; j++) {
                    ASSERT_TRUE(is_element(i, j, j * rows + i)) << rows << " x " << row << " of " << to_string(type);
                }
                ASSERT_TRUE(is_element(i, 1, 512 + i)) << rows << " x " << row << " of " << to_string(type);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Memory, EveryTranspose, testing::Values(UInt(8), Int(16), Float(32), Int(64)),
                         [](const auto &info) { return to_string(info.param); });
INSTANTIATE_TEST_SUITE_P(Memory, EveryAccess, testing::Values(Bool(), UInt(8), Float(16), Float(32), Int(64)),
                         [](const auto &info) { return to_string(info.param); });

// ---- Expressions: sharing, depth, names.

int32_t evaluate(const Expr &expr, const std::vector<int32_t> &input = {}) {
    const LoweredFunc func{
        "evaluate", {input_arg("in", Int(32), 1), output_arg("out", Int(32), 1)}, store("out", expr, Expr(0))};
    TestBuffer in(Int(32), {8}), out(Int(32), {1});
    std::copy(input.begin(), input.end(), in.data<int32_t>());
    EXPECT_EQ(run(*compile_jit(func, targets()[1]), {&in, &out}), 0);
    return out.data<int32_t>()[0];
}

TEST(Expressions, MayBeThousandsDeep) {
    Expr sum = load(Int(32), "in", Expr(0));
    for (int i = 0; i < 20'000; i++) {
        sum = add(sum, Expr(i % 3));
    }
    EXPECT_EQ(evaluate(sum, {5}), 5 + 19'999); // 6667 ones and 6666 twos
}

TEST(Expressions, AreEmittedOnceHoweverShared) {
    Expr doubled = load(Int(32), "in", Expr(1));
    for (int i = 0; i < 200; i++) { // 2^200 paths
        const Symbol t(SymbolKind::Let, "t" + std::to_string(i));
        doubled =
            i % 2 == 0
                ? add(doubled, doubled)
                : make_let(t, doubled,
                           sub(make_var(Int(32), t), make_binary(ExprKind::BitXor, doubled, make_var(Int(32), t))));
    }
    EXPECT_EQ(evaluate(doubled, {0, 3}), 0);
    Expr index = loop_var("zero");
    for (int i = 0; i < 60; i++) {
        index = add(index, index);
    }
    const Stmt body = store("out", load(Int(32), "in", index), Expr(0));
    const LoweredFunc func{"shared_index",
                           {input_arg("in", Int(32), 1), output_arg("out", Int(32), 1)},
                           serial("zero", Expr(0), Expr(1), body)};
    TestBuffer in(Int(32), {8}), out(Int(32), {1});
    in.data<int32_t>()[0] = 42;
    EXPECT_EQ(run(*compile_jit(func, targets()[1]), {&in, &out}), 0);
    EXPECT_EQ(out.data<int32_t>()[0], 42);
}

TEST(Expressions, InnerLetsHideOuterOnes) {
    const Symbol x(SymbolKind::Let, "x");
    const Expr use = make_var(Int(32), x);
    const Expr inner = make_let(x, add(use, Expr(10)), mul(use, use)); // (x + 10)^2
    const Expr outer = make_let(x, load(Int(32), "in", Expr(0)), add(use, add(inner, use)));
    const Expr twice = add(outer, make_let(x, Expr(1), mul(use, inner))); // 1 * 121
    EXPECT_EQ(evaluate(twice, {2}), 2 + 144 + 2 + 121);
}

TEST(Expressions, LoadsSeeStoresBetween) {
    const Expr old = load(Int(32), "out", Expr(0));
    const Stmt body = Block::make(
        {store("out", Expr(7), Expr(0)), store("out", add(old, old), Expr(0)), store("out", add(old, old), Expr(0))});
    const LoweredFunc func{"stores_between", {output_arg("out", Int(32), 1)}, body};
    TestBuffer out(Int(32), {1});
    EXPECT_EQ(run(*compile_jit(func, targets()[2]), {&out}), 0);
    EXPECT_EQ(out.data<int32_t>()[0], 28);
}

// The slices of a vector that are built in one branch are not used in the other one.
TEST(Expressions, AreShuffledInBranches) {
    Indices backwards, halves;
    for (int i = 0; i < 24; i++) {
        backwards.push_back(23 - i);
        halves.push_back(i % 2 * 12 + i / 2);
    }
    const Expr half = add(load(UInt(8, 12), "in", dense(Expr(0), 12)), make_broadcast(make_int(UInt(8), 3), 12));
    const Symbol name(SymbolKind::Let, "all");
    const Expr all = make_var(UInt(8, 24), name);
    const auto shuffled = [&](const Indices &order) { return make_shuffle({&all, 1}, order); };
    const Expr choice = make_binary(ExprKind::LT, load(UInt(8), "in", Expr(12)), make_int(UInt(8), 5));
    const Stmt body =
        serial("once", Expr(0), Expr(1),
               LetStmt::make(name, make_broadcast(half, 2),
                             IfThenElse::make(choice, store("out", shuffled(backwards), dense(Expr(0), 24)),
                                              store("out", shuffled(halves), dense(Expr(0), 24)))));
    const LoweredFunc func{"branches", {input_arg("in", UInt(8), 1), output_arg("out", UInt(8), 1)}, body};
    const auto code = compile_jit(func, get_host_target().with_feature(Target::Checked)); // LLVM checks the module
    TestBuffer in(UInt(8), {13}), out(UInt(8), {24});
    for (const bool is_first : {true, false}) {
        for (int i = 0; i < 12; i++) {
            in.data<uint8_t>()[i] = static_cast<uint8_t>(i);
        }
        in.data<uint8_t>()[12] = is_first ? 0 : 9;
        EXPECT_EQ(run(*code, {&in, &out}), 0);
        for (int i = 0; i < 24; i++) {
            EXPECT_EQ(out.data<uint8_t>()[i], 3 + (is_first ? 23 - i : i / 2) % 12) << i;
        }
    }
}

TEST(Expressions, ReduceVectors) {
    for (const Target &target : targets()) {
        const Expr v = load(Int(16, 12), "in", dense(Expr(0), 12));
        const LoweredFunc func{
            "reduce",
            {input_arg("in", Int(16), 1), output_arg("out", Int(16), 1)},
            Block::make({store("out", make_vector_reduce(ReduceOp::Add, v, 1), Expr(0)),
                         store("out", make_vector_reduce(ReduceOp::Max, v, 4), dense(Expr(1), 4)),
                         store("out", make_vector_reduce(ReduceOp::SaturatingAdd, v, 2), dense(Expr(5), 2)),
                         store("out", make_vector_reduce(ReduceOp::Mul, v, 6), dense(Expr(7), 6))})};
        TestBuffer in(Int(16), {12}), out(Int(16), {13});
        const int16_t values[12] = {1, -2, 3, 30000, 5, 600, 7, 8, -9, 10, 11, -12};
        std::copy(values, values + 12, in.data<int16_t>());
        EXPECT_EQ(run(*compile_jit(func, target), {&in, &out}), 0);
        const int16_t expected[13] = {30622, 3,  30000, 8,   11, 30607, 15, -2, static_cast<int16_t>(90000),
                                      3000,  56, -90,   -132};
        for (int i = 0; i < 13; i++) {
            EXPECT_EQ(out.data<int16_t>()[i], expected[i]) << i;
        }
    }
}

// ---- Tasks, failures, allocations.

Expr failure(int code) {
    const Expr args[] = {Expr(code), make_string("made to fail")};
    return make_extern(Int(32), "fluorite_error", args);
}

TEST(Tasks, NestAndSeeTheirSurroundings) {
    const Expr x = loop_var("x"), y = loop_var("y"), z = loop_var("z");
    const Symbol offset(SymbolKind::Let, "offset");
    const Expr value = add(add(mul(z, Expr(100)), mul(y, Expr(10))), add(x, make_var(Int(32), offset)));
    const Expr index = add(mul(add(mul(z, Expr(3)), y), Expr(5)), x);
    const Stmt nest =
        parallel("z", Expr(0), Expr(4),
                 parallel("y", Expr(0), Expr(3), serial("x", Expr(0), Expr(5), store("out", value, index))));
    const LoweredArg scalar{LoweredArg::Kind::Scalar, Symbol(SymbolKind::Param, "p"), Int(32), 0};
    const Stmt body = LetStmt::make(offset, mul(make_var(Int(32), scalar.symbol), Expr(1000)), nest);
    const auto code = compile_jit({"nested", {scalar, output_arg("out", Int(32), 3)}, body}, get_host_target());
    TestBuffer out(Int(32), {5, 3, 4});
    int32_t p = 7;
    void *args[] = {&p, out.header()};
    ASSERT_EQ(code->run(args), 0);
    for (int i = 0; i < 60; i++) {
        EXPECT_EQ(out.data<int32_t>()[i], 7000 + i / 15 * 100 + i / 5 % 3 * 10 + i % 5);
    }
}

TEST(Tasks, GiveBackTheFirstFailure) {
    const Expr y = loop_var("y");
    const Stmt body = parallel(
        "y", Expr(0), Expr(20),
        Assert::make(less(y, Expr(11)), make_extern(Int(32), "fluorite_error",
                                                    std::vector<Expr>{sub(Expr(-100), y), make_string("late")})));
    const auto code = compile_jit({"failing", {}, body}, get_host_target());
    EXPECT_EQ(run(*code, {}), -111);
}

std::mutex blocks_mutex;
std::map<void *, size_t> blocks;
size_t mallocs = 0, refuse_above = ~size_t{0};

void *counting_malloc(void *, size_t bytes) {
    std::lock_guard lock(blocks_mutex);
    if (bytes > refuse_above) {
        return nullptr;
    }
    void *block = std::aligned_alloc(128, (bytes + 255) / 128 * 128);
    blocks[block] = bytes;
    mallocs++;
    return block;
}
void counting_free(void *, void *block) {
    std::lock_guard lock(blocks_mutex);
    EXPECT_TRUE(block == nullptr || blocks.erase(block) == 1);
    std::free(block);
}

class Allocations : public testing::Test {
  protected:
    void SetUp() override {
        blocks.clear();
        mallocs = 0;
        refuse_above = ~size_t{0};
        fluorite_set_custom_malloc(counting_malloc);
        fluorite_set_custom_free(counting_free);
    }
    void TearDown() override {
        EXPECT_TRUE(blocks.empty());
        fluorite_set_custom_malloc(nullptr);
        fluorite_set_custom_free(nullptr);
    }
    /// Copies `in` to `out` through an allocation of n elements.
    static Stmt through(const Expr &n, MemoryType memory, const Stmt &between = {}) {
        const Stmt fill = serial("i", Expr(0), n,
                                 store("tmp", add(load(Int(32), "in", loop_var("i")), loop_var("k")), loop_var("i")));
        const Stmt copy = serial("j", Expr(0), n, store("out", load(Int(32), "tmp", loop_var("j")), loop_var("j")));
        return Allocate::make(buffer_symbol("tmp"), Int(32), memory, {n}, Block::make({fill, between, copy}));
    }
    static int32_t run_it(const Stmt &body, int32_t n) {
        const LoweredArg count{LoweredArg::Kind::Scalar, Symbol(SymbolKind::Param, "n"), Int(32), 0};
        const auto code =
            compile_jit({"allocating", {count, input_arg("in", Int(32), 1), output_arg("out", Int(32), 1)}, body},
                        get_host_target().with_feature(Target::Checked));
        TestBuffer in(Int(32), {1000}), out(Int(32), {1000});
        std::fill(in.data<int32_t>(), in.data<int32_t>() + 1000, 5);
        void *args[] = {&n, in.header(), out.header()};
        const int32_t result = code->run(args);
        last_ = out.data<int32_t>()[7];
        return result;
    }
    static Expr n() { return make_var(Int(32), Symbol(SymbolKind::Param, "n")); }
    static inline int32_t last_ = 0;
};

TEST_F(Allocations, OfSmallConstantSizeAreOnTheStack) {
    EXPECT_EQ(run_it(serial("k", Expr(3), Expr(1), through(Expr(100), MemoryType::Auto)), 0), 0);
    EXPECT_EQ(mallocs, 0U);
    EXPECT_EQ(last_, 8);
}

TEST_F(Allocations, InLoopsAreKeptAndGrow) {
    // Sizes 1000 - 0, 1000 - 1, ...: one block; in the other order it grows.
    EXPECT_EQ(run_it(serial("k", Expr(0), Expr(50), through(sub(n(), loop_var("k")), MemoryType::Auto)), 1000), 0);
    EXPECT_EQ(mallocs, 1U);
    EXPECT_EQ(last_, 54);
    EXPECT_EQ(run_it(serial("k", Expr(0), Expr(50), through(add(n(), loop_var("k")), MemoryType::Heap)), 900), 0);
    EXPECT_EQ(mallocs, 51U);
}

TEST_F(Allocations, AreFreedWhenSomethingFails) {
    const Stmt check = Assert::make(less(loop_var("k"), Expr(4)), failure(-27));
    EXPECT_EQ(run_it(serial("k", Expr(0), Expr(9), through(n(), MemoryType::Auto, check)), 500), -27);
    EXPECT_EQ(mallocs, 1U);
    const Symbol k = loop_symbol("k");
    EXPECT_EQ(run_it(LetStmt::make(k, Expr(6), through(n(), MemoryType::Heap, check)), 500), -27);
    EXPECT_EQ(mallocs, 2U);
}

TEST_F(Allocations, WithoutMemoryAreErrors) {
    refuse_above = 100;
    const Stmt body = LetStmt::make(loop_symbol("k"), Expr(0), through(n(), MemoryType::Heap));
    EXPECT_EQ(run_it(body, 500), fluorite_error_code_out_of_memory);
    EXPECT_EQ(std::string(fluorite_last_error_message()).find("in tmp"), 0U) << fluorite_last_error_message();
    const Stmt huge = Allocate::make(buffer_symbol("tmp"), Int(64), MemoryType::Heap, {n(), n(), n()},
                                     store("tmp", make_int(Int(64), 1), Expr(0)));
    EXPECT_EQ(run_it(huge, 0x7FFFFFFF), fluorite_error_code_buffer_allocation_too_large);
}

TEST(Atomics, CountUnderContention) {
    const Expr i = loop_var("i");
    for (ExprKind kind : {ExprKind::Add, ExprKind::Max}) {
        for (Type type : {UInt(8), Int(32), Float(32), Float(64)}) {
            const Expr bin = make_binary(ExprKind::Mod, i, Expr(4));
            const Expr one =
                kind == ExprKind::Add ? make_one(type) : make_cast(type, make_binary(ExprKind::Mod, i, Expr(100)));
            const Stmt update = store("out", make_binary(kind, load(type, "out", bin), one), bin);
            const Symbol func(SymbolKind::Func, "hist");
            const auto code = compile_jit(
                {"counting",
                 {output_arg("out", type, 1)},
                 parallel("t", Expr(0), Expr(8), serial("i", Expr(0), Expr(100), Atomic::make(func, update)))},
                get_host_target().with_feature(Target::Checked));
            TestBuffer out(type, {4});
            ASSERT_EQ(run(*code, {&out}), 0);
            for (int k = 0; k < 4; k++) {
                double got = 0;
                switch (type.key() & 0xFFFF0000U) {
                default:
                    got = type == UInt(8)     ? out.data<uint8_t>()[k]
                          : type == Int(32)   ? out.data<int32_t>()[k]
                          : type == Float(32) ? static_cast<double>(out.data<float>()[k])
                                              : out.data<double>()[k];
                }
                EXPECT_EQ(got, kind == ExprKind::Add ? 200 : 96 + k) << to_string(type);
            }
        }
    }
}

// ---- Calls.

double twice_and(double x, int8_t y) { return 2 * x + y; }

TEST(Externs, FollowTheCAbiLaneByLane) {
    const Expr args[] = {load(Float(64, 4), "in", dense(Expr(0), 4)), make_int(Int(8, 4), -3)};
    const Stmt body = store("out", make_extern(Float(64, 4), "twice_and", args), dense(Expr(0), 4));
    const LoweredFunc func{"calling", {input_arg("in", Float(64), 1), output_arg("out", Float(64), 1)}, body};
    const auto code = compile_jit(func, get_host_target(), {{"twice_and", reinterpret_cast<void *>(twice_and)}});
    TestBuffer in(Float(64), {4}), out(Float(64), {4});
    for (int i = 0; i < 4; i++) {
        in.data<double>()[i] = i * 1.5;
    }
    ASSERT_EQ(run(*code, {&in, &out}), 0);
    EXPECT_EQ(out.data<double>()[3], 6.0);
    try {
        compile_jit(func, get_host_target());
        FAIL();
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "missing-extern");
        EXPECT_EQ(error.message().substr(0, error.message().find(';')), "in calling: Symbols not found: [ twice_and ]");
        EXPECT_NE(error.message().find("twice_and"), std::string::npos);
    }
}

std::string printed;

TEST(Externs, PrintAndTrace) {
    fluorite_set_custom_print([](void *, const char *text) { printed += text; });
    const Expr parts[] = {make_string("x = "), loop_var("i"), make_string(" "), make_float(Float(32), 0.25),
                          make_string("\n")};
    const Expr text[] = {make_extern(Handle(), "text.concat", parts)};
    const Stmt body = serial("i", Expr(-1), Expr(2), Evaluate::make(make_extern(Int(32), "fluorite_print", text)));
    EXPECT_EQ(run(*compile_jit({"printing", {}, body}, get_host_target()), {}), 0);
    fluorite_set_custom_print(nullptr);
    EXPECT_EQ(printed, "x = -1 0.250000\nx = 0 0.250000\n");

    static std::string traced;
    fluorite_set_custom_trace([](void *, const fluorite_trace_event_t *event) -> int32_t {
        char line[200];
        fluorite_format_trace_event(event, line, sizeof(line));
        traced += std::string(line) + "|";
        return 77;
    });
    const Expr args[] = {make_string("f"),
                         Expr(static_cast<int32_t>(fluorite_trace_store)),
                         Expr(3),
                         Expr(0),
                         make_string(""),
                         make_uint(UInt(32), fluorite_type_t(fluorite_type_int, 32).as_u32()),
                         make_ramp(Expr(10), Expr(1), 2),
                         make_ramp(Expr(4), Expr(1), 2),
                         make_broadcast(Expr(9), 2)};
    const Stmt trace = store("out", make_extern(Int(32), "trace", args), Expr(0));
    TestBuffer out(Int(32), {1});
    EXPECT_EQ(run(*compile_jit({"tracing", {output_arg("out", Int(32), 1)}, trace}, get_host_target()), {&out}), 0);
    fluorite_set_custom_trace(nullptr);
    EXPECT_EQ(out.data<int32_t>()[0], 77);
    EXPECT_NE(traced.find("10"), std::string::npos) << traced;
    EXPECT_NE(traced.find("9"), std::string::npos) << traced;
}

TEST(Buffers, AnswerQuestionsAndQueries) {
    const Symbol in = buffer_symbol("in");
    const Expr pointer = make_var(Handle(), in);
    const auto op = [&](Type type, const char *name, std::vector<Expr> more = {}) {
        more.insert(more.begin(), pointer);
        return make_extern(type, std::string("buffer.") + name, more);
    };
    const Stmt fill = Block::make(
        {Evaluate::make(
             op(Int(32), "set_type", {make_uint(UInt(32), fluorite_type_t(fluorite_type_uint, 8).as_u32()), Expr(2)})),
         Evaluate::make(op(Int(32), "set_dim", {Expr(1), Expr(-3), Expr(12), Expr(40)}))});
    const Stmt use = store("in", make_cast(UInt(8), make_field(in, Field::Max, 1)), Expr(0));
    const Stmt body = Block::make({Assert::make(make_unary(ExprKind::Not, op(Bool(), "is_null")), failure(-12)),
                                   IfThenElse::make(op(Bool(), "is_query"), fill, use)});
    const auto code =
        compile_jit({"asking", {input_arg("in", UInt(8), 2)}, body}, get_host_target().with_feature(Target::Checked));
    TestBuffer buffer(Int(32), {5, 5});
    uint8_t *host = buffer.header()->host;
    buffer.header()->host = nullptr;
    EXPECT_EQ(run(*code, {&buffer}), 0);
    EXPECT_EQ(buffer.header()->dim[1], fluorite_dimension_t(-3, 12, 40));
    EXPECT_EQ(buffer.header()->type, fluorite_type_t(fluorite_type_uint, 8));
    buffer.header()->host = host;
    EXPECT_EQ(run(*code, {&buffer}), 0);
    EXPECT_EQ(host[0], 8);
    void *args[] = {nullptr};
    EXPECT_EQ(code->run(args), -12);
}

} // namespace
} // namespace fluorite::backends::memory_test
