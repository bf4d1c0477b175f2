#pragma once
// For tests: an error that has to be thrown, to the letter.

#include "fluorite/errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite {

/// Where an error has to point: a file whose path has `file` in it, and a line of it; "" and 0 stand for any.
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
