#pragma once
// The text form of expressions, statements, functions and graphs. ir/parse.h reads it back: parse(print(x)) == x.
//
//   expressions    3   3:uint8   1.5:float32   true   "text\n"      typed literals; a bare integer is int32
//                  x   x:float32                                 a variable; int32 unless said
//                  a + b * c   !a   ~a   min(a, b)   select(c, a, b)   sqrt(a)   cast<uint8>(a)
//                  ramp(i, 1, 8)   broadcast(a, 8)   shuffle<0, 2, 4>(a, b)   vector_reduce<add>(a, 2)
//                  (let t:int32 = a in t * t)
//                  f(x, y)   f(x, y).1                           value 0 and 1 of a Func, or a pixel of a buffer
//                  b[i]   b[i where mask]                        a load
//                  in->extent[0]                                 a field of a buffer
//                  extern fluorite_error(a):int32   random(a):uint32   undef:int32   require(c, v, "x < 3", "why")
//   statements     let t:int32 = a                               t stands to the end of the enclosing braces
//                  allocate b: uint8[n, m] in stack              likewise
//                  for x in [min, +extent) { ... }               also parallel, vectorized, unrolled for
//                  realize f: uint8 over [0, +n), [0, +m) { ... }
//                  produce f { ... }   consume f { ... }   atomic f { ... }   if c { ... } else { ... }
//                  f(x, y) = a   f(x, y) = {a, b} stage 1 where c
//                  b[i] = a   b[i] = a where mask   assert c else e   evaluate e   prefetch f over [0, +n)
//                  launch f.task(a, b:handle)
//   functions      func f(a: scalar int32, in: input uint8[2], out: output uint8[2]) { ... }
//                  task f.task(a: scalar int32, b: allocation uint8) of x { ... }     launched by a loop over x
//                  constant b: input uint8[1]   streams b                             in a module, before its functions
//
// Any primary may carry `:type` where its type differs from what the operands determine. The first occurrence of a
// symbol carries what its position does not imply: `x@loop{f0 s1 d2}` is a loop of dimension 2 of stage 1 of Func 0.
// Names that are not plain words, or are keywords, are in single quotes. Comments run from // to the end of the line.
//
// Shared subexpressions are printed repeatedly. A budget of nodes bounds the text of a heavily shared graph: what
// exceeds it is printed as `...`, which does not parse. The user's objects behind symbols are not printed.

#include "ir/graph.h"
#include "ir/lowered.h"

#include <iosfwd>
#include <string>

namespace fluorite::ir {

struct PrintOptions {
    size_t max_nodes = 400'000; // expressions and statements together, per text
    int max_depth = 1'000;      // nested expressions; a chain like a + b + c does not nest
};

std::string to_text(const Expr &expr, const PrintOptions &options = {});
std::string to_text(const Stmt &stmt, const PrintOptions &options = {});
std::string to_text(const LoweredFunc &func, const PrintOptions &options = {});
std::string to_text(const LoweredModule &module, const PrintOptions &options = {});
std::string to_text(const Graph &graph, const PrintOptions &options = {});
/// The name as the text form writes it: quoted where necessary.
std::string quoted_name(const std::string &name);
/// A text in double quotes, with escapes.
std::string quoted_text(const std::string &text);

std::ostream &operator<<(std::ostream &stream, const LoweredFunc &func);
std::ostream &operator<<(std::ostream &stream, const LoweredModule &module);

} // namespace fluorite::ir
