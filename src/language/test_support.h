#pragma once
// Shared helpers of the language's tests.

#include "fluorite/errors.h"
#include "fluorite/expr.h"
#include "ir/expr_node.h"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

namespace fluorite::language {

/// Checks the slug, the exact message without location and slug, and that the error's location is in the program just
/// above `line` of the test file.
template <typename Run>
void expect_compile_error(const std::string &slug, const std::string &message, Run &&run, unsigned line = 0) {
    try {
        run();
        ADD_FAILURE() << "no error; expected [" << slug << "]";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.message(), message);
        EXPECT_EQ(error.slug(), slug);
        if (line != 0) {
            EXPECT_LE(error.location().line, line) << error.what(); // the program's lines stand just above
            EXPECT_GE(error.location().line + 8, line) << error.what();
        }
    }
}

inline std::string text_of(const Expr &expr) {
    std::ostringstream stream;
    stream << expr;
    return stream.str();
}

/// The value of an integer constant.
inline int64_t int_of(const Expr &expr) {
    int64_t value = 0;
    if (!ir::is_const_int(expr, &value)) {
        ADD_FAILURE() << "not an integer constant: " << text_of(expr);
    }
    return value;
}

inline double float_of(const Expr &expr) {
    double value = 0;
    if (!ir::is_const_float(expr, &value)) {
        ADD_FAILURE() << "not a float constant: " << text_of(expr);
    }
    return value;
}

} // namespace fluorite::language
