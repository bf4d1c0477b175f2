#include "builder.h"

#include "ir/expr_traits.h"
#include "lowering/loops/closure.h"
#include "support/check.h"

namespace fluorite::cuda_bits {

using namespace ir;

uint64_t Random::next() { // splitmix64
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

const std::vector<Type> &all_types() {
    static const std::vector<Type> types = {Int(8),   Int(16), Int(32),   Int(64),    UInt(8),   UInt(16), UInt(32),
                                            UInt(64), Bool(),  Float(16), BFloat(16), Float(32), Float(64)};
    return types;
}

Symbol input_of(Type type) {
    static std::map<std::string, Symbol> symbols;
    const std::string name = concat("in_", type.element_of());
    const auto found = symbols.find(name);
    return found != symbols.end() ? found->second
                                  : symbols.emplace(name, Symbol(SymbolKind::Buffer, name)).first->second;
}

Symbol new_out() {
    static int made = 0;
    return Symbol(SymbolKind::Buffer, concat("out", made++));
}

Builder::Builder(int lanes)
    : lanes_(lanes), block_index_(SymbolKind::Loop, "block"), thread_index_(SymbolKind::Loop, "thread"),
      block_(make_var(Int(32), block_index_)), thread_(make_var(Int(32), thread_index_)) {}

Expr Builder::first() const { return mul(add(mul(block_, int32(block_threads)), thread_), int32(lanes_)); }

Expr Builder::own() const { return lanes_ == 1 ? first() : make_ramp(first(), int32(1), lanes_); }

Expr Builder::operand(Type type, int k) const {
    const Expr at = add(first(), int32(k * elements));
    return make_load(type.with_lanes(lanes_), input_of(type), lanes_ == 1 ? at : make_ramp(at, int32(1), lanes_));
}

Case Builder::finish(const std::string &name, Type type, const Symbol &out, const Stmt &body) const {
    const int in_block = block_threads * lanes_;
    Case result{name, type.element_of(), out, body, {block_index_}, {thread_index_}, {}, {block_threads}, {}};
    result.grid = {elements / in_block};
    return result;
}

Case Builder::finish(const std::string &name, const Expr &value) const {
    const Symbol out = new_out();
    return finish(concat(name, " x", lanes_), value.type(), out,
                  Store::make(out, value, own(), make_bool(true, lanes_)));
}

LoweredModule module_of(const std::vector<Case> &cases) {
    LoweredModule module;
    LoweredFunc entry;
    entry.name = "bits";
    SymbolMap<LoweredArg> inputs;
    for (const Type &type : all_types()) {
        entry.args.push_back({LoweredArg::Kind::InputBuffer, input_of(type), type, 1});
        inputs[input_of(type)] = entry.args.back();
    }
    std::vector<Stmt> launches;
    std::vector<LoweredFunc> kernels;
    for (const Case &each : cases) {
        entry.args.push_back({LoweredArg::Kind::OutputBuffer, each.out, each.type, 1});
        SymbolMap<LoweredArg> buffers = inputs;
        buffers[each.out] = entry.args.back();
        LoweredFunc kernel;
        kernel.kind = LoweredFunc::Kind::Kernel;
        kernel.name = concat("bits.kernel.", kernels.size());
        kernel.body = each.body;
        kernel.blocks = each.blocks;
        kernel.threads = each.threads;
        std::vector<Symbol> indices = each.blocks;
        indices.insert(indices.end(), each.threads.begin(), each.threads.end());
        kernel.args = lowering::closure_of(each.body, indices, buffers);
        std::vector<Expr> given = lowering::values_of(kernel.args);
        for (size_t i = 0; i < kernel.args.size(); i++) {
            const auto scalar = each.scalars.find(kernel.args[i].symbol.name());
            given[i] = scalar != each.scalars.end() ? scalar->second : given[i];
        }
        std::vector<Expr> threads;
        for (const int32_t count : each.block) {
            threads.push_back(int32(count));
        }
        Stmt launch = Launch::make(kernel.name, std::move(given), std::move(threads));
        for (size_t axis = 0; axis < each.blocks.size(); axis++) {
            launch = For::make(each.blocks[axis], int32(0), int32(each.grid[axis]), ForKind::GPUBlock, launch);
        }
        launches.push_back(launch);
        kernels.push_back(std::move(kernel));
    }
    entry.body = Block::make(std::move(launches));
    module.funcs.push_back(std::move(entry));
    for (LoweredFunc &kernel : kernels) {
        module.funcs.push_back(std::move(kernel));
    }
    return module;
}

} // namespace fluorite::cuda_bits
