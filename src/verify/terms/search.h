#pragma once
// Places in programs: loops, bindings, accesses.

#include "verify/from_graph/convert.h"
#include "verify/rewrite/rewriter.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

/// Whether a tensor is loops over elements, perhaps with bindings, updates and alternatives.
bool is_nest(const Term &term);

/// The paths of what the loops of this name run: one in each alternative of a nest. Of loops that an update has copied,
/// the one in its step, which is the last operand.
std::vector<Path> find_loop_bodies(const Term &term, const std::string &name);
/// The path of the binding of this name.
std::optional<Path> find_binding(const Term &term, const std::string &name);
/// The path of an access of something that is no name.
std::optional<Path> find_access(const Term &term);

/// The accesses of a tensor, each with the ranges of the loops between the term's root and the access.
using Intervals = std::map<std::string, Interval>;
struct Read {
    Path path;
    std::vector<Index> indices;
    Intervals env;
};
std::vector<Read> reads_of(const Term &term, const std::string &tensor, const Facts &facts);

size_t count_nodes(const Term &term);
Term replaced(const Term &term, const Path &path, const Term &by, size_t from = 0);

/// What is known at a path.
Facts facts_at(const Derivation &derivation, const Path &path);
/// Whether an index depends on loops around the path.
bool varies(const Derivation &derivation, const Path &path, const Index &index);

} // namespace fluorite::verify
