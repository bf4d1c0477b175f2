// What the executor adds to the interpreter's operators: lanes, lets, memory, control, tasks, calls. Whole pipelines
// run in it in the suites that cmake/FluoriteViews.cmake registers.

#include "backends/executor/executor.h"
#include "fluorite/runtime_abi.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace fluorite::backends::executor_test {
namespace {

/// A dense buffer of one dimension.
template <typename T> class Row {
  public:
    explicit Row(int32_t extent) : elements(static_cast<size_t>(extent)), dim_(0, extent, 1) {
        header.host = reinterpret_cast<uint8_t *>(elements.data());
        const Type type = type_of<T>();
        header.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header.dimensions = 1;
        header.dim = &dim_;
    }
    Row(const Row &) = delete;

    std::vector<T> elements;
    fluorite_buffer_t header{};

  private:
    fluorite_dimension_t dim_;
};

int32_t run(const std::string &text, std::vector<void *> args, const std::vector<ExternSymbol> &externs = {}) {
    const ir::LoweredModule module = ir::parse_module(text);
    EXPECT_EQ(ir::find_violation(module).value_or(""), "");
    const Target target("x86-64-linux-no_runtime");
    return executor_backend().load(module, target, externs)->run(args.data());
}

/// The first elements of `out` after a run of statements that store to it.
std::vector<int32_t> stored(const std::string &statements, size_t count) {
    Row<int32_t> out(16);
    EXPECT_EQ(run("func f(out: output int32[1]) { " + statements + " }", {&out.header}), 0);
    out.elements.resize(count);
    return out.elements;
}

using Ints = std::vector<int32_t>;

TEST(Executor, FillsLanes) {
    EXPECT_EQ(stored("out[ramp(0, 1, 4)] = ramp(5, 3, 4)", 4), (Ints{5, 8, 11, 14}));
    EXPECT_EQ(stored("out[ramp(0, 1, 4)] = ramp(ramp(1, 10, 2), broadcast(3, 2), 2)", 4), (Ints{1, 11, 4, 14}));
    EXPECT_EQ(stored("out[ramp(0, 1, 4)] = broadcast(ramp(1, 1, 2), 2)", 4), (Ints{1, 2, 1, 2}));
    EXPECT_EQ(stored("out[ramp(0, 1, 3)] = shuffle<3, 0, 2>(ramp(1, 1, 2), ramp(7, 1, 2))", 3), (Ints{8, 1, 7}));
    EXPECT_EQ(stored("out[ramp(0, 1, 2)] = vector_reduce<add>(ramp(1, 1, 6), 2)", 2), (Ints{6, 15}));
    EXPECT_EQ(stored("out[0] = vector_reduce<max>(ramp(9, -2, 3), 1)", 1), (Ints{9}));
    EXPECT_EQ(stored("out[0] = reinterpret<int32>(shuffle<0, 1>(1:int16, 2:int16))", 1), (Ints{1 + (2 << 16)}));
}

// Pairs are added first: (1 + 2^24) is rounded to 2^24, where one lane after the other would keep it.
TEST(Executor, ReducesPairsOfLanes) {
    Row<float> out(1);
    ASSERT_EQ(run("func f(out: output float32[1]) { out[0] = vector_reduce<add>(shuffle<0, 1, 2, 3>("
                  "16777216.0:float32, 1.0:float32, 1.0:float32, 1.0:float32), 1) }",
                  {&out.header}),
              0);
    EXPECT_EQ(out.elements[0], (16777216.0F + 1.0F) + (1.0F + 1.0F));
}

TEST(Executor, BindsASymbolOfDisjointLetsAnew) {
    EXPECT_EQ(stored("out[0] = (let t:int32 = 2 in t * t) + (let t:int32 = 5 in t * t)", 1), (Ints{29}));
    EXPECT_EQ(stored("for i in [0, +2) { let t:int32 = i + 1 out[i] = t * t }", 2), (Ints{1, 4}));
}

TEST(Executor, LoopsAndBranches) {
    EXPECT_EQ(stored("for i in [2, +3) { if i == 3 { out[i] = 7 } else { out[i] = i } }", 5), (Ints{0, 0, 2, 7, 4}));
    EXPECT_EQ(stored("for i in [0, +-4) { out[0] = 1 }", 1), (Ints{0}));
    EXPECT_EQ(stored("out[ramp(0, 1, 3)] = broadcast(4, 3) where ramp(0, 1, 3) != broadcast(1, 3)", 3),
              (Ints{4, 0, 4}));
}

TEST(Executor, RunsTasksWithTheirClosures) {
    Row<int32_t> out(8);
    ASSERT_EQ(run(R"(
        func f(n: scalar int32, out: output int32[1]) {
          allocate m: int32[8] in stack
          m[3] = 5
          let v:int32x2 = ramp(1, 1, 2)
          parallel for y in [0, +4) { launch f.0(m:handle, n, out:handle, v:int32x2) }
          free m
        }
        task f.0(m: allocation int32, n: scalar int32, out: output int32[1], v: scalar int32x2) of y {
          out[ramp(y * 2, 1, 2)] = v + broadcast(m[3] * n + y, 2)
        })",
                  {std::array{10}.data(), &out.header}),
              0);
    EXPECT_EQ(out.elements, (Ints{51, 52, 52, 53, 53, 54, 54, 55}));
}

