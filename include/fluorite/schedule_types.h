#pragma once
// The small closed vocabularies of schedules.

#include "fluorite/require_cxx20.h"

#include <cstdint>

namespace fluorite {

/// What a split does where the factor does not divide the extent.
enum class TailStrategy : uint8_t {
    RoundUp,              ///< compute up to the next multiple; the region grows
    GuardWithIf,          ///< skip the excess with an if around the body
    Predicate,            ///< mask loads and stores of the excess
    PredicateLoads,       ///< mask only loads; stores round up
    PredicateStores,      ///< mask only stores; loads round up
    ShiftInwards,         ///< move the last piece back inside; some points are computed twice
    ShiftInwardsAndBlend, ///< as ShiftInwards, but store only points not yet computed
    RoundUpAndBlend,      ///< as RoundUp, but store back the old value in the excess
    Auto,                 ///< chosen by the rules in docs/directives/split.md
};

/// Where memory of a Func lives.
enum class MemoryType : uint8_t { Auto, Heap, Stack, Register };

/// How compute_with aligns loops of unequal extent.
enum class LoopAlignStrategy : uint8_t { AlignStart, AlignEnd, NoAlign, Auto };

/// Whether a loop is split into boundary and interior pieces.
enum class Partition : uint8_t { Auto, Never, Always };

/// What prefetch() does with the part of a region that lies outside of the memory it is in.
enum class PrefetchBoundStrategy : uint8_t {
    Clamp,       ///< asks for the part inside
    GuardWithIf, ///< asks for nothing where any part lies outside
    NonFaulting  ///< asks for all of it: a hint reads nothing and cannot fault
};

/// Machines that programs written for several back ends name. Code is made for Host only.
enum class DeviceAPI : uint8_t {
    None,
    Host,
    Default_GPU,
    CUDA,
    OpenCL,
    Metal,
    Hexagon,
    HexagonDma,
    D3D12Compute,
    Vulkan,
    WebGPU
};

/// How a loop runs. Forked, which only async() makes: all iterations at once, each on a thread of its own.
enum class ForType : uint8_t { Serial, Parallel, Vectorized, Unrolled, Forked };

} // namespace fluorite
