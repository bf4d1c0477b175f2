#pragma once
// Results that are kept between runs: what Func::memoize() takes, and the cache that all pipelines of the process
// share. docs/directives/memoize.md says what is a key, and when a result is used again.

#include "fluorite/require_cxx20.h"

#include "fluorite/located.h"

#include <concepts>
#include <cstdint>
#include <vector>

namespace fluorite {

/// A number by which entries of a memoized Func are found to be evicted: an integer or handle Expr of scalar Params.
class EvictionKey {
  public:
    explicit EvictionKey(const Expr &key = Expr()) : key_(key) {}
    const Expr &key() const { return key_; }

  private:
    Expr key_;
};

namespace detail {
Expr memoize_tag(const LocatedExpr &value, const std::vector<Expr> &keys);
} // namespace detail

/// The value. In a memoized Func its key holds the value itself in place of what the value is computed from.
inline Expr memoize_tag(const LocatedExpr &value) { return detail::memoize_tag(value, {}); }
/// As above, with `keys` in the value's place. The caller answers for it that equal keys mean equal values.
template <typename... Keys>
    requires(sizeof...(Keys) > 0 && (std::convertible_to<const Keys &, LocatedExpr> && ...))
Expr memoize_tag(const LocatedExpr &value, const Keys &...keys) {
    return detail::memoize_tag(value, {LocatedExpr(keys).expr...});
}

/// What the runtime of pipelines that are compiled in memory shares.
class JITSharedRuntime {
  public:
    /// The bytes that results kept by memoize() may take; those in use do not count. 0: the default, 1 MiB.
    static void memoization_cache_set_size(int64_t bytes);
    /// Drops the results of all Funcs memoized with this EvictionKey.
    static void memoization_cache_evict(uint64_t eviction_key);
    /// Drops all kept results.
    static void release_all();
    /// Threads that run a parallel loop, the caller included; set_num_threads(0) is the default, and gives the old
    /// number.
    static int get_num_threads();
    static int set_num_threads(int count);
};

} // namespace fluorite
