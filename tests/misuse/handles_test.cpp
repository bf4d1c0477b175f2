// Objects that are used after they were moved from, or that nothing was given to: each works still, or says so.
#include "fluorite/fluorite.h"
#include "fluorite/schedule.h"
#include "fluorite/schedule_tree.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::handles_test {
namespace {

class Handles : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};

    void SetUp() override {
        f(x) = x;
        g(x) = f(x) + f(x + 1);
    }
    template <typename Kind>
    static void refused(const std::function<void()> &run, const char *slug, const std::string &message, unsigned line) {
        expect_error<Kind>(run, slug, message, {"handles_test", line});
    }
};

// NOLINTBEGIN(bugprone-use-after-move): that is what these tests are about.

TEST_F(Handles, FuncsThatAreMovedFromAreHandlesStill) {
    const Func moved = std::move(f);
    EXPECT_EQ(f.name(), "f");
    EXPECT_TRUE(f.same_as(moved));
    f.vectorize(x, 4);
    EXPECT_EQ(Buffer<int>(f.realize({9}))(8), 8);
    Func other("other");
    other = std::move(f);
    EXPECT_EQ(Buffer<int>(f.realize({9}))(8), 8);
    EXPECT_EQ(Buffer<int>(other.realize({9}))(8), 8);
}

TEST_F(Handles, StagesAndLevels) {
    g(x) += 1;
    Stage stage = g.update();
    const Stage same = std::move(stage);
    stage.vectorize(x, 4);
    EXPECT_EQ(same.name(), stage.name());
    LoopLevel level = LoopLevel::root();
    const LoopLevel copy = std::move(level);
    f.compute_at(level);
    EXPECT_TRUE(copy.is_root() && level.is_root());
    EXPECT_EQ(Buffer<int>(g.realize({9}))(8), 18);
}

TEST_F(Handles, ParamsAndTuples) {
    Param<int> p("p", 3);
    Param<int> copy = std::move(p);
    p.set(4);
    EXPECT_EQ(copy.get(), 4);
    Tuple pair(x, x + 1);
    const Tuple same = std::move(pair);
    Func h("h");
    h(x) = pair;
    EXPECT_EQ(h.outputs(), 2);
    const unsigned line = __LINE__ + 1;
    const auto empty = [] { const Tuple none(std::vector<Expr>{}); };
    refused<CompileError>(empty, "tuple-size", "in a Tuple: it has no elements; a Tuple has one or more; give values",
                          line);
}

TEST_F(Handles, SchedulesAndTrees) {
    f.compute_root();
    Schedule schedule = Pipeline(g).schedule();
    const Schedule copy = std::move(schedule);
    EXPECT_EQ(schedule.text(), copy.text());
    ScheduleTree tree = Pipeline(g).schedule_tree();
    const ScheduleTree same = std::move(tree);
    EXPECT_EQ(tree.text(), same.text());
}

// NOLINTEND(bugprone-use-after-move)

TEST_F(Handles, ImageParamsWithoutAType) {
    ImageParam none;
    const std::string end = "; an ImageParam has a type and a rank; construct it as ImageParam(type, dimensions)";
    refused<CompileError>([&] { (void)none.name(); }, "undefined-input",
                          "in an undefined ImageParam: its name is asked for" + end, __LINE__ - 1);
    refused<CompileError>([&] { none.reset(); }, "undefined-input",
                          "in an undefined ImageParam: reset() is called" + end, __LINE__ - 1);
    refused<CompileError>([&] { BoundaryConditions::repeat_edge(none); }, "undefined-input",
                          "in an undefined ImageParam: it is called" + end, __LINE__ - 1);
    Buffer<int> undefined;
    refused<CompileError>(
        [&] { BoundaryConditions::repeat_edge(undefined); }, "undefined-input",
        "in an undefined Buffer: it is read in an expression; a Buffer has memory when it is used; allocate it first",
        __LINE__ - 2);
    ImageParam flat(Int(32), 1, "flat");
    refused<CompileError>([&] { (void)flat.height(); }, "no-such-dimension",
                          "in flat: dimension 1 is named; it has 1; name one of them, from 0", __LINE__ - 1);
    refused<CompileError>([&] { flat.set_bounds(3, 0, 4); }, "no-such-dimension",
                          "in flat: dimension 3 is named; it has 1; name one of them, from 0", __LINE__ - 1);
}