TEST(Executor, ReturnsTheCodeOfAnAssertion) {
    Row<int32_t> out(2);
    const char *const text = R"(
        func f(n: scalar int32, out: output int32[1]) {
          out[0] = 1
          assert n < 3 else extern fluorite_error(n, "n is too large":handle):int32
          out[1] = 1
        })";
    EXPECT_EQ(run(text, {std::array{2}.data(), &out.header}), 0);
    EXPECT_EQ(out.elements, (Ints{1, 1}));
    out.elements.assign(2, 0);
    EXPECT_NE(run(text, {std::array{3}.data(), &out.header}), 0);
    EXPECT_EQ(out.elements, (Ints{1, 0}));
}

TEST(Executor, RefusesElementsThatDoNotExist) {
    Row<int32_t> out(2);
    EXPECT_EQ(run("func f(out: output int32[1]) { out[2] = 1 }", {&out.header}),
              fluorite_error_code_access_out_of_bounds);
    EXPECT_NE(std::string(fluorite_last_error_message()).find("element 2 of its memory is touched"), std::string::npos);
    fluorite_clear_error();
}

// A header may say anything until the program has checked it.
TEST(Executor, ReadsHeadersWhereTheProgramDoes) {
    Row<int32_t> out(2);
    out.header.dim = nullptr;
    EXPECT_EQ(run("func f(out: output int32[1]) { assert extern buffer.has_dims(out:handle):bool else 7 out[0] = 1 }",
                  {&out.header}),
              7);
}

int blocks = 0, calls = 0;
void *counted_malloc(void *, size_t bytes) {
    blocks++;
    calls++;
    return std::malloc(bytes);
}
void counted_free(void *, void *block) {
    blocks--;
    std::free(block);
}

/// The blocks that the executor takes from the heap in a run of the function, all of which it frees.
int taken(const std::string &body, int32_t n, int32_t expected_code) {
    const auto outer_malloc = fluorite_set_custom_malloc(counted_malloc);
    const auto outer_free = fluorite_set_custom_free(counted_free);
    Row<int32_t> out(2);
    calls = 0;
    EXPECT_EQ(run("func f(n: scalar int32, out: output int32[1]) { " + body + " }", {&n, &out.header}), expected_code);
    EXPECT_EQ(blocks, 0);
    fluorite_set_custom_malloc(outer_malloc);
    fluorite_set_custom_free(outer_free);
    return calls;
}

TEST(Executor, FreesMemoryOnEveryExit) {
    const char *const text = R"(
          allocate a: int32[n, 100] in heap
          a[5] = 3
          allocate b: int32[n] in heap
          assert n != 7 else 42
          free a
          assert n != 8 else 43
          b[0] = out[0]
          free b)";
    EXPECT_EQ(taken(text, 6, 0), 2);
    EXPECT_EQ(taken(text, 7, 42), 2);
    EXPECT_EQ(taken(text, 8, 43), 2);
}

TEST(Executor, KeepsMemoryOfLoops) {
    const char *const text = R"(
          for i in [0, +3) {
            allocate a: int32[n - i, 100] in heap slot 0
            a[5] = i
            allocate b: int32[n + i] in heap slot 1
            assert n != 7 || i < 2 else 42
            out[0] = a[5]
            free b
            free a
          })";
    EXPECT_EQ(taken(text, 6, 0), 4);
    EXPECT_EQ(taken(text, 7, 42), 4);
}

TEST(Executor, TakesNoHeapForTheStack) {
    EXPECT_EQ(taken("for i in [0, +3) { allocate a: int32[8, 2] in stack; a[15] = i; out[0] = a[15]; free a }", 0, 0),
              0);
    EXPECT_EQ(taken("allocate a: int32[0] in register; a[0] = 1; free a", 0, fluorite_error_code_access_out_of_bounds),
              0);
    fluorite_clear_error();
}

