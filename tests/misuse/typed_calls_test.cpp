// Typed functions of Callables: types and ranks that the pipeline does not take are refused where the function is made.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::typed_calls_test {
namespace {

class TypedCalls : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"};
    Param<int> p{"p"};
    Param<uint8_t> q{"q"};
    ImageParam in{Float(32), 2, "in"};
    Callable call;

    void SetUp() override {
        f(x, y) = Tuple(in(x, y) + cast<float>(p), cast<uint16_t>(q));
        call = f.compile_to_callable({p, q, in});
    }
    template <typename... Args> void refused(const char *slug, const std::string &text) {
        expect_error<RuntimeError>([&] { (void)call.make_std_function<Args...>(); }, slug, text,
                                   {"typed_calls_test.cpp", __LINE__ - 1});
    }
};

using Floats = Buffer<float, 2>;
using Shorts = Buffer<uint16_t, 2>;

TEST_F(TypedCalls, TypesOfScalars) {
    const auto text = [](int i, const char *seen, const char *wanted) {
        return "in f: argument " + std::to_string(i) + " of make_std_function is a scalar of type " + seen +
               "; the pipeline takes a scalar of type " + wanted + " there; give that type";
    };
    refused<float, uint8_t, Floats, Floats, Shorts>("value-type", text(0, "float32", "int32"));
    refused<int64_t, uint8_t, Floats, Floats, Shorts>("value-type", text(0, "int64", "int32"));
    refused<int, int8_t, Floats, Floats, Shorts>("value-type", text(1, "int8", "uint8"));
    refused<int, bool, Floats, Floats, Shorts>("value-type", text(1, "bool", "uint8"));
    refused<int, float16_t, Floats, Floats, Shorts>("value-type", text(1, "float16", "uint8"));
    refused<int, void *, Floats, Floats, Shorts>("value-type", text(1, "handle", "uint8"));
}

TEST_F(TypedCalls, TypesAndRanksOfBuffers) {
    const auto text = [](int i, const char *seen, const char *wanted) {
        return "in f: argument " + std::to_string(i) + " of make_std_function is a buffer of " + seen +
               "; the pipeline takes a buffer of " + wanted + " there; give that type";
    };
    refused<int, uint8_t, Buffer<double, 2>, Floats, Shorts>(
        "wrong-buffer-type", text(2, "float64 with 2 dimensions", "float32 with 2 dimensions"));
    refused<int, uint8_t, Buffer<float, 3>, Floats, Shorts>(
        "wrong-buffer-rank", text(2, "float32 with 3 dimensions", "float32 with 2 dimensions"));
    refused<int, uint8_t, const Floats &, Buffer<uint16_t>, Shorts>("wrong-buffer-type",
                                                                    text(3, "uint16", "float32 with 2 dimensions"));
    refused<int, uint8_t, Floats, Floats, const Buffer<uint16_t, 1> &>(
        "wrong-buffer-rank", text(4, "uint16 with 1 dimensions", "uint16 with 2 dimensions"));
    EXPECT_TRUE(call.defined());
}

TEST_F(TypedCalls, BuffersForScalars) {
    refused<Floats, uint8_t, Floats, Floats, Shorts>(
        "value-type",
        "in f: argument 0 of make_std_function is a buffer of float32 with 2 dimensions; the pipeline takes "
        "a scalar of type int32 there; give that type");
    refused<int, fluorite_buffer_t *, Floats, Floats, Shorts>(
        "value-type",
        "in f: argument 1 of make_std_function is a buffer; the pipeline takes a scalar of type uint8 there; "
        "give that type");
    refused<int, uint8_t, float, Floats, Shorts>(
        "value-type",
        "in f: argument 2 of make_std_function is a scalar of type float32; the pipeline takes a buffer of "
        "float32 with 2 dimensions there; give that type");
}

TEST_F(TypedCalls, Counts) {
    const auto text = [](int count) {
        return "in f: make_std_function is given " + std::to_string(count) +
               " types of arguments; its Callable takes 3 inputs and 2 outputs; give their types in that order";
    };
    refused<int>("wrong-arity", text(1));
    refused<int, uint8_t, Floats, Floats>("wrong-arity", text(4));
    refused<JITUserContext *, int, uint8_t, Floats, Floats>("wrong-arity", text(4));
    refused<int, uint8_t, Floats, Floats, Shorts, Shorts>("wrong-arity", text(6));
    call = Callable();
    refused<int>("undefined-func", "in a Callable: it is called but was never compiled; a Callable comes from "
                                   "compile_to_callable; assign one");
}

TEST_F(TypedCalls, TypesThatFitRun) {
    Floats input(4, 3);
    input.fill(0.5F);
    Floats sums(4, 3);
    Shorts shorts(4, 3);
    const auto check = [&](float wanted, uint16_t other) {
        EXPECT_EQ(sums(3, 2), wanted);
        EXPECT_EQ(shorts(3, 2), other);
    };
    call.make_std_function<int, uint8_t, Floats, Floats, Shorts>()(3, 7, input, sums, shorts);
    check(3.5F, 7);
    call.make_std_function<int, const uint8_t &, const Floats &, Buffer<float>, Buffer<void>>()(4, 8, input, sums,
                                                                                                shorts);
    check(4.5F, 8);
    JITUserContext context;
    call.make_std_function<JITUserContext *, int, uint8_t, fluorite_buffer_t *, Buffer<>, fluorite_buffer_t *>()(
        &context, 5, 9, input.raw_buffer(), sums, shorts.raw_buffer());
    check(5.5F, 9);
}

TEST_F(TypedCalls, ArgumentsWithoutNamesOrTwice) {
    const auto refused_as = [&](const std::vector<Argument> &args, const char *slug, const std::string &text) {
        expect_error<CompileError>([&] { (void)f.compile_to_callable(args); }, slug, "in f: " + text,
                                   {"typed_calls_test.cpp", __LINE__ - 1});
        expect_error<CompileError>([&] { f.compile_to_object("typed.o", args, "f"); }, slug, "in f: " + text);
    };
    const Argument unused("unused", Argument::InputScalar, Int(32), 0);
    refused_as({p, q, in, unused, unused}, "duplicate-argument",
               "'unused' stands twice among the arguments; a function takes each once; name it once");
    refused_as(
        {p, q, in, Argument("", Argument::InputScalar, Int(32), 0)}, "argument-mismatch",
        "the argument '' has no name; inputs are found by their names; give it the name of one, or pass the Param "
        "or ImageParam itself");
    EXPECT_TRUE(f.compile_to_callable({unused, p, q, in}).defined()) << "what the pipeline does not read may be passed";
}

} // namespace
} // namespace fluorite::typed_calls_test
