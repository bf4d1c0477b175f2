#pragma once
// The Params and ImageParams that a piece of a program makes: those that are members of a Generator are its arguments.

#include "fluorite/ref.h"

#include <vector>

namespace fluorite::language {

/// Where this thread lists the parameters that it makes, in order; null: nowhere.
std::vector<detail::Ref<ir::Parameter>> *&new_parameters();

} // namespace fluorite::language
