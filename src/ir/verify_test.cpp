// For each rule of verify.h a text that breaks it, and texts that break none.

#include "ir/verify.h"

#include "ir/parse.h"

#include <gtest/gtest.h>

namespace fluorite::ir::verify_test {
namespace {

const Symbol in(SymbolKind::Buffer, "in", {.input = InputId(0)}), out(SymbolKind::Buffer, "out"),
    n(SymbolKind::Param, "n");

Surroundings around() {
    Surroundings result;
    result.args = {{LoweredArg::Kind::InputBuffer, in, UInt(8), 2},
                   {LoweredArg::Kind::OutputBuffer, out, UInt(8), 1},
                   {LoweredArg::Kind::Scalar, n, Int(32), 0}};
    result.funcs = {{Symbol(SymbolKind::Func, "f"), {UInt(8), Float(32)}, 1}};
    return result;
}

/// The violation in a text of the given phase; empty if there is none.
std::string violation(const std::string &text, Phase phase) {
    ParseOptions loose;
    loose.check_types = false;
    loose.symbols = {in, out, n};
    try {
        return find_violation(parse_stmt(text, loose), phase, around()).value_or("");
    } catch (const Error &error) {
        return error.what();
    }
}

TEST(Verify, GoodStatementsOfEveryPhase) {
    EXPECT_EQ(violation(R"(
        produce f {
          parallel for y in [0, +n) {
            {
              let t:int32 = y * 2 + in->extent[1]
            realize g: uint8, float32 over [0, +4), [t, +1) {
              g(0, t) = {in(t, y):uint8, undef:float32} where likely(t < y)
              f(y) = {g(0, t).0, (let u:float32 = g(0, t).1 in u * u)}
            }
            }
            let t:int32 = 3 // beside the other, not inside
            evaluate random(t):uint32
          }
        })",
                        Phase::Loops),
              "");
    EXPECT_EQ(violation(R"(
        realize g@buffer: uint8 over [0, +4) {
          for x in [0, +4) { g(x) = in(x, 0):uint8 }
          for x in [0, +4) { out(x) = as_image g(x) }
        })",
                        Phase::Split),
              "");
    const std::string flat = R"(
        allocate g: uint8[8, 2] in stack
        vectorized for x in [0, +4) {
          let v:int32x4 = ramp(x, 2, 4)
          g[v where v < 3] = broadcast(1:uint8, 4)
          g[x] = in[cast<int64>(x)]:uint8 where likely(x < 3)
          evaluate extern buffer.host(out:handle):handle
        })";
    EXPECT_NE(violation(flat, Phase::Flat).find("text:"), std::string::npos); // a store has no mask in its brackets
    const std::string good_flat = R"(
        allocate g: uint8[8, 2] in stack
        vectorized for x in [0, +4) {
          let v:int32x4 = ramp(x, 2, 4)
          g[v] = broadcast(1:uint8, 4) where v < broadcast(3, 4)
          g[x] = in[cast<int64>(x)]:uint8 where likely(x < 3)
          evaluate extern buffer.host(out:handle):handle
        })";
    EXPECT_EQ(violation(good_flat, Phase::Flat), "");
    EXPECT_EQ(violation("for x in [0, +4) { assert x < 4 else extern fluorite_error_oops(x):int32 }", Phase::Lowered),
              "");
    EXPECT_FALSE(find_violation(Stmt(), Phase::Lowered));
}

TEST(Verify, Scopes) {
    EXPECT_EQ(violation("evaluate x + 1", Phase::Loops), "in evaluate > value: 'x' is not bound here: x");
    EXPECT_EQ(violation("for x in [x, +1) { evaluate x }", Phase::Loops),
              "in for x > min: 'x' is not bound here: x@loop");
    EXPECT_EQ(violation("for x in [0, +1) { let y:int32 = (let y:int32 = y in y) evaluate y }", Phase::Loops),
              "in for x > let y > value: 'y' is not bound here: y@let");
    EXPECT_EQ(violation("let x = 1 evaluate x  for y in [0, +x) { let x@let = 2 evaluate x }", Phase::Loops),
              "in let x > for y > let x: 'x' is bound already where it is bound again");
    EXPECT_EQ(
        violation("let x = 1 evaluate (let x@let = 2 in x)", Phase::Loops),
        "in let x > evaluate > value: 'x' is bound already where it is bound again\n  inside of: let x:int32 = 2 in x");
    EXPECT_EQ(violation("{ let x = 1 evaluate x } evaluate x", Phase::Loops),
              "in evaluate > value: 'x' is not bound here: x@let");
    EXPECT_EQ(violation("let x = 1:uint8 evaluate x:int8", Phase::Loops),
              "in let x > evaluate > value: 'x' is bound as uint8: x@let:int8");
    EXPECT_EQ(violation("let n@param = 1 evaluate n", Phase::Loops),
              "in let n: 'n' is bound already where it is bound again");
    // A node that the scope and the outside of a let share is checked in both places.
    EXPECT_EQ(violation("evaluate (let t:int32 = 1 in t) + t", Phase::Loops),
              "in evaluate > value: 't' is not bound here: t@let");
}

