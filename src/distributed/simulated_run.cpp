// What a pipeline would do on ranks that are not there.
//
// A plan needs sizes, placements, the number of ranks, and answers of segments to bounds queries, which is compiled
// code that runs anywhere. So the plan of any rank of any machine is that which the machine would make, and only the
// time of computing has to be known from elsewhere: here it is measured, on one rank of this machine.

#include "distributed/simulated_run.h"

#include "ranks/plan/plan_alone.h"
#include "support/check.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace fluorite::distributed {

using distribute::Array;
using distribute::ArrayView;
using distribute::Box;
using distribute::ImagePart;

SimulatedRun::SimulatedRun(PipelineOnRanks &pipeline, const std::map<std::string, SimulatedImage> &inputs,
                           const std::vector<SimulatedImage> &outputs, int64_t ranks, const Location &location) {
    const distribute::LoneTransport transport(0, ranks);
    const auto bound = [&](const SimulatedImage &image, const std::string &name) {
        return distribute::BoundBuffer{nullptr,
                                       ImagePart{image.domain, image.placement,
                                                 distribute::owned_by(image.domain, image.placement, 0, ranks, name)}};
    };
    std::map<std::string, distribute::BoundBuffer> images;
    for (const auto &[name, image] : inputs) {
        images.emplace(name, bound(image, name));
    }
    call_ = pipeline.call(location, images);
    for (size_t k = 0; k < outputs.size(); k++) {
        call_.arrays[pipeline.array_of_output(k)] = bound(outputs[k], "an output");
    }
    described_ = pipeline.runs().describe_call(call_, transport);
}

namespace {

/// The points of each segment's region on one rank, and its fastest time.
struct Measured {
    std::vector<double> points, seconds;
};

Measured measure(const SimulatedRun &run,
                 const std::function<void(const std::string &input, const ArrayView &)> &fill) {
    constexpr int repeats = 5;
    distribute::DistributedProgram program = run.program();
    Measured measured;
    measured.points.resize(program.segments.size());
    measured.seconds.assign(program.segments.size(), std::numeric_limits<double>::infinity());
    for (size_t s = 0; s < program.segments.size(); s++) {
        auto &compute = program.segments[s].compute;
        compute = [&measured, s, compute](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
            const auto begin = std::chrono::steady_clock::now();
            compute(reads, writes);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            measured.seconds[s] = std::min(measured.seconds[s], took.count());
            for (const ArrayView &view : writes) {
                measured.points[s] = std::max(measured.points[s], static_cast<double>(volume(view.box)));
            }
        };
    }
    distribute::NoTransport alone;
    distribute::RunOptions whole;
    whole.mode = distribute::ExchangeMode::Merged;
    distribute::RankRun rank(program, plan_rank(program, run.domains(), alone), whole);
    std::vector<distribute::OwnedArray> memory;
    std::vector<ArrayView> views(program.arrays.size());
    for (size_t a = 0; a < program.arrays.size(); a++) {
        const Array &array = program.arrays[a];
        if (array.role == Array::Role::Inner || distribute::empty(run.domains()[a])) {
            continue; // an input that all ranks have is where it is bound
        }
        memory.emplace_back(hull(rank.plan().memory[a], run.domains()[a]), array.bytes);
        views[a] = memory.back().view();
        if (array.role == Array::Role::Input) {
            fill(array.name, views[a]);
        }
    }
    for (int i = 0; i < repeats; i++) {
        rank.run(views, alone);
    }
    return measured;
}

} // namespace

std::vector<SegmentCost> measured_costs(const SimulatedRun &large, const SimulatedRun &small,
                                        const std::function<void(const std::string &input, const ArrayView &)> &fill) {
    const Measured most = measure(large, fill), least = measure(small, fill);
    check(most.seconds.size() == least.seconds.size(), "both runs are of one pipeline");
    std::vector<SegmentCost> costs;
    for (size_t s = 0; s < most.seconds.size(); s++) {
        SegmentCost cost{large.program().segments[s].name};
        if (most.points[s] > 0 && most.seconds[s] < 1e9) {
            const double points = most.points[s] - least.points[s];
            const double slope = points > 0 ? (most.seconds[s] - least.seconds[s]) / points : 0;
            cost.point = slope > 0 ? slope : most.seconds[s] / most.points[s];
            cost.call = std::max(0.0, least.seconds[s] - cost.point * least.points[s]);
        }
        costs.push_back(cost);
    }
    return costs;
}

void set_costs(distribute::DistributedProgram &program, const std::vector<SegmentCost> &costs,
               double seconds_per_point) {
    check(costs.size() == program.segments.size() && seconds_per_point > 0, "each segment has a cost");
    for (size_t s = 0; s < costs.size(); s++) {
        program.segments[s].cost = costs[s].point / seconds_per_point;
        program.segments[s].call_cost = costs[s].call / seconds_per_point;
    }
}

} // namespace fluorite::distributed
