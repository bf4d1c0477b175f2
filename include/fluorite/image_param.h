#pragma once
// ImageParam: a buffer that is bound when the pipeline runs. OutputImageParam: the buffer of an output.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/func.h"
#include "fluorite/parameter.h"
#include "fluorite/rdom.h"

#include <string>
#include <vector>

namespace fluorite {

/// One dimension of a buffer parameter: its symbolic fields, and the program's promises about them. A run with a buffer
/// that breaks a promise throws RuntimeError. An undefined Expr withdraws a promise.
class Dimension {
  public:
    /// Dimension `index` of a parameter; ImageParam::dim makes it.
    Dimension(detail::Ref<ir::Parameter> parameter, int index) : parameter_(std::move(parameter)), index_(index) {}

    /// The least and greatest coordinate and their number, as symbols that a run gives their values; the run gives them
    /// their values.
    Expr min() const;
    Expr max() const;
    Expr extent() const;
    /// The stride in elements.
    Expr stride() const;
    /// What set_estimate has set, or else a constant that is promised; undefined without either.
    Expr min_estimate() const;
    Expr extent_estimate() const;

    /// Promises: the least coordinate, the number of coordinates, the stride in elements (dimension 0 has 1 unless this
    /// says otherwise; an undefined Expr allows any), or the first two. Code that knows them is shorter. The value may
    /// use Params and other dimensions. Returns this dimension, so that calls can follow each other.
    Dimension set_min(const LocatedExpr &min);
    Dimension set_extent(const LocatedExpr &extent);
    Dimension set_stride(const LocatedExpr &stride);
    Dimension set_bounds(const LocatedExpr &min, const LocatedExpr &extent);
    /// What automatic scheduling assumes; it promises nothing.
    Dimension set_estimate(const LocatedExpr &min, const LocatedExpr &extent);
    Dimension set_min_estimate(const LocatedExpr &min);
    Dimension set_extent_estimate(const LocatedExpr &extent);
    Dimension set_bounds_estimate(const LocatedExpr &min, const LocatedExpr &extent) {
        return set_estimate(min, extent);
    }
    /// Another dimension of the same buffer.
    Dimension dim(detail::Integer index) const;

  private:
    detail::Ref<ir::Parameter> parameter_;
    int index_;
};

/// The common part of input and output buffer parameters.
class OutputImageParam {
  public:
    OutputImageParam() = default;
    /// Of a parameter that the library has made.
    explicit OutputImageParam(detail::Ref<ir::Parameter> parameter) : parameter_(std::move(parameter)) {}

    /// Whether it stands for a buffer. The others throw CompileError where it does not.
    bool defined() const { return static_cast<bool>(parameter_); }
    const std::string &name(const Location &location = Location::current()) const;
    Type type(const Location &location = Location::current()) const;
    int dimensions() const;
    /// Throws CompileError where the buffer has no such dimension.
    Dimension dim(detail::Integer index, const Location &location = Location::current()) const;

    /// The coordinates of the first and last column and row, and the numbers of columns, rows and channels: 1 channel
    /// where there is no third dimension.
    Expr left(const Location &location = Location::current()) const { return dim(0, location).min(); }
    Expr right(const Location &location = Location::current()) const { return dim(0, location).max(); }
    Expr top(const Location &location = Location::current()) const { return dim(1, location).min(); }
    Expr bottom(const Location &location = Location::current()) const { return dim(1, location).max(); }
    Expr width(const Location &location = Location::current()) const { return dim(0, location).extent(); }
    Expr height(const Location &location = Location::current()) const { return dim(1, location).extent(); }
    Expr channels() const { return dimensions() > 2 ? dim(2).extent() : Expr(1); }

