#pragma once
// Stencils of any shape and boundary, and Funcs with updates, each of something that can be read.

#include "iterations/drawing.h"

#include "fluorite/stencil.h"

namespace fluorite::fuzz::iterations {

class StencilDrawing {
  public:
    explicit StencilDrawing(Drawing &draw) : draw_(draw) {}

    /// A stencil of the source, perhaps with an invariant.
    Source stencil_of(const Source &source, const Source *invariant);
    /// A Func with an update that reads the source at some points of a reduction domain, or none.
    Source updated(const Source &source);

  private:
    struct Rule {
        StencilBoundary boundary;
        std::string text;
    };

    struct Shape {
        std::vector<std::vector<int>> offsets;
        std::string text;
    };

    Drawing &draw_;

    Shape shape(int reach);
    Rule rule(const Source &source);
    Rule function_rule(const Source &source);
};

} // namespace fluorite::fuzz::iterations
