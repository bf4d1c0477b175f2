#pragma once
// Errors that are found deep inside, where no place of the user's program is known, point to the call that led there.

#include "fluorite/errors.h"

#include <utility>

namespace fluorite {

/// Gives what `run` gives. Errors that it throws without a place get this one.
template <typename Run> auto with_place(const Location &location, Run &&run) -> decltype(run()) {
    try {
        return std::forward<Run>(run)();
    } catch (const CompileError &error) {
        if (error.location().known()) {
            throw;
        }
        throw CompileError(error.slug(), error.message(), location);
    } catch (const RuntimeError &error) {
        if (error.location().known()) {
            throw;
        }
        throw RuntimeError(error.slug(), error.message(), location);
    }
}

} // namespace fluorite
