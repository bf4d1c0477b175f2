// The time of a kernel.
//
// Blocks are resident on multiprocessors, as many as fit by threads, registers and shared memory; the others follow in
// waves. What the resident threads ask for at once bounds the rate of memory (Little's law), and how many they are the
// rate of operations, which wait for each other. Operations, loads, the L2 cache and memory overlap but for a part. A
// last wave that is not full takes as long as a full one, and no wave less than its slowest chain of dependent work.
//
// Cost: constant.
#include "autoschedule/device/kernel_time.h"

#include "autoschedule/costs.h"

#include <algorithm>
#include <cmath>

namespace fluorite::autoschedule {

std::optional<KernelTime> time_of(const KernelWork &work, const machine::DeviceCosts &device) {
    const auto fits = [](int64_t all, double each) {
        return each > 0 ? std::floor(static_cast<double>(all) / each) : 1e9;
    };
    const double warp = static_cast<double>(costs::warp_threads);
    const double threads = std::ceil(work.threads / warp) * warp;
    const double room = std::min({static_cast<double>(device.blocks), fits(device.threads, threads),
                                  fits(device.registers, threads * std::max(work.registers, 1.0)),
                                  fits(device.shared_bytes, work.shared_bytes)});
    if (room < 1 || work.blocks < 1) {
        return {};
    }
    const double used = std::min(static_cast<double>(device.multiprocessors), work.blocks);
    const double resident = std::min(room, std::max(1.0, work.blocks / used));
    const double waves = std::max(1.0, work.blocks / (used * resident));
    KernelTime time;
    time.resident = resident * threads;
    const double lanes = static_cast<double>(device.lanes);
    const double busy = std::min(1.0, time.resident / (lanes * costs::operation_latency));
    time.arithmetic = work.operations / (used * lanes * busy * device.clock);
    time.loads = work.loads / (used * costs::load_lanes_of_device * busy * device.clock);
    time.caches = work.cache_bytes / device.l2_rate;
    const double asked = used * time.resident * std::min(work.in_flight, costs::most_in_flight);
    time.memory = work.memory_bytes / std::min(device.memory_rate, asked / device.latency);
    const double parts[] = {time.arithmetic, time.loads, time.caches, time.memory};
    double slowest = 0, sum = 0;
    for (const double part : parts) {
        slowest = std::max(slowest, part);
        sum += part;
    }
    const double full = std::ceil(waves - costs::last_wave_excess);
    const double steady = (slowest + costs::unhidden_in_kernel * (sum - slowest)) * std::max(1.0, full / waves);
    time.total = std::max(steady, std::max(1.0, full) * work.chain / device.clock) + device.launch;
    return time;
}

} // namespace fluorite::autoschedule
