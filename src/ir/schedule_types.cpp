// The names of the enumerations of schedules.

#include "fluorite/schedule_types.h"

#include <cstddef>
#include <ostream>

namespace fluorite {

namespace {

template <size_t N>
std::ostream &print(std::ostream &stream, const char *type, const char *const (&names)[N], size_t value) {
    return value < N ? stream << names[value] : stream << type << "(" << value << ")";
}

} // namespace

std::ostream &operator<<(std::ostream &stream, TailStrategy tail) {
    static const char *const names[] = {"RoundUp",
                                        "GuardWithIf",
                                        "Predicate",
                                        "PredicateLoads",
                                        "PredicateStores",
                                        "ShiftInwards",
                                        "ShiftInwardsAndBlend",
                                        "RoundUpAndBlend",
                                        "Auto"};
    return print(stream, "TailStrategy", names, static_cast<size_t>(tail));
}

std::ostream &operator<<(std::ostream &stream, MemoryType memory) {
    static const char *const names[] = {"Auto", "Heap", "Stack", "Register", "GPUShared", "Device"};
    return print(stream, "MemoryType", names, static_cast<size_t>(memory));
}

std::ostream &operator<<(std::ostream &stream, LoopAlignStrategy align) {
    static const char *const names[] = {"AlignStart", "AlignEnd", "NoAlign", "Auto"};
    return print(stream, "LoopAlignStrategy", names, static_cast<size_t>(align));
}

std::ostream &operator<<(std::ostream &stream, Partition partition) {
    static const char *const names[] = {"Auto", "Never", "Always"};
    return print(stream, "Partition", names, static_cast<size_t>(partition));
}

std::ostream &operator<<(std::ostream &stream, PrefetchBoundStrategy strategy) {
    static const char *const names[] = {"Clamp", "GuardWithIf", "NonFaulting"};
    return print(stream, "PrefetchBoundStrategy", names, static_cast<size_t>(strategy));
}

std::ostream &operator<<(std::ostream &stream, DeviceAPI api) {
    static const char *const names[] = {"None",    "Host",       "Default_GPU",  "CUDA",   "OpenCL", "Metal",
                                        "Hexagon", "HexagonDma", "D3D12Compute", "Vulkan", "WebGPU"};
    return print(stream, "DeviceAPI", names, static_cast<size_t>(api));
}

} // namespace fluorite
