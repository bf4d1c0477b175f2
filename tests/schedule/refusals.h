#pragma once
// What the tests of schedule refusals share: a call with its line, and the expected refusal.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

namespace fluorite {

struct Call {
    unsigned line;
    std::function<void()> run;
};

// A call written on one line, with this line.
#define CALL(...)                                                                                                      \
    Call {                                                                                                             \
        __LINE__, [&] { __VA_ARGS__; }                                                                                 \
    }
// Executes a call that is refused later, and returns its line.
#define LINE_OF(...) (static_cast<void>(__VA_ARGS__), static_cast<unsigned>(__LINE__))

inline void expect_refused(const Call &call, const std::string &slug, const std::string &message) {
    expect_error(call.run, slug, message, {"tests/schedule/refusals", call.line});
}

/// Expects a refusal by lowering, which knows the whole pipeline; its location is that of an earlier call.
inline void expect_refused_later(const Func &output, unsigned line, const std::string &slug,
                                 const std::string &message) {
    expect_refused({line, [&] { (void)output.loop_nest(); }}, slug, message);
}

class ScheduleRefusals : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    RDom r{0, 10, 0, 20, "r"};
    Func f{"f"}, g{"g"}, h{"h"};

    void SetUp() override { f(x, y) = x + y; }
};

} // namespace fluorite
