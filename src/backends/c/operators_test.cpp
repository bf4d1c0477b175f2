// Every operator on every type, random trees of them, and lanes that move, as C source: by compilers of C and C++, with
// their vectors and without, against the scalar functions of the interpreter.
//
// A compilation takes all cases of a type. Each type is compiled by two compilers, for numbers of lanes and targets
// that change in turn; DISABLED_C (--gtest_also_run_disabled_tests) has all of them by all compilers, which takes half
// an hour.

#include "backends/c/c_backend.h"
#include "backends/test_operator_cases.h"
#include "support/check.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

namespace fluorite::backends::c::operators_test {
namespace {

using namespace operator_cases;

/// A dense buffer of one dimension, from 0 on.
struct Row {
    Row(Type type, size_t count) : bytes(count * static_cast<size_t>(type.bytes())) {
        dim = fluorite_dimension_t(0, static_cast<int32_t>(count), 1);
        header.host = bytes.data();
        header.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header.dimensions = 1;
        header.dim = &dim;
    }
    Row(const Row &) = delete;

    std::vector<uint8_t> bytes;
    fluorite_dimension_t dim;
    fluorite_buffer_t header{};
};

/// The cases of a batch as one function, each in a loop of its own.
class Program {
  public:
    Program(const Batch &batch, int lanes) {
        for (const char name : {'a', 'b', 'c'}) {
            Row &row = new_row(LoweredArg::Kind::InputBuffer, Symbol(SymbolKind::Buffer, std::string(1, name)),
                               batch.type(), Batch::count);
            row.bytes = batch.bytes_of(name);
            row.header.host = row.bytes.data();
        }
        std::map<Type, size_t> counts;
        std::vector<Stmt> loops;
        for (const Case &one : batch.cases()) {
            places_.push_back(counts[one.type]++);
            const auto first = static_cast<int64_t>(places_.back() * Batch::count);
            const Expr index = ir::add(index_of(lanes), make_const(Int(32, lanes), first));
            const Stmt store = Store::make(out_of(one.type), one.expr(lanes), index, make_bool(true, lanes));
            loops.push_back(For::make(batch_index()->symbol(), int32(0),
                                      int32(static_cast<int64_t>(Batch::count) / lanes), ForKind::Serial, store));
        }
        for (const auto &[type, count] : counts) {
            outs_[type] = &new_row(LoweredArg::Kind::OutputBuffer, out_of(type), type, count * Batch::count);
        }
        func_.body = Block::make(loops);
    }

    void run(const std::string &compiler, const Target &target) {
        const ir::LoweredModule module{{func_}};
        const auto code = c_backend(compiler).load(module, target, {});
        std::vector<void *> args;
        for (const std::unique_ptr<Row> &row : rows_) {
            args.push_back(&row->header);
        }
        ASSERT_EQ(code->run(args.data()), 0);
    }
    void expect(const Batch &batch, int lanes, const std::string &where) {
        for (size_t k = 0; k < batch.cases().size(); k++) {
            const Case &one = batch.cases()[k];
            const size_t first = places_[k] * Batch::count * static_cast<size_t>(one.type.bytes());
            EXPECT_EQ(batch.difference(one, outs_[one.type]->bytes.data() + first, lanes, where), "");
        }
    }

  private:
    static Symbol out_of(Type type) { return Symbol(SymbolKind::Buffer, "out_" + to_string(type)); }
    Row &new_row(LoweredArg::Kind kind, const Symbol &symbol, Type type, size_t count) {
        func_.args.push_back({kind, symbol, type, 1});
        rows_.push_back(std::make_unique<Row>(type, count));
        return *rows_.back();
    }

    LoweredFunc func_{"batch", {}, {}, LoweredFunc::Kind::Entry};
    std::vector<std::unique_ptr<Row>> rows_;
    std::map<Type, Row *> outs_;
    std::vector<size_t> places_;
};

void check_batch(const Batch &batch, int lanes, const std::string &compiler, const Target &target) {
    Program program(batch, lanes);
    program.run(compiler, target);
    program.expect(batch, lanes, concat(compiler, " for ", target.to_string()));
}

struct Compiler {
    const char *name, *command;
};
constexpr Compiler compilers[] = {
    {"gcc", "gcc -x c -std=c99 -O1 -ffp-contract=off"},
    {"gxx", "g++ -x c++ -std=c++17 -O1"},
    {"clang", "clang-19 -x c -std=c99 -O1"},
    {"clangxx", "clang++-19 -x c++ -std=c++17 -O1"},
    {"gcc_without_vectors", "gcc -x c -std=c99 -O1 -DFLUORITE_NO_VECTORS"},
    {"clang_without_vectors", "clang-19 -x c -std=c99 -O1 -DFLUORITE_NO_VECTORS"},
};

bool is_there(const char *command) {
    const std::string text = command;
    return std::system((text.substr(0, text.find(' ')) + " --version > compiler.txt 2>&1").c_str()) == 0;
}

/// Targets whose instructions this machine has, with different widths of registers.
std::vector<Target> targets() {
    std::vector<Target> all{Target("x86-64-linux")};
    const auto add = [&](bool has, const char *text) {
        if (has) {
            all.emplace_back(text);
        }
    };
    add(__builtin_cpu_supports("sse4.1") != 0, "x86-64-linux-sse41");
    add(__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0,
        "x86-64-linux-sse41-avx-avx2-fma-f16c");
    add(__builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0,
        "x86-64-linux-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake");
    return all;
}

/// Numbers of lanes that divide the elements of a batch: scalars, less than a register, odd ones, registers and more.
std::vector<int> lanes_of_all() { return {1, 16, 5, 2, 48, 8, 3, 4, 30}; }
class OperatorsInC : public testing::TestWithParam<std::tuple<int, int>> {
  protected:
    void SetUp() override {
        if (!is_there(compiler())) {
            GTEST_SKIP() << "there is no " << compiler();
        }
        add_all(batch_, type());
    }
    const char *compiler() const { return compilers[std::get<0>(GetParam())].command; }
    Type type() const { return all_types[std::get<1>(GetParam())]; }
    const Batch &batch() const { return batch_; }

