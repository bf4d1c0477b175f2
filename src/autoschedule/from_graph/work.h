#pragma once
// How much work the values of a stage are.

#include "ir/graph.h"

#include <cstdint>
#include <vector>

namespace fluorite::autoschedule {

/// Operations count in additions of 32 bits: one of 8 bits, of which a vector holds four times as many, is a quarter.
/// Coordinates count only where they are computed. Equal operands and equal loads count once.
struct Work {
    double operations = 0;
    std::vector<Expr> loads; // distinct Call and Image nodes
    /// Values that several points use, and of the widest type, in 32 bits: they wait in registers.
    double shared = 0, widest = 0;
};

/// Whether a coordinate takes operations of vectors at every point: it reads memory, or floats say what it is. Others
/// are a few integers, most of which are the same for a row.
bool is_computed(const Expr &coordinate);

/// Whether a select with a likely operand is that operand, as in loops over pure Vars, or work.
enum class Boundaries : uint8_t { AreCut, AreWork };

/// The work of one point.
Work work_of(const ir::Stage &stage, Boundaries boundaries = Boundaries::AreCut);
/// The work of several points that are computed together, as by unrolled loops: of each, what replaces the pure Vars.
Work work_of(const ir::Stage &stage, const std::vector<ir::SymbolMap<Expr>> &points);
/// The same of an update, with its conditions and the places that it writes to.
Work work_of_update(const ir::Stage &stage, const std::vector<ir::SymbolMap<Expr>> &points);

/// The work of one point of an update, by the pure Vars that its values follow: bit d is that of dimension d. Loads of
/// the Func's own values are not counted.
struct FollowedWork {
    uint64_t loops = 0;
    double operations = 0;
    std::vector<Expr> loads;
    /// Of coordinates that change with the RVars: they are computed, clamped and multiplied by strides at each step, in
    /// scalars where they do not follow the loop of the vector.
    double addresses = 0;
};
std::vector<FollowedWork> work_by_loops(const ir::FuncDef &func, const ir::Stage &update);
/// The nodes of the code for one point, with its accesses flattened: about.
double code_of(const ir::FuncDef &func, const ir::Stage &stage);
/// The longest chain of operations from one of the Func's own values to the new one.
double chain_of(const ir::FuncDef &func, const ir::Stage &update);

} // namespace fluorite::autoschedule
