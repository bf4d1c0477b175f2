// Messages of distributed pipelines over MPI (fluorite/runtime/transport.h).
//
// Everything is nonblocking and tested until it is complete, collective operations included, because a blocking call
// would never return where a peer is gone. Messages of more than a GiB travel in parts, as counts have 31 bits. The
// communicator is a duplicate, so that tags do not meet those of the program.
//
// Built once for each MPI library that is installed, since their handles and constants differ. Requires MPI 3.

#include "fluorite/runtime/transport.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 30; // of one part
constexpr int spins = 64;                          // tests before the processor is offered to others
// Who has waited so long shares its core with ranks that compute, or waits for another machine anyway: it sleeps.
constexpr double patience = 1e-3; // seconds
constexpr std::chrono::microseconds nap{50};
// Between two tests. A process that was stopped for longer, with its peers, as batch systems do, has not lost them.
constexpr double most_gap = 1; // seconds

using Clock = std::chrono::steady_clock;

struct Pending {
    std::vector<MPI_Request> requests;
    std::vector<int64_t> peers; // by request
    std::vector<bool> is_done, is_sent;
    std::vector<int> completed; // room for the indices of a test
    size_t arriving = 0;        // requests of messages that have not arrived yet
};

struct State {
    MPI_Comm comm = MPI_COMM_NULL;
    double limit = 0;
    std::map<int64_t, Pending> open; // by tag
    std::string error;
    bool is_broken = false;
};

State &state_of(void *state) { return *static_cast<State *>(state); }

int fail(State &state, int code, const std::string &text) {
    state.error = text;
    state.is_broken = true;
    return code;
}

std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return {text, static_cast<size_t>(length)};
}

int failed(State &state, const char *operation, int code) {
    return fail(state, fluorite_transport_failed, std::string(operation) + ": " + text_of(code));
}

/// Waits until `test` says that it is done. The time limit begins anew with each step of progress.
template <typename Test, typename Describe> int wait(State &state, const Test &test, const Describe &missing) {
    Clock::time_point last = Clock::now();
    double waited = 0; // since the last progress, while this process ran
    for (int tries = 0;; tries++) {
        bool is_done = false, has_progressed = false;
        const int code = test(is_done, has_progressed);
        if (code != MPI_SUCCESS) {
            return failed(state, "waiting for messages", code);
        }
        if (is_done) {
            return fluorite_transport_ok;
        }
        const Clock::time_point now = Clock::now();
        waited = has_progressed ? 0 : waited + std::min(most_gap, std::chrono::duration<double>(now - last).count());
        last = now;
        if (waited > state.limit) {
            return fail(state, fluorite_transport_lost, missing());
        }
        if (waited > patience) {
            std::this_thread::sleep_for(nap);
        } else if (tries % spins == spins - 1) {
            std::this_thread::yield();
        }
    }
}

int start(void *opaque, int64_t tag, const fluorite_message_t *sends, size_t send_count,
          const fluorite_message_t *receives, size_t receive_count) {
    State &state = state_of(opaque);
    Pending &pending = state.open[tag];
    const auto add = [&](const fluorite_message_t &message, bool sends_it) {
        char *data = static_cast<char *>(message.data);
        for (uint64_t done = 0; done < message.bytes; done += most_bytes) {
            const int count = static_cast<int>(std::min(most_bytes, message.bytes - done));
            const int peer = static_cast<int>(message.peer), with_tag = static_cast<int>(tag);
            pending.requests.push_back(MPI_REQUEST_NULL);
            pending.peers.push_back(message.peer);
            pending.is_done.push_back(false);
            pending.is_sent.push_back(sends_it);
            pending.arriving += sends_it ? 0 : 1;
            MPI_Request *request = &pending.requests.back();
            const int code = sends_it ? MPI_Isend(data + done, count, MPI_BYTE, peer, with_tag, state.comm, request)
                                      : MPI_Irecv(data + done, count, MPI_BYTE, peer, with_tag, state.comm, request);
            if (code != MPI_SUCCESS) {
                return failed(state, sends_it ? "sending" : "receiving", code);
            }
        }
        return static_cast<int>(fluorite_transport_ok);
    };
    for (size_t i = 0; i < receive_count; i++) {
        if (const int code = add(receives[i], false)) {
            return code;
        }
    }
    for (size_t i = 0; i < send_count; i++) {
        if (const int code = add(sends[i], true)) {
            return code;
        }
    }
    return fluorite_transport_ok;
}

int test_some(Pending &pending, bool &is_done, bool &has_progressed) {
    int count = 0;
    const int total = static_cast<int>(pending.requests.size());
    if (total == 0) {
        is_done = true;
        return MPI_SUCCESS;
    }
    pending.completed.resize(pending.requests.size());
    int *const indices = pending.completed.data();
    const int code = MPI_Testsome(total, pending.requests.data(), &count, indices, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS) {
        return code;
    }
    is_done = count == MPI_UNDEFINED;
    has_progressed = !is_done && count > 0;
    for (int i = 0; !is_done && i < count; i++) {
        const auto request = static_cast<size_t>(indices[i]);
        pending.is_done[request] = true;
        pending.arriving -= pending.is_sent[request] ? 0 : 1;
    }
    return MPI_SUCCESS;
}

