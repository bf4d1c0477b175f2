#pragma once
// RDom: the domain of a reduction, a box of integer points, optionally restricted by predicates.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"
#include "fluorite/ref.h"
#include "fluorite/var.h"

#include <string>
#include <utility>
#include <vector>

namespace fluorite {

/// An interval of one dimension: min .. min + extent - 1.
struct Range {
    Expr min, extent;
    Range() = default;
    /// Integers, of constants, Params or, in bounds of regions, sizes of buffers.
    Range(const Expr &min, const Expr &extent) : min(min), extent(extent) {}
};
using Region = std::vector<Range>;

/// One dimension of an RDom. An RVar without domain only names a loop that a split of one creates.
class RVar {
  public:
    RVar();
    /// Without domain: the name of a loop that a directive makes of one.
    explicit RVar(const std::string &name) : name_(name) {}
    explicit RVar(const char *name) : name_(name) {}
    RVar(std::nullptr_t) = delete;
    /// Dimension `index` of a domain; RDom makes it.
    RVar(detail::Ref<language::ReductionDomain> domain, int index);

    /// The least value and the number of values; undefined for an RVar without domain.
    Expr min() const;
    Expr extent() const;
    /// The name: that of the RDom with $x, $y, $z or $w, or a name of its own.
    const std::string &name() const { return name_; }
    operator Expr() const; // NOLINT(google-explicit-constructor)
    /// The same; errors point to `location`.
    Expr as_expr(const Location &location) const;
    const detail::Ref<language::ReductionDomain> &domain() const { return domain_; }

  private:
    detail::Ref<language::ReductionDomain> domain_;
    int index_ = 0;
    std::string name_;
};

class ImageParam;
class OutputImageParam;
template <typename T, int Dims> class Buffer;

namespace detail {
/// Whether there is an even number of operands, followed by at most one text.
template <typename... T> constexpr bool is_pairs_and_name() {
    constexpr size_t count = sizeof...(T);
    constexpr bool number[] = {std::is_convertible_v<const T &, LocatedExpr>..., true};
    constexpr bool text[] = {is_text<T>..., false};
    const size_t numbers = count > 0 && text[count == 0 ? 0 : count - 1] ? count - 1 : count;
    bool fits = numbers % 2 == 0;
    for (size_t i = 0; i < numbers; i++) {
        fits = fits && number[i];
    }
    return fits;
}
} // namespace detail

/// A reduction domain of any rank: `RDom r(min0, extent0, min1, extent1, ...)`; dimension 0 is the innermost loop.
/// Coordinates are Int32. Points are visited in lexicographic order (last dimension outermost).
class RDom {
  public:
    RVar x, y, z, w;

    RDom() = default;
    /// From ranges, one per dimension.
    RDom(const Region &region, const std::string &name = "", // NOLINT(google-explicit-constructor)
         const Location &location = Location::current());
    /// From (min, extent) pairs; the last argument may be a name.
    template <typename... Rest, std::enable_if_t<detail::is_pairs_and_name<Rest...>(), int> = 0>
    RDom(const LocatedExpr &min, const LocatedExpr &extent, const Rest &...rest) {
        std::vector<Expr> numbers;
        std::string name;
        add(numbers, name, min, extent, rest...);
        initialize(numbers, name, min.location);
    }
    /// The pixels of a buffer or image parameter.
    RDom(const ImageParam &image, const Location &location = Location::current());       // NOLINT
    RDom(const OutputImageParam &image, const Location &location = Location::current()); // NOLINT
    template <typename T, int Dims>
    RDom(const Buffer<T, Dims> &buffer, const Location &location = Location::current()) { // NOLINT
        std::vector<Expr> numbers;
        for (int i = 0; i < buffer.dimensions(); i++) {
            numbers.push_back(Expr(static_cast<int32_t>(buffer.dim(i).min())));
            numbers.push_back(Expr(static_cast<int32_t>(buffer.dim(i).extent())));
        }
        initialize(numbers, "", location);
    }
    explicit RDom(detail::Ref<language::ReductionDomain> domain);

    /// Whether it is a domain, the same one as another, and of how many dimensions.
    bool defined() const { return static_cast<bool>(domain_); }
    bool same_as(const RDom &other) const { return domain_ == other.domain_; }
    int dimensions() const;
    /// Dimension `index`, from 0; x, y, z, w are the first four. Throws CompileError where there is no such dimension.
    RVar operator[](const LocatedIndex &index) const;
    /// The RVar of a one-dimensional domain.
    operator RVar() const; // NOLINT(google-explicit-constructor)
    operator Expr() const; // NOLINT(google-explicit-constructor)
    /// The same; errors point to `location`.
    Expr as_expr(const Location &location) const;
    const std::string &name() const;

    /// Restricts the domain to points where the condition holds; several conditions are joined by and.
    void where(const Expr &predicate, const Location &location = Location::current());
    /// The joined conditions; true if there are none.
    Expr predicate() const;

    /// What the copies share; for the library.
    const detail::Ref<language::ReductionDomain> &domain() const { return domain_; }

  private:
    static void add(std::vector<Expr> &, std::string &) {}
    static void add(std::vector<Expr> &, std::string &name, const std::string &text) { name = text; }
    template <typename... Rest>
    static void add(std::vector<Expr> &numbers, std::string &name, const LocatedExpr &min, const LocatedExpr &extent,
                    const Rest &...rest) {
        numbers.push_back(min.expr);
        numbers.push_back(extent.expr);
        add(numbers, name, rest...);
    }
    void initialize(const std::vector<Expr> &numbers, const std::string &name, const Location &location);
    void set_members();

    detail::Ref<language::ReductionDomain> domain_;
};

/// Print name, or name and ranges, for readers.
std::ostream &operator<<(std::ostream &stream, const RVar &var);
std::ostream &operator<<(std::ostream &stream, const RDom &domain);

} // namespace fluorite