TEST(Verify, Types) {
    EXPECT_EQ(violation("evaluate n + 1:uint8", Phase::Loops),
              "in evaluate > value: '+': the operands differ in type: n@param + 1:uint8");
    EXPECT_EQ(violation("evaluate select(n, 1, 2)", Phase::Loops),
              "in evaluate > value: 'select': the condition must be bool: select(n@param, 1, 2)");
    EXPECT_EQ(violation("evaluate (n < 1):int32", Phase::Loops),
              "in evaluate > value: '<': the type must be bool: (n@param < 1):int32");
    EXPECT_EQ(violation("evaluate n << 1:uint8", Phase::Loops),
              "in evaluate > value: '<<': a shift takes integers of one width: n@param << 1:uint8");
    EXPECT_EQ(violation("evaluate shuffle<0, 5>(ramp(n, 1, 4))", Phase::Flat),
              "in evaluate > value: 'shuffle': index 5 is outside the 4 lanes of the operands: shuffle<0, "
              "5>(ramp(n@param, 1, 4))");
    EXPECT_EQ(violation("evaluate abs(n):int32", Phase::Loops),
              "in evaluate > value: 'abs': the type must be uint32: abs(n@param):int32");
    EXPECT_EQ(violation("evaluate cast<int8x2>(n)", Phase::Flat),
              "in evaluate > value: 'cast': a cast must keep the lanes: cast<int8x2>(n@param)");
    EXPECT_EQ(violation("evaluate random(ramp(n, 1, 4)):uint32", Phase::Flat),
              "in evaluate > value: 'random': the operands must have the lanes of the result: random(ramp(n@param, 1, "
              "4)):uint32");
    EXPECT_EQ(violation("evaluate sqrt(n)", Phase::Loops),
              "in evaluate > value: 'math': the operands must be floats: sqrt(n@param)");
    EXPECT_EQ(violation("evaluate in->extent[2]", Phase::Loops),
              "in evaluate > value: the buffer has 2 dimensions: in@{i0}->extent[2]");
}

TEST(Verify, FuncsAndBuffers) {
    EXPECT_EQ(violation("evaluate g(0):uint8", Phase::Loops),
              "in evaluate > value: the Func is not realized here: g(0):uint8");
    EXPECT_EQ(violation("evaluate f(0):int8", Phase::Loops),
              "in evaluate > value: the value is of type uint8: f(0):int8");
    EXPECT_EQ(violation("evaluate f(0).2:int8", Phase::Loops),
              "in evaluate > value: the Func has 2 values: f(0).2:int8");
    EXPECT_EQ(violation("evaluate f(0, 1):uint8", Phase::Loops),
              "in evaluate > value: the Func has 1 dimensions: f(0, 1):uint8");
    EXPECT_EQ(violation("f(0) = 1:uint8", Phase::Loops), "in provide f: the Func has 2 values");
    EXPECT_EQ(violation("f(0) = {1:uint8, 2}", Phase::Loops),
              "in provide f: the value must be a scalar float32, not int32");
    EXPECT_EQ(violation("evaluate in(1):uint8", Phase::Loops),
              "in evaluate > value: the buffer has 2 dimensions: in@buffer{i0}(1):uint8");
    EXPECT_EQ(violation("evaluate in(1, 2):int8", Phase::Loops),
              "in evaluate > value: the buffer holds uint8: in@buffer{i0}(1, 2):int8");
    EXPECT_EQ(violation("g[0] = 1", Phase::Flat), "in store g: the buffer is not allocated here");
    EXPECT_EQ(violation("allocate g: uint8[4] g[0] = 1", Phase::Flat),
              "in allocate g > store g: the buffer holds uint8");
    EXPECT_EQ(violation("allocate g: uint8[4] evaluate g->min[0]", Phase::Flat),
              "in allocate g > evaluate > value: only buffer arguments have fields: g->min[0]");
    EXPECT_EQ(violation("out[0:uint8] = 1:uint8", Phase::Flat),
              "in store out: the index must be int32 or int64 with 1 lanes");
    EXPECT_EQ(violation("evaluate out[0:int16]:uint8", Phase::Flat),
              "in evaluate > value: 'load': the index must be int32 or int64: out[0:int16]:uint8");
}

