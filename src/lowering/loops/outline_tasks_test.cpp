#include "lowering/loops/outline_tasks.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::outline_tasks_test {
namespace {

using namespace ir;

const Symbol out(SymbolKind::Buffer, "out"), between(SymbolKind::Buffer, "between");

/// A loop of so many stores, each of some six nodes, inside of another loop.
Stmt nest_of(int stores, const Symbol &to) {
    const Symbol x(SymbolKind::Loop, "x"), y(SymbolKind::Loop, "y");
    std::vector<Stmt> body;
    for (int i = 0; i < stores; ++i) {
        body.push_back(Store::make(to, int32(i), add(make_var(Int(32), x), int32(stores + i)), {}));
    }
    const Stmt inner = For::make(x, int32(0), int32(8), ForKind::Serial, Block::make(body));
    return For::make(y, int32(0), int32(8), ForKind::Serial, inner);
}

LoweredModule outlined(const std::vector<Stmt> &nests) {
    const Stmt body = Allocate::make(between, Int(32), MemoryType::Heap, {int32(1000)}, Block::make(nests));
    LoweredFunc entry{"f", {{LoweredArg::Kind::OutputBuffer, out, Int(32), 1}}, body, LoweredFunc::Kind::Entry, {}};
    return outline_tasks(LoweredModule{{entry}});
}

TEST(OutlineTasks, NestsOfAnAllocationAreOneTask) {
    EXPECT_EQ(outlined({nest_of(100, between), nest_of(100, out)}).funcs.size(), 2U);
}

TEST(OutlineTasks, NestsThatAreTooManyNodesTogetherAreATaskEach) {
    // Neither nest is too large alone: one function would be cut inside of their loops.
    const LoweredModule module = outlined({nest_of(800, between), nest_of(800, out)});
    ASSERT_EQ(module.funcs.size(), 3U);
    for (size_t i = 1; i < 3; ++i) {
        EXPECT_EQ(module.funcs[i].body.kind(), StmtKind::For);
    }
}

} // namespace
} // namespace fluorite::lowering::outline_tasks_test
