// Frames: the cells and the memory of one run of a function.
//
// A frame owns the memory that it has allocated, so every exit from a function frees it: the end, an error, and an
// exception of a hook.

#include "backends/executor/program.h"

#include "backends/executor/kernels.h"
#include "fluorite/runtime/checks.h"
#include "support/check.h"

#include <cstring>

namespace fluorite::backends::executor {

namespace {

constexpr uint8_t poison_byte = 0xA5; // as in checked code: values that nothing has computed become visible

} // namespace

Memory Memory::of_argument(fluorite_buffer_t *header) {
    Memory memory;
    memory.header = header;
    if (header && header->host) {
        int64_t range[2] = {0, -1};
        fluorite_element_range(header, range);
        memory.host = header->host;
        memory.first = range[0];
        memory.last = range[1];
    }
    return memory;
}

Frame::Frame(const Function &function, void *context)
    : function_(function), context_(context), cells_(function.initial), buffers_(function.buffer_count),
      texts_(function.text_count) {
    for (const auto &[buffer, header] : function.constants) {
        buffers_[buffer] = Memory::of_argument(header);
    }
}

Frame::~Frame() {
    for (size_t k = 0; k < buffers_.size(); k++) {
        release(k);
    }
}

Memory take_memory(void *context, const char *name, uint64_t bytes, uint64_t element_bytes) {
    auto *block = static_cast<uint8_t *>(fluorite_malloc(context, bytes));
    if (block == nullptr) {
        throw Failed{fluorite_error_out_of_memory(context, name, bytes)};
    }
    std::memset(block, poison_byte, bytes);
    return {nullptr, block, 0, static_cast<int64_t>(bytes / element_bytes) - 1, block + bytes, true};
}

void Frame::allocate(size_t buffer, const char *name, uint64_t bytes, uint64_t element_bytes) {
    buffers_[buffer] = take_memory(context_, name, bytes, element_bytes);
}

void Frame::allocate_shared(size_t buffer, const char *name, uint64_t bytes, uint64_t element_bytes) {
    buffers_[buffer] = thread->block->shared(buffer, thread->allocations[buffer]++, name, bytes, element_bytes);
}

void Frame::release(size_t buffer) {
    if (buffers_[buffer].is_owned) {
        fluorite_free(context_, buffers_[buffer].host);
        buffers_[buffer] = {};
    }
}

int32_t Frame::run() {
    try {
        is_paused_ = false;
        while (next_ < function_.code.size() && !is_paused_) {
            function_.code[next_++](*this);
        }
    } catch (const Failed &failed) {
        return failed.code;
    }
    return function_.calls_the_program ? fluorite_extern_function_status() : 0;
}

int32_t run_with_arguments(const Function &function, void **args) {
    void *context = function.context == SIZE_MAX ? nullptr : *static_cast<void **>(args[function.context]);
    Frame frame(function, context);
    size_t scalar = 0, header = 0;
    for (size_t i = 0; i < function.args.size(); i++) {
        if (function.args[i].kind == ir::LoweredArg::Kind::Scalar) {
            frame.cell(function.scalars[scalar++]) = interpret::find_loader(function.args[i].type)(args[i]);
        } else {
            frame.buffer(function.headers[header++]) = Memory::of_argument(static_cast<fluorite_buffer_t *>(args[i]));
        }
    }
    return frame.run();
}

} // namespace fluorite::backends::executor