TEST(Verify, Phases) {
    EXPECT_EQ(violation("allocate g: uint8[4] g[0] = 1:uint8", Phase::Loops),
              "in allocate g: allocate does not occur in phase loops");
    EXPECT_EQ(violation("evaluate out[0]:uint8", Phase::Split),
              "in evaluate > value: 'load' does not occur in phase split: out[0]:uint8");
    EXPECT_EQ(violation("evaluate ramp(n, 1, 4)", Phase::Loops),
              "in evaluate > value: vectors occur only in flat IR: ramp(n@param, 1, 4)");
    EXPECT_EQ(violation("evaluate f(0):uint8", Phase::Split),
              "in evaluate > value: 'call' does not occur in phase split: f(0):uint8");
    EXPECT_EQ(violation("realize g: uint8, uint8 { evaluate 1 }", Phase::Split),
              "in realize g: after splitting a realize is of one buffer");
    EXPECT_EQ(violation("realize g@buffer: uint8 { evaluate 1 }", Phase::Flat),
              "in realize g: realize does not occur in phase flat");
    EXPECT_EQ(violation("evaluate in(0, 0):uint8", Phase::Flat),
              "in evaluate > value: 'image' does not occur in phase flat: in@buffer{i0}(0, 0):uint8");
    EXPECT_EQ(violation("prefetch f over [0, +1) evaluate 1", Phase::Laid),
              "in prefetch f: prefetch does not occur in phase laid");
    EXPECT_EQ(violation("evaluate memoize_tag(n)", Phase::Loops),
              "in evaluate > value: 'memoize_tag' does not occur in phase loops: memoize_tag(n@param)");
    EXPECT_EQ(violation("vectorized for x in [0, +4) { evaluate x }", Phase::Flat), "");
    EXPECT_EQ(violation("vectorized for x in [0, +4) { evaluate x }", Phase::Plain),
              "in for x: a vectorized loop does not occur in phase plain");
    EXPECT_EQ(violation("unrolled for x in [0, +4) { evaluate x }", Phase::Lowered),
              "in for x: an unrolled loop does not occur in phase lowered");
    EXPECT_EQ(violation("evaluate likely(n < 1)", Phase::Plain), "");
    EXPECT_EQ(violation("evaluate likely(n < 1)", Phase::Lowered),
              "in evaluate > value: 'likely' does not occur in phase lowered: likely(n@param < 1)");
    EXPECT_EQ(violation("evaluate undef:int8", Phase::Flat),
              "in evaluate > value: 'undef' does not occur in phase flat: undef:int8");
}

TEST(Verify, LetsOfWhatDependsOnMemorySayIt) {
    const std::string tail = " depends on memory, which its symbol does not say";
    // The parser derives the symbol of a name without owner from its value; a name with an @ keeps what the text says.
    EXPECT_EQ(violation("let t:uint8 = out[0]:uint8 evaluate t", Phase::Flat), "");
    EXPECT_EQ(violation("let t@let:uint8 = out[0]:uint8 evaluate t", Phase::Flat), "in let t: the value of 't'" + tail);
    EXPECT_EQ(violation("let t = out[0]:uint8 let u@let = cast<int32>(t) * 3 evaluate u", Phase::Flat),
              "in let t > let u: the value of 'u'" + tail);
    EXPECT_EQ(violation("evaluate (let t@let:uint8 = f(0):uint8 in t)", Phase::Loops),
              "in evaluate > value: the value of 't'" + tail + "\n  inside of: let t@let:uint8 = f(0):uint8 in t");
    EXPECT_EQ(violation("let t@let = random(n):int32 evaluate t", Phase::Lowered), "in let t: the value of 't'" + tail);
    EXPECT_EQ(violation("let t@let = extern g():int32 evaluate t", Phase::Lowered),
              "in let t: the value of 't'" + tail);
    // A symbol may still record a dependence that its value has lost. Only lets must record it, bounds need not.
    EXPECT_EQ(violation("let t@let{l1} = n evaluate t", Phase::Flat), "");
    EXPECT_EQ(violation("let t@bound = cast<int32>(out[0]:uint8) evaluate t", Phase::Flat), "");
    EXPECT_EQ(violation("let t@var = cast<int32>(out[0]:uint8) evaluate t", Phase::Flat),
              "in let t: the value of 't'" + tail);
}

