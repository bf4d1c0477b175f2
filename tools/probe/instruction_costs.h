#pragma once
// What instructions that move lanes cost on this machine, for the rows of src/machine/machine_model.cpp.

#include <string>

namespace probe {

/// A table: for vectors of each width that this machine has, neighbouring lanes of two vectors as one vector, and loads
/// from computed addresses by one gather and one by one, in additions of whole vectors. Empty where there is no x86.
std::string instruction_costs();

} // namespace probe
