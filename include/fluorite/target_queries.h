#pragma once
// Expressions whose values are those of the target that a pipeline is compiled for. They are constants of the compiled
// code, as if the program had written them for each target; nothing asks the machine that runs it.

#include "fluorite/require_cxx17.h"

#include "fluorite/expr.h"
#include "fluorite/target.h"
#include "fluorite/type.h"

namespace fluorite {

/// Bools: whether the target has this architecture, operating system or feature. Throw CompileError [no-such-value] for
/// a number that is none.
Expr target_arch_is(Target::Arch arch, const Location &location = Location::current());
Expr target_os_is(Target::OS os, const Location &location = Location::current());
Expr target_has_feature(Target::Feature feature, const Location &location = Location::current());
/// Int32: the bits of the target's pointers, and Target::natural_vector_size of a type.
Expr target_bits();
Expr target_natural_vector_size(const Type &type);
template <typename T> Expr target_natural_vector_size() { return target_natural_vector_size(type_of<T>()); }

} // namespace fluorite
