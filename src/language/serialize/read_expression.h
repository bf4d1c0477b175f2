#pragma once
// Reading the expressions of a serialized pipeline, with the objects that they mention.

#include "language/iteration.h"
#include "language/serialize/pipeline_file.h"

#include <string>
#include <vector>

namespace fluorite::language {

/// The objects that have been read, by their numbers.
struct ReadObjects {
    std::vector<std::string> words, names;
    std::vector<Location> places;
    std::vector<Expr> exprs;
    std::vector<ir::Symbol> random;
    std::vector<RefPtr<ir::Parameter>> parameters;
    std::vector<RefPtr<ReductionDomain>> domains;
    std::vector<RefPtr<Function>> functions;
    std::vector<RefPtr<Iteration>> iterations;
};

/// An object by its number.
template <typename T> const T &read_one_of(ByteReader &in, const std::vector<T> &list, const char *what) {
    return list[in.index(list.size(), what)];
}

/// The type of a value; a scalar.
Type read_type(ByteReader &in);
/// A node of a graph of scalars, which obeys the rules of types (ir/node_types.h) and those of what it mentions: a call
/// has the coordinates and the type of the definition, an image those of its Parameter. Throws CompileError
/// [serialized-damaged] for all others. Variables are those of any definition; defining checks which.
Expr read_expression(ByteReader &in, const ReadObjects &objects);

} // namespace fluorite::language
