// parse(print(x)) == x: for samples of every kind, for statements, functions and graphs, and for random expressions.

#include "ir/parse.h"

#include "ir/print.h"
#include "ir/text_names.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

namespace fluorite::ir::parse_test {
namespace {

const Symbol x(SymbolKind::Var, "x"), y(SymbolKind::Var, "y", {.func = FuncId(0), .dim = DimId(1)}),
    r(SymbolKind::RVar, "r$x");
const Symbol loop(SymbolKind::Loop, "f.s1.x", {.func = FuncId(0), .stage = 1, .dim = DimId(2)}),
    t(SymbolKind::Let, "t");
const Symbol bound(SymbolKind::Bound, "f.x.max",
                   {.func = FuncId(0), .stage = 1, .dim = DimId(0), .level = 2, .side = Side::Max});
const Symbol gain(SymbolKind::Param, "gain"), b(SymbolKind::Buffer, "b"),
    in(SymbolKind::Buffer, "in", {.input = InputId(0)});
const Symbol f(SymbolKind::Func, "f", {.func = FuncId(0)}), odd(SymbolKind::Func, "it's min\n");

Expr var(const Symbol &symbol, Type type = Int(32)) { return make_var(type, symbol); }
std::vector<Expr> list(std::initializer_list<Expr> exprs) { return exprs; }

/// One or more expressions whose root has the kind; the samples should cover what the kind can carry.
std::vector<Expr> samples(ExprKind kind) {
    const Expr xv = var(x), fv = var(gain, Float(32)), v4 = make_ramp(xv, 2, 4), c = less(xv, 3);
    const std::vector<Expr> none, at{xv, var(y)};
    auto binary = [&](const Expr &a, const Expr &other) { return list({make_binary(kind, a, other)}); };
    switch (kind) {
    case ExprKind::IntImm:
        return {make_int(Int(32), 7), make_int(Int(8), -128), make_int(Int(64), INT64_MIN), make_int(Int(16), 1)};
    case ExprKind::UIntImm:
        return {make_bool(true), make_bool(false), make_uint(UInt(64), UINT64_MAX), make_uint(UInt(8), 0)};
    case ExprKind::FloatImm: {
        std::vector<Expr> all;
        const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
        for (Type type : {Float(16), BFloat(16), Float(32), Float(64)}) {
            for (double value : {0.0, -0.0, 1.0, 0.1, -2.5e-7, 1e30, 3.0000001, 5e-324, 1e-45, inf, -inf, nan, -nan}) {
                all.push_back(make_float(type, value));
            }
        }
        all.push_back(make_float(Float(64), std::bit_cast<double>(uint64_t{0x7FF8000000001234})));
        return all;
    }
    case ExprKind::StringImm:
        return {Expr("plain"), Expr(""), Expr("a \"quote\" \\ \n\t \x01 \xC3\xA9 // no comment")};
    case ExprKind::Variable:
        return {xv, var(y), var(r), var(loop), var(t, UInt(8)), var(bound), fv, var(b, Handle()), var(odd)};
    case ExprKind::BufferField:
        return {make_field(b, Field::Min, 0), make_field(in, Field::Max, 1), make_field(b, Field::Extent, 2),
                make_field(gain, Field::Stride, 3)};
    case ExprKind::Cast:
        return {make_cast(UInt(8), xv), make_cast(Float(16, 4), v4)};
    case ExprKind::SaturatingCast:
        return {make_saturating_cast(UInt(8), xv)};
    case ExprKind::Reinterpret:
        return {make_reinterpret(Float(32), xv), make_reinterpret(UInt(8, 16), v4)};
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
        return {make_binary(kind, xv, 2), make_binary(kind, fv, fv), make_binary(kind, v4, v4)};
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return binary(xv, var(loop));
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::AbsDiff:
        return {make_binary(kind, xv, -1), make_binary(kind, fv, fv)};
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return binary(xv, make_uint(UInt(32), 3));
    case ExprKind::EQ:
    case ExprKind::NE:
    case ExprKind::LT:
    case ExprKind::LE:
    case ExprKind::GT:
    case ExprKind::GE:
        return binary(v4, xv);
    case ExprKind::And:
    case ExprKind::Or:
        return binary(c, less(fv, 2.0F));
    case ExprKind::Not:
        return {make_unary(kind, c), make_unary(kind, var(t, Bool(8)))};
    case ExprKind::BitNot:
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return {make_unary(kind, xv), make_unary(kind, add(xv, 1))};
    case ExprKind::Abs:
        return {make_unary(kind, xv), make_unary(kind, fv)};
    case ExprKind::Fma:
        return {make_fma(fv, fv, 0.5F)};
    case ExprKind::Select:
        return {make_select(c, xv, 4), make_select(c, v4, 4)};
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return {make_unary(kind, c)};
    case ExprKind::Math: {
        std::vector<Expr> all;
        for (size_t op = 0; parse_math(math_name(static_cast<MathOp>(op))); op++) {
            all.push_back(make_math(static_cast<MathOp>(op),
                                    std::vector<Expr>(static_cast<size_t>(math_arity(static_cast<MathOp>(op))), fv)));
            if (op + 1 == static_cast<size_t>(MathOp::IsFinite) + 1) {
                break;
            }
        }
        return all;
    }
    case ExprKind::Ramp:
        return {v4, make_ramp(v4, make_broadcast(8, 4), 3), make_ramp(fv, 0.5F, 2)};
    case ExprKind::Broadcast:
        return {make_broadcast(xv, 16), make_broadcast(v4, 2)};
    case ExprKind::Shuffle:
        return {make_shuffle(list({v4, v4}), {7, 0, 3}), make_shuffle(list({xv}), {0})};
    case ExprKind::VectorReduce: {
        std::vector<Expr> all{make_vector_reduce(ReduceOp::And, less(v4, 3), 1),
                              make_vector_reduce(ReduceOp::Or, less(v4, 3), 2)};
        for (ReduceOp op : {ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max, ReduceOp::SaturatingAdd,
                            ReduceOp::BitAnd, ReduceOp::BitOr, ReduceOp::BitXor}) {
            all.push_back(make_vector_reduce(op, v4, 2));
        }
        return all;
    }
    case ExprKind::Let:
        return {make_let(t, fv, add(var(t, Float(32)), fv)),
                make_let(x, make_let(t, xv, var(t)), make_let(t, 2.0F, var(t, Float(32))))};
    case ExprKind::Call:
        return {make_call(UInt(8), f, 0, at), make_call(Float(32), f, 2, at), make_call(Int(32), odd, 0, none),
                make_call(Int(8, 4), f, 0, list({v4, xv})), make_call(Int(32), b, 1, none)};
    case ExprKind::Image:
        return {make_image(UInt(8), in, at), make_image(Float(64), b, none), make_image(Int(8), f, at)};
    case ExprKind::Load:
        return {make_load(UInt(16), b, xv), make_load(UInt(16, 4), b, v4, less(v4, 9)), make_load(UInt(16, 4), in, v4),
                make_load(UInt(16), b, xv, less(xv, 9))};
    case ExprKind::Extern:
        return {make_extern(Int(32), "fluorite_error", at), make_extern(Handle(), "odd name", none)};
    case ExprKind::Random:
        return {ExprNode::create(kind, UInt(32), {xv}), ExprNode::create(kind, Float(32), {xv, xv})};
    case ExprKind::Undef:
        return {ExprNode::create(kind, Float(32), {}), ExprNode::create(kind, UInt(8, 4), {})};
    case ExprKind::Require:
        return {ExprNode::create(kind, Float(32), {c, fv, Expr("x < 3")}),
                ExprNode::create(kind, Int(32), {c, xv, Expr("x < 3"), Expr("text"), fv})};
    case ExprKind::Print:
        return {ExprNode::create(kind, Float(32), {c, fv}), ExprNode::create(kind, Int(32), {c, xv, Expr("text"), fv})};
    case ExprKind::MemoizeTag:
        return {ExprNode::create(kind, Float(32), {fv}), ExprNode::create(kind, Float(32), {fv, xv, c})};
    }
    return {};
}

void expect_round_trip(const Expr &expr, const ParseOptions &options = {}) {
    const std::string text = to_text(expr);
    try {
        const Expr back = parse_expr(text, options);
        EXPECT_TRUE(equal(back, expr)) << text << "\ncame back as\n" << back;
    } catch (const Error &error) {
        FAIL() << error.what() << "\n" << text;
    }
}

void expect_round_trip(const Stmt &stmt);

constexpr ExprKind all_kinds[] = {
#define FLUORITE_EXPR(kind, ...) ExprKind::kind,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};

TEST(TextForm, EveryKindComesBack) {
    for (ExprKind kind : all_kinds) {
        const std::vector<Expr> exprs = samples(kind);
        EXPECT_FALSE(exprs.empty()) << "kind '" << kind_name(kind) << "' has no sample";
        for (const Expr &expr : exprs) {
            EXPECT_EQ(expr->kind(), kind) << expr;
            expect_round_trip(expr);
        }
    }
}

/// Every sample as an operand in every context: parentheses and lists must keep them apart.
TEST(TextForm, EveryKindComesBackAsOperand) {
    ParseOptions loose;
    loose.check_types = false;
    for (ExprKind kind : all_kinds) {
        for (const Expr &e : samples(kind)) {
            for (ExprKind outer : {ExprKind::Add, ExprKind::Sub, ExprKind::LT, ExprKind::And, ExprKind::ShiftLeft}) {
                expect_round_trip(ExprNode::create(outer, e.type(), {e, e}), loose);
                expect_round_trip(ExprNode::create(outer, Int(8), {e, ExprNode::create(outer, Int(8), {e, e})}), loose);
            }
            expect_round_trip(ExprNode::create(ExprKind::Not, e.type(), {e}), loose);
            expect_round_trip(ExprNode::create(ExprKind::Not, Int(8), {e}), loose);
            expect_round_trip(ExprNode::create(ExprKind::Let, Int(8), {e, e}, t), loose);
            expect_round_trip(ExprNode::create(ExprKind::Call, Int(8), {e, e}, Member{f, 0, Field::Min}), loose);
            expect_round_trip(ExprNode::create(ExprKind::Load, e.type(), {e, e}, b), loose);
        }
    }
}

/// Random graphs of nodes with random types, correct or not: the text form loses nothing.
TEST(TextForm, RandomExpressionsComeBack) {
    std::mt19937 random(12345);
    auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
    ParseOptions loose;
    loose.check_types = false;
    const Type types[] = {Int(8),    Int(32),   Int(64),    UInt(8),    Bool(),
                          Float(16), Float(32), BFloat(16), Int(32, 4), Bool(4)};
    const Symbol symbols[] = {x,
                              y,
                              r,
                              loop,
                              t,
                              bound,
                              gain,
                              b,
                              in,
                              f,
                              Symbol(SymbolKind::Let, "x"),
                              Symbol(SymbolKind::Loop, "x"),
                              Symbol(SymbolKind::Var, "y"),
                              Symbol(SymbolKind::Var, "select"),
                              Symbol(SymbolKind::Func, "b")};
    std::vector<Expr> pool;
    for (ExprKind kind : all_kinds) {
        for (const Expr &sample : samples(kind)) {
            pool.push_back(sample);
        }
    }
    for (int round = 0; round < 4000; round++) {
        const Expr like = pool[pick(pool.size())];
        Payload payload = like->payload();
        if (std::holds_alternative<Symbol>(payload) && pick(2)) {
            payload = symbols[pick(std::size(symbols))];
        } else if (Member *member = std::get_if<Member>(&payload); member && pick(2)) {
            member->symbol = symbols[pick(std::size(symbols))];
        }
        std::vector<Expr> args;
        for (size_t i = 0; i < like->arg_count(); i++) {
            const Expr &arg = pool[pick(pool.size())];
            args.push_back(node_count(arg) < 12 ? arg : like->arg(i));
        }
        const bool is_constant = like->kind() <= ExprKind::StringImm;
        const Type type = !is_constant && pick(3) == 0 ? types[pick(std::size(types))] : like.type();
        const Expr made = ExprNode::create(like->kind(), type, args, payload);
        expect_round_trip(made, loose);
        pool.push_back(made);
    }
}

/// Keywords, and stranger texts, are valid names too.
TEST(TextForm, AnyNameComesBack) {
    std::vector<std::string> names{"",   " ",  "3x",       "a b", "a.b$c_1", "'",   "\"",
                                   "\\", "\n", "\xFF\x01", "in",  "as",      "dim", "+"};
    for (ExprKind kind : all_kinds) {
        names.push_back(kind_name(kind));
    }
    for (const char *word :
         {"true", "inf", "where", "stage", "for", "if", "let", "heap", "sqrt", "uint8", "max", "as_call"}) {
        names.push_back(word);
    }
    for (const std::string &name : names) {
        for (SymbolKind kind : {SymbolKind::Var, SymbolKind::Loop, SymbolKind::Buffer, SymbolKind::Func}) {
            const Symbol symbol(kind, name);
            const Expr load = make_load(UInt(8), symbol, 0), call = make_call(UInt(8), symbol, 0, list({var(symbol)}));
            expect_round_trip(add(load, call));
            expect_round_trip(
                make_let(symbol, var(symbol), add(make_extern(Int(32), name, {}), make_field(symbol, Field::Min, 0))));
            expect_round_trip(
                Allocate::make(symbol, UInt(8), MemoryType::Auto, {}, Store::make(symbol, load, var(symbol), {})));
            expect_round_trip(Block::make({Evaluate::make(0), For::make(symbol, 0, var(symbol), ForKind::Serial,
                                                                        Provide::make(symbol, 0, {1}, {}, {}))}));
        }
    }
}

TEST(TextForm, ReadsLikeThis) {
    const Expr xv = var(x), tv = var(t);
    EXPECT_EQ(to_text(add(xv, mul(xv, 2))), "x + x * 2");
    EXPECT_EQ(to_text(mul(add(xv, 2), sub(xv, sub(xv, 1)))), "(x + 2) * (x - (x - 1))");
    EXPECT_EQ(to_text(logical_and(less(xv, 2), equals(add(xv, 1), xv))), "x < 2 && x + 1 == x");
    EXPECT_EQ(to_text(make_let(t, 3, mul(tv, tv))), "let t:int32 = 3 in t * t");
    EXPECT_EQ(to_text(make_load(UInt(8, 8), b, make_ramp(xv, 1, 8))), "b[ramp(x, 1, 8)]:uint8x8");
    EXPECT_EQ(to_text(add(make_call(UInt(8), f, 0, list({xv})), make_call(UInt(8), f, 0, list({2})))),
              "f@{f0}(x):uint8 + f(2)");
    EXPECT_EQ(to_text(add(var(loop), var(loop))), "f.s1.x@loop{f0 s1 d2} + f.s1.x");
    EXPECT_EQ(to_text(make_uint(UInt(8), 3)), "3:uint8");
    EXPECT_EQ(to_text(Expr(1.0F)), "1.0:float32");
    EXPECT_EQ(to_text(Expr()), "(undefined)");
}

TEST(TextForm, BudgetElidesWhatIsSharedTooOften) {
    Expr e = var(x);
    for (int i = 0; i < 200; i++) {
        e = mul(e, add(e, 1));
    }
    const std::string text = to_text(e, {.max_nodes = 1000});
    EXPECT_LT(text.size(), 100'000U);
    EXPECT_NE(text.find("..."), std::string::npos);
    EXPECT_THROW(parse_expr(text), CompileError);
    EXPECT_LT(to_text(e).size(), 40'000'000U);
}

TEST(TextForm, LongChainsPrintAndParse) {
    Expr e = var(x);
    for (int i = 0; i < 20'000; i++) {
        e = add(e, 1);
    }
    expect_round_trip(e);
}

// ---- Statements.

std::vector<Stmt> stmt_samples(StmtKind kind) {
    const Expr xv = var(x), v4 = make_ramp(xv, 1, 4);
    const Stmt leaf = Evaluate::make(xv), store = Store::make(b, 3, xv, {});
    const std::vector<Range> box{{0, 10}, {xv, add(xv, 1)}};
    switch (kind) {
    case StmtKind::LetStmt:
        return {LetStmt::make(t, 1.5F, Evaluate::make(var(t, Float(32)))),
                LetStmt::make(bound, 1, LetStmt::make(t, 2, leaf))};
    case StmtKind::Assert:
        return {Assert::make(less(xv, 3), make_extern(Int(32), "fluorite_error", list({xv})))};
    case StmtKind::ProducerConsumer:
        return {ProducerConsumer::make(f, true, leaf), ProducerConsumer::make(f, false, store)};
    case StmtKind::For: {
        constexpr ForKind kinds[] = {
#define FLUORITE_LOOP_KIND(kind, word, directive) ForKind::kind,
#include "ir/loop_kinds.def"
#undef FLUORITE_LOOP_KIND
        };
        std::vector<Stmt> all;
        for (const ForKind loop_kind : kinds) {
            for (Partition partition : {Partition::Auto, Partition::Never, Partition::Always}) {
                all.push_back(For::make(loop, -3, 10, loop_kind, Evaluate::make(var(loop)), partition));
            }
        }
        return all;
    }
    case StmtKind::Provide:
        return {Provide::make(f, 0, {xv}, {xv}, {}), Provide::make(f, 2, {xv, 2.0F}, {}, less(xv, 3)),
                Provide::make(odd, 1, {v4}, {v4}, {}), Provide::make(f, 0, {xv}, {v4, 1}, less(v4, 3))};
    case StmtKind::Realize:
        return {Realize::make(f, {Int(8), Float(32)}, MemoryType::Heap, box,
                              Provide::make(f, 0, {make_call(Int(8), f, 0, {})}, {}, {})),
                Realize::make(f, {Int(8)}, MemoryType::Auto, {}, leaf),
                Realize::make(f, {Int(8)}, MemoryType::Register, {}, leaf)};
    case StmtKind::Allocate:
        return {Allocate::make(b, UInt(16), MemoryType::Stack, {10, xv}, Evaluate::make(make_load(UInt(16), b, xv))),
                Allocate::make(b, Bool(), MemoryType::Auto, {}, store)};
    case StmtKind::Free:
        return {Allocate::make(b, UInt(8), MemoryType::Auto, {10}, Block::make({leaf, Free::make(b), leaf}))};
    case StmtKind::Store:
        return {store, Store::make(b, v4, v4, {}), Store::make(in, v4, v4, less(v4, 2)),
                Store::make(b, 1, xv, less(xv, 2))};
    case StmtKind::Block: {
        const Stmt let = LetStmt::make(t, 1, store);
        return {Block::make({leaf, store}), Block::make({let, leaf, let}),
                Block::make({leaf, let, IfThenElse::make(less(xv, 2), let)}),
                Block::make({Store::make(b, xv, 0, {}), IfThenElse::make(less(xv, 2), leaf), Evaluate::make(add(xv, 1)),
                             store})};
    }
    case StmtKind::IfThenElse: {
        const Stmt inner = IfThenElse::make(less(xv, 2), leaf, store);
        return {inner, IfThenElse::make(less(xv, 1), leaf), IfThenElse::make(less(xv, 1), inner, inner),
                IfThenElse::make(less(xv, 1), IfThenElse::make(less(xv, 2), leaf), Block::make({inner, leaf}))};
    }
    case StmtKind::Evaluate:
        return {leaf, Evaluate::make(make_let(t, 1, var(t)))};
    case StmtKind::Prefetch:
        return {Prefetch::make(f, box, leaf), Block::make({leaf, Prefetch::make(f, {}, store), leaf})};
    case StmtKind::Atomic:
        return {Atomic::make(f, Block::make({leaf, store}))};
    case StmtKind::Launch:
        return {Launch::make("f.par_for.y.0", {xv, v4, make_var(Handle(), b)}), Launch::make("odd name", {}),
                Launch::make("f.kernel.0", {}, {xv, 8})};
    case StmtKind::Barrier:
        return {Barrier::make()};
    }
    return {};
}

void expect_round_trip(const Stmt &stmt) {
    const std::string text = to_text(stmt);
    try {
        const Stmt back = parse_stmt(text);
        EXPECT_TRUE(equal(back, stmt)) << text << "\ncame back as\n" << back;
    } catch (const Error &error) {
        FAIL() << error.what() << "\n" << text;
    }
}

TEST(TextForm, EveryStatementComesBack) {
    std::vector<Stmt> all;
    for (int kind = 0; kind <= static_cast<int>(StmtKind::Barrier); kind++) {
        const std::vector<Stmt> stmts = stmt_samples(static_cast<StmtKind>(kind));
        EXPECT_FALSE(stmts.empty()) << "statement kind " << kind << " has no sample";
        for (const Stmt &stmt : stmts) {
            expect_round_trip(stmt);
            expect_round_trip(For::make(loop, 0, 5, ForKind::Serial, stmt));
            all.push_back(stmt);
        }
    }
    std::mt19937 random(7);
    for (int round = 0; round < 200; round++) {
        std::shuffle(all.begin(), all.end(), random);
        expect_round_trip(Block::make({all[0], all[1], all[2]}));
        expect_round_trip(IfThenElse::make(less(var(x), 3), Block::make({all[3], all[4]}), all[5]));
    }
}

TEST(TextForm, StatementsReadLikeThis) {
    const Expr i = var(Symbol(SymbolKind::Loop, "i"));
    const Stmt stmt = Allocate::make(
        b, UInt(8), MemoryType::Stack, {10},
        For::make(
            Symbol(SymbolKind::Loop, "i"), 0, 10, ForKind::Parallel,
            Block::make({LetStmt::make(t, mul(i, 2), Store::make(b, make_cast(UInt(8), var(t)), var(t), less(i, 5))),
                         IfThenElse::make(less(i, 3), Evaluate::make(make_load(UInt(8), b, i)), Evaluate::make(0))})));
    EXPECT_EQ(to_text(stmt), R"(allocate b: uint8[10] in stack
parallel for i in [0, +10) {
  {
    let t:int32 = i * 2
    b[t] = cast<uint8>(t) where i < 5
  }
  if i < 3 {
    evaluate b[i]
  } else {
    evaluate 0
  }
}
)");
}

TEST(TextForm, FunctionsComeBack) {
    LoweredFunc func;
    func.name = "blur y";
    func.args = {{LoweredArg::Kind::InputBuffer, in, UInt(8), 2},
                 {LoweredArg::Kind::OutputBuffer, b, Float(32), 1},
                 {LoweredArg::Kind::Scalar, gain, Float(32), 0}};
    func.body = Store::make(
        b, mul(make_cast(Float(32), make_load(UInt(8), in, make_field(in, Field::Extent, 1))), var(gain, Float(32))), 0,
        {});
    const std::string text = to_text(func);
    EXPECT_EQ(text, "func 'blur y'(in@{i0}: input uint8[2], b: output float32[1], gain: scalar float32) {\n"
                    "  b[0] = cast<float32>(in[in->extent[1]]) * gain\n}\n");
    const LoweredFunc back = parse_lowered(text);
    EXPECT_EQ(back.name, func.name);
    ASSERT_EQ(back.args.size(), 3U);
    for (size_t i = 0; i < 3; i++) {
        EXPECT_EQ(back.args[i].kind, func.args[i].kind);
        EXPECT_TRUE(back.args[i].symbol == func.args[i].symbol);
        EXPECT_EQ(back.args[i].type, func.args[i].type);
        EXPECT_EQ(back.args[i].dimensions, func.args[i].dimensions);
    }
    EXPECT_TRUE(equal(back.body, func.body));
}

TEST(TextForm, ModulesComeBack) {
    const std::string text = R"(constant table@{i1}: input uint8[1]
streams b
func f(n: scalar int32, b: output uint8[1]) {
  parallel for y in [0, +n) {
    launch f.par_for.y.0(b:handle, n)
  }
}
task f.par_for.y.0(b: output uint8[1], n: scalar int32) of y {
  allocate m: uint8[n] in heap
  for x in [0, +2) {
    allocate slot: uint8[n] in heap slot 1
    slot[0] = 1
    free slot
  }
  launch f.work.1(b, m:handle, y)
  free m
}
task f.work.1(b: output uint8[1], m: allocation uint8, y@loop: scalar int32) {
  b[y] = m[n]
}
)";
    const LoweredModule module = parse_module(text);
    EXPECT_EQ(to_text(module), text);
    ASSERT_EQ(module.funcs.size(), 3U);
    EXPECT_EQ(module.constants.size(), 1U);
    EXPECT_TRUE(module.streams[0] == module.funcs[1].args[0].symbol);
    const auto *loop = module.entry().body.as<For>();
    ASSERT_TRUE(loop);
    EXPECT_TRUE(module.funcs[1].kind == LoweredFunc::Kind::Task && module.funcs[1].index == loop->var);
    EXPECT_EQ(module.funcs[2].args[1].kind, LoweredArg::Kind::Allocation);
    EXPECT_FALSE(module.funcs[2].index.defined());
    EXPECT_EQ(module.find("f.work.1"), &module.funcs[2]);
    EXPECT_EQ(module.find("g"), nullptr);
}

TEST(TextForm, TasksStandInPlace) {
    const LoweredModule module = with_tasks_in_place(parse_module(R"(
        func f(b: output uint8[1]) { parallel for y in [0, +8) { launch f.0(b:handle) } }
        task f.0(b: output uint8[1]) of y { allocate m: uint8[4] in heap slot 0  b[0] = 1  launch f.1(b, y)  free m }
        task f.1(b: output uint8[1], y@loop: scalar int32) { b[y] = 2  b[y] = 3 })"));
    EXPECT_EQ(to_text(module), R"(func f(b: output uint8[1]) {
  parallel for y in [0, +8) {
    allocate m: uint8[4] in heap
    b[0] = 1
    b[y] = 2
    b[y] = 3
  }
}
)");
}

TEST(TextForm, GraphsComeBack) {
    const std::string text = R"(graph trace_pipeline {
  inputs image@{i0}: uint8[2] trace_loads
  param gain: float32
  func f@{f0}(x@{f0 d0}, y@{f0 d1}): uint8, float32 trace_stores reassociates {
    f(x, y) = {image(x, y), gain}
    update over r@{f0 s1 d0} in [0, +10), s@{f0 s1 d1} as 'min' in [0, +r@var): f(r@rvar{f0 s1 d0}, y) = {f(r, y) + 1:uint8, 0.5:float32} where r < s
  }
  func g@{f1}(g.x@{f1 d0} as x): float32 {
    g(g.x) = f(g.x, 0).1
  }
  requires require(image->extent[0] > 3, 1, "in.dim(0).extent() > 3", "too narrow")
  output g
  output f
  promise image dim 1: min = 0, extent = 2 * image->extent[0]
  promise f dim 0: stride = 3, extent_estimate = 100
  promise f value 1: align = 16
  promise gain: min = 0.0:float32, max = 1.5:float32
}
)";
    const Graph graph = parse_graph(text);
    EXPECT_EQ(to_text(graph), text);
    EXPECT_TRUE(graph.inputs[0].symbol.object() == graph.inputs[0].parameter.get());
    EXPECT_TRUE(graph.funcs[0].stages[0].values[0]->symbol() == graph.inputs[0].symbol);
    EXPECT_EQ(graph.outputs, (std::vector<FuncId>{FuncId(1), FuncId(0)}));
}

TEST(Parse, GivenSymbolsKeepTheirObjects) {
    RefPtr<RefCounted> object(new RefCounted);
    const Symbol given(SymbolKind::Buffer, "img", {.input = InputId(0)}, object.get());
    const Expr e = make_image(UInt(8), given, list({1}));
    const Expr back = parse_expr(to_text(e), {.symbols = {given}});
    EXPECT_TRUE(equal(back, e));
    EXPECT_TRUE(equal(parse_expr("img(1):uint8", {.symbols = {given}}), e));
    EXPECT_FALSE(equal(parse_expr(to_text(e)), e));
}

std::string parse_error(const std::string &text, bool is_stmt = false) {
    try {
        is_stmt ? (void)parse_stmt(text) : (void)parse_expr(text);
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "bad-ir-text");
        return error.what();
    }
    return "no error";
}

