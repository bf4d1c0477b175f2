#include "ir/message.h"

#include "ir/parse.h"
#include "ir/stmt.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::ir::message_test {
namespace {

Expr parsed(const std::string &text) { return parse_stmt("evaluate " + text).as<Evaluate>()->value; }

/// The function that appends a part, and the type to which it is converted.
std::string appended(const std::string &part) {
    const TextForm form = text_form(parsed(part));
    return concat(append_function(form), " ", appended_type(form));
}

TEST(Message, PartsAreAppendedByType) {
    EXPECT_EQ(appended("\"text\":handle"), "fluorite_append_text handle");
    EXPECT_EQ(appended("p:handle"), "fluorite_append_pointer handle");
    EXPECT_EQ(appended("n:int8"), "fluorite_append_int64 int64");
    EXPECT_EQ(appended("n:uint32"), "fluorite_append_uint64 uint64");
    EXPECT_EQ(appended("n:bool"), "fluorite_append_bool uint64");
    EXPECT_EQ(appended("x:float16"), "fluorite_append_float float32");
    EXPECT_EQ(appended("x:float32x4"), "fluorite_append_float float32");
    EXPECT_EQ(appended("x:float64"), "fluorite_append_double float64");
}

TEST(Message, KnowsTheOperandsOfATrace) {
    const Expr scalar =
        parsed("extern trace(\"f\":handle, 1, 7, 0, \"\":handle, 4:uint32, v:int16x4, x:int32x4, y):int32");
    const TraceEvent event = trace_event(*scalar.get());
    EXPECT_TRUE(event.has_value);
    EXPECT_EQ(event.lanes, 4);
    EXPECT_EQ(event.coordinates.size(), 2U);
    EXPECT_EQ(event.dimensions(), 8);
    EXPECT_EQ(event.type_lanes(), 4U << 16);
    const Expr without = parsed("extern trace(\"f\":handle, 1, 7, 0, \"\":handle, 4:uint32, p:handle, x):int32");
    EXPECT_FALSE(trace_event(*without.get()).has_value);
    EXPECT_EQ(trace_event(*without.get()).dimensions(), 1);
}

} // namespace
} // namespace fluorite::ir::message_test
