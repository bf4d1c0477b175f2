// The transport over the MPI library that the program is linked with.
//
// MPI libraries have incompatible binary interfaces, so each has a library of ours (runtime/mpi/transport.cpp, compiled
// against it). Which one is needed is asked of the program: its MPI_Get_library_version says what it is.

#include "ranks/transport/mpi_transport.h"

#include "fluorite/errors.h"
#include "fluorite/runtime/transport.h"
#include "ranks/transport/shared_memory.h"
#include "support/check.h"
#include "support/own_folder.h"

#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace fluorite::distribute {

namespace {

constexpr int64_t requests_tag_of_mpi = 16383; // the greatest
/// Shorter messages are copied: ranks wait for each other at the end of a run in which one has read from the other.
constexpr size_t least_in_place = size_t{1} << 16;
const char *const all_ranks_run =
    "; all ranks of a distributed pipeline run to its end; look at the first error of the other ranks";

[[noreturn]] void refuse_library(const std::string &text) {
    throw RuntimeError("no-mpi", "in a distributed pipeline: " + text);
}

/// `openmpi` or `mpich`.
std::string find_kind() {
    using Version = int (*)(char *, int *);
    // MPI_MAX_LIBRARY_VERSION_STRING is 256 for Open MPI, 8192 for MPICH.
    std::string text(8192, '\0');
    int length = 0;
    // dlsym returns functions as pointers to objects.
    const auto version = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version")); // NOLINT
    if (!version) {
        refuse_library(
            "the program has no MPI library; ranks talk through MPI; link it with Open MPI or MPICH (mpicxx), or run "
            "without `distribute`");
    }
    version(text.data(), &length);
    text.resize(static_cast<size_t>(length));
    if (text.find("Open MPI") != std::string::npos) {
        return "openmpi";
    }
    if (text.find("MPICH") != std::string::npos) {
        return "mpich";
    }
    refuse_library(
        "the program's MPI library is `" + text.substr(0, text.find('\n')) +
        "`; transports exist for Open MPI and MPICH; use one of them, or build runtime/mpi/transport.cpp against it "
        "and name the result");
}

std::string find_library() {
    const std::string name = "libfluorite_mpi_" + find_kind() + ".so";
    const std::filesystem::path beside = own_folder() / name;
    return std::filesystem::exists(beside) ? beside.string() : name;
}

class LoadedTransport : public Transport {
  public:
    explicit LoadedTransport(const fluorite_transport_t &table) : table_(table) {}
    ~LoadedTransport() override { table_.close(table_.state); }
    LoadedTransport(const LoadedTransport &) = delete;
    LoadedTransport &operator=(const LoadedTransport &) = delete;

    int64_t rank() const override { return table_.rank; }
    int64_t ranks() const override { return table_.ranks; }

    void start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) override {
        std::vector<fluorite_message_t> out, in;
        for (const Outgoing &message : sends) {
            out.push_back({message.peer, const_cast<char *>(message.data), message.bytes}); // NOLINT: only read
        }
        for (const Incoming &message : receives) {
            in.push_back({message.peer, message.data, message.bytes});
        }
        require(table_.start(table_.state, tag, out.data(), out.size(), in.data(), in.size()));
    }
    void receive(int64_t tag) override { require(table_.receive(table_.state, tag)); }
    void finish(int64_t tag) override { require(table_.finish(table_.state, tag)); }
    void progress() override { table_.progress(table_.state); }

    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override {
        if (peers_.empty()) {
            find_peers();
        }
        std::vector<int64_t> sizes(static_cast<size_t>(ranks()), 0), arriving = sizes;
        std::vector<Outgoing> sends;
        for (const Request &request : requests) {
            sizes[static_cast<size_t>(request.peer)] = static_cast<int64_t>(request.bytes.size());
            sends.push_back({request.peer, request.bytes.data(), request.bytes.size()});
        }
        require(table_.all_to_all(table_.state, sizes.data(), arriving.data()));
        std::vector<Request> result;
        for (int64_t peer = 0; peer < ranks(); peer++) {
            if (arriving[static_cast<size_t>(peer)] > 0) {
                result.push_back({peer, std::vector<char>(static_cast<size_t>(arriving[static_cast<size_t>(peer)]))});
            }
        }
        std::vector<Incoming> receives;
        for (Request &request : result) {
            receives.push_back({request.peer, request.bytes.data(), request.bytes.size()});
        }
        start(requests_tag_of_mpi, sends, receives);
        finish(requests_tag_of_mpi);
        return result;
    }

