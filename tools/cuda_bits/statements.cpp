// Accesses, memory and control: strided, reversed, gathered and scattered lanes, masks, shared and private memory,
// barriers, loops, branches, reductions and shuffles of lanes, scalars as parameters, grids of three dimensions.

#include "builder.h"
#include "ir/expr_traits.h"
#include "ir/let_symbol.h"
#include "ir/text_names.h"
#include "support/check.h"

#include <functional>
#include <numeric>

namespace fluorite::cuda_bits {

using namespace ir;

namespace {

const std::vector<Type> &some_types() {
    static const std::vector<Type> types = {UInt(8), Int(16),   Int(32),   UInt(64),
                                            Bool(),  Float(16), Float(32), Float(64)};
    return types;
}

Symbol buffer_named(const std::string &name) { return Symbol(SymbolKind::Buffer, name); }
Expr always(const Expr &value) { return make_bool(true, value.type().lanes()); }
Stmt stored(const Symbol &buffer, const Expr &value, const Expr &index) {
    return Store::make(buffer, value, index, always(value));
}
Stmt serial(const Symbol &var, const Expr &extent, const Stmt &body) {
    return For::make(var, int32(0), extent, ForKind::Serial, body);
}
Expr sum_of(const Expr &a, const Expr &b) {
    return a.type().is_bool() ? make_binary(ExprKind::Or, a, b) : make_binary(ExprKind::Add, a, b);
}

class Statements {
  public:
    std::vector<Case> made;

    void accesses(Type type, int lanes) {
        const Builder b(lanes);
        const auto at = [&](const Expr &base, int stride) { return make_ramp(base, int32(stride), lanes); };
        const auto load = [&](const Expr &index) { return make_load(type.with_lanes(lanes), input_of(type), index); };
        for (const int stride : {-3, -1, 0, 2, 3, 5}) {
            const Expr base = stride < 0 ? add(b.first(), int32(-stride * lanes)) : b.first();
            add_value(b, concat("load by ", stride, " ", type), load(at(base, stride)));
        }
        const Expr moved = make_load(Int(32), input_of(Int(32)), b.thread());
        const Expr variable = make_binary(ExprKind::Mod, moved, int32(9));
        add_value(b, concat("load by a variable ", type), load(make_ramp(b.first(), variable, lanes)));
        const Expr data = make_binary(ExprKind::Mod, b.operand(Int(32), 0), make_const(Int(32, lanes), input_elements));
        add_value(b, concat("gather ", type), load(data));
        const Expr on = less(make_ramp(b.thread(), int32(1), lanes), make_const(Int(32, lanes), 17));
        const Expr bits = b.operand(Bool(), 1);
        for (const Expr &mask : {on, bits}) {
            const std::string which = mask.get() == on.get() ? "prefix " : "data ";
            add_value(b, concat("load where ", which, type),
                      make_load(type.with_lanes(lanes), input_of(type), at(b.first(), 1), mask));
            add_value(b, concat("gather where ", which, type),
                      make_load(type.with_lanes(lanes), input_of(type), data, mask));
            add_value(b, concat("strided where ", which, type),
                      make_load(type.with_lanes(lanes), input_of(type), at(b.first(), 3), mask));
            const Symbol out = new_out();
            made.push_back(b.finish(concat("store where ", which, type, " x", lanes), type, out,
                                    Store::make(out, b.operand(type, 0), b.own(), mask)));
        }
        const Symbol out = new_out();
        const Expr reversed = sub(make_const(Int(32, lanes), elements - 1), b.own());
        made.push_back(b.finish(concat("store reversed ", type, " x", lanes), type, out,
                                stored(out, b.operand(type, 0), reversed)));
        const Symbol spread = new_out();
        const Expr index = make_binary(ExprKind::Mod, mul(b.own(), make_const(Int(32, lanes), 77)),
                                       make_const(Int(32, lanes), elements));
        made.push_back(
            b.finish(concat("scatter ", type, " x", lanes), type, spread, stored(spread, b.operand(type, 0), index)));
        const Symbol masked = new_out();
        made.push_back(b.finish(concat("scatter where ", type, " x", lanes), type, masked,
                                Store::make(masked, b.operand(type, 0), index, bits)));
        const Symbol unaligned = new_out();
        const Expr shifted = make_binary(ExprKind::Mod, add(b.first(), int32(1)), int32(elements - 16));
        made.push_back(b.finish(concat("store unaligned ", type, " x", lanes), type, unaligned,
                                IfThenElse::make(less(b.first(), int32(elements - 16)),
                                                 stored(unaligned, b.operand(type, 0), at(shifted, 1)))));
    }