TEST(Verify, MemoryTakenFurtherOut) {
    const std::string inner = "realize g: int32 over [i, +2) { g(i) = 1 f(0) = {1:uint8, 2.0} }";
    const auto outer = [](const std::string &body) {
        return "realize g: int32 over [0, +4) { for i in [0, +n) { " + body + " } }";
    };
    EXPECT_EQ(violation(outer(inner), Phase::Loops), "");
    EXPECT_EQ(violation(outer(inner + inner), Phase::Loops), "");
    EXPECT_EQ(violation("realize g: int32 over [0, +4) { for i in [0, +n) { g(i) = 1 " + inner + " } }", Phase::Loops),
              "in realize g > for i > realize g: the values are used where only their memory is taken");
    EXPECT_EQ(violation(outer(inner + " g(i) = 1"), Phase::Loops),
              "in realize g > for i > provide g: the Func only has its memory here");
    EXPECT_EQ(violation(outer(inner + " evaluate g(i):int32"), Phase::Loops),
              "in realize g > for i > evaluate > value: the Func only has its memory here: g(i@loop):int32");
    EXPECT_EQ(violation(outer("realize g: int32 over [i, +2) { " + inner + " }"), Phase::Loops),
              "in realize g > for i > realize g > realize g: 'g' is bound already where it is bound again");
    EXPECT_EQ(
        violation(outer("realize g: uint8 over [i, +2) { g(i) = 1:uint8 }"), Phase::Loops),
        "in realize g > for i > realize g: a realize within another of its Func has the same types and dimensions");
    EXPECT_EQ(
        violation(outer("realize g: int32 over [i, +2), [i, +2) { g(i, i) = 1 }"), Phase::Loops),
        "in realize g > for i > realize g: a realize within another of its Func has the same types and dimensions");
    EXPECT_EQ(violation("realize f: uint8 over [0, +1) { f(0) = 1:uint8 }", Phase::Loops),
              "in realize f: 'f' is bound already where it is bound again");
    const std::string laid =
        "realize g@buffer: uint8 over [0, +4) { realize g@buffer: uint8 over [0, +2) { g(0) = 1:uint8 } }";
    EXPECT_EQ(violation(laid, Phase::Split), "");
    EXPECT_EQ(violation(laid, Phase::Laid), "in realize g > realize g: 'g' is bound already where it is bound again");
}

TEST(Verify, InputsAreNotStoredTo) {
    EXPECT_EQ(violation("in[0] = 1:uint8", Phase::Flat), "in store in: nothing is stored to an input");
    EXPECT_EQ(violation("in@buffer{i0}(0, 0) = 1:uint8", Phase::Split), "in provide in: nothing is stored to an input");
}

