// Frames: the cells and the memory of one run of a function.
//
// A frame frees what the loop IR says: at a Free, on the path of an exit (ir/memory.h), and at its end what slots have
// kept. That nothing else is left on the heap by then is checked. Only where an exception of a hook unwinds the frame,
// which no path describes, its destructor frees what it finds.

#include "backends/executor/program.h"

#include "backends/executor/kernels.h"
#include "fluorite/runtime/checks.h"
#include "ir/memory.h"
#include "support/check.h"

#include <cstring>

namespace fluorite::backends::executor {

namespace {} // namespace

Memory Memory::of_argument(fluorite_buffer_t *header) {
    Memory memory;
    memory.header = header;
    memory.is_found = false;
    return memory;
}

void Memory::find() {
    check(header != nullptr, "a buffer that is accessed has a header");
    int64_t range[2] = {0, -1};
    if (header->host) {
        fluorite_element_range(header, range);
    }
    host = header->host;
    first = range[0];
    last = range[1];
    is_found = true;
}

Frame::Frame(const Function &function, void *context)
    : function_(function), context_(context), cells_(function.initial), buffers_(function.buffer_count),
      stack_(function.buffer_count), slots_(static_cast<size_t>(function.slot_count)), texts_(function.text_count) {
    for (const auto &[buffer, header] : function.constants) {
        buffers_[buffer] = Memory::of_argument(header);
    }
}

Frame::~Frame() {
    for (size_t k = 0; k < buffers_.size(); k++) {
        release(k);
    }
    free_slots();
}

// ---- Memory.

uint8_t *Frame::heap_block(const char *name, uint64_t bytes) {
    auto *block = static_cast<uint8_t *>(fluorite_malloc(context_, bytes));
    if (block == nullptr) {
        throw Failed{fluorite_error_out_of_memory(context_, name, bytes)};
    }
    return block;
}

void Frame::hold(size_t buffer, uint8_t *block, Size size, Memory::Owner owner) {
    std::memset(block, poison_byte, size.bytes);
    buffers_[buffer] = {nullptr, block, 0, static_cast<int64_t>(size.bytes / size.element) - 1, owner};
}

void Frame::take_from_stack(size_t buffer, Size size) {
    stack_[buffer] = std::make_unique<uint8_t[]>(size.bytes);
    hold(buffer, stack_[buffer].get(), size, Memory::Owner::Frame);
}

void Frame::take_from_heap(size_t buffer, const char *name, Size size) {
    hold(buffer, heap_block(name, size.bytes), size, Memory::Owner::Free);
}

void Frame::take_from_device(size_t buffer, const char *name, Size size) {
    take_from_heap(buffer, name, size);
    program().device.begin(buffers_[buffer].host, size.bytes);
}

void Frame::take_slot(size_t buffer, const char *name, Size size, int slot) {
    Kept &kept = slots_[static_cast<size_t>(slot)];
    if (kept.block == nullptr || size.bytes > kept.bytes) {
        fluorite_free(context_, kept.block);
        kept = {};
        kept = {heap_block(name, size.bytes), size.bytes};
    }
    hold(buffer, kept.block, size, Memory::Owner::Frame);
}

void Frame::take_shared(size_t buffer, const char *name, Size size, SharedPlace place) {
    uint8_t *memory = thread->block->shared(name, place.all);
    const auto last = static_cast<int64_t>(size.bytes / size.element) - 1;
    buffers_[buffer] = {nullptr, memory + place.offset, 0, last, Memory::Owner::Other};
}

void Frame::release(size_t buffer) {
    if (buffers_[buffer].owner == Memory::Owner::Free) {
        fluorite_free(context_, buffers_[buffer].host);
    }
    stack_[buffer].reset();
    buffers_[buffer] = {};
}

void Frame::free_slots() {
    for (Kept &kept : slots_) {
        fluorite_free(context_, kept.block);
        kept = {};
    }
}

void DeviceMemory::begin(uint8_t *memory, uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    mirrors_[memory] = {bytes};
}

void DeviceMemory::attach(const uint8_t *memory, uint8_t *host) {
    const std::lock_guard lock(mutex_);
    mirrors_.at(memory).host = host;
}

void DeviceMemory::copy_in(uint8_t *memory) {
    const std::lock_guard lock(mutex_);
    Mirror &mirror = mirrors_.at(memory);
    if (mirror.newest == Newest::Host) {
        std::memcpy(memory, mirror.host, mirror.bytes);
        mirror.newest = Newest::Neither;
    }
}

void DeviceMemory::copy_out(const uint8_t *memory) {
    const std::lock_guard lock(mutex_);
    Mirror &mirror = mirrors_.at(memory);
    if (mirror.newest == Newest::Device) {
        check(mirror.host != nullptr, "memory that only kernels access is not copied");
        std::memcpy(mirror.host, memory, mirror.bytes);
        mirror.newest = Newest::Neither;
    }
}

void DeviceMemory::note_store(const uint8_t *memory, bool by_device) {
    const std::lock_guard lock(mutex_);
    mirrors_.at(memory).newest = by_device ? Newest::Device : Newest::Host;
}

// ---- Execution.

void Frame::leave_by(int path) {
    while (path != ir::ExitPaths::end) {
        const auto &[buffer, next] = function_.paths[static_cast<size_t>(path)];
        check(buffers_[buffer].owner == Memory::Owner::Free, "an exit frees what is on the heap");
        release(buffer);
        path = next;
    }
}

int32_t Frame::execute() {
    try {
        is_paused_ = false;
        while (next_ < function_.code.size() && !is_paused_) {
            function_.code[next_++](*this);
        }
    } catch (const Failed &failed) {
        leave_by(function_.exits[next_ - 1]);
        return failed.code;
    }
    return function_.calls_the_program ? fluorite_extern_function_status() : 0;
}

int32_t Frame::run() {
    const int32_t code = execute();
    free_slots();
    for (const Memory &memory : buffers_) {
        check(memory.owner != Memory::Owner::Free, concat("the function '", function_.name, "' frees all its memory"));
    }
    return code;
}

int32_t run_with_arguments(const Function &function, void **args) {
    Frame frame(function, function.context ? *static_cast<void **>(args[*function.context]) : nullptr);
    for (size_t i = 0; i < function.args.size(); i++) {
        const Function::Argument &arg = function.args[i];
        if (arg.kind == ir::LoweredArg::Kind::Scalar) {
            frame.cell(arg.slot) = interpret::find_loader(arg.type)(args[i]);
        } else {
            frame.buffer(arg.buffer) = Memory::of_argument(static_cast<fluorite_buffer_t *>(args[i]));
        }
    }
    return frame.run();
}

} // namespace fluorite::backends::executor
