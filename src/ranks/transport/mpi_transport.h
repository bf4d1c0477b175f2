#pragma once
// The transport over the MPI library that the program is linked with.

#include "ranks/transport/transport.h"

#include <memory>
#include <string>

namespace fluorite::distribute {

/// Opens a transport over a duplicate of MPI_COMM_WORLD; collective. `limit`: seconds without progress after which a
/// peer counts as lost. Throws RuntimeError [no-mpi] if the program has no MPI library, if MPI is not initialized (or
/// for programs without threads), or if the transport for it is not found: `library` names its file; if it is empty,
/// the file is beside the library (or program) that contains this function, or where the loader looks for libraries.
std::unique_ptr<Transport> open_mpi_transport(double limit = 60, const std::string &library = "");

} // namespace fluorite::distribute