TEST(Verify, EndsOfMemory) {
    const auto in_g = [](const std::string &body) { return "allocate g: uint8[4] { g[0] = 1:uint8 " + body + " }"; };
    EXPECT_EQ(violation(in_g("free g evaluate n"), Phase::Lowered), "");
    EXPECT_EQ(violation(in_g("evaluate extern memory.prefetch(g:handle, 3):int32 free g"), Phase::Lowered), "");
    EXPECT_EQ(violation(in_g("free g evaluate g[0]:uint8"), Phase::Lowered),
              "in allocate g > evaluate > value: the buffer is not allocated here: g[0]:uint8");
    EXPECT_EQ(violation(in_g("free g free g"), Phase::Lowered),
              "in allocate g > free g: the buffer is not allocated here");
    EXPECT_EQ(violation(in_g("free g evaluate extern use(g:handle):int32"), Phase::Lowered),
              "in allocate g > evaluate > value: the buffer is not allocated here: g@buffer:handle");
    EXPECT_EQ(violation(in_g("for i in [0, +n) { free g }"), Phase::Lowered),
              "in allocate g > for i > free g: a loop or branch stands between the allocation and its end");
    EXPECT_EQ(violation(in_g("if n < 3 { free g }"), Phase::Lowered),
              "in allocate g > if > free g: a loop or branch stands between the allocation and its end");
    EXPECT_EQ(violation(in_g("evaluate extern use(g:handle):int32 free g evaluate n"), Phase::Lowered),
              "in allocate g > free g: the address of the buffer is known elsewhere");
    // Where nothing follows in the scope of the memory, nothing uses its address.
    EXPECT_EQ(violation(in_g("evaluate extern use(g:handle):int32 free g"), Phase::Lowered), "");
    // An expression that passed before the end of a buffer's lifetime is checked again after it.
    EXPECT_EQ(violation(in_g("evaluate g[0]:uint8 free g evaluate g[0]:uint8"), Phase::Lowered),
              "in allocate g > evaluate > value: the buffer is not allocated here: g[0]:uint8");
}

TEST(Verify, MarksNameWhatIsThere) {
    EXPECT_EQ(violation("produce f { evaluate n }", Phase::Loops), "");
    EXPECT_EQ(violation("produce out@buffer{} { evaluate n }", Phase::Flat), "");
    EXPECT_EQ(violation("produce g { evaluate n }", Phase::Loops), "in produce g: 'g' is marked where it is not known");
    EXPECT_EQ(violation("produce f { evaluate n }", Phase::Flat), "in produce f: 'f' is marked where it is not known");
    EXPECT_EQ(violation("consume n@param{} { evaluate n }", Phase::Flat),
              "in consume n: 'n' is marked where it is not known");
    EXPECT_EQ(violation("prefetch in@buffer{i0} over [0, +1), [0, +1) evaluate n", Phase::Loops), "");
    EXPECT_EQ(violation("produce in@buffer{i0} { evaluate n }", Phase::Split),
              "in produce in: 'in' is marked where it is not known");
    EXPECT_EQ(violation("prefetch g over [0, +1) evaluate n", Phase::Loops),
              "in prefetch g: 'g' is marked where it is not known");
}

TEST(Verify, WhatStandsUnderALock) {
    const auto locked = [](const std::string &body) {
        return "allocate g: uint8[4] { g[0] = 1:uint8 atomic out@buffer{} { " + body + " } }";
    };
    EXPECT_EQ(violation(locked("for i in [0, +2) { if i < n { let t = out[i]:uint8 out[i] = t } }"), Phase::Flat), "");
    EXPECT_EQ(violation(locked("g[0] = 2:uint8"), Phase::Flat),
              "in allocate g > atomic out > store g: what is stored in an atomic is of the Func that it names");
    EXPECT_EQ(violation(locked("atomic out@buffer{} { out[0] = 1:uint8 }"), Phase::Flat),
              "in allocate g > atomic out > atomic out: an atomic stands in an atomic");
    EXPECT_EQ(violation(locked("parallel for i in [0, +2) { out[0] = 1:uint8 }"), Phase::Flat),
              "in allocate g > atomic out > for i: tasks do not begin in an atomic");
}

TEST(Verify, ForkedLoops) {
    EXPECT_EQ(violation("forked for s in [0, +2) { if s == 0 { evaluate n } }", Phase::Flat), "");
    EXPECT_EQ(violation("forked for s in [0, +2) { evaluate n }", Phase::Laid),
              "in for s: a forked loop does not occur in phase laid");
    EXPECT_EQ(violation("forked for s in [0, +3) { evaluate n }", Phase::Flat),
              "in for s: a forked loop has two sides");
    EXPECT_EQ(violation("forked for s in [0, +n) { evaluate n }", Phase::Flat),
              "in for s: a forked loop has two sides");
}

