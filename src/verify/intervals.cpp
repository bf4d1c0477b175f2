#include "verify/convert.h"

namespace fluorite::verify {

Index smaller_of(const Index &a, const Index &b, const Facts &facts) {
    if (a == b || find_witness(facts, le(a, b))) {
        return a;
    }
    return find_witness(facts, le(b, a)) ? b : min(a, b);
}
Index greater_of(const Index &a, const Index &b, const Facts &facts) {
    if (a == b || find_witness(facts, le(a, b))) {
        return b;
    }
    return find_witness(facts, le(b, a)) ? a : max(a, b);
}

static std::optional<Interval> product(const Interval &a, int64_t factor) {
    Index low = simplified(a.low * Index(factor)), high = simplified(a.high * Index(factor));
    return factor >= 0 ? Interval{low, high} : Interval{high, low};
}

std::optional<Interval> interval_of(const Index &index, const std::map<std::string, Interval> &env,
                                    const Facts &facts) {
    using Kind = Index::Kind;
    if (index.is_leaf()) {
        auto found = index.kind() == Kind::Name ? env.find(index.name()) : env.end();
        return found == env.end() ? Interval{index, index} : found->second;
    }
    // What does not depend on the names is its own bound; so are sums in which names cancel.
    Index sum = simplified(index);
    bool depends = false;
    for (const auto &[name, interval] : env) {
        depends = depends || occurs(name, sum);
    }
    if (!depends) {
        return Interval{sum, sum};
    }
    std::optional<Interval> a = interval_of(index.a(), env, facts), b = interval_of(index.b(), env, facts);
    if (!a || !b) {
        return std::nullopt;
    }
    switch (index.kind()) {
    case Kind::Add:
        return Interval{simplified(a->low + b->low), simplified(a->high + b->high)};
    case Kind::Sub:
        return Interval{simplified(a->low - b->high), simplified(a->high - b->low)};
    case Kind::Mul:
        if (index.b().is_number()) {
            return product(*a, index.b().value());
        }
        return index.a().is_number() ? product(*b, index.a().value()) : std::nullopt;
    case Kind::Div:
        if (!index.b().is_number() || index.b().value() <= 0) {
            return std::nullopt;
        }
        return Interval{simplified(a->low / index.b()), simplified(a->high / index.b())};
    case Kind::Mod:
        if (!index.b().is_number() || index.b().value() <= 0) {
            return std::nullopt;
        }
        return Interval{0, index.b().value() - 1};
    case Kind::Min:
        return Interval{smaller_of(a->low, b->low, facts), smaller_of(a->high, b->high, facts)};
    case Kind::Max:
        return Interval{greater_of(a->low, b->low, facts), greater_of(a->high, b->high, facts)};
    default:
        return std::nullopt;
    }
}

} // namespace fluorite::verify
