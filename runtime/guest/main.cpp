// A program of one compiled pipeline, which another process calls (fluorite/runtime/guest_call.h).
//
// What: the number of a file descriptor is its argument; the file holds one call. The program maps it, makes the
// arguments, calls the pipeline, and writes the result and the changed fields back. A failure's text is stored, not
// printed: the caller reports it.
//
// Relies on: the linker, which gives the pipeline's entry the name fluorite_guest_entry. Cost: nothing beside the call;
// elements are used where they lie.

#include "fluorite/runtime/guest_call.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

extern "C" int32_t fluorite_guest_entry(void **args);

namespace {

class Call {
  public:
    Call(uint8_t *memory) : memory_(memory) {}

    void run() {
        fluorite_guest_call_t &call = at<fluorite_guest_call_t>(0);
        auto *const given = &at<fluorite_guest_arg_t>(sizeof call);
        std::vector<fluorite_buffer_t> buffers(call.arg_count);
        std::vector<void *> args(call.arg_count);
        for (uint32_t i = 0; i < call.arg_count; i++) {
            args[i] = argument(given[i], buffers[i]);
        }
        if (call.num_threads > 0) {
            fluorite_set_num_threads(call.num_threads);
        }
        fluorite_print_errors(0);
        call.result = fluorite_guest_entry(args.data());
        std::strncpy(call.message, fluorite_last_error_message(), sizeof call.message - 1);
        for (uint32_t i = 0; i < call.arg_count; i++) {
            given[i].flags = buffers[i].flags;
            given[i].type = buffers[i].type;
        }
        call.is_done = 1;
    }

  private:
    uint8_t *memory_;

    template <typename T> T &at(uint64_t offset) { return *reinterpret_cast<T *>(memory_ + offset); }

    void *argument(fluorite_guest_arg_t &given, fluorite_buffer_t &buffer) {
        if (given.kind == fluorite_guest_null) {
            return nullptr;
        }
        if (given.kind == fluorite_guest_scalar) {
            return &given.scalar;
        }
        buffer.flags = given.flags;
        buffer.type = given.type;
        buffer.dimensions = given.dimensions;
        buffer.host = given.host != 0 ? memory_ + given.host : nullptr;
        buffer.dim = given.dim != 0 ? &at<fluorite_dimension_t>(given.dim) : nullptr;
        return &buffer;
    }
};

} // namespace

int main(int count, char **words) {
    const int file = count == 2 ? std::atoi(words[1]) : -1;
    struct stat status{};
    if (file < 0 || fstat(file, &status) != 0) {
        std::fprintf(stderr, "usage: %s FILE_DESCRIPTOR\n", words[0]);
        return 2;
    }
    void *memory = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        std::perror("mmap");
        return 2;
    }
    Call(static_cast<uint8_t *>(memory)).run();
    return 0;
}
