// Every operator on every type, and random trees of them, on an OpenCL device, against the scalar functions of the
// interpreter.

#include "backends/opencl/test_on_device.h"
#include "backends/test_operator_cases.h"

#include <map>
#include <numeric>

namespace fluorite::backends::opencl::operators_test {
namespace {

using namespace operator_cases;

class OperatorsOnDevice : public OnOpenCl {
  protected:
    /// One kernel of all cases, with a buffer for each type of results.
    void check(const Batch &batch, int lanes) {
        const std::vector<Case> &cases = batch.cases();
        std::map<Type, size_t> counts; // cases of each type of results
        std::vector<Stmt> stores;
        std::vector<size_t> places;
        for (const Case &one : cases) {
            places.push_back(counts[one.type]++);
            const auto first = static_cast<int64_t>(places.back() * Batch::count);
            const Expr index = add(index_of(lanes), make_const(Int(32, lanes), first));
            const Expr value = one.expr(lanes);
            stores.push_back(Store::make(out_of(one.type), value, index, make_bool(true, lanes)));
        }
        LoweredFunc kernel{"batch", {}, {}, LoweredFunc::Kind::Kernel};
        std::vector<std::unique_ptr<Row>> rows;
        std::vector<Argument> arguments;
        const auto add_row = [&](LoweredArg::Kind kind, const Symbol &symbol, Type type, size_t count) {
            kernel.args.push_back({kind, symbol, type, 1});
            rows.push_back(std::make_unique<Row>(type, count));
            arguments.emplace_back(*rows.back());
        };
        for (const char name : {'a', 'b', 'c'}) {
            const Symbol symbol(SymbolKind::Buffer, std::string(1, name));
            add_row(LoweredArg::Kind::InputBuffer, symbol, batch.type(), Batch::count);
            rows.back()->bytes = batch.bytes_of(name);
            rows.back()->header.host = rows.back()->bytes.data();
        }
        std::map<Type, Row *> outs;
        for (const auto &[type, count] : counts) {
            add_row(LoweredArg::Kind::OutputBuffer, out_of(type), type, count * Batch::count);
            outs[type] = rows.back().get();
        }
        const auto steps = static_cast<int32_t>(Batch::count) / lanes, threads = std::gcd(steps, 8);
        const Symbol block(SymbolKind::Loop, "x"), thread(SymbolKind::Loop, "u");
        kernel.blocks = {block};
        kernel.threads = {thread};
        const Expr at = add(mul(make_var(Int(32), block), int32(threads)), make_var(Int(32), thread));
        kernel.body = LetStmt::make(batch_index()->symbol(), at, Block::make(stores));
        ASSERT_EQ(run(kernel, arguments, {{steps / threads, 1, 1}, {threads, 1, 1}, 0}), 0)
            << fluorite_last_error_message();
        for (size_t k = 0; k < cases.size(); k++) {
            const size_t first = places[k] * Batch::count * static_cast<size_t>(cases[k].type.bytes());
            EXPECT_EQ(batch.difference(cases[k], outs[cases[k].type]->bytes.data() + first, lanes, "OpenCL"), "");
        }
    }

  private:
    static Symbol out_of(Type type) { return Symbol(SymbolKind::Buffer, "out_" + to_string(type)); }
};

class OperatorsOf : public OperatorsOnDevice, public testing::WithParamInterface<Type> {};

TEST_P(OperatorsOf, AreThoseOfTheInterpreter) {
    Batch batch(GetParam(), 1);
    add_all(batch, GetParam());
    check(batch, 1);
}

INSTANTIATE_TEST_SUITE_P(OpenCl, OperatorsOf, testing::ValuesIn(all_types),
                         [](const auto &info) { return to_string(info.param); });

TEST_F(OperatorsOnDevice, RandomTreesAreThoseOfTheInterpreter) {
    std::mt19937_64 random(7);
    const std::pair<Type, int> lanes_of[] = {{Int(32), 4}, {UInt(8), 16}, {Int(16), 5}, {Float(32), 2}, {UInt(64), 6}};
    for (const auto &[type, lanes] : lanes_of) {
        const Forest forest(random, type, 32 / lanes + 4);
        check(forest.batch, lanes);
    }
}

} // namespace
} // namespace fluorite::backends::opencl::operators_test
