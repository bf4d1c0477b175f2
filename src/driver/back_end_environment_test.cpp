// FLUORITE_BACK_END selects what executes pipelines in this process.
#include "driver/choose_backend.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::back_end_environment_test {
namespace {

/// Sets the variable during its lifetime.
class BackEnd {
  public:
    explicit BackEnd(const char *name)
        : before_(std::getenv("FLUORITE_BACK_END") ? std::getenv("FLUORITE_BACK_END") : "") {
        setenv("FLUORITE_BACK_END", name, 1);
    }
    ~BackEnd() { setenv("FLUORITE_BACK_END", before_.c_str(), 1); }
    BackEnd(const BackEnd &) = delete;

  private:
    std::string before_;
};

std::string name_with(const char *variable) {
    const BackEnd set(variable);
    return driver::backend_in_process(get_host_target()).name();
}

TEST(BackEndEnvironment, SelectsTheBackEnd) {
    EXPECT_EQ(name_with(""), "llvm");
    EXPECT_EQ(name_with("llvm"), "llvm");
    EXPECT_EQ(name_with("executor"), "executor");
    EXPECT_EQ(name_with("c"), "c");
    expect_error([] { name_with("gcc"); }, "bad-back-end",
                 "the environment variable FLUORITE_BACK_END is 'gcc'; it names the back end that makes code for this "
                 "process; set it to llvm, executor or c, or leave it unset");
}

/// A pipeline of its own, because compiled pipelines are kept.
Buffer<int16_t> result_with(const char *variable) {
    const BackEnd set(variable);
    Var x("x"), y("y");
    Func f("f"), g("g");
    g(x, y) = cast<int16_t>(x * 300 + y);
    f(x, y) = g(x, y) / (g(x + 1, y) - 900);
    f.vectorize(x, 8).parallel(y);
    g.compute_at(f, y).vectorize(x, 8);
    return f.realize({37, 5});
}

TEST(BackEndEnvironment, ChangesNoValue) {
    const Buffer<int16_t> expected = result_with("llvm"), out = result_with("executor");
    out.for_each_element([&](int i, int j) { EXPECT_EQ(out(i, j), expected(i, j)) << i << ' ' << j; });
}

} // namespace
} // namespace fluorite::back_end_environment_test
