#pragma once
// What memory and threads cost on the target processor: the numbers that automatic schedules and time tiles are made
// from. Registers and instructions, which passes and back ends read, are in machine_model.h; what time tiling assumes
// of domains is in time_tile_model.h.

#include "machine/machine_model.h"

#include <cstdint>

namespace fluorite::machine {

/// Bytes are those of a core; the last cache is shared. Rates are in bytes a cycle, of a core.
struct CacheModel {
    int64_t l1_bytes = 32 * 1024;
    int64_t l2_bytes = 256 * 1024;
    int64_t llc_bytes = 8 * 1024 * 1024;
    int64_t window_bytes = 768 * 1024; // of planes that the steps of a time tile keep; in no machine file
    double l2_rate = 16;
    double llc_rate = 8;
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
    double stlb_cycles = 3;     // to load from a page whose address is in the second-level TLB only
    int64_t dtlb_entries = 64;  // pages whose addresses the first-level data TLB holds
    int64_t page_bytes = 4096;
    int64_t stlb_entries = 1536;   // pages whose addresses the second-level TLB holds
    double page_walk_cycles = 100; // to walk the page table for the address of any other page
    int64_t line_bytes = 64;
    int64_t l1_ways = 8;
    int64_t l2_ways = 8;
    int64_t vector_registers = 16;
    int64_t streamed_rows = 1;  // of parts of lines whose stores pass the caches by turns
    int64_t followed_rows = 32; // along which a prefetcher continues by turns; in no machine file
    double gathered_lines = 4;  // times the bytes of an element that one brings whose address depends on data
};

/// The caches of the processor that a model is of.
CacheModel cache_model(const MachineModel &model);

} // namespace fluorite::machine
