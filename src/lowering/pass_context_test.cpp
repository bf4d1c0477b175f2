#include "lowering/pass_context.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::pass_context_test {
namespace {

using namespace ir;

TEST(PassContext, SymbolsWithoutAScheduledLoopHaveNone) {
    schedule::ScheduledGraph pipeline;
    pipeline.graph.funcs.resize(1);
    pipeline.schedule.funcs.resize(1);
    pipeline.schedule.funcs[0].stages.resize(1);
    pipeline.schedule.funcs[0].stages[0].dims.resize(2);
    const LowerOptions options;
    SymbolSource symbols;
    const PassContext context(pipeline, options, symbols);
    const schedule::StageSchedule *stage = &pipeline.schedule.funcs[0].stages[0];
    for (int32_t func = -1; func < 3; func++) {
        for (int32_t k = -1; k < 3; k++) {
            for (int32_t dim = -1; dim < 4; dim++) {
                SymbolOwner owner;
                owner.func = FuncId(func), owner.stage = k, owner.dim = DimId(dim);
                const Symbol loop(SymbolKind::Loop, "x", owner);
                EXPECT_EQ(context.func_of(loop), func == 0 ? &pipeline.graph.funcs[0] : nullptr);
                EXPECT_EQ(context.stage_of(loop), func == 0 && k == 0 ? stage : nullptr);
                const bool is_known = func == 0 && k == 0 && (dim == 0 || dim == 1);
                EXPECT_EQ(context.loop_dim_of(loop), is_known ? &stage->dims[static_cast<size_t>(dim)] : nullptr);
            }
        }
    }
}

TEST(PassContext, NewSymbolsAreDistinct) {
    SymbolSource symbols;
    EXPECT_EQ(symbols.fresh(SymbolKind::Buffer, "f").name(), "f.t1");
    EXPECT_EQ(symbols.fresh(SymbolKind::Loop, "f").name(), "f.t2");
    EXPECT_EQ(symbols.fresh_let("g", make_int(Int(32), 3)).name(), "g.t1");
    EXPECT_EQ(symbols.fresh_let("f", make_int(Int(32), 3)).name(), "f.t3");
}

} // namespace
} // namespace fluorite::lowering::pass_context_test
