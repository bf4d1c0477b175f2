// Params of every type, with a value or an estimate, decide on sizes that automatic schedules and explanations need.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fluorite::params_test {
namespace {

const Var x("x");

enum class Known : uint8_t { Value, Estimate };
enum class Use : uint8_t { Clamp, Domain, Offset, Period };

int base(int at) { return 3 * at + 3 * (at + 1); }

int expected(Use use, int at, int size) {
    switch (use) {
    case Use::Clamp:
        return base(std::clamp(at % 7, 0, size - 1));
    case Use::Offset:
        return base(at + size);
    case Use::Period:
        return base(at % size);
    case Use::Domain:
        break;
    }
    int sum = 0;
    for (int k = 0; k < size; k++) {
        sum += base(at + k);
    }
    return sum;
}

/// The output over a stage whose extent depends on the Param.
Func define(Use use, const Expr &size) {
    Func a("a"), b("b"), out("out");
    a(x) = x * 3;
    b(x) = a(x) + a(x + 1);
    switch (use) {
    case Use::Clamp:
        out(x) = b(clamp(x % 7, 0, size - 1));
        break;
    case Use::Offset:
        out(x) = b(x + size);
        break;
    case Use::Period:
        out(x) = b(x % size);
        break;
    case Use::Domain:
        const RDom r(0, size, "r");
        out(x) = 0;
        out(x) += b(x + r);
        break;
    }
    return out;
}

template <typename T> void check(Use use, Known known) {
    Param<T> size("size");
    if (known == Known::Value) {
        size.set(T(10));
    } else {
        size.set_estimate(T(10));
    }
    Func out = define(use, cast<int>(size));
    AutoScheduleOptions options;
    options.sizes = {1000};
    Pipeline(out).auto_schedule(options);
    size.set(T(10));
    const Buffer<int> values = out.realize({20});
    for (int i = 0; i < 20; i++) {
        EXPECT_EQ(values(i), expected(use, i, 10)) << "use " << static_cast<int>(use);
    }
}
template <typename T> void check(Use use) {
    SCOPED_TRACE(testing::Message() << type_of<T>());
    check<T>(use, Known::Value);
    check<T>(use, Known::Estimate);
}

TEST(AutoScheduleParams, EveryTypeDecidesOnSizes) {
    check<int8_t>(Use::Clamp);
    check<uint8_t>(Use::Domain);
    check<int16_t>(Use::Offset);
    check<uint16_t>(Use::Period);
    check<int32_t>(Use::Domain);
    check<uint32_t>(Use::Clamp);
    check<int64_t>(Use::Clamp);
    check<int64_t>(Use::Domain);
    check<uint64_t>(Use::Offset);
    check<uint64_t>(Use::Period);
    check<float16_t>(Use::Clamp);
    check<float16_t>(Use::Domain);
    check<bfloat16_t>(Use::Period);
    check<float>(Use::Domain);
    check<double>(Use::Offset);
}

template <typename T> std::string work_of_negative(T value) {
    Param<T> least("least");
    least.set(value);
    Func g("g"), out("out");
    g(x) = x * 3;
    out(x) = g(max(cast<int>(least), x - 100));
    g.compute_root();
    const std::string text = Pipeline(out).explain_schedule({100});
    return text.substr(text.find("work: "), text.find(" needed") - text.find("work: "));
}

// From the least value to -1.
TEST(AutoScheduleParams, NegativeValuesKeepTheirSign) {
    const std::string all = "work: 5 values computed, 5";
    EXPECT_EQ(work_of_negative<int8_t>(-5), all);
    EXPECT_EQ(work_of_negative<int16_t>(-5), all);
    EXPECT_EQ(work_of_negative<int32_t>(-5), all);
    EXPECT_EQ(work_of_negative<int64_t>(-5), all);
    EXPECT_EQ(work_of_negative<float>(-5), all);
    EXPECT_EQ(work_of_negative<double>(-5), all);
    EXPECT_EQ(work_of_negative<float16_t>(float16_t(-5.0F)), all);
    EXPECT_EQ(work_of_negative<bfloat16_t>(bfloat16_t(-5.0F)), all);
}

// Of outputs and inputs.
TEST(AutoScheduleParams, EstimatesMayBeParams) {
    Param<int64_t> size("size");
    ImageParam in(Int(32), 1, "in");
    Func g("g"), out("out");
    g(x) = in(x) * 3;
    out(x) = g(x) + g(x + 1) + in(in.width() - 1);
    g.compute_root();
    out.set_estimate(x, 0, cast<int>(size));
    in.dim(0).set_estimate(0, cast<int>(size) + 1);
    EXPECT_THROW(Pipeline(out).auto_schedule(), CompileError);
    size.set(1000);
    EXPECT_NE(Pipeline(out).explain_schedule().find("work: 1001 values"), std::string::npos);
    Pipeline(out).auto_schedule();
}

TEST(AutoScheduleParams, BoolsChoose) {
    Param<bool> is_long("is_long");
    is_long.set(true);
    Func g("g"), out("out");
    g(x) = x * 3;
    out(x) = g(min(x, select(is_long, 70, 7)));
    g.compute_root();
    EXPECT_NE(Pipeline(out).explain_schedule({100}).find("work: 71 values"), std::string::npos);
    is_long.set(false);
    EXPECT_NE(Pipeline(out).explain_schedule({100}).find("work: 8 values"), std::string::npos);
}

} // namespace
} // namespace fluorite::params_test
