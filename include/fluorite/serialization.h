#pragma once
// Pipelines as bytes or files, which another program, or a later run, reads.

#include "fluorite/require_cxx17.h"

#include "fluorite/parameter.h"
#include "fluorite/pipeline.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace fluorite {

/// What a caller passes to a pipeline, by name: its Params and ImageParams. Names are those of the arguments of
/// compiled functions (Pipeline::infer_arguments).
using ExternalParameters = std::map<std::string, Parameter>;

struct SerializeOptions {
    /// Whether buffers that are bound to ImageParams are written. Values of Params always are, and so are Buffers that
    /// definitions read.
    bool bound_images = false;
};

/// Writes a pipeline with all that it has: definitions, updates, tuples, reductions, extern stages by the names of
/// their C functions, iterations, wrappers and clones, schedules, promises, requirements, traces, source locations,
/// values of Params and the elements of Buffers in definitions. Handlers and compiled code are not part of it. Throws
/// CompileError [not-serializable] for what a file cannot hold (a DistributedImage; a Func of partial results that the
/// program calls itself), and as freezing does for a pipeline that is incomplete; the second form also
/// [serialized-file]. `data` is replaced.
void serialize_pipeline(const Pipeline &pipeline, std::vector<uint8_t> &data, const SerializeOptions &options = {},
                        const Location &location = Location::current());
void serialize_pipeline(const Pipeline &pipeline, const std::string &filename, const SerializeOptions &options = {},
                        const Location &location = Location::current());
/// As above; `params` is replaced by what a caller passes to the pipeline.
void serialize_pipeline(const Pipeline &pipeline, std::vector<uint8_t> &data, ExternalParameters &params,
                        const SerializeOptions &options = {}, const Location &location = Location::current());
void serialize_pipeline(const Pipeline &pipeline, const std::string &filename, ExternalParameters &params,
                        const SerializeOptions &options = {}, const Location &location = Location::current());

/// Builds the pipeline anew: it computes the same bits and has the same schedule. A Param or ImageParam whose name is
/// in `user_params` is used in place of that of the file, and keeps its value and promises; other entries of the map
/// mean nothing. Throws CompileError [serialized-damaged] for bytes that are truncated, changed or no pipeline,
/// [serialized-version] for those of another version of the format, [serialized-parameter] for a parameter of another
/// type or rank, [serialized-file]. Bytes of unknown origin are safe to read, but not to run: extern stages name C
/// functions of the process.
Pipeline deserialize_pipeline(const std::vector<uint8_t> &data, const ExternalParameters &user_params = {},
                              const Location &location = Location::current());
Pipeline deserialize_pipeline(std::istream &in, const ExternalParameters &user_params = {},
                              const Location &location = Location::current());
Pipeline deserialize_pipeline(const std::string &filename, const ExternalParameters &user_params = {},
                              const Location &location = Location::current());

/// New parameters like those that a caller passes to the pipeline, with the values that were written. Errors as above.
ExternalParameters deserialize_parameters(const std::vector<uint8_t> &data,
                                          const Location &location = Location::current());
ExternalParameters deserialize_parameters(std::istream &in, const Location &location = Location::current());
ExternalParameters deserialize_parameters(const std::string &filename, const Location &location = Location::current());

} // namespace fluorite