    /// Memory of a thread, whose lanes are stored at once and loaded one by one.
    void private_lanes(Type type, int lanes) {
        const Builder b(1);
        const Symbol out = new_out(), own = buffer_named("own");
        const Expr all = make_ramp(int32(0), int32(1), lanes),
                   one = make_binary(ExprKind::Mod, b.first(), int32(lanes));
        const Expr stored_lanes =
            make_load(type.with_lanes(lanes), input_of(type), make_ramp(b.first(), int32(1), lanes));
        made.push_back(b.finish(concat("private ", type, " x", lanes), type, out,
                                Allocate::make(own, type, MemoryType::Stack, {int32(lanes)},
                                               Block::make({stored(own, stored_lanes, all),
                                                            stored(out, make_load(type, own, one), b.own())}))));
    }

    void lanes_of(Type type) {
        const Builder b(4);
        for (int op = 0; op <= static_cast<int>(ReduceOp::BitXor); op++) {
            const auto reduction = static_cast<ReduceOp>(op);
            const bool is_logic = reduction == ReduceOp::And || reduction == ReduceOp::Or;
            const bool is_bits = reduction >= ReduceOp::BitAnd;
            if (is_logic != type.is_bool() || (is_bits && type.is_float()) ||
                (reduction == ReduceOp::SaturatingAdd && !type.is_int_or_uint())) {
                continue;
            }
            for (const int lanes : {3, 4, 8}) {
                const Expr all =
                    make_load(type.with_lanes(4 * lanes), input_of(type), make_ramp(b.first(), int32(1), 4 * lanes));
                add_value(b, concat("reduce ", op, " of ", lanes, " ", type), make_vector_reduce(reduction, all, 4));
            }
        }
        const Expr two[] = {b.operand(type, 0), b.operand(type, 1)};
        add_value(b, concat("interleave ", type), make_shuffle(two, {0, 4, 1, 5}));
        add_value(b, concat("shuffle ", type), make_shuffle(two, {7, 0, 0, 3}));
        const Expr four[] = {b.operand(type, 0), b.operand(type, 1), b.operand(type, 2), b.operand(type, 3)};
        Indices transposed(16);
        for (int i = 0; i < 16; i++) {
            transposed[static_cast<size_t>(i)] = i % 4 * 4 + i / 4;
        }
        const Expr whole = make_shuffle(four, transposed);
        const Expr one[] = {whole};
        add_value(b, concat("transpose ", type), make_shuffle(one, {4, 5, 6, 7}));
        add_value(b, concat("broadcast ", type), make_broadcast(make_load(type, input_of(type), b.first()), 4));
        if (!type.is_bool()) {
            const Expr base = make_load(type, input_of(type), b.first()),
                       step = make_load(type, input_of(type), b.thread());
            add_value(b, concat("ramp ", type), make_ramp(base, step, 4));
        }
    }

    /// Each thread stores to shared memory and reads what another one stored, several times.
    void shared(Type type) {
        const Builder b(1);
        const Symbol out = new_out(), tile = buffer_named("tile"), other = buffer_named("other"),
                     i(SymbolKind::Loop, "i");
        const Expr round = make_var(Int(32), i), last = int32(block_threads - 1);
        const Expr theirs = make_load(
            type, tile, make_binary(ExprKind::Mod, add(b.thread(), add(round, int32(1))), int32(block_threads)));
        const Stmt body = Block::make(
            {stored(tile, b.operand(type, 0), b.thread()),
             serial(i, int32(3),
                    Block::make(
                        {Barrier::make(), stored(other, theirs, sub(last, b.thread())), Barrier::make(),
                         stored(tile, sum_of(make_load(type, other, b.thread()), b.operand(type, 1)), b.thread())})),
             Barrier::make(), stored(out, make_load(type, tile, sub(last, b.thread())), b.own())});
        const auto allocate = [&](const Symbol &buffer, const Stmt &inner) {
            return Allocate::make(buffer, type, MemoryType::GPUShared, {int32(block_threads)}, inner);
        };
        made.push_back(b.finish(concat("shared ", type), type, out, allocate(tile, allocate(other, body))));
    }