TEST(Verify, OperationsThatNoCFunctionDoes) {
    const auto says = [](const std::string &value) { return violation("evaluate extern " + value, Phase::Lowered); };
    const std::string wrong = "in evaluate > value: ";
    EXPECT_EQ(says("buffer.set_dim(out:handle, 0, n, 1, 1):int32"), "");
    EXPECT_EQ(
        says("buffer.set_dim(out:handle, n, n, 1, 1):int32"),
        wrong +
            "operand 1 is not as in operations.def: extern buffer.set_dim(out@buffer:handle, n@param, n, 1, 1):int32");
    EXPECT_EQ(says("buffer.is_null(out:handle):int32"),
              wrong + "the result must be bool: extern buffer.is_null(out@buffer:handle):int32");
    EXPECT_EQ(says("buffer.set_type(out:handle):int32"),
              wrong + "there are 3 operands: extern buffer.set_type(out@buffer:handle):int32");
    EXPECT_EQ(says("buffer.type(n):uint32"),
              wrong + "operand 0 is not as in operations.def: extern buffer.type(n@param):uint32");
    EXPECT_EQ(says("buffer.type(out:handle, n):uint32"),
              wrong + "operand 1 is not as in operations.def: extern buffer.type(out@buffer:handle, n@param):uint32");
    EXPECT_EQ(says("async.wait(0, 0):int32"),
              wrong + "it stands for code that is made by now: extern async.wait(0, 0):int32");
    EXPECT_EQ(says("text.concat(\"n is \", n):handle"), "");
    EXPECT_EQ(violation("evaluate extern memory.prefetch(in@buffer{i0}(0, 0):uint8):int32", Phase::Split), "");
    EXPECT_EQ(violation("evaluate extern memory.prefetch(n):int32", Phase::Split),
              wrong + "a hint is at an element: extern memory.prefetch(n@param):int32");
}

TEST(Verify, SharedNodesAreJudgedInEachScope) {
    // The same nodes occur inside and outside the loop that binds what they use.
    const Expr i = make_var(Int(32), Symbol(SymbolKind::Loop, "i"));
    const Expr sum = add(mul(i, i), int32(1));
    const Stmt use = Evaluate::make(mul(sum, sum));
    const Stmt loop = For::make(i->symbol(), int32(0), int32(2), ForKind::Serial, use);
    EXPECT_FALSE(find_violation(loop, Phase::Flat));
    EXPECT_FALSE(find_violation(Block::make({loop, loop}), Phase::Flat));
    EXPECT_EQ(find_violation(Block::make({loop, use}), Phase::Flat).value_or(""),
              "in evaluate > value: 'i' is not bound here: i@loop");
}

TEST(Verify, FunctionsAndThrowing) {
    LoweredFunc func = parse_lowered("func f(b: output uint8[1], k: scalar uint8) { b[0] = k }");
    EXPECT_FALSE(find_violation(func));
    verify(func);
    func.args.pop_back();
    EXPECT_EQ(find_violation(func).value_or(""), "in store b > value: 'k' is not bound here: k@param:uint8");
    EXPECT_THROW(verify(func), InternalError);
    func.args.push_back(func.args[0]);
    EXPECT_EQ(find_violation(func).value_or(""), "in the arguments: 'b' is bound already where it is bound again");
}

// ---- Modules.

const char *const good_module = R"(
    constant table: input uint8[1]
    func f(b: output uint8[1], n: scalar int32) {
      allocate m: uint8[n] in heap
      parallel for y in [0, +n) { launch f.0(b:handle, m:handle, n, table:handle) }
      free m
      let v:uint8x4 = broadcast(1:uint8, 4)
      launch f.1(b, v:uint8x4)
    }
    task f.0(b: output uint8[1], m: allocation uint8, n: scalar int32, table: input uint8[1]) of y {
      consume elsewhere { m[0] = table[y] }
      launch f.2(b, m, n, y)
    }
    task f.1(b: output uint8[1], v: scalar uint8x4) { b[ramp(0, 1, 4)] = v }
    task f.2(b: output uint8[1], m: allocation uint8, n: scalar int32, y@loop: scalar int32) { b[y + n] = m[y] })";

/// The violation in the module above after replacing a piece of it.
std::string violation_with(const std::string &piece, const std::string &changed) {
    std::string text = good_module;
    const size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    text.replace(at, piece.size(), changed);
    try {
        return find_violation(parse_module(text)).value_or("");
    } catch (const Error &error) {
        return error.what();
    }
}

