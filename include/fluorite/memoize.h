#pragma once
// Results that are kept between runs: the arguments of Func::memoize(), and the cache that all pipelines of the process
// share. docs/directives/memoize.md defines keys, and when a result is reused.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"

#include <cstdint>
#include <vector>

namespace fluorite {

/// A number by which entries of a memoized Func can be evicted: an integer or handle Expr over scalar Params.
class EvictionKey {
  public:
    /// The key; undefined: entries cannot be evicted by a key.
    explicit EvictionKey(const Expr &key = Expr()) : key_(key) {}
    const Expr &key() const { return key_; }

  private:
    Expr key_;
};

namespace detail {
Expr memoize_tag(const LocatedExpr &value, const std::vector<Expr> &keys);
} // namespace detail

/// The value itself. The key of a memoized Func then contains this value instead of the inputs of its computation.
inline Expr memoize_tag(const LocatedExpr &value) { return detail::memoize_tag(value, {}); }
/// As above, but the key contains `keys` instead of the value. The caller guarantees that equal keys imply equal
/// values.
template <typename... Keys,
          std::enable_if_t<(sizeof...(Keys) > 0 && (std::is_convertible_v<const Keys &, LocatedExpr> && ...)), int> = 0>
Expr memoize_tag(const LocatedExpr &value, const Keys &...keys) {
    return detail::memoize_tag(value, {LocatedExpr(keys).expr...});
}

/// The runtime shared by all pipelines that are compiled in memory.
class JITSharedRuntime {
  public:
    /// Sets the limit, in bytes, of the results kept by memoize(), apart from those in use. 0 or less means the
    /// default, 1 MiB.
    static void memoization_cache_set_size(int64_t bytes);
    /// Drops the results of all Funcs memoized with this EvictionKey.
    static void memoization_cache_evict(uint64_t eviction_key);
    /// Drops all kept results, and what is kept on devices: unused memory, kernels, and contexts that no buffer uses.
    /// They are made anew when they are needed. Precondition: no pipeline is running.
    static void release_all();
    /// Sets whether freed memory of devices is kept for later allocations, as it is unless this is called.
    static void reuse_device_allocations(bool on);
    /// The number of threads that run a parallel loop, the caller included. set_num_threads(0) restores the default;
    /// set_num_threads returns the previous number.
    static int get_num_threads();
    static int set_num_threads(int count, const Location &location = Location::current());
};

} // namespace fluorite