    /// Memory of a thread, indexed by constants and by data.
    void private_memory(Type type) {
        const Builder b(1);
        const Symbol out = new_out(), own = buffer_named("own"), i(SymbolKind::Loop, "i");
        const Expr k = make_var(Int(32), i);
        const Expr read = make_load(type, input_of(type), add(b.first(), mul(k, int32(7))));
        const Expr picked = make_load(type, own, make_binary(ExprKind::Mod, b.operand(Int(32), 0), int32(8)));
        const Stmt body = Block::make({serial(i, int32(8), stored(own, read, k)),
                                       stored(out, sum_of(picked, make_load(type, own, int32(3))), b.own())});
        made.push_back(b.finish(concat("private ", type), type, out,
                                Allocate::make(own, type, MemoryType::Stack, {int32(8)}, body)));
    }

    void control(Type type) {
        const Builder b(1);
        const Symbol out = new_out(), i(SymbolKind::Loop, "i"), t = let_symbol("t", b.operand(type, 0));
        const Expr k = make_var(Int(32), i);
        const Expr count = make_binary(ExprKind::Mod, b.operand(Int(32), 0), int32(6));
        const Expr next = make_load(type, input_of(type), add(b.first(), k));
        const Stmt loop = serial(i, count, stored(out, sum_of(make_load(type, out, b.own()), next), b.own()));
        const Stmt branch = IfThenElse::make(b.operand(Bool(), 0), loop, stored(out, b.operand(type, 1), b.own()));
        made.push_back(b.finish(concat("loop and branch ", type), type, out,
                                Block::make({stored(out, b.operand(type, 2), b.own()), branch})));
        const Expr bound = make_var(type, t);
        add_value(b, concat("let ", type), make_let(t, b.operand(type, 0), sum_of(bound, bound)));
        const Symbol statement = new_out();
        made.push_back(
            b.finish(concat("let of a statement ", type), type, statement,
                     LetStmt::make(t, b.operand(type, 1), stored(statement, sum_of(bound, bound), b.own()))));
    }

    /// A scalar of the type as parameter; with `more`, so many others, which do not fit into the parameters.
    void scalar(Type type, int more) {
        const Builder b(1);
        const Symbol given(SymbolKind::Param, "given");
        Expr value = sum_of(b.operand(type, 0), make_var(type, given));
        std::map<std::string, Expr> scalars{{"given", make_const(type, type.is_bool() ? 1 : 100)}};
        for (int k = 0; k < more; k++) {
            const Type of = k % 2 == 0 ? UInt(8) : Int(64);
            const Symbol another(SymbolKind::Param, concat("more", k));
            scalars[another.name()] = make_const(of, k % 100);
            value = sum_of(value, make_cast(type, make_var(of, another)));
        }
        const Symbol out = new_out();
        made.push_back(b.finish(concat("scalar ", type, " and ", more), type, out, stored(out, value, b.own())));
        made.back().scalars = std::move(scalars);
    }

    /// A grid and blocks of three dimensions.
    void dimensions() {
        Case made_case;
        const Symbol out = new_out();
        std::vector<Expr> indices;
        for (const char *name : {"bx", "by", "bz", "tx", "ty", "tz"}) {
            const Symbol symbol(SymbolKind::Loop, name);
            (indices.size() < 3 ? made_case.blocks : made_case.threads).push_back(symbol);
            indices.push_back(make_var(Int(32), symbol));
        }
        made_case.grid = {4, 2, 4};
        made_case.block = {8, 2, 2};
        Expr index = indices[5];
        const int32_t extents[] = {8, 2, 2, 4, 2, 4}; // of tx, ty, tz, bx, by, bz
        const size_t order[] = {4, 3, 2, 1, 0};
        const size_t extent_of[] = {1, 0, 5, 4, 3};
        for (size_t k = 0; k < 5; k++) {
            index = add(mul(index, int32(extents[extent_of[k]])), indices[order[k]]);
        }
        made_case.name = "three dimensions";
        made_case.type = Int(32);
        made_case.out = out;
        made_case.body =
            stored(out, add(mul(indices[0], int32(1000)), add(mul(indices[1], int32(100)), indices[3])), index);
        made.push_back(made_case);
    }

  private:
    void add_value(const Builder &b, const std::string &name, const Expr &value) {
        made.push_back(b.finish(name, value));
    }
};

} // namespace

std::vector<Case> statement_cases() {
    Statements cases;
    for (const Type &type : all_types()) {
        cases.shared(type);
        cases.private_memory(type);
        cases.control(type);
        cases.scalar(type, 0);
        cases.lanes_of(type);
    }
    for (const Type &type : some_types()) {
        for (const int lanes : {2, 4, 7, 8}) {
            cases.accesses(type, lanes);
            cases.private_lanes(type, lanes);
        }
    }
    cases.scalar(Int(32), 700);
    cases.dimensions();
    return cases.made;
}

} // namespace fluorite::cuda_bits
