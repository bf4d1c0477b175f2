// A fault in a pass that changes no value is found, and the pass is named.
#include "fluorite/fluorite.h"
#include "support/check.h"
#include "tests/planted/plant.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::verifier_test {
namespace {

/// The region of g along y is invariant over all tiles of a row, so its lets are hoisted out of their loop. With the
/// fault they also stay inside.
Func tiled() {
    Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi");
    Func g("g"), f("f");
    g(x, y) = x * 3 + y;
    f(x, y) = g(x, y / 2) + g(x + 1, y * 3);
    f.tile(x, y, xo, yo, xi, yi, 8, 8);
    g.compute_at(f, xo);
    return f;
}

std::string message_of_run() {
    const planted::PlantedFault fault(planted::Fault::Binder);
    try {
        const Buffer<int> out = tiled().realize({33, 19});
        int wrong = 0;
        out.for_each_element([&](int x, int y) { wrong += out(x, y) != x * 3 + y / 2 + (x + 1) * 3 + y * 3; });
        return wrong == 0 ? "no value is wrong" : "values are wrong";
    } catch (const InternalError &error) {
        return error.what();
    }
}

TEST(VerifyEnvironment, FindsWhatChangesNoValue) {
    const std::string text = message_of_run();
    EXPECT_EQ(text.find("in pass hoist_invariants: the IR is broken: in "), 0U) << text;
    EXPECT_NE(text.find("is bound already where it is bound again"), std::string::npos) << text;
}

TEST(VerifyEnvironment, IsWhatTheVariableSays) {
    const std::string before = std::getenv("FLUORITE_VERIFY") ? std::getenv("FLUORITE_VERIFY") : "";
    EXPECT_EQ(before, "1") << "tests run with the net";
    setenv("FLUORITE_VERIFY", "0", 1);
    EXPECT_EQ(message_of_run(), "no value is wrong");
    setenv("FLUORITE_VERIFY", before.c_str(), 1);
    EXPECT_NE(message_of_run(), "no value is wrong");
}

} // namespace
} // namespace fluorite::verifier_test
