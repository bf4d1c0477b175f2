// Memoized Funcs: code that looks up the cache before it computes.
//
//   produce g { S }
//   -->   produce g { key; if (lookup() == 0) { S  key; store() } }
// where `key` passes the parts of the key to the runtime (fluorite/runtime_memoization.h): the text of the whole loop
// nest with storage orders and the target; the Func; the Params and buffer fields that its values depend on; its region
// and storage; and the memory blocks of its values. The key is passed again before the store, since computing g may
// have passed the key of another memoized Func.
//
// The text is that of the nest without any memoization: equal texts mean equal definitions, schedules and layouts. What
// the values depend on was collected before inlining (loopnest/inline/memoize_key.cpp).
//
// Relies on: storage at the site where the Func is computed (placement.cpp). Cost: linear in the definitions.

#include "lowering/from_nest/memoize.h"

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

const char *const memoization_blocks = "memoization.blocks";

namespace {

Expr bits_of(const Expr &value) {
    const Type type = value.type();
    const Expr bits = type.is_float() ? make_reinterpret(UInt(type.bits()), value) : value;
    return make_cast(UInt(64), bits);
}

Stmt call(const char *name, const std::vector<Expr> &args) { return Evaluate::make(make_extern(Int(32), name, args)); }

Expr uint64(uint64_t value) { return make_uint(UInt(64), value); }

uint64_t hash_of(const std::string &text) {
    uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) {
        hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3U;
    }
    return hash;
}

} // namespace

Stmt memoized(const Stmt &stages, const BoundedLoopNest &nest, FuncId func, const std::string &identity) {
    const Regions &regions = nest.regions;
    std::vector<Stmt> key = {call("fluorite_memoization_begin", {make_string(identity), uint64(hash_of(identity))}),
                             call("fluorite_memoization_key", {uint64(func.index())})};
    std::vector<Expr> parts = nest.graph.memoize_keys.at(func.value);
    const Region &region = regions.func(func).regions.back();
    parts.insert(parts.end(), region.min.begin(), region.min.end());
    parts.insert(parts.end(), region.max.begin(), region.max.end());
    for (const Range &range : regions.func(func).storage) {
        parts.push_back(range.min);
        parts.push_back(range.extent);
    }
    for (const Expr &part : parts) {
        key.push_back(call("fluorite_memoization_key", {bits_of(part)}));
    }
    key.push_back(call(memoization_blocks, {make_int(Int(32), func.value)}));
    const Expr eviction = nest.graph.schedule(func).marks.value(schedule::DirectiveName::memoize);
    const Stmt store = call("fluorite_memoization_store", {make_int(Int(32), eviction.defined() ? 1 : 0),
                                                           eviction.defined() ? bits_of(eviction) : uint64(0)});
    std::vector<Stmt> compute = {stages};
    compute.insert(compute.end(), key.begin(), key.end());
    compute.push_back(store);
    const Expr found = make_extern(Int(32), "fluorite_memoization_lookup", std::vector<Expr>{});
    key.push_back(IfThenElse::make(equals(found, make_zero(Int(32))), Block::make(compute)));
    return Block::make(key);
}

} // namespace fluorite::lowering
