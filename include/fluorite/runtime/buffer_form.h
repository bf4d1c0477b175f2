#pragma once
// What is wrong with a buffer that a pipeline is given. Compiled code (through fluorite_error_bad_type and its
// neighbours), ranks, code from certificates and the interpreter check it in one order and say it in one way.

#include "fluorite/require_cxx17.h"

#include "fluorite/runtime_abi.h"

#include <cstdint>
#include <optional>
#include <string>

namespace fluorite_runtime {

struct BufferFault {
    int32_t code; // of enum fluorite_error_code
    const char *slug;
    std::string seen, rule, fix;
    const char *part = ""; // of the buffer, behind its name

    /// `in <name>: <seen>; <rule>; <fix>`.
    std::string text(const std::string &name) const;
};

BufferFault buffer_is_null(const char *part = "");
BufferFault wrong_buffer_type(fluorite_type_t given, fluorite_type_t expected);
BufferFault wrong_buffer_rank(int32_t given, int32_t expected);
BufferFault negative_extent(int32_t dim, int32_t extent);
BufferFault newest_copy_on_device();
BufferFault no_host_memory();

/// Whether a buffer with elements has to have memory; where it need not, a buffer without is a question for bounds.
enum class HostMemory : uint8_t { Optional, Needed };

/// The first fault of a buffer of which a pipeline expects elements of the type and so many dimensions. In this order:
/// there is no buffer; another type; another rank; no array of dimensions; an extent below 0; the newest copy of the
/// elements is on a device; no memory.
std::optional<BufferFault> find_buffer_fault(const fluorite_buffer_t *buffer, fluorite_type_t type, int32_t dimensions,
                                             HostMemory memory);

} // namespace fluorite_runtime
