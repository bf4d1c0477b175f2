#include "fluorite/type.h"

#include "fluorite/float16.h"
#include "support/numeric.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <limits>

namespace fluorite::type_test {
namespace {

TEST(Type, Names) {
    EXPECT_EQ(to_string(Int(32)), "int32");
    EXPECT_EQ(to_string(UInt(8, 16)), "uint8x16");
    EXPECT_EQ(to_string(Bool()), "bool");
    EXPECT_EQ(to_string(Bool(4)), "boolx4");
    EXPECT_EQ(to_string(Float(16)), "float16");
    EXPECT_EQ(to_string(BFloat(16)), "bfloat16");
    EXPECT_EQ(to_string(Handle()), "handle");
    EXPECT_EQ(to_string(Type()), "void");
}

TEST(Type, RepresentsTypes) {
    EXPECT_TRUE(Int(16).can_represent(UInt(8)));
    EXPECT_FALSE(Int(16).can_represent(UInt(16)));
    EXPECT_FALSE(UInt(16).can_represent(Int(8)));
    EXPECT_TRUE(Float(32).can_represent(Int(16)));
    EXPECT_FALSE(Float(32).can_represent(Int(32)));
    EXPECT_TRUE(Float(64).can_represent(UInt(32)));
    EXPECT_TRUE(Float(16).can_represent(UInt(8)));
    EXPECT_TRUE(BFloat(16).can_represent(UInt(8)));
    EXPECT_FALSE(BFloat(16).can_represent(Float(16)));
    EXPECT_FALSE(Float(16).can_represent(BFloat(16)));
    EXPECT_TRUE(Float(32).can_represent(BFloat(16)));
    EXPECT_FALSE(Int(32, 4).can_represent(Int(32)));
}

/// can_represent(Type) for small integers must agree with testing each value.
TEST(Type, TypesAgreeWithTheirValues) {
    const Type all[] = {Int(8), Int(16), UInt(8), UInt(16), Float(16), BFloat(16), Float(32), Float(64), Bool()};
    for (Type to : all) {
        for (Type from : {Int(8), UInt(8), Int(16), UInt(16)}) {
            bool every = true;
            const int64_t low = from.is_int() ? -(int64_t{1} << (from.bits() - 1)) : 0;
            for (int64_t v = low; v < low + (int64_t{1} << from.bits()); v++) {
                every = every && to.can_represent(v) && to.can_represent(static_cast<double>(v));
            }
            EXPECT_EQ(to.can_represent(from), every) << to << " " << from;
        }
    }
}

TEST(Type, RepresentsValues) {
    EXPECT_TRUE(Float(32).can_represent(int64_t{1} << 62));
    EXPECT_FALSE(Float(32).can_represent((int64_t{1} << 24) + 1));
    EXPECT_TRUE(Float(64).can_represent(INT64_MIN));
    EXPECT_FALSE(Float(64).can_represent(INT64_MAX));
    EXPECT_TRUE(Float(16).can_represent(int64_t{65504}));
    EXPECT_FALSE(Float(16).can_represent(int64_t{65536}));
    EXPECT_TRUE(UInt(64).can_represent(UINT64_MAX));
    EXPECT_FALSE(Int(64).can_represent(UINT64_MAX));
    EXPECT_FALSE(Int(64).can_represent(0x1p63));
    EXPECT_TRUE(Int(64).can_represent(-0x1p63));
    EXPECT_FALSE(Int(32).can_represent(0.5));
    EXPECT_FALSE(Int(32).can_represent(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_TRUE(Float(16).can_represent(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(Float(32).can_represent(0.1));
    EXPECT_TRUE(Float(32).can_represent(static_cast<double>(0.1F)));
}

TEST(Type, Limits) {
    EXPECT_TRUE(Int(32).is_max(INT32_MAX) && Int(32).is_min(INT32_MIN));
    EXPECT_TRUE(UInt(8).is_max(255) && UInt(8).is_min(0) && Bool().is_max(1));
    EXPECT_TRUE(Int(64).is_max(INT64_MAX) && Int(64).is_min(INT64_MIN));
    EXPECT_FALSE(UInt(64).is_max(-1) || Int(8).is_max(255) || Float(32).is_max(0));
}

TEST(Type, HasNoMoreBitsOrLanesThanItCanSay) {
    expect_error(
        [] { (void)Int(288); }, "bad-type",
        "in a Type: it is to have 288 bits; integers have 8, 16, 32 or 64, floats 16, 32 or 64; use one of these");
    expect_error(
        [] { (void)UInt(-8); }, "bad-type",
        "in a Type: it is to have -8 bits; integers have 8, 16, 32 or 64, floats 16, 32 or 64; use one of these");
    expect_error([] { (void)Float(32, 65544); }, "bad-type",
                 "in a Type: it is to have 65544 lanes; a vector has 1 to 65535; use fewer");
    EXPECT_EQ(UInt(8, 65535).lanes(), 65535);
}

TEST(Numeric, WrapsToAnyWidth) {
    EXPECT_EQ(wrap_signed(200, 8), -56);
    EXPECT_EQ(wrap_signed(-1, 64), -1);
    EXPECT_EQ(wrap_signed(1, 1), -1);
    EXPECT_EQ(wrap_unsigned(~uint64_t{0}, 16), 65535U);
    EXPECT_EQ(wrap_unsigned(~uint64_t{0}, 64), UINT64_MAX);
}

} // namespace
} // namespace fluorite::type_test
