// Vectorization of random bodies: the test machine runs them before and after the passes and compares.
#include "ir/parse.h"
#include "ir/print.h"
#include "lowering/late_passes.h"
#include "lowering/test_machine.h"
#include "rewrite/simplify.h"

#include <gtest/gtest.h>
#include <random>

namespace fluorite::lowering::vectorize_loops_test {
namespace {

using namespace ir;

/// Makes statements over a loop x that write to out[], with all kinds of statements that a body may contain.
class BodyMaker {
  public:
    explicit BodyMaker(unsigned seed) : random_(seed) {}

    Stmt loops() {
        const Symbol outer(SymbolKind::Loop, "xo");
        const Symbol inner(SymbolKind::Loop, "xi", owner());
        const int lanes = 2 + pick(9);
        const Expr extent = make_var(Int(32), Symbol(SymbolKind::Let, "n"));
        const Expr x = add(mul(make_var(Int(32), outer), lanes), make_var(Int(32), inner));
        coordinates_ = {x, make_var(Int(32), inner)};
        place_ = x;
        Stmt body = statement(3);
        if (pick(2) == 0) {
            body = IfThenElse::make(make_unary(ExprKind::Likely, less(x, extent)), body);
        }
        const ForKind kind = pick(4) == 0 ? ForKind::Unrolled : ForKind::Vectorized;
        const Stmt loop = For::make(inner, 0, lanes, kind, body);
        const Expr pieces = div(add(extent, lanes - 1), lanes);
        return LetStmt::make(Symbol(SymbolKind::Let, "n"), 5 + pick(20),
                             For::make(outer, 0, pieces, ForKind::Serial, loop));
    }

  private:
    std::mt19937 random_;
    std::vector<Expr> coordinates_;
    Expr place_;
    int names_ = 0;

    /// Loops and outputs belong to Func 0, whose loop 0 stems from a pure Var.
    static SymbolOwner owner() {
        SymbolOwner owner;
        owner.func = FuncId(0), owner.stage = 0, owner.dim = DimId(0);
        return owner;
    }
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    std::string name(const char *hint) { return concat(hint, names_++); }

    Expr coordinate(int depth) {
        switch (pick(depth > 0 ? 8 : 2)) {
        case 0:
            return coordinates_[static_cast<size_t>(pick(static_cast<int>(coordinates_.size())))];
        case 1:
            return pick(9) - 4;
        case 2:
            return add(coordinate(depth - 1), coordinate(depth - 1));
        case 3:
            return mul(coordinate(depth - 1), pick(5) - 2);
        case 4:
            return div(coordinate(depth - 1), 1 + pick(4));
        case 5:
            return mod(coordinate(depth - 1), 1 + pick(6));
        case 6: {
            const Expr likely = make_unary(ExprKind::Likely, coordinate(depth - 1));
            return max_of(min_of(likely, make_var(Int(32), Symbol(SymbolKind::Let, "n"))), pick(4));
        }
        default:
            return make_load(Int(32), Symbol(SymbolKind::Buffer, "in"), coordinate(depth - 1));
        }
    }

    Expr value(int depth) {
        if (depth == 0) {
            return coordinate(1);
        }
        switch (pick(6)) {
        case 0:
            return sub(value(depth - 1), value(depth - 1));
        case 1:
            return make_select(condition(), value(depth - 1), value(depth - 1));
        case 2:
            return make_load(Int(32), Symbol(SymbolKind::Buffer, "in"), index(coordinate(2)));
        case 3:
            return make_cast(Int(32), make_cast(UInt(8), value(depth - 1)));
        case 4: {
            const Expr args[] = {value(depth - 1), 7};
            return ExprNode::create(ExprKind::Random, Int(32), args);
        }
        default: {
            const Symbol let(SymbolKind::Let, name("e"));
            return make_let(let, value(depth - 1), mul(make_var(Int(32), let), make_var(Int(32), let)));
        }
        }
    }

    Expr index(const Expr &coordinate) { return pick(2) == 0 ? make_cast(Int(64), coordinate) : coordinate; }
    Expr condition() {
        const Expr test = less(coordinate(2), coordinate(1));
        return pick(3) == 0 ? make_unary(ExprKind::Likely, test) : test;
    }

    /// Stores to an index that only this iteration of x uses, in a buffer of its own.
    Stmt store() {
        const Symbol buffer(SymbolKind::Buffer, name("out"), owner());
        return Store::make(buffer, value(2), index(place_), pick(3) == 0 ? condition() : make_bool(true));
    }

