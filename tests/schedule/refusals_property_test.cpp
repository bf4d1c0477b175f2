// A directive that is refused changes nothing.
#include "fluorite/fluorite.h"
#include "language/function.h"
#include "schedule/directives.h"

#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>

namespace fluorite {
namespace {

/// Everything that directives edit, as text.
std::string schedule_text(const Func &func) {
    std::ostringstream out;
    const schedule::FuncSchedule &schedule = func.function()->schedule;
    for (const schedule::StageSchedule &stage : schedule.stages) {
        for (const schedule::Split &split : stage.splits) {
            out << static_cast<int>(split.kind) << split.old_var << '>' << split.outer << ',' << split.inner << ' ';
        }
        for (const schedule::LoopDim &dim : stage.dims) {
            out << dim.var << ':' << static_cast<int>(dim.for_type) << static_cast<int>(dim.partition) << ' ';
        }
        out << stage.atomic << stage.allow_race_conditions << stage.touched << stage.on_loops.name << '\n';
    }
    for (const auto *bounds : {&schedule.bounds, &schedule.estimates}) {
        for (const schedule::Bound &bound : *bounds) {
            out << bound.var << ' ' << bound.min << ' ' << bound.extent << ' ' << bound.modulus << ' '
                << bound.remainder << '\n';
        }
    }
    out << static_cast<int>(schedule.memory) << static_cast<int>(schedule.compute.kind)
        << static_cast<int>(schedule.store.kind) << schedule.touched << schedule.on_region.name
        << schedule.on_storage.name;
    for (const std::string &name : schedule.storage_order) {
        out << ' ' << name;
    }
    return out.str();
}

/// One random call of a directive, legal or not, on one of the two stages.
void apply_random(Func func, const std::vector<VarOrRVar> &vars, std::mt19937 &random) {
    auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
    auto var = [&]() -> const VarOrRVar & { return vars[pick(vars.size())]; };
    auto pure = [&] { return Var(vars[pick(4)].name()); };
    auto factor = [&] { return Expr(static_cast<int>(pick(6)) - 1); };
    const auto tail = static_cast<TailStrategy>(pick(9));
    const auto loops = [&](auto stage) {
        switch (pick(16)) {
        case 0:
            stage.split(var(), var(), var(), factor(), tail);
            break;
        case 1:
            stage.fuse(var(), var(), var());
            break;
        case 2:
            stage.rename(var(), var());
            break;
        case 3:
            stage.reorder({var(), var(), var()});
            break;
        case 4:
            stage.tile(var(), var(), var(), var(), var(), var(), factor(), factor(), tail);
            break;
        case 5:
            stage.tile({var(), var()}, {var(), var()}, {var(), var()}, {factor(), factor()}, tail);
            break;
        case 6:
            stage.vectorize(var(), factor(), tail);
            break;
        case 7:
            stage.vectorize(var(), var(), factor(), tail);
            break;
        case 8:
            stage.unroll(var(), factor(), tail);
            break;
        case 9:
            stage.parallel(var(), factor(), tail);
            break;
        case 10:
            stage.parallel(var());
            break;
        case 11:
            stage.vectorize(var());
            break;
        case 12:
            stage.never_partition({var(), var()});
            break;
        case 13:
            stage.atomic();
            break;
        case 14:
            stage.prefetch(func, var(), var(), pick(3) == 0 ? 1 << 20 : 1);
            break;
        default:
            stage.unscheduled();
            break;
        }
    };
    switch (pick(14)) {
    case 10:
        func.fold_storage(pure(), factor());
        break;
    case 11:
        func.align_storage(pure(), factor());
        break;
    case 12:
        func.bound_storage(pure(), factor());
        break;
    case 0:
        func.bound(pure(), factor(), factor());
        break;
    case 1:
        func.align_bounds(pure(), factor());
        break;
    case 2:
        func.reorder_storage({pure(), pure()});
        break;
    case 3:
        func.set_estimates({{0, factor()}, {0, factor()}});
        break;
    case 4:
    case 5:
        loops(func);
        break;
    default:
        loops(func.update(0));
        break;
    }
}

TEST(ScheduleRefusalsProperty, ARefusedDirectiveChangesNothing) {
    std::mt19937 random(1);
    int refused = 0, accepted = 0;
    for (int program = 0; program < 300; program++) {
        Var x("x"), y("y"), a("a"), b("b");
        RDom r(0, 4, 0, 5, 0, 3, "r");
        Func f("f");
        f(x, y) = 0.0f;
        f(x, y) += cast<float>(r.x * r.y + r.z);
        const std::vector<VarOrRVar> vars = {x, y, a, b, r.x, r.y, r.z};
        for (int k = 0; k < 12; k++) {
            const std::string before = schedule_text(f);
            try {
                apply_random(f, vars, random);
                accepted++;
            } catch (const CompileError &error) {
                refused++;
                ASSERT_EQ(schedule_text(f), before) << error.what();
            }
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(accepted, 500);
}

} // namespace
} // namespace fluorite