  private:
    Batch batch_{type(), 1};
};
class EveryOperatorInC : public OperatorsInC {};

TEST_P(OperatorsInC, AreThoseOfTheInterpreter) {
    const auto turn = static_cast<size_t>(std::get<1>(GetParam()) + std::get<0>(GetParam()) * 2);
    const std::vector<int> lanes = lanes_of_all();
    check_batch(batch(), lanes[turn % lanes.size()], compiler(), targets()[turn % targets().size()]);
}
TEST_P(EveryOperatorInC, IsThatOfTheInterpreter) {
    for (const int lanes : lanes_of_all()) {
        for (const Target &target : targets()) {
            check_batch(batch(), lanes, compiler(), target);
        }
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, int>> &info) {
    return concat(compilers[std::get<0>(info.param)].name, "_", to_string(all_types[std::get<1>(info.param)]));
}

/// Two compilers for each type.
std::vector<std::tuple<int, int>> some() {
    std::vector<std::tuple<int, int>> pairs;
    const auto compiler_count = static_cast<int>(std::size(compilers));
    for (int k = 0; k < static_cast<int>(std::size(all_types)); k++) {
        pairs.emplace_back(k % compiler_count, k);
        pairs.emplace_back((k + 3) % compiler_count, k);
    }
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(C, OperatorsInC, testing::ValuesIn(some()), name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_C, EveryOperatorInC,
                         testing::Combine(testing::Range(0, static_cast<int>(std::size(compilers))),
                                          testing::Range(0, static_cast<int>(std::size(all_types)))),
                         name_of);

TEST(TreesInC, AreThoseOfTheInterpreter) {
    std::mt19937_64 random(7);
    const std::pair<Type, int> lanes_of[] = {{Int(32), 4}, {UInt(8), 16}, {Int(16), 5}, {Float(32), 40}, {UInt(64), 6}};
    size_t turn = 0;
    for (const auto &[type, lanes] : lanes_of) {
        const Forest forest(random, type, 12);
        check_batch(forest.batch, lanes, compilers[turn % 2].command, targets()[turn % targets().size()]);
        turn++;
    }
}

// ---- Lanes that move.

/// A case whose lanes are those of a, b and c in another order.
class Moves : public testing::TestWithParam<int> {
  protected:
    static void add(Batch &batch, const std::string &name, Type type, int lanes, std::function<Expr(int)> expr,
                    const std::function<Cell(size_t first, int lane)> &expected) {
        batch.add(name, type, std::move(expr), [=](size_t i) {
            const auto width = static_cast<size_t>(lanes);
            return expected(i / width * width, static_cast<int>(i % width));
        });
    }
};

TEST_P(Moves, AreThoseOfTheInterpreter) {
    const int lanes = GetParam();
    std::mt19937_64 random(3);
    for (const Type type : {UInt(8), Int(16), Float(32), UInt(64), BFloat(16), Bool()}) {
        Batch batch(type, 5);
        for (int k = 0; k < 6; k++) {
            Indices order;
            for (int i = 0; i < lanes; i++) {
                const auto any = static_cast<int32_t>(random() % static_cast<uint64_t>(3 * lanes));
                order.push_back(k == 0   ? i * 2 % (3 * lanes)
                                : k == 1 ? i / 3 + i % 3 * lanes // of three, interleaved
                                : k == 2 ? lanes - 1 - i
                                : k == 3 ? i / 2
                                         : any);
            }
            add(
                batch, concat("shuffle ", k), type, lanes,
                [=, &batch](int) {
                    return make_shuffle(std::vector<Expr>{batch.operand('a', lanes), batch.operand('b', lanes),
                                                          batch.operand('c', lanes)},
                                        order);
                },
                [=, &batch](size_t first, int lane) {
                    const int32_t from = order[static_cast<size_t>(lane)];
                    const size_t at = first + static_cast<size_t>(from % lanes);
                    return from < lanes ? batch.a(at) : from < 2 * lanes ? batch.b(at) : batch.c(at);
                });
        }
        const auto bits = type.is_bool() ? 8 : type.bits();
        for (const int narrower : {8, 16, 32, 64}) {
            if (type.is_bool() || lanes * bits % narrower != 0 || narrower == bits) {
                continue;
            }
            const Type other = UInt(narrower, lanes * bits / narrower);
            add(
                batch, concat("there and back ", narrower), type, lanes,
                [=, &batch](int) {
                    return make_reinterpret(type.with_lanes(lanes), make_reinterpret(other, batch.operand('a', lanes)));
                },
                [=, &batch](size_t first, int lane) { return batch.a(first + static_cast<size_t>(lane)); });
        }
        check_batch(batch, lanes, compilers[static_cast<size_t>(lanes) % std::size(compilers)].command,
                    targets()[static_cast<size_t>(lanes + type.bits()) % targets().size()]);
    }
}

INSTANTIATE_TEST_SUITE_P(C, Moves, testing::Values(2, 3, 5, 8, 16, 24, 60));

} // namespace
} // namespace fluorite::backends::c::operators_test
