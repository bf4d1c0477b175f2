// Pipelines for ranks as machine code of this process.
//
// Their functions are pipelines without arguments of their own: each is lowered, loaded and called like one.

#include "driver/on_ranks/load_for_ranks.h"

#include "driver/compiled.h"

namespace fluorite::driver {

namespace {

distribute::SegmentFunction function_of(std::shared_ptr<const CompiledPipeline> code, const Location &location) {
    return [code = std::move(code), location](std::vector<void *> args, bool is_query, void *context) {
        const auto call = [&](const RunContext &run) {
            return is_query ? query_with(*code, std::move(args), run, location)
                            : run_with(*code, std::move(args), run, location);
        };
        if (context) {
            return call(*static_cast<const RunContext *>(context));
        }
        const JITHandlers handlers;
        return call(RunContext(nullptr, handlers, location));
    };
}

} // namespace

distributed::RankPipeline lowered_for_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                                            const distributed::Distribution &distribution, const std::string &name,
                                            const Location &location, bool with_reports) {
    return distributed::lower_for_ranks(pipeline, target, distribution, name, location, lower_frozen, with_reports);
}

std::unique_ptr<distributed::PipelineOnRanks> load_for_ranks(distributed::RankPipeline pipeline, const Target &target,
                                                             const Location &location) {
    std::vector<distribute::SegmentFunction> functions;
    for (const distributed::RankFunction &function : pipeline.functions) {
        functions.push_back(function_of(load_code(function.module, *function.pipeline, target), location));
    }
    pipeline.functions.clear();
    return std::make_unique<distributed::PipelineOnRanks>(std::move(pipeline), std::move(functions));
}

std::unique_ptr<distributed::PipelineOnRanks> load_for_any_images(const Pipeline &pipeline, const Target &target,
                                                                  const Location &location) {
    const PipelineContents &contents = *pipeline.contents();
    const schedule::ScheduledGraph frozen = freeze_for(contents, target);
    return load_for_ranks(lowered_for_ranks(frozen, target,
                                            distributed::distribution_of(frozen, distributed::PartedInputs::Parameters),
                                            function_name(contents), location),
                          target, location);
}

} // namespace fluorite::driver