TEST(Parse, GraphsByHandAreNumbered) {
    const char *const by_hand = "graph { inputs in: uint8[1]\n"
                                "func g(x): uint8 { g(x) = in(x) }\n"
                                "func f(x): uint8 { f(x) = g(x) update over r in [0, +2): f(x) = f(x) + g(r) }\n"
                                "output f }";
    ParseOptions options;
    options.numbers_graph = true;
    const std::string text = to_text(parse_graph(by_hand, options));
    EXPECT_EQ(text, "graph {\n"
                    "  inputs in@{i0}: uint8[1]\n"
                    "  func g@{f0}(g.x@{f0 d0} as x): uint8 {\n"
                    "    g(g.x) = in(g.x)\n"
                    "  }\n"
                    "  func f@{f1}(f.x@{f1 d0} as x): uint8 {\n"
                    "    f(f.x) = g(f.x)\n"
                    "    update over f.s1.r@{f1 s1 d0} as r in [0, +2): f(f.x) = f(f.x) + g(f.s1.r)\n"
                    "  }\n"
                    "  output f\n"
                    "}\n");
    EXPECT_EQ(to_text(parse_graph(text, options)), text);
}

TEST(Parse, ErrorsSayWhereAndWhat) {
    EXPECT_EQ(parse_error("x +"), "text:1:4: the text ends where an expression is expected [bad-ir-text]");
    EXPECT_EQ(parse_error("x +\n  1:uint8"), "text:1:3: '+': the operands differ in type [bad-ir-text]");
    EXPECT_EQ(parse_error("300:uint8"), "text:1:1: 300 is no value of type uint8 [bad-ir-text]");
    EXPECT_EQ(parse_error("f(x)"), "text:1:1: 'call' needs a type here: write (...):type [bad-ir-text]");
    EXPECT_EQ(parse_error("sin(1.0, 2.0)"), "text:1:1: 'sin' does not take 2 operands [bad-ir-text]");
    EXPECT_EQ(parse_error("cast<int33x>(x)"), "text:1:6: 'int33x' is no type [bad-ir-text]");
    EXPECT_EQ(parse_error("ramp(x, 1, -4)"), "text:1:5: a vector has 1 to 65535 lanes, not -4 [bad-ir-text]");
    EXPECT_EQ(parse_error("broadcast(broadcast(x, 256), 256)"),
              "text:1:10: a vector has 1 to 65535 lanes, not 65536 [bad-ir-text]");
    EXPECT_EQ(parse_error("vector_reduce<add>(broadcast(x, 4), -1)"),
              "text:1:14: a vector has 1 to 65535 lanes, not -1 [bad-ir-text]");
    EXPECT_EQ(parse_error("(x"),
              "text:1:3: the text ends where ')' must follow an expression in parentheses [bad-ir-text]");
    EXPECT_EQ(parse_error("x x"), "text:1:3: 'x' stands after the end of the expression [bad-ir-text]");
    EXPECT_EQ(parse_error("\"open"), "text:1:1: the text is not closed on its line [bad-ir-text]");
    EXPECT_EQ(parse_error("x # y"), "text:1:3: the character '#' has no meaning here [bad-ir-text]");
    EXPECT_EQ(parse_error("x + ..."),
              "text:1:5: '...' stands for what the printer left out where an expression is expected [bad-ir-text]");
    EXPECT_EQ(parse_error("min + 1"), "text:1:5: '+' stands where '(' must follow the name [bad-ir-text]");
    EXPECT_EQ(parse_error("where"),
              "text:1:1: 'where' is a word of the language; as a name it must stand in single quotes [bad-ir-text]");
    EXPECT_EQ(parse_error("x@loop{q1}"),
              "text:1:8: 'q1' is no field of an owner (f, s, d, i or l and a number, or max) [bad-ir-text]");
    EXPECT_EQ(parse_error("let t:int8 = 3", true), "text:1:7: the value of the let is int32, not int8 [bad-ir-text]");
    EXPECT_EQ(parse_error("let t = 3", true), "text:1:1: no statement follows in these braces [bad-ir-text]");
    EXPECT_EQ(parse_error("for i in [0, +10) {\n}", true), "text:1:19: the braces hold no statement [bad-ir-text]");
    EXPECT_EQ(parse_error("evaluate 1\nif x {\n evaluate 1 }", true),
              "text:2:1: an if has a bool condition and a statement [bad-ir-text]");
    EXPECT_EQ(parse_error(std::string(100'000, '(')).substr(0, 5), "text:");
    EXPECT_EQ(parse_error(std::string(100'000, '!')).substr(0, 5), "text:");
}

} // namespace
} // namespace fluorite::ir::parse_test
