#pragma once
// How ranks of a distributed pipeline exchange messages: a table of C functions, which runtime/mpi/ fills over MPI. The
// compiler and the core library do not depend on MPI; who runs on it loads the library that was built for it.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fluorite_message_t {
    int64_t peer;
    void *data;
    uint64_t bytes;
};

/// The results of a transport's functions.
enum {
    fluorite_transport_ok = 0,
    fluorite_transport_lost = 1,  // a peer has not answered within the time limit
    fluorite_transport_failed = 2 // the library below has reported an error
};

/// One rank's end. After a function has returned anything but fluorite_transport_ok, only `error` and `close` may be
/// called. All calls come from one thread at a time.
struct fluorite_transport_t {
    void *state;
    int64_t rank, ranks;
    /// Starts sending and receiving; memory stays valid until `finish` of the tag. 0 <= tag < 16384.
    int (*start)(void *state, int64_t tag, const struct fluorite_message_t *sends, size_t send_count,
                 const struct fluorite_message_t *receives, size_t receive_count);
    /// Waits for what arrives by the tag; what is sent may be on its way until `finish`, which follows.
    int (*receive)(void *state, int64_t tag);
    int (*finish)(void *state, int64_t tag);
    /// Lets messages progress; never waits.
    void (*progress)(void *state);
    /// Collective: value i goes to rank i; arrays of `ranks` values.
    int (*all_to_all)(void *state, const int64_t *values, int64_t *received);
    /// Collective: the values of all ranks, by rank.
    int (*gather)(void *state, uint64_t value, uint64_t *values);
    /// What went wrong last; valid until `close`.
    const char *(*error)(void *state);
    void (*close)(void *state);
};

/// Opens the transport over a duplicate of MPI_COMM_WORLD. `limit`: seconds without any progress after which a peer
/// counts as lost. Returns 0, or nonzero with a text in `error`, which has room for `error_size` bytes.
/// The libraries export it as `fluorite_open_mpi_transport`.
typedef int (*fluorite_open_transport_t)(double limit, struct fluorite_transport_t *transport, char *error,
                                         size_t error_size);

#ifdef __cplusplus
}
#endif
