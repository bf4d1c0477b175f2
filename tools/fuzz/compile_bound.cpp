// A bound on the processor time of a compilation that grows with what is compiled.
//
// What: a compilation that is out of proportion is a finding, as a wrong value is, however short it is. The measure of
// what is compiled must not be what the compiler makes of it, which is what runs away; it is the pipeline after
// inlining, whose growth the compiler bounds by itself (loopnest/budget.h), times the copies that unrolled and
// vectorized loops ask for.
//
// The constants are from 300 cases of seed 20261127 as SSE4.1, with the verifier, on a busy machine: one took 0.23 of
// the bound, all others less than 0.15.

#include "compile_bound.h"

#include "ir/expr_node.h"
#include "loopnest/inline/inline.h"
#include "loopnest/lowering_graph.h"
#include "support/check.h"

#include <algorithm>
#include <ctime>

namespace fluorite::fuzz {

namespace {

constexpr double base_seconds = 4;
constexpr double seconds_of_node = 0.004;
constexpr int64_t most_copies = 256; // of one stage that count: the compiler makes loops of more, or refuses them

/// The constant extent of the innermost loop of a split; 1 if the loop is none, or its extent is no constant.
int64_t extent_of(const schedule::StageSchedule &stage, const std::string &loop) {
    int64_t extent = 1;
    for (const schedule::Split &split : stage.splits) {
        int64_t factor = 1;
        if (split.kind == schedule::Split::Kind::Split && split.inner == loop &&
            ir::is_const_int(split.factor, &factor)) {
            extent = std::max<int64_t>(factor, 1);
        }
    }
    return extent;
}

size_t copies_of(const schedule::StageSchedule &stage) {
    int64_t copies = 1;
    for (const schedule::LoopDim &loop : stage.dims) {
        const bool copies_body = loop.for_type == ForType::Unrolled || loop.for_type == ForType::Vectorized;
        copies = copies_body ? std::min(most_copies, copies * extent_of(stage, loop.var)) : copies;
    }
    return static_cast<size_t>(copies);
}

/// The size of a pipeline as it is scheduled: distinct expression nodes after inlining, each as often as unrolling and
/// vectors copy it at most.
size_t size_of(const schedule::ScheduledGraph &pipeline) {
    const loopnest::LoweringGraph graph = loopnest::inline_funcs(pipeline).or_raise();
    size_t size = 0;
    for (const FuncId id : graph.order) {
        const ir::FuncDef &func = graph.func(id);
        for (size_t k = 0; k < func.stages.size(); k++) {
            size_t nodes = 0;
            for (const Expr &expr : loopnest::stage_exprs(func.stages[k])) {
                nodes += ir::node_count(expr);
            }
            size += nodes * copies_of(graph.schedule(id).stages[k]);
        }
    }
    return size;
}

/// Seconds of processor time that a pipeline of this size may take to compile.
double most_seconds(size_t size) { return base_seconds + seconds_of_node * static_cast<double>(size); }

/// The size that bounds the compilation; 0 if the schedule is refused before it has one.
size_t size_to_compile(const Pipeline &pipeline, const Target &target) {
    try {
        return size_of(driver::freeze_for(*pipeline.contents(), target));
    } catch (const CompileError &) {
        return 0;
    }
}

} // namespace

TimedCompilation compile_in_time(const Pipeline &pipeline, const Target &target, double weight) {
    const std::clock_t begin = std::clock();
    const auto complaint = [&] {
        const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        const size_t size = size_to_compile(pipeline, target);
        const double most = most_seconds(size) * weight;
        return took <= most ? ""
                            : concat("compiling took ", took, " s of processor time; a pipeline of size ", size,
                                     " may take ", most, " s");
    };
    try {
        auto compiled = driver::compiled_for(*pipeline.contents(), target, {});
        return {std::move(compiled), complaint()};
    } catch (const CompileError &) {
        std::string late = complaint();
        if (late.empty()) {
            throw;
        }
        return {nullptr, std::move(late)};
    }
}

} // namespace fluorite::fuzz
