#include "ir/closure.h"

#include "ir/parse.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::ir::closure_test {
namespace {

/// `argument.part at offset`, for each field, and the size.
std::string layout(const std::string &args, bool is_checked = false) {
    static constexpr const char *parts[] = {"", "", ".host", ".header", ".last"};
    const LoweredModule module = parse_module("func f() { launch t() } task t(" + args + ") { evaluate 1 }");
    const LoweredFunc &task = module.funcs[1];
    const ClosureLayout closure = closure_layout(task, is_checked);
    std::string text;
    for (const ClosureField &field : closure.fields) {
        text += task.args[field.arg].symbol.name() + parts[static_cast<size_t>(field.part)] + " at " +
                std::to_string(field.offset) + ", ";
    }
    return text + "size " + std::to_string(closure.size);
}

TEST(Closure, FieldsAreAlignedToTheirSize) {
    EXPECT_EQ(layout(""), "size 0");
    EXPECT_EQ(layout("a: scalar uint8, b: scalar int32, c: scalar bool, d: scalar float64, e: scalar float16"),
              "a at 0, b at 4, c at 8, d at 16, e at 24, size 26");
}

TEST(Closure, VectorsHaveTheirLanesInBytes) {
    EXPECT_EQ(layout("a: scalar boolx4, b: scalar int32x3, c: scalar uint8, d: scalar float64x16, e: scalar int8"),
              "a at 0, b at 16, c at 28, d at 64, e at 192, size 193");
}

TEST(Closure, BuffersHaveHeadersAndAllocationsHaveNone) {
    const char *const args = "in: input uint8[2], out: output float32[1], m: allocation int32, y@loop: scalar int32";
    EXPECT_EQ(layout(args), "in.host at 0, in.header at 8, out.host at 16, out.header at 24, m.host at 32, y at 40, "
                            "size 48");
    EXPECT_EQ(layout(args, true), "in.host at 0, in.header at 8, out.host at 16, out.header at 24, m.host at 32, "
                                  "m.last at 40, y at 48, size 56");
}

} // namespace
} // namespace fluorite::ir::closure_test
