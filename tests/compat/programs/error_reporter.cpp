// CompileTimeErrorReporter: errors of definitions, of schedules and of targets.
#include <Halide.h>

#include <stdio.h>
#include <string>

using namespace Halide;

struct Reported {};

class Reporter : public CompileTimeErrorReporter {
  public:
    int errors = 0, warnings = 0;
    std::string last;
    void warning(const char *) override { warnings++; }
    [[noreturn]] void error(const char *text) override {
        errors++;
        last = text;
        throw Reported();
    }
};

template <typename Run> static bool is_reported(Reporter &reporter, const Run &run) {
    const int before = reporter.errors;
    try {
        run();
    } catch (const Reported &) {
        return reporter.errors == before + 1 && !reporter.last.empty();
    }
    return false;
}

int main() {
    Reporter reporter;
    set_custom_compile_time_error_reporter(&reporter);
    Var x("x"), y("y");
    const bool all = is_reported(reporter,
                                 [&] {
                                     Func f("f");
                                     f(x) = x + y;
                                 }) &&
                     is_reported(reporter,
                                 [&] {
                                     Func f("f");
                                     f(x) = x;
                                     f.unroll(y);
                                 }) &&
                     is_reported(reporter, [&] {
                         Func f("f"), g("g");
                         f(x) = x;
                         g(x) = f(x);
                         f.compute_at(g, y);
                         g.realize({8});
                     });
    set_custom_compile_time_error_reporter(nullptr);
    printf("%s, %d errors\n", all ? "Success!" : "an error was not reported", reporter.errors);
    return all ? 0 : 1;
}