    std::vector<uint64_t> gather(uint64_t value) override {
        std::vector<uint64_t> values(static_cast<size_t>(ranks()));
        require(table_.gather(table_.state, value, values.data()));
        return values;
    }

    size_t least_read_in_place(int64_t peer) const override {
        const auto p = static_cast<size_t>(peer);
        return p < peers_.size() && peers_[p] ? least_in_place : std::numeric_limits<size_t>::max();
    }
    std::optional<uint64_t> shared_address_of(const char *memory) const override {
        return offset_in_shared_memory(memory);
    }
    const char *peer_memory_at(int64_t peer, uint64_t address) const override {
        return peers_[static_cast<size_t>(peer)]->at(address);
    }

  private:
    fluorite_transport_t table_;
    std::vector<std::unique_ptr<PeerMemory>>
        peers_; // by rank; null where one of the two cannot read the other's memory

    /// Collective.
    void find_peers() {
        peers_.resize(static_cast<size_t>(ranks()));
        const SharedMemoryKey own = shared_memory_key();
        const std::vector<uint64_t> machines = gather(own.machine), files = gather(own.file),
                                    proofs = gather(own.proof);
        std::vector<int64_t> can_read(peers_.size(), 0), is_read = can_read;
        for (size_t p = 0; p < peers_.size(); p++) {
            if (static_cast<int64_t>(p) != rank()) {
                peers_[p] = PeerMemory::open({machines[p], files[p], proofs[p]});
            }
            can_read[p] = peers_[p] ? 1 : 0;
        }
        require(table_.all_to_all(table_.state, can_read.data(), is_read.data()));
        for (size_t p = 0; p < peers_.size(); p++) {
            if (is_read[p] == 0) {
                peers_[p].reset();
            }
        }
    }

    void require(int code) {
        if (code != fluorite_transport_ok) {
            const std::string where = concat("on rank ", table_.rank, ": ", table_.error(table_.state));
            if (code == fluorite_transport_lost) {
                throw RuntimeError("lost-rank", where + all_ranks_run);
            }
            throw RuntimeError("transport-failed",
                               where + "; this is an error of the MPI library; look at its messages");
        }
    }
};

} // namespace

std::unique_ptr<Transport> open_mpi_transport(double limit, const std::string &library_path) {
    const std::string path = library_path.empty() ? find_library() : library_path;
    // Never closed: MPI calls back into it until the process ends.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        refuse_library("the transport cannot be loaded: " + std::string(why ? why : path) +
                       "; it is built where the MPI library's headers are installed; install them and build again");
    }
    const auto open =
        reinterpret_cast<fluorite_open_transport_t>(dlsym(library, "fluorite_open_mpi_transport")); // NOLINT
    if (!open) {
        refuse_library(path + " is no transport: it has no function fluorite_open_mpi_transport; name another library");
    }
    fluorite_transport_t table{};
    char error[512] = "";
    const int code = open(limit, &table, error, sizeof error);
    if (code == fluorite_transport_lost) {
        throw RuntimeError("lost-rank", concat("in a distributed pipeline: ", error, all_ranks_run));
    }
    if (code != fluorite_transport_ok) {
        refuse_library(error);
    }
    if (table.ranks > 1) {
        open_shared_memory();
    }
    return std::make_unique<LoadedTransport>(table);
}

} // namespace fluorite::distribute
