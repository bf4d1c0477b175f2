#pragma once
// For tests: expects an error with its exact text.

#include "fluorite/errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite {

/// Where an error has to point: a file whose path contains `file`, and a line in it; "" and 0 match any.
struct ErrorPlace {
    std::string file;
    unsigned line = 0;
};

/// Runs, and expects an Error with this slug, text and place.
template <typename Error = CompileError>
void expect_error(const std::function<void()> &run, const std::string &slug, const std::string &message,
                  const ErrorPlace &place = {}) {
    try {
        run();
    } catch (const Error &error) {
        EXPECT_EQ(error.slug(), slug);
        EXPECT_EQ(error.message(), message);
        if (place.line != 0) {
            EXPECT_EQ(error.location().line, place.line);
        }
        if (!place.file.empty()) {
            EXPECT_NE(std::string(error.location().file).find(place.file), std::string::npos) << error.location().file;
        }
        return;
    }
    ADD_FAILURE() << "line " << place.line << " is accepted; expected [" << slug << "]";
}

} // namespace fluorite
