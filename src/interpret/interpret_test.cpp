// Compares whole pipelines with plain loops.

#include "fluorite/float16.h"
#include "interpret/test_graph.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace fluorite::interpret::interpret_test {
namespace {

using namespace test;

TEST(Interpret, PureFuncOfEveryRank) {
    for (size_t rank = 0; rank <= 5; rank++) {
        TestGraph g;
        std::vector<Var> vars;
        Expr sum = i32(7);
        for (size_t d = 0; d < rank; d++) {
            vars.emplace_back("v" + std::to_string(d));
            sum = ir::add(ir::mul(sum, i32(31)), vars.back());
        }
        g.func("f", vars, {sum});
        const std::vector<int32_t> all_mins = {-3, 5, 0, -1, 2}, all_extents = {5, 3, 7, 2, 3};
        const std::vector<int32_t> mins(all_mins.begin(), all_mins.begin() + static_cast<ptrdiff_t>(rank));
        const std::vector<int32_t> extents(all_extents.begin(), all_extents.begin() + static_cast<ptrdiff_t>(rank));
        TestBuffer<int32_t> out(mins, extents);
        g.run(out);
        for (size_t i = 0; i < out.data.size(); i++) {
            int32_t expected = 7;
            size_t rest = i;
            for (size_t d = 0; d < rank; d++) {
                expected = expected * 31 + mins[d] + static_cast<int32_t>(rest % static_cast<size_t>(extents[d]));
                rest /= static_cast<size_t>(extents[d]);
            }
            ASSERT_EQ(out.data[i], expected) << "rank " << rank << ", element " << i;
        }
    }
}

/// A 3x3 blur in two stages, clamped at the edges.
template <typename T> void check_blur() {
    const int32_t width = 13, height = 9;
    TestBuffer<T> in({-4, 3}, {width, height});
    in.randomize(17);
    TestGraph g;
    const Var x("x"), y("y");
    const size_t input = g.input("in", in);
    const size_t edge = g.func("edge", {x, y},
                               {g.image(input, {ir::max_of(ir::min_of(x, i32(-4 + width - 1)), i32(-4)),
                                                ir::max_of(ir::min_of(y, i32(3 + height - 1)), i32(3))})});
    const Type type = type_of<T>();
    const Expr three = ir::make_const(type, 3);
    const auto third = [&](const Expr &a, const Expr &b, const Expr &c) {
        return ir::div(ir::add(ir::add(a, b), c), three);
    };
    const size_t blur_x = g.func(
        "blur_x", {x, y},
        {third(g.call(edge, {ir::sub(x, i32(1)), y}), g.call(edge, {x, y}), g.call(edge, {ir::add(x, i32(1)), y}))});
    g.func("blur_y", {x, y},
           {third(g.call(blur_x, {x, ir::sub(y, i32(1))}), g.call(blur_x, {x, y}),
                  g.call(blur_x, {x, ir::add(y, i32(1))}))});
    TestBuffer<T> out({-6, 1}, {17, 13});
    g.run(out);

    // Euclidean division by 3 rounds down.
    const auto mean = [](T a, T b, T c) -> T {
        if constexpr (std::is_integral_v<T>) {
            const T sum = static_cast<T>(static_cast<T>(a + b) + c);
            return static_cast<T>(sum / T(3) - (sum % T(3) < 0 ? 1 : 0));
        } else {
            return ((a + b) + c) / T(3.0F);
        }
    };
    const auto at = [&](int32_t px, int32_t py) {
        return in(std::clamp(px, -4, -4 + width - 1), std::clamp(py, 3, 3 + height - 1));
    };
    for (int32_t py = 1; py < 14; py++) {
        for (int32_t px = -6; px < 11; px++) {
            T row[3];
            for (int32_t dy = -1; dy <= 1; dy++) {
                row[dy + 1] = mean(at(px - 1, py + dy), at(px, py + dy), at(px + 1, py + dy));
            }
            ASSERT_EQ(out(px, py), mean(row[0], row[1], row[2])) << px << ", " << py;
        }
    }
}

TEST(Interpret, BlurOfEveryType) {
    check_blur<uint8_t>();
    check_blur<int8_t>();
    check_blur<uint16_t>();
    check_blur<int16_t>();
    check_blur<uint32_t>();
    check_blur<uint64_t>();
    check_blur<float16_t>();
    check_blur<bfloat16_t>();
    check_blur<float>();
    check_blur<double>();
}

TEST(Interpret, Histogram) {
    TestBuffer<uint8_t> in({37, 21});
    in.randomize(3);
    TestGraph g;
    const Var i("i");
    const RVar rx("rx", 0, 37), ry("ry", 0, 21);
    const size_t input = g.input("in", in);
    const size_t hist = g.func("hist", {i}, {i32(0)});
    const Expr bin = ir::make_cast(Int(32), g.image(input, {rx, ry}));
    g.update(hist, {bin}, {ir::add(g.call(hist, {bin}), i32(1))}, {rx, ry});
    TestBuffer<int32_t> out({-5}, {300});
    g.run(out);
    std::vector<int32_t> expected(300);
    for (uint8_t value : in.data) {
        expected[value + 5U]++;
    }
    EXPECT_EQ(out.data, expected);
}

TEST(Interpret, ScanAlongOneDimensionThenTheOther) {
    // A summed-area table: a scan over x for each y, then a scan over y for each x.
    TestBuffer<int32_t> in({11, 7});
    in.randomize(5);
    TestGraph g;
    const Var x("x"), y("y");
    const RVar rx("rx", 1, 10), ry("ry", 1, 6);
    const size_t input = g.input("in", in);
    const size_t sum = g.func("sum", {x, y}, {g.image(input, {x, y})});
    g.update(sum, {rx, y}, {ir::add(g.call(sum, {ir::sub(rx, i32(1)), y}), g.call(sum, {rx, y}))}, {rx});
    g.update(sum, {x, ry}, {ir::add(g.call(sum, {x, ir::sub(ry, i32(1))}), g.call(sum, {x, ry}))}, {ry});
    TestBuffer<int32_t> out({3, 2}, {8, 5}); // a subset: the scans start outside it
    g.run(out);
    for (int32_t py = 2; py < 7; py++) {
        for (int32_t px = 3; px < 11; px++) {
            uint32_t expected = 0;
            for (int32_t v = 0; v <= py; v++) {
                for (int32_t u = 0; u <= px; u++) {
                    expected += static_cast<uint32_t>(in(u, v));
                }
            }
            ASSERT_EQ(static_cast<uint32_t>(out(px, py)), expected) << px << ", " << py;
        }
    }
}

TEST(Interpret, ArgminIsATupleStoredAtOnce) {
    TestBuffer<int16_t> in({19, 6});
    in.randomize(9);
    TestGraph g;
    const Var y("y");
    const RVar r("r", 0, 19);
    const size_t input = g.input("in", in);
    const size_t best = g.func("best", {y}, {i32(-1), ir::type_max(Int(16))});
    const Expr value = g.image(input, {r, y});
    const Expr better = ir::less(value, g.call(best, {y}, 1));
    g.update(best, {y},
             {ir::make_select(better, r, g.call(best, {y}, 0)), ir::make_select(better, value, g.call(best, {y}, 1))},
             {r});
    TestBuffer<int32_t> index({6});
    TestBuffer<int16_t> least({6});
    evaluate(g.graph, 0, index.region(), {index.raw(), least.raw()});
    for (int32_t py = 0; py < 6; py++) {
        int32_t at = -1;
        int16_t low = INT16_MAX;
        for (int32_t px = 0; px < 19; px++) {
            if (in(px, py) < low) {
                low = in(px, py);
                at = px;
            }
        }
        EXPECT_EQ(index(py), at);
        EXPECT_EQ(least(py), low);
    }
}

TEST(Interpret, TupleElementsSwap) {
    TestGraph g;
    const Var x("x");
    const RVar r("r", 0, 3);
    const size_t pair = g.func("pair", {x}, {x, ir::mul(x, i32(100))});
    g.update(pair, {x}, {g.call(pair, {x}, 1), g.call(pair, {x}, 0)}, {r});
    EXPECT_EQ(evaluate_point(g.graph, 0, {7}), (std::vector<uint64_t>{700, 7}));
}

TEST(Interpret, TuplesOfManyElements) {
    TestGraph g;
    const Var x("x");
    std::vector<Expr> values, more;
    for (int i = 0; i < 150; i++) {
        values.push_back(ir::add(x, i32(i)));
    }
    const size_t f = g.func("f", {x}, values);
    for (int i = 0; i < 150; i++) {
        const Expr next = ir::mul(g.call(f, {x}, (i + 1) % 150), i32(2));
        more.push_back(i % 7 == 0 ? ir::ExprNode::create(ir::ExprKind::Undef, Int(32), {}) : next);
    }
    g.update(f, {x}, more);
    const std::vector<uint64_t> got = evaluate_point(g.graph, 0, {5});
    for (int i = 0; i < 150; i++) {
        EXPECT_EQ(got[static_cast<size_t>(i)], static_cast<uint64_t>(i % 7 == 0 ? 5 + i : 2 * (5 + (i + 1) % 150)));
    }
}

TEST(Interpret, FirstRVarIsInnermostAndThePredicateHolds) {
    // f() = f() * 3 + code of (a, b), over a triangle: the result depends on the order.
    TestGraph g;
    const RVar a("a", 2, 4), b("b", -1, 5);
    const size_t f = g.func("f", {}, {ir::make_uint(UInt(64), 1)});
    const Expr code = ir::make_cast(UInt(64), ir::add(ir::mul(a, i32(10)), b));
    g.update(f, {}, {ir::add(ir::mul(g.call(f, {}), ir::make_uint(UInt(64), 3)), code)}, {a, b},
             ir::less(b, ir::sub(a, i32(2))));
    uint64_t expected = 1;
    for (int64_t vb = -1; vb < 4; vb++) {
        for (int64_t va = 2; va < 6; va++) {
            if (vb < va - 2) {
                expected = expected * 3 + static_cast<uint64_t>(va * 10 + vb);
            }
        }
    }
    EXPECT_EQ(evaluate_point(g.graph, 0, {})[0], expected);
}

TEST(Interpret, UpdatesThatReadWhatOthersDemandDoNotGrowWithoutEnd) {
    // Stage 1 reads f(x, x+1), stage 2 reads f(y+1, y): a common box for both stages would grow forever.
    TestGraph g;
    const Var x("x"), y("y");
    const RVar r("r", 0, 4);
    const size_t f = g.func("f", {x, y}, {ir::add(ir::mul(x, i32(10)), y)});
    g.update(f, {x, r}, {ir::add(g.call(f, {x, ir::add(x, i32(1))}), g.call(f, {x, r}))}, {r});
    g.update(f, {r, y}, {ir::sub(g.call(f, {ir::add(y, i32(1)), y}), g.call(f, {r, y}))}, {r});
    TestBuffer<int32_t> out({4, 4});
    g.run(out);
    // The same in plain C++, over a domain that is large enough.
    constexpr int32_t size = 16;
    int32_t v[size][size];
    for (int32_t px = 0; px < size; px++) {
        for (int32_t py = 0; py < size; py++) {
            v[px][py] = px * 10 + py;
        }
    }
    for (int32_t px = 0; px < size - 1; px++) {
        for (int32_t k = 0; k < 4; k++) {
            v[px][k] = v[px][px + 1] + v[px][k];
        }
    }
    for (int32_t py = 0; py < size - 1; py++) {
        for (int32_t k = 0; k < 4; k++) {
            v[k][py] = v[py + 1][py] - v[k][py];
        }
    }
    for (int32_t py = 0; py < 4; py++) {
        for (int32_t px = 0; px < 4; px++) {
            EXPECT_EQ(out(px, py), v[px][py]) << px << ", " << py;
        }
    }
}

TEST(Interpret, ScatterIsKeptForPointsThatAreAskedForLater) {
    TestGraph g;
    const Var x("x");
    const RVar r("r", 0, 5);
    const size_t f = g.func("f", {x}, {i32(-1)});
    const Expr far = ir::mul(r, i32(500000000));
    g.update(f, {far}, {ir::add(g.call(f, {far}), r)}, {r});
    Interpreter interpreter(g.graph);
    EXPECT_EQ(interpreter.evaluate_point(0, {1})[0], 0xFFFFFFFF);
    EXPECT_EQ(interpreter.evaluate_point(0, {2000000000})[0], 3U);
    EXPECT_EQ(interpreter.evaluate_point(0, {500000000})[0], 0U);
}

TEST(Interpret, DataDependentCoordinates) {
    TestBuffer<uint8_t> where({50}), table({256});
    where.randomize(1);
    table.randomize(2);
    TestGraph g;
    const Var x("x");
    const size_t where_in = g.input("where", where), table_in = g.input("table", table);
    const size_t lookup = g.func("lookup", {x}, {g.image(table_in, {x})});
    g.func("out", {x}, {g.call(lookup, {ir::make_cast(Int(32), g.image(where_in, {x}))})});
    TestBuffer<uint8_t> out({50});
    g.run(out);
    for (int32_t i = 0; i < 50; i++) {
        EXPECT_EQ(out(i), table(where(i)));
    }
}

TEST(Interpret, OnlyWhatIsNeededIsRead) {
    // The pure definition of f would read outside the input, but the points requested are overwritten or inside.
    TestBuffer<int32_t> in({4});
    in.randomize(1);
    TestGraph g;
    const Var x("x");
    const RVar r("r", 4, 4);
    const size_t input = g.input("in", in);
    const size_t f = g.func("f", {x}, {g.image(input, {x})});
    g.update(f, {r}, {ir::mul(r, i32(2))}, {r});
    g.func("out", {x}, {ir::make_select(ir::less(x, i32(8)), g.call(f, {x}), i32(5))});
    TestBuffer<int32_t> out({12});
    g.run(out);
    for (int32_t i = 0; i < 12; i++) {
        EXPECT_EQ(out(i), i < 4 ? in(i) : (i < 8 ? 2 * i : 5));
    }
}

TEST(Interpret, TheBoxOfWhatWasReadIsKnown) {
    TestBuffer<int32_t> in({-4, 3}, {20, 20}), unused({5});
    in.randomize(3);
    TestGraph g;
    const Var x("x");
    const size_t input = g.input("in", in), other = g.input("unused", unused);
    const Expr read = g.image(input, {ir::mul(x, i32(2)), ir::sub(i32(9), x)});
    g.func("out", {x}, {ir::make_select(ir::less(x, i32(4)), read, g.image(other, {x}))});
    TestBuffer<int32_t> out({4});
    Interpreter interpreter(g.graph);
    EXPECT_EQ(interpreter.accessed(input).extent, (std::vector<int32_t>{0, 0}));
    interpreter.evaluate(0, {{0}, {4}}, {out.raw()});
    EXPECT_EQ(interpreter.accessed(input).min, (std::vector<int32_t>{0, 6}));
    EXPECT_EQ(interpreter.accessed(input).extent, (std::vector<int32_t>{7, 4}));
    EXPECT_EQ(interpreter.accessed(other).extent, std::vector<int32_t>{0});
}

TEST(Interpret, UndefStoresNothing) {
    // f = undef; f(x) = x for even x below 6; then f(x) += 1 for these. The rest of the destination is untouched.
    TestGraph g;
    const Var x("x");
    const RVar r("r", 0, 6);
    const Expr undef = ir::ExprNode::create(ir::ExprKind::Undef, Int(32), {});
    const size_t f = g.func("f", {x}, {undef});
    const Expr even = ir::equals(ir::mod(r, i32(2)), i32(0));
    g.update(f, {r}, {ir::make_select(even, r, undef)}, {r});
    g.update(f, {r}, {ir::add(g.call(f, {r}), ir::make_select(even, i32(100), undef))}, {r});
    TestBuffer<int32_t> out({8});
    out.data = {-1, -2, -3, -4, -5, -6, -7, -8};
    g.run(out);
    EXPECT_EQ(out.data, (std::vector<int32_t>{100, -2, 102, -4, 104, -6, -7, -8}));
}

TEST(Interpret, UpdateInPlaceReadsTheDestination) {
    TestGraph g;
    const Var x("x");
    const Expr undef = ir::ExprNode::create(ir::ExprKind::Undef, Int(32), {});
    const size_t f = g.func("f", {x}, {undef});
    g.update(f, {x}, {ir::mul(g.call(f, {x}), i32(10))});
    TestBuffer<int32_t> out({4});
    out.data = {1, 2, 3, 4};
    g.run(out);
    EXPECT_EQ(out.data, (std::vector<int32_t>{10, 20, 30, 40}));
}

TEST(Interpret, LongChainsDoNotExhaustTheStack) {
    TestGraph g;
    const Var x("x");
    size_t last = g.func("f0", {x}, {x});
    constexpr int length = 5000;
    for (int i = 1; i < length; i++) {
        // Only some Funcs have updates, as these nest deeper.
        const size_t next = g.func("f" + std::to_string(i), {x}, {g.call(last, {ir::add(x, i32(i % 2))})});
        if (i % 3 == 0) {
            g.update(next, {x}, {ir::add(g.call(next, {x}), i32(1))});
        }
        last = next;
    }
    EXPECT_EQ(evaluate_point(g.graph, 0, {10})[0], 10U + 2500U + 1666U);
}

TEST(Interpret, SharedOperandsOfNestedSelectsAreCompiledOnce) {
    // 2^60 paths through a shared chain of selects over calls.
    TestGraph g;
    const Var x("x");
    const size_t f = g.func("f", {x}, {ir::mul(x, i32(3))});
    Expr chain = g.call(f, {x});
    for (int i = 0; i < 60; i++) {
        const Expr next = ir::add(chain, i32(1));
        chain = ir::make_select(ir::less(chain, i32(20 * i)), ir::add(next, g.call(f, {i32(i)})), next);
    }
    g.func("out", {x}, {chain});
    int64_t expected = 3 * 4;
    for (int i = 0; i < 60; i++) {
        expected = expected < 20 * i ? expected + 1 + 3 * i : expected + 1;
    }
    EXPECT_EQ(evaluate_point(g.graph, 0, {4})[0], static_cast<uint64_t>(expected));
}

TEST(Interpret, LetsBindAndShadow) {
    TestGraph g;
    const Var x("x");
    const ir::Symbol t(ir::SymbolKind::Let, "t");
    const Expr tv = ir::make_var(Int(32), t);
    // let t = x + 1 in (let t = t * t in t - x) + t
    const Expr inner = ir::make_let(t, ir::mul(tv, tv), ir::sub(tv, x));
    g.func("f", {x}, {ir::make_let(t, ir::add(x, i32(1)), ir::add(inner, tv))});
    EXPECT_EQ(evaluate_point(g.graph, 0, {5})[0], 36U - 5U + 6U);
}

TEST(Interpret, RandomIsAHashOfItsOperands) {
    TestGraph g;
    const Var x("x");
    const auto random = [&](Type type) { return ir::ExprNode::create(ir::ExprKind::Random, type, {x.expr, i32(3)}); };
    g.func("f", {x}, {random(UInt(32)), random(Int(32)), random(Float(32))});
    const std::vector<uint64_t> a = evaluate_point(g.graph, 0, {1}), b = evaluate_point(g.graph, 0, {2});
    EXPECT_EQ(a[0], a[1]);
    EXPECT_NE(a[0], b[0]);
    const float expected = static_cast<float>(a[0] >> 8) / 16777216.0F;
    float value;
    std::memcpy(&value, &a[2], sizeof(value));
    EXPECT_EQ(value, expected);
}

TEST(Interpret, ParamsAndFieldsAreConstantsOfTheRun) {
    TestBuffer<float> in({-2, 4}, {5, 3});
    TestGraph g;
    const size_t input = g.input("in", in);
    ir::Parameter *gain = g.param("gain", Int(16));
    set_param<int16_t>(gain, -7);
    const ir::Symbol &symbol = g.graph.inputs[input].symbol;
    g.func("f", {},
           {g.param_value(gain), ir::make_field(symbol, ir::Field::Min, 0), ir::make_field(symbol, ir::Field::Max, 1),
            ir::make_field(symbol, ir::Field::Extent, 0), ir::make_field(symbol, ir::Field::Stride, 1)});
    EXPECT_EQ(evaluate_point(g.graph, 0, {}), (std::vector<uint64_t>{0xFFF9, 0xFFFFFFFE, 6, 5, 5}));
}

TEST(Interpret, AnEmptyRegionWritesNothing) {
    TestGraph g;
    const Var x("x");
    g.func("f", {x}, {x});
    TestBuffer<int32_t> out({3});
    out.data = {9, 9, 9};
    evaluate(g.graph, 0, {{0}, {0}}, {out.raw()});
    EXPECT_EQ(out.data, (std::vector<int32_t>{9, 9, 9}));
}

} // namespace
} // namespace fluorite::interpret::interpret_test