double weighted(int8_t a, float b, double c, uint16_t d, bool e, int64_t f, int32_t g, int32_t h, int32_t i, float k) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6.0 * static_cast<double>(f) + 7 * g + 8 * h + 9 * i + 10 * k;
}

TEST(Executor, CallsCFunctionsOfAnySignature) {
    Row<double> out(2);
    ASSERT_EQ(run("func f(out: output float64[1]) { out[ramp(0, 1, 2)] = extern weighted(broadcast(-1:int8, 2), "
                  "broadcast(2.0:float32, 2), broadcast(3.0:float64, 2), broadcast(4:uint16, 2), broadcast(true, 2), "
                  "broadcast(6:int64, 2), ramp(7, 1, 2), 8, 9, broadcast(10.0:float32, 2)):float64x2 }",
                  {&out.header}, {{"weighted", reinterpret_cast<void *>(weighted)}}),
              0);
    const double first = weighted(-1, 2, 3, 4, true, 6, 7, 8, 9, 10);
    EXPECT_EQ(out.elements, (std::vector<double>{first, first + 7}));
}

TEST(Executor, NamesAFunctionThatTheProcessLacks) {
    try {
        run("func f() { evaluate extern no_such_function():int32 }", {});
        FAIL() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "missing-extern");
        EXPECT_EQ(error.message(), "in f: the process has no C function 'no_such_function'; every extern function must "
                                   "be known to the process or given to the compiler; link it, export it, or pass its "
                                   "address");
    }
}

TEST(Executor, PrintsTheModuleAndRefusesOtherFiles) {
    const ir::LoweredModule module = ir::parse_module("func f(out: output int32[1]) { out[0] = 1 }");
    EXPECT_EQ(executor_backend().file(module, Target("host"), OutputKind::Source), ir::to_text(module));
    try {
        executor_backend().file(module, Target("host"), OutputKind::Object);
        FAIL() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "not-built");
        EXPECT_EQ(error.message(),
                  "in f: object code is asked of the back end executor; it does not make that; compile "
                  "to what it makes, or for a target of another back end");
    }
}

// ---- Kernels.

/// Runs a kernel of the given body on 2 blocks of 4 threads, b and t, which store to 8 elements and share `tile`.
int32_t run_kernel(const std::string &body, Row<int32_t> &out) {
    return run("func f(out: output int32[1]) { gpu_block for b in [0, +2) { launch k(out:handle) threads(4) } }"
               "kernel k(out: output int32[1]) blocks(b) threads(t) { allocate tile: int32[4] in gpu_shared " +
                   body + " }",
               {&out.header});
}

TEST(Executor, RunsBlocksAndThreads) {
    Row<int32_t> out(8);
    EXPECT_EQ(run_kernel("out[b * 4 + t] = b * 10 + t", out), 0);
    EXPECT_EQ(out.elements, (Ints{0, 1, 2, 3, 10, 11, 12, 13}));
    EXPECT_EQ(run_kernel("tile[t] = t + b  barrier  out[b * 4 + t] = tile[3 - t]", out), 0);
    EXPECT_EQ(out.elements, (Ints{3, 2, 1, 0, 4, 3, 2, 1}));
    EXPECT_EQ(run_kernel("tile[t] = t  for i in [0, +3) { barrier let v = tile[(t + 1) % 4] barrier tile[t] = v } "
                         "out[b * 4 + t] = tile[t]",
                         out),
              0);
    EXPECT_EQ(out.elements, (Ints{3, 0, 1, 2, 3, 0, 1, 2}));
}

TEST(Executor, GridsHaveThreeDimensions) {
    Row<int32_t> out(16);
    EXPECT_EQ(run("func f(out: output int32[1]) { gpu_block for y in [0, +2) { gpu_block for x in [0, +2) { "
                  "launch k(out:handle) threads(2, 1, 2) } } }"
                  "kernel k(out: output int32[1]) blocks(x, y) threads(u, v, w) { "
                  "out[y * 8 + x * 4 + w * 2 + u] = y * 1000 + x * 100 + w * 10 + u + v }",
                  {&out.header}),
              0);
    EXPECT_EQ(out.elements, (Ints{0, 1, 10, 11, 100, 101, 110, 111, 1000, 1001, 1010, 1011, 1100, 1101, 1110, 1111}));
}

