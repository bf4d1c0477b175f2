// A reporter gets what the library would throw, once, with the text and place of the exception.
#include "fluorite/error_reporter.h"
#include "fluorite/fluorite.h"
#include "support/reporting.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::error_reporter_test {
namespace {

struct Told {
    std::string text;
};

class Reporter : public CompileTimeErrorReporter {
  public:
    Reporter() { set_custom_compile_time_error_reporter(this); }
    ~Reporter() override { set_custom_compile_time_error_reporter(nullptr); }
    void warning(const char *text) override { warnings.emplace_back(text); }
    [[noreturn]] void error(const char *text) override {
        errors.emplace_back(text);
        throw Told{text};
    }
    std::vector<std::string> errors, warnings;
};

/// The text that is thrown without a reporter is told to one, once.
template <typename Run> void expect_told(const Run &run) {
    std::string thrown;
    try {
        run();
    } catch (const Error &error) {
        thrown = error.what();
    }
    ASSERT_NE(thrown, "");
    Reporter reporter;
    std::string told;
    try {
        run();
    } catch (const Told &error) {
        told = error.text;
    }
    EXPECT_EQ(told, thrown);
    EXPECT_EQ(reporter.errors, std::vector<std::string>{thrown});
}

TEST(ErrorReporter, IsToldErrorsOfDefinitionsAndDirectives) {
    Var x("x"), y("y");
    expect_told([&] {
        Func f("f");
        f(x) = y;
    });
    expect_told([&] {
        Func f("f");
        f(x) = x;
        f.vectorize(y);
    });
}

TEST(ErrorReporter, IsToldErrorsOfCompilationWithTheirPlace) {
    Var x("x"), y("y");
    expect_told([&] {
        Func f("f"), g("g");
        f(x, y) = x;
        g(x, y) = f(x, y);
        f.compute_at(g, Var("z"));
        g.compile_jit();
    });
    expect_told([&] { Pipeline().compile_to_object("f.o", {}, "f"); });
    expect_told([&] { Target("x86-64-linux-none"); });
}

TEST(ErrorReporter, IsToldErrorsOfRuns) {
    expect_told([] {
        Param<int> p("p");
        Func f("f");
        Var x("x");
        f(x) = x + p;
        f.realize({4}); // p has no value
    });
    expect_told([] { Buffer<int>(3, 4).crop(0, 2, 9); });
}

TEST(ErrorReporter, IsNotToldWhatTheLibraryHandlesOrTheProgramThrows) {
    const Reporter reporter;
    EXPECT_FALSE(Target::validate_target_string("nonsense"));
    EXPECT_THROW(throw Error("of the program"), Error);
    EXPECT_TRUE(reporter.errors.empty());
}

TEST(ErrorReporter, MayBreakItsPromiseAndReturn) {
    struct Returning : CompileTimeErrorReporter {
        int count = 0;
        void warning(const char *) override {}
        void error(const char *) override { count++; }
    };
    Returning reporter;
    set_custom_compile_time_error_reporter(&reporter);
    EXPECT_THROW(Target("x86-64-linux-none"), CompileError);
    set_custom_compile_time_error_reporter(nullptr);
    EXPECT_EQ(reporter.count, 1);
}

TEST(ErrorReporter, IsToldWarnings) {
    EXPECT_FALSE(report_warning("nobody hears"));
    const Reporter reporter;
    EXPECT_TRUE(report_warning("a variable"));
    EXPECT_EQ(reporter.warnings, std::vector<std::string>{"a variable"});
}

} // namespace
} // namespace fluorite::error_reporter_test
