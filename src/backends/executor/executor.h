#pragma once
// A back end that makes no machine code: it executes loop IR, as slowly as its specification is simple, and prints it.
//
// It judges what others judge by speed alone. A lowered program that gives other bits here than in machine code shows
// an error of a back end; one that gives other bits here than in the interpreter of graphs (interpret/) shows an error
// of lowering. Every access is checked: an element that does not exist is an error.

#include "backends/backend.h"

namespace fluorite::backends {

const Backend &executor_backend();

} // namespace fluorite::backends
