#pragma once
// Modules as bytes: lowered functions, which another process compiles.

#include "fluorite/require_cxx17.h"

#include "fluorite/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite {

/// Writes the functions of a Module as they are lowered, with their target, the data of their arguments and the
/// elements of the Buffers that they contain. Throws CompileError [not-serializable] for a function with kernels of a
/// device, and [serialized-file]. `data` is replaced.
void serialize_module(const Module &module, std::vector<uint8_t> &data, const Location &location = Location::current());
void serialize_module(const Module &module, const std::string &filename,
                      const Location &location = Location::current());

/// Reads a Module: the same loop IR, whose code computes the same bits. What needs the pipeline (compiler_log, hlpipe)
/// cannot be asked for any more. Throws CompileError [serialized-damaged], [serialized-version] and [serialized-file]
/// as deserialize_pipeline, and [bad-target] for a target that this library lacks.
Module deserialize_module(const std::vector<uint8_t> &data, const Location &location = Location::current());
Module deserialize_module(const std::string &filename, const Location &location = Location::current());

} // namespace fluorite