TEST(Executor, EmptyGridsRunNothing) {
    Row<int32_t> out(1);
    for (const char *grid :
         {"[0, +0) { launch k(out:handle) threads(4) }", "[0, +3) { launch k(out:handle) threads(0) }"}) {
        EXPECT_EQ(run("func f(out: output int32[1]) { gpu_block for b in " + std::string(grid) +
                          " } kernel k(out: output int32[1]) blocks(b) threads(t) { out[0] = 7 }",
                      {&out.header}),
                  0);
        EXPECT_EQ(out.elements, Ints{0});
    }
}

/// The message of a run; empty if it succeeds.
std::string failure_of(const std::function<int32_t()> &run) {
    static std::string message;
    message.clear();
    const auto before = fluorite_set_error_handler([](void *, int, const char *text) { message = text; });
    const int32_t code = run();
    fluorite_set_error_handler(before);
    EXPECT_EQ(code, message.empty() ? 0 : fluorite_error_code_device_run_failed);
    return message;
}

/// The message of a kernel that fails; empty if it does not.
std::string failure_of_kernel(const std::string &body) {
    Row<int32_t> out(8);
    return failure_of([&] { return run_kernel(body, out); });
}

TEST(Executor, RefusesBlocksThatNoDeviceLaunches) {
    const auto launched = [](const std::string &threads) {
        return failure_of([&] {
            Row<int32_t> out(1);
            return run("func f(out: output int32[1]) { gpu_block for b in [0, +1) { launch k(out:handle) threads(" +
                           threads + ") } } kernel k(out: output int32[1]) blocks(b) threads(" +
                           (threads.find(", ", threads.find(", ") + 1) == std::string::npos ? "t, u" : "t, u, v") +
                           ") { out[0] = 1 }",
                       {&out.header});
        });
    };
    EXPECT_EQ(launched("16, 1, 64"), "");
    EXPECT_EQ(launched("2000, 0, 2000"), "");
    EXPECT_EQ(launched("64, 32"), "in k: its blocks have 64 x 32 x 1 threads; devices run blocks of 1 to 1024 threads, "
                                  "at most 1024 x 1024 x 64; use smaller blocks or tiles in its schedule "
                                  "[kernel-launch]");
    EXPECT_EQ(launched("1, 1, 65"),
              "in k: its blocks have 1 x 1 x 65 threads; devices run blocks of 1 to 1024 threads, "
              "at most 1024 x 1024 x 64; use smaller blocks or tiles in its schedule "
              "[kernel-launch]");
}

TEST(Executor, RefusesBlocksWithMoreMemoryThanAnyDeviceHas) {
    const auto with = [](int64_t elements) {
        return failure_of_kernel("allocate more: float64[" + std::to_string(elements) +
                                 "] in gpu_shared tile[t] = t more[t] = 1.0:float64 barrier out[b * 4 + t] = tile[t] + "
                                 "cast<int32>(more[t])");
    };
    EXPECT_EQ(with(227 * 128 - 2), "");
    EXPECT_EQ(with(227 * 128), "in k: its blocks take 232464 bytes of shared memory; devices have at most 232448 for a "
                               "block; use smaller blocks or tiles in its schedule [kernel-launch]");
}

TEST(Executor, ReportsDataRaces) {
    // A barrier is missing, within an iteration or between two.
    EXPECT_NE(failure_of_kernel("tile[t] = t  out[b * 4 + t] = tile[3 - t]").find("data race in k: thread "),
              std::string::npos);
    EXPECT_NE(failure_of_kernel("tile[t] = t barrier for i in [0, +2) { let v = tile[3 - t] barrier tile[t] = v + 1 }")
                  .find(" with no barrier in between"),
              std::string::npos);
    // Blocks are never ordered.
    EXPECT_NE(failure_of_kernel("out[t] = b").find(" of block 0"), std::string::npos);
    EXPECT_NE(failure_of_kernel("tile[t] = out[4 - b * 4 + t]  barrier  out[b * 4 + t] = 1").find("data race"),
              std::string::npos);
    // The same value may be stored twice, and what a thread has stored itself it may load.
    Row<int32_t> out(8);
    EXPECT_EQ(run_kernel("out[t] = t  tile[t] = out[t]", out), 0);
    EXPECT_EQ(run_kernel("tile[0] = b  out[b * 4 + t] = tile[0]", out), 0);
}

TEST(Executor, ReportsBarriersThatSomeThreadsMiss) {
    EXPECT_EQ(failure_of_kernel("if t < 2 { barrier }"),
              "the threads of a block of k wait at different barriers, or some have ended while others wait");
}

} // namespace
} // namespace fluorite::backends::executor_test
