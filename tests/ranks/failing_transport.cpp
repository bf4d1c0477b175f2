// For tests: a transport whose library below always fails.

#include "fluorite/runtime/transport.h"

namespace {

int fail_to_start(void *, int64_t, const fluorite_message_t *, size_t, const fluorite_message_t *, size_t) {
    return fluorite_transport_failed;
}
int fail_to_finish(void *, int64_t) { return fluorite_transport_failed; }
void progress(void *) {}
int fail_all_to_all(void *, const int64_t *, int64_t *) { return fluorite_transport_failed; }
int fail_to_gather(void *, uint64_t, uint64_t *) { return fluorite_transport_failed; }
const char *error(void *) { return "gathering values: the network is down"; }
void close(void *) {}

} // namespace

extern "C" int fluorite_open_mpi_transport(double, fluorite_transport_t *transport, char *, size_t) {
    *transport = {nullptr,        1,     2,    fail_to_start, fail_to_finish, fail_to_finish, progress, fail_all_to_all,
                  fail_to_gather, error, close};
    return fluorite_transport_ok;
}
