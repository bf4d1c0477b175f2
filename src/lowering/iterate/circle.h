#pragma once
// Dimensions of a domain whose ends meet, because a body reads its fields through coordinates that wrap around.

#include "ir/graph.h"

#include <functional>
#include <optional>
#include <vector>

namespace fluorite::lowering {

/// What a body reads of its fields beyond the ends of a dimension.
enum class Ends : uint8_t {
    Apart, // the ends, at most: coordinates do not wrap around
    Meet,  // the other end, next to which it is: the dimension is a circle
    Far,   // coordinates wrap around in a way that is not understood, so that a point may need the whole domain
};

/// A body along one dimension of its domain. See circle.cpp.
class Circle {
  public:
    Circle(const ir::Iteration &iteration, size_t dimension);

    size_t dimension() const { return dimension_; }
    Ends ends() const { return ends_; }
    /// Whether a Func of the body remains as it is, and is read inside of the domain. Precondition: the ends meet.
    bool leaves_alone(int32_t func) const { return kinds_[static_cast<size_t>(func)] == Kind::Other; }

    /// An expression of a Func of the body, so that the Func has values at all integers along the dimension. Reads of
    /// which `reads_copy` holds, and calls of Funcs of the body, are of what has values at all integers, too; other
    /// reads are of the domain's points only. Precondition: the ends meet.
    Expr unrolled(const ir::FuncDef &func, const Expr &expr, const std::function<bool(const Expr &)> &reads_copy) const;

    /// The same where all fields have values at all integers.
    Expr on_line(const ir::FuncDef &func, const Expr &expr) const;

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
    Ends ends_ = Ends::Apart;

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
    Ends ends_of_reads() const;
    void find_kinds();
    bool may_be(Kind kind, const ir::FuncDef &func) const;
    bool may_read(Kind kind, const Expr &access, const ir::Symbol &arg, const ir::FuncDef &func) const;
    bool is_called_inside(const ir::FuncDef &func) const;
    const ir::Symbol &state_buffer() const;
};

} // namespace fluorite::lowering
