// Ends of intervals that are bound to symbols at the sites from which they are seen.
//
// Through a chain of Funcs of which each is computed in the loops of the next, an end that is seen from outside of all
// loops is in terms of the end of the next Func, seen from there, and so on. A boundary condition for each Func adds
// nodes that no later one removes, so whole values grow with the length of the chain:
//   g.y.min seen from root:  max(min(max(min(max(min(h.y.min, w), 0) - 1, w), 0) - 1, w), 0)
// An end of more nodes than `longest_end` therefore gets a symbol at the site from which it is seen, as regions do:
//   let h.y.min.lifted_min.<hash> = max(min(h.y.min, w), 0) - 1
//   g.y.min seen from root:  max(min(h.y.min.lifted_min.<hash>, w), 0)
// If the extent of the interval is short, the maximum is in terms of the symbol of the minimum, so that they cancel.
//
// The name of a symbol ends with a hash of its value and site: inference for several schedules of a pipeline shares
// results (region_memo.h), in which a symbol must not have two meanings.
// Cost: linear in the nodes of the ends.

#include "loopnest/regions/lifted_ends.h"

#include "rewrite/simplify.h"
#include "support/check.h"
#include "support/numeric.h"

#include <charconv>
#include <string>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Interval;
using rewrite::simplify;

namespace {

/// The greatest number of nodes of an end that is not bound to a symbol. Chosen, not measured.
constexpr size_t longest_end = 64;
/// The same for an extent that connects the ends of an interval.
constexpr size_t longest_extent = 8;

bool is_long(const Expr &end) {
    return end.defined() && end.type() == Int(32) && !end->reads_memory() && has_more_nodes(end, longest_end);
}

/// Of a value at a site, in hexadecimal digits.
std::string hash_text(const Expr &value, const Site &site) {
    uint64_t hash = value->hash();
    for (const int32_t part : {site.stage.func.value, site.stage.stage, site.loop.value}) {
        hash = combine_hash(hash, static_cast<uint64_t>(part));
    }
    char digits[16];
    constexpr int base = 16;
    return std::string(digits, std::to_chars(digits, digits + sizeof(digits), hash, base).ptr);
}

} // namespace

SharedEnd LiftedEnds::find(const Symbol &symbol) const {
    const auto found = ends_.find(symbol);
    return found == ends_.end() ? nullptr : found->second;
}

std::vector<SharedEnd> LiftedEnds::named_in(const Expr &expr) const {
    std::vector<SharedEnd> found;
    if (ends_.empty() || !expr.defined()) {
        return found;
    }
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Variable && node->symbol().kind() == SymbolKind::Bound) {
            if (SharedEnd end = find(node->symbol())) {
                found.push_back(std::move(end));
            }
        }
    });
    return found;
}

void LiftedEnds::adopt(const SharedEnd &end) {
    if (ends_.emplace(end->symbol, end).second) {
        for (const SharedEnd &used : end->uses) {
            adopt(used);
        }
    }
}

Interval LiftedEnds::bind(const Symbol &symbol, const Site &site, const Interval &interval) {
    Interval bound = interval;
    if (is_long(interval.min)) {
        bound.min = bind_end(symbol, site, Side::Min, interval.min);
    }
    if (!is_long(interval.max)) {
        return bound;
    }
    if (interval.max.same_as(interval.min)) {
        return Interval::point(bound.min);
    }
    const Expr extent = is_long(interval.min) ? simplify(sub(interval.max, interval.min)) : Expr();
    bound.max = extent.defined() && !has_more_nodes(extent, longest_extent)
                    ? simplify(add(bound.min, extent))
                    : bind_end(symbol, site, Side::Max, interval.max);
    return bound;
}

Expr LiftedEnds::bind_end(const Symbol &lifted, const Site &site, Side side, const Expr &value) {
    const SharedEnd inner = find(lifted);
    const std::string &origin = inner ? inner->origin : lifted.name();
    SymbolOwner owner;
    owner.func = lifted.owner().func, owner.side = side;
    const char *what = side == Side::Min ? ".lifted_min." : ".lifted_max.";
    const Symbol symbol(SymbolKind::Bound, concat(origin, what, hash_text(value, site)), owner);
    SharedEnd &end = ends_[symbol];
    if (!end) {
        end = std::make_shared<const LiftedEnd>(
            LiftedEnd{symbol, RegionValue{value, Expr(), site}, origin, named_in(value)});
    }
    check(end->known.site == site && equal(end->known.value, value), "a lifted end has one value");
    return make_var(Int(32), symbol);
}

} // namespace fluorite::loopnest