TEST(Verify, SlotsOfModules) {
    const auto in_loop = [](const std::string &body) {
        const std::string text = "func f(n: scalar int32) { for i in [0, +n) { " + body + " } }";
        return find_violation(parse_module(text)).value_or("");
    };
    EXPECT_EQ(in_loop("{ allocate a: int32[n] in heap slot 1; a[0] = 1; free a } "
                      "allocate b: int32[n] in heap slot 1 { allocate c: int32[4] in stack; b[0] = 1; free c } free b"),
              "");
    EXPECT_EQ(in_loop("allocate a: int32[n] in heap slot 0; allocate b: int32[n] in heap slot 0; free b; free a"),
              "in f: in for i > allocate a > allocate b: the slot is in use");
    EXPECT_EQ(in_loop("allocate a: int32[n] in heap slot 0; free a; allocate b: int32[n] in heap slot 0; free b"), "");
    EXPECT_EQ(in_loop("allocate a: int32[n] in heap; a[0] = 1; free a"),
              "in f: in for i > allocate a: memory has a slot if it is on the heap and allocated in a loop");
    EXPECT_EQ(in_loop("allocate a: int32[4] in stack slot 0; a[0] = 1; free a"),
              "in f: in for i > allocate a: memory has a slot if it is on the heap and allocated in a loop");
}

TEST(Verify, Modules) {
    EXPECT_EQ(violation_with("f.0(b", "f.0(b"), "");
    verify(parse_module(good_module));
    const std::string loop = "in f: in allocate m > for y", launch = loop + " > launch f.0: ";
    EXPECT_EQ(violation_with("launch f.0(b:handle, m:handle, n, table:handle)", "b[y] = 1:uint8"),
              loop + ": the body of a loop of tasks is a launch");
    EXPECT_EQ(violation_with("launch f.0", "launch f.4"),
              "in f: in allocate m > for y > launch f.4: the module has no such task");
    EXPECT_EQ(violation_with("n, table:handle", "table:handle"), launch + "the task has 4 arguments");
    EXPECT_EQ(violation_with("m:handle, n", "b:handle, n"), launch + "'m' is another buffer in the task");
    EXPECT_EQ(violation_with("n, table:handle", "cast<int64>(n), table:handle"), launch + "'n' is of type int32");
    EXPECT_EQ(violation_with(" of y", ""), launch + "the task of a loop has an index");
    EXPECT_EQ(violation_with("launch f.2(b, m, n, y)", "launch f.0(b, m, n, table:handle)"),
              "in f.0: in launch f.0: the task does not come after the function that launches it");
    EXPECT_EQ(violation_with("4) { b", "4) of z { b"),
              "in f: in allocate m > let v > launch f.1: a task has an index, but no loop runs it");
    EXPECT_EQ(violation_with("b[y + n]", "b[y]"), "in f.2: 'n' is in the closure, but not used");
    EXPECT_EQ(violation_with("m[0] = table[y]", "m[k] = table[y]"),
              "in f.0: in consume elsewhere > store m > index: 'k' is not bound here: k");
    EXPECT_EQ(violation_with("launch f.2(b, m, n, y)", "launch f.2(b, m, n, y)  free m"),
              "in f.0: in free m: a loop or branch stands between the allocation and its end");
    EXPECT_EQ(violation_with("      launch f.1(b, v:uint8x4)", "      atomic b { launch f.1(b, v:uint8x4) }"),
              "in f: in allocate m > let v > atomic b > launch f.1: tasks do not begin in an atomic");
    EXPECT_EQ(violation_with("task f.1", "func f.1"),
              "in f: in allocate m > let v > launch f.1: the module has no such task");
    EXPECT_EQ(violation_with(" in heap", ""), "in f: in allocate m: where the memory is, is not decided");
    EXPECT_EQ(violation_with(" in heap", " in stack"),
              "in f: in allocate m: the size of a block on the stack is a constant");
    EXPECT_EQ(violation_with(" in heap", " in heap slot 0"),
              "in f: in allocate m: memory has a slot if it is on the heap and allocated in a loop");
    EXPECT_EQ(violation_with("free m\n", "\n"), "in f: in allocate m: the allocation has no free");
    EXPECT_EQ(violation_with("task f.2", "task f.1"), "in f.0: in launch f.2: the module has no such task");
    EXPECT_EQ(find_violation(LoweredModule{}).value_or(""), "the module has no function");
    EXPECT_EQ(find_violation(parse_module("task f() { evaluate 1 }")).value_or(""),
              "in f: the first function of a module is its entry, and no other");
    EXPECT_EQ(find_violation(parse_module("func f() { evaluate 1 } task g() { evaluate 1 } task g() { evaluate 1 }"))
                  .value_or(""),
              "in g: two functions have the name");
    EXPECT_EQ(violation("launch f.1(out:handle)", Phase::Flat), "in launch f.1: launch does not occur in phase flat");
}