    Stmt statement(int depth) {
        switch (depth > 0 ? pick(7) : 0) {
        case 1:
            return Block::make({statement(depth - 1), statement(depth - 1)});
        case 2:
            return IfThenElse::make(condition(), statement(depth - 1), pick(2) == 0 ? statement(depth - 1) : Stmt());
        case 3: {
            const Symbol let(SymbolKind::Let, name("t"));
            const Expr bound = coordinate(2);
            coordinates_.push_back(make_var(Int(32), let));
            const Stmt body = statement(depth - 1);
            coordinates_.pop_back();
            return LetStmt::make(let, bound, body);
        }
        case 4: {
            const Symbol loop(SymbolKind::Loop, name("i"));
            const Expr min = coordinate(1);
            const Expr extent = pick(2) == 0 ? Expr(1 + pick(3)) : mod(coordinate(2), 4);
            const Expr outer_place = place_;
            coordinates_.push_back(make_var(Int(32), loop));
            place_ = add(mul(place_, 10), sub(make_var(Int(32), loop), min));
            const Stmt body = statement(depth - 1);
            place_ = outer_place;
            coordinates_.pop_back();
            return For::make(loop, min, extent, pick(4) == 0 ? ForKind::Parallel : ForKind::Serial, body);
        }
        case 5:
            return scratch();
        default:
            return store();
        }
    }

    /// An allocation that is filled and then read.
    Stmt scratch() {
        const Symbol buffer(SymbolKind::Buffer, name("scratch"));
        const Symbol loop(SymbolKind::Loop, name("i"));
        const Expr i = make_var(Int(32), loop);
        coordinates_.push_back(i);
        const Stmt fill = Store::make(buffer, value(1), i, make_bool(true));
        coordinates_.pop_back();
        const Expr read = add(make_load(Int(32), buffer, mod(coordinate(2), 3)), make_load(Int(32), buffer, 1));
        const Stmt use = Store::make(Symbol(SymbolKind::Buffer, name("out"), owner()), read, place_, make_bool(true));
        return Allocate::make(buffer, Int(32), MemoryType::Auto, {Expr(3)},
                              Block::make({For::make(loop, 0, 3, ForKind::Serial, fill), use}));
    }
};

schedule::ScheduledGraph one_func() {
    schedule::ScheduledGraph pipeline;
    pipeline.graph = parse_graph("graph { func f@{f0}(x@{f0 d0}): int32 { f(x) = 0 } output f }");
    FuncDef &func = pipeline.graph.funcs[0];
    func.arg_names = {"x"};
    schedule::FuncSchedule schedule;
    schedule.stages.push_back(schedule::default_stage_schedule(func, func.stages[0], false));
    pipeline.schedule.funcs.push_back(std::move(schedule));
    return pipeline;
}

TEST(Vectorize, RandomBodiesKeepTheirMeaning) {
    const schedule::ScheduledGraph pipeline = one_func();
    const LowerOptions options;
    int with_vectors = 0;
    for (unsigned seed = 0; seed < 600; seed++) {
        SymbolSource symbols;
        const PassContext context(pipeline, options, symbols);
        const Stmt before = BodyMaker(seed).loops();
        Stmt after = before;
        try {
            after = unroll_loops(after, context);
            after = vectorize_loops(after, context);
            if (seed % 2 == 0) {
                after = rewrite::simplify(after);
            }
            after = partition_loops(after, context);
            after = hoist_invariants(after, context);
            TestMachine first(seed), second(seed);
            first.run(before);
            if (after.defined()) {
                second.run(after);
            }
            EXPECT_TRUE(first.written == second.written) << "memory differs";
            EXPECT_TRUE(
                std::includes(first.loaded.begin(), first.loaded.end(), second.loaded.begin(), second.loaded.end()))
                << "more is loaded than before";
        } catch (const std::exception &error) {
            ADD_FAILURE() << error.what();
        }
        with_vectors += after.defined() && to_text(after).find("ramp(") != std::string::npos ? 1 : 0;
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << "\n"
                                                  << before << "\n-->\n"
                                                  << (after.defined() ? to_text(after).substr(0, 3000) : "nothing");
    }
    EXPECT_GT(with_vectors, 400);
}

} // namespace
} // namespace fluorite::lowering::vectorize_loops_test
