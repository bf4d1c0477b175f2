#pragma once
// What memory and threads cost on the target processor: the numbers that automatic schedules are made from. They stand
// apart from MachineModel, which passes and back ends read.

#include "machine/machine_model.h"

#include <cstdint>

namespace fluorite::machine {

/// Bytes are those of a core; the last cache is shared. Rates are in bytes a cycle, of a core.
struct CacheModel {
    int64_t first_cache_bytes = 32 * 1024;
    int64_t second_cache_bytes = 256 * 1024;
    int64_t last_cache_bytes = 8 * 1024 * 1024;
    int64_t window_bytes = 768 * 1024; // of planes that steps of one pass of an iteration keep; in no machine file
    double second_cache_rate = 16;
    double last_cache_rate = 8;
    double memory_rate = 4;
    double vector_operations = 2;           // a cycle
    double scalar_operations = 4;           // of integers, a cycle, beside those
    double gathered_cycles = 1;             // to load one element whose address depends on data, of a vector of them
    double task_cycles = 3000;              // to hand a task to a thread
    double row_cycles = 30;                 // to begin a row: its loop, and the first of its lines
    double allocation_cycles = 100;         // to take memory inside a task and to give it back
    double fresh_byte_cycles = 0.25;        // to touch memory that the system gives anew
    int64_t kept_bytes = 256 * 1024 * 1024; // that the runtime keeps for the next run (runtime/memory.cpp)
    double stream_cycles = 300; // to begin a row that is not in a cache of the core: nothing has prefetched it yet
    double loads = 2;           // of vectors, a cycle
    double sum_cycles = 4;      // from one term of a sum to the next: the latency of an addition
    double page_cycles = 3;     // to load from a page whose address the first buffer of addresses does not hold
    int64_t pages = 64;         // whose addresses it holds
    int64_t page_bytes = 4096;
    int64_t second_pages = 1536; // whose addresses the second buffer holds
    double walk_cycles = 100;    // to find the address of any other page
    int64_t line_bytes = 64;
    int64_t first_cache_ways = 8;
    int64_t second_cache_ways = 8;
    int64_t vector_registers = 16;
    int64_t streamed_rows = 1;  // of parts of lines whose stores pass the caches by turns
    int64_t followed_rows = 32; // along which a prefetcher continues by turns; in no machine file
    double gathered_lines = 4;  // times the bytes of an element that one brings whose address depends on data
};

/// The caches of the processor that a model is of.
CacheModel cache_model(const MachineModel &model);

} // namespace fluorite::machine
