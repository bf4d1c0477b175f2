#pragma once
// Pipelines as bytes: the entries of the content, which is a program that builds the pipeline again.
//
//     f(x) = in(x) * 2           Name "in", Name "x", Parameter in, Function f, Expression x, Expression in(x), ...
//     f(r) += f(r - 1)           Define f, Domain r, Expression ..., Update f
//     f.compute_at(g, y)         Schedule "f.compute_at(g, y)"
//
// Method: each entry creates one object, which gets the next number among the objects of its kind, or says more about
// one. It refers to objects by number, and only to those before it, so that no file describes a cycle. Reading calls
// what a program calls: define_pure, define_update, wrapper_for, apply_schedule. Hence their rules hold of files, too,
// and a file cannot hold what no program can. Schedules are texts in the normal form, which creates the Funcs of
// rfactor; what in() and clone_in() made stands among the Functions, because definitions may call it.
//
// Names: those with a number of the process (anonymous_name) are written without it and get another one.
//
// Not in a file: compiled code, handlers, the target of the last compile_jit, and buffers bound to ImageParams unless
// they are asked for. Refused, with [not-serializable]: DistributedImages, and Funcs of partial results (rfactor) that
// other definitions call by name.
//
// Relies on: freezing and the normal form of schedules being functions of what is written; serialize_pipeline reads
// what it has written, and compares both. Cost: linear in distinct nodes.

#include "fluorite/serialization.h"
#include "language/iteration.h"
#include "language/pipeline_contents.h"
#include "language/serialize/byte_stream.h"

#include <map>
#include <string>

namespace fluorite::language {

inline constexpr FileKind pipeline_file = {"FLUORPIP", 1, "pipeline"};

/// Operands in the order in which they are written. Texts, counts and numbers are those of ByteWriter.
enum class Entry : uint8_t {
    End,
    Word,        // text: of a kind of node or a function; entries refer to it by number
    Name,        // flag: has a number of the process; text
    Place,       // file, line, column of a Location
    Expression,  // word of the kind, type, payload, operands
    Random,      // the number that stands for a random number without seed
    Parameter,   // a Param or ImageParam
    Constrain,   // promises about a Parameter
    Image,       // a Buffer that definitions read: a Parameter and its elements
    Bind,        // elements of an ImageParam
    Domain,      // an RDom
    Where,       // its predicate
    Function,    // name: a Func without definition
    Define,      // its pure definition
    Extern,      // its definition by a C function
    Update,      // one more update
    Flags,       // traces, and whether its sums are reassociated
    Buffers,     // the Parameters of its output buffers
    Wrap,        // a Func that in() or clone_in() made
    Iteration,   // of Functions
    Result,      // a Parameter for one field of an Iteration's result
    Requirement, // of the pipeline
    Output,      // of the pipeline
    TracePipeline,
    SchedulePart, // of the Functions of an Iteration
    Schedule,     // of the pipeline
};
inline constexpr size_t entry_count = static_cast<size_t>(Entry::Schedule) + 1;

/// Which Functions of an Iteration a schedule is for.
enum class Part : uint8_t { Initial, Body };

/// Parameters by their numbers in a file.
using NumberedParameters = std::map<size_t, RefPtr<ir::Parameter>>;

/// The content of a file. Throws CompileError [not-serializable]. `written`, if given, gets the Params and images.
Bytes write_pipeline(const PipelineContents &pipeline, const SerializeOptions &options, const Location &location,
                     NumberedParameters *written = nullptr);

struct ReadPipeline {
    PipelineContents contents;
    /// The scalars and images that a caller passes, by name.
    ExternalParameters parameters;
};
/// Builds the pipeline. Parameters of the file whose names are among `given`, or whose numbers among `numbered`, are
/// replaced by those. Throws CompileError [serialized-damaged] where the content is that of no pipeline,
/// [serialized-parameter] where a given one has another type or rank.
ReadPipeline read_pipeline(std::span<const uint8_t> content, const std::string &name, const ExternalParameters &given,
                           const Location &location, const NumberedParameters &numbered = {});

/// While it lives, the fields and the step of an iteration are ordinary inputs, so that its parts are pipelines.
class AsPipelines {
  public:
    explicit AsPipelines(const Iteration &iteration);
    ~AsPipelines();
    AsPipelines(const AsPipelines &) = delete;
    AsPipelines &operator=(const AsPipelines &) = delete;

    /// The pipeline of a part.
    static std::shared_ptr<PipelineContents> of(const Iteration &iteration, Part part);

  private:
    std::vector<std::pair<RefPtr<ir::Parameter>, RefPtr<const RefCounted>>> marks_;
};

} // namespace fluorite::language
