// How transports are found, in a program without MPI; runtime/mpi/ranks.cpp tests them on ranks.
#include "ranks/transport/mpi_transport.h"

#include "support/test_errors.h"

#include <filesystem>

namespace fluorite::distribute::mpi_transport_test {

namespace {

std::string beside_this_program(const std::string &name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

TEST(MpiTransport, NeedsAnMpiLibrary) {
    expect_error<RuntimeError>(
        [] { (void)open_mpi_transport(); }, "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link "
        "it with Open MPI or MPICH (mpicxx), or run without `distribute`");
    expect_error<RuntimeError>(
        [] { (void)open_mpi_transport(1, "/nowhere/transport.so"); }, "no-mpi",
        "in a distributed pipeline: the transport cannot be loaded: /nowhere/transport.so: cannot "
        "open shared object file: No such file or directory; it is built where the MPI library's "
        "headers are installed; install them and build again");
}

TEST(MpiTransport, ReportsErrorsOfTheLibraryBelow) {
    const auto transport = open_mpi_transport(1, beside_this_program("libfluorite_failing_transport.so"));
    expect_error<RuntimeError>([&] { (void)transport->gather(7); }, "transport-failed",
                               "on rank 1: gathering values: the network is down; this is an error of the MPI library; "
                               "look at its messages");
    EXPECT_THROW((void)transport->exchange_requests({}), RuntimeError);
    EXPECT_THROW(transport->start(0, {}, {}), RuntimeError);
    EXPECT_THROW(transport->finish(0), RuntimeError);
}

} // namespace
} // namespace fluorite::distribute::mpi_transport_test
