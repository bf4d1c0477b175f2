#pragma once
// Periodic dimensions of a domain: a body reads its fields there through coordinates that wrap around.

#include "ir/graph.h"

#include <functional>
#include <optional>
#include <vector>

namespace fluorite::autoschedule::time_tiling {

/// How the coordinates of a body's reads of its fields wrap around along a dimension.
enum class Wraparound : uint8_t {
    None,     // they do not
    Periodic, // modulo the extent, so that a step on a part of the domain needs that part and its neighbours
    Unknown,  // in another way, so that a point may need the whole domain
};

/// A body along one dimension of its domain. See periodic_dimension.cpp.
class PeriodicDimension {
  public:
    PeriodicDimension(const ir::Iteration &iteration, size_t dimension);

    size_t dimension() const { return dimension_; }
    Wraparound wraparound() const { return wraparound_; }
    /// Whether a Func of the body remains as it is, and is read inside of the domain. Precondition: the dimension
    /// is periodic.
    bool keeps_definition(int32_t func) const { return kinds_[static_cast<size_t>(func)] == Kind::Other; }

    /// The periodic extension of an expression of a Func of the body: with it, the Func has values at all integers
    /// along the dimension. Calls of Funcs of the body, and reads for which `reads_copy` holds, find values at all
    /// integers, too. Other reads find values in the domain only. Precondition: the dimension is periodic.
    Expr extended(const ir::FuncDef &func, const Expr &expr, const std::function<bool(const Expr &)> &reads_copy) const;

    /// The same where all fields have values at all integers.
    Expr extended_everywhere(const ir::FuncDef &func, const Expr &expr) const;

  private:
    // What a Func of the body is, in the order in which Funcs are tried.
    enum class Kind : uint8_t {
        Repeating, // its values repeat with the domain's extent; it is called at any coordinate
        Inside,    // it is called inside of the domain only
        Other,
    };

    const ir::Iteration &iteration_;
    const ir::Graph &body_;
    const size_t dimension_;
    Expr min_, extent_; // of the domain, in canonical symbols
    std::vector<Kind> kinds_;
    std::vector<bool> reads_state_; // the Func does, or one that it calls
    Wraparound wraparound_ = Wraparound::None;

    bool is_field_of_iteration(const ir::Symbol &buffer) const;
    bool is_state(const Expr &image) const;
    bool has_coordinate(const Expr &access) const;
    bool reads_state(const Expr &access) const;
    std::optional<Kind> kind_of(const Expr &access) const;
    Expr canonical(const Expr &expr) const;
    std::optional<Expr> wrapped_around(const Expr &coordinate) const;
    std::optional<Expr> distance(const Expr &coordinate, const ir::Symbol &arg) const;
    bool is_far(const Expr &coordinate) const;
    void find_readers();
    Wraparound wraparound_of_reads() const;
    void find_kinds();
    bool may_be(Kind kind, const ir::FuncDef &func) const;
    bool may_read(Kind kind, const Expr &access, const ir::Symbol &arg, const ir::FuncDef &func) const;
    bool is_called_inside(const ir::FuncDef &func) const;
    const ir::Symbol &state_buffer() const;
};

} // namespace fluorite::autoschedule::time_tiling