    /// Names of the 2014 API.
    Expr min(detail::Integer index, const Location &location = Location::current()) const {
        return dim(index, location).min();
    }
    Expr extent(detail::Integer index, const Location &location = Location::current()) const {
        return dim(index, location).extent();
    }
    Expr stride(detail::Integer index, const Location &location = Location::current()) const {
        return dim(index, location).stride();
    }
    OutputImageParam &set_min(detail::Integer index, const Expr &min, const Location &location = Location::current()) {
        return dim(index, location).set_min({min, location}), *this;
    }
    OutputImageParam &set_extent(detail::Integer index, const Expr &extent,
                                 const Location &location = Location::current()) {
        return dim(index, location).set_extent({extent, location}), *this;
    }
    OutputImageParam &set_stride(detail::Integer index, const Expr &stride,
                                 const Location &location = Location::current()) {
        return dim(index, location).set_stride({stride, location}), *this;
    }
    OutputImageParam &set_bounds(detail::Integer index, const Expr &min, const Expr &extent,
                                 const Location &location = Location::current()) {
        return dim(index, location).set_bounds({min, location}, {extent, location}), *this;
    }

    /// Programs say so that kernels read a buffer through a device's images. Here they read its memory, so Heap,
    /// GPUTexture and Auto change nothing. Throws CompileError [directive-value] for memory that a program's buffer
    /// cannot be in.
    OutputImageParam &store_in(MemoryType memory, const Location &location = Location::current());

    /// Promises that the host pointer is a multiple of `bytes` (a power of two).
    OutputImageParam &set_host_alignment(detail::Integer bytes, const Location &location = Location::current());
    int host_alignment(const Location &location = Location::current()) const;
    OutputImageParam &set_estimates(const Region &estimates, const Location &location = Location::current());

    /// The argument of compiled functions.
    operator Argument() const { return Argument(parameter_); } // NOLINT(google-explicit-constructor)
    /// The handle without a static kind.
    Parameter parameter() const { return Parameter(parameter_); }

  protected:
    detail::Ref<ir::Parameter> parameter_;
};

/// An input buffer of known type and rank.
class ImageParam : public OutputImageParam {
  public:
    ImageParam() = default;
    /// An input of this element type and rank. The name is that of the argument of compiled functions; without one, it
    /// is made. Throws CompileError [bad-type] for a type that buffers do not have.
    ImageParam(const Type &type, detail::Integer dimensions, const std::string &name = "",
               const Location &location = Location::current());
    /// Another handle to an input buffer; errors as of parameter.name(). Throws CompileError [parameter-kind] for a
    /// scalar.
    explicit ImageParam(const Parameter &parameter, const Location &location = Location::current());

    /// The value at integer coordinates; `_` stands for all remaining dimensions.
    template <typename... Rest, std::enable_if_t<detail::all_coordinates<Rest...>, int> = 0>
    Expr operator()(const detail::FirstCoordinate &first, const Rest &...rest) const {
        return load({first.expr, LocatedExpr(rest).expr...}, first.location);
    }
    Expr operator()(const Location &location = Location::current()) const { return load({}, location); }
    Expr operator()(const std::vector<Expr> &args, const Location &location = Location::current()) const {
        return load(args, location);
    }
    Expr operator()(const std::vector<Var> &args, const Location &location = Location::current()) const {
        return load(std::vector<Expr>(args.begin(), args.end()), location);
    }

    /// Binds a buffer for subsequent runs; it must have the type and rank of the parameter.
    void set(const Buffer<void, -1> &image, const Location &location = Location::current());
    /// The bound buffer, undefined if there is none; reset() unbinds it.
    Buffer<void, -1> get() const;
    void reset(const Location &location = Location::current());

    /// A Func whose values are the pixels.
    operator Func() const; // NOLINT(google-explicit-constructor)
    /// Reports each load of its pixels to the trace handler.
    ImageParam &trace_loads(const Location &location = Location::current());
    /// Adds a text that reaches readers of traces, as an event of kind tag at the begin of each run, if its loads or
    /// the pipeline are traced.
    ImageParam &add_trace_tag(const std::string &tag, const Location &location = Location::current());
    /// A Func with the pixels, to be scheduled, that these consumers read instead (all consumers, if none is named).
    Func in(const Func &consumer, const Location &location = Location::current());
    Func in(const std::vector<Func> &consumers, const Location &location = Location::current());
    Func in(const Location &location = Location::current());

  private:
    void check_defined(const char *what, const Location &location) const;
    Expr load(const std::vector<Expr> &args, const Location &location) const;
};

} // namespace fluorite
