#pragma once
// The enumerations of schedules.

#include "fluorite/require_cxx17.h"

#include <cstdint>
#include <iosfwd>

namespace fluorite {

/// How a split handles an extent that the factor does not divide.
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

/// The kind of memory that holds a Func. GPUShared is memory that the threads of one block of a GPU share. Device is
/// memory of a GPU, which lowering chooses for what kernels access; a schedule cannot ask for it. The others are other
/// names for Heap: kernels load from memory, not through a device's images, and processors have no locked caches, no
/// memory of their own for vectors, and no tiles that a schedule names; values are the same.
enum class MemoryType : uint8_t {
    Auto,
    Heap,
    Stack,
    Register,
    GPUShared,
    Device,
    GPUTexture = Heap,
    LockedCache = Heap,
    VTCM = Heap,
    AMXTile = Heap
};

/// How compute_with aligns loops of unequal extent.
enum class LoopAlignStrategy : uint8_t { AlignStart, AlignEnd, NoAlign, Auto };

/// How a pass that computes several steps of an iteration is cut (docs/guides/stencils.md).
enum class TimeTileShape : uint8_t {
    Overlapped, ///< tiles compute all that they need; at their edges, earlier steps are computed twice
    Wavefront,  ///< tiles one after the other, each step further back; the threads share a tile
    Diamond     ///< tiles that shrink from step to step, then tiles that fill the gaps; a thread computes a tile
};

/// Whether a loop is split into boundary and interior pieces.
enum class Partition : uint8_t { Auto, Never, Always };

/// How prefetch() treats coordinates outside the memory of the source.
enum class PrefetchBoundStrategy : uint8_t {
    Clamp,       ///< prefetches only the part inside
    GuardWithIf, ///< prefetches nothing if any part lies outside
    NonFaulting  ///< prefetches everything: a hint reads nothing and cannot fault
};

/// Devices that programs for several back ends name. Code is generated for Host only.
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

/// How a loop runs. Forked, which only async() creates, runs all iterations concurrently, each on its own thread. The
/// iterations of GPUBlock loops are blocks of a device, those of GPUThread loops inside of them its threads; GPULane is
/// a GPUThread loop whose threads are those of one warp.
enum class ForType : uint8_t { Serial, Parallel, Vectorized, Unrolled, Forked, GPUBlock, GPUThread, GPULane };

/// Print the enumerator's name; `MemoryType(9)` for a number that is none.
std::ostream &operator<<(std::ostream &stream, TailStrategy tail);
std::ostream &operator<<(std::ostream &stream, MemoryType memory);
std::ostream &operator<<(std::ostream &stream, LoopAlignStrategy align);
std::ostream &operator<<(std::ostream &stream, Partition partition);
std::ostream &operator<<(std::ostream &stream, PrefetchBoundStrategy strategy);
std::ostream &operator<<(std::ostream &stream, DeviceAPI api);

} // namespace fluorite
