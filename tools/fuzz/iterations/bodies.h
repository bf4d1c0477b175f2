#pragma once
// Iterations: initial fields, bodies, past fields, stop conditions, time tiles; iterations within bodies.

#include "iterations/drawing.h"
#include "iterations/schedules.h"
#include "iterations/stencils.h"

#include "fluorite/iterate.h"

namespace fluorite::fuzz::iterations {

class IterationDrawing {
  public:
    IterationDrawing(Drawing &draw, StencilDrawing &stencils, ScheduleDrawing &schedules)
        : draw_(draw), stencils_(stencils), schedules_(schedules) {}

    /// A Func that the bodies of all iterations may read.
    void make_coefficient();
    /// A Func of the initial values of fields.
    Named initial(const std::vector<Type> &types);
    /// An iteration over the whole domain.
    Named iteration(const Named &start, const std::vector<Type> &types);

  private:
    /// What a body may read, and where.
    struct Scope {
        std::vector<Source> sources; ///< fields first
        size_t fields = 0;
        Term step;
        Region box;
        std::string box_text;
    };

    /// What decides whether a pass may have several steps.
    struct Traits {
        bool is_scheduled = false, has_inner = false, has_updated_fields = false;
    };

    /// The Funcs of a body, in the order of their definitions.
    struct Body {
        std::vector<Part> parts;
        std::vector<Source> made; ///< the parts as what can be read
        void add(const Source &source, const std::vector<size_t> &reads, bool has_update);
    };

    Drawing &draw_;
    StencilDrawing &stencils_;
    ScheduleDrawing &schedules_;
    std::vector<Source> globals_; ///< what any body may read

    Named iterated(const Named &start, const std::vector<Type> &types, const Scope &outer, int level);
    Func make_before(const Named &start, const std::vector<Type> &types, const std::string &options_name);
    void make_stop(IterateOptions &options, const std::string &options_name);
    void make_time_tile(Iterated &result, const std::string &name, bool tiles, bool blocks);
    void make_tiles(Iterated &result, const std::string &name, const std::vector<int> &extents, TimeTileShape shape,
                    const std::string &shape_name);

    Scope scope_of(const IterationStep &s, const std::string &step, const std::vector<Type> &types, const Scope &outer);
    Func body(const Scope &scope, const std::vector<Type> &types, int level, Traits &traits);
    void add_parts(Body &made, const Scope &scope, int level, Traits &traits);
    Term next_value(Type type, const Body &made, const Scope &scope, std::vector<size_t> &reads);
    Source inner(const Source &from, const Scope &scope);
};

} // namespace fluorite::fuzz::iterations