TEST_F(Handles, BuffersOfManySizesNameTheCall) {
    refused<RuntimeError>(
        [] { const Buffer<int> b(1, 2, 3, 4, -5); }, "negative-extent",
        "in a Buffer: the extent of dimension 4 is -5; an extent is 0 or more; pass a size of 0 or more", __LINE__ - 1);
    refused<RuntimeError>([] { const Buffer<> b(Int(32), 1, 2, 3, 4, -5, "b"); }, "negative-extent",
                          "in b: the extent of dimension 4 is -5; an extent is 0 or more; pass a size of 0 or more",
                          __LINE__ - 2);
    refused<RuntimeError>(
        [] { Buffer<int>::make_interleaved(5, -5, 3); }, "negative-extent",
        "in a Buffer: the extent of dimension 1 is -5; an extent is 0 or more; pass a size of 0 or more", __LINE__ - 1);
    refused<RuntimeError>([] { const Buffer<int> b(Float(32), 3); }, "wrong-buffer-type",
                          "in a Buffer: the buffer has elements of type float32; a buffer of int32 was asked for; use "
                          "the type that it has",
                          __LINE__ - 3);
    const Buffer<int> five(1, 2, 1, 2, 1, "five");
    EXPECT_EQ(five.dimensions(), 5);
    EXPECT_EQ(five.name(), "five");
}

TEST_F(Handles, FunctionsOfHeadersNameTheCall) {
    refused<CompileError>([&] { BoundaryConditions::repeat_edge(f, 0, 5, 0, 5); }, "wrong-arity",
                          "in f: repeat_edge gives 2 ranges; it has 1 dimensions; give at most one range for each "
                          "dimension",
                          __LINE__ - 3);
    refused<RuntimeError>(
        [&] { f.set_custom_allocator(fluorite_malloc, nullptr); }, "allocator-incomplete",
        "in a pipeline: the function that allocates is set and the function that frees is not; memory "
        "is freed by whoever allocates it; set both, or none",
        __LINE__ - 3);
    EXPECT_EQ(Buffer<int>(BoundaryConditions::repeat_edge(f, 0, 5).realize({9}))(8), 4);
}

TEST_F(Handles, EvaluatedTuplesNameTheCall) {
    int first = 0;
    float second = 0;
    refused<CompileError>(
        [&] { evaluate(Tuple(Expr(1), Expr(2)), &first, &second); }, "value-type",
        "in evaluate, stage 0: value 1 has type int32; the declaration has type float32 there; cast it, as in "
        "cast(float32, e)",
        __LINE__ - 3);
    evaluate(Tuple(Expr(1), Expr(2.5F)), &first, &second);
    EXPECT_EQ(second, 2.5F);
}

// ---- Structs of the ABI that are only half filled in.

TEST_F(Handles, StructsOfBuffers) {
    std::vector<int> memory(10);
    fluorite_dimension_t dim{0, 4, 1, 0};
    fluorite_buffer_t raw{};
    raw.host = reinterpret_cast<uint8_t *>(memory.data());
    raw.type = fluorite_type_t(fluorite_type_int, 32, 1);
    raw.dimensions = 1;
    refused<RuntimeError>([&] { const Buffer<int> b(raw); }, "bad-buffer-struct",
                          "in a Buffer: its struct has 1 dimensions, and dim is null; dim points to one entry for each "
                          "dimension; let it point there",
                          __LINE__ - 3);
    raw.dim = &dim;
    for (const int rank : {-1, 1 << 30}) {
        raw.dimensions = rank;
        refused<RuntimeError>([&] { const Buffer<int> b(raw); }, "bad-buffer-struct",
                              "in a Buffer: its struct has " + std::to_string(rank) +
                                  " dimensions; a buffer has 0 to 64; set all fields of the struct",
                              __LINE__ - 3);
    }
    raw.dimensions = 1;
    EXPECT_EQ(Buffer<int>(raw).extent(0), 4);
    const std::string rule = "; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1, and an element is "
                             "no vector; use one of these";
    raw.type = fluorite_type_t(static_cast<fluorite_type_code_t>(9), 32, 1);
    refused<RuntimeError>([&] { const Buffer<> b(raw); }, "bad-type",
                          "in a Buffer: its elements are to have the type unknown32" + rule, __LINE__ - 1);
    refused<RuntimeError>([] { const Buffer<> b(Int(13), 3); }, "bad-type",
                          "in a Buffer: its elements are to have the type int13" + rule, __LINE__ - 1);
    refused<RuntimeError>([] { const Buffer<> b(Int(32, 4), 3, "b"); }, "bad-type",
                          "in b: its elements are to have the type int32x4" + rule, __LINE__ - 1);
    refused<RuntimeError>([] { const Buffer<> b(Type(), 3); }, "bad-type",
                          "in a Buffer: its elements are to have the type without bits" + rule, __LINE__ - 1);
    EXPECT_EQ(Buffer<>(Handle(), 3).type(), Handle());
}

} // namespace
} // namespace fluorite::handles_test
