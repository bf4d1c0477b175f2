// Frozen graphs: order, names, contraction, sharing, cost.

#include "language/freeze.h"

#include "fluorite/fluorite.h"
#include "language/test_support.h"

#include <chrono>

namespace freeze_test {

using namespace fluorite;
using namespace fluorite::language;

namespace {

Var x("x"), y("y");

std::string graph_text(const schedule::ScheduledGraph &pipeline) {
    std::ostringstream stream;
    stream << pipeline.graph;
    return stream.str();
}

std::vector<std::string> func_names(const schedule::ScheduledGraph &pipeline) {
    std::vector<std::string> names;
    for (const ir::FuncDef &func : pipeline.graph.funcs) {
        names.push_back(func.name());
    }
    return names;
}

} // namespace

TEST(Freeze, OrdersFuncsAndKeepsInvariants) {
    ImageParam im(UInt(8), 2, "im");
    Param<float> gain("gain", 1.5f, 0.0f, 4.0f);
    Func in("in"), blur("blur"), out("out");
    in(x, y) = cast<float>(im(clamp(x, 0, im.width() - 1), y)) * gain;
    blur(x, y) = in(x - 1, y) + in(x, y) + in(x + 1, y);
    RDom r(0, 4, "r");
    r.where(r < im.height());
    out(x, y) = blur(x, y);
    out(x, r) += blur(x, r + 1);
    in.compute_at(out, y).split(x, x, Var("xi"), 8);
    const schedule::ScheduledGraph frozen = freeze({out});
    ir::verify_graph(frozen.graph);
    EXPECT_EQ(func_names(frozen), (std::vector<std::string>{"in", "blur", "out"}));
    ASSERT_EQ(frozen.graph.inputs.size(), 1U);
    EXPECT_EQ(frozen.graph.inputs[0].symbol.name(), "im");
    ASSERT_EQ(frozen.graph.params.size(), 1U);
    EXPECT_EQ(float_of(frozen.graph.params[0].max_value), 4.0);
    const ir::FuncDef &last = frozen.graph.funcs[2];
    EXPECT_EQ(last.args[0].name(), "out.x");
    EXPECT_EQ(last.arg_names[0], "x");
    EXPECT_EQ(last.stages[1].rvars[0].var.name(), "out.s1.r$x");
    EXPECT_TRUE(last.stages[1].predicate.defined());
    const schedule::FuncSchedule &schedule = frozen.schedule.funcs[0];
    EXPECT_TRUE(schedule.compute.is_at());
    EXPECT_EQ(schedule.compute.func, last.symbol);
    EXPECT_EQ(schedule.stages[0].dims[0].var, "xi");
    EXPECT_EQ(frozen.graph.outputs[0], FuncId(2));
}

TEST(Freeze, NamesAreUniqueAndTheSameEveryTime) {
    const auto build = [] {
        Var a, b;
        Func f, g, h("f"), out("out");
        Param<int> p, q("p0");
        f(a, b) = a + b + p;
        g(a, b) = f(a + 1, b) + q;
        h(b, a) = g(a, b) + random_int() + random_int();
        out(a) = h(a, a) + random_int();
        out.split(a, a, Var(), 4);
        return freeze({out});
    };
    const schedule::ScheduledGraph first = build(), second = build();
    EXPECT_EQ(func_names(first), (std::vector<std::string>{"f0", "f1", "f", "out"}));
    EXPECT_EQ(graph_text(first), graph_text(second));
    EXPECT_EQ(first.graph.params[0].symbol.name(), "p1");
    EXPECT_EQ(first.graph.params[1].symbol.name(), "p0");
    EXPECT_EQ(first.graph.funcs[0].arg_names, (std::vector<std::string>{"v0", "v1"}));
    EXPECT_EQ(first.schedule.funcs[3].stages[0].dims[0].var, "v2");
    ir::verify_graph(first.graph);
}

TEST(Freeze, RandomNumbersDependOnVariablesAndUse) {
    Func f("f");
    f(x, y) = random_float(7) + random_float();
    RDom r(0, 3, "r");
    f(x, r) = random_float() + f(x, r);
    const schedule::ScheduledGraph frozen = freeze({f});
    EXPECT_EQ(shown(frozen.graph.funcs[0].stages[0].values[0]), "random(7, f.x, f.y) + random(0, f.x, f.y)");
    EXPECT_EQ(frozen.graph.funcs[0].stages[1].values[0]->arg(0)->arg_count(), 3U); // number, x, r
}

TEST(Freeze, ContractsProductsWhereAsked) {
    Func f("f"), g("g");
    const Expr a = cast<float>(x), b = cast<float>(y), c = cast<float>(x + y);
    f(x, y) = Tuple(a * b + c, c + a * b, a * b - c, c - a * b, a * b + b * c, cast<double>(a) * cast<double>(b) + 1,
                    x * y + x, cast(Float(16), a) * cast(Float(16), b) + cast(Float(16), c));
    g(x, y) = f(x, y)[0] * b + f(x, y)[1];
    FreezeOptions options;
    options.contract_fma = true;
    const schedule::ScheduledGraph contracted = freeze({g}, options), plain = freeze({g});
    const std::vector<Expr> &values = contracted.graph.funcs[0].stages[0].values;
    for (size_t i = 0; i < 6; i++) {
        EXPECT_EQ(values[i]->kind(), ir::ExprKind::Fma) << i;
        EXPECT_NE(plain.graph.funcs[0].stages[0].values[i]->kind(), ir::ExprKind::Fma) << i;
    }
    EXPECT_NE(values[6]->kind(), ir::ExprKind::Fma);         // integers
    EXPECT_NE(values[7]->kind(), ir::ExprKind::Fma);         // 16-bit floats
    EXPECT_EQ(values[4]->arg(2)->kind(), ir::ExprKind::Mul); // the left product is contracted
    EXPECT_EQ(contracted.graph.funcs[1].stages[0].values[0]->kind(), ir::ExprKind::Fma);
}

TEST(Freeze, KeepsSharing) {
    Func f("f");
    Expr e = cast<float>(x);
    for (int i = 0; i < 60; i++) {
        e = e * e + 1.0f; // 2^60 nodes without sharing
    }
    f(x) = Tuple(e, e + 1.0f, e + 2.0f);
    FreezeOptions options;
    options.contract_fma = true;
    const schedule::ScheduledGraph frozen = freeze({f}, options);
    EXPECT_LT(ir::node_count(frozen.graph.funcs[0].stages[0].values[2]), 200U);
    EXPECT_TRUE(frozen.graph.funcs[0].stages[0].values[1]->arg(0).same_as(frozen.graph.funcs[0].stages[0].values[0]));
}

TEST(Freeze, LongChainsAreLinear) {
    std::vector<Func> funcs(1);
    funcs[0](x) = x;
    for (int i = 1; i < 3000; i++) {
        Func next;
        next(x) = funcs.back()(x - 1) + funcs.back()(x + 1) + funcs[static_cast<size_t>(i / 2)](x);
        funcs.push_back(next);
    }
    const schedule::ScheduledGraph frozen = freeze({funcs.back()});
    EXPECT_EQ(frozen.graph.funcs.size(), 3000U);
    EXPECT_EQ(frozen.graph.funcs[2999].name(), "f2999");
}

TEST(Freeze, ListsInputsOfConstraintsAndOutputs) {
    ImageParam im(Float(32), 2, "im");
    Param<int> stride("stride");
    im.dim(1).set_stride(stride);
    im.dim(0).set_bounds(0, im.dim(1).extent());
    Buffer<float> table(16);
    table.set_name("table");
    Func f("f");
    f(x, y) = im(x, y) + table(x & 15) + table(y & 15);
    f.output_buffer().dim(0).set_stride(3);
    f.output_buffer().dim(1).set_extent(f.output_buffer().width());
    const schedule::ScheduledGraph frozen = freeze({f});
    ir::verify_graph(frozen.graph);
    ASSERT_EQ(frozen.graph.inputs.size(), 2U);
    EXPECT_EQ(frozen.graph.inputs[1].symbol.name(), "table");
    EXPECT_TRUE(frozen.graph.inputs[1].parameter->is_bound_buffer);
    ASSERT_EQ(frozen.graph.params.size(), 1U);
    EXPECT_EQ(shown(frozen.graph.inputs[0].constraints[1].stride), "stride");
    const ir::OutputBuffer &output = frozen.graph.funcs[0].output_buffers.at(0);
    EXPECT_EQ(text_of(output.dims[0].stride), "3");
    EXPECT_EQ(output.dims[1].extent->symbol().owner().func, FuncId(0));
}

TEST(Freeze, RefusesPlacementOutsideThePipeline) {
    Func f("f"), g("g"), h("h");
    f(x) = x;
    g(x) = f(x);
    h(x) = f(x);
    f.compute_at(g, x);
    const unsigned line = __LINE__ - 1;
    expect_compile_error(
        "unknown-consumer",
        "in f: it is computed at loop x of g, which is no Func of this pipeline; a Func is placed in loops "
        "of one that calls it; place it in a consumer, or use compute_root()",
        [&] { freeze({h}); }, line);
}

TEST(Freeze, KeepsWhatItNeedsAfterFuncsAreGone) {
    schedule::ScheduledGraph frozen;
    {
        Buffer<uint8_t> image(4, 4);
        Func f("f"), g("g");
        f(x, y) = image(x, y);
        g(x, y) = f(y, x) + sum(image(x, RDom(0, 4)));
        frozen = freeze({g});
    }
    EXPECT_EQ(frozen.graph.funcs.size(), 3U);
    EXPECT_EQ(frozen.graph.inputs.size(), 1U); // both reads of one Buffer are one input
    EXPECT_NE(frozen.graph.inputs[0].parameter->buffer->host, nullptr);
}

TEST(Freeze, PutsWrappersInPlace) {
    Func f("f"), g("g"), h("h"), out("out");
    f(x) = x * 2;
    g(x) = f(x) + 1;
    h(x) = f(x) + 2;
    out(x) = f(x) + g(x) + h(x);
    f.in(g).compute_root();
    f.in().compute_root();
    const schedule::ScheduledGraph frozen = freeze({out});
    ir::verify_graph(frozen.graph);
    EXPECT_EQ(func_names(frozen), (std::vector<std::string>{"f", "f_global_wrapper", "f_in_g", "g", "h", "out"}));
    EXPECT_EQ(shown(frozen.graph.funcs[3].stages[0].values[0]->arg(0)), "f_in_g(g.x)");
    EXPECT_EQ(shown(frozen.graph.funcs[4].stages[0].values[0]->arg(0)), "f_global_wrapper(h.x)");
    EXPECT_TRUE(frozen.schedule.funcs[1].compute.is_root());
}

// Each place where a Param may stand alone makes it an argument.
TEST(Freeze, FindsParamsWhereverTheyStand) {
    static const ImageParam im(UInt(8), 2, "im");
    const std::pair<const char *, void (*)(Func &, const Param<int> &)> places[] = {
        {"value", [](Func &f, const Param<int> &p) { f(x, y) += p; }},
        {"coordinate", [](Func &f, const Param<int> &p) { f(p, y) += 1; }},
        {"min of an RDom", [](Func &f, const Param<int> &p) { f(x, y) += RDom(p, 4).x; }},
        {"extent of an RDom", [](Func &f, const Param<int> &p) { f(x, y) += RDom(0, p).x; }},
        {"condition of an RDom",
         [](Func &f, const Param<int> &p) {
             RDom r(0, 4);
             r.where(r.x < p);
             f(x, y) += r.x;
         }},
        {"bound", [](Func &f, const Param<int> &p) { f.bound(x, p, 4); }},
        {"extent of a bound", [](Func &f, const Param<int> &p) { f.bound(x, 0, p); }},
        {"modulus", [](Func &f, const Param<int> &p) { f.align_bounds(x, p); }},
        {"remainder", [](Func &f, const Param<int> &p) { f.align_bounds(x, 4, p); }},
        {"estimate", [](Func &f, const Param<int> &p) { f.set_estimate(x, p, 4); }},
        {"extent of an estimate", [](Func &f, const Param<int> &p) { f.set_estimate(x, 0, p); }},
        {"fold", [](Func &f, const Param<int> &p) { f.fold_storage(x, p); }},
        {"alignment", [](Func &f, const Param<int> &p) { f.align_storage(x, p); }},
        {"storage bound", [](Func &f, const Param<int> &p) { f.bound_storage(x, p); }},
        {"ring", [](Func &f, const Param<int> &p) { f.ring_buffer(p); }},
        {"split", [](Func &f, const Param<int> &p) { f.split(x, Var("xo"), Var("xi"), p); }},
        {"prefetch", [](Func &f, const Param<int> &p) { f.prefetch(im, y, y, p); }},
        {"specialization", [](Func &f, const Param<int> &p) { f.specialize(p > 3); }},
        {"specialized split",
         [](Func &f, const Param<int> &p) { f.specialize(im.width() > 3).split(x, Var("xo"), Var("xi"), p); }},
        {"eviction key", [](Func &f, const Param<int> &p) { f.memoize(EvictionKey(p)); }},
        {"promise", [](Func &f, const Param<int> &p) { f.output_buffer().dim(0).set_min(p); }},
        {"range of a Param",
         [](Func &f, const Param<int> &p) {
             Param<int> q("q");
             q.set_range(0, p);
             f(x, y) += q;
         }},
    };
    for (const auto &[name, put] : places) {
        Param<int> p("p");
        Func f("f");
        f(x, y) = cast<int>(im(x, y));
        put(f, p);
        const schedule::ScheduledGraph frozen = freeze({f});
        size_t found = 0;
        for (const ir::ParamDef &param : frozen.graph.params) {
            found += param.symbol.name() == "p" ? 1 : 0;
        }
        EXPECT_EQ(found, 1U) << name;
    }
}

} // namespace freeze_test
