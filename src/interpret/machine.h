#pragma once
// The values of all Funcs of a graph, computed on demand and kept.

#include "interpret/point_table.h"
#include "interpret/program.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fluorite::interpret {

/// The buffers of an output. Elements that the definitions leave undefined take their values from there.
using Destination = std::vector<fluorite_buffer_t *>;

class Machine {
  public:
    explicit Machine(Bindings &bindings);
    ~Machine();

    /// Checks the limits of parameters and the graph's requirements.
    void check_entry();
    /// The final value of a Func at a point, as a row of row_width(func) cells.
    void value(size_t func, const int32_t *point, Cell *row);
    size_t row_width(size_t func) const;
    /// Hints that all points of the box will be requested.
    void reserve(size_t func, const Region &region);
    /// From now on undefined initial values of `func` are read from the destination (null means 0).
    void set_destination(size_t func, const Destination *destination);

  private:
    struct Stage;
    struct Func;

    Func &func_of(size_t func);
    void compile(Func &func);
    void compile_stage(Func &func, size_t index);

    void stage_value(Func &func, size_t stage, const int32_t *point, Cell *row);
    void compute_below(Func &func, size_t stage, const int32_t *point, Cell *row);
    void compute(Func &func, size_t stage, const int32_t *point, Cell *row);
    void run_pure(Func &func, const int32_t *point, Cell *row);
    void run_extern(Func &func, const Region &box);
    void run_at_point(Func &func, size_t stage, const int32_t *point, Cell *row);
    void run_slice(Func &func, size_t stage, const int32_t *point);
    void initial_row(const Func &func, const int32_t *point, Cell *row) const;

    void run_iterations(Func &func, Stage &stage, const int32_t *point);
    void update(Func &func, Stage &stage);
    static void store_values(const Func &func, const Stage &stage, Cell *row);
    Cell *row_to_update(Func &func, Stage &stage, const int32_t *point, bool needs_old);
    const Cell *self_row(Func &func, Stage &stage, Reference &reference);
    static bool same_pure_point(const Stage &stage, const int32_t *point);

    void run(const Instructions &code, Func *func, Stage *stage, Program &program);
    [[noreturn]] void fail_outside(const Func *func, const Stage *stage, const Reference &reference, size_t dim) const;
    [[noreturn]] void fail_requirement(const Func *func, const Stage *stage, const Program &program,
                                       const Reference &reference) const;
    void check_limits(const ir::ParamDef &def);

    Bindings &bindings_;
    std::vector<std::unique_ptr<Func>> funcs_;
    size_t depth_ = 0;
};

} // namespace fluorite::interpret
