// The names of the enumerations of schedules.

#include "ir/schedule_names.h"

#include "support/typed_id.h"

#include <ostream>

namespace fluorite {

namespace {

constexpr const char *tail_names[] = {"RoundUp",
                                      "GuardWithIf",
                                      "Predicate",
                                      "PredicateLoads",
                                      "PredicateStores",
                                      "ShiftInwards",
                                      "ShiftInwardsAndBlend",
                                      "RoundUpAndBlend",
                                      "Auto"};
constexpr const char *memory_names[] = {"Auto", "Heap", "Stack", "Register", "GPUShared", "Device"};
constexpr const char *align_names[] = {"AlignStart", "AlignEnd", "NoAlign", "Auto"};
constexpr const char *partition_names[] = {"Auto", "Never", "Always"};
constexpr const char *outside_names[] = {"Clamp", "GuardWithIf", "NonFaulting"};
constexpr const char *device_names[] = {"None",    "Host",       "Default_GPU",  "CUDA",   "OpenCL", "Metal",
                                        "Hexagon", "HexagonDma", "D3D12Compute", "Vulkan", "WebGPU"};

template <size_t N>
std::ostream &print(std::ostream &stream, const char *type, const char *const (&names)[N], size_t value) {
    return value < N ? stream << names[value] : stream << type << "(" << value << ")";
}

} // namespace

std::ostream &operator<<(std::ostream &stream, TailStrategy tail) {
    return print(stream, "TailStrategy", tail_names, index_of(tail));
}
std::ostream &operator<<(std::ostream &stream, MemoryType memory) {
    return print(stream, "MemoryType", memory_names, index_of(memory));
}
std::ostream &operator<<(std::ostream &stream, LoopAlignStrategy align) {
    return print(stream, "LoopAlignStrategy", align_names, index_of(align));
}
std::ostream &operator<<(std::ostream &stream, Partition partition) {
    return print(stream, "Partition", partition_names, index_of(partition));
}
std::ostream &operator<<(std::ostream &stream, PrefetchBoundStrategy strategy) {
    return print(stream, "PrefetchBoundStrategy", outside_names, index_of(strategy));
}
std::ostream &operator<<(std::ostream &stream, DeviceAPI api) {
    return print(stream, "DeviceAPI", device_names, index_of(api));
}

namespace ir {

const char *enumerator_name(TailStrategy tail) { return tail_names[index_of(tail)]; }
const char *enumerator_name(MemoryType memory) { return memory_names[index_of(memory)]; }
const char *enumerator_name(LoopAlignStrategy align) { return align_names[index_of(align)]; }
const char *enumerator_name(Partition partition) { return partition_names[index_of(partition)]; }
const char *enumerator_name(PrefetchBoundStrategy strategy) { return outside_names[index_of(strategy)]; }

} // namespace ir

} // namespace fluorite