// ---- Graphs.

const char *const good_graph = R"(graph {
  inputs in@{i0}: uint8[2]
  param gain: float32
  func f@{f0}(f.x@{f0 d0}, f.y@{f0 d1}): float32 {
    f(f.x, f.y) = cast<float32>(in(f.x, f.y + in->min[1])) * gain
    update over r@{f0 s1 d0} in [0, +10): f(r, f.y) = f(r - 1, f.y) + 1.0 where r < 5
  }
  func g@{f1}(g.x@{f1 d0}): float32 {
    g(g.x) = f(g.x, (let t:int32 = g.x in t * t))
  }
  requires require(gain < 2.0, 1, "gain < 2", "too bright")
  output g
})";

/// The violation after replacing a piece of the good graph.
std::string graph_violation(const std::string &piece = "", const std::string &replacement = "") {
    std::string text = good_graph;
    const size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    text.replace(at, piece.size(), replacement);
    ParseOptions loose;
    loose.check_types = false;
    try {
        return find_violation(parse_graph(text, loose)).value_or("");
    } catch (const Error &error) {
        return error.what();
    }
}

TEST(VerifyGraph, GoodGraph) {
    EXPECT_EQ(graph_violation(), "");
    verify_graph(parse_graph(good_graph));
}

TEST(VerifyGraph, Violations) {
    EXPECT_EQ(graph_violation("f.y + in->min[1]", "f.y + in->min[2]"),
              "func f: stage 0: the input has 2 dimensions: in@{i0}->min[2]");
    EXPECT_EQ(graph_violation("{f0}(", "{f3}("), "func f: the owner is not the position in the graph");
    EXPECT_EQ(graph_violation("in@{i0}", "in@{i1}"), "inputs: an input's owner is not its position");
    EXPECT_EQ(graph_violation("param gain: float32", "param gain: float32 param gain: float32"),
              "parameters: two symbols have the name 'gain'");
    EXPECT_EQ(graph_violation("output g", ""), "outputs: there are none");
    EXPECT_EQ(graph_violation("f(f.x, f.y) =", "f(f.y, f.x) ="),
              "func f: stage 0: argument 0 of a pure definition is not its Var");
    EXPECT_EQ(graph_violation("f(r - 1, f.y) + 1.0", "f(r - 1, f.y - 1) + 1.0"),
              "func f: stage 1: the func reads itself elsewhere in its pure Var 'f.y': f@{f0}(r@rvar{f0 s1 d0} - 1, "
              "f.y@{f0 d1} - 1):float32");
    EXPECT_EQ(graph_violation("f(r, f.y) =", "f(f.y, r) ="),
              "func f: stage 1: the pure Var 'f.y' stands at position 0, which is not its own");
    EXPECT_EQ(graph_violation("f(r - 1, f.y) + 1.0", "f(f.x, f.y) + 1.0"),
              "func f: stage 1: the Var is no argument of this stage: f.x@{f0 d0}");
    EXPECT_EQ(graph_violation("* gain", "* f(0, 0)"),
              "func f: stage 0: a func calls only funcs before it, and itself in updates: f@{f0}(0, 0):float32");
    EXPECT_EQ(
        graph_violation("* gain", "* 1"),
        "func f: stage 0: '*': the operands differ in type: cast<float32>(in@buffer{i0}(f.x@{f0 d0}, f.y@{f0 d1} + "
        "in->min[1]):uint8) * 1");
    EXPECT_EQ(graph_violation("in t * t", "in t * s@let"), "func g: stage 0: 's' is not bound");
    EXPECT_EQ(graph_violation("): float32 {\n    g", "): float64 {\n    g"),
              "func g: stage 0: value 0 is float32, not float64");
    EXPECT_EQ(graph_violation("requires require(gain < 2.0, 1, \"gain < 2\", \"too bright\")", "requires gain < 2.0"),
              "requirements: a requirement is no require node");
}

} // namespace
} // namespace fluorite::ir::verify_test
