#include "verify/from_graph/convert.h"

#include <algorithm>
#include <utility>

namespace fluorite::verify {

Index smaller_of(const Index &a, const Index &b, const Facts &facts) {
    if (a == b || follows_easily(facts, le(a, b))) {
        return a;
    }
    return follows_easily(facts, le(b, a)) ? b : min(a, b);
}
Index greater_of(const Index &a, const Index &b, const Facts &facts) {
    if (a == b || follows_easily(facts, le(a, b))) {
        return b;
    }
    return follows_easily(facts, le(b, a)) ? a : max(a, b);
}

namespace {

// An end that is missing is infinitely far.
struct Ends {
    std::optional<Index> low, high;
};

template <typename Combine>
std::optional<Index> combined(const std::optional<Index> &a, const std::optional<Index> &b, const Combine &combine) {
    return a && b ? std::optional(combine(*a, *b)) : std::nullopt;
}
std::optional<Index> sum(const std::optional<Index> &a, const std::optional<Index> &b) {
    return combined(a, b, [](const Index &x, const Index &y) { return simplified(x + y); });
}
std::optional<Index> difference(const std::optional<Index> &a, const std::optional<Index> &b) {
    return combined(a, b, [](const Index &x, const Index &y) { return simplified(x - y); });
}
std::optional<Index> quotient(const std::optional<Index> &a, const Index &divisor) {
    return a ? std::optional(simplified(*a / divisor)) : std::nullopt;
}
Ends product(const Ends &a, int64_t factor) {
    auto times = [&](const std::optional<Index> &end) {
        return end ? std::optional(simplified(*end * Index(factor))) : std::nullopt;
    };
    Ends result{times(a.low), times(a.high)};
    if (factor < 0) {
        std::swap(result.low, result.high);
    }
    return result;
}
// The end that is there if only one is, which is right for the high end of a minimum and the low one of a maximum.
template <typename Combine>
std::optional<Index> either(const std::optional<Index> &a, const std::optional<Index> &b, const Combine &combine) {
    return a && b ? std::optional(combine(*a, *b)) : a ? a : b;
}

std::optional<Ends> ends_of(const Index &index, const std::map<std::string, Interval> &env, const Facts &facts) {
    using Kind = Index::Kind;
    if (index.is_leaf()) {
        auto found = index.kind() == Kind::Name ? env.find(index.name()) : env.end();
        if (found == env.end()) {
            return Ends{index, index};
        }
        return found->second.is_bounded ? Ends{found->second.low, found->second.high} : Ends{};
    }
    // What does not depend on the names is its own bound; so are sums in which names cancel.
    const Index total = simplified(index);
    if (std::ranges::none_of(env, [&](const auto &entry) { return occurs(entry.first, total); })) {
        return Ends{total, total};
    }
    std::optional<Ends> a = ends_of(index.a(), env, facts), b = ends_of(index.b(), env, facts);
    if (!a || !b) {
        return std::nullopt;
    }
    const bool divides = index.b().is_number() && index.b().value() > 0;
    auto smaller = [&](const Index &x, const Index &y) { return smaller_of(x, y, facts); };
    auto greater = [&](const Index &x, const Index &y) { return greater_of(x, y, facts); };
    switch (index.kind()) {
    case Kind::Add:
        return Ends{sum(a->low, b->low), sum(a->high, b->high)};
    case Kind::Sub:
        return Ends{difference(a->low, b->high), difference(a->high, b->low)};
    case Kind::Mul:
        if (index.b().is_number()) {
            return product(*a, index.b().value());
        }
        return index.a().is_number() ? std::optional(product(*b, index.a().value())) : std::nullopt;
    case Kind::Div:
        return divides ? std::optional(Ends{quotient(a->low, index.b()), quotient(a->high, index.b())}) : std::nullopt;
    case Kind::Mod:
        return divides ? std::optional(Ends{Index(0), Index(index.b().value() - 1)}) : std::nullopt;
    case Kind::Min:
        return Ends{combined(a->low, b->low, smaller), either(a->high, b->high, smaller)};
    case Kind::Max:
        return Ends{either(a->low, b->low, greater), combined(a->high, b->high, greater)};
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<Interval> interval_of(const Index &index, const std::map<std::string, Interval> &env,
                                    const Facts &facts) {
    const std::optional<Ends> ends = ends_of(index, env, facts);
    return ends && ends->low && ends->high ? std::optional(Interval{*ends->low, *ends->high}) : std::nullopt;
}

} // namespace fluorite::verify
