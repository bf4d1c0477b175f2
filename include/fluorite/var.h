#pragma once
// Var: a dimension of a Func, and the name of a loop in a schedule.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/expr.h"

#include <cstddef>
#include <string>
#include <utility>

namespace fluorite {

/// A variable of a pure definition. Vars of the same name are the same variable; an unnamed Var equals only its copies.
class Var {
  public:
    Var();
    /// The variable of this name; without one, a new variable that equals only its copies.
    Var(const std::string &name); // NOLINT(google-explicit-constructor)
    explicit Var(const char *name) : Var(std::string(name)) {}
    Var(std::nullptr_t) = delete;

    /// The name, which two Vars share if they are the same variable.
    const std::string &name() const { return name_; }
    bool same_as(const Var &other) const { return name_ == other.name_; }
    operator Expr() const; // NOLINT(google-explicit-constructor)

    /// The n-th implicit variable, to which `_` expands at its n-th dimension.
    static Var implicit(int n);
    bool is_implicit() const;
    bool is_placeholder() const;
    static bool is_placeholder(const std::string &name) { return name == "_"; }
    /// The index of an implicit variable, or -1.
    int implicit_index() const { return implicit_index(name_); }
    static int implicit_index(const std::string &name);
    static bool is_implicit(const std::string &name) { return implicit_index(name) >= 0; }
    /// A fresh variable for the outermost loop of a schedule: compute_at(f, Var::outermost()).
    static Var outermost();
    /// The innermost loop over blocks, or over threads, of a GPU, whatever its name is:
    /// compute_at(f, Var::gpu_blocks()).
    static Var gpu_blocks();
    static Var gpu_threads();

  private:
    std::string name_;
};

/// As the last argument of a Func or buffer: all remaining dimensions, in order.
extern const Var _;
extern const Var _0, _1, _2, _3, _4, _5, _6, _7, _8, _9;

class RVar;
class RDom;

/// A loop of a stage, named by a Var or an RVar, with the location of the directive that names it.
class VarOrRVar {
  public:
    /// Of either kind; an RDom of one dimension stands for its RVar.
    VarOrRVar(const Var &var, // NOLINT(google-explicit-constructor)
              const Location &place = Location::current())
        : name_(var.name()), location_(place) {}
    VarOrRVar(const RVar &var, // NOLINT(google-explicit-constructor)
              const Location &place = Location::current());
    VarOrRVar(const RDom &domain, // NOLINT(google-explicit-constructor)
              const Location &place = Location::current());
    /// A loop by its name; directives resolve it in the stage that they are called on.
    VarOrRVar(const std::string &name, bool is_rvar, const Location &place = Location::current())
        : name_(name), is_rvar_(is_rvar), location_(place) {}

    /// The name, and whether it is that of an RVar.
    const std::string &name() const { return name_; }
    bool is_rvar() const { return is_rvar_; }
    /// The domain of an RVar that has one, for comparison only.
    const void *domain() const { return domain_; }
    const Location &location() const { return location_; }

  private:
    std::string name_;
    bool is_rvar_ = false;
    const void *domain_ = nullptr;
    Location location_;
};

} // namespace fluorite