std::string seconds_of(const State &state) {
    char text[32];
    (void)std::snprintf(text, sizeof text, "%g s", state.limit);
    return text;
}

/// Waits for messages of an exchange: for all, or for those that arrive.
int wait_for(State &state, Pending &pending, bool only_arriving) {
    return wait(
        state,
        [&](bool &is_done, bool &has_progressed) {
            const int code = test_some(pending, is_done, has_progressed);
            is_done = is_done || (only_arriving && pending.arriving == 0);
            return code;
        },
        [&] {
            std::string text = "no message within " + seconds_of(state) + " to or from rank";
            int64_t last = -1;
            for (size_t i = 0; i < pending.peers.size(); i++) {
                if (!pending.is_done[i] && pending.peers[i] != last) {
                    last = pending.peers[i];
                    text += " " + std::to_string(last);
                }
            }
            return text;
        });
}

int receive(void *opaque, int64_t tag) {
    State &state = state_of(opaque);
    const auto found = state.open.find(tag);
    return found == state.open.end() ? static_cast<int>(fluorite_transport_ok) : wait_for(state, found->second, true);
}

int finish(void *opaque, int64_t tag) {
    State &state = state_of(opaque);
    const auto found = state.open.find(tag);
    if (found == state.open.end()) {
        return fluorite_transport_ok;
    }
    const int code = wait_for(state, found->second, false);
    if (code == fluorite_transport_ok) {
        state.open.erase(found);
    }
    return code;
}

void progress(void *opaque) {
    for (auto &[tag, pending] : state_of(opaque).open) {
        bool is_done = false, has_progressed = false;
        (void)test_some(pending, is_done, has_progressed); // an error shows again when the exchange is finished
    }
}

int wait_for_all(State &state, MPI_Request &request) {
    return wait(
        state,
        [&](bool &is_done, bool &) {
            int flag = 0;
            const int code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            is_done = flag != 0;
            return code;
        },
        [&] { return "not all ranks have come to a collective operation within " + seconds_of(state); });
}

int all_to_all(void *opaque, const int64_t *values, int64_t *received) {
    State &state = state_of(opaque);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Ialltoall(values, 1, MPI_INT64_T, received, 1, MPI_INT64_T, state.comm, &request);
    return code == MPI_SUCCESS ? wait_for_all(state, request) : failed(state, "exchanging counts", code);
}

int gather(void *opaque, uint64_t value, uint64_t *values) {
    State &state = state_of(opaque);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Iallgather(&value, 1, MPI_UINT64_T, values, 1, MPI_UINT64_T, state.comm, &request);
    return code == MPI_SUCCESS ? wait_for_all(state, request) : failed(state, "gathering values", code);
}

const char *error(void *opaque) { return state_of(opaque).error.c_str(); }

void close(void *opaque) {
    State &state = state_of(opaque);
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized == 0 && !state.is_broken) { // freeing a communicator waits for the others
        MPI_Comm_free(&state.comm);
    }
    delete &state;
}

int refuse(char *error, size_t size, const std::string &text) {
    (void)std::snprintf(error, size, "%s", text.c_str());
    return fluorite_transport_failed;
}

} // namespace

extern "C" int fluorite_open_mpi_transport(double limit, fluorite_transport_t *transport, char *error_text,
                                           size_t error_size) {
    int is_initialized = 0, is_finalized = 0, level = MPI_THREAD_SINGLE;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (is_initialized == 0 || is_finalized != 0) {
        return refuse(error_text, error_size,
                      is_initialized == 0 ? "MPI is not initialized; call MPI_Init before"
                                          : "MPI_Finalize has been called; run pipelines before");
    }
    // Only the calling thread communicates, so that every level will do for the thread that has initialized MPI.
    int is_main = 0;
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    if (level < MPI_THREAD_SERIALIZED && is_main == 0) {
        return refuse(error_text, error_size,
                      "this is not the thread that has initialized MPI, and MPI was initialized for calls of that "
                      "thread only; call MPI_Init_thread with MPI_THREAD_SERIALIZED or more");
    }
    auto *state = new State; // NOLINT(cppcoreguidelines-owning-memory): close() deletes it
    state->limit = limit;
    int rank = 0, ranks = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Comm_idup(MPI_COMM_WORLD, &state->comm, &request);
    const int result =
        code == MPI_SUCCESS ? wait_for_all(*state, request) : failed(*state, "duplicating MPI_COMM_WORLD", code);
    if (result != fluorite_transport_ok) {
        (void)std::snprintf(error_text, error_size, "%s", state->error.c_str());
        delete state; // NOLINT(cppcoreguidelines-owning-memory)
        return result;
    }
    MPI_Comm_set_errhandler(state->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(state->comm, &rank);
    MPI_Comm_size(state->comm, &ranks);
    *transport = {state, rank, ranks, start, receive, finish, progress, all_to_all, gather, error, close};
    return fluorite_transport_ok;
}
