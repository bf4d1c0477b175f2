#pragma once
// Makes a failing case smaller while it keeps failing.

#include "genome.h"

#include <functional>

namespace fluorite::fuzz {

/// `fails` decides whether a candidate still shows the failure; it is called for ever smaller candidates until none of
/// them does.
Genome shrink(Genome genome, const std::function<bool(const Genome &)> &fails);
/// The number of terms, directives, updates and Funcs, for reports.
int size_of(const Genome &genome);

} // namespace fluorite::fuzz
