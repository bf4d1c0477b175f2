// Traces in files, as packets in the form of Halide's.
//
// What: an event is a header of seven 32-bit words (halide_trace_packet_t), then its coordinates, the bytes of its
// value, the name of the Func and the tag, each ended by a zero, and zeros up to a multiple of 4 bytes. The file is the
// program's (halide_set_trace_file), or the one that HL_TRACE_FILE names when the first event occurs, which is emptied
// then. Packets of several threads do not mix, as each is written by one call under a lock.
//
// Relies on: a file that takes whole packets. Cost: a system call for each event.

#include "runtime/trace_file.h"

#include "fluorite/compat/HalideRuntime.h"
#include "runtime/replaceable.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <unistd.h>

namespace {

constexpr int not_asked = -1;
std::mutex mutex; // guards what follows, and writes
std::atomic<int> file{not_asked};
bool is_own = false; // whether HL_TRACE_FILE named it

int open_named_file() {
    const std::lock_guard lock(mutex);
    if (file.load() == not_asked) {
        const char *name = std::getenv("HL_TRACE_FILE");
        const int opened = name != nullptr && *name != 0 ? open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644) : 0;
        is_own = opened > 0;
        file = opened > 0 ? opened : 0;
    }
    return file.load();
}

bool write_all(int to, const std::string &bytes) {
    const std::lock_guard lock(mutex);
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t count = write(to, bytes.data() + at, bytes.size() - at);
        if (count <= 0 && errno != EINTR) {
            return false;
        }
        at += count > 0 ? static_cast<size_t>(count) : 0;
    }
    return true;
}

void append_text(std::string &bytes, const char *text) { bytes.append(text != nullptr ? text : "").push_back(0); }

} // namespace

void fluorite_runtime::write_trace_packet(void *context, int to, int32_t id, const fluorite_trace_event_t &event) {
    halide_trace_packet_t header = {};
    header.id = id;
    header.type = event.type;
    header.event = event.event;
    header.parent_id = event.parent_id;
    header.value_index = event.value_index;
    header.dimensions = event.coordinates != nullptr ? event.dimensions : 0;
    std::string bytes(sizeof(header), 0);
    if (header.dimensions > 0) {
        bytes.append(reinterpret_cast<const char *>(event.coordinates),
                     static_cast<size_t>(header.dimensions) * sizeof(int32_t));
    }
    const auto value_bytes = static_cast<size_t>(event.type.lanes) * static_cast<size_t>(event.type.bytes());
    event.value != nullptr ? bytes.append(static_cast<const char *>(event.value), value_bytes)
                           : bytes.append(value_bytes, 0);
    append_text(bytes, event.func);
    append_text(bytes, event.trace_tag);
    bytes.resize((bytes.size() + 3) / 4 * 4);
    header.size = static_cast<uint32_t>(bytes.size());
    std::memcpy(bytes.data(), &header, sizeof(header));
    if (!write_all(to, bytes)) {
        fluorite_error(
            context, fluorite_error_code_trace_failed,
            "in a trace: an event cannot be written to the file; it must be open for writing, on a disk with "
            "space; give another one [trace-failed]");
    }
}

extern "C" {

void halide_set_trace_file(int given) {
    const std::lock_guard lock(mutex);
    file = given;
    is_own = false;
}

int fluorite_own_halide_get_trace_file(void *) {
    const int given = file.load(std::memory_order_relaxed);
    return given == not_asked ? open_named_file() : given;
}

int halide_shutdown_trace(void) {
    const std::lock_guard lock(mutex);
    const bool is_closed = !is_own || close(file.exchange(0)) == 0;
    is_own = false;
    return is_closed ? fluorite_error_code_success : fluorite_error_code_trace_failed;
}
}

FLUORITE_REPLACEABLE(int, halide_get_trace_file, (void *context));
