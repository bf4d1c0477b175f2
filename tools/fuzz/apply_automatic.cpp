// Automatic schedules of cases: made for sizes that are multiples of those that are computed, since small pictures have
// no tiles, and for processors with vectors of any size.

#include "apply_automatic.h"

#include "apply_walk.h"

#include <algorithm>
#include <array>

namespace fluorite::fuzz {

namespace {

/// Extents of this and more are not multiplied, so that costs and sizes stay within their types.
constexpr int64_t most_planned = 100'000;

Target target_of(int vector_bits) {
    switch (vector_bits) {
    case 128:
        return Target("x86-64-linux-sse41");
    case 256:
        return Target("x86-64-linux-avx2-fma");
    case 512:
        return Target("x86-64-linux-avx512_zen4");
    default:
        return {};
    }
}

std::vector<int32_t> sizes_of(const Genome &genome, int factor) {
    std::vector<int32_t> sizes;
    for (const OutputGene &output : genome.outputs) {
        for (size_t d = 0; d < output.extent.size(); d++) {
            const int64_t extent = std::max(output.extent[d], 1);
            const int64_t planned = d < 2 ? std::min(extent * factor, std::max(extent, most_planned)) : extent;
            if (d == sizes.size()) {
                sizes.push_back(static_cast<int32_t>(planned));
            }
            sizes[d] = std::max(sizes[d], static_cast<int32_t>(planned));
        }
    }
    return sizes;
}

} // namespace

bool is_planned_for_device(const Genome &genome) { return !genome.automatic.empty() && genome.device % 2 == 1; }

void apply_automatic(const Genome &genome, Program &program) {
    if (genome.automatic.empty()) {
        return;
    }
    const AutomaticGene &gene = genome.automatic[0];
    AutoScheduleOptions options;
    options.sizes = sizes_of(genome, gene.factor);
    options.parallelism = gene.threads;
    options.model = gene.by_polymage ? "polymage" : "roofline";
    options.target = target_of(gene.vector_bits);
    if (is_planned_for_device(genome)) {
        constexpr std::array<const char *, 4> devices = {"h100", "a100", "rtx4090", "pocl"};
        options.model = "roofline";
        options.device = devices[static_cast<size_t>(genome.device / 2) % devices.size()];
        options.target = options.target == Target() ? get_host_target() : options.target;
        options.target.set_feature(Target::OpenCL);
    }
    Pipeline pipeline(program.outputs);
    try {
        const AutoSchedule found = pipeline.auto_schedule(options);
        program.schedule_text.push_back(pipeline_text(genome) + ".apply(Schedule::parse(R\"(" + found.schedule.text() +
                                        ")\"));");
    } catch (const CompileError &error) {
        if (error.slug() != "auto-schedule-size") {
            throw;
        }
    }
}

} // namespace fluorite::fuzz
