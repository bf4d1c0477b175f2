#pragma once
// The Params and ImageParams that a piece of a program makes: those that are members of a Generator are its arguments;
// and what they promise.

#include "fluorite/ref.h"
#include "ir/parameter.h"

#include <vector>

namespace fluorite::language {

/// Where this thread lists the parameters that it makes, in order; null: nowhere.
std::vector<detail::Ref<ir::Parameter>> *&new_parameters();

/// A promise about a parameter, in which references to the parameter itself are weak, so that it does not own itself.
/// An undefined Expr stays one.
Expr without_ownership(const ir::Parameter &parameter, const Expr &expr);

} // namespace fluorite::language
