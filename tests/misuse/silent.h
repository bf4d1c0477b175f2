#pragma once
// The Funcs of the tests of mistakes that would compute something else than intended.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite {

class Silent : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    Func f{"f"}, g{"g"}, h{"h"};
    Param<int> p{"p"};

    void SetUp() override {
        f(x) = x;
        g(x) = f(x) + f(x + 1);
        h(x) = x;
    }
    static void expect_refused(const std::function<void()> &run, const char *slug, const std::string &message) {
        expect_error<CompileError>(run, slug, message);
    }
};

} // namespace fluorite
